//! A pinned tool is gone.

use super::{BOTH, DriftRule, Facts, Found, rule, tool_found};
use crate::drift::change::Subject;
use crate::drift::compare::Fate;
use crate::finding::Severity;
use crate::text::escape::quoted;

pub(super) const RULE: DriftRule = DriftRule {
    rule: rule(
        "missing-tool",
        "tool",
        Severity::Medium,
        "A pinned tool is gone.",
        "The server no longer lists the tool. Agents that rely on it will fail, or choose another.",
        "if that is meant, pin the server again",
    ),
    subjects: &[Subject::Tool],
    profiles: BOTH,
    is_fallback: false,
    check,
};

fn check(facts: &Facts<'_>) -> Option<Found> {
    let tool = facts.tool.filter(|tool| tool.fate == Fate::Removed)?;
    Some(tool_found(tool.name, format!("tool {} is gone", quoted(tool.name))))
}
