//! Schemas that accept nothing, or nothing together.

use super::Walk;
use crate::schema::evaluate::Verdict;
use crate::schema::flat::{Flat, Kinds};
use crate::schema::keywords::{is_annotation, kind_of};
use crate::schema::sample::member_schemas;
use crate::text::value::{Object, Value};

/// How deep it is looked.
const MAX_DEPTH: usize = 4;

impl<'v> Walk<'v> {
    /// Whether nothing that a schema of the old document accepts is accepted by the new one.
    pub(super) fn is_apart(&self, other: &Flat<'v>, new: &Flat<'v>, depth: usize) -> bool {
        if other.is_never || other.kinds.and(new.kinds).is_empty() {
            return true;
        }
        if depth > MAX_DEPTH || !self.take(other.weight()) {
            return false;
        }
        if let Some(values) = &other.values {
            return values.iter().all(|value| self.new.evaluator.all_accept(&new.groups, value) == Verdict::Refuses);
        }
        if let Some(values) = &new.values {
            return values.iter().all(|value| self.old.evaluator.all_accept(&other.groups, value) == Verdict::Refuses);
        }
        let is_branch_apart =
            |branch: &'v Value| self.old.flat(&[branch]).is_some_and(|flat| self.is_apart(&flat, new, depth + 1));
        if other.unions.iter().any(|union| union.branches.iter().all(is_branch_apart)) {
            return true;
        }
        // A member that has to be there, and for which there is no value that both take.
        let is_member_apart = |name: &str| {
            let schemas = member_schemas(other, name).zip(member_schemas(new, name));
            let flats = schemas.and_then(|(other, new)| self.old.flat(&other).zip(self.new.flat(&new)));
            flats.is_some_and(|(other, new)| self.is_empty(&new, 1) || self.is_apart(&other, &new, depth + 1))
        };
        let both = other.kinds.and(new.kinds);
        both.minus(Kinds::of("object")).is_empty()
            && other.required().into_iter().chain(new.required()).any(is_member_apart)
    }

    /// Whether the new schema is known to accept nothing.
    pub(super) fn is_empty(&self, new: &Flat<'v>, depth: usize) -> bool {
        if new.is_never || new.kinds.is_empty() {
            return true;
        }
        if let Some(values) = &new.values {
            return values.iter().all(|value| self.new.evaluator.all_accept(&new.groups, value) == Verdict::Refuses);
        }
        if new.all("not").any(|refused| self.refuses_all(refused, new)) {
            return true;
        }
        new.kinds.names().all(|kind| match kind {
            "object" => self.has_no_object(new, depth),
            "array" => new.most("maxItems").is_some_and(|most| most < new.least("minItems")),
            "string" => new.most("maxLength").is_some_and(|most| most < new.least("minLength")),
            "number" | "integer" => new.of_kind(kind).range().is_empty(),
            _ => false,
        })
    }

    fn has_no_object(&self, new: &Flat<'v>, depth: usize) -> bool {
        let is_member_empty = |name: &str| {
            let flat = member_schemas(new, name).and_then(|schemas| self.new.flat(&schemas));
            flat.is_some_and(|flat| self.take(flat.weight()) && self.is_empty(&flat, depth + 1))
        };
        let is_closed = new.all("additionalProperties").any(|rest| rest.as_bool() == Some(false))
            && new.all("patternProperties").next().is_none();
        let required = new.required();
        let least = new.least("minProperties");
        new.most("maxProperties").is_some_and(|most| most < least.max(required.len()))
            || (is_closed && new.properties().len() < least)
            || (depth < MAX_DEPTH && required.iter().any(|name| is_member_empty(name)))
    }

    /// Whether a schema under `not` accepts all values of the kinds that are left.
    fn refuses_all(&self, refused: &'v Value, new: &Flat<'v>) -> bool {
        // What speaks of other kinds alone accepts these.
        let is_of_others = |keyword: &str| kind_of(keyword).is_some_and(|kind| !new.kinds.touches(kind));
        let is_only = |group: &Object, known: &str| {
            let mut keywords = group.iter().map(|(keyword, _)| keyword);
            keywords.all(|keyword| keyword == known || is_annotation(keyword) || is_of_others(keyword))
        };
        let Some(flat) = self.new.flat(&[refused]) else { return false };
        let is_all = |flat: &Flat<'v>| {
            flat.values.is_none()
                && !flat.is_never
                && flat.unions.is_empty()
                && flat.groups.iter().all(|group| is_only(group.members, "type"))
                && new.kinds.minus(flat.kinds).is_empty()
        };
        let is_alone = || flat.groups.iter().all(|group| is_only(group.members, "anyOf"));
        let has_all = |branch: &'v Value| self.new.flat(&[branch]).is_some_and(|flat| is_all(&flat));
        is_all(&flat) || flat.unions.iter().any(|union| is_alone() && union.branches.iter().any(has_all))
    }
}
