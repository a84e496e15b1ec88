//! JSON Pointers (RFC 6901).

use super::limits::MAX_POINTER_BYTES;

/// One step of a pointer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Segment {
    Key(String),
    Index(usize),
}

/// Adds a key to a pointer.
pub(crate) fn push_key(pointer: &mut String, key: &str) {
    pointer.push('/');
    for c in key.chars() {
        match c {
            '~' => pointer.push_str("~0"),
            '/' => pointer.push_str("~1"),
            c => pointer.push(c),
        }
    }
}

/// The pointer of these keys.
pub(crate) fn of_keys(keys: &[&str]) -> String {
    let mut pointer = String::new();
    for key in keys {
        push_key(&mut pointer, key);
    }
    pointer
}

/// The pointer of these keys, cut at the nearest ancestor that fits the limit.
pub(crate) fn bounded(keys: &[&str]) -> String {
    let mut pointer = String::new();
    for key in keys {
        let before = pointer.len();
        push_key(&mut pointer, key);
        if pointer.len() > MAX_POINTER_BYTES {
            pointer.truncate(before);
            break;
        }
    }
    pointer
}

/// The keys of a pointer; nothing if it is none.
pub(crate) fn keys(pointer: &str) -> Option<Vec<String>> {
    let rest = pointer.strip_prefix('/')?;
    Some(rest.split('/').map(|key| key.replace("~1", "/").replace("~0", "~")).collect())
}

/// The pointer of a path whose innermost segment comes first, cut at the nearest ancestor that fits the limit.
pub(crate) fn of_reversed(path: &[Segment]) -> String {
    let keys = path.iter().rev().map(|segment| match segment {
        Segment::Key(key) => key.clone(),
        Segment::Index(index) => index.to_string(),
    });
    let keys: Vec<String> = keys.collect();
    bounded(&keys.iter().map(String::as_str).collect::<Vec<_>>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_and_keeps_to_the_limit() {
        let path = [Segment::Index(3), Segment::Key("a/b~c".into())];
        assert_eq!(of_reversed(&path), "/a~1b~0c/3");
        let long = [Segment::Index(3), Segment::Key("k".repeat(5000)), Segment::Key("top".into())];
        assert_eq!(of_reversed(&long), "/top");
        assert_eq!(of_keys(&["servers", "a/b"]), "/servers/a~1b");
        assert_eq!(keys("/servers/a~1b~01/"), Some(vec!["servers".into(), "a/b~1".into(), String::new()]));
        assert_eq!(keys("servers"), None);
        assert_eq!(bounded(&["tools", &"x".repeat(5000), "title"]), "/tools");
    }
}
