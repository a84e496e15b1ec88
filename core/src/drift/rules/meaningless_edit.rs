//! A field changed in nothing that means anything.

use super::{BOTH, DriftRule, Facts, Found, beyond};
use crate::drift::change::Subject;
use crate::drift::neutral::meaning_hash;
use crate::finding::Severity;

pub(super) const RULE: DriftRule = DriftRule {
    rule: beyond(
        "meaningless-edit",
        "text",
        Severity::Informational,
        "A field changed in nothing that means anything.",
        "Only the order of a set moved (`required`, `enum` or `type`), white space between words, the dialect that `$schema` \
         names, or definitions that nothing refers to. Both sides have the same meaning-neutral form, whose hash is in the \
         evidence. White space that pushes text out of sight is not among it.",
        "nothing needs to be done; pin it again to no longer see this",
    ),
    subjects: &[
        Subject::InputSchema,
        Subject::OutputSchema,
        Subject::Description,
        Subject::Title,
        Subject::Instructions,
    ],
    profiles: BOTH,
    is_fallback: false,
    check,
};

fn check(facts: &Facts<'_>) -> Option<Found> {
    let field = facts.field.filter(|field| field.is_neutral)?;
    let what = match field.subject {
        Subject::InputSchema => "the input schema",
        Subject::OutputSchema => "the output schema",
        Subject::Description => "the description",
        Subject::Title => "the title",
        _ => "the text of the instructions",
    };
    let message = format!("{what} of {} changed in a way that means nothing", facts.whose());
    let hash = meaning_hash(field.subject, &field.after).to_string();
    Some(facts.field_found(message)?.with("meaningHash", hash))
}
