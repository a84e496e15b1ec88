//! A parameter of a tool is gone.

use super::{DEFAULT, DriftRule, Facts, Found, READ_IT, beyond, listed};
use crate::drift::change::Subject;
use crate::finding::Severity;

/// How many names the evidence has.
const MOST: usize = 64;

pub(super) const RULE: DriftRule = DriftRule {
    rule: beyond(
        "removed-parameter",
        "schema",
        Severity::Informational,
        "A parameter of a tool is gone.",
        "It is medium if the parameter had to be given, as a `confirm` may have been. The specification rates a required parameter that is gone as one that was relaxed, high; but no call can leave out what does not exist.",
        READ_IT,
    ),
    subjects: &[Subject::InputSchema],
    profiles: DEFAULT,
    is_fallback: false,
    check,
};

fn check(facts: &Facts<'_>) -> Option<Found> {
    let calls = facts.calls()?;
    let (required, optional): (Vec<_>, Vec<_>) = calls.went.iter().partition(|parameter| parameter.is_required);
    let severity = if required.is_empty() { Severity::Informational } else { Severity::Medium };
    let told = if required.is_empty() { &optional } else { &required };
    let first = told.first()?;
    let names: Vec<&str> = told.iter().map(|parameter| parameter.name.as_str()).collect();
    let (noun, verb) = if names.len() == 1 { ("parameter", "is") } else { ("parameters", "are") };
    let kind = if required.is_empty() { "" } else { "required " };
    let why = if required.is_empty() { "" } else { ": removed, and not made optional" };
    let message = format!("{kind}{noun} {} of {} {verb} gone{why}", listed(&names), facts.whose());
    let all: Vec<&str> = required.iter().chain(&optional).map(|parameter| parameter.name.as_str()).take(MOST).collect();
    let mut found = facts.field_found(message)?;
    found.pointer = facts.inside(&first.pointer);
    Some(found.with("parameters", all).rated(severity))
}
