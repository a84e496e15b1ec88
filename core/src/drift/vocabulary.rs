//! Words as mcplock 0.1.1 reads them ("Severity"), and its trigger words.

/// The words that make a change of a description, or a new tool, high.
pub(super) const TRIGGER_WORDS: [&str; 5] = ["admin", "all", "delete", "execute", "send"];

/// The trigger words of a text, in alphabetical order.
///
/// Format characters are passed over; words are runs of ASCII letters and digits of the text in lower case.
pub(super) fn triggers(text: &str) -> Vec<&'static str> {
    let mut found = [false; TRIGGER_WORDS.len()];
    let mut word = String::new();
    let lower = text.chars().filter(|c| !is_format(*c)).flat_map(char::to_lowercase);
    for c in lower.chain(core::iter::once(' ')) {
        if c.is_ascii_alphanumeric() {
            word.push(c);
        } else if !word.is_empty() {
            for (found, trigger) in found.iter_mut().zip(TRIGGER_WORDS) {
                *found |= word == trigger;
            }
            word.clear();
        }
    }
    TRIGGER_WORDS.into_iter().zip(found).filter_map(|(word, found)| found.then_some(word)).collect()
}

/// The text with each run of white space as one space, and none at its ends, as mcplock reads descriptions.
pub(super) fn folded(text: &str) -> String {
    let words = text.split(|c: char| c.is_whitespace() || matches!(c, '\u{1c}'..='\u{1f}'));
    words.filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
}

/// The general category Cf.
fn is_format(c: char) -> bool {
    matches!(u32::from(c),
        0xAD | 0x0600..=0x0605 | 0x061C | 0x06DD | 0x070F | 0x0890..=0x0891 | 0x08E2 | 0x180E
        | 0x200B..=0x200F | 0x202A..=0x202E | 0x2060..=0x2064 | 0x2066..=0x206F | 0xFEFF | 0xFFF9..=0xFFFB
        | 0x110BD | 0x110CD | 0x13430..=0x1343F | 0x1BCA0..=0x1BCA3 | 0x1D173..=0x1D17A
        | 0xE0001 | 0xE0020..=0xE007F)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn triggers_are_whole_words() {
        assert_eq!(triggers("Send it to ALL."), ["all", "send"]);
        assert_eq!(triggers("delete_all-files"), ["all", "delete"]);
        assert_eq!(triggers("deletes, sending, recall, deleteAll"), [] as [&str; 0]);
        assert_eq!(triggers("de\u{200b}lete"), ["delete"]);
        assert_eq!(triggers("dеlete"), [] as [&str; 0]);
        assert_eq!(triggers("al\u{212a}l"), [] as [&str; 0]);
    }

    #[test]
    fn white_space_is_folded_as_python_does() {
        assert_eq!(folded("\u{a0} a\u{1c}\u{1d}b\n\tc\u{3000}"), "a b c");
    }
}
