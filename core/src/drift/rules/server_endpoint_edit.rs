//! A server is reached in another way.

use super::{DEFAULT, DriftRule, Facts, Found, beyond};
use crate::drift::change::Subject;
use crate::finding::Severity;

pub(super) const RULE: DriftRule = DriftRule {
    rule: beyond(
        "server-endpoint-edit",
        "server",
        Severity::High,
        "A server's command, arguments, URL or transport is another than the one that was pinned.",
        "What stands behind a name was changed: another command is another program, another argument may open another folder. \
         Credentials do not count, and neither do environment variables. Where you gave the command yourself, under a name of \
         your choice (`--as`), the finding is informational.",
        "look at the command; if that is meant, pin the server again",
    ),
    subjects: &[Subject::Endpoint],
    profiles: DEFAULT,
    is_fallback: true,
    check,
};

fn check(facts: &Facts<'_>) -> Option<Found> {
    let field = facts.field?;
    let what =
        if field.before == field.after { "a part that is hidden as a credential" } else { "the way to reach it" };
    let mut found =
        facts.field_found(format!("the server is not reached as it was when it was pinned: {what} changed"))?;
    found.severity = facts.endpoint_is_given.then_some(Severity::Informational);
    Some(found)
}
