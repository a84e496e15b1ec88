//! A tool refuses calls that it accepted.

use super::{DEFAULT, DriftRule, Facts, Found, beyond, listed, places};
use crate::drift::change::Subject;
use crate::finding::Severity;
use crate::schema::Widening;
use crate::text::escape::quoted;

pub(super) const RULE: DriftRule = DriftRule {
    rule: beyond(
        "schema-narrowed",
        "schema",
        Severity::Informational,
        "A tool refuses calls that it accepted.",
        "A bound is tighter, a parameter has to be given, a value is no longer offered. Nothing new can be asked for; calls that worked may fail. The evidence has one that was accepted and is refused.",
        "make sure that what calls the tool still can; then pin it again",
    ),
    subjects: &[Subject::InputSchema],
    profiles: DEFAULT,
    is_fallback: false,
    check,
};

fn check(facts: &Facts<'_>) -> Option<Found> {
    let came_or_went =
        |way: &Widening| way.parameter.as_ref().is_some_and(|parameter| parameter.is_new || parameter.is_gone);
    let ways = facts.calls()?.moved.narrowings.iter();
    // Of parameters that came or went, other rules tell.
    let ways: Vec<&Widening> = ways.filter(|way| way.keyword == "required" || !came_or_went(way)).collect();
    let first = ways.first()?;
    let mut message = format!("{} refuses calls that it accepted: {}", facts.whose(), listed(&places(&ways)));
    if let Some(witness) = &first.witness {
        message.push_str(&format!("; for example {}", quoted(witness.as_str())));
    }
    let mut found = facts.field_found(message)?;
    found.pointer = facts.inside(&first.pointer);
    Some(found.with_ways(&ways))
}
