//! A tool's input schema changed in a way that no other rule speaks of.

use super::{BOTH, DriftRule, READ_IT, rule};
use crate::drift::change::Subject;
use crate::finding::Severity;

pub(super) const RULE: DriftRule = DriftRule {
    rule: rule(
        "schema-edit",
        "schema",
        Severity::Informational,
        "A tool's input schema changed in a way that no other rule speaks of.",
        "Which calls a schema newly accepts is judged only for what the specification names: required parameters of the outermost object, and the names of new ones. Anything else that moved is listed with its place and shown as it was and as it is.",
        READ_IT,
    ),
    subjects: &[Subject::InputSchema],
    profiles: BOTH,
    is_fallback: true,
    check: |facts| facts.edited("the input schema"),
};
