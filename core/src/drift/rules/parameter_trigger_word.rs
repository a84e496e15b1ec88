//! A new parameter's name has a trigger word.

use super::{DriftRule, Facts, Found, MCPLOCK, READ_IT, listed, rule};
use crate::drift::change::Subject;
use crate::drift::vocabulary::triggers;
use crate::finding::Severity;
use crate::text::pointer::push_key;
use crate::text::value::{Object, Value};

pub(super) const RULE: DriftRule = DriftRule {
    rule: rule(
        "parameter-trigger-word",
        "schema",
        Severity::High,
        "A new parameter has one of the words execute, delete, send, all and admin in its name.",
        "A parameter such as `delete_all` lets an agent do more than what was reviewed, whether or not it is optional. Only the \
         parameters of the outermost object are looked at, and their names alone. In the default profile, `new-parameter` looks \
         at more.",
        READ_IT,
    ),
    subjects: &[Subject::InputSchema],
    profiles: MCPLOCK,
    is_fallback: false,
    check,
};

fn check(facts: &Facts<'_>) -> Option<Found> {
    let (before, after) = facts.objects()?;
    let none = Object::default();
    let properties = |schema: &'_ Object| schema.get("properties").and_then(Value::as_object).cloned();
    let (before, after) = (properties(before).unwrap_or_default(), properties(after).unwrap_or(none));
    let is_new = |name: &&str| before.get(name).is_none() && !triggers(name).is_empty();
    let new: Vec<&str> = after.iter().map(|(name, _)| name).filter(is_new).collect();
    let first = new.first()?;
    let noun = if new.len() == 1 { "a new parameter" } else { "new parameters" };
    let mut found = facts.field_found(format!("{} has {noun} with a trigger word: {}", facts.whose(), listed(&new)))?;
    push_key(&mut found.pointer, "properties");
    push_key(&mut found.pointer, first);
    Some(found.with("parameters", new))
}
