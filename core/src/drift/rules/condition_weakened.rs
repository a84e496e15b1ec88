//! A condition on the arguments (`allOf`, `not`, `if`) is weaker or gone.

use super::{DEFAULT, DriftRule, Facts, Found, READ_IT, beyond};
use crate::drift::change::Subject;
use crate::finding::Severity;

pub(super) const RULE: DriftRule = DriftRule {
    rule: beyond(
        "condition-weakened",
        "schema",
        Severity::High,
        "A condition on the arguments (`allOf`, `not`, `if`) is weaker or gone.",
        "Arguments that were excluded, such as a `not` around a protected path, are accepted. The evidence has a call that was refused and is accepted, checked against both schemas.",
        READ_IT,
    ),
    subjects: &[Subject::InputSchema],
    profiles: DEFAULT,
    is_fallback: false,
    check,
};

fn check(facts: &Facts<'_>) -> Option<Found> {
    let ways = facts.calls()?.moved.widenings.iter();
    let ways: Vec<_> = ways.filter(|way| matches!(way.keyword.as_str(), "allOf" | "not" | "if")).collect();
    facts.lets_through("no longer excludes what it did", &ways)
}
