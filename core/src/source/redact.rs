//! Taking credentials out of commands, URLs and texts.
//!
//! Two purposes pull apart. What is *hashed* as a server's identity loses only what is certain to be a
//! credential: taken out too much, one program could be swapped for another unseen. What is *shown* loses
//! also what may be one.

use core::ops::Range;

use super::command::{is_python, program};
use crate::text::sort::sort_by;

/// What stands where a credential stood.
pub(crate) const REDACTED: &str = "<redacted>";

/// Last words of a name that say that its value is a secret.
const SECRET_WORDS: &[&str] = &[
    "token",
    "secret",
    "password",
    "passwd",
    "passphrase",
    "pwd",
    "apikey",
    "accesskey",
    "privatekey",
    "secretkey",
    "credential",
    "auth",
    "authorization",
    "bearer",
    "signature",
    "sig",
    "cookie",
    "jwt",
    "pat",
    "dsn",
    "pass",
];

/// Programs that run what their arguments name.
const LAUNCHERS: &[&str] = &[
    "npx",
    "bunx",
    "pnpx",
    "npm",
    "pnpm",
    "yarn",
    "bun",
    "node",
    "nodejs",
    "deno",
    "tsx",
    "uvx",
    "uv",
    "pipx",
    "docker",
    "podman",
    "env",
    "sh",
    "bash",
    "zsh",
    "cmd",
    "powershell",
    "pwsh",
    "sudo",
    "ssh",
];

/// Options whose value is `user:password`.
const USER_OPTIONS: &[&str] = &["-u", "--user", "--basic-auth", "--proxy-user"];

/// What the tokens of well-known services start with.
const TOKEN_PREFIXES: &[&str] = &[
    "ghp_",
    "gho_",
    "ghu_",
    "ghs_",
    "ghr_",
    "github_pat_",
    "glpat-",
    "sk-ant-",
    "sk-proj-",
    "sk_live_",
    "sk_test_",
    "rk_live_",
    "xoxa-",
    "xoxb-",
    "xoxp-",
    "xoxr-",
    "xoxs-",
    "xapp-",
    "AKIA",
    "ASIA",
    "AIza",
    "eyJ",
    "npm_",
    "pypi-",
    "hf_",
    "figd_",
    "lin_api_",
    "ntn_",
    "dop_v1_",
    "shpat_",
    "whsec_",
    "gsk_",
    "pcsk_",
    "sk-",
    "fc-",
    "tvly-",
    "key-",
    "r8_",
    "secret_",
];

/// The shortest text after a token's prefix, and the shortest run that may be a token without one.
const MIN_AFTER_PREFIX: usize = 16;
const MIN_OPAQUE: usize = 24;

/// What stands before the colon of a package, an image or a file, and not of a password.
const SPEC_KINDS: &[&str] =
    &["npm", "jsr", "node", "file", "link", "workspace", "github", "gitlab", "bitbucket", "gist"];

/// Schemes of databases and queues, whose passwords hold anything, also what ends an authority.
const DATABASE_SCHEMES: &[&str] = &[
    "postgres",
    "postgresql",
    "mysql",
    "mariadb",
    "mongodb",
    "mongodb+srv",
    "redis",
    "rediss",
    "amqp",
    "amqps",
    "mssql",
    "sqlserver",
    "clickhouse",
    "snowflake",
];

/// What a shell takes for more than text: a value with one of them is code, whatever it is assigned to.
const SHELL_SIGNS: &[char] = &['$', '`', '|', '&', ';', '<', '>', '(', ')', '\n'];

#[derive(Clone, Copy, PartialEq, Eq)]
enum Purpose {
    Identity,
    Display,
}

/// The words of a command, as they are hashed.
pub(super) fn identity(words: &[String]) -> Vec<String> {
    Redactor::new(Purpose::Identity).words(words)
}

/// A URL, as it is hashed.
pub(super) fn identity_of_url(url: &str) -> String {
    Redactor::new(Purpose::Identity).text(url)
}

