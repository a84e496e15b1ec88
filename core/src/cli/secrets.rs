//! The values that a server is given and that are nobody else's business, and how they are taken out of what it
//! says.

use std::collections::BTreeSet;

use crate::source::{REDACTED, redact_text};
use crate::surface::Surface;
use crate::text::sort::sort_by;
use crate::text::value::{Data, Object, Value};

/// A text of a server's that holds a secret of at least this length does so by no coincidence. A shorter one
/// counts where it stands alone.
const MIN_LEAKED_BYTES: usize = 8;
const MIN_WORD_BYTES: usize = 4;

/// Secrets, in the spellings in which a server may repeat them: the longest first, so that none that another
/// begins with leaves the other's end behind.
#[derive(Debug, Clone, Default)]
pub(super) struct Secrets(Vec<String>);

impl Secrets {
    /// `credentials` are those of a command or URL; `values` those of variables and headers.
    pub(super) fn new(credentials: &[String], values: impl IntoIterator<Item = String>) -> Self {
        let mut all = BTreeSet::new();
        for credential in credentials {
            for spelled in percent_decoded(credential).into_iter().chain([credential.clone()]) {
                // User and password, each alone, and what a client makes of both.
                all.extend(spelled.splitn(2, ':').map(str::to_owned));
                all.insert(base64(spelled.as_bytes()));
                all.insert(spelled);
            }
        }
        for value in values {
            all.extend(percent_decoded(&value));
            // A scheme and a token.
            all.extend(value.split_whitespace().filter(|word| word.len() >= MIN_LEAKED_BYTES).map(str::to_owned));
            all.insert(value);
        }
        let mut all: Vec<String> = all.into_iter().filter(|secret| secret.len() >= 2).collect();
        sort_by(&mut all, |a, b| b.len().cmp(&a.len()));
        Self(all)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// A text of a stranger's without secrets, and without what else looks like one.
    pub(super) fn hide_in_text(&self, text: &str) -> String {
        redact_text(text, &self.0.iter().map(String::as_str).collect::<Vec<_>>())
    }

    /// Whether a name holds a secret, so that it cannot be shown, nor be another.
    pub(super) fn is_in(&self, name: &str) -> bool {
        self.0.iter().any(|secret| secret.len() >= MIN_LEAKED_BYTES && name.contains(secret.as_str()))
    }

    /// A surface without secrets; nothing if what is left would not be one.
    pub(super) fn hide_in(&self, surface: Surface) -> Option<Surface> {
        let secrets: Vec<&str> =
            self.0.iter().map(String::as_str).filter(|secret| secret.len() >= MIN_WORD_BYTES).collect();
        let text = surface.to_canonical();
        let is_there = |secret: &&str| {
            let written = Value::from(*secret).to_compact();
            written.get(1..written.len() - 1).is_some_and(|inner| text.contains(inner))
        };
        let there: Vec<&str> = secrets.into_iter().filter(is_there).collect();
        if there.is_empty() {
            return Some(surface);
        }
        let mut tree = Value::parse(text.as_bytes()).ok()?;
        hide(&mut tree, &there)?;
        let mut hidden = Surface::parse(tree.to_compact().as_bytes()).ok()?;
        hidden.coverage = surface.coverage;
        Some(hidden)
    }
}

/// Takes secrets out of every string of a tree; nothing if two keys become the same.
fn hide(value: &mut Value, secrets: &[&str]) -> Option<()> {
    let clean = |text: &str| {
        secrets.iter().fold(text.to_owned(), |text, secret| {
            if secret.len() < MIN_LEAKED_BYTES { replace_word(&text, secret) } else { text.replace(secret, REDACTED) }
        })
    };
    match &mut value.data {
        Data::String(text) => *text = clean(text),
        Data::Array(items) => items.iter_mut().try_for_each(|item| hide(item, secrets))?,
        Data::Object(members) => {
            let mut cleaned = Object::default();
            for (key, mut member) in core::mem::take(members) {
                hide(&mut member, secrets)?;
                let key = clean(&key);
                if cleaned.get(&key).is_some() {
                    return None;
                }
                cleaned.set(&key, member);
            }
            *members = cleaned;
        }
        _ => {}
    }
    Some(())
}

/// Replaces a secret where it is a word of its own.
fn replace_word(text: &str, word: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once(word) {
        out.push_str(before);
        let is_part = out.ends_with(char::is_alphanumeric) || after.starts_with(char::is_alphanumeric);
        out.push_str(if is_part { word } else { REDACTED });
        rest = after;
    }
    out.push_str(rest);
    out
}

/// The text with its `%XX` undone, if it has any.
fn percent_decoded(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let [first, after @ ..] = rest {
        let code = after.first_chunk::<2>().and_then(|code| core::str::from_utf8(code).ok());
        if let Some(byte) = code.filter(|_| *first == b'%').and_then(|code| u8::from_str_radix(code, 16).ok()) {
            bytes.push(byte);
            rest = after.get(2..).unwrap_or_default();
        } else {
            bytes.push(*first);
            rest = after;
        }
    }
    String::from_utf8(bytes).ok().filter(|decoded| decoded != text)
}

/// Base64, as in a header for basic authentication.
fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = String::new();
    for chunk in bytes.chunks(3) {
        let byte = |place: usize| u32::from(chunk.get(place).copied().unwrap_or(0));
        let bits = byte(0) << 16 | byte(1) << 8 | byte(2);
        for place in 0..4_usize {
            let digit = DIGITS.get((bits >> (18 - 6 * place)) as usize & 63).copied().unwrap_or(b'=');
            out.push(if place > chunk.len() { '=' } else { char::from(digit) });
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_spelling_is_taken_out_whole() {
        let values = ["Bearer abcdefgh", "abcdefghijkl", "tiny1"].map(str::to_owned);
        let secrets = Secrets::new(&["me:p%40ssword1".to_owned()], values);
        let said = r#"[{"name":"t","description":"abcdefghijkl abcdefgh p@ssword1 bWU6cEBzc3dvcmQx tiny1 tiny12"}]"#;
        let hidden = secrets.hide_in(Surface::parse(said.as_bytes()).unwrap()).unwrap().to_canonical();
        assert!(hidden.contains("\"<redacted> <redacted> <redacted> <redacted> <redacted> tiny12\""), "{hidden}");
        assert!(secrets.is_in("x_abcdefgh") && !secrets.is_in("x_tiny1"));
        let twice = br#"[{"name":"t","_meta":{"abcdefgh":1,"<redacted>":2}}]"#;
        assert!(secrets.hide_in(Surface::parse(twice).unwrap()).is_none());
    }

    #[test]
    fn base64_is_that_of_rfc_4648() {
        for (text, expected) in [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foobar", "Zm9vYmFy")] {
            assert_eq!(base64(text.as_bytes()), expected);
        }
    }
}
