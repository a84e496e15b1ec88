//! Taking credentials out of URLs and arguments, before anything is hashed, written or shown.
//!
//! What looks like a secret is replaced, also at the price of a word that was none: a lockfile is public.

use core::ops::Range;

use crate::text::sort::sort_by;

/// What stands where a credential stood.
pub(crate) const REDACTED: &str = "<redacted>";

/// Parts of a name that say that its value is a secret.
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
    "session",
    "jwt",
    "pat",
    "dsn",
];

/// What the tokens of well-known services start with.
const TOKEN_PREFIXES: &[&str] = &[
    "ghp_",
    "gho_",
    "ghu_",
    "ghs_",
    "ghr_",
    "github_pat_",
    "glpat-",
    "sk-",
    "sk_",
    "pk_live_",
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
    "ya29.",
    "eyJ",
    "npm_",
    "pypi-",
    "hf_",
    "figd_",
    "lin_api_",
    "secret_",
    "ntn_",
    "dop_v1_",
    "shpat_",
    "SG.",
    "key-",
    "whsec_",
    "tvly-",
    "fc-",
    "gsk_",
    "pcsk_",
    "r8_",
    "dapi",
];

/// The shortest text after a token's prefix, and the shortest run of letters and digits that is taken for a token.
const MIN_AFTER_PREFIX: usize = 8;
const MIN_OPAQUE: usize = 24;

/// Options whose value is `user:password`.
const USER_OPTIONS: &[&str] = &["-u", "--user", "--basic-auth", "--proxy-user"];

/// Replaces credentials in the arguments of a command.
pub(super) fn arguments(args: &[String]) -> Vec<String> {
    let mut previous = "";
    let mut out = Vec::with_capacity(args.len());
    for arg in args {
        let is_option_itself = arg.starts_with("--") || (arg.starts_with('-') && arg.len() <= 2);
        let is_value = is_option(previous) && !previous.contains('=') && !is_option_itself;
        out.push(match arg.split_once(':') {
            _ if is_value && (names_a_secret(previous) || previous == "--key") => REDACTED.to_owned(),
            Some((user, _)) if is_value && USER_OPTIONS.contains(&previous) => format!("{user}:{REDACTED}"),
            _ => text(arg),
        });
        previous = arg;
    }
    out
}

/// Replaces the credentials of a URL.
pub(crate) fn url(url: &str) -> String {
    text(url)
}

/// Replaces these secrets wherever they stand in a text, and what else in it looks like a credential.
pub(crate) fn redact_text(words: &str, secrets: &[&str]) -> String {
    // The longest first, so that no secret that another begins with leaves the other's end behind.
    let mut secrets: Vec<&str> = secrets.iter().copied().filter(|secret| secret.len() >= 3).collect();
    sort_by(&mut secrets, |a, b| b.len().cmp(&a.len()));
    text(&secrets.iter().fold(words.to_owned(), |words, secret| words.replace(secret, REDACTED)))
}

/// Replaces credentials in a text of any kind: an argument, a URL, a line of a program's output.
fn text(text: &str) -> String {
    tokens(&assignments(&user_info(text)))
}

/// Replaces user and password before a host: `https://me:secret@host`, and `me:secret@host` without a scheme.
fn user_info(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find("://") {
        let (before, after) = rest.split_at_checked(at + 3).unwrap_or((rest, ""));
        let end = after.find(|c: char| matches!(c, '/' | '?' | '#' | '"' | '\'' | '\\') || c.is_whitespace());
        let (authority, after) = after.split_at_checked(end.unwrap_or(after.len())).unwrap_or((after, ""));
        out.push_str(before);
        match authority.rsplit_once('@') {
            Some((_, host)) => out.extend([REDACTED, "@", host]),
            None => out.push_str(authority),
        }
        rest = after;
        // What stands behind the # of a page is its own affair; behind that of a repository is the pinned revision.
        let url_end = after.find(|c: char| matches!(c, '"' | '\'') || c.is_whitespace()).unwrap_or(after.len());
        let (of_url, after_url) = after.split_at_checked(url_end).unwrap_or((after, ""));
        if let Some((path, fragment)) = of_url.split_once('#').filter(|_| !before.contains("git")) {
            out.extend([user_info(path).as_str(), "#", if fragment.is_empty() { "" } else { REDACTED }]);
            rest = after_url;
        }
    }
    out.push_str(rest);
    match out.split_once('@') {
        // `image:tag@sha256:…` is a pin, and a scope's name starts with an @.
        Some((user, host)) if is_user_and_password(user) && !host.starts_with("sha256:") => {
            format!("{REDACTED}@{host}")
        }
        _ => out,
    }
}

