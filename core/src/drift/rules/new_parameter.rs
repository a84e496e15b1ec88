//! A tool has a parameter that it had not.

use super::{DEFAULT, DriftRule, Facts, Found, READ_IT, beyond, listed};
use crate::drift::change::Subject;
use crate::finding::Severity;
use crate::schema::Widening;

/// How many names the evidence has.
const MOST: usize = 64;

pub(super) const RULE: DriftRule = DriftRule {
    rule: beyond(
        "new-parameter",
        "schema",
        Severity::Informational,
        "A tool has a parameter that it had not.",
        "At any depth. It is high if its name, the names in it, its format or the values it offers are of consequence: paths, URLs, code, commands, headers, credentials, recursion, force, everything, or acts such as delete and send. The evidence has a call that was refused and is accepted, where the schema before refused what it did not describe.",
        READ_IT,
    ),
    subjects: &[Subject::InputSchema],
    profiles: DEFAULT,
    is_fallback: false,
    check,
};

fn check(facts: &Facts<'_>) -> Option<Found> {
    let calls = facts.calls()?;
    let (grave, plain): (Vec<_>, Vec<_>) = calls.came.iter().partition(|parameter| !parameter.consequences.is_empty());
    let severity = if grave.is_empty() { Severity::Informational } else { Severity::High };
    let told = if grave.is_empty() { &plain } else { &grave };
    let first = told.first()?;
    let names: Vec<&str> = told.iter().map(|parameter| parameter.name.as_str()).collect();
    let noun = if names.len() == 1 { "a new parameter" } else { "new parameters" };
    let mut message = format!("{} has {noun}: {}", facts.whose(), listed(&names));
    let nouns = told.iter().flat_map(|parameter| &parameter.consequences).map(|consequence| consequence.noun());
    let nouns: Vec<&str> = nouns.fold(Vec::new(), |mut all, noun| {
        if !all.contains(&noun) {
            all.push(noun);
        }
        all
    });
    if !nouns.is_empty() {
        message.push_str(&format!(", for {}", nouns.join(", ")));
    }
    let is_of_these = |way: &&Widening| {
        let is_new = way.parameter.as_ref().is_some_and(|parameter| parameter.is_new);
        is_new && told.iter().any(|parameter| way.pointer.starts_with(&parameter.pointer))
    };
    let ways: Vec<&Widening> = calls.moved.widenings.iter().filter(is_of_these).collect();
    let mut found = facts.field_found(message)?;
    found.pointer = facts.inside(&first.pointer);
    let all: Vec<&str> = grave.iter().chain(&plain).map(|parameter| parameter.name.as_str()).take(MOST).collect();
    Some(found.with_ways(&ways).with("parameters", all).with("consequences", nouns).rated(severity))
}