/// The words of a command, as they may be shown, and what was taken out of them.
pub(super) fn shown(words: &[String]) -> (Vec<String>, Vec<String>) {
    let mut redactor = Redactor::new(Purpose::Display);
    (redactor.words(words), redactor.taken)
}

/// Replaces these secrets wherever they stand in a text of a stranger's, and what else in it looks like
/// one. A secret of less than four characters goes only where it is a word of its own.
pub(crate) fn redact_text(text: &str, secrets: &[&str]) -> String {
    // The longest first, so that no secret that another begins with leaves the other's end behind.
    let mut secrets: Vec<&str> = secrets.iter().copied().filter(|secret| secret.len() >= 2).collect();
    sort_by(&mut secrets, |a, b| b.len().cmp(&a.len()));
    secrets.dedup();
    let text = secrets.iter().fold(text.to_owned(), |text, secret| {
        if secret.len() < 4 { replace_word(&text, secret) } else { text.replace(secret, REDACTED) }
    });
    Redactor::new(Purpose::Display).text(&text)
}

/// Replaces a secret where it is a word of its own.
pub(crate) fn replace_word(text: &str, word: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once(word) {
        out.push_str(before);
        let joined = out.ends_with(char::is_alphanumeric) || after.starts_with(char::is_alphanumeric);
        out.push_str(if joined { word } else { REDACTED });
        rest = after;
    }
    out.push_str(rest);
    out
}

struct Redactor {
    purpose: Purpose,
    /// What was taken out so far.
    taken: Vec<String>,
}

impl Redactor {
    fn new(purpose: Purpose) -> Self {
        Self { purpose, taken: Vec::new() }
    }

