//! A surface with its text: what snapshots and kept surfaces are made of, and what drift compares.
//!
//! The members of all tools stand in one buffer, in canonical form: equal texts are equal bytes.

use serde::Serialize;

use super::read::{self, Listed};
use super::tool::{Parts, or_null};
use crate::canon::Writer;
use crate::error::{Code, Error};
use crate::text::escape::quoted;
use crate::text::reader::{Outcome, Reader, document};
use crate::text::sort::sort_by;
use crate::text::strings;

const NULL: &[u8] = b"null";
const NOTHING: &[u8] = b"{}";

/// A server's tool surface, with its text.
///
/// ```
/// let surface = gatewright::Surface::parse(br#"{"tools":[{"name":"ping","description":"Says pong."}]}"#)?;
/// assert_eq!(surface.tool_count(), 1);
/// # Ok::<(), gatewright::Error>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct Surface {
    arena: Vec<u8>,
    /// In order of their names, by UTF-16 code units.
    tools: Vec<Place>,
    /// Canonical JSON, or nothing.
    pub(crate) server_info: Option<Vec<u8>>,
    pub(crate) instructions: Option<Vec<u8>>,
    /// What a source without such members cannot tell.
    pub(crate) coverage: Coverage,
}

/// What is known of a surface.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Coverage {
    /// Everything that the server said.
    #[default]
    Whole,
    /// Of each tool, description, input schema and annotations: all that a snapshot of mcplock keeps.
    Mcplock,
}

/// Where a tool's members stand in the arena, one after another.
#[derive(Debug, Clone)]
struct Place {
    name: String,
    start: usize,
    description: usize,
    input_schema: usize,
    annotations: usize,
    extras: usize,
}

/// A tool of a surface. Each member is canonical JSON; `null` stands for what is absent.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Tool<'a> {
    pub(crate) name: &'a str,
    pub(crate) description: &'a [u8],
    pub(crate) input_schema: &'a [u8],
    pub(crate) annotations: &'a [u8],
    /// An object of all other members.
    pub(crate) extras: &'a [u8],
}

/// The tools of pages that are being read, in order of reading.
#[derive(Default)]
pub(super) struct Texts {
    arena: Vec<u8>,
    places: Vec<Place>,
}

impl Texts {
    pub(super) fn add(&mut self, parts: &Parts, out: &[u8]) {
        let start = self.arena.len();
        let description = self.push(or_null(parts.description.as_ref(), out));
        let input_schema = self.push(or_null(parts.input_schema.as_ref(), out));
        let annotations = self.push(or_null(parts.annotations.as_ref(), out));
        self.arena.push(b'{');
        for (index, member) in parts.extras.iter().enumerate() {
            if index > 0 {
                self.arena.push(b',');
            }
            self.arena.extend_from_slice(out.get(member.clone()).unwrap_or_default());
        }
        self.arena.push(b'}');
        let extras = self.arena.len();
        // The name comes later, with those of the other pages.
        self.places.push(Place { name: String::new(), start, description, input_schema, annotations, extras });
    }

    fn push(&mut self, bytes: &[u8]) -> usize {
        self.arena.extend_from_slice(bytes);
        self.arena.len()
    }
}

impl Surface {
    /// Reads a surface: an array of tools, an object with `tools` (and perhaps `serverInfo` and
    /// `instructions`), or a JSON-RPC response around one.
    ///
    /// # Errors
    /// Those of [`crate::hash_surface`].
    pub fn parse(surface: &[u8]) -> Result<Self, Error> {
        Self::read_pages(&[surface], None)
    }

    /// Reads the pages of one tools/list; `init` is an answer to `initialize`, with `serverInfo` and
    /// `instructions`.
    pub(crate) fn read_pages(pages: &[&[u8]], init: Option<&[u8]>) -> Result<Self, Error> {
        Ok(Self::of_listed(read::pages(pages, init, None)?))
    }

    /// Reads the surface that comes next in a larger document.
    pub(crate) fn read_inside(reader: &mut Reader<'_>) -> Outcome<Self> {
        Ok(Self::of_listed(read::one(reader, None)?))
    }

    fn of_listed(listed: Listed) -> Self {
        let Listed { names, keeps, server_info, instructions } = listed;
        let mut texts = Texts::default();
        for keep in keeps {
            let page = keep.into_texts();
            if texts.places.is_empty() {
                texts = page;
                continue;
            }
            let base = texts.arena.len();
            texts.arena.extend_from_slice(&page.arena);
            texts.places.extend(page.places.into_iter().map(|place| place.moved(base)));
        }
        let Texts { arena, mut places } = texts;
        let empty = Place { name: String::new(), start: 0, description: 0, input_schema: 0, annotations: 0, extras: 0 };
        let tools = names.into_iter().filter_map(|(name, order)| {
            let place = core::mem::replace(places.get_mut(order)?, empty.clone());
            Some(Place { name, ..place })
        });
        Self { tools: tools.collect(), arena, server_info, instructions, coverage: Coverage::Whole }
    }

