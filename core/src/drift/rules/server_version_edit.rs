//! A server's command names another version of the same package.

use super::{DEFAULT, DriftRule, Facts, Found, beyond};
use crate::drift::change::Subject;
use crate::finding::Severity;
use crate::text::escape::quoted;
use crate::text::value::Value;

pub(super) const RULE: DriftRule = DriftRule {
    rule: beyond(
        "server-version-edit",
        "server",
        Severity::Informational,
        "A server's command names another version of the package that was pinned.",
        "Another version is another program with the same author. What it changed in the tools is told by the other findings; \
         what it changed in their behaviour is not.",
        "read the package's own notes on the new version",
    ),
    subjects: &[Subject::Source],
    profiles: DEFAULT,
    is_fallback: true,
    check,
};

fn check(facts: &Facts<'_>) -> Option<Found> {
    let field = facts.field?;
    let version = |value: &Value| {
        let version = value.as_object().and_then(|source| source.get("version")).and_then(Value::as_str);
        version.map_or_else(|| "no version".to_owned(), |version| format!("version {}", quoted(version)))
    };
    let message = format!("the server's command named {} and names {}", version(&field.before), version(&field.after));
    facts.field_found(message)
}