    fn take(&mut self, secret: &str) -> &'static str {
        if secret.is_empty() {
            return "";
        }
        if secret != REDACTED {
            self.taken.push(secret.to_owned());
        }
        REDACTED
    }

    fn words(&mut self, words: &[String]) -> Vec<String> {
        // Of a launcher's words, the first that is no option is what it runs.
        let is_launcher = words
            .first()
            .map(|command| program(command))
            .is_some_and(|program| LAUNCHERS.contains(&program.as_str()) || is_python(&program));
        let run = words.iter().skip(1).position(|word| !word.starts_with('-')).map(|at| at + 1).filter(|_| is_launcher);
        let mut previous = "";
        let mut out = Vec::with_capacity(words.len());
        for (place, word) in words.iter().enumerate() {
            let is_option_itself = word.starts_with("--") || (word.starts_with('-') && word.len() <= 2);
            let is_run = run == Some(place) && self.purpose == Purpose::Identity;
            let value_of = if is_option_itself || is_run || previous.contains('=') { "" } else { previous };
            out.push(match (word.split_once('='), word.split_once(':')) {
                _ if self.is_secret_option(value_of) && self.is_text(word) => self.take(word).to_owned(),
                (_, Some((user, password))) if self.is_user(value_of, user, password) => {
                    format!("{user}:{}", self.take(password))
                }
                (Some((option, value)), _) if self.is_secret_option(option) && self.is_text(value) => {
                    format!("{option}={}", self.take(value))
                }
                (Some((option, value)), Some((_, password))) if self.is_user(option, value, password) => {
                    let user = value.split(':').next().unwrap_or_default();
                    format!("{option}={user}:{}", self.take(password))
                }
                _ => self.text(word),
            });
            previous = word;
        }
        out
    }

    /// Whether an option, as in `--api-key`, is followed by a secret.
    fn is_secret_option(&self, option: &str) -> bool {
        let name = option.trim_start_matches('-');
        name.len() > 1 && name.len() < option.len() && (self.names_a_secret(name) || name == "key")
    }

    /// `--user me:secret`; but two numbers are the user and group of a process.
    fn is_user(&self, option: &str, user: &str, password: &str) -> bool {
        let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        USER_OPTIONS.contains(&option) && !(is_number(user) && is_number(password)) && self.is_text(password)
    }

    /// Whether a value is nothing but text. What a shell would run is part of what a command does, and must
    /// not be taken out of its identity.
    fn is_text(&self, value: &str) -> bool {
        self.purpose == Purpose::Display || !value.contains(SHELL_SIGNS)
    }

    fn names_a_secret(&self, name: &str) -> bool {
        names_a_secret(name) || (self.purpose == Purpose::Display && name.to_ascii_lowercase().ends_with("key"))
    }

    /// Replaces credentials in a text of any kind: a word, a URL, a line of a program's output.
    fn text(&mut self, text: &str) -> String {
        let text = self.defaults(text);
        let text = self.each_word(&text, Self::user_info);
        let text = self.assignments(&text);
        self.tokens(&text)
    }

    /// Replaces the defaults of a config's variables, as in `${TOKEN:-secret}`, in what is shown.
    fn defaults(&mut self, text: &str) -> String {
        let mut out = String::with_capacity(text.len());
        let mut rest = text;
        while let Some((before, after)) = rest.split_once("${").filter(|_| self.purpose == Purpose::Display) {
            out.extend([before, "${"]);
            rest = after;
            let end = after.find(['}', '$']).filter(|end| after.get(*end..).is_some_and(|rest| rest.starts_with('}')));
            let inside = after.get(..end.unwrap_or(0)).unwrap_or_default();
            if let Some((name, default)) = inside.split_once(":-") {
                out.extend([name, ":-", self.take(default)]);
                rest = after.get(inside.len()..).unwrap_or_default();
            }
        }
        out.push_str(rest);
        out
    }

    /// Changes each word, which is what stands between white space and quotes.
    fn each_word(&mut self, text: &str, change: fn(&mut Self, &str) -> String) -> String {
        let mut out = String::with_capacity(text.len());
        let mut rest = text;
        while let Some(at) = rest.find(|c: char| c.is_whitespace() || matches!(c, '"' | '\'')) {
            let (word, after) = rest.split_at_checked(at).unwrap_or((rest, ""));
            out.push_str(&change(self, word));
            let mut chars = after.chars();
            out.extend(chars.next());
            rest = chars.as_str();
        }
        out.push_str(&change(self, rest));
        out
    }

    /// Replaces user and password before a host, and the fragment of a page.
    fn user_info(&mut self, word: &str) -> String {
        let Some((scheme, _)) = word.split_once("://") else { return self.bare_user_info(word) };
        let scheme = scheme.rsplit(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.'))).next();
        let scheme = scheme.unwrap_or_default().to_ascii_lowercase();
        let is_database = DATABASE_SCHEMES.contains(&scheme.as_str());
        // A fragment can be the revision or the digest that is pinned.
        let (word, fragment) = match word.split_once('#') {
            Some((word, fragment))
                if self.purpose == Purpose::Display && matches!(scheme.as_str(), "http" | "https") =>
            {
                (word, Some(fragment))
            }
            _ => (word, None),
        };
        let mut out = String::with_capacity(word.len());
        let mut rest = word;
        while let Some(at) = rest.find("://") {
            let (before, after) = rest.split_at_checked(at + 3).unwrap_or((rest, ""));
            let is_whole = is_database && out.is_empty() && after.contains('@');
            let end = if is_whole { None } else { after.find(['/', '?', '#', '\\']) };
            let (authority, after) = after.split_at_checked(end.unwrap_or(after.len())).unwrap_or((after, ""));
            out.push_str(before);
            match authority.rsplit_once('@') {
                Some((user, host)) => out.extend([self.take(user), "@", host]),
                None => out.push_str(authority),
            }
            rest = after;
        }
        out.push_str(rest);
        if let Some(fragment) = fragment {
            out.extend(["#", self.take(fragment)]);
        }
        out
    }

    /// `me:secret@host` without a scheme, which packages (`npm:name@1`) and images look like too.
    fn bare_user_info(&mut self, word: &str) -> String {
        match word.split_once('@') {
            Some((user, host))
                if self.purpose == Purpose::Display && is_user_and_password(user) && !is_digest(host) =>
            {
                format!("{}@{host}", self.take(user))
            }
            _ => word.to_owned(),
        }
    }

    /// Replaces what is assigned to a name that means a secret: `--env=API_KEY=x`, `{"apiKey": "x"}`,
    /// `Password=x;`, `?sig=x&`, `X-Api-Key: x`.
    fn assignments(&mut self, text: &str) -> String {
        let mut out = String::with_capacity(text.len());
        let mut rest = text;
        while let Some(at) = rest.find(['=', ':']) {
            let (before, sign_and_after) = rest.split_at_checked(at).unwrap_or((rest, ""));
            let (sign, after) = sign_and_after.split_at_checked(1).unwrap_or((sign_and_after, ""));
            out.extend([before, sign]);
            rest = after;
            if !self.means_a_secret(&out, sign, after) {
                continue;
            }
            let place = secret(&out, after);
            let parts = (after.get(..place.start), after.get(place.clone()), after.get(place.end..));
            if let (Some(before), Some(secret), Some(after)) = parts {
                out.push_str(before);
                out.push_str(if self.is_text(secret) { self.take(secret) } else { secret });
                rest = after;
            }
        }
        out.push_str(rest);
        out
    }

    /// Whether the name that stands before a sign of assignment, with which `written` ends, means a secret.
    fn means_a_secret(&self, written: &str, sign: &str, after: &str) -> bool {
        let before = written.strip_suffix(sign).unwrap_or(written);
        let name = before.trim_end_matches(' ');
        let bare = name.trim_end_matches(['"', '\'', '\\']);
        let start = bare.rfind(|c: char| !(c.is_alphanumeric() || c == '-' || c == '_')).map_or(0, |at| at + 1);
        let word = bare.get(start..).unwrap_or_default();
        let lead = bare.get(..start).unwrap_or_default();
        let is_quoted = bare.len() < name.len();
        let is_identity = self.purpose == Purpose::Identity;
        // `name==1.2` is a version, `org/name:tag` an image, `host:port` an address, `volume:/path` a mount, and
        // a word of a sentence with a colon behind it (`invalid token: expected …`) names nothing.
        let is_version = after.starts_with('=') || name.ends_with('=');
        let is_part = lead.ends_with(['/', '@', '.', ':', '\\']);
        let is_prose = after.starts_with(' ') && !is_quoted && lead.ends_with(' ');
        let is_header =
            after.starts_with(' ') || ["authorization", "cookie"].iter().any(|known| word.eq_ignore_ascii_case(known));
        let is_no_name = match sign {
            ":" => is_part || is_prose || after.starts_with('/') || (is_identity && !is_quoted && !is_header),
            _ => is_version || (is_identity && is_part),
        };
        let in_query = lead.ends_with(['?', '&', ';']);
        let is_known = in_query && ["key", "code"].iter().any(|known| word.eq_ignore_ascii_case(known));
        !is_no_name && (self.names_a_secret(word) || is_known)
    }

    /// Replaces words that are tokens, and what follows `Bearer` and `Basic`.
    fn tokens(&mut self, text: &str) -> String {
        let mut out = String::with_capacity(text.len());
        let mut rest = text;
        while !rest.is_empty() {
            let run = |text: &str| text.bytes().position(|byte| !is_opaque(byte)).unwrap_or(text.len());
            let mut length = run(rest);
            // A JSON Web Token is three parts with points between them.
            while rest.starts_with("eyJ") && length > MIN_AFTER_PREFIX {
                let next = rest.get(length..).and_then(|after| after.strip_prefix('.')).map_or(0, run);
                match next {
                    0 => break,
                    next => length += 1 + next,
                }
            }
            let (word, after) = rest.split_at_checked(length).unwrap_or((rest, ""));
            // `basic` is a word too; after `Authorization:` it is known anyway.
            let schemes =
                if self.purpose == Purpose::Display { ["bearer ", "basic "].as_slice() } else { &["bearer "] };
            let follows_scheme = schemes.iter().any(|scheme| ends_with_ignoring_case(&out, scheme));
            let may_be_secret = self.purpose == Purpose::Display && may_be_token(word);
            let is_secret = !word.is_empty() && (follows_scheme || is_token(word) || may_be_secret);
            out.push_str(if is_secret { self.take(word) } else { word });
            let mut chars = after.chars();
            out.extend(chars.next());
            rest = chars.as_str();
        }
        out
    }
}

