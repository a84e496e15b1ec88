//! A small JSON tree for documents that are read to be changed or configured: lockfiles, options,
//! configs. It keeps the spelling of numbers and the place of every value. Surfaces never pass through it.

use super::limits::MAX_TREE_VALUES;
use super::pointer::Segment;
use super::reader::{Fault, Kind, Outcome, Reader, document};
use super::sort::sort_by;
use super::strings;
use crate::canon::refuse_duplicates;
use crate::error::{Code, Error};
use crate::number;

/// A value and where it stands in its document. Values are equal if they are the same JSON, spelling of
/// numbers included, wherever they stand.
#[derive(Debug, Clone)]
pub(crate) struct Value {
    pub(crate) data: Data,
    offset: u32,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Data {
    Null,
    Bool(bool),
    /// As it was spelled.
    Number(String),
    String(String),
    Array(Vec<Value>),
    Object(Object),
}

/// Members in order of their keys, by UTF-16 code units.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Object(Vec<(String, Value)>);

impl PartialEq for Value {
    fn eq(&self, other: &Self) -> bool {
        self.data == other.data
    }
}

impl From<Data> for Value {
    fn from(data: Data) -> Self {
        Self { data, offset: 0 }
    }
}

impl From<&str> for Value {
    fn from(text: &str) -> Self {
        Data::String(text.to_owned()).into()
    }
}

impl From<String> for Value {
    fn from(text: String) -> Self {
        Data::String(text).into()
    }
}

impl From<Object> for Value {
    fn from(object: Object) -> Self {
        Data::Object(object).into()
    }
}

impl Object {
    pub(crate) fn get(&self, key: &str) -> Option<&Value> {
        // Most objects are small: to pass over names of other lengths is faster than to search in order.
        const SMALL: usize = 16;
        if self.0.len() <= SMALL {
            return self.0.iter().find(|(other, _)| other == key).map(|(_, value)| value);
        }
        let place = self.place(key).ok()?;
        self.0.get(place).map(|(_, value)| value)
    }

    pub(crate) fn get_mut(&mut self, key: &str) -> Option<&mut Value> {
        let place = self.place(key).ok()?;
        self.0.get_mut(place).map(|(_, value)| value)
    }

    pub(crate) fn set(&mut self, key: &str, value: impl Into<Value>) {
        // Mostly, members come in order.
        if self.0.last().is_none_or(|(last, _)| strings::compare_utf16(last, key).is_lt()) {
            self.0.push((key.to_owned(), value.into()));
            return;
        }
        match self.place(key) {
            Ok(place) => {
                if let Some((_, old)) = self.0.get_mut(place) {
                    *old = value.into();
                }
            }
            Err(place) => self.0.insert(place, (key.to_owned(), value.into())),
        }
    }

    pub(crate) fn remove(&mut self, key: &str) -> Option<Value> {
        self.place(key).ok().map(|place| self.0.remove(place).1)
    }

    /// Changes the object under a key, which is empty at first if something else or nothing stands there.
    pub(crate) fn edit(&mut self, key: &str, change: impl FnOnce(&mut Object)) {
        let mut object = match self.get_mut(key).map(|value| &mut value.data) {
            Some(Data::Object(object)) => core::mem::take(object),
            _ => Object::default(),
        };
        change(&mut object);
        self.set(key, object);
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = (&str, &Value)> {
        self.0.iter().map(|(key, value)| (key.as_str(), value))
    }

    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    pub(crate) fn retain(&mut self, mut keep: impl FnMut(&str) -> bool) {
        self.0.retain(|(key, _)| keep(key));
    }

    fn place(&self, key: &str) -> Result<usize, usize> {
        self.0.binary_search_by(|(other, _)| strings::compare_utf16(other, key))
    }
}

impl IntoIterator for Object {
    type Item = (String, Value);
    type IntoIter = std::vec::IntoIter<(String, Value)>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

impl Value {
    pub(crate) fn parse(bytes: &[u8]) -> Result<Self, Error> {
        document(bytes, Self::read)
    }

    /// Reads the value that comes next.
    pub(crate) fn read(reader: &mut Reader<'_>) -> Outcome<Self> {
        Self::read_counted(reader, &mut 0)
    }

