//! A server has a tool that was not pinned.

use super::{BOTH, DriftRule, Facts, Found, new_tool_trigger_word, rule, tool_found};
use crate::drift::change::Subject;
use crate::drift::compare::Fate;
use crate::finding::Severity;
use crate::text::escape::quoted;

pub(super) const RULE: DriftRule = DriftRule {
    rule: rule(
        "new-tool",
        "tool",
        Severity::Informational,
        "A server has a tool that was not pinned, and no trigger word in its name or description.",
        "Nobody has reviewed the tool. Whether it can do harm is not told by the words that it avoids: read it.",
        "read the tool's description and schema; if you trust it, pin it",
    ),
    subjects: &[Subject::Tool],
    profiles: BOTH,
    is_fallback: false,
    check,
};

fn check(facts: &Facts<'_>) -> Option<Found> {
    let tool = facts.tool.filter(|tool| matches!(tool.fate, Fate::Added | Fate::Renamed { .. }))?;
    if !new_tool_trigger_word::words(tool).is_empty() {
        return None;
    }
    Some(tool_found(tool.name, format!("tool {} is new", quoted(tool.name))))
}
