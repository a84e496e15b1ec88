//! A parameter may be given as `null`, which is what leaving it out means.

use super::{DEFAULT, DriftRule, Facts, Found, beyond};
use crate::drift::change::Subject;
use crate::finding::Severity;

pub(super) const RULE: DriftRule = DriftRule {
    rule: beyond(
        "null-default",
        "schema",
        Severity::Informational,
        "A parameter may be given as `null`, which is what leaving it out means.",
        "Generators write an optional parameter now as a type with a default, now as a union with `null` whose default is \
         `null`. A call with `null` was refused and is accepted, but it says no more than one that leaves the parameter out.",
        "nothing needs to be done; pin it again to no longer see this",
    ),
    subjects: &[Subject::InputSchema],
    profiles: DEFAULT,
    is_fallback: false,
    check,
};

fn check(facts: &Facts<'_>) -> Option<Found> {
    let ways = facts.calls()?.moved.widenings.iter();
    let ways: Vec<_> = ways.filter(|way| way.is_default).collect();
    facts.lets_through("takes `null` where it is the default", &ways)
}