fn is_user_and_password(text: &str) -> bool {
    let plain = |part: &str| !part.is_empty() && !part.contains(['/', '=', '<', ',']);
    text.split_once(':').is_some_and(|(user, password)| plain(user) && plain(password) && !SPEC_KINDS.contains(&user))
}

/// `sha256:…`: what is behind it pins an image.
fn is_digest(text: &str) -> bool {
    text.split_once(':').is_some_and(|(algorithm, _)| algorithm.starts_with("sha"))
}

/// Where the secret stands in the text after a sign of assignment, with which `written` ends.
fn secret(written: &str, after: &str) -> Range<usize> {
    let value = after.trim_start();
    let start = after.len() - value.len();
    if value.starts_with(REDACTED) {
        return start..start;
    }
    if let Some(quote) = value.chars().next().filter(|c| matches!(c, '"' | '\'')) {
        let inside = value.get(1..).unwrap_or_default();
        let mut is_escaped = false;
        let ends = |c: char| {
            let is_end = c == quote && !is_escaped;
            is_escaped = c == '\\' && !is_escaped;
            is_end
        };
        return start + 1..start + 1 + inside.find(ends).unwrap_or(inside.len());
    }
    let is_header = ["authorization:", "cookie:"].iter().any(|header| ends_with_ignoring_case(written, header));
    let ends = |c: char| {
        let of_a_list = c.is_whitespace() || matches!(c, '&' | ';' | ',' | '}' | '#');
        matches!(c, '"' | '\'' | '\n') || (!is_header && of_a_list)
    };
    let end = start + value.find(ends).unwrap_or(value.len());
    // The scheme of an `Authorization` is none.
    let scheme =
        if ends_with_ignoring_case(written, "authorization:") { value.find(' ').map_or(0, |at| at + 1) } else { 0 };
    (start + scheme).min(end)..end
}

