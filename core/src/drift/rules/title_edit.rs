//! A tool's title changed.

use super::{DEFAULT, DriftRule, READ_IT, beyond};
use crate::drift::change::Subject;
use crate::finding::Severity;

pub(super) const RULE: DriftRule = DriftRule {
    rule: beyond(
        "title-edit",
        "text",
        Severity::Informational,
        "A tool's title changed.",
        "Clients show the title to people, and some to the model. mcplock does not pin it.",
        READ_IT,
    ),
    subjects: &[Subject::Title],
    profiles: DEFAULT,
    is_fallback: true,
    check: |facts| facts.edited("the title"),
};