    fn read_counted(reader: &mut Reader<'_>, count: &mut usize) -> Outcome<Self> {
        let kind = reader.kind()?;
        let offset = reader.at();
        *count += 1;
        if *count > MAX_TREE_VALUES {
            return Err(Fault::new(Code::DocumentTooLarge, offset, "the document has more than 4,000,000 values"));
        }
        let data = match kind {
            Kind::Object => {
                let mut members: Vec<(String, Self)> = Vec::new();
                let mut offsets = Vec::new();
                let mut are_ordered = true;
                reader.object(|reader, key| {
                    let name = strings::decode(key.raw);
                    are_ordered &= members.last().is_none_or(|(last, _)| strings::compare_utf16(last, &name).is_lt());
                    offsets.push(key.offset);
                    members.push((name, Self::read_counted(reader, count)?));
                    Ok(())
                })?;
                if !are_ordered {
                    sort_by(&mut members, |(a, _), (b, _)| strings::compare_utf16(a, b));
                    if members.windows(2).any(|pair| matches!(pair, [(a, _), (b, _)] if a == b)) {
                        let key = |offset: usize| (key_at(reader, offset), offset);
                        refuse_duplicates(offsets.into_iter().map(key).collect(), reader)?;
                    }
                }
                Data::Object(Object(members))
            }
            Kind::Array => {
                let mut items = Vec::new();
                reader.array(|reader, _| {
                    items.push(Self::read_counted(reader, count)?);
                    Ok(())
                })?;
                Data::Array(items)
            }
            Kind::String => Data::String(strings::decode(reader.string()?.raw)),
            Kind::Number => {
                let spelling = reader.number()?;
                if !number::write_canonical(spelling, &mut Vec::new()) {
                    return Err(Fault::new(Code::NumberOutOfRange, offset, number::OUT_OF_RANGE));
                }
                Data::Number(String::from_utf8_lossy(spelling).into_owned())
            }
            Kind::Literal => match reader.literal()? {
                b"true" => Data::Bool(true),
                b"false" => Data::Bool(false),
                _ => Data::Null,
            },
        };
        Ok(Self { data, offset: u32::try_from(offset).unwrap_or(u32::MAX) })
    }

    pub(crate) fn as_str(&self) -> Option<&str> {
        match &self.data {
            Data::String(text) => Some(text),
            _ => None,
        }
    }

    pub(crate) fn as_object(&self) -> Option<&Object> {
        match &self.data {
            Data::Object(object) => Some(object),
            _ => None,
        }
    }

    pub(crate) fn as_array(&self) -> Option<&[Value]> {
        match &self.data {
            Data::Array(items) => Some(items),
            _ => None,
        }
    }

    pub(crate) fn as_bool(&self) -> Option<bool> {
        match self.data {
            Data::Bool(value) => Some(value),
            _ => None,
        }
    }

    pub(crate) fn as_f64(&self) -> Option<f64> {
        match &self.data {
            Data::Number(spelling) => spelling.parse().ok(),
            _ => None,
        }
    }

    /// The value as an index or count.
    pub(crate) fn as_index(&self) -> Option<usize> {
        match &self.data {
            Data::Number(spelling) => spelling.parse().ok(),
            _ => None,
        }
    }

    pub(crate) fn noun(&self) -> &'static str {
        match self.data {
            Data::Null => "`null`",
            Data::Bool(_) => "a boolean",
            Data::Number(_) => "a number",
            Data::String(_) => "a string",
            Data::Array(_) => "an array",
            Data::Object(_) => "an object",
        }
    }

    /// An error about this value, which stands in `document` under `path` (outermost key first).
    pub(crate) fn error(&self, code: Code, message: String, document: &[u8], path: &[&str]) -> Error {
        let fault = Fault::new(code, self.offset as usize, message);
        let segments = path.iter().rev().map(|key| Segment::Key((*key).to_owned()));
        segments.fold(fault, Fault::inside).into_error(document)
    }

    /// Gives numbers the spelling of canonical JSON (RFC 8785), so that equal ones are equal.
    pub(crate) fn make_canonical(&mut self) {
        match &mut self.data {
            Data::Number(spelling) => {
                let mut canonical = Vec::new();
                if number::write_canonical(spelling.as_bytes(), &mut canonical) {
                    *spelling = String::from_utf8(canonical).unwrap_or_default();
                }
            }
            Data::Array(items) => items.iter_mut().for_each(Self::make_canonical),
            Data::Object(Object(members)) => members.iter_mut().for_each(|(_, member)| member.make_canonical()),
            _ => {}
        }
    }

    /// The value as canonical JSON (RFC 8785) but for numbers, which keep their spelling.
    pub(crate) fn to_compact(&self) -> String {
        self.to_text(None)
    }

    /// As [`Self::to_compact`], with an indent of two spaces and a newline at the end.
    pub(crate) fn to_pretty(&self) -> String {
        let mut text = self.to_text(Some(0));
        text.push('\n');
        text
    }

