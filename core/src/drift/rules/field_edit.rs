//! A member of a tool that has no rule of its own changed.

use super::{DEFAULT, DriftRule, Facts, Found, READ_IT, beyond};
use crate::drift::change::Subject;
use crate::finding::Severity;
use crate::text::escape::quoted;
use crate::text::pointer::keys;

pub(super) const RULE: DriftRule = DriftRule {
    rule: beyond(
        "field-edit",
        "text",
        Severity::Informational,
        "A member of a tool that has no rule of its own changed.",
        "Everything that a server sends with a tool may reach a model or a client: `execution`, `icons`, and members that no specification knows. mcplock does not pin them.",
        READ_IT,
    ),
    subjects: &[Subject::Other],
    profiles: DEFAULT,
    is_fallback: true,
    check,
};

fn check(facts: &Facts<'_>) -> Option<Found> {
    let path = keys(&facts.field?.pointer).unwrap_or_default();
    match path.get(2) {
        Some(key) => facts.edited(&format!("member {}", quoted(key))),
        None => facts.field_found(format!("several members of {} changed", facts.whose())),
    }
}
