//! The strict I-JSON reader (RFC 8259, RFC 7493): a cursor over UTF-8 bytes that yields spans.
//!
//! It builds nothing. Who drives it (`canon`, `surface`, `text::value`) decides what to keep, and names
//! the path of a fault on the way out, so that reading without faults costs nothing for it.

use super::limits::{MAX_DEPTH, MAX_DOCUMENT_BYTES};
use super::pointer::{self, Segment};
use super::strings;
use crate::error::{Code, Error};

/// What went wrong at a place. Becomes an [`Error`] once the document is at hand to count lines in.
///
/// Boxed, so that the good case of an [`Outcome`] stays small.
#[derive(Debug)]
pub(crate) struct Fault(Box<Inner>);

#[derive(Debug)]
struct Inner {
    code: Code,
    message: String,
    help: Option<&'static str>,
    offset: usize,
    /// Innermost segment first.
    path: Vec<Segment>,
}

pub(crate) type Outcome<T> = Result<T, Fault>;

impl Fault {
    #[cold]
    pub(crate) fn new(code: Code, offset: usize, message: impl Into<String>) -> Self {
        Self(Box::new(Inner { code, message: message.into(), help: None, offset, path: Vec::new() }))
    }

    pub(crate) fn with_help(mut self, help: &'static str) -> Self {
        self.0.help = Some(help);
        self
    }

    #[cold]
    pub(crate) fn inside(mut self, segment: Segment) -> Self {
        self.0.path.push(segment);
        self
    }

    /// The error, with line and column counted in `document`.
    pub(crate) fn into_error(self, document: &[u8]) -> Error {
        let fault = *self.0;
        let (line, column) = line_and_column(document, fault.offset);
        let error = Error::new(fault.code, fault.message).at(pointer::of_reversed(&fault.path)).on(line, column);
        match fault.help {
            Some(help) => error.with_help(help),
            None => error,
        }
    }
}

/// Line and column of a byte offset, both from 1; a column is a character.
#[expect(clippy::naive_bytecount, reason = "only a fault counts lines; speed is worth no dependency there")]
fn line_and_column(document: &[u8], offset: usize) -> (u32, u32) {
    let before = document.get(..offset.min(document.len())).unwrap_or_default();
    let line = before.iter().filter(|b| **b == b'\n').count() + 1;
    let line_start = before.iter().rposition(|b| *b == b'\n').map_or(0, |at| at + 1);
    // A continuation byte (10xxxxxx) starts no character.
    let column = before.get(line_start..).unwrap_or_default().iter().filter(|b| **b & 0xC0 != 0x80).count() + 1;
    (u32::try_from(line).unwrap_or(u32::MAX), u32::try_from(column).unwrap_or(u32::MAX))
}

/// Whether a string has escapes: without any, it is its own canonical form.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Spelling {
    Plain,
    Escaped,
}

/// A string as it stands in the text.
#[derive(Debug, Clone, Copy)]
pub(crate) struct StringToken<'a> {
    /// With its quotes, escapes not yet undone.
    pub(crate) raw: &'a [u8],
    pub(crate) spelling: Spelling,
    pub(crate) offset: usize,
}

/// What a value starts with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Object,
    Array,
    String,
    Number,
    Literal,
}

impl Kind {
    pub(crate) const fn noun(self) -> &'static str {
        match self {
            Kind::Object => "an object",
            Kind::Array => "an array",
            Kind::String => "a string",
            Kind::Number => "a number",
            Kind::Literal => "`true`, `false` or `null`",
        }
    }
}

pub(crate) struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
    depth: u32,
}

/// Reads a whole document with `read` and checks what comes before and after it.
pub(crate) fn document<'a, T>(bytes: &'a [u8], read: impl Fn(&mut Reader<'a>) -> Outcome<T>) -> Result<T, Error> {
    if bytes.len() > MAX_DOCUMENT_BYTES {
        return Err(Error::new(Code::DocumentTooLarge, "the document is larger than 64 MiB").at("").on(1, 1));
    }
    if bytes.starts_with(b"\xEF\xBB\xBF") {
        return Err(Error::new(Code::ByteOrderMark, "the text starts with a byte-order mark")
            .with_help("save it as UTF-8 without a byte-order mark")
            .at("")
            .on(1, 1));
    }
    let read_all = |bytes: &'a [u8]| {
        let mut reader = Reader::over(bytes);
        let value = read(&mut reader)?;
        reader.end()?;
        Ok(value)
    };
    let result = match core::str::from_utf8(bytes) {
        Ok(_) => read_all(bytes),
        Err(fault) => Err(not_utf8(bytes, fault.valid_up_to(), read_all)),
    };
    result.map_err(|fault| fault.into_error(bytes))
}

