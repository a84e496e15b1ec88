//! JSON Schema, as drift and lint read it: does a schema accept a value, and what does one schema accept that
//! another refuses?
//!
//! The model is that of JSON Schema draft-07 and 2020-12 as MCP servers write them. What is not understood, or
//! would take too long, is undecided, and said to be.

#![allow(clippy::float_cmp, reason = "bounds are compared as they are written, and none is computed")]

mod contain;
mod evaluate;
mod flat;
mod format;
mod pattern;
mod resolve;
mod sample;

use serde::Serialize;

use crate::error::Error;
use crate::surface::Json;
use crate::text::value::Value;
use contain::{Gap, gaps};

/// A way in which one schema accepts what the other refuses, or may accept it.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Widening {
    /// Where the keyword stands in the schema after, as a JSON Pointer; where it would stand, if it is not there.
    pub pointer: String,
    /// Where it stands in the schema before, if that is another place.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub before_pointer: Option<String>,
    /// The keyword that lets it through.
    pub keyword: &'static str,
    /// An argument that proves it: one schema accepts it, the other does not. Absent if it is undecided.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub witness: Option<Json>,
    /// The keyword's argument before; absent if there was none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub before: Option<Json>,
    /// The keyword's argument after; absent if there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub after: Option<Json>,
}

/// What moved between two schemas, by the calls that they accept.
#[derive(Debug, Clone, PartialEq, Serialize)]
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
/// assert_eq!((moved.widenings.len(), moved.widenings[0].keyword), (1, "required"));
/// assert_eq!(moved.widenings[0].witness.as_ref().map(|witness| witness.as_str()), Some("{}"));
/// # Ok::<(), gatewright::Error>(())
/// ```
pub fn schema_widenings(before: &[u8], after: &[u8]) -> Result<Widenings, Error> {
    let read = |schema: &[u8], which: &str| {
        let canonical = crate::canonicalize(schema).map_err(|error| error.within(which))?;
        Value::parse(canonical.as_bytes()).map_err(|error| error.within(which))
    };
    let (before, after) = (read(before, "the schema before")?, read(after, "the schema after")?);
    let (widenings, undecided) = gaps(&before, &after).into_iter().partition(|gap| gap.witness.is_some());
    let narrowings = gaps(&after, &before).into_iter().filter(|gap| gap.witness.is_some()).map(Widening::turned);
    let all = |gaps: Vec<Gap>| gaps.into_iter().map(Widening::of).collect();
    Ok(Widenings { widenings: all(widenings), narrowings: narrowings.collect(), undecided: all(undecided) })
}

impl Widening {
    fn of(gap: Gap) -> Self {
        let json = |value: Value| Json::of(value.to_compact().as_bytes());
        Self {
            pointer: gap.pointer,
            before_pointer: None,
            keyword: gap.keyword,
            witness: gap.witness.map(json),
            before: gap.before.map(json),
            after: gap.after.map(json),
        }
    }

    /// Of two schemas that were compared the other way round.
    fn turned(gap: Gap) -> Self {
        let widening = Self::of(gap);
        Self { before: widening.after, after: widening.before, ..widening }
    }
}
