//! JSON strings: scanning, decoding, writing in canonical form (RFC 8785, 3.2.2.2), and their order.

use core::cmp::Ordering;

const ONES: u64 = 0x0101_0101_0101_0101;
const HIGHS: u64 = 0x8080_8080_8080_8080;

/// How many bytes come before the first quote, backslash or control character.
///
/// Eight bytes at a time: of the flags that the subtraction leaves in a byte's high bit, the lowest is
/// always true, since a borrow only reaches upwards.
#[inline]
pub(crate) fn plain_run(bytes: &[u8]) -> usize {
    let (words, rest) = bytes.as_chunks::<8>();
    let mut run = 0;
    for word in words {
        let word = u64::from_le_bytes(*word);
        let quote = word ^ (ONES * 0x22);
        let backslash = word ^ (ONES * 0x5C);
        let flags = ((word.wrapping_sub(ONES * 0x20) & !word)
            | (quote.wrapping_sub(ONES) & !quote)
            | (backslash.wrapping_sub(ONES) & !backslash))
            & HIGHS;
        if flags != 0 {
            return run + flags.trailing_zeros() as usize / 8;
        }
        run += 8;
    }
    run + rest.iter().position(|b| *b == b'"' || *b == b'\\' || *b < 0x20).unwrap_or(rest.len())
}

/// The code unit of the `\uXXXX` that `bytes` start with.
pub(crate) fn escaped_unit(bytes: &[u8]) -> Option<u16> {
    let [b'\\', b'u', digits @ ..] = bytes else { return None };
    digits.get(..4)?.iter().try_fold(0u16, |unit, digit| {
        let value = char::from(*digit).to_digit(16)?;
        u16::try_from(value).ok().map(|value| unit << 4 | value)
    })
}

/// The next character of the inside of a string whose escapes the reader has checked, and what follows it.
fn next_char(inside: &str) -> Option<(char, &str)> {
    let mut chars = inside.chars();
    let first = chars.next()?;
    if first != '\\' {
        return Some((first, chars.as_str()));
    }
    let escape = chars.next()?;
    let c = match escape {
        'b' => '\u{8}',
        'f' => '\u{C}',
        'n' => '\n',
        'r' => '\r',
        't' => '\t',
        'u' => {
            let high = escaped_unit(inside.as_bytes())?;
            let low = inside.as_bytes().get(6..).and_then(escaped_unit);
            let units = [Some(high), low];
            let c = char::decode_utf16(units.into_iter().flatten()).next()?.ok()?;
            return Some((c, inside.get(6 * c.len_utf16()..)?));
        }
        other => other,
    };
    Some((c, chars.as_str()))
}

/// The text between the quotes.
fn inside(raw: &[u8]) -> &str {
    let inside = raw.get(1..raw.len().saturating_sub(1)).unwrap_or_default();
    core::str::from_utf8(inside).unwrap_or_default()
}

/// The characters of a string, escapes undone.
pub(crate) fn chars(raw: &[u8]) -> impl Iterator<Item = char> {
    let mut rest = inside(raw);
    core::iter::from_fn(move || {
        let (c, after) = next_char(rest)?;
        rest = after;
        Some(c)
    })
}

/// The text of a string, escapes undone.
pub(crate) fn decode(raw: &[u8]) -> String {
    if raw.contains(&b'\\') { chars(raw).collect() } else { inside(raw).to_owned() }
}

/// Writes a string, given as it stands in the source, in canonical form.
pub(crate) fn write_canonical(raw: &[u8], out: &mut Vec<u8>) {
    out.push(b'"');
    let mut rest = inside(raw);
    while !rest.is_empty() {
        let plain = plain_run(rest.as_bytes());
        out.extend_from_slice(rest.as_bytes().get(..plain).unwrap_or_default());
        let Some((c, after)) = rest.get(plain..).and_then(next_char) else { break };
        write_char(c, out);
        rest = after;
    }
    out.push(b'"');
}

/// Writes a text as a canonical string.
pub(crate) fn write_text(text: &str, out: &mut Vec<u8>) {
    out.push(b'"');
    let mut rest = text;
    while !rest.is_empty() {
        let plain = plain_run(rest.as_bytes());
        out.extend_from_slice(rest.as_bytes().get(..plain).unwrap_or_default());
        let mut chars = rest.get(plain..).unwrap_or_default().chars();
        if let Some(c) = chars.next() {
            write_char(c, out);
        }
        rest = chars.as_str();
    }
    out.push(b'"');
}

fn write_char(c: char, out: &mut Vec<u8>) {
    const HEX: &[u8; 16] = b"0123456789abcdef";
    let short = match c {
        '"' | '\\' => c as u8,
        '\u{8}' => b'b',
        '\t' => b't',
        '\n' => b'n',
        '\u{C}' => b'f',
        '\r' => b'r',
        '\0'..='\u{1F}' => {
            let [high, low] = [c as usize >> 4, c as usize & 15].map(|digit| HEX.get(digit).copied().unwrap_or(b'0'));
            out.extend_from_slice(&[b'\\', b'u', b'0', b'0', high, low]);
            return;
        }
        _ => {
            out.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
            return;
        }
    };
    out.extend_from_slice(&[b'\\', short]);
}

