//! A pinned tool has another name.

use super::{DEFAULT, DriftRule, Facts, Found, rule, tool_found};
use crate::drift::change::Subject;
use crate::drift::compare::Fate;
use crate::finding::Severity;
use crate::text::escape::quoted;

pub(super) const RULE: DriftRule = DriftRule {
    rule: rule(
        "renamed-tool",
        "tool",
        Severity::Medium,
        "A pinned tool has another name, and the same content or nearly so.",
        "A tool is gone, and a new one has its description and parameters. Permissions that clients keep by name no longer apply \
         to it, and lists of allowed tools break. The evidence tells how alike the two are: `score` is the share of the words \
         of descriptions and parameters that both have. What differs is judged as in a tool that kept its name.",
        "if that is meant, pin the server again, and move the permissions that were given to the old name",
    ),
    subjects: &[Subject::Tool],
    profiles: DEFAULT,
    is_fallback: false,
    check,
};

fn check(facts: &Facts<'_>) -> Option<Found> {
    let tool = facts.tool?;
    let Fate::Renamed { from, likeness } = tool.fate else { return None };
    let how =
        if likeness.is_exact { "with the same description and input schema" } else { "with much the same content" };
    let message = format!("tool {} is gone: {} is new, {how}", quoted(from), quoted(tool.name));
    let score = (likeness.score * 1000.0).round() / 1000.0;
    let found = tool_found(from, message).with("from", from).with("to", tool.name);
    Some(found.with("score", score).with("sameContent", likeness.is_exact))
}
