//! A description changed, and no other rule speaks of it.

use super::{BOTH, DriftRule, Facts, Found, READ_IT, rule};
use crate::drift::change::{Field, Subject};
use crate::drift::vocabulary::folded;
use crate::finding::Severity;

pub(super) const RULE: DriftRule = DriftRule {
    rule: rule(
        "description-edit",
        "text",
        Severity::Informational,
        "A tool's description was reworded.",
        "The words of the description moved, and no trigger word entered or left it. The model reads the new words: they are \
         shown beside the old ones.",
        READ_IT,
    ),
    subjects: &[Subject::Description],
    profiles: BOTH,
    is_fallback: true,
    check,
};

fn check(facts: &Facts<'_>) -> Option<Found> {
    facts.edited("the description")
}

/// Whether a description differs by more than white space, as mcplock sees it.
pub(super) fn differs_when_folded(field: &Field) -> bool {
    match (field.before.as_str(), field.after.as_str()) {
        (Some(before), Some(after)) => folded(before) != folded(after),
        _ => true,
    }
}
