//! A behavioural promise was turned round, made or withdrawn.

use serde_json::{Map, Value as Json};

use super::{BOTH, DriftRule, Facts, Found, listed, rule};
use crate::drift::change::Subject;
use crate::finding::Severity;
use crate::text::value::{Data, Object, Value};

pub(super) const RULE: DriftRule = DriftRule {
    rule: rule(
        "annotation-flip",
        "annotations",
        Severity::Critical,
        "A hint on how a tool behaves has another value: `destructiveHint`, `readOnlyHint`, `idempotentHint` or `openWorldHint`.",
        "A client may run a tool without asking because it promises to be read-only. When such a promise moves, in either \
         direction, what was approved is not what is there. The server cannot be held to the promise: look at what the tool \
         does now, and at the permissions that were given to it.",
        "look at what the tool does now, and at the permissions that it has; if you trust it, pin it again",
    ),
    subjects: &[Subject::Annotations],
    profiles: BOTH,
    is_fallback: false,
    check,
};

const HINTS: [&str; 4] = ["destructiveHint", "idempotentHint", "openWorldHint", "readOnlyHint"];

fn check(facts: &Facts<'_>) -> Option<Found> {
    let field = facts.field?;
    let none = Object::default();
    let [before, after] = [&field.before, &field.after].map(|value| value.as_object().unwrap_or(&none));
    let value = |object: &Object, hint| object.get(hint).map_or(Data::Null, |value| value.data.clone());
    let flipped: Vec<&str> = HINTS.into_iter().filter(|hint| value(before, hint) != value(after, hint)).collect();
    if flipped.is_empty() {
        return None;
    }
    let shown = |object: &Object, hint| match object.get(hint).map(|value| &value.data) {
        None | Some(Data::Null) => "absent",
        Some(Data::Bool(true)) => "true",
        Some(Data::Bool(false)) => "false",
        Some(_) => "no boolean",
    };
    let message = match flipped.as_slice() {
        [hint] => format!("{hint} of {} was {} and is {}", facts.whose(), shown(before, hint), shown(after, hint)),
        hints => format!("the hints {} of {} have other values", listed(hints), facts.whose()),
    };
    let side = |object: &Object| -> Json {
        let mut hints = Map::new();
        for hint in &flipped {
            if let Some(value) = object.get(hint).and_then(Value::as_bool) {
                hints.insert((*hint).to_owned(), Json::Bool(value));
            }
        }
        Json::Object(hints)
    };
    let found = facts.field_found(message)?;
    Some(found.with("hints", flipped.clone()).with("before", side(before)).with("after", side(after)))
}
