//! Overlap: is there a call that two schemas both accept?

use super::contain::is_empty;
use super::document::{Dialect, Document};
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
    // Both in one document, in which each finds its own definitions. Of two dialects, the newer is spoken.
    let newer = if Dialect::of(a) > Dialect::of(b) { a } else { b };
    let mut both = Object::default();
    both.set("allOf", Data::Array(vec![moved(a, "#/allOf/0", Dialect::of(a)), moved(b, "#/allOf/1", Dialect::of(b))]));
    if let Some(name) = newer.as_object().and_then(|newer| newer.get("$schema")) {
        both.set("$schema", name.clone());
    }
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
fn moved(schema: &Value, place: &str, dialect: Dialect) -> Value {
    match &schema.data {
        Data::Object(members) => {
            let mut out = Object::default();
            for (key, member) in members.iter() {
                let text = member.as_str();
                let target = text.filter(|_| key == "$ref").and_then(|target| target.strip_prefix('#'));
                // Beside a reference, draft-07 passes over everything but definitions.
                let is_passed_over = dialect == Dialect::Draft7
                    && members.get("$ref").and_then(Value::as_str).is_some()
                    && !matches!(key, "$ref" | "$defs" | "definitions");
                match target {
                    Some(target) => out.set(key, format!("{place}{target}")),
                    None if is_passed_over || (key == "$schema" && text.is_some()) => {}
                    None => out.set(key, moved(member, place, dialect)),
                }
            }
            out.into()
        }
        Data::Array(items) => Data::Array(items.iter().map(|item| moved(item, place, dialect)).collect()).into(),
        _ => schema.clone(),
    }
}
