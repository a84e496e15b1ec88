//! Does a schema accept a value? JSON Schema draft-07 and 2020-12, as far as tools use them.
//!
//! An answer is one of three: what is not understood (a pattern beyond [`Pattern`], an unknown format, a
//! reference to another document) or would take too long makes it unknown, unless the rest decides alone.

use core::cell::Cell;
use core::ops::Not;

use super::document::{Dialect, Document};
use super::flat::Group;
use super::format;
use super::pattern::Pattern;
use crate::text::sort::sort_by;
use crate::text::value::{Data, Object, Value};

/// Whether a value is accepted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Verdict {
    Accepts,
    Refuses,
    Unknown,
}

impl Verdict {
    fn of(accepts: bool) -> Self {
        if accepts { Self::Accepts } else { Self::Refuses }
    }

    /// Both have to accept.
    fn and(self, other: impl FnOnce() -> Self) -> Self {
        if self == Self::Refuses {
            return self;
        }
        match (self, other()) {
            (_, Self::Refuses) => Self::Refuses,
            (Self::Accepts, Self::Accepts) => Self::Accepts,
            _ => Self::Unknown,
        }
    }

    fn all(verdicts: impl Iterator<Item = Self>) -> Self {
        let mut all = Self::Accepts;
        for verdict in verdicts {
            all = all.and(|| verdict);
            if all == Self::Refuses {
                break;
            }
        }
        all
    }
}

impl Not for Verdict {
    type Output = Self;

    fn not(self) -> Self {
        match self {
            Self::Accepts => Self::Refuses,
            Self::Refuses => Self::Accepts,
            Self::Unknown => Self::Unknown,
        }
    }
}

/// How many steps one evaluation may take, and all of one evaluator: a step is a schema that is visited, or some
/// characters of a text that are matched.
const MAX_STEPS: usize = 50_000;
const MAX_STEPS_OF_ALL: usize = 1_000_000;

/// How deep an evaluation may go.
const MAX_DEPTH: usize = 200;

/// Evaluates values against the schemas of one document.
pub(crate) struct Evaluator<'v> {
    document: &'v Document<'v>,
    /// What the evaluation may still take, and what all that follow may.
    steps: Cell<usize>,
    steps_of_all: Cell<usize>,
}

impl<'v> Evaluator<'v> {
    pub(crate) fn new(document: &'v Document<'v>) -> Self {
        Self::within(document, MAX_STEPS_OF_ALL)
    }

    /// One that takes no more than so many steps.
    pub(crate) fn within(document: &'v Document<'v>, steps: usize) -> Self {
        Self { document, steps: Cell::new(0), steps_of_all: Cell::new(MAX_STEPS_OF_ALL.min(steps)) }
    }

    /// How many steps are left.
    pub(super) fn left(&self) -> usize {
        self.steps_of_all.get()
    }

    /// Whether a schema of the document accepts a value.
    pub(crate) fn accepts(&self, schema: &Value, value: &Value) -> Verdict {
        self.within_bounds(|| self.check(schema, value, 0))
    }

