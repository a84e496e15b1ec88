//! A trigger word entered or left a description.

use super::{BOTH, DriftRule, Facts, Found, READ_IT, listed, rule};
use crate::drift::change::Subject;
use crate::drift::vocabulary::triggers;
use crate::finding::Severity;

pub(super) const RULE: DriftRule = DriftRule {
    rule: rule(
        "description-trigger-word",
        "text",
        Severity::High,
        "One of the words execute, delete, send, all and admin entered or left a tool's description.",
        "These words speak of what a tool can do, and to how much. Words are compared without regard to case, and format \
         characters between their letters are passed over, so that none can be hidden. The rule reads words and no sentences: \
         a harmless sentence with the word `all` is found, too.",
        READ_IT,
    ),
    subjects: &[Subject::Description],
    profiles: BOTH,
    is_fallback: false,
    check,
};

fn check(facts: &Facts<'_>) -> Option<Found> {
    let field = facts.field?;
    let [before, after] = [&field.before, &field.after].map(|value| triggers(value.as_str().unwrap_or_default()));
    let entered: Vec<&str> = after.iter().filter(|word| !before.contains(word)).copied().collect();
    let left: Vec<&str> = before.iter().filter(|word| !after.contains(word)).copied().collect();
    let message = match (entered.is_empty(), left.is_empty()) {
        (true, true) => return None,
        (false, true) => format!("the description of {} now has {}", facts.whose(), listed(&entered)),
        (true, false) => format!("the description of {} no longer has {}", facts.whose(), listed(&left)),
        (false, false) => {
            format!(
                "the description of {} now has {}, and no longer {}",
                facts.whose(),
                listed(&entered),
                listed(&left)
            )
        }
    };
    Some(facts.field_found(message)?.with("entered", entered).with("left", left))
}
