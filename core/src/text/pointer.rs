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

/// The pointer of a path whose innermost segment comes first, cut at the nearest ancestor that fits the limit.
pub(crate) fn of_reversed(path: &[Segment]) -> String {
    let mut pointer = String::new();
    for segment in path.iter().rev() {
        let before = pointer.len();
        match segment {
            Segment::Key(key) => push_key(&mut pointer, key),
            Segment::Index(index) => push_key(&mut pointer, &index.to_string()),
        }
        if pointer.len() > MAX_POINTER_BYTES {
            pointer.truncate(before);
            break;
        }
    }
    pointer
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
    }
}
