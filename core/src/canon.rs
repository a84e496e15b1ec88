//! The canonical form of RFC 8785 (JCS), written in one pass without a document tree.
//!
//! Members are written in source order and remembered as ranges; an object whose keys turn out to be
//! in order is left as it is, another is put in order once its last member is written. Work is linear
//! in the text, times the depth (at most 128) for objects that are out of order.

use core::cmp::Ordering;
use core::ops::Range;

use crate::error::{Code, Error};
use crate::number;
use crate::text::pointer::Segment;
use crate::text::reader::{Fault, Kind, Outcome, Reader, Spelling, StringToken, document};
use crate::text::sort::sort_by;
use crate::text::strings;

/// The canonical form of a JSON text (RFC 8785).
///
/// # Errors
/// `invalid-json`, `trailing-text`, `invalid-utf8`, `byte-order-mark`, `duplicate-key`,
/// `lone-surrogate`, `number-out-of-range`, `too-deep`, `document-too-large`; each with pointer, line
/// and column.
///
/// ```
/// let text = gatewright::canonicalize(br#"{ "b": 1.50, "a": "\u00e9" }"#)?;
/// assert_eq!(text, r#"{"a":"é","b":1.5}"#);
/// # Ok::<(), gatewright::Error>(())
/// ```
pub fn canonicalize(json: &[u8]) -> Result<String, Error> {
    let bytes = document(json, |reader| {
        let mut writer = Writer { out: Vec::with_capacity(json.len()), ..Writer::default() };
        writer.value(reader)?;
        Ok(writer.out)
    })?;
    String::from_utf8(bytes).map_err(|_| Error::new(Code::InternalError, "the canonical form is not UTF-8"))
}

/// Passes over a value that is of the wrong kind: what is not even JSON is better told as that.
pub(crate) fn pass_over(reader: &mut Reader<'_>) -> Outcome<()> {
    Writer::default().value(reader)?;
    reader.end_if_outermost()
}

/// A member of an object in the output: `"key":value`.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Member {
    /// The first bytes of the key, such that the order of these numbers is the order of the keys.
    prefix: u64,
    start: u32,
    key_end: u32,
    end: u32,
    /// Where the key stands in the source, to name a duplicate.
    source: u32,
}

impl Member {
    /// Where the key stands in the source.
    pub(crate) fn source(self) -> usize {
        self.source as usize
    }

    /// The key with its quotes, in canonical form.
    pub(crate) fn key(self) -> Range<usize> {
        self.start as usize..self.key_end as usize
    }

    pub(crate) fn value(self) -> Range<usize> {
        self.key_end as usize + 1..self.end as usize
    }

    pub(crate) fn whole(self) -> Range<usize> {
        self.start as usize..self.end as usize
    }
}

/// Writes values to `out`. Reused from value to value, it allocates only while its buffers grow.
#[derive(Default)]
pub(crate) struct Writer {
    pub(crate) out: Vec<u8>,
    /// The members of all objects that are still open, innermost last.
    members: Vec<Member>,
    scratch: Vec<u8>,
}

/// A place in the output, which is always below 2^32: a document is at most 64 MiB, and nothing grows more
/// than a number of five bytes that becomes one of 22.
fn place(at: usize) -> u32 {
    u32::try_from(at).unwrap_or(u32::MAX)
}

impl Writer {
    /// Writes the value that comes next.
    pub(crate) fn value(&mut self, reader: &mut Reader<'_>) -> Outcome<()> {
        match reader.kind()? {
            Kind::Object => {
                let start = self.out.len();
                self.out.push(b'{');
                let first = self.members.len();
                let keys = self.members(reader)?;
                self.close_object(start, first, keys, reader)?;
            }
            Kind::Array => {
                self.out.push(b'[');
                reader.array(|reader, index| {
                    if index > 0 {
                        self.out.push(b',');
                    }
                    self.value(reader)
                })?;
                self.out.push(b']');
            }
            Kind::String => {
                let token = reader.string()?;
                self.string(token);
            }
            Kind::Number => {
                let offset = reader.at();
                let spelling = reader.number()?;
                if !number::write_canonical(spelling, &mut self.out) {
                    return Err(Fault::new(Code::NumberOutOfRange, offset, number::OUT_OF_RANGE));
                }
            }
            Kind::Literal => {
                let word = reader.literal()?;
                self.out.extend_from_slice(word);
            }
        }
        Ok(())
    }

    #[inline]
    fn string(&mut self, token: StringToken<'_>) {
        if token.spelling == Spelling::Escaped {
            strings::write_canonical(token.raw, &mut self.out);
        } else {
            self.out.extend_from_slice(token.raw);
        }
    }

