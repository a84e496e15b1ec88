//! `not`, `if` and what is not understood: the same words are the same, and others are undecided unless a witness
//! is found.

use super::{Gap, MAX_NESTING, Spot, Walk};
use crate::schema::flat::{Flat, Group};
use crate::schema::keywords::{is_annotation, is_well_formed};
use crate::schema::sample::samples;
use crate::text::value::Value;

impl<'v> Walk<'v> {
    pub(super) fn of_conditions(&self, old: &Flat<'v>, new: &Flat<'v>) -> Vec<Gap<'v>> {
        let mut found = Vec::new();
        for refused in old.all("not") {
            found.extend(self.of_not(refused, old, new));
        }
        for group in &old.groups {
            found.extend(self.of_if(group, new));
        }
        for items in old.all("unevaluatedItems") {
            found.push(Gap::new("unevaluatedItems", Spot::At(items), Spot::of(new, "unevaluatedItems"), Vec::new()));
        }
        found.extend(of_unknown(old, new));
        found
    }

    fn of_not(&self, refused: &'v Value, old: &Flat<'v>, new: &Flat<'v>) -> Option<Gap<'v>> {
        let flat = self.old.flat(&[refused]);
        let is_apart = flat.as_ref().is_some_and(|flat| self.is_apart(flat, new, 0));
        let is_within = |other| self.is_same_argument(refused, other) || self.turned(other, refused);
        if is_apart || new.all("not").any(is_within) {
            return None;
        }
        let mut tries = flat.as_ref().map(|flat| samples(flat, self.old.document)).unwrap_or_default();
        tries.extend(self.samples(new));
        // With what the refused schema asks for.
        let mut object = tries.iter().rev().find_map(Value::as_object).cloned().unwrap_or_default();
        for name in flat.iter().flat_map(Flat::required) {
            if let Some(value) = self.member_sample(new, name) {
                object.set(name, value);
            }
        }
        tries.insert(0, object.into());
        let mut gap = Gap::of("not", old, new, tries);
        gap.old = Spot::At(refused);
        Some(gap)
    }

    /// Whether all that the new document's schema refuses, the old one's does: then `not` lets no more through.
    fn turned(&self, new: &'v Value, old: &'v Value) -> bool {
        if self.nesting == MAX_NESTING {
            return false;
        }
        let walk = Walk { nesting: self.nesting + 1, ..Walk::new(self.new.document, self.old.document) };
        walk.work.set(self.work.get());
        let flats = walk.old.flat(&[new]).zip(walk.new.flat(&[old]));
        let is_within = flats.is_some_and(|(outer, inner)| walk.gaps(&outer, &inner, 0).is_empty());
        self.work.set(walk.work.get());
        is_within
    }

    fn of_if(&self, group: &Group<'v>, new: &Flat<'v>) -> Option<Gap<'v>> {
        let condition = group.get("if")?;
        let is_same_part = |other: &Group<'v>, keyword: &str| match (group.get(keyword), other.get(keyword)) {
            (Some(old), Some(new)) => self.is_same_argument(old, new),
            (None, None) => true,
            _ => false,
        };
        if new.groups.iter().any(|other| ["if", "then", "else"].iter().all(|part| is_same_part(other, part))) {
            return None;
        }
        let mut tries = self.samples(new);
        tries.extend(self.old.flat(&[condition]).map(|flat| samples(&flat, self.old.document)).unwrap_or_default());
        Some(Gap::new("if", Spot::At(condition), Spot::of(new, "if"), tries))
    }
}

/// Keywords that are not known, or whose arguments are not what they should be: they are compared as text.
fn of_unknown<'v>(old: &Flat<'v>, new: &Flat<'v>) -> Vec<Gap<'v>> {
    let mut found: Vec<Gap<'v>> = Vec::new();
    let says_nothing = |keyword: &str, argument: &Value| {
        is_annotation(keyword)
            || is_well_formed(keyword, argument)
            || (keyword == "nullable" && (argument.as_bool() == Some(false) || both_take_null(old, new)))
    };
    for (own, other) in [(old, new), (new, old)] {
        for (keyword, argument) in own.groups.iter().flat_map(|group| group.members.iter()) {
            let is_known = says_nothing(keyword, argument)
                || other.all(keyword).any(|same| same == argument)
                || found.iter().any(|gap| gap.keyword == keyword);
            if !is_known {
                found.push(Gap::of(keyword, old, new, Vec::new()));
            }
        }
    }
    found
}

fn both_take_null(old: &Flat<'_>, new: &Flat<'_>) -> bool {
    old.kinds.has("null") && new.kinds.has("null")
}
