//! JSON text to Python objects.
//!
//! The text is the core's own answer, so it is well-formed; `json.loads` would do, but importing `json` costs more than
//! most calls, and it is several times slower on many small objects. Text that is not well-formed is a bug of ours and
//! raises `SystemError`.
//!
//! Answers repeat few keys very often (`hash`, `nameHash`, …), so the Python text of a key is made once and reused.

use memchr::memchr2;
use pyo3::exceptions::PySystemError;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyFloat, PyInt, PyList, PyString};

const KEY_SLOTS: usize = 64;
const LONGEST_KEPT_KEY: usize = 32;

pub(crate) fn to_python<'py>(py: Python<'py>, text: &str) -> PyResult<Bound<'py, PyAny>> {
    let mut reader = Reader { py, text, at: 0, keys: [const { None }; KEY_SLOTS] };
    let value = reader.value()?;
    match reader.peek() {
        None => Ok(value),
        Some(_) => Err(reader.broken()),
    }
}

struct Reader<'py, 'text> {
    py: Python<'py>,
    text: &'text str,
    at: usize,
    keys: [Option<(&'text str, Bound<'py, PyString>)>; KEY_SLOTS],
}

impl<'py, 'text> Reader<'py, 'text> {
    fn value(&mut self) -> PyResult<Bound<'py, PyAny>> {
        match self.peek() {
            Some(b'{') => self.object(),
            Some(b'[') => self.array(),
            Some(b'"') => Ok(self.string()?.into_any()),
            Some(b't') => self.word("true", PyBool::new(self.py, true).to_owned().into_any()),
            Some(b'f') => self.word("false", PyBool::new(self.py, false).to_owned().into_any()),
            Some(b'n') => self.word("null", self.py.None().into_bound(self.py)),
            Some(b'-' | b'0'..=b'9') => self.number(),
            _ => Err(self.broken()),
        }
    }

    fn object(&mut self) -> PyResult<Bound<'py, PyAny>> {
        let object = PyDict::new(self.py);
        self.at += 1;
        if self.peek() == Some(b'}') {
            self.at += 1;
            return Ok(object.into_any());
        }
        loop {
            self.peek();
            let key = self.key()?;
            self.expect(b':')?;
            let value = self.value()?;
            object.set_item(key, value)?;
            if !self.another(b'}')? {
                return Ok(object.into_any());
            }
        }
    }

    fn array(&mut self) -> PyResult<Bound<'py, PyAny>> {
        let array = PyList::empty(self.py);
        self.at += 1;
        if self.peek() == Some(b']') {
            self.at += 1;
            return Ok(array.into_any());
        }
        loop {
            array.append(self.value()?)?;
            if !self.another(b']')? {
                return Ok(array.into_any());
            }
        }
    }

    fn key(&mut self) -> PyResult<Bound<'py, PyString>> {
        let Some(raw) = self.plain_string() else {
            return self.string();
        };
        let first = raw.as_bytes().first().copied().unwrap_or_default();
        let slot = (raw.len() * 7 + usize::from(first)) % KEY_SLOTS;
        match self.keys.get_mut(slot) {
            Some(Some((kept, key))) if *kept == raw => Ok(key.clone()),
            Some(place) if raw.len() <= LONGEST_KEPT_KEY => {
                let key = PyString::intern(self.py, raw);
                *place = Some((raw, key.clone()));
                Ok(key)
            }
            _ => Ok(PyString::new(self.py, raw)),
        }
    }

    fn string(&mut self) -> PyResult<Bound<'py, PyString>> {
        match self.plain_string() {
            Some(raw) => Ok(PyString::new(self.py, raw)),
            None => self.escaped_string(),
        }
    }

    /// A string without escapes, which is nearly every one; otherwise nothing is consumed.
    fn plain_string(&mut self) -> Option<&'text str> {
        let rest = self.text.get(self.at..)?.strip_prefix('"')?;
        let length = memchr2(b'"', b'\\', rest.as_bytes())?;
        if rest.as_bytes().get(length) != Some(&b'"') {
            return None;
        }
        self.at += length + 2;
        rest.get(..length)
    }

    fn escaped_string(&mut self) -> PyResult<Bound<'py, PyString>> {
        self.expect(b'"')?;
        let mut decoded = String::new();
        loop {
            let rest = self.text.get(self.at..).unwrap_or_default();
            let plain = memchr2(b'"', b'\\', rest.as_bytes()).ok_or_else(|| self.broken())?;
            decoded.push_str(rest.get(..plain).unwrap_or_default());
            self.at += plain;
            if self.next() == Some(b'"') {
                return Ok(PyString::new(self.py, &decoded));
            }
            decoded.push(match self.next() {
                Some(b'b') => '\u{8}',
                Some(b'f') => '\u{c}',
                Some(b'n') => '\n',
                Some(b'r') => '\r',
                Some(b't') => '\t',
                Some(b'u') => self.unicode_escape()?,
                Some(byte @ (b'"' | b'\\' | b'/')) => char::from(byte),
                _ => return Err(self.broken()),
            });
        }
    }

    fn unicode_escape(&mut self) -> PyResult<char> {
        let first = self.four_digits()?;
        if !(0xD800..0xDC00).contains(&first) {
            return char::from_u32(first).ok_or_else(|| self.broken());
        }
        self.expect(b'\\')?;
        self.expect(b'u')?;
        let second = self.four_digits()?;
        let low = second.checked_sub(0xDC00).filter(|low| *low < 0x400);
        low.and_then(|low| char::from_u32(0x10000 + ((first - 0xD800) << 10) + low)).ok_or_else(|| self.broken())
    }

    fn four_digits(&mut self) -> PyResult<u32> {
        let digits = self.text.get(self.at..self.at + 4).unwrap_or_default();
        self.at += 4;
        u32::from_str_radix(digits, 16).map_err(|_| self.broken())
    }

    fn number(&mut self) -> PyResult<Bound<'py, PyAny>> {
        let rest = self.text.get(self.at..).unwrap_or_default();
        let length = rest
            .bytes()
            .position(|byte| !matches!(byte, b'0'..=b'9' | b'-' | b'+' | b'.' | b'e' | b'E'))
            .unwrap_or(rest.len());
        let token = rest.get(..length).unwrap_or_default();
        self.at += length;
        if let Ok(small) = token.parse::<i64>() {
            Ok(PyInt::new(self.py, small).into_any())
        } else if token.contains(['.', 'e', 'E']) {
            let value = token.parse::<f64>().map_err(|_| self.broken())?;
            Ok(PyFloat::new(self.py, value).into_any())
        } else {
            self.py.get_type::<PyInt>().call1((token,))
        }
    }

    fn word(&mut self, word: &str, value: Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        if !self.text.get(self.at..).unwrap_or_default().starts_with(word) {
            return Err(self.broken());
        }
        self.at += word.len();
        Ok(value)
    }

    /// After a member or an element: whether another one follows, or `end`.
    fn another(&mut self, end: u8) -> PyResult<bool> {
        self.peek();
        match self.next() {
            Some(b',') => Ok(true),
            Some(byte) if byte == end => Ok(false),
            _ => Err(self.broken()),
        }
    }

    fn expect(&mut self, wanted: u8) -> PyResult<()> {
        self.peek();
        match self.next() {
            Some(byte) if byte == wanted => Ok(()),
            _ => Err(self.broken()),
        }
    }

    /// The next byte that is no whitespace, which stays where it is.
    fn peek(&mut self) -> Option<u8> {
        loop {
            let byte = self.text.as_bytes().get(self.at).copied()?;
            if !matches!(byte, b' ' | b'\n' | b'\r' | b'\t') {
                return Some(byte);
            }
            self.at += 1;
        }
    }

    fn next(&mut self) -> Option<u8> {
        let byte = self.text.as_bytes().get(self.at).copied();
        self.at += 1;
        byte
    }

    fn broken(&self) -> PyErr {
        PySystemError::new_err(format!("the core's answer is broken JSON at byte {}", self.at))
    }
}
