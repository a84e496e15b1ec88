//! A parameter takes values of a type that it refused.

use super::{DEFAULT, DriftRule, Facts, Found, READ_IT, beyond};
use crate::drift::change::Subject;
use crate::finding::Severity;

pub(super) const RULE: DriftRule = DriftRule {
    rule: beyond(
        "type-widened",
        "schema",
        Severity::High,
        "A parameter takes values of a type that it refused.",
        "A path that was a string and may now be a list, or a number that may now be a text, reaches code that was not reviewed for it. The evidence has a call that was refused and is accepted, checked against both schemas.",
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
        ways.filter(|way| !way.is_default && matches!(way.keyword.as_str(), "type" | "schema")).collect();
    facts.lets_through("takes values of other types", &ways)
}
