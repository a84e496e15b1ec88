//! Types, listed values and unions.

use super::{Gap, MAX_BRANCHES, MAX_GAPS, MAX_TRIES, Spot, WHOLE, Walk};
use crate::schema::evaluate::Verdict;
use crate::schema::flat::{Flat, Kinds, Listed, Union};
use crate::schema::sample::number;
use crate::text::value::{Data, Value};

/// Where both list their values, or would.
fn lists<'v>(old: &Flat<'v>, new: &Flat<'v>) -> (Spot<'v>, Spot<'v>) {
    either(old, new, ["enum", "const"])
}

/// Where both have one of two keywords, or would have the one that the other has.
fn either<'v>(old: &Flat<'v>, new: &Flat<'v>, keywords: [&'v str; 2]) -> (Spot<'v>, Spot<'v>) {
    let of = |flat: &Flat<'v>| keywords.into_iter().find(|keyword| flat.all(keyword).next().is_some());
    let (was, is) = (of(old), of(new));
    let spot = |flat: &Flat<'v>, own: Option<&'v str>, other: Option<&'v str>| {
        Spot::of(flat, own.or(other).unwrap_or(keywords[0]))
    };
    (spot(old, was, is), spot(new, is, was))
}

/// Whether a gap says what one branch loosened, rather than that it is another.
fn is_of_one_branch(gap: &Gap<'_>) -> bool {
    match gap.parameter {
        Some(parameter) => parameter.was_there && parameter.is_there,
        None => !matches!(gap.keyword, "type" | "anyOf" | "oneOf" | "additionalProperties" | "schema"),
    }
}

/// Whether leaving it out is the same as `null`.
fn has_null_default(flat: &Flat<'_>) -> bool {
    flat.all("default").any(|default| default.data == Data::Null)
}

impl<'v> Walk<'v> {
    /// The new schema lists its values: each is asked about.
    pub(super) fn of_values(&self, values: &[&'v Value], old: &Flat<'v>, new: &Flat<'v>) -> Vec<Gap<'v>> {
        let known = old.values.as_ref().map(|values| Listed::new(values));
        let is_plain = old.groups.len() == 1 && old.unions.is_empty();
        let is_new = |value: &&&'v Value| {
            // Mostly, both list them.
            if is_plain && known.as_ref().is_some_and(|known| !known.has(value)) {
                return self.new.evaluator.all_accept(&new.groups, value) != Verdict::Refuses;
            }
            self.old.evaluator.all_accept(&old.groups, value) != Verdict::Accepts
                && self.new.evaluator.all_accept(&new.groups, value) != Verdict::Refuses
        };
        let (was, is) = lists(old, new);
        let gap = |value: &&'v Value| {
            let mut gap = Gap::new("enum", was, is, vec![(*value).clone()]);
            gap.added = Some(value);
            gap
        };
        values.iter().filter(is_new).take(MAX_GAPS + 1).map(gap).collect()
    }

