//! What a server says of itself changed: its name, its version or another member of `serverInfo`.

use super::{DEFAULT, DriftRule, beyond};
use crate::drift::change::Subject;
use crate::finding::Severity;

pub(super) const RULE: DriftRule = DriftRule {
    rule: beyond(
        "server-info-edit",
        "server",
        Severity::Informational,
        "What a server says of itself changed: its name, its version or another member of `serverInfo`.",
        "A new version is the usual reason for tools to change. A new name is not: look at whether it is still the same server.",
        "look at whether it is still the same server",
    ),
    subjects: &[Subject::ServerInfo],
    profiles: DEFAULT,
    is_fallback: true,
    check: |facts| facts.edited("`serverInfo`"),
};