fn ends_with_ignoring_case(text: &str, end: &str) -> bool {
    let start = text.len().checked_sub(end.len());
    start.and_then(|start| text.get(start..)).is_some_and(|tail| tail.eq_ignore_ascii_case(end))
}

/// Whether the last word of a name, or its last two together, mean a secret. (`--auth-url` names a place,
/// `--max-tokens` a number.)
pub(crate) fn names_a_secret(name: &str) -> bool {
    let mut words: Vec<String> = vec![String::new()];
    let mut previous = ' ';
    for c in name.chars() {
        if !c.is_alphanumeric() || (c.is_uppercase() && previous.is_lowercase()) {
            words.push(String::new());
        }
        if c.is_alphanumeric()
            && let Some(word) = words.last_mut()
        {
            word.extend(c.to_lowercase());
        }
        previous = c;
    }
    words.retain(|word| !word.is_empty() && !word.bytes().all(|byte| byte.is_ascii_digit()));
    if words.first().is_some_and(|first| ["no", "disable", "skip", "without"].contains(&first.as_str())) {
        return false;
    }
    let is_secret = |word: &str| {
        SECRET_WORDS.contains(&word)
            || SECRET_WORDS.contains(&word.strip_suffix('s').unwrap_or(word)) && word != "tokens"
            || ["token", "apikey", "password"].iter().any(|end| word.len() > end.len() && word.ends_with(end))
    };
    match words.as_slice() {
        [.., a, b] => is_secret(b) || is_secret(&format!("{a}{b}")),
        [word] => is_secret(word),
        [] => false,
    }
}