    /// Whether all of these accept a value.
    pub(super) fn all_accept(&self, groups: &[Group<'_>], value: &Value) -> Verdict {
        self.within_bounds(|| Verdict::all(groups.iter().map(|group| self.group(group.members, value, 0))))
    }

    fn within_bounds(&self, check: impl FnOnce() -> Verdict) -> Verdict {
        let room = MAX_STEPS.min(self.steps_of_all.get());
        self.steps.set(room);
        let verdict = check();
        self.steps_of_all.set(self.steps_of_all.get() - (room - self.steps.get()));
        verdict
    }

    /// Whether there is room for so many steps, which are taken.
    fn take(&self, steps: usize) -> bool {
        let left = self.steps.get().checked_sub(steps);
        self.steps.set(left.unwrap_or(0));
        left.is_some()
    }

    fn check(&self, schema: &Value, value: &Value, depth: usize) -> Verdict {
        if depth > MAX_DEPTH || !self.take(1) {
            return Verdict::Unknown;
        }
        match &schema.data {
            Data::Bool(accepts) => Verdict::of(*accepts),
            Data::Object(members) => self.group(members, value, depth),
            _ => Verdict::Unknown,
        }
    }

    /// Whether the keywords of one object accept a value.
    fn group(&self, members: &Object, value: &Value, depth: usize) -> Verdict {
        let target = members.get("$ref").map(|target| {
            target
                .as_str()
                .and_then(|target| self.document.resolve(target))
                .map_or(Verdict::Unknown, |target| self.check(target, value, depth + 1))
        });
        if let Some(verdict) = target
            && self.document.dialect == Dialect::Draft7
        {
            return verdict;
        }
        let mut verdict = target.unwrap_or(Verdict::Accepts);
        for (keyword, argument) in members.iter() {
            if !self.document.dialect.knows(keyword) {
                continue;
            }
            verdict = verdict.and(|| self.keyword(keyword, argument, members, value, depth));
            if verdict == Verdict::Refuses {
                break;
            }
        }
        verdict
    }

    fn keyword(&self, keyword: &str, argument: &Value, schema: &Object, value: &Value, depth: usize) -> Verdict {
        let check = |schema: &Value, value: &Value| self.check(schema, value, depth + 1);
        match keyword {
            "type" => match types(argument) {
                Some(names) => Verdict::of(names.iter().any(|name| is_of_type(value, name))),
                None => Verdict::Unknown,
            },
            "enum" => match argument.as_array() {
                Some(items) if self.take(items.len() / 64) => Verdict::of(items.contains(value)),
                _ => Verdict::Unknown,
            },
            "const" => Verdict::of(argument == value),
            "allOf" => each(argument, |schemas| Verdict::all(schemas.iter().map(|schema| check(schema, value)))),
            "anyOf" => each(argument, |schemas| !Verdict::all(schemas.iter().map(|schema| !check(schema, value)))),
            "oneOf" => each(argument, |schemas| {
                let verdicts: Vec<Verdict> = schemas.iter().map(|schema| check(schema, value)).collect();
                let count = |verdict| verdicts.iter().filter(|other| **other == verdict).count();
                match (count(Verdict::Accepts), count(Verdict::Unknown)) {
                    (2.., _) | (0, 0) => Verdict::Refuses,
                    (1, 0) => Verdict::Accepts,
                    _ => Verdict::Unknown,
                }
            }),
            "not" => !check(argument, value),
            "if" => {
                let branch = |key: &str| schema.get(key).map_or(Verdict::Accepts, |branch| check(branch, value));
                match check(argument, value) {
                    Verdict::Accepts => branch("then"),
                    Verdict::Refuses => branch("else"),
                    Verdict::Unknown => {
                        let (then, otherwise) = (branch("then"), branch("else"));
                        if then == otherwise { then } else { Verdict::Unknown }
                    }
                }
            }
            _ => match &value.data {
                Data::Number(_) => number(keyword, argument, value),
                Data::String(text) => self.string(keyword, argument, text),
                Data::Array(items) => self.array(keyword, argument, schema, items, depth),
                Data::Object(members) => self.object(keyword, argument, schema, members, value, depth),
                _ => Verdict::Accepts,
            },
        }
    }

    fn array(&self, keyword: &str, argument: &Value, schema: &Object, items: &[Value], depth: usize) -> Verdict {
        let check = |schema: &Value, value: &Value| self.check(schema, value, depth + 1);
        let all = |schema: &Value, from: usize| Verdict::all(items.iter().skip(from).map(|item| check(schema, item)));
        let list = |key: &str| schema.get(key).and_then(Value::as_array);
        match keyword {
            "minItems" => at_least(items.len(), argument),
            "maxItems" => at_most(items.len(), argument),
            "uniqueItems" if argument.as_bool() == Some(true) => {
                let mut texts: Vec<String> = items.iter().map(Value::to_compact).collect();
                sort_by(&mut texts, Ord::cmp);
                Verdict::of(!texts.windows(2).any(|pair| matches!(pair, [a, b] if a == b)))
            }
            "prefixItems" => each(argument, |schemas| {
                Verdict::all(schemas.iter().zip(items).map(|(schema, item)| check(schema, item)))
            }),
            "items" => match argument.as_array() {
                Some(schemas) => Verdict::all(schemas.iter().zip(items).map(|(schema, item)| check(schema, item))),
                None if self.document.dialect.knows("prefixItems") => {
                    all(argument, list("prefixItems").map_or(0, <[Value]>::len))
                }
                None => all(argument, 0),
            },
            "additionalItems" => list("items").map_or(Verdict::Accepts, |first| all(argument, first.len())),
            "contains" => {
                let verdicts: Vec<Verdict> = items.iter().map(|item| check(argument, item)).collect();
                let count = |verdict| verdicts.iter().filter(|other| **other == verdict).count();
                let (sure, unsure) = (count(Verdict::Accepts), count(Verdict::Unknown));
                let bound = |keyword: &str, without: usize| match schema.get(keyword) {
                    Some(bound) if self.document.dialect.knows(keyword) => bound.as_index(),
                    _ => Some(without),
                };
                let (least, most) = (bound("minContains", 1), bound("maxContains", usize::MAX));
                let (Some(least), Some(most)) = (least, most) else { return Verdict::Unknown };
                match () {
                    () if sure > most || sure + unsure < least => Verdict::Refuses,
                    () if sure >= least && sure + unsure <= most => Verdict::Accepts,
                    () => Verdict::Unknown,
                }
            }
            "unevaluatedItems" => Verdict::Unknown,
            _ => Verdict::Accepts,
        }
    }

    fn object(
        &self,
        keyword: &str,
        argument: &Value,
        schema: &Object,
        members: &Object,
        value: &Value,
        depth: usize,
    ) -> Verdict {
        let check = |schema: &Value, value: &Value| self.check(schema, value, depth + 1);
        let is_there = |name: &Value| name.as_str().is_some_and(|name| members.get(name).is_some());
        let all_there = |names: &Value| each(names, |names| Verdict::of(names.iter().all(is_there)));
        match keyword {
            "required" => all_there(argument),
            "minProperties" => at_least(members.len(), argument),
            "maxProperties" => at_most(members.len(), argument),
            "propertyNames" => Verdict::all(members.iter().map(|(name, _)| check(argument, &Value::from(name)))),
            "properties" => named(argument, |properties| {
                Verdict::all(members.iter().filter_map(|(name, member)| Some(check(properties.get(name)?, member))))
            }),
            "patternProperties" => named(argument, |patterns| {
                Verdict::all(patterns.iter().map(|(pattern, schema)| {
                    let names = members.iter().map(|(name, _)| name.len()).sum();
                    let parsed = if self.take_text(pattern, names) { Pattern::parse(pattern) } else { None };
                    let Some(pattern) = parsed else { return Verdict::Unknown };
                    let matched = members.iter().filter(|(name, _)| pattern.is_match(name));
                    Verdict::all(matched.map(|(_, member)| check(schema, member)))
                }))
            }),
            "additionalProperties" => {
                let Some(rest) = self.additional(schema, members) else { return Verdict::Unknown };
                Verdict::all(rest.into_iter().filter_map(|name| Some(check(argument, members.get(name)?))))
            }
            "unevaluatedProperties" => {
                let Some(seen) = self.evaluated(schema, value, members, depth) else { return Verdict::Unknown };
                let rest = members.iter().zip(seen).filter(|(_, seen)| !seen);
                Verdict::all(rest.map(|((_, member), _)| check(argument, member)))
            }
            "dependentRequired" => named(argument, |dependencies| {
                let held = dependencies.iter().filter(|(name, _)| members.get(name).is_some());
                Verdict::all(held.map(|(_, names)| all_there(names)))
            }),
            "dependentSchemas" => named(argument, |dependencies| {
                let held = dependencies.iter().filter(|(name, _)| members.get(name).is_some());
                Verdict::all(held.map(|(_, schema)| check(schema, value)))
            }),
            "dependencies" => named(argument, |dependencies| {
                let held = dependencies.iter().filter(|(name, _)| members.get(name).is_some());
                Verdict::all(held.map(|(_, dependency)| match dependency.data {
                    Data::Array(_) => all_there(dependency),
                    _ => check(dependency, value),
                }))
            }),
            _ => Verdict::Accepts,
        }
    }

    /// Of each member, whether a schema's own keywords or those of its branches have looked at it.
    fn evaluated(&self, schema: &Object, value: &Value, members: &Object, depth: usize) -> Option<Vec<bool>> {
        if depth > MAX_DEPTH || !self.take(1) {
            return None;
        }
        if schema.get("additionalProperties").is_some() {
            return Some(vec![true; members.len()]);
        }
        let mut rest = self.additional(schema, members)?.into_iter().peekable();
        let mut seen: Vec<bool> = members.iter().map(|(name, _)| rest.next_if_eq(&name).is_none()).collect();
        let mut branches: Vec<&Value> = Vec::new();
        for key in ["allOf", "anyOf", "oneOf"] {
            branches.extend(schema.get(key).and_then(Value::as_array).unwrap_or_default());
        }
        branches.extend(schema.get("if"));
        let target = schema.get("$ref").map(|target| target.as_str().and_then(|target| self.document.resolve(target)));
        if let Some(target) = target {
            branches.push(target?);
        }
        if let Some(condition) = schema.get("if") {
            match self.check(condition, value, depth + 1) {
                Verdict::Accepts => branches.extend(schema.get("then")),
                Verdict::Refuses => branches.extend(schema.get("else")),
                Verdict::Unknown => return None,
            }
        }
        for (name, branch) in
            schema.get("dependentSchemas").and_then(Value::as_object).into_iter().flat_map(Object::iter)
        {
            branches.extend(members.get(name).map(|_| branch));
        }
        for branch in branches {
            let Some(own) = branch.as_object() else { continue };
            match self.check(branch, value, depth + 1) {
                Verdict::Accepts if own.get("unevaluatedProperties").is_some() => {
                    return Some(vec![true; members.len()]);
                }
                Verdict::Accepts => {
                    let others = self.evaluated(own, value, members, depth + 1)?;
                    seen.iter_mut().zip(others).for_each(|(seen, other)| *seen |= other);
                }
                Verdict::Refuses => {}
                Verdict::Unknown => return None,
            }
        }
        Some(seen)
    }

    /// The members that neither `properties` nor `patternProperties` of a schema name; nothing if that cannot be
    /// told.
    fn additional<'m>(&self, schema: &Object, members: &'m Object) -> Option<Vec<&'m str>> {
        let properties = schema.get("properties").and_then(Value::as_object);
        let unnamed = members.iter().map(|(name, _)| name);
        let mut unnamed: Vec<&str> =
            unnamed.filter(|name| properties.is_none_or(|properties| properties.get(name).is_none())).collect();
        for (pattern, _) in
            schema.get("patternProperties").and_then(Value::as_object).into_iter().flat_map(Object::iter)
        {
            if !self.take_text(pattern, unnamed.iter().map(|name| name.len()).sum()) {
                return None;
            }
            let pattern = Pattern::parse(pattern)?;
            unnamed.retain(|name| !pattern.is_match(name));
        }
        Some(unnamed)
    }

    fn string(&self, keyword: &str, argument: &Value, text: &str) -> Verdict {
        match keyword {
            "minLength" => at_least(text.chars().count(), argument),
            "maxLength" => at_most(text.chars().count(), argument),
            "pattern" => argument
                .as_str()
                .filter(|pattern| self.take_text(pattern, text.len()))
                .and_then(Pattern::parse)
                .map_or(Verdict::Unknown, |pattern| Verdict::of(pattern.is_match(text))),
            "format" => argument.as_str().map_or(Verdict::Unknown, |name| format::accepts(name, text)),
            _ => Verdict::Accepts,
        }
    }

    /// The steps of matching a text of so many bytes.
    fn take_text(&self, pattern: &str, bytes: usize) -> bool {
        self.take(20 + (pattern.len() / 8).saturating_mul(bytes / 8 + 1))
    }
}

