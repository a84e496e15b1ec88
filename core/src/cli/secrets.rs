//! The values that a server is given and that are nobody else's business, and how they are taken out of what it
//! says.

use std::collections::BTreeSet;

use crate::source::{REDACTED, names_a_secret, redact_text, replace_word};
use crate::surface::Surface;
use crate::text::sort::sort_by;
use crate::text::value::{Data, Object, Value};

/// A text that holds a secret of at least this length does so by no coincidence. A shorter one counts where it
/// stands alone, if at all.
const MIN_LEAKED_BYTES: usize = 8;
const MIN_WORD_BYTES: usize = 4;

/// Secrets, in the spellings in which a server may repeat them: the longest first, so that none that another
/// begins with leaves the other's end behind.
#[derive(Debug, Clone, Default)]
pub(super) struct Secrets {
    /// What is hidden in texts that are only shown.
    all: Vec<String>,
    /// What is also hidden in texts that are kept and compared. Not every variable is secret: the value `admin`
    /// or `production` would hide there what one must see.
    sure: Vec<String>,
}

/// A value that a server is given, and the name of its variable or header.
pub(super) type Named = (String, String);

impl Secrets {
    /// `credentials` are those of a command or URL.
    pub(super) fn new(credentials: &[String], values: impl IntoIterator<Item = Named>) -> Self {
        let (mut all, mut sure) = (BTreeSet::new(), BTreeSet::new());
        for credential in credentials {
            for spelled in percent_decoded(credential).into_iter().chain([credential.clone()]) {
                // User and password, each alone, and what a client makes of both.
                sure.extend(spelled.splitn(2, ':').map(str::to_owned));
                sure.insert(base64(spelled.as_bytes()));
                sure.insert(spelled);
            }
        }
        for (name, value) in values {
            let is_secret = names_a_secret(&name);
            // A scheme and a token.
            let words = value.split_whitespace().filter(|word| word.len() >= MIN_LEAKED_BYTES).map(str::to_owned);
            for spelled in percent_decoded(&value).into_iter().chain(words).chain([value.clone()]) {
                if is_secret || is_no_word(&spelled) {
                    sure.insert(spelled);
                } else {
                    all.insert(spelled);
                }
            }
        }
        all.extend(sure.iter().cloned());
        let longest_first = |secrets: BTreeSet<String>, least: usize| {
            let mut secrets: Vec<String> = secrets.into_iter().filter(|secret| secret.len() >= least).collect();
            sort_by(&mut secrets, |a, b| b.len().cmp(&a.len()));
            secrets
        };
        Self { all: longest_first(all, 2), sure: longest_first(sure, MIN_WORD_BYTES) }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// A text of a stranger's without secrets, and without what else looks like one.
    pub(super) fn hide_in_text(&self, text: &str) -> String {
        redact_text(text, &self.all.iter().map(String::as_str).collect::<Vec<_>>())
    }

    /// Whether a name holds a secret, so that it cannot be shown, nor be another.
    pub(super) fn is_in(&self, name: &str) -> bool {
        self.sure.iter().any(|secret| secret.len() >= MIN_LEAKED_BYTES && name.contains(secret.as_str()))
    }

    /// A surface without secrets; nothing if what is left would not be one.
    pub(super) fn hide_in(&self, surface: Surface) -> Option<Surface> {
        let text = surface.to_canonical();
        let is_there = |secret: &&str| {
            let written = Value::from(*secret).to_compact();
            written.get(1..written.len() - 1).is_some_and(|inner| text.contains(inner))
        };
        let there: Vec<&str> = self.sure.iter().map(String::as_str).filter(is_there).collect();
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

/// Whether a value is no word of everyday use: it is long, or has a digit in it.
fn is_no_word(value: &str) -> bool {
    value.len() >= 2 * MIN_LEAKED_BYTES
        || (value.len() >= MIN_LEAKED_BYTES && value.bytes().any(|byte| byte.is_ascii_digit()))
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
                // A short one may be a key of the protocol.
                let long = |text: &str| text.len() >= MIN_LEAKED_BYTES;
                let key =
                    if secrets.iter().any(|secret| long(secret) && key.contains(secret)) { clean(&key) } else { key };
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
        let values = [
            ("authorization", "Bearer abcdefgh"),
            ("TOKEN", "abcdefghijkl"),
            ("PIN_TOKEN", "tiny1"),
            ("ROLE", "admin"),
        ];
        let values = values.map(|(name, value)| (name.to_owned(), value.to_owned()));
        let secrets = Secrets::new(&["me:p%40ssword1".to_owned()], values);
        let said =
            r#"[{"name":"t","description":"abcdefghijkl abcdefgh p@ssword1 bWU6cEBzc3dvcmQx tiny1 tiny12 admin"}]"#;
        let hidden = secrets.hide_in(Surface::parse(said.as_bytes()).unwrap()).unwrap().to_canonical();
        assert!(hidden.contains("\"<redacted> <redacted> <redacted> <redacted> <redacted> tiny12 admin\""), "{hidden}");
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