    fn to_text(&self, indent: Option<usize>) -> String {
        let mut out = Vec::new();
        self.write(indent, &mut out);
        String::from_utf8(out).unwrap_or_default()
    }

    fn write(&self, indent: Option<usize>, out: &mut Vec<u8>) {
        let inner = indent.map(|depth| depth + 1);
        match &self.data {
            Data::Null => out.extend_from_slice(b"null"),
            Data::Bool(value) => out.extend_from_slice(if *value { b"true" } else { b"false" }),
            Data::Number(spelling) => out.extend_from_slice(spelling.as_bytes()),
            Data::String(text) => strings::write_text(text, out),
            Data::Array(items) => write_items(*b"[]", items, indent, out, |item, out| item.write(inner, out)),
            Data::Object(Object(members)) => write_items(*b"{}", members, indent, out, |(key, value), out| {
                strings::write_text(key, out);
                out.extend_from_slice(if indent.is_some() { b": " } else { b":" });
                value.write(inner, out);
            }),
        }
    }
}

#[cold]
fn key_at(reader: &Reader<'_>, offset: usize) -> String {
    let mut key = Reader::over(reader.bytes().get(offset..).unwrap_or_default());
    key.string().map(|token| strings::decode(token.raw)).unwrap_or_default()
}

fn write_items<T>(
    [open, close]: [u8; 2],
    items: &[T],
    indent: Option<usize>,
    out: &mut Vec<u8>,
    write: impl Fn(&T, &mut Vec<u8>),
) {
    let new_line = |out: &mut Vec<u8>, deeper: usize| {
        if let Some(depth) = indent {
            out.push(b'\n');
            out.extend(core::iter::repeat_n(b' ', 2 * (depth + deeper)));
        }
    };
    out.push(open);
    for (index, item) in items.iter().enumerate() {
        if index > 0 {
            out.push(b',');
        }
        new_line(out, 1);
        write(item, out);
    }
    if !items.is_empty() {
        new_line(out, 0);
    }
    out.push(close);
}

impl From<&Value> for serde_json::Value {
    fn from(value: &Value) -> Self {
        match &value.data {
            Data::Null => Self::Null,
            Data::Bool(value) => Self::Bool(*value),
            Data::Number(spelling) => match spelling.parse::<i64>() {
                Ok(integer) => integer.into(),
                Err(_) => spelling.parse::<f64>().map_or(Self::Null, Self::from),
            },
            Data::String(text) => Self::String(text.clone()),
            Data::Array(items) => Self::Array(items.iter().map(Self::from).collect()),
            Data::Object(Object(members)) => {
                let mut object = serde_json::Map::new();
                for (key, member) in members {
                    object.insert(key.clone(), member.into());
                }
                Self::Object(object)
            }
        }
    }
}

/// An array of these texts.
pub(crate) fn strings<'a>(texts: impl IntoIterator<Item = &'a str>) -> Value {
    Data::Array(texts.into_iter().map(Value::from).collect()).into()
}

/// Sorts texts as canonical JSON sorts keys.
pub(crate) fn sorted<'a>(texts: impl IntoIterator<Item = &'a str>) -> Vec<&'a str> {
    let mut texts: Vec<&str> = texts.into_iter().collect();
    sort_by(&mut texts, |a, b| strings::compare_utf16(a, b));
    texts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keeps_spelling_sorts_keys_and_indents() {
        let value = Value::parse(br#"{"b":[1.50,1e2,{}],"a":{"z":null,"y":[]},"\u0061b":"\u00e9\n"}"#).unwrap();
        assert_eq!(value.to_compact(), r#"{"a":{"y":[],"z":null},"ab":"é\n","b":[1.50,1e2,{}]}"#);
        let pretty = "{\n  \"a\": {\n    \"y\": [],\n    \"z\": null\n  },\n  \"ab\": \"é\\n\",\n  \"b\": [\n    1.50,\n    1e2,\n    {}\n  ]\n}\n";
        assert_eq!(value.to_pretty(), pretty);
        assert_eq!(Value::parse(pretty.as_bytes()).unwrap(), value);
    }

    #[test]
    fn objects_keep_their_order() {
        let mut object = Object::default();
        for key in ["b", "\u{FFFF}", "a", "\u{10000}"] {
            object.set(key, key);
        }
        assert_eq!(object.iter().map(|(key, _)| key).collect::<Vec<_>>(), ["a", "b", "\u{10000}", "\u{FFFF}"]);
        object.edit("a", |a| a.set("x", "y"));
        assert_eq!(object.get("a").unwrap().to_compact(), r#"{"x":"y"}"#);
        assert!(object.remove("b").is_some() && object.get("b").is_none());
    }
}
