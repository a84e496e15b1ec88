//! JSON Schema, as drift and lint read it: does a schema accept a value, and what does one schema accept that
//! another refuses?
//!
//! The model is that of JSON Schema draft-07 and 2020-12 as MCP servers write them. What is not understood, or
//! would take too long, is undecided, and said to be.

#![allow(clippy::float_cmp, reason = "bounds are compared as they are written, and none is computed")]

mod contain;
mod document;
mod evaluate;
mod flat;
mod format;
mod keywords;
mod overlap;
mod parameters;
mod pattern;
mod sample;

use serde::Serialize;

use crate::error::Error;
use crate::surface::Json;
use crate::text::pointer::push_key;
use crate::text::sort::sort_by;
use crate::text::strings::compare_utf16;
use crate::text::value::Value;
pub(crate) use contain::Effort;
use contain::{Gap, Spot, gaps};
use document::Places;
pub(crate) use document::{Document, address};
use overlap::{Common, common};
pub(crate) use parameters::{Named, compare_paths, parameters};

/// How long the arguments of keywords may be that one comparison tells, together.
const MAX_ARGUMENTS: usize = 1_000_000;

/// A way in which one schema accepts what the other refuses, or may accept it.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Widening {
    /// Where the keyword stands in the schema after, as a JSON Pointer; where it would stand, if it is not there.
    pub pointer: String,
    /// Where it stands in the schema before, or would, if that is another place.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub before_pointer: Option<String>,
    /// The keyword that lets it through. `schema` stands for a whole schema: one that accepted nothing, or was not
    /// looked into because it is too deep or too large, or leads to what is not there.
    pub keyword: String,
    /// An argument that proves it: one schema accepts it, the other does not. Absent if it is undecided.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub witness: Option<Json>,
    /// The keyword's argument before; absent if there was none, or if all arguments together are too long.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub before: Option<Json>,
    /// The keyword's argument after; absent if there is none, or if all arguments together are too long.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub after: Option<Json>,
    /// The property that it is about.
    #[serde(skip)]
    pub(crate) parameter: Option<Parameter>,
    /// The value that a list gained.
    #[serde(skip)]
    pub(crate) added: Option<Value>,
    /// Whether all that is let through is `null`, which is or was the default.
    #[serde(skip)]
    pub(crate) is_default: bool,
    /// The witness as a tree.
    #[serde(skip)]
    pub(crate) call: Option<Value>,
}

/// A property that came, went or need not be given any more.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Parameter {
    pub(crate) name: String,
    /// Whether the schema before described it, and the one after does not.
    pub(crate) is_gone: bool,
    /// Whether only the schema after describes it.
    pub(crate) is_new: bool,
}

/// What moved between two schemas, by the calls that they accept.
#[derive(Debug, Clone, PartialEq, Serialize, Default)]
pub struct Widenings {
    /// What the new schema accepts and the old one refuses.
    pub widenings: Vec<Widening>,
    /// What the old schema accepts and the new one refuses.
    pub narrowings: Vec<Widening>,
    /// Where it could not be decided whether the new schema accepts more.
    pub undecided: Vec<Widening>,
}

/// Says in which ways a schema accepts calls that another refuses, each proven by an example.
///
/// Schemas that say the same in other words do not differ: an `enum` and an `anyOf` of `const`, exclusive and
/// inclusive bounds of integers, a union with `null` and a list of types, a definition in place and by `$ref`.
///
/// # Errors
/// Those of [`crate::canonicalize`], for either schema.
///
/// ```
/// let before = br#"{"type":"object","properties":{"path":{"type":"string"}},"required":["path"]}"#;
/// let after = br#"{"type":"object","properties":{"path":{"type":"string"}}}"#;
/// let moved = gatewright::schema_widenings(before, after)?;
/// assert_eq!((moved.widenings.len(), moved.widenings[0].keyword.as_str()), (1, "required"));
/// assert_eq!(moved.widenings[0].witness.as_ref().map(|witness| witness.as_str()), Some("{}"));
/// # Ok::<(), gatewright::Error>(())
/// ```
pub fn schema_widenings(before: &[u8], after: &[u8]) -> Result<Widenings, Error> {
    let (before, after) = (read(before, "the schema before")?, read(after, "the schema after")?);
    Ok(Widenings::of(&before, &after, &Effort::new(usize::MAX)))
}

/// Whether one call could satisfy two schemas.
#[derive(Debug, Clone, PartialEq)]
pub enum Overlap {
    /// It could: this argument does.
    Call(Json),
    /// No call does.
    Apart,
    /// It could not be decided.
    Undecided,
}