fn each(list: &Value, check: impl FnOnce(&[Value]) -> Verdict) -> Verdict {
    list.as_array().map_or(Verdict::Unknown, check)
}

fn named(object: &Value, check: impl FnOnce(&Object) -> Verdict) -> Verdict {
    object.as_object().map_or(Verdict::Unknown, check)
}

/// The names of a `type`, if they are names.
pub(super) fn types(argument: &Value) -> Option<Vec<&str>> {
    match &argument.data {
        Data::String(name) => Some(vec![name]),
        Data::Array(names) => names.iter().map(Value::as_str).collect(),
        _ => None,
    }
}

pub(super) fn is_of_type(value: &Value, name: &str) -> bool {
    match (&value.data, name) {
        (Data::Null, "null")
        | (Data::Bool(_), "boolean")
        | (Data::String(_), "string")
        | (Data::Number(_), "number")
        | (Data::Array(_), "array")
        | (Data::Object(_), "object") => true,
        (Data::Number(_), "integer") => value.as_f64().is_some_and(|number| number.fract() == 0.0),
        _ => false,
    }
}

fn at_least(count: usize, argument: &Value) -> Verdict {
    argument.as_index().map_or(Verdict::Unknown, |least| Verdict::of(count >= least))
}

fn at_most(count: usize, argument: &Value) -> Verdict {
    argument.as_index().map_or(Verdict::Unknown, |most| Verdict::of(count <= most))
}

fn number(keyword: &str, argument: &Value, value: &Value) -> Verdict {
    let (Some(bound), Some(number)) = (argument.as_f64(), value.as_f64()) else {
        let is_bound =
            matches!(keyword, "minimum" | "maximum" | "exclusiveMinimum" | "exclusiveMaximum" | "multipleOf");
        return if is_bound { Verdict::Unknown } else { Verdict::Accepts };
    };
    match keyword {
        "minimum" => Verdict::of(number >= bound),
        "maximum" => Verdict::of(number <= bound),
        "exclusiveMinimum" => Verdict::of(number > bound),
        "exclusiveMaximum" => Verdict::of(number < bound),
        "multipleOf" if bound.fract() == 0.0 && number.fract() == 0.0 && bound != 0.0 => {
            Verdict::of(number % bound == 0.0)
        }
        // Whether 0.3 is a multiple of 0.1 is answered differently by different validators.
        "multipleOf" if number != 0.0 => Verdict::Unknown,
        _ => Verdict::Accepts,
    }
}
