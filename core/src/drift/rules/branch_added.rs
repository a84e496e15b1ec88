//! A parameter may be something else, by a branch of `anyOf` or `oneOf` that is new or wider.

use super::{DEFAULT, DriftRule, Facts, Found, READ_IT, beyond};
use crate::drift::change::Subject;
use crate::finding::Severity;

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
    let ways = facts.calls()?.moved.widenings.iter();
    let ways: Vec<_> =
        ways.filter(|way| !way.is_default && matches!(way.keyword.as_str(), "anyOf" | "oneOf")).collect();
    facts.lets_through("takes another form of arguments", &ways)
}
