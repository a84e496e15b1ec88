//! A parameter may be something else, by a branch of `anyOf` or `oneOf` that is new or wider.

use super::{DEFAULT, DriftRule, Facts, Found, READ_IT, beyond, parameter_relaxed};
use crate::drift::change::Subject;
use crate::finding::Severity;
use crate::schema::Widening;

pub(super) const RULE: DriftRule = DriftRule {
    rule: beyond(
        "branch-added",
        "schema",
        Severity::High,
        "A parameter may be something else, by a branch of `anyOf` or `oneOf` that is new or wider.",
        "What a parameter may be has one more form. The evidence has a call that was refused and is accepted, checked against both schemas.",
        READ_IT,
    ),
    subjects: &[Subject::InputSchema],
    profiles: DEFAULT,
    is_fallback: false,
    check,
};

fn check(facts: &Facts<'_>) -> Option<Found> {
    let calls = facts.calls()?;
    // A form in which a parameter is not described takes anything for it.
    let is_of_form = |way: &Widening| match way.keyword.as_str() {
        "anyOf" | "oneOf" => !way.is_default,
        "properties" | "required" => !parameter_relaxed::is_relaxed(way) && !calls.is_of_parameters(way),
        _ => false,
    };
    let ways: Vec<&Widening> = calls.moved.widenings.iter().filter(|way| is_of_form(way)).collect();
    facts.lets_through("takes another form of arguments", &ways)
}
