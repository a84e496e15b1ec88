//! A server's instructions changed.

use super::{DEFAULT, DriftRule, READ_IT, beyond};
use crate::drift::change::Subject;
use crate::finding::Severity;

pub(super) const RULE: DriftRule = DriftRule {
    rule: beyond(
        "instructions-edit",
        "server",
        Severity::Informational,
        "A server's instructions changed.",
        "A client may put a server's instructions before the model as they are, beside every tool of every server. mcplock does not pin them.",
        READ_IT,
    ),
    subjects: &[Subject::Instructions],
    profiles: DEFAULT,
    is_fallback: true,
    check: |facts| facts.edited("the text of the instructions"),
};