    /// A surface of these tools.
    ///
    /// # Errors
    /// `duplicate-tool`.
    pub(crate) fn of_tools<'a>(tools: impl Iterator<Item = Tool<'a>>) -> Result<Self, Error> {
        let mut surface = Self::default();
        let mut push = |bytes: &[u8]| {
            surface.arena.extend_from_slice(bytes);
            surface.arena.len()
        };
        let mut places = Vec::new();
        for tool in tools {
            let start = push(b"");
            let [description, input_schema, annotations, extras] =
                [tool.description, tool.input_schema, tool.annotations, tool.extras].map(&mut push);
            places.push(Place { name: tool.name.to_owned(), start, description, input_schema, annotations, extras });
        }
        sort_by(&mut places, |a, b| strings::compare_utf16(&a.name, &b.name));
        let twice = places.windows(2).find_map(|pair| match pair {
            [a, b] if a.name == b.name => Some(&a.name),
            _ => None,
        });
        if let Some(name) = twice {
            return Err(Error::new(Code::DuplicateTool, format!("there are two tools named {}", quoted(name))));
        }
        surface.tools = places;
        Ok(surface)
    }

    /// How many tools it has.
    #[must_use]
    pub fn tool_count(&self) -> usize {
        self.tools.len()
    }

    /// The tools, in order of their names by UTF-16 code units.
    pub(crate) fn tools(&self) -> impl ExactSizeIterator<Item = Tool<'_>> {
        self.tools.iter().map(|place| self.at(place))
    }

    pub(crate) fn tool(&self, name: &str) -> Option<Tool<'_>> {
        let found = self.tools.binary_search_by(|place| strings::compare_utf16(&place.name, name)).ok()?;
        self.tools.get(found).map(|place| self.at(place))
    }

    fn at<'a>(&'a self, place: &'a Place) -> Tool<'a> {
        let bytes = |from: usize, to: usize| self.arena.get(from..to).unwrap_or_default();
        Tool {
            name: &place.name,
            description: bytes(place.start, place.description),
            input_schema: bytes(place.description, place.input_schema),
            annotations: bytes(place.input_schema, place.annotations),
            extras: bytes(place.annotations, place.extras),
        }
    }

    /// The whole surface as canonical JSON (RFC 8785), tools in order of their names.
    pub(crate) fn to_canonical(&self) -> String {
        let mut out = Vec::with_capacity(self.arena.len() + self.tools.len() * 64);
        out.push(b'{');
        for (key, value) in [("instructions", &self.instructions), ("serverInfo", &self.server_info)] {
            if let Some(value) = value {
                strings::write_text(key, &mut out);
                out.push(b':');
                out.extend_from_slice(value);
                out.push(b',');
            }
        }
        out.extend_from_slice(b"\"tools\":[");
        for (index, tool) in self.tools().enumerate() {
            if index > 0 {
                out.push(b',');
            }
            tool.write(&mut out);
        }
        out.extend_from_slice(b"]}");
        String::from_utf8(out).unwrap_or_default()
    }
}

impl Place {
    fn moved(self, by: usize) -> Self {
        Self {
            name: self.name,
            start: self.start + by,
            description: self.description + by,
            input_schema: self.input_schema + by,
            annotations: self.annotations + by,
            extras: self.extras + by,
        }
    }
}

impl PartialEq for Tool<'_> {
    /// Whether two tools are the same but for their names.
    fn eq(&self, other: &Self) -> bool {
        self.description == other.description
            && self.input_schema == other.input_schema
            && self.annotations == other.annotations
            && self.extras == other.extras
    }
}

impl Tool<'_> {
    /// The description, if it is a string.
    pub(crate) fn description_text(&self) -> Option<String> {
        text_of(self.description)
    }

    /// The other members, in order of their keys: key and canonical value.
    pub(crate) fn extra_members(&self) -> Vec<(String, Vec<u8>)> {
        if self.extras == NOTHING {
            return Vec::new();
        }
        let read = document(self.extras, |reader| {
            let mut writer = Writer::default();
            let members = writer.object_members(reader)?.to_vec();
            let bytes = |range: core::ops::Range<usize>| writer.out.get(range).unwrap_or_default();
            let member =
                |member: &crate::canon::Member| (strings::decode(bytes(member.key())), bytes(member.value()).to_vec());
            Ok(members.iter().map(member).collect())
        });
        read.unwrap_or_default()
    }

    /// Writes the tool as canonical JSON.
    pub(crate) fn write(&self, out: &mut Vec<u8>) {
        let mut name = Vec::new();
        strings::write_text(self.name, &mut name);
        let extras = self.extra_members();
        let mut members: Vec<(&str, &[u8])> =
            extras.iter().map(|(key, value)| (key.as_str(), value.as_slice())).collect();
        members.push(("name", &name));
        let own =
            [("description", self.description), ("inputSchema", self.input_schema), ("annotations", self.annotations)];
        members.extend(own.into_iter().filter(|(_, value)| *value != NULL));
        sort_by(&mut members, |(a, _), (b, _)| strings::compare_utf16(a, b));
        out.push(b'{');
        for (index, (key, value)) in members.into_iter().enumerate() {
            if index > 0 {
                out.push(b',');
            }
            strings::write_text(key, out);
            out.push(b':');
            out.extend_from_slice(value);
        }
        out.push(b'}');
    }
}

/// The text of a canonical JSON string, and nothing of another value.
fn text_of(json: &[u8]) -> Option<String> {
    json.starts_with(b"\"").then(|| strings::decode(json))
}

/// Canonical JSON that is put into a result as it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Json(Box<str>);

impl Json {
    pub(crate) fn of(canonical: &[u8]) -> Self {
        Self(String::from_utf8_lossy(canonical).into())
    }

    /// The text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl Serialize for Json {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let raw: &serde_json::value::RawValue = serde_json::from_str(&self.0).map_err(serde::ser::Error::custom)?;
        raw.serialize(serializer)
    }
}
