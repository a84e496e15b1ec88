//! It could not be decided whether a tool accepts calls that it refused.

use super::{DEFAULT, DriftRule, Facts, Found, READ_IT, beyond, listed, parameter_relaxed, places};
use crate::drift::change::Subject;
use crate::finding::Severity;

pub(super) const RULE: DriftRule = DriftRule {
    rule: beyond(
        "undecided-calls",
        "schema",
        Severity::Medium,
        "It could not be decided whether a tool accepts calls that it refused.",
        "A part of the input schema changed that is not understood, or is too deep or too large to be compared: an unknown keyword, a pattern with look-around, a reference to another document. What could not be shown to be harmless is not called harmless. It is high if there are too many parameters to be compared.",
        READ_IT,
    ),
    subjects: &[Subject::InputSchema],
    profiles: DEFAULT,
    is_fallback: false,
    check,
};

fn check(facts: &Facts<'_>) -> Option<Found> {
    let calls = facts.calls()?;
    let ways: Vec<_> = calls.moved.undecided.iter().filter(|way| !parameter_relaxed::is_relaxed(way)).collect();
    let whose = facts.whose();
    let message = match (ways.first(), calls.are_too_many) {
        (Some(_), false) => {
            format!("it is undecided whether {whose} accepts calls that it refused: {}", listed(&places(&ways)))
        }
        (_, true) => format!("{whose} has too many parameters for them to be compared"),
        (None, false) => return None,
    };
    let mut found = facts.field_found(message)?;
    found.pointer = facts.inside(ways.first().map_or("", |way| way.pointer.as_str()));
    // Among so many parameters, one of consequence is easily hidden.
    let severity = if calls.are_too_many { Severity::High } else { Severity::Medium };
    Some(found.with_ways(&ways).rated(severity))
}
