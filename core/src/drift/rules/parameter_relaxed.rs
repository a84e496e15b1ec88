//! A parameter that had to be given need not be any more.

use super::{BOTH, DriftRule, Facts, Found, READ_IT, listed, names, rule};
use crate::drift::Profile;
use crate::drift::change::Subject;
use crate::finding::Severity;
use crate::schema::Widening;
use crate::text::pointer::push_key;
use crate::text::sort::sort_by;
use crate::text::strings::compare_utf16;
use crate::text::value::Value;

pub(super) const RULE: DriftRule = DriftRule {
    rule: rule(
        "parameter-relaxed",
        "schema",
        Severity::High,
        "A parameter that was required is not any more.",
        "Calls that were refused are accepted: a path that had to be given may now be left out. The profile `mcplock` looks \
         at the outermost object, and counts a required parameter that is gone altogether, as the specification has it; the \
         default profile looks at any depth, and has a call that was refused and is accepted as evidence.",
        READ_IT,
    ),
    subjects: &[Subject::InputSchema],
    profiles: BOTH,
    is_fallback: false,
    check,
};

fn check(facts: &Facts<'_>) -> Option<Found> {
    match facts.profile {
        Profile::Default => by_calls(facts).or_else(|| {
            // Where calls were not looked into, the specification's rule is left.
            let is_whole = |way: &Widening| way.keyword == "schema";
            facts
                .calls()
                .filter(|calls| calls.moved.undecided.iter().any(is_whole))
                .and_then(|_| by_specification(facts))
        }),
        Profile::Mcplock => by_specification(facts),
    }
}

/// Whether a parameter that is still there need not be given any more.
pub(super) fn is_relaxed(way: &Widening) -> bool {
    way.keyword == "required" && way.parameter.as_ref().is_some_and(|parameter| !parameter.is_gone)
}

fn by_calls(facts: &Facts<'_>) -> Option<Found> {
    let moved = &facts.calls()?.moved;
    // An example that was not found does not make it less.
    let ways: Vec<&Widening> = moved.widenings.iter().chain(&moved.undecided).filter(|way| is_relaxed(way)).collect();
    let mut names: Vec<&str> = ways.iter().filter_map(|way| Some(way.parameter.as_ref()?.name.as_str())).collect();
    names.dedup();
    let (noun, verb) = if names.len() == 1 { ("parameter", "is") } else { ("parameters", "are") };
    let mut found = facts.lets_through("no longer requires", &ways)?;
    found.message = format!("{noun} {} of {} {verb} no longer required", listed(&names), facts.whose());
    Some(found.with("noLongerRequired", names))
}

fn by_specification(facts: &Facts<'_>) -> Option<Found> {
    let (before, after) = facts.objects()?;
    let mut still = names(after.get("required"));
    sort_by(&mut still, |a, b| compare_utf16(a, b));
    let mut relaxed = names(before.get("required"));
    relaxed.retain(|name| still.binary_search_by(|other| compare_utf16(other, name)).is_err());
    sort_by(&mut relaxed, |a, b| compare_utf16(a, b));
    relaxed.dedup();
    if relaxed.is_empty() {
        return None;
    }
    let properties = after.get("properties").and_then(Value::as_object);
    let is_gone = |name: &&str| properties.is_none_or(|properties| properties.get(name).is_none());
    let (gone, optional): (Vec<&str>, Vec<&str>) = relaxed.into_iter().partition(is_gone);
    let noun = |names: &[&str]| if names.len() == 1 { "parameter" } else { "parameters" };
    let verb = |names: &[&str]| if names.len() == 1 { "is" } else { "are" };
    let of_optional = format!(
        "{} {} of {} {} no longer required",
        noun(&optional),
        listed(&optional),
        facts.whose(),
        verb(&optional)
    );
    let of_gone = format!("required {} {} of {} {} gone", noun(&gone), listed(&gone), facts.whose(), verb(&gone));
    let message = match (optional.is_empty(), gone.is_empty()) {
        (false, false) => format!("{of_optional}, and {of_gone}"),
        (false, true) => of_optional,
        (true, _) => of_gone,
    };
    let mut found = facts.field_found(message)?;
    push_key(&mut found.pointer, "required");
    Some(found.with("noLongerRequired", optional).with("gone", gone))
}
