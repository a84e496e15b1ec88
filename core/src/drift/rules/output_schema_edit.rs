//! A tool's output schema changed.

use super::{DEFAULT, DriftRule, READ_IT, beyond};
use crate::drift::change::Subject;
use crate::finding::Severity;

pub(super) const RULE: DriftRule = DriftRule {
    rule: beyond(
        "output-schema-edit",
        "schema",
        Severity::Informational,
        "A tool's output schema changed.",
        "The output schema tells the model what to expect, and its descriptions are read by the model as those of the input schema are. mcplock does not pin it.",
        READ_IT,
    ),
    subjects: &[Subject::OutputSchema],
    profiles: DEFAULT,
    is_fallback: true,
    check: |facts| facts.edited("the output schema"),
};
