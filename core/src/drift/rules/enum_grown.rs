//! A parameter offers a value that it did not.

use serde_json::Value as Json;

use super::{DEFAULT, DriftRule, Facts, Found, READ_IT, beyond};
use crate::analysis::consequence::of_value;
use crate::drift::change::Subject;
use crate::finding::Severity;
use crate::schema::Widening;

/// How many new values the evidence has.
const MOST: usize = 16;

pub(super) const RULE: DriftRule = DriftRule {
    rule: beyond(
        "enum-grown",
        "schema",
        Severity::Medium,
        "A parameter offers a value that it did not.",
        "A new value is a new thing to ask for. It is high if its words are of consequence, such as `delete`, `all`, `admin` or `force`, and if values need not be of a list any more. The evidence has a call that was refused and is accepted, checked against both schemas.",
        READ_IT,
    ),
    subjects: &[Subject::InputSchema],
    profiles: DEFAULT,
    is_fallback: false,
    check,
};

fn check(facts: &Facts<'_>) -> Option<Found> {
    let ways = facts.calls()?.moved.widenings.iter();
    let (grave, others): (Vec<_>, Vec<_>) = ways.filter(|way| way.keyword == "enum").partition(|way| is_grave(way));
    let severity = if grave.is_empty() { Severity::Medium } else { Severity::High };
    let ways: Vec<&Widening> = grave.into_iter().chain(others).collect();
    let added: Vec<Json> = ways.iter().filter_map(|way| way.added.as_ref()).take(MOST).map(Json::from).collect();
    Some(facts.lets_through("takes values that it refused", &ways)?.with("added", added).rated(severity))
}

/// Whether a value is of consequence, or is none of a list.
fn is_grave(way: &Widening) -> bool {
    way.added.as_ref().is_none_or(|value| !of_value(value.as_str().unwrap_or_default()).is_empty())
}