    /// The old schema lists its values, and the new one does not.
    pub(super) fn beyond_values(&self, values: &[&'v Value], old: &Flat<'v>, new: &Flat<'v>) -> Vec<Gap<'v>> {
        let has = |value: Data| {
            let value = Value::from(value);
            values.contains(&&value) && self.old.evaluator.all_accept(&old.groups, &value) == Verdict::Accepts
        };
        let rest = new.kinds.minus(Kinds::of("null")).minus(Kinds::of("boolean"));
        // Only these two kinds have so few values that a list can have them all.
        let is_all = rest.is_empty()
            && (!new.kinds.has("null") || has(Data::Null))
            && (!new.kinds.has("boolean") || (has(Data::Bool(true)) && has(Data::Bool(false))));
        if is_all {
            return Vec::new();
        }
        let mut tries = Vec::from(["other", "x", ""].map(Value::from));
        tries.extend(self.samples(new));
        tries.extend([0.0, 101.0, 0.5, -1.0].map(number));
        let (was, is) = lists(old, new);
        vec![Gap::new("enum", was, is, tries)]
    }

    /// The new schema is a union: each of its branches has to be in the old one.
    pub(super) fn of_branches(
        &self,
        branches: &Union<'v>,
        rest: &Flat<'v>,
        old: &Flat<'v>,
        depth: usize,
    ) -> Vec<Gap<'v>> {
        let mut found = Vec::new();
        let keyword = branches.keyword();
        let was = either(old, old, ["anyOf", "oneOf"]).0;
        let was = if was.argument().is_some() { was } else { Spot::of(old, keyword) };
        for branch in branches.branches {
            let Some(one) = rest.and(branch, self.new.document) else {
                found.push(Gap::new(WHOLE, was, Spot::At(branch), Vec::new()));
                continue;
            };
            let inner = self.gaps(old, &one, depth + 1);
            match inner.as_slice() {
                [] => {}
                // A branch that only loosened is told by what it loosened.
                [only] if is_of_one_branch(only) => found.extend(inner),
                // Values that are listed one by one are told one by one.
                _ if inner.iter().all(|gap| gap.keyword == "enum") => found.extend(inner),
                _ => {
                    let tries = inner.iter().flat_map(|gap| gap.candidates().take(4));
                    let tries = tries.chain(self.samples(&one)).collect();
                    let mut gap = Gap::new(keyword, was, Spot::At(branches.at), tries);
                    gap.is_default = inner.iter().all(|gap| gap.is_default);
                    found.push(gap);
                }
            }
        }
        found
    }

    /// The old schema is a union: what the new one accepts has to be in one branch, kind by kind.
    pub(super) fn in_union(&self, union: &Union<'v>, new: &Flat<'v>, depth: usize) -> Vec<Gap<'v>> {
        let branches: Vec<Flat<'v>> = union.branches.iter().filter_map(|branch| self.old.flat(&[branch])).collect();
        let is_whole = branches.len() == union.branches.len();
        let mut found = Vec::new();
        for kind in new.kinds.names() {
            let one = new.of_kind(kind);
            let touching: Vec<&Flat<'v>> = branches.iter().filter(|branch| !self.is_apart(branch, &one, 0)).collect();
            // One in the same words comes first.
            let is_same = |branch: &Flat<'v>| {
                branch.groups.len() == one.groups.len()
                    && branch.groups.iter().zip(&one.groups).all(|(a, b)| self.is_same_argument(a.at, b.at))
            };
            let (same, others): (Vec<&Flat<'v>>, Vec<&Flat<'v>>) = touching.iter().partition(|branch| is_same(branch));
            // Where no second branch may hold, none may be able to.
            let is_alone = !union.is_one || touching.len() == 1;
            let mut nearest: Option<Vec<Gap<'v>>> = None;
            for branch in same.into_iter().chain(others).take(MAX_BRANCHES) {
                let inner = self.gaps(branch, &one, depth + 1);
                let is_in = inner.is_empty();
                if nearest.as_ref().is_none_or(|nearest| inner.len() < nearest.len()) {
                    nearest = Some(inner);
                }
                if is_in {
                    break;
                }
            }
            let nearest = nearest.unwrap_or_default();
            if is_whole && is_alone && nearest.is_empty() && !touching.is_empty() {
                continue;
            }
            if is_whole && touching.len() == 1 {
                found.extend(nearest);
                continue;
            }
            let tries = nearest.iter().flat_map(|gap| gap.candidates().take(4));
            let tries = tries.chain(self.samples(&one)).collect();
            let is = either(new, new, ["anyOf", "oneOf"]).1;
            let is = if is.argument().is_some() { is } else { Spot::of(new, "type") };
            found.push(Gap::new(union.keyword(), Spot::At(union.at), is, tries));
        }
        found
    }

    pub(super) fn of_kinds(&self, old: &Flat<'v>, new: &Flat<'v>) -> Vec<Gap<'v>> {
        let beyond = new.kinds.minus(old.kinds);
        if beyond.is_empty() {
            return Vec::new();
        }
        // What is a number and no integer is the rest of numbers.
        let is_fraction = beyond.touches("number") && !beyond.has("integer");
        let kinds = beyond.names().chain(is_fraction.then_some("number"));
        let tries = kinds.flat_map(|kind| self.samples(&new.of_kind(kind)).into_iter().take(MAX_TRIES / 4)).collect();
        let mut gap = Gap::of("type", old, new, tries);
        gap.is_default = beyond == Kinds::of("null") && (has_null_default(old) || has_null_default(new));
        vec![gap]
    }
}
