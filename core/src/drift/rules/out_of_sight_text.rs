//! White space pushes text out of sight.

use super::{DEFAULT, DriftRule, Facts, Found, beyond};
use crate::drift::change::Subject;
use crate::drift::neutral::pushes_out_of_sight;
use crate::finding::Severity;

pub(super) const RULE: DriftRule = DriftRule {
    rule: beyond(
        "out-of-sight-text",
        "text",
        Severity::High,
        "A text got so much white space that what follows is out of sight.",
        "A model reads what stands behind three hundred line breaks; a person in front of an approval dialogue does not scroll \
         that far. No text that means well needs it: more than five line breaks or eighty spaces in a row, or a line break for \
         every few characters.",
        "scroll to the end of the text and read all of it; do not approve what hides from you",
    ),
    subjects: &[
        Subject::Description,
        Subject::InputSchema,
        Subject::Title,
        Subject::OutputSchema,
        Subject::Meta,
        Subject::Other,
        Subject::Annotations,
        Subject::Instructions,
        Subject::ServerInfo,
    ],
    profiles: DEFAULT,
    is_fallback: false,
    check,
};

fn check(facts: &Facts<'_>) -> Option<Found> {
    let field = facts.field.filter(|field| pushes_out_of_sight(&field.before, &field.after))?;
    let pointer = field.changes.first().map_or(&field.pointer, |change| &change.pointer).clone();
    Some(Found::at(pointer, format!("white space pushes a text of {} out of sight", facts.whose())))
}
