//! A tool's `_meta` changed.

use super::{DEFAULT, DriftRule, READ_IT, beyond};
use crate::drift::change::Subject;
use crate::finding::Severity;

pub(super) const RULE: DriftRule = DriftRule {
    rule: beyond(
        "meta-edit",
        "text",
        Severity::Informational,
        "A tool's `_meta` changed.",
        "Clients act on `_meta`: it can load a tool at all times, or name a template to be shown. mcplock does not pin it.",
        READ_IT,
    ),
    subjects: &[Subject::Meta],
    profiles: DEFAULT,
    is_fallback: true,
    check: |facts| facts.edited("`_meta`"),
};