    /// Writes the members of an object in source order, with commas, and pushes them on `self.members`.
    #[inline]
    fn members(&mut self, reader: &mut Reader<'_>) -> Outcome<Spelling> {
        let first = self.members.len();
        let mut keys = Spelling::Plain;
        reader.object(|reader, key| {
            if self.members.len() > first {
                self.out.push(b',');
            }
            if key.spelling == Spelling::Escaped {
                keys = Spelling::Escaped;
            }
            let start = place(self.out.len());
            self.string(key);
            let key_end = place(self.out.len());
            self.out.push(b':');
            self.value(reader)?;
            let prefix = strings::prefix(reader.word(key.offset + 1), key.raw.len() - 2);
            let end = place(self.out.len());
            self.members.push(Member { prefix, start, key_end, end, source: place(key.offset) });
            Ok(())
        })?;
        Ok(keys)
    }

    fn close_object(&mut self, start: usize, first: usize, keys: Spelling, reader: &Reader<'_>) -> Outcome<()> {
        if self.sort(first, keys, reader)? {
            self.scratch.clear();
            for (index, member) in self.members.iter().skip(first).enumerate() {
                if index > 0 {
                    self.scratch.push(b',');
                }
                self.scratch.extend_from_slice(self.out.get(member.whole()).unwrap_or_default());
            }
            self.out.truncate(start + 1);
            self.out.extend_from_slice(&self.scratch);
        }
        self.out.push(b'}');
        self.members.truncate(first);
        Ok(())
    }

    /// Puts the members from `first` on in order and says whether they had been out of it.
    fn sort(&mut self, first: usize, keys: Spelling, reader: &Reader<'_>) -> Outcome<bool> {
        let out = &self.out;
        let members = self.members.get_mut(first..).unwrap_or_default();
        let compare = |a: &Member, b: &Member| {
            strings::compare_keys(out.get(a.key()).unwrap_or_default(), out.get(b.key()).unwrap_or_default())
        };
        // An escape stands for something else than it looks like, so that prefixes say nothing.
        let order = |a: &Member, b: &Member| match keys {
            Spelling::Plain => a.prefix.cmp(&b.prefix).then_with(|| compare(a, b)),
            Spelling::Escaped => compare(a, b),
        };
        if members.is_sorted_by(|a, b| order(a, b) == Ordering::Less) {
            return Ok(false);
        }
        members.sort_unstable_by(order);
        let duplicates = members.windows(2).filter_map(|pair| match pair {
            [a, b] if order(a, b) == Ordering::Equal => Some(a.source.max(b.source) as usize),
            _ => None,
        });
        match duplicates.min() {
            None => Ok(true),
            Some(offset) => Err(duplicate_key(offset, reader)),
        }
    }

    /// Writes the object that comes next without putting it together: its members, in order of their
    /// keys, are ranges of `out`, which is cleared first.
    pub(crate) fn object_members(&mut self, reader: &mut Reader<'_>) -> Outcome<&[Member]> {
        self.out.clear();
        self.members.clear();
        let keys = self.members(reader)?;
        self.sort(0, keys, reader)?;
        Ok(&self.members)
    }

    /// The canonical form of the value that comes next; what was in `out` is gone.
    pub(crate) fn detached(&mut self, reader: &mut Reader<'_>) -> Outcome<&[u8]> {
        self.out.clear();
        self.members.clear();
        self.value(reader)?;
        Ok(&self.out)
    }
}

/// Refuses keys, given with their places in the source, of which two are the same.
pub(crate) fn refuse_duplicates(mut keys: Vec<(String, usize)>, reader: &Reader<'_>) -> Outcome<()> {
    sort_by(&mut keys, Ord::cmp);
    let duplicates = keys.windows(2).filter_map(|pair| match pair {
        [(a, _), (b, offset)] if a == b => Some(*offset),
        _ => None,
    });
    duplicates.min().map_or(Ok(()), |offset| Err(duplicate_key(offset, reader)))
}

#[cold]
fn duplicate_key(offset: usize, reader: &Reader<'_>) -> Fault {
    let raw = reader.bytes().get(offset..).unwrap_or_default();
    let mut key = Reader::over(raw);
    let key = key.string().map(|token| strings::decode(token.raw)).unwrap_or_default();
    let message = format!("an object has the key {} twice", crate::text::escape::quoted(&key));
    Fault::new(Code::DuplicateKey, offset, message).inside(Segment::Key(key))
}