/// The first eight bytes of a key of this length without escapes, `word`, as a number; the order of such
/// numbers is the order of the keys, as far as they reach.
#[inline]
pub(crate) fn prefix(word: u64, length: usize) -> u64 {
    let word = if length < 8 { word & !(u64::MAX >> (8 * length)) } else { word };
    if word & HIGHS == 0 { word } else { u64::from_be_bytes(word.to_be_bytes().map(utf16_rank)) }
}

/// The [`prefix`] of a text.
pub(crate) fn prefix_of(text: &str) -> u64 {
    prefix(text.bytes().take(8).zip(0..).fold(0, |word, (byte, n)| word | u64::from(byte) << (56 - 8 * n)), text.len())
}

/// UTF-8 sorts by code points. UTF-16 puts U+10000 and above (lead bytes from 0xF0) before U+E000 to
/// U+FFFF (lead bytes 0xEE and 0xEF), as surrogates come before those; all else is the same.
#[inline]
const fn utf16_rank(byte: u8) -> u8 {
    match byte {
        0xEE | 0xEF => byte + 0x10,
        _ => byte,
    }
}

/// The order of two keys in canonical form, with their quotes: by UTF-16 code units (RFC 8785, 3.2.3).
pub(crate) fn compare_keys(a: &[u8], b: &[u8]) -> Ordering {
    if a.contains(&b'\\') || b.contains(&b'\\') {
        return chars(a).flat_map(utf16).cmp(chars(b).flat_map(utf16));
    }
    compare_bytes(a.split_last().map_or(a, |(_, a)| a), b.split_last().map_or(b, |(_, b)| b))
}

/// The order of two texts by UTF-16 code units, which is JCS's order of keys.
pub(crate) fn compare_utf16(a: &str, b: &str) -> Ordering {
    compare_bytes(a.as_bytes(), b.as_bytes())
}

/// The order by UTF-16 code units of two texts in UTF-8.
fn compare_bytes(a: &[u8], b: &[u8]) -> Ordering {
    match a.iter().zip(b).find(|(a, b)| a != b) {
        Some((a, b)) => utf16_rank(*a).cmp(&utf16_rank(*b)),
        None => a.len().cmp(&b.len()),
    }
}

fn utf16(c: char) -> impl Iterator<Item = u16> {
    let mut units = [0; 2];
    let length = c.encode_utf16(&mut units).len();
    units.into_iter().take(length)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plain_run_ends_at_every_special_byte_in_every_place() {
        for special in [b'"', b'\\', 0, 0x1F] {
            for place in 0..40 {
                let mut bytes = vec![0x21; 40];
                for (index, byte) in bytes.iter_mut().enumerate() {
                    *byte = [0x21, 0x7F, 0x80, 0xFF, 0x20, 0x23, 0x5B, 0x5D][index % 8];
                }
                bytes[place] = special;
                assert_eq!(plain_run(&bytes), place);
            }
        }
        assert_eq!(plain_run(&[0x80; 33]), 33);
    }

    #[test]
    fn escapes_are_undone_and_redone() {
        let raw = br#""\u0041\/\b\u001F\u007f\ud83d\ude00\"\\\u00e9""#;
        assert_eq!(decode(raw), "A/\u{8}\u{1f}\u{7f}😀\"\\é");
        let mut out = Vec::new();
        write_canonical(raw, &mut out);
        assert_eq!(String::from_utf8_lossy(&out), "\"A/\\b\\u001f\u{7f}😀\\\"\\\\é\"");
        let mut same = Vec::new();
        write_text(&decode(raw), &mut same);
        assert_eq!(out, same);
    }

    #[test]
    fn keys_are_ordered_by_utf16() {
        let less = |a: &str, b: &str| {
            let quote = |text: &str| {
                let mut out = Vec::new();
                write_text(text, &mut out);
                out
            };
            assert_eq!(compare_keys(&quote(a), &quote(b)), Ordering::Less, "{a:?} {b:?}");
            assert_eq!(compare_keys(&quote(b), &quote(a)), Ordering::Greater, "{b:?} {a:?}");
            assert_eq!(compare_utf16(a, b), Ordering::Less);
            assert_eq!(a.encode_utf16().cmp(b.encode_utf16()), Ordering::Less);
            if !a.contains(['\n', '"', '\\']) && !b.contains(['\n', '"', '\\']) {
                assert!(prefix_of(a) <= prefix_of(b), "{a:?} {b:?}");
            }
        };
        less("", "a");
        less("a", "a ");
        less("a", "aa");
        less("\n", " ");
        less("a\"", "a#");
        less("[", "\\");
        less("\u{10000}", "\u{FFFF}");
        less("é", "\u{10000}");
        less("\u{D7FF}", "\u{10000}");
        less("\u{10FFFF}", "\u{E000}");
        less("abcdefgh\u{10FFFF}", "abcdefgh\u{E000}");
        less("abcdefgh", "abcdefghi");
    }
}