/// The fault of a text that is UTF-8 only up to `valid`: an earlier one in the part that can be read, or
/// the bad bytes, with the path on which the reader ran into them.
#[cold]
fn not_utf8<'a, T>(bytes: &'a [u8], valid: usize, read_all: impl Fn(&'a [u8]) -> Outcome<T>) -> Fault {
    // Three bytes that would be a surrogate in UTF-8's scheme are how hosts hand over a string of theirs
    // that holds half a pair.
    let surrogate = matches!(bytes.get(valid..valid + 3), Some([0xED, 0xA0..=0xBF, 0x80..=0xBF]));
    let (code, message) =
        if surrogate { (Code::LoneSurrogate, LONE_SURROGATE) } else { (Code::InvalidUtf8, "the bytes are not UTF-8") };
    let path = match read_all(bytes.get(..valid).unwrap_or_default()) {
        Err(fault) if fault.0.offset < valid => return fault,
        Err(fault) => fault.0.path,
        Ok(_) => Vec::new(),
    };
    Fault(Box::new(Inner { code, message: message.to_owned(), help: None, offset: valid, path }))
}

pub(crate) const LONE_SURROGATE: &str = "a string holds half of a surrogate pair";

impl<'a> Reader<'a> {
    /// A reader of text that is known to be UTF-8.
    pub(crate) fn over(bytes: &'a [u8]) -> Self {
        Self { bytes, at: 0, depth: 0 }
    }

    pub(crate) fn at(&self) -> usize {
        self.at
    }

