//! Taking credentials out of URLs and arguments, before anything is hashed, written or shown.
//!
//! What looks like a secret is replaced, also at the price of a word that was none: a lockfile is public.

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
    "bearer",
    "signature",
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

/// Replaces credentials in the arguments of a command.
pub(super) fn arguments(args: &[String]) -> Vec<String> {
    let mut value_is_secret = false;
    let redact = |arg: &String| {
        if core::mem::take(&mut value_is_secret) && !arg.starts_with('-') {
            return REDACTED.to_owned();
        }
        if let Some((name, value)) = arg.split_once('=').filter(|(name, _)| !name.contains("://")) {
            if names_a_secret(name) {
                return format!("{name}={REDACTED}");
            }
            return format!("{name}={}", word(value));
        }
        value_is_secret = is_option(arg) && names_a_secret(arg);
        word(arg)
    };
    args.iter().map(redact).collect()
}

/// Replaces credentials in one word.
fn word(text: &str) -> String {
    if text.contains("://") {
        return url(text);
    }
    for lead in ["Bearer ", "bearer ", "Basic ", "basic "] {
        if let Some(at) = text.find(lead) {
            return format!("{}{REDACTED}", text.get(..at + lead.len()).unwrap_or_default());
        }
    }
    if let Some((name, _)) = text.split_once(':').filter(|(name, _)| is_header_name(name) && names_a_secret(name)) {
        return format!("{name}: {REDACTED}");
    }
    if is_token(text) { REDACTED.to_owned() } else { text.to_owned() }
}

/// Replaces the credentials of a URL: user and password, the fragment, parameters that name a secret or
/// look like one, and parts of the path that look like one. What is no URL is looked at as one part.
pub(crate) fn url(text: &str) -> String {
    let Some((scheme, rest)) = text.split_once("://") else { return word_part(text) };
    let (rest, fragment) = rest.split_once('#').map_or((rest, None), |(rest, fragment)| (rest, Some(fragment)));
    let (rest, query) = rest.split_once('?').map_or((rest, None), |(rest, query)| (rest, Some(query)));
    let (authority, path) = match rest.find('/') {
        Some(at) => rest.split_at_checked(at).unwrap_or((rest, "")),
        None => (rest, ""),
    };
    let host = match authority.rsplit_once('@') {
        Some((_, host)) => format!("{REDACTED}@{host}"),
        None => authority.to_owned(),
    };
    let path: Vec<String> = path.split('/').map(word_part).collect();
    let query = query.map(|query| {
        let pairs = query.split('&').map(|pair| match pair.split_once('=') {
            Some((name, _)) if names_a_secret(name) || name.eq_ignore_ascii_case("key") => format!("{name}={REDACTED}"),
            Some((name, value)) => format!("{name}={}", word_part(value)),
            None => word_part(pair),
        });
        format!("?{}", pairs.collect::<Vec<_>>().join("&"))
    });
    let fragment = fragment.map(|fragment| format!("#{}", if fragment.is_empty() { "" } else { REDACTED }));
    format!("{scheme}://{host}{}{}{}", path.join("/"), query.unwrap_or_default(), fragment.unwrap_or_default())
}

fn word_part(text: &str) -> String {
    if is_token(text) { REDACTED.to_owned() } else { text.to_owned() }
}

/// Replaces these secrets wherever they stand in a text, and URLs with credentials among its words.
pub(crate) fn redact_text(text: &str, secrets: &[&str]) -> String {
    // The longest first, so that no secret that another begins with leaves the other's end behind.
    let mut secrets: Vec<&str> = secrets.iter().copied().filter(|secret| secret.len() >= 3).collect();
    secrets.sort_by_key(|secret| core::cmp::Reverse(secret.len()));
    let text = secrets.iter().fold(text.to_owned(), |text, secret| text.replace(secret, REDACTED));
    let words = text.split_inclusive(|c: char| c.is_whitespace()).map(|word| {
        let bare = word.trim_end();
        let space = word.get(bare.len()..).unwrap_or_default();
        if bare.contains("://") || is_token(bare) { format!("{}{space}", url(bare)) } else { word.to_owned() }
    });
    words.collect()
}

fn is_option(arg: &str) -> bool {
    arg.starts_with('-') && arg.trim_start_matches('-').len() > 1
}

fn is_header_name(name: &str) -> bool {
    !name.is_empty() && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-' || b == b'_')
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
            || word.starts_with("auth") && word.contains("orization")
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
    byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'+' | b'=' | b'.' | b'~' | b'%')
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
            ("--token --verbose", "--token --verbose"),
            ("GITHUB_TOKEN=abc", "GITHUB_TOKEN=<redacted>"),
            ("--header 'Authorization: Bearer abc'", "--header Authorization: Bearer <redacted>"),
            ("--header 'X-Api-Key: abc'", "--header X-Api-Key: <redacted>"),
            ("ghp_0123456789abcdefABCDEF", "<redacted>"),
            ("--id=3F2504E0-4F89-11D3-9A0C-0305E82C3301", "--id=<redacted>"),
            (
                "https://u:p@example.com/mcp?api_key=1&page=2#x",
                "https://<redacted>@example.com/mcp?api_key=<redacted>&page=2#<redacted>",
            ),
            ("https://example.com/s/AbCdEf0123456789AbCdEf01/mcp", "https://example.com/s/<redacted>/mcp"),
            ("--url=https://u@h/x", "--url=https://<redacted>@h/x"),
            ("postgresql://me:pw@localhost:5432/db", "postgresql://<redacted>@localhost:5432/db"),
            ("--author me", "--author me"),
            ("--max-tokens-file x", "--max-tokens-file <redacted>"),
            (
                "@modelcontextprotocol/server-filesystem@2026.8.31 /home/me/some/long/path/With1",
                "@modelcontextprotocol/server-filesystem@2026.8.31 /home/me/some/long/path/With1",
            ),
            (
                "--path ./keys --keyboard us key-value-store-server",
                "--path ./keys --keyboard us key-value-store-server",
            ),
        ] {
            assert_eq!(redacted(line), expected);
        }
    }

    #[test]
    fn texts_lose_the_secrets_that_are_named() {
        let text = "cannot use hunter2hunter at https://me:pw@host/ (hunter2)\nnext";
        assert_eq!(
            redact_text(text, &["hunter2", "hunter2hunter", "", "a"]),
            "cannot use <redacted> at https://<redacted>@host/ (<redacted>)\nnext",
        );
    }
}
