//! A server comes from another package.

use super::{DEFAULT, DriftRule, Facts, Found, beyond};
use crate::drift::change::Subject;
use crate::finding::Severity;
use crate::text::escape::quoted;
use crate::text::value::{Data, Value};

pub(super) const RULE: DriftRule = DriftRule {
    rule: beyond(
        "server-source-swap",
        "server",
        Severity::High,
        "A server comes from another package or registry than the one that was pinned.",
        "The same tools from another package are another program. Swapping what stands behind a server's name is the oldest \
         way to get a trusted name for an untrusted program.",
        "look at where the server comes from now; if that is meant, pin it again",
    ),
    subjects: &[Subject::Source],
    profiles: DEFAULT,
    is_fallback: false,
    check,
};

fn check(facts: &Facts<'_>) -> Option<Found> {
    let field = facts.field.filter(|_| is_swap(facts))?;
    let shown = |value: &Value| {
        let member = |key| value.as_object().and_then(|source| source.get(key)).and_then(Value::as_str);
        match (member("type"), member("package")) {
            (kind, Some(package)) => format!("{} {}", kind.unwrap_or_default(), quoted(package)),
            (kind, None) => kind.unwrap_or("an unknown place").to_owned(),
        }
    };
    facts.field_found(format!("the server came from {} and comes from {}", shown(&field.before), shown(&field.after)))
}

/// Whether more than the version is another.
pub(super) fn is_swap(facts: &Facts<'_>) -> bool {
    let Some((before, after)) = facts.objects() else { return true };
    let member =
        |source: &crate::text::value::Object, key: &str| source.get(key).map_or(Data::Null, |value| value.data.clone());
    ["type", "package"].into_iter().any(|key| member(before, key) != member(after, key))
}
