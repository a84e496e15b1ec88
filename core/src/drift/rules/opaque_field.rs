//! A field is too large to be read.

use super::{BOTH, DriftRule, Facts, Found, beyond};
use crate::drift::change::Subject;
use crate::finding::Severity;

pub(super) const RULE: DriftRule = DriftRule {
    rule: beyond(
        "opaque-field",
        "text",
        Severity::High,
        "A field that moved is too large to be taken apart.",
        "A field of more than 4,000,000 values changed. No rule can read it, and what could not be judged is no harmless \
         change. No tool that means well has such a field.",
        "do not trust a tool with a field of this size",
    ),
    subjects: &[
        Subject::Description,
        Subject::InputSchema,
        Subject::Annotations,
        Subject::Title,
        Subject::OutputSchema,
        Subject::Meta,
        Subject::Other,
        Subject::Instructions,
        Subject::ServerInfo,
    ],
    profiles: BOTH,
    is_fallback: false,
    check,
};

fn check(facts: &Facts<'_>) -> Option<Found> {
    facts.field.filter(|field| field.is_opaque)?;
    facts.field_found(format!("a field of {} changed, and is too large to be read", facts.whose()))
}
