//! Under which name a server's snapshot is kept.

use crate::digest::Digest;

/// How much of a command line stands in an identity, in characters.
const MAX_READABLE: usize = 60;
/// How much of a hash makes two identities differ, in hex digits.
const HASH_DIGITS: usize = 12;

/// The identity of a server: a readable name that is its own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Identity {
    /// What findings call the server.
    pub(super) name: String,
    /// The name of its snapshot's file, without the folder.
    pub(super) file: String,
}

impl Identity {
    /// That of a server with a name of the user's choice.
    pub(super) fn named(name: &str) -> Self {
        let file = if is_plain(name) { name.to_owned() } else { with_hash(name, name) };
        Self { name: name.to_owned(), file: format!("{file}.json") }
    }

    /// That of a server with a readable text, told from others by `whole`. Neither may hold a secret.
    pub(super) fn derived(readable: &str, whole: &str) -> Self {
        let name = with_hash(readable, whole);
        Self { file: format!("{name}.json"), name }
    }
}

/// Whether a name can be a file's as it is, on every system. It has no `~`, so that it is no derived one.
fn is_plain(name: &str) -> bool {
    let is_ours = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"._-".contains(&byte);
    let stem = name.split('.').next().unwrap_or_default();
    let is_device = ["con", "prn", "aux", "nul"].contains(&stem)
        || (stem.len() == 4 && (stem.starts_with("com") || stem.starts_with("lpt")));
    name.len() <= MAX_READABLE
        && name.bytes().all(is_ours)
        && name.starts_with(|c: char| c.is_ascii_alphanumeric())
        && !name.ends_with('.')
        && !is_device
}

fn with_hash(readable: &str, whole: &str) -> String {
    let mut slug = String::new();
    for c in readable.chars().flat_map(char::to_lowercase) {
        if slug.len() >= MAX_READABLE {
            break;
        }
        if c.is_ascii_alphanumeric()
            || (matches!(c, '.' | '_') && slug.ends_with(|last: char| last.is_ascii_alphanumeric()))
        {
            slug.push(c);
        } else if !slug.is_empty() && !slug.ends_with('-') {
            slug.push('-');
        }
    }
    let slug = slug.trim_end_matches(['-', '.']);
    let slug = if slug.is_empty() { "server" } else { slug };
    let hash = Digest::of(whole.as_bytes()).to_string();
    let digits = hash.strip_prefix("sha256:").and_then(|hex| hex.get(..HASH_DIGITS)).unwrap_or_default();
    format!("{slug}~{digits}")
}

/// The name under which mcplock keeps a server that it was given by this text.
pub(super) fn of_mcplock(connection: &str) -> String {
    let mut id = String::new();
    for c in connection.trim().chars().flat_map(char::to_lowercase) {
        let is_kept = c.is_alphanumeric() || matches!(c, '.' | '_');
        if is_kept {
            id.push(c);
        } else if !id.is_empty() && !id.ends_with('-') {
            id.push('-');
        }
    }
    let id: String = id.trim_end_matches('-').chars().take(120).collect();
    if id.is_empty() { "unnamed-server".to_owned() } else { id }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_readable_and_never_collide() {
        assert_eq!(Identity::named("fs").file, "fs.json");
        for name in ["FS", "../../etc/passwd", "", "con", "com1.x", "a~b", "-x", "a.", "ü", &"x".repeat(61)] {
            let file = Identity::named(name).file;
            assert!(file.contains('~') && !file.contains('/') && !file.starts_with('.'), "{name}: {file}");
        }
        assert_ne!(Identity::named("FS").file, Identity::named("fs").file);
        let derived = |whole: &str| Identity::derived("npx -y @scope/Server ./data", whole).name;
        assert!(derived("a").starts_with("npx-y-scope-server-data~"), "{}", derived("a"));
        assert_ne!(derived("a"), derived("b"));
    }

    #[test]
    fn mcplock_folds_and_cuts() {
        assert_eq!(of_mcplock(" npx -y @scope/Server ./data "), "npx-y-scope-server-.-data");
        assert_eq!(of_mcplock("https://h/mcp?tenant=a"), "https-h-mcp-tenant-a");
        assert_eq!(of_mcplock("--"), "unnamed-server");
        assert_eq!(of_mcplock(&"a".repeat(200)).len(), 120);
    }
}
