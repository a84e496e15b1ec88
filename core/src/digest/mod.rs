//! SHA-256, written `sha256:<hex>`.

#[cfg(any(test, all(target_arch = "wasm32", target_feature = "simd128")))]
mod lanes;

use core::fmt;
use core::ops::Range;

use serde::{Serialize, Serializer};
use sha2::{Digest as _, Sha256};

use crate::canon::canonicalize;
use crate::error::Error;

const PREFIX: &[u8; 7] = b"sha256:";

/// The length of a digest's text.
pub(crate) const TEXT_LENGTH: usize = PREFIX.len() + 64;

/// A SHA-256 digest. Its text is `sha256:` and 64 lower-case hex digits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Digest([u8; 32]);

impl Digest {
    /// What stands in a place that is to be filled.
    pub(crate) const ZERO: Self = Self([0; 32]);

    /// The digest of these bytes.
    #[must_use]
    pub fn of(bytes: &[u8]) -> Self {
        Self(Sha256::digest(bytes).into())
    }

    /// The digest that a text names, if it is one in the form that [`Digest`] writes.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let hex = text.as_bytes().strip_prefix(PREFIX)?;
        let (pairs, []) = hex.as_chunks::<2>() else { return None };
        let mut bytes = [0; 32];
        if pairs.len() != bytes.len() {
            return None;
        }
        for (byte, [high, low]) in bytes.iter_mut().zip(pairs) {
            *byte = hex_value(*high)? << 4 | hex_value(*low)?;
        }
        Some(Self(bytes))
    }

    /// Writes the text of the digest.
    pub(crate) fn write(self, out: &mut Vec<u8>) {
        out.extend_from_slice(&self.text());
    }

    fn text(self) -> [u8; TEXT_LENGTH] {
        let mut text = [0; TEXT_LENGTH];
        let (prefix, hex) = text.split_at_mut(PREFIX.len());
        prefix.copy_from_slice(PREFIX);
        for (pair, byte) in hex.as_chunks_mut::<2>().0.iter_mut().zip(self.0) {
            *pair = [hex_digit(byte >> 4), hex_digit(byte & 15)];
        }
        text
    }

    /// The first hex digits of the digest, as a short name.
    #[must_use]
    pub fn short(self, digits: usize) -> String {
        self.to_string().chars().skip(PREFIX.len()).take(digits).collect()
    }
}

const fn hex_digit(nibble: u8) -> u8 {
    nibble + if nibble < 10 { b'0' } else { b'a' - 10 }
}

const fn hex_value(digit: u8) -> Option<u8> {
    match digit {
        b'0'..=b'9' => Some(digit - b'0'),
        b'a'..=b'f' => Some(digit - b'a' + 10),
        _ => None,
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(core::str::from_utf8(&self.text()).unwrap_or_default())
    }
}

impl Serialize for Digest {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(core::str::from_utf8(&self.text()).unwrap_or_default())
    }
}

/// The SHA-256 of the canonical form of a JSON text.
///
/// # Errors
/// Those of [`canonicalize`].
///
/// ```
/// let digest = gatewright::digest(b"{ }")?;
/// assert_eq!(digest.to_string(), "sha256:44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a");
/// # Ok::<(), gatewright::Error>(())
/// ```
pub fn digest(json: &[u8]) -> Result<Digest, Error> {
    canonicalize(json).map(|text| Digest::of(text.as_bytes()))
}

/// The digests of many messages, each a range of one buffer, in their order.
///
/// WebAssembly has no instruction for SHA-256 but can do the same step on four numbers at a time, so
/// there four messages are hashed side by side. Elsewhere `sha2` finds the processor's own instructions.
pub(crate) fn of_each(buffer: &[u8], messages: &[Range<usize>], mut done: impl FnMut(usize, Digest)) {
    #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
    lanes::of_each(buffer, messages, |index, bytes| done(index, Digest(bytes)));
    #[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
    for (index, message) in messages.iter().enumerate() {
        done(index, Digest::of(buffer.get(message.clone()).unwrap_or_default()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_and_back() {
        let digest = Digest::of(b"");
        let text = "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
        assert_eq!(digest.to_string(), text);
        assert_eq!(Digest::parse(text), Some(digest));
        assert_eq!(digest.short(8), "e3b0c442");
        for bad in [
            "",
            "sha256:",
            &text.to_uppercase(),
            text.trim_end_matches('5'),
            &format!("{text}0"),
            &text.replace("sha256", "sha512"),
        ] {
            assert_eq!(Digest::parse(bad), None, "{bad}");
        }
    }

    #[test]
    fn lanes_agree_with_sha2_on_every_length() {
        let buffer: Vec<u8> = (0..2000u32).map(|n| (n * 7 % 251) as u8).collect();
        let messages: Vec<_> = (0..300).map(|length| length..length * 2 + length % 7 * 40).collect();
        let mut found = vec![None; messages.len()];
        lanes::of_each(&buffer, &messages, |index, bytes| found[index] = Some(Digest(bytes)));
        for (message, digest) in messages.iter().zip(found) {
            assert_eq!(digest, Some(Digest::of(&buffer[message.clone()])), "{message:?}");
        }
    }
}
