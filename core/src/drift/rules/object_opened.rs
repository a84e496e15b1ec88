//! An object takes members that its schema does not describe.

use super::{DEFAULT, DriftRule, Facts, Found, READ_IT, beyond};
use crate::drift::change::Subject;
use crate::finding::Severity;

pub(super) const RULE: DriftRule = DriftRule {
    rule: beyond(
        "object-opened",
        "schema",
        Severity::Medium,
        "An object takes members that its schema does not describe.",
        "With `additionalProperties` no longer false, or a wider pattern of names, calls can carry arguments that nobody reviewed, if the server reads them. It is high if the whole schema is gone. The evidence has a call that was refused and is accepted, checked against both schemas.",
        READ_IT,
    ),
    subjects: &[Subject::InputSchema],
    profiles: DEFAULT,
    is_fallback: false,
    check,
};

fn check(facts: &Facts<'_>) -> Option<Found> {
    let ways = facts.calls()?.moved.widenings.iter();
    let ways: Vec<_> = ways
        .filter(|way| {
            matches!(way.keyword.as_str(), "additionalProperties" | "patternProperties" | "unevaluatedProperties")
        })
        .collect();
    let found = facts.lets_through("takes arguments that it does not describe", &ways)?;
    // Without a schema, nothing is described at all.
    let is_schemaless = facts.field.is_some_and(|field| field.after.as_object().is_none());
    Some(if is_schemaless { found.rated(Severity::High) } else { found })
}
