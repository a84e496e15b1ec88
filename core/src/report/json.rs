//! Findings as JSON that is safe to look at: what could move a cursor or hide text is escaped, as JSON allows.

use serde::Serialize;

use crate::text::escape::is_deceptive;

/// A whole document, indented, with a newline at the end.
pub(crate) fn document(result: &impl Serialize) -> String {
    let text = serde_json::to_string_pretty(result).unwrap_or_default();
    let mut out = String::with_capacity(text.len() + 1);
    for c in text.chars() {
        // The line breaks are the document's own; in strings they are escaped already.
        if c != '\n' && is_deceptive(c) {
            for unit in c.encode_utf16(&mut [0; 2]) {
                out.push_str(&format!("\\u{unit:04x}"));
            }
        } else {
            out.push(c);
        }
    }
    out.push('\n');
    out
}

#[cfg(test)]
mod tests {
    #[test]
    fn deceptive_characters_are_escaped() {
        let text = super::document(&["a\u{9b}\u{202e}\u{e0041}\u{1b}é"]);
        assert_eq!(text, "[\n  \"a\\u009b\\u202e\\udb40\\udc41\\u001bé\"\n]\n");
    }
}