/// Says whether there is a call that two schemas both accept, with an example of one.
///
/// # Errors
/// Those of [`schema_widenings`].
///
/// ```
/// use gatewright::{Overlap, schema_overlap};
/// let by_path = br#"{"type":"object","properties":{"path":{"type":"string"}},"required":["path"]}"#;
/// let by_id = br#"{"type":"object","properties":{"id":{"type":"integer"}},"additionalProperties":false}"#;
/// assert_eq!(schema_overlap(by_path, by_id)?, Overlap::Apart);
/// let any = br#"{"type":"object"}"#;
/// assert!(matches!(schema_overlap(by_path, any)?, Overlap::Call(call) if call.as_str() == r#"{"path":"x"}"#));
/// # Ok::<(), gatewright::Error>(())
/// ```
pub fn schema_overlap(a: &[u8], b: &[u8]) -> Result<Overlap, Error> {
    Ok(match common(&read(a, "the first schema")?, &read(b, "the second schema")?) {
        Common::Value(value) => Overlap::Call(Json::of(value.to_compact().as_bytes())),
        Common::Nothing => Overlap::Apart,
        Common::Unknown => Overlap::Undecided,
    })
}

fn read(schema: &[u8], which: &str) -> Result<Value, Error> {
    let mut value = Value::parse(schema).map_err(|error| error.within(which))?;
    value.make_canonical();
    Ok(value)
}

impl Widenings {
    /// Between two schemas in canonical form.
    pub(crate) fn of(before: &Value, after: &Value, effort: &Effort) -> Self {
        let (before, after) = (Document::new(before), Document::new(after));
        let (mut widenings, mut undecided, mut narrowings) = (Vec::new(), Vec::new(), Vec::new());
        for gap in gaps(&before, &after, effort) {
            if gap.witness.is_some() { &mut widenings } else { &mut undecided }.push(gap);
        }
        for gap in gaps(&after, &before, effort) {
            if gap.witness.is_some() {
                narrowings.push(gap.turned());
            }
        }
        let [widenings, narrowings, undecided] =
            [widenings, narrowings, undecided].map(|gaps| told(&gaps, &before, &after));
        Self { widenings, narrowings, undecided }
    }
}

/// The gaps in words and pointers, in order of their places.
fn told(gaps: &[Gap<'_>], before: &Document<'_>, after: &Document<'_>) -> Vec<Widening> {
    let old = before.places(gaps.iter().filter_map(|gap| gap.old.address()));
    let new = after.places(gaps.iter().filter_map(|gap| gap.new.address()));
    let mut room = MAX_ARGUMENTS;
    let mut all: Vec<Widening> = gaps.iter().map(|gap| Widening::of(gap, &old, &new, &mut room)).collect();
    sort_by(&mut all, |a, b| compare_utf16(&a.pointer, &b.pointer).then_with(|| compare_utf16(&a.keyword, &b.keyword)));
    all
}

/// Where a spot of a gap stands.
fn pointer(places: &Places, spot: Spot<'_>) -> String {
    let mut pointer = spot.address().map(|address| places.pointer(address)).unwrap_or_default();
    if let Spot::In(_, keyword) = spot {
        push_key(&mut pointer, keyword);
    }
    pointer
}

impl Widening {
    fn of(gap: &Gap<'_>, old: &Places, new: &Places, room: &mut usize) -> Self {
        let json = |value: &Value| Json::of(value.to_compact().as_bytes());
        let mut argument = |spot: Spot<'_>| {
            let text = spot.argument().map(Value::to_compact)?;
            *room = room.checked_sub(text.len())?;
            Some(Json::of(text.as_bytes()))
        };
        let (before_pointer, pointer) = (pointer(old, gap.old), pointer(new, gap.new));
        let parameter = gap.parameter.map(|parameter| Parameter {
            name: parameter.name.to_owned(),
            is_gone: parameter.was_there && !parameter.is_there,
            is_new: parameter.is_there && !parameter.was_there,
        });
        Self {
            before_pointer: (before_pointer != pointer).then_some(before_pointer),
            pointer,
            keyword: gap.keyword.to_owned(),
            witness: gap.witness.as_ref().map(json),
            before: argument(gap.old),
            after: argument(gap.new),
            parameter,
            added: gap.added.cloned(),
            is_default: gap.is_default,
            call: gap.witness.clone(),
        }
    }
}
