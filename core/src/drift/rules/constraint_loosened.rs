//! A bound, length, count, pattern or format of a parameter is looser or gone.

use super::{DEFAULT, DriftRule, Facts, Found, READ_IT, beyond};
use crate::drift::change::Subject;
use crate::finding::Severity;

pub(super) const RULE: DriftRule = DriftRule {
    rule: beyond(
        "constraint-loosened",
        "schema",
        Severity::High,
        "A bound, length, count, pattern or format of a parameter is looser or gone.",
        "What kept a parameter within limits is weaker: a maximum is higher, a pattern that held a path inside a folder is gone. The evidence has a call that was refused and is accepted, checked against both schemas.",
        READ_IT,
    ),
    subjects: &[Subject::InputSchema],
    profiles: DEFAULT,
    is_fallback: false,
    check,
};

fn check(facts: &Facts<'_>) -> Option<Found> {
    let ways = facts.calls()?.moved.widenings.iter();
    let ways: Vec<_> = ways.filter(|way| is_constraint(&way.keyword)).collect();
    facts.lets_through("is held to less", &ways)
}

/// Whether no other rule speaks of a keyword.
fn is_constraint(keyword: &str) -> bool {
    const OTHERS: [&str; 13] = [
        "additionalProperties",
        "allOf",
        "anyOf",
        "enum",
        "if",
        "not",
        "oneOf",
        "patternProperties",
        "properties",
        "required",
        "schema",
        "type",
        "unevaluatedProperties",
    ];
    !OTHERS.contains(&keyword)
}