fn is_user_and_password(text: &str) -> bool {
    let plain = |part: &str| {
        !part.is_empty() && !part.contains(|c: char| c.is_whitespace() || matches!(c, '/' | '=' | '"' | '<'))
    };
    text.split_once(':').is_some_and(|(user, password)| plain(user) && plain(password))
}

/// Replaces what is assigned to a name that means a secret: `--env=API_KEY=x`, `{"apiKey": "x"}`,
/// `Password=x;`, `?sig=x&`, `X-Api-Key: x`.
fn assignments(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(['=', ':']) {
        let (before, sign_and_after) = rest.split_at_checked(at).unwrap_or((rest, ""));
        let (sign, after) = sign_and_after.split_at_checked(1).unwrap_or((sign_and_after, ""));
        out.extend([before, sign]);
        rest = after;
        if means_a_secret(&out, sign, after) {
            let secret = secret(&out, after);
            if let (Some(before), Some(after)) = (after.get(..secret.start), after.get(secret.end..)) {
                out.push_str(before);
                out.push_str(if secret.is_empty() { "" } else { REDACTED });
                rest = after;
            }
        }
    }
    out.push_str(rest);
    out
}

/// Whether the name that stands before a sign of assignment, with which `written` ends, means a secret.
fn means_a_secret(written: &str, sign: &str, after: &str) -> bool {
    let name = written.strip_suffix(sign).unwrap_or(written);
    let bare = name.trim_end_matches(['"', '\'']);
    let start = bare.rfind(|c: char| !(c.is_alphanumeric() || c == '-' || c == '_')).map_or(0, |at| at + 1);
    let word = bare.get(start..).unwrap_or_default();
    let lead = bare.get(..start).unwrap_or_default();
    // A word of a sentence with a colon behind it (`invalid token: expected …`) names nothing.
    let is_prose = sign == ":" && after.starts_with(' ') && bare.len() == name.len() && lead.ends_with(' ');
    let in_query = lead.ends_with(['?', '&', ';']);
    !is_prose
        && !after.starts_with("//")
        && (names_a_secret(word) || (in_query && ["key", "code"].iter().any(|known| word.eq_ignore_ascii_case(known))))
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
        return start + 1..start + 1 + inside.find(quote).unwrap_or(inside.len());
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

/// Replaces words that look like tokens, and what follows `Bearer` and `Basic`.
fn tokens(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while !rest.is_empty() {
        let length = rest.bytes().position(|byte| !is_opaque(byte)).unwrap_or(rest.len());
        let (word, after) = rest.split_at_checked(length).unwrap_or((rest, ""));
        let follows_scheme = ["bearer ", "basic "].iter().any(|scheme| ends_with_ignoring_case(&out, scheme));
        let is_pin = out.ends_with(['@', '#', ':']) && matches!(word.len(), 40 | 64) && is_hex(word);
        let is_secret = !word.is_empty() && !is_pin && (follows_scheme || is_token(word));
        out.push_str(if is_secret { REDACTED } else { word });
        let mut chars = after.chars();
        out.extend(chars.next());
        rest = chars.as_str();
    }
    out
}

fn ends_with_ignoring_case(text: &str, end: &str) -> bool {
    let start = text.len().checked_sub(end.len());
    start.and_then(|start| text.get(start..)).is_some_and(|tail| tail.eq_ignore_ascii_case(end))
}

fn is_hex(word: &str) -> bool {
    word.bytes().all(|byte| byte.is_ascii_hexdigit())
}

fn is_option(arg: &str) -> bool {
    arg.starts_with('-') && arg.trim_start_matches('-').len() > 1
}

/// Whether one of a name's words, or two of them together, mean a secret.
fn names_a_secret(name: &str) -> bool {
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
    words.retain(|word| !word.is_empty());
    let is_secret = |word: &str| {
        let singular = word.strip_suffix('s').unwrap_or(word);
        SECRET_WORDS.contains(&word)
            || SECRET_WORDS.contains(&singular)
            || (word.len() > 5 && word.ends_with("token"))
            || word.ends_with("apikey")
            || word.ends_with("password")
    };
    words.iter().any(|word| is_secret(word))
        || words.windows(2).any(|pair| matches!(pair, [a, b] if is_secret(&format!("{a}{b}"))))
}

/// Whether a word looks like a token: by the prefix of a well-known service, or because it is long and
/// made of letters of both cases and digits, or of hexadecimal digits, and nothing else.
fn is_token(word: &str) -> bool {
    let after_prefix = TOKEN_PREFIXES.iter().find_map(|prefix| word.strip_prefix(prefix));
    if after_prefix.is_some_and(|rest| rest.len() >= MIN_AFTER_PREFIX && rest.bytes().all(is_opaque)) {
        // A package such as `npm_config` or a word such as `key-value-store` has no digit.
        return word.bytes().any(|b| b.is_ascii_digit()) || word.len() >= MIN_OPAQUE;
    }
    if word.len() < MIN_OPAQUE || !word.bytes().all(is_opaque) {
        return false;
    }
    let has = |class: fn(&u8) -> bool| word.as_bytes().iter().any(class);
    let mixed = has(u8::is_ascii_digit) && has(u8::is_ascii_uppercase) && has(u8::is_ascii_lowercase);
    let bare = word.replace('-', "");
    mixed || (bare.len() >= MIN_OPAQUE && bare.bytes().all(|b| b.is_ascii_hexdigit()))
}

fn is_opaque(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'+' | b'.' | b'~' | b'%')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn redacted(line: &str) -> String {
        arguments(&shlex::split(line).unwrap()).join(" ")
    }

    #[test]
    fn secrets_go_and_words_stay() {
        for (line, expected) in [
            ("--api-key abc --port 80", "--api-key <redacted> --port 80"),
            ("--apiKey=abc", "--apiKey=<redacted>"),
            ("--key abc --token --verbose", "--key <redacted> --token --verbose"),
            ("--token -abc -x", "--token <redacted> -x"),
            ("GITHUB_TOKEN=abc", "GITHUB_TOKEN=<redacted>"),
            ("--env=API_KEY=abc -eAPI_KEY=abc", "--env=API_KEY=<redacted> -eAPI_KEY=<redacted>"),
            ("sh -c 'export TOKEN=abc; npx name'", "sh -c export TOKEN=<redacted>; npx name"),
            ("--user me:abc", "--user me:<redacted>"),
            ("--header 'Authorization: Bearer abc'", "--header Authorization: Bearer <redacted>"),
            ("'Bearer abc def'", "Bearer <redacted> def"),
            ("--header 'X-Api-Key: abc'", "--header X-Api-Key: <redacted>"),
            ("-H 'Cookie: a=b; c=d'", "-H Cookie: <redacted>"),
            (r#"--config '{"apiKey": "abc", "port": 80}'"#, r#"--config {"apiKey": "<redacted>", "port": 80}"#),
            ("'Server=x;User Id=sa;Password=abc;'", "Server=x;User Id=sa;Password=<redacted>;"),
            ("ghp_0123456789abcdefABCDEF", "<redacted>"),
            ("--id=3F2504E0-4F89-11D3-9A0C-0305E82C3301", "--id=<redacted>"),
            (
                "https://u:p@example.com/mcp?api_key=1&page=2",
                "https://<redacted>@example.com/mcp?api_key=<redacted>&page=2",
            ),
            (
                "https://u:a@b@h/?next=https://u:p@x/;token=abc?key=k&sig=s",
                "https://<redacted>@h/?next=https://<redacted>@x/;token=<redacted>&sig=<redacted>",
            ),
            ("https://h/?next=https://u:p@x/#f", "https://h/?next=https://<redacted>@x/#<redacted>"),
            ("https://h/?key=k&sig=s&code=c#x", "https://h/?key=<redacted>&sig=<redacted>&code=<redacted>#<redacted>"),
            ("https://example.com/s/AbCdEf0123456789AbCdEf01/mcp", "https://example.com/s/<redacted>/mcp"),
            ("--url=https://u@h/x", "--url=https://<redacted>@h/x"),
            (
                "postgresql://me:pw@localhost:5432/db me:pw@localhost/db",
                "postgresql://<redacted>@localhost:5432/db <redacted>@localhost/db",
            ),
            ("--author me --keyboard us", "--author me --keyboard us"),
            ("--max-tokens-file x", "--max-tokens-file <redacted>"),
            (
                "@modelcontextprotocol/server-filesystem@2026.8.31 /home/me/some/long/path/With1",
                "@modelcontextprotocol/server-filesystem@2026.8.31 /home/me/some/long/path/With1",
            ),
            (
                "--path ./keys key-value-store-server C:/x http://localhost:80/a:b",
                "--path ./keys key-value-store-server C:/x http://localhost:80/a:b",
            ),
            (
                "image:tag@sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855 git+https://h/a@da39a3ee5e6b4b0d3255bfef95601890afd80709",
                "image:tag@sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855 git+https://h/a@da39a3ee5e6b4b0d3255bfef95601890afd80709",
            ),
        ] {
            assert_eq!(redacted(line), expected);
        }
    }

    #[test]
    fn texts_lose_the_secrets_that_are_named() {
        let text = "cannot use hunter2hunter at https://me:pw@host/ (hunter2)\nError: invalid token: expected a string";
        assert_eq!(
            redact_text(text, &["hunter2", "hunter2hunter", "", "a"]),
            "cannot use <redacted> at https://<redacted>@host/ (<redacted>)\nError: invalid token: expected a string",
        );
    }
}
