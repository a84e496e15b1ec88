//! A tool's input schema changed in a way that no other rule speaks of.

use super::{BOTH, DriftRule, Facts, Found, READ_IT, rule};
use crate::drift::Profile;
use crate::drift::change::Subject;
use crate::finding::Severity;

pub(super) const RULE: DriftRule = DriftRule {
    rule: rule(
        "schema-edit",
        "schema",
        Severity::Informational,
        "A tool's input schema changed in a way that no other rule speaks of.",
        "A description, a default or another annotation moved, or the same is said in other words; in the default profile, \
         the evidence says whether the same calls are accepted. In the profile `mcplock`, it is anything but required \
         parameters of the outermost object and the names of new ones.",
        READ_IT,
    ),
    subjects: &[Subject::InputSchema],
    profiles: BOTH,
    is_fallback: true,
    check,
};

fn check(facts: &Facts<'_>) -> Option<Found> {
    let found = facts.edited("the input schema")?;
    let calls = facts.calls().filter(|_| facts.profile == Profile::Default);
    Some(match calls {
        Some(calls) => found.with("sameCalls", calls.are_the_same()),
        None => found,
    })
}
