//! The words of names: `deleteAllFiles`, `delete_all-files` and `Delete all files` have the same three.

use crate::text::escape::is_deceptive;

/// The words of a name in lower case. Characters that nobody sees are passed over.
pub(super) fn words(name: &str) -> Vec<String> {
    let chars: Vec<char> = name.chars().filter(|c| !is_deceptive(*c) || c.is_control()).collect();
    let mut words = vec![String::new()];
    for (place, c) in chars.iter().enumerate() {
        let before = place.checked_sub(1).and_then(|place| chars.get(place)).copied().unwrap_or(' ');
        let after = chars.get(place + 1).copied().unwrap_or(' ');
        // `aB` begins a word, and so does the last capital of `ABc`.
        let begins = c.is_uppercase() && (before.is_lowercase() || (before.is_uppercase() && after.is_lowercase()));
        if begins || !c.is_alphabetic() {
            words.push(String::new());
        }
        if c.is_alphabetic()
            && let Some(word) = words.last_mut()
        {
            word.extend(c.to_lowercase());
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_have_words_however_they_are_written() {
        for name in ["deleteAllFiles", "delete_all-files", "Delete all files", "delete2All.files", "DELETE ALL FILES"] {
            assert_eq!(words(name), ["delete", "all", "files"], "{name}");
        }
        assert_eq!(words("baseURLPath"), ["base", "url", "path"]);
        assert_eq!(words("de\u{200b}lete\nall"), ["delete", "all"]);
        assert_eq!(words("42 _"), [] as [&str; 0]);
    }
}