/// Whether a word has the form of a well-known service's tokens: a prefix, and behind it one run of letters
/// and digits, or a longer text of both cases and digits. (`pypi-query-mcp-server` is a name.)
fn is_token(word: &str) -> bool {
    TOKEN_PREFIXES.iter().filter_map(|prefix| word.strip_prefix(prefix)).any(|rest| {
        let has = |class: fn(&u8) -> bool| rest.as_bytes().iter().any(class);
        let is_one_run = rest.len() >= MIN_AFTER_PREFIX && rest.bytes().all(|byte| byte.is_ascii_alphanumeric());
        let is_mixed = rest.len() >= MIN_OPAQUE && has(u8::is_ascii_uppercase) && has(u8::is_ascii_lowercase);
        has(u8::is_ascii_digit) && (is_one_run || is_mixed)
    })
}

/// Whether a word may be a token: long, and of letters of both cases and digits in no order, or hexadecimal.
/// 40 and 64 hexadecimal digits are digests, which pin something.
fn may_be_token(word: &str) -> bool {
    let bare = word.replace(['-', '_'], "");
    if bare.len() < MIN_OPAQUE {
        return false;
    }
    if bare.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return !matches!(word.len(), 40 | 64);
    }
    let class = |byte: &u8| (byte.is_ascii_digit(), byte.is_ascii_uppercase());
    let turns = bare.as_bytes().windows(2).filter(|pair| matches!(pair, [a, b] if class(a) != class(b))).count();
    let has = |class: fn(&u8) -> bool| bare.as_bytes().iter().any(class);
    has(u8::is_ascii_digit) && has(u8::is_ascii_uppercase) && has(u8::is_ascii_lowercase) && 3 * turns >= bare.len()
}