    pub(crate) fn bytes(&self) -> &'a [u8] {
        self.bytes
    }

    /// The eight bytes from a place on, the first of them the highest; zeros stand for what is missing.
    #[inline]
    pub(crate) fn word(&self, at: usize) -> u64 {
        let rest = self.bytes.get(at..).unwrap_or_default();
        match rest.first_chunk::<8>() {
            Some(word) => u64::from_be_bytes(*word),
            None => rest.iter().enumerate().fold(0, |word, (index, byte)| word | u64::from(*byte) << (56 - 8 * index)),
        }
    }

    #[inline]
    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    #[inline]
    fn rest(&self) -> &'a [u8] {
        self.bytes.get(self.at..).unwrap_or_default()
    }

    #[inline]
    fn skip_white_space(&mut self) {
        while let Some(b' ' | b'\t' | b'\n' | b'\r') = self.peek() {
            self.at += 1;
        }
    }

    /// The kind of the value that comes next, which is not consumed.
    #[inline]
    pub(crate) fn kind(&mut self) -> Outcome<Kind> {
        self.skip_white_space();
        match self.peek() {
            Some(b'{') => Ok(Kind::Object),
            Some(b'[') => Ok(Kind::Array),
            Some(b'"') => Ok(Kind::String),
            Some(b'-' | b'0'..=b'9') => Ok(Kind::Number),
            Some(b't' | b'f' | b'n') => Ok(Kind::Literal),
            _ => Err(self.unexpected("a value")),
        }
    }

    /// Checks that nothing follows, if the value just read was the whole document.
    pub(crate) fn end_if_outermost(&mut self) -> Outcome<()> {
        if self.depth == 0 { self.end() } else { Ok(()) }
    }

    fn end(&mut self) -> Outcome<()> {
        self.skip_white_space();
        if self.at < self.bytes.len() {
            return Err(Fault::new(Code::TrailingText, self.at, "text follows the JSON value"));
        }
        Ok(())
    }

    #[cold]
    fn unexpected(&self, wanted: &str) -> Fault {
        let found = match self.rest().utf8_chunks().next().and_then(|chunk| chunk.valid().chars().next()) {
            None => "the text ends".to_owned(),
            Some(c) => format!("{} stands", super::escape::quoted(&c.to_string())),
        };
        Fault::new(Code::InvalidJson, self.at, format!("{found} where {wanted} should be"))
    }

    #[inline]
    fn enter(&mut self) -> Outcome<()> {
        if self.depth == MAX_DEPTH {
            return Err(Fault::new(Code::TooDeep, self.at, "containers are nested deeper than 128"));
        }
        self.depth += 1;
        self.at += 1;
        Ok(())
    }

    /// Reads an array; `item` must consume one value a call.
    #[inline]
    pub(crate) fn array(&mut self, mut item: impl FnMut(&mut Self, usize) -> Outcome<()>) -> Outcome<()> {
        self.enter()?;
        self.skip_white_space();
        if self.peek() == Some(b']') {
            self.at += 1;
            self.depth -= 1;
            return Ok(());
        }
        let mut index = 0;
        loop {
            item(self, index).map_err(|fault| fault.inside(Segment::Index(index)))?;
            index += 1;
            self.skip_white_space();
            match self.peek() {
                Some(b',') => self.at += 1,
                Some(b']') => {
                    self.at += 1;
                    self.depth -= 1;
                    return Ok(());
                }
                _ => return Err(self.unexpected("`,` or `]`")),
            }
        }
    }

    /// Reads an object; `member` gets each key and must consume one value a call. Keys are not compared.
    #[inline]
    pub(crate) fn object(&mut self, mut member: impl FnMut(&mut Self, StringToken<'a>) -> Outcome<()>) -> Outcome<()> {
        self.enter()?;
        self.skip_white_space();
        if self.peek() == Some(b'}') {
            self.at += 1;
            self.depth -= 1;
            return Ok(());
        }
        loop {
            self.skip_white_space();
            if self.peek() != Some(b'"') {
                return Err(self.unexpected("a key in double quotes"));
            }
            let key = self.string()?;
            self.skip_white_space();
            if self.peek() != Some(b':') {
                return Err(self.unexpected("`:`"));
            }
            self.at += 1;
            member(self, key).map_err(|fault| fault.inside(Segment::Key(strings::decode(key.raw))))?;
            self.skip_white_space();
            match self.peek() {
                Some(b',') => self.at += 1,
                Some(b'}') => {
                    self.at += 1;
                    self.depth -= 1;
                    return Ok(());
                }
                _ => return Err(self.unexpected("`,` or `}`")),
            }
        }
    }

    /// Reads the string whose opening quote comes next, and checks its escapes.
    ///
    /// Inlined where it is called: returned by way of memory, a token would be read back in other pieces
    /// than it was written in, for which processors wait.
    #[expect(clippy::inline_always, reason = "measured: a fifth of the time of the canonical form")]
    #[inline(always)]
    pub(crate) fn string(&mut self) -> Outcome<StringToken<'a>> {
        let offset = self.at;
        self.at += 1;
        self.at += strings::plain_run(self.rest());
        let mut spelling = Spelling::Plain;
        if self.peek() == Some(b'"') {
            self.at += 1;
        } else {
            spelling = Spelling::Escaped;
            self.rest_of_string()?;
        }
        Ok(StringToken { raw: self.bytes.get(offset..self.at).unwrap_or_default(), spelling, offset })
    }

    /// Reads on in a string from its first escape.
    #[inline(never)]
    fn rest_of_string(&mut self) -> Outcome<()> {
        loop {
            match self.peek() {
                Some(b'"') => {
                    self.at += 1;
                    return Ok(());
                }
                Some(b'\\') => self.escape()?,
                Some(_) => {
                    return Err(Fault::new(Code::InvalidJson, self.at, "a string holds a raw control character")
                        .with_help("write it as an escape, such as `\\n` or `\\u0007`"));
                }
                None => return Err(self.unexpected("the closing quote of a string")),
            }
            self.at += strings::plain_run(self.rest());
        }
    }

    fn escape(&mut self) -> Outcome<()> {
        match self.rest() {
            [b'\\', b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't', ..] => self.at += 2,
            [b'\\', b'u', ..] => match strings::escaped_unit(self.rest()) {
                Some(0xD800..=0xDBFF) => {
                    let low = self.rest().get(6..).and_then(strings::escaped_unit);
                    if !matches!(low, Some(0xDC00..=0xDFFF)) {
                        return Err(Fault::new(Code::LoneSurrogate, self.at, LONE_SURROGATE));
                    }
                    self.at += 12;
                }
                Some(0xDC00..=0xDFFF) => return Err(Fault::new(Code::LoneSurrogate, self.at, LONE_SURROGATE)),
                Some(_) => self.at += 6,
                None => return Err(Fault::new(Code::InvalidJson, self.at, "`\\u` is not followed by four hex digits")),
            },
            _ => return Err(Fault::new(Code::InvalidJson, self.at, "a backslash starts no escape of JSON's")),
        }
        Ok(())
    }

    /// Reads a number and returns its spelling.
    #[inline]
    pub(crate) fn number(&mut self) -> Outcome<&'a [u8]> {
        let start = self.at;
        if self.peek() == Some(b'-') {
            self.at += 1;
        }
        match self.peek() {
            Some(b'0') => self.at += 1,
            Some(b'1'..=b'9') => self.digits(),
            _ => return Err(self.unexpected("a digit")),
        }
        if self.peek() == Some(b'.') {
            self.at += 1;
            self.some_digits()?;
        }
        if let Some(b'e' | b'E') = self.peek() {
            self.at += 1;
            if let Some(b'+' | b'-') = self.peek() {
                self.at += 1;
            }
            self.some_digits()?;
        }
        if let Some(b'0'..=b'9') = self.peek() {
            return Err(Fault::new(Code::InvalidJson, start, "a number starts with a zero that does not belong"));
        }
        Ok(self.bytes.get(start..self.at).unwrap_or_default())
    }

    #[inline]
    fn digits(&mut self) {
        while let Some(b'0'..=b'9') = self.peek() {
            self.at += 1;
        }
    }

    fn some_digits(&mut self) -> Outcome<()> {
        if !matches!(self.peek(), Some(b'0'..=b'9')) {
            return Err(self.unexpected("a digit"));
        }
        self.digits();
        Ok(())
    }

    /// Reads `true`, `false` or `null` and returns its spelling.
    #[inline]
    pub(crate) fn literal(&mut self) -> Outcome<&'static [u8]> {
        for word in [b"true".as_slice(), b"false", b"null"] {
            if self.rest().starts_with(word) {
                self.at += word.len();
                return Ok(word);
            }
        }
        Err(self.unexpected("a value"))
    }
}
