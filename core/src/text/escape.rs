//! Escaping for the places where untrusted text leaves.

/// The longest piece of input that a message quotes, in characters.
const MAX_QUOTED_CHARS: usize = 120;

/// Whether a character can change how the text around it is shown, or is not shown at all: controls,
/// format characters (bidirectional controls, zero-width characters, tags), line and paragraph
/// separators, variation selectors, private use and noncharacters.
#[must_use]
pub fn is_deceptive(c: char) -> bool {
    matches!(u32::from(c),
        0x00..=0x1F | 0x7F..=0x9F | 0xAD | 0x034F | 0x0600..=0x0605 | 0x061C | 0x06DD | 0x070F
        | 0x0890..=0x0891 | 0x08E2 | 0x115F..=0x1160 | 0x17B4..=0x17B5 | 0x180B..=0x180F
        | 0x200B..=0x200F | 0x2028..=0x202E | 0x2060..=0x206F | 0x3164 | 0xE000..=0xF8FF
        | 0xFDD0..=0xFDEF | 0xFE00..=0xFE0F | 0xFEFF | 0xFFA0 | 0xFFF0..=0xFFFB | 0xFFFE..=0xFFFF
        | 0x110BD | 0x110CD | 0x13430..=0x1343F | 0x1BCA0..=0x1BCA3 | 0x1D173..=0x1D17A
        | 0xE0000..=0x10_FFFF)
}

/// One line that is safe on a terminal: every deceptive character becomes a visible `\u{…}` mark.
///
/// ```
/// use gatewright::text::escape::line;
/// assert_eq!(line("de\u{200b}lete\u{1b}[2J\n"), r"de\u{200b}lete\u{1b}[2J\n");
/// ```
#[must_use]
pub fn line(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        push(&mut out, c);
    }
    out
}

/// Several lines, each of them safe on a terminal; line breaks stay.
#[must_use]
pub fn lines(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.replace("\r\n", "\n").chars() {
        if c == '\n' { out.push(c) } else { push(&mut out, c) }
    }
    out
}

/// A piece of input as messages quote it: in backticks, on one line, escaped, cut short.
#[must_use]
pub fn quoted(text: &str) -> String {
    let mut out = String::from("`");
    let mut chars = text.chars();
    for c in chars.by_ref().take(MAX_QUOTED_CHARS) {
        if c == '`' { out.push('\'') } else { push(&mut out, c) }
    }
    if chars.next().is_some() {
        out.push('…');
    }
    out.push('`');
    out
}

fn push(out: &mut String, c: char) {
    match c {
        '\n' => out.push_str("\\n"),
        '\r' => out.push_str("\\r"),
        '\t' => out.push_str("\\t"),
        c if is_deceptive(c) => out.extend(c.escape_unicode()),
        c => out.push(c),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_that_moves_the_cursor_or_hides_text_passes() {
        assert_eq!(line("a\u{202e}b\u{e0041}c"), "a\\u{202e}b\\u{e0041}c");
        assert_eq!(lines("a\r\nb\u{1b}]8;;x\u{7}"), "a\nb\\u{1b}]8;;x\\u{7}");
        assert_eq!(quoted("`rm`\n"), "`'rm'\\n`");
        assert_eq!(quoted(&"x".repeat(500)).chars().count(), 123);
        assert_eq!(line("Größe 漢字 😀"), "Größe 漢字 😀");
    }
}
