//! Overlap: is there a call that two schemas both accept?

use super::contain::is_empty;
use super::document::Document;
use super::evaluate::{Evaluator, Verdict};
use super::flat::Flat;
use super::sample::samples;
use crate::text::value::{Data, Object, Value};

/// Whether one value satisfies two schemas.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Common {
    /// This one does.
    Value(Value),
    /// None does.
    Nothing,
    /// It could not be decided.
    Unknown,
}

/// A value that both schemas accept, the plainest that was found.
pub(super) fn common(a: &Value, b: &Value) -> Common {
    // Both in one document, in which each finds its own definitions.
    let parts = [(a, "#/allOf/0"), (b, "#/allOf/1")];
    let parts = parts.map(|(schema, place)| moved(schema, place, Document::new(schema).is_draft7));
    let mut both = Object::default();
    both.set("allOf", Data::Array(parts.to_vec()));
    let both = Value::from(both);
    let document = Document::new(&both);
    let Some(flat) = Flat::of(&[&both], &document) else { return Common::Unknown };
    let evaluator = Evaluator::new(&document);
    let is_common = |value: &Value| evaluator.accepts(&both, value) == Verdict::Accepts;
    match samples(&flat, &document).into_iter().find(is_common) {
        Some(value) => Common::Value(value),
        None if is_empty(&flat, &document) => Common::Nothing,
        None => Common::Unknown,
    }
}

/// The schema as a part of another document.
fn moved(schema: &Value, place: &str, is_draft7: bool) -> Value {
    match &schema.data {
        Data::Object(members) => {
            let mut out = Object::default();
            for (key, member) in members.iter() {
                let target = member.as_str().filter(|_| key == "$ref").and_then(|target| target.strip_prefix('#'));
                match (key, target) {
                    ("$schema", _) => {}
                    (_, Some(target)) => out.set(key, format!("{place}{target}")),
                    // Beside a reference, draft-07 passes over everything but definitions.
                    _ if is_draft7
                        && members.get("$ref").and_then(Value::as_str).is_some()
                        && key != "definitions"
                        && key != "$defs" => {}
                    _ => out.set(key, moved(member, place, is_draft7)),
                }
            }
            out.into()
        }
        Data::Array(items) => Data::Array(items.iter().map(|item| moved(item, place, is_draft7)).collect()).into(),
        _ => schema.clone(),
    }
}
