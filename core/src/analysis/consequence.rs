//! Words of consequence: what a parameter or a value lets an agent reach or do.

use super::words::words;

/// A kind of consequence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Consequence {
    Path,
    Url,
    Code,
    Command,
    Header,
    Credential,
    Recursion,
    Force,
    All,
    /// To change, send, pay or grant something.
    Act,
}

use Consequence::{Act, All, Code, Command, Credential, Force, Header, Path, Recursion, Url};

impl Consequence {
    /// As it is told.
    pub(crate) const fn noun(self) -> &'static str {
        match self {
            Path => "a path",
            Url => "a URL",
            Code => "code",
            Command => "a command",
            Header => "headers",
            Credential => "credentials",
            Recursion => "recursion",
            Force => "force",
            All => "everything",
            Act => "an act",
        }
    }

    /// Whether it is one even as a value among others: `file` and `html` are harmless there, `delete` is not.
    const fn is_of_values(self) -> bool {
        matches!(self, Command | Credential | Recursion | Force | All | Act)
    }
}

/// Words, in the singular.
const WORDS: [(Consequence, &[&str]); 10] = [
    (
        Path,
        &[
            "path",
            "file",
            "filename",
            "filepath",
            "dir",
            "directory",
            "folder",
            "glob",
            "mount",
            "cwd",
            "workdir",
            "subdirectory",
            "symlink",
        ],
    ),
    (Url, &["url", "uri", "href", "endpoint", "webhook", "host", "hostname", "proxy", "callback", "redirect"]),
    (Code, &["code", "script", "javascript", "python", "sql", "eval", "expression", "expr", "lambda", "wasm", "macro"]),
    (
        Command,
        &[
            "command",
            "cmd",
            "shell",
            "bash",
            "powershell",
            "exec",
            "execute",
            "executable",
            "argv",
            "arg",
            "argument",
            "env",
            "subprocess",
            "terminal",
        ],
    ),
    (Header, &["header", "cookie"]),
    (
        Credential,
        &[
            "password",
            "passwd",
            "passphrase",
            "secret",
            "credential",
            "token",
            "apikey",
            "auth",
            "authorization",
            "bearer",
            "certificate",
            "cert",
            "impersonate",
            "sudo",
            "root",
            "admin",
            "administrator",
            "privileged",
            "superuser",
        ],
    ),
    (Recursion, &["recursive", "recursively", "recurse", "recursion"]),
    (
        Force,
        &[
            "force",
            "forced",
            "overwrite",
            "override",
            "bypass",
            "unsafe",
            "insecure",
            "dangerous",
            "dangerously",
            "unrestricted",
        ],
    ),
    (All, &["all", "everything", "everyone", "everybody", "wildcard", "global"]),
    (
        Act,
        &[
            "delete",
            "drop",
            "purge",
            "wipe",
            "erase",
            "truncate",
            "destroy",
            "kill",
            "terminate",
            "send",
            "publish",
            "upload",
            "deploy",
            "install",
            "uninstall",
            "transfer",
            "pay",
            "payment",
            "purchase",
            "withdraw",
            "grant",
            "revoke",
            "write",
            "merge",
            "push",
        ],
    ),
];

/// Words that say something else after these.
const HARMLESS_AFTER: [(&str, &[&str]); 5] = [
    (
        "token",
        &[
            "page",
            "next",
            "continuation",
            "cursor",
            "max",
            "min",
            "sync",
            "pagination",
            "start",
            "prev",
            "previous",
            "num",
        ],
    ),
    (
        "code",
        &[
            "language", "lang", "country", "currency", "status", "zip", "postal", "area", "error", "region", "locale",
            "airport", "color", "response", "exit", "state", "iata", "city",
        ],
    ),
    ("expression", &["cron"]),
    ("file", &["per"]),
    ("arg", &["no"]),
];

/// `key` is one of a credential only after these.
const KEYS: [&str; 8] = ["api", "access", "private", "secret", "ssh", "signing", "encryption", "service"];

/// The consequences of a name, each once, in the order of its words.
pub(crate) fn of_name(name: &str) -> Vec<Consequence> {
    let words = words(name);
    let mut found = Vec::new();
    for (place, word) in words.iter().enumerate() {
        let before = place.checked_sub(1).and_then(|place| words.get(place)).map_or("", String::as_str);
        if let Some(consequence) = of_word(word, before)
            && !found.contains(&consequence)
        {
            found.push(consequence);
        }
    }
    found
}

/// The consequences of a value that may be chosen.
pub(crate) fn of_value(value: &str) -> Vec<Consequence> {
    let mut found = of_name(value);
    found.retain(|consequence| consequence.is_of_values());
    found
}

/// The consequence of a format of strings.
pub(crate) fn of_format(format: &str) -> Option<Consequence> {
    match format {
        "uri" | "uri-reference" | "url" | "iri" | "iri-reference" | "hostname" | "ipv4" | "ipv6" => Some(Url),
        "path" | "file-path" | "directory-path" | "json-pointer" => Some(Path),
        "password" => Some(Credential),
        "regex" => Some(Code),
        _ => None,
    }
}

fn of_word(word: &str, before: &str) -> Option<Consequence> {
    if word == "key" || word == "keys" {
        return KEYS.contains(&before).then_some(Credential);
    }
    let (consequence, singular) = WORDS.into_iter().find_map(|(consequence, words)| {
        let is = |other: &&&str| word == **other || word.strip_suffix('s').is_some_and(|singular| singular == **other);
        words.iter().find(is).map(|singular| (consequence, *singular))
    })?;
    let is_harmless = HARMLESS_AFTER.iter().any(|(word, after)| *word == singular && after.contains(&before));
    (!is_harmless).then_some(consequence)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_consequence_are_told_from_their_twins() {
        for (name, expected) in [
            ("output_path", vec![Path]),
            ("webhookUrl", vec![Url]),
            ("custom-headers", vec![Header]),
            ("apiKey", vec![Credential]),
            ("sortKey", vec![]),
            ("access_token", vec![Credential]),
            ("page_token", vec![]),
            ("max_tokens", vec![]),
            ("country_code", vec![]),
            ("code", vec![Code]),
            ("deleteAll", vec![Act, All]),
            ("recursive", vec![Recursion]),
            ("force", vec![Force]),
            ("recall", vec![]),
            ("limit", vec![]),
            ("shell_commands", vec![Command]),
        ] {
            assert_eq!(of_name(name), expected, "{name}");
        }
        assert_eq!(of_value("delete"), [Act]);
        assert_eq!(of_value("file"), []);
    }
}
