//! A new tool's name or description has a trigger word.

use super::{BOTH, DriftRule, Facts, Found, listed, rule, tool_found};
use crate::drift::change::Subject;
use crate::drift::compare::{Fate, ToolDrift};
use crate::drift::vocabulary::triggers;
use crate::finding::Severity;
use crate::surface::Tool;
use crate::text::escape::quoted;

pub(super) const RULE: DriftRule = DriftRule {
    rule: rule(
        "new-tool-trigger-word",
        "tool",
        Severity::High,
        "A server has a new tool with one of the words execute, delete, send, all and admin in its name or description.",
        "Nobody has reviewed the tool, and its own words speak of consequences. Words are compared as in descriptions: without \
         regard to case, and with format characters passed over.",
        "read the tool's description and schema; if you trust it, pin it",
    ),
    subjects: &[Subject::Tool],
    profiles: BOTH,
    is_fallback: false,
    check,
};

fn check(facts: &Facts<'_>) -> Option<Found> {
    let tool = facts.tool.filter(|tool| matches!(tool.fate, Fate::Added | Fate::Renamed { .. }))?;
    let words = words(tool);
    if words.is_empty() {
        return None;
    }
    let message = format!("tool {} is new, and its name or description has {}", quoted(tool.name), listed(&words));
    Some(tool_found(tool.name, message).with("words", words))
}

/// The trigger words of a new tool's name and description.
pub(super) fn words(tool: &ToolDrift<'_>) -> Vec<&'static str> {
    let description = tool.after.as_ref().and_then(Tool::description_text).unwrap_or_default();
    // Neither a word nor a format character stands between the two.
    triggers(&format!("{} {description}", tool.name))
}