fn is_opaque(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn split(line: &str) -> Vec<String> {
        shlex::split(line).unwrap()
    }

    /// What is certain to be a credential goes for both purposes.
    #[test]
    fn credentials_go() {
        for (line, expected) in [
            ("--api-key abc --port 80", "--api-key <redacted> --port 80"),
            ("--apiKey=abc", "--apiKey=<redacted>"),
            ("--key abc --token --verbose", "--key <redacted> --token --verbose"),
            ("--token -abc -x", "--token <redacted> -x"),
            ("GITHUB_TOKEN=abc npx name", "GITHUB_TOKEN=<redacted> npx name"),
            ("--env=API_KEY=abc -eAPI_KEY=abc", "--env=API_KEY=<redacted> -eAPI_KEY=<redacted>"),
            ("sh -c 'export TOKEN=abc; npx name'", "sh -c export TOKEN=<redacted>; npx name"),
            ("--user me:abc", "--user me:<redacted>"),
            ("--header 'Authorization: Bearer abc'", "--header Authorization: Bearer <redacted>"),
            ("'Bearer abc def'", "Bearer <redacted> def"),
            ("--header 'X-Api-Key: abc'", "--header X-Api-Key: <redacted>"),
            ("-H 'Cookie: a=b'", "-H Cookie: <redacted>"),
            (r#"--config '{"apiKey": "abc", "port": 80}'"#, r#"--config {"apiKey": "<redacted>", "port": 80}"#),
            ("'Server=x;User Id=sa;Password=abc;'", "Server=x;User Id=sa;Password=<redacted>;"),
            ("ghp_0123456789abcdefABCDEF", "<redacted>"),
            ("--x=sk-abcdefghijklmnopqrstuvwxyz123", "--x=<redacted>"),
            ("--password=ab%c", "--password=<redacted>"),
            ("-u me:abc --user=me:abc", "-u me:<redacted> --user=me:<redacted>"),
            (r#"'--config={"token":"a\"b"}'"#, r#"--config={"token":"<redacted>"}"#),
            (
                "https://u:p@example.com/mcp?api_key=1&page=2",
                "https://<redacted>@example.com/mcp?api_key=<redacted>&page=2",
            ),
            (
                "https://u:a@b@h/?next=https://u:p@x/;token=abc",
                "https://<redacted>@h/?next=https://<redacted>@x/;token=<redacted>",
            ),
            ("https://h/?key=k&sig=s&code=c", "https://h/?key=<redacted>&sig=<redacted>&code=<redacted>"),
            ("--url=https://u@h/x", "--url=https://<redacted>@h/x"),
            ("postgresql://me:p/w?x@localhost:5432/db", "postgresql://<redacted>@localhost:5432/db"),
        ] {
            assert_eq!(identity(&split(line)).join(" "), expected);
            assert_eq!(shown(&split(line)).0.join(" "), expected);
        }
    }

    /// What may be one goes only from what is shown: hashed, it tells one server from another.
    #[test]
    fn what_may_be_a_credential_is_not_shown() {
        for (line, expected) in [
            ("--id=3F2504E0-4F89-11D3-9A0C-0305E82C3301", "--id=<redacted>"),
            ("https://example.com/s/A1bCd2Ef0gH4iJ5kL6mN7oP8/mcp", "https://example.com/s/<redacted>/mcp"),
            ("me:pw@localhost/db", "<redacted>@localhost/db"),
            ("https://h/?next=https://u:p@x/#f", "https://h/?next=https://<redacted>@x/#<redacted>"),
            ("--license-key=abc ${A:-b}", "--license-key=<redacted> ${A:-<redacted>}"),
            ("--password=a;b", "--password=<redacted>"),
        ] {
            let words: Vec<String> = line.split(' ').map(str::to_owned).collect();
            assert_eq!(shown(&words).0.join(" "), expected);
            assert_ne!(identity(&words).join(" "), expected);
        }
    }

    /// Which program, package, version, host or place it is stays, whatever it is called.
    #[test]
    fn what_runs_stays() {
        for line in [
            "deno run -A npm:good@1 jsr:@a/b@1",
            "docker run image:tag@sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
            "docker run good:latest@sha512:abc Good-Image:Release2026-A1",
            "git+https://h/Org1/My-Mcp-Server-Repository1.git@da39a3ee5e6b4b0d3255bfef95601890afd80709",
            "https://MyFunc-App01.azurewebsites.net/mcp https://sk-good-server1.example.com https://key-server1.example.com/",
            "https://h/x.tar.gz/da39a3ee5e6b4b0d3255bfef95601890afd80709 dist/MyCompanyServer2026.Production.js",
            "@modelcontextprotocol/server-filesystem@2026.8.31 /home/me/some/long/path/With1",
            "--auth-url https://idp.good --auth-provider-command x --session-dir y --author me --keyboard us --max-tokens 5",
            "--path ./keys key-value-store-server C:/x http://localhost:80/a:b",
            "--api-key-file=/etc/key TOKEN=$(get-token) TOKEN=`x`",
            "deno run file:///tmp/evil/@s/x/i.js docker://evil/image@v1 wss://evil.example/@org/mcp HTTPS://evil.example/@o/mcp",
            "uvx mcp-auth==9.9.9 --with python-jwt==1 docker run ghcr.io/org/mcp-auth:1@sha256:b -v secrets:/etc -v /h/.auth:/bin:rw",
            "http://auth:9999/evil https://h/auth:v1/x https://github.com/o/r.git#evil https://h/x.whl#sha256=bbb",
            "uvx pypi-evil-backdoor-server hf_evil_backdoor_server npm_evil_backdoor_server1 https://pypi-evil-server-name1.example.com",
            "sh -c 'export TOKEN=x|evil; npx foo' --token 'abc&evil'",
            "node --no-auth evil.js --user 1000:0 --disable-auth evil",
            "npx -y --token evil-pkg",
            "python3.11 --token evil.py",
        ] {
            assert_eq!(identity(&split(line)), split(line));
        }
    }

    #[test]
    fn long_texts_take_linear_time() {
        let text = "a://".repeat(200_000) + &"token=x@".repeat(100_000) + &"${".repeat(100_000) + "}";
        assert!(redact_text(&text, &["secret"]).contains(REDACTED));
    }

    #[test]
    fn texts_lose_the_secrets_that_are_named() {
        let text =
            "cannot use hunter2hunter at https://me:pw@host/ (hunter2) zq=zqx\nError: invalid token: expected a string";
        assert_eq!(
            redact_text(text, &["hunter2", "hunter2hunter", "", "a", "zq"]),
            "cannot use <redacted> at https://<redacted>@host/ (<redacted>) <redacted>=zqx\nError: invalid token: expected a string",
        );
    }
}
