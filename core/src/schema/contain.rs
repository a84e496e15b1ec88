//! Containment: is every value that the new schema accepts one that the old one accepted? Where that cannot be
//! shown, a witness is looked for: a value that the new schema accepts and the old one refuses.
//!
//! What is shown is shown keyword by keyword; what is found is checked by evaluating both schemas. What is
//! neither shown nor found is undecided, and said to be.

use core::cell::{Cell, RefCell};
use std::collections::BTreeSet;

use super::evaluate::{Evaluator, Verdict};
use super::flat::{Flat, Kinds, Union};
use super::pattern::Pattern;
use super::resolve::Document;
use super::sample::{item_schemas, member_schemas, number, samples, with};
use crate::text::pointer::push_key;
use crate::text::value::{Data, Object, Value};

/// How many pairs of schemas one comparison looks at, and how deep.
const MAX_PAIRS: usize = 3000;
const MAX_DEPTH: usize = 32;

/// How many values are tried to prove one gap.
const MAX_TRIES: usize = 24;

/// A name that no schema has a property for.
const FRESH: &str = "x";

/// A way in which the new schema accepts, or may accept, what the old one refuses.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Gap {
    /// Where it is in the new schema, or in the old one if it is gone there.
    pub(crate) pointer: String,
    /// The keyword that lets it through.
    pub(crate) keyword: &'static str,
    /// The keyword's argument in both.
    pub(crate) before: Option<Value>,
    pub(crate) after: Option<Value>,
    /// A value for the whole that proves it; none if it is undecided.
    pub(crate) witness: Option<Value>,
    /// Values that may prove it.
    tries: Vec<Value>,
}

impl Gap {
    fn new(keyword: &'static str, before: Option<&Value>, after: Option<&Value>, tries: Vec<Value>) -> Self {
        Self { pointer: String::new(), keyword, before: before.cloned(), after: after.cloned(), witness: None, tries }
    }

    /// The gap as one of the schema around it, for which each value becomes another.
    fn lifted(mut self, path: &[&str], lift: impl Fn(Value) -> Option<Value>) -> Self {
        let mut pointer = String::new();
        for key in path {
            push_key(&mut pointer, key);
        }
        pointer.push_str(&self.pointer);
        self.pointer = pointer;
        self.tries = self.tries.into_iter().take(MAX_TRIES).filter_map(lift).collect();
        self
    }
}

/// Every gap between two schemas, with a witness where one was found.
pub(crate) fn gaps(old: &Value, new: &Value) -> Vec<Gap> {
    if old == new {
        return Vec::new();
    }
    let (old_document, new_document) = (Document::new(old), Document::new(new));
    let walk = Walk {
        old: Side { document: &old_document, evaluator: Evaluator::new(&old_document) },
        new: Side { document: &new_document, evaluator: Evaluator::new(&new_document) },
        open: RefCell::new(BTreeSet::new()),
        pairs: Cell::new(0),
    };
    let flats = Flat::of(&[old], &old_document).zip(Flat::of(&[new], &new_document));
    let mut all = match flats {
        Some((old, new)) => walk.gaps(&old, &new, 0),
        None => vec![Gap::new("$ref", None, None, Vec::new())],
    };
    let is_witness = |value: &Value| {
        walk.new.evaluator.accepts(new, value) == Verdict::Accepts
            && walk.old.evaluator.accepts(old, value) == Verdict::Refuses
    };
    for gap in &mut all {
        gap.witness = core::mem::take(&mut gap.tries).into_iter().find(is_witness);
    }
    all
}

/// One of the two documents.
struct Side<'v> {
    document: &'v Document<'v>,
    evaluator: Evaluator<'v>,
}

struct Walk<'v> {
    old: Side<'v>,
    new: Side<'v>,
    /// Pairs that are being looked at: a pair inside itself holds if the rest of it does.
    open: RefCell<BTreeSet<(Vec<usize>, Vec<usize>)>>,
    pairs: Cell<usize>,
}

fn addresses(flat: &Flat<'_>) -> Vec<usize> {
    let groups = flat.groups.iter().map(|group| core::ptr::from_ref::<Object>(group).addr());
    let unions = flat.unions.iter().map(|union| core::ptr::from_ref::<[Value]>(union.branches).addr());
    groups.chain(unions).chain([flat.kinds.bits()]).collect()
}

impl<'v> Walk<'v> {
    fn gaps(&self, old: &Flat<'v>, new: &Flat<'v>, depth: usize) -> Vec<Gap> {
        if self.is_empty(new, 0) || (old.groups.is_empty() && !old.is_never) {
            return Vec::new();
        }
        self.pairs.set(self.pairs.get() + 1);
        if self.pairs.get() > MAX_PAIRS || depth > MAX_DEPTH {
            return vec![Gap::new("$ref", None, None, Vec::new())];
        }
        let pair = (addresses(old), addresses(new));
        if !self.open.borrow_mut().insert(pair.clone()) {
            return Vec::new();
        }
        let found = self.of_pair(old, new, depth);
        self.open.borrow_mut().remove(&pair);
        found
    }

    fn of_pair(&self, old: &Flat<'v>, new: &Flat<'v>, depth: usize) -> Vec<Gap> {
        if old.is_never {
            return vec![Gap::new("not", None, None, self.samples(new))];
        }
        if let Some(values) = &new.values {
            return self.of_values(values, old, new);
        }
        // What both demand in the same words is settled.
        let is_shared = |union: &Union<'v>| new.unions.iter().any(|other| is_same_union(union, other));
        let open: Vec<Union<'v>> = old.unions.iter().filter(|union| !is_shared(union)).copied().collect();
        let old = &Flat { unions: open, ..old.clone() };
        if let Some((union, rest)) = new.unions.split_first() {
            let rest = Flat { unions: rest.to_vec(), ..new.clone() };
            return self.of_branches(union, &rest, old, new, depth);
        }
        if let Some(values) = &old.values {
            return self.beyond_values(values, old, new);
        }
        let mut found = self.of_kinds(old, new);
        for union in &old.unions {
            found.extend(self.in_union(union, new, depth));
        }
        let both = new.kinds.and(old.kinds);
        if both.touches("number") {
            found.extend(self.of_numbers(old, new));
        }
        if both.touches("string") {
            found.extend(self.of_strings(old, new));
        }
        if both.touches("array") {
            found.extend(self.of_arrays(old, new, depth));
        }
        if both.touches("object") {
            found.extend(self.of_objects(old, new, depth));
        }
        found.extend(self.of_conditions(old, new));
        found
    }

    fn samples(&self, flat: &Flat<'v>) -> Vec<Value> {
        samples(flat, self.new.document)
    }

    /// The new schema lists its values: each is asked about.
    fn of_values(&self, values: &[&'v Value], old: &Flat<'v>, new: &Flat<'v>) -> Vec<Gap> {
        let is_new = |value: &&&Value| {
            let accepted = self.new.evaluator.all_accept(&new.groups, value);
            accepted != Verdict::Refuses && self.old.evaluator.all_accept(&old.groups, value) != Verdict::Accepts
        };
        let new_values: Vec<Value> = values.iter().filter(is_new).map(|value| (*value).clone()).collect();
        let argument = |flat: &Flat<'v>| flat.all("enum").next().or(flat.all("const").next());
        let gap = |value: Value| Gap::new("enum", argument(old), argument(new), vec![value]);
        new_values.into_iter().map(gap).collect()
    }

    /// The old schema lists its values, and the new one does not.
    fn beyond_values(&self, values: &[&'v Value], old: &Flat<'v>, new: &Flat<'v>) -> Vec<Gap> {
        let is_listed = |value: &Value| values.contains(&value);
        let all_of =
            |kind: &str, all: &[Data]| !new.kinds.has(kind) || all.iter().all(|value| is_listed(&value.clone().into()));
        let rest = new.kinds.minus(Kinds::of("null")).minus(Kinds::of("boolean"));
        // Only these two kinds have so few values that a list can have them all.
        let is_all = rest.is_empty()
            && all_of("null", &[Data::Null])
            && all_of("boolean", &[Data::Bool(true), Data::Bool(false)]);
        if is_all {
            return Vec::new();
        }
        let mut tries = self.samples(new);
        tries.extend(["other", "x", ""].map(Value::from));
        tries.extend([0.0, 101.0, 0.5, -1.0].map(number));
        vec![Gap::new("enum", old.all("enum").next().or(old.all("const").next()), new.all("type").next(), tries)]
    }

    /// The new schema is a union: each of its branches has to be in the old one.
    fn of_branches(
        &self,
        union: &Union<'v>,
        rest: &Flat<'v>,
        old: &Flat<'v>,
        new: &Flat<'v>,
        depth: usize,
    ) -> Vec<Gap> {
        let mut found = Vec::new();
        for branch in union.branches {
            let Some(one) = rest.and(branch, self.new.document) else {
                found.push(Gap::new("$ref", None, None, Vec::new()));
                continue;
            };
            let inner = self.gaps(old, &one, depth + 1);
            if inner.is_empty() {
                continue;
            }
            let tries = inner.iter().flat_map(|gap| gap.tries.iter().take(4).cloned()).chain(self.samples(&one));
            let argument = |flat: &Flat<'v>| flat.all("anyOf").next().or(flat.all("oneOf").next());
            match inner.as_slice() {
                // A branch that only loosened is told by what it loosened.
                [only] if only.keyword != "type" && only.keyword != "anyOf" => found.extend(inner),
                _ => found.push(Gap::new("anyOf", argument(old), argument(new), tries.collect())),
            }
        }
        found
    }

    /// The old schema is a union: what the new one accepts has to be in one branch, kind by kind.
    fn in_union(&self, union: &Union<'v>, new: &Flat<'v>, depth: usize) -> Vec<Gap> {
        let branches: Vec<Flat<'v>> =
            union.branches.iter().filter_map(|branch| Flat::of(&[branch], self.old.document)).collect();
        let is_whole = branches.len() == union.branches.len();
        let mut found = Vec::new();
        for kind in new.kinds.names() {
            let one = new.of_kind(kind);
            let mut touching: Vec<&Flat<'v>> =
                branches.iter().filter(|branch| !self.is_apart(branch, &one, 0)).collect();
            // One in the same words comes first.
            touching.sort_by_key(|branch| {
                !(branch.groups.len() == one.groups.len() && branch.groups.iter().zip(&one.groups).all(|(a, b)| a == b))
            });
            // Where no second branch may hold, none may be able to.
            let is_alone = !union.is_one || touching.len() == 1;
            let mut nearest: Option<Vec<Gap>> = None;
            for branch in touching.iter().take(16) {
                let inner = self.gaps(branch, &one, depth + 1);
                let is_nearer = nearest.as_ref().is_none_or(|nearest| inner.len() < nearest.len());
                let is_in = inner.is_empty();
                if is_nearer {
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
            let tries =
                nearest.iter().flat_map(|gap| gap.tries.iter().take(4).cloned()).chain(self.samples(&one)).collect();
            let before = Value::from(Data::Array(union.branches.to_vec()));
            found.push(Gap::new("anyOf", Some(&before), new.all("type").next(), tries));
        }
        found
    }

    fn of_kinds(&self, old: &Flat<'v>, new: &Flat<'v>) -> Vec<Gap> {
        let beyond = new.kinds.minus(old.kinds);
        if beyond.is_empty() {
            return Vec::new();
        }
        let argument = |flat: &Flat<'v>| flat.all("type").next();
        // What is a number and no integer is the rest of numbers.
        let is_fraction = beyond.touches("number") && !beyond.has("integer");
        let kinds = beyond.names().chain(is_fraction.then_some("number"));
        let tries = kinds.flat_map(|kind| self.samples(&new.of_kind(kind)).into_iter().take(MAX_TRIES / 4)).collect();
        vec![Gap::new("type", argument(old), argument(new), tries)]
    }

    fn of_numbers(&self, old: &Flat<'v>, new: &Flat<'v>) -> Vec<Gap> {
        let mut found = Vec::new();
        let numbers = new.of_kind("number");
        let (was, is) = (old.of_kind("number").range(), numbers.range());
        if !was.holds(&is) {
            let mut tries = self.samples(&numbers);
            for (bound, _) in [was.least, was.most].into_iter().flatten() {
                tries.extend([bound - 1.0, bound + 1.0, bound - 0.5, bound + 0.5, bound, bound * 2.0].map(number));
            }
            for (is_low, keywords) in
                [(true, ["minimum", "exclusiveMinimum"]), (false, ["maximum", "exclusiveMaximum"])]
            {
                let (mut own, mut other) = (was, is);
                let (own_side, other_side) =
                    if is_low { (&mut own.most, &mut other.most) } else { (&mut own.least, &mut other.least) };
                (*own_side, *other_side) = (None, None);
                if own.holds(&other) {
                    continue;
                }
                let argument = |flat: &Flat<'v>| keywords.iter().find_map(|keyword| flat.all(keyword).next());
                let keyword =
                    keywords.into_iter().find(|keyword| old.all(keyword).next().is_some()).unwrap_or(keywords[0]);
                found.push(Gap::new(keyword, argument(old), argument(new), tries.clone()));
            }
        }
        for step in old.all("multipleOf") {
            let divides = |other: &Value| match (step.as_f64(), other.as_f64()) {
                (Some(step), Some(other)) => {
                    step == other || (step.fract() == 0.0 && other.fract() == 0.0 && other % step == 0.0)
                }
                _ => false,
            };
            let is_of_integers = step.as_f64() == Some(1.0) && !new.kinds.has("number");
            if !is_of_integers && !new.all("multipleOf").any(divides) {
                let mut tries = self.samples(&numbers);
                tries.extend(step.as_f64().into_iter().flat_map(|step| [step + 1.0, step * 1.5, 1.0]).map(number));
                found.push(Gap::new("multipleOf", Some(step), new.all("multipleOf").next(), tries));
            }
        }
        found
    }

    fn of_strings(&self, old: &Flat<'v>, new: &Flat<'v>) -> Vec<Gap> {
        let strings = new.of_kind("string");
        let mut found = Vec::new();
        let lengths = |text: &str, lengths: &[usize]| -> Vec<Value> {
            lengths.iter().filter(|length| **length < 20_000).map(|length| Value::from(text.repeat(*length))).collect()
        };
        let mut tries = self.samples(&strings);
        let (least, most) = (old.least("minLength"), old.most("maxLength"));
        if new.least("minLength") < least {
            tries.extend(lengths("x", &[least - 1, 0]));
            found.push(Gap::new("minLength", old.all("minLength").next(), new.all("minLength").next(), tries.clone()));
        }
        if let Some(most) = most
            && new.most("maxLength").is_none_or(|other| other > most)
        {
            let mut tries = lengths("x", &[most + 1]);
            let longer = self.samples(&strings).into_iter().filter_map(|text| {
                let text = text.as_str()?;
                let end = text.chars().last()?;
                (most < 20_000).then(|| {
                    Value::from(format!(
                        "{text}{}",
                        end.to_string().repeat((most + 1).saturating_sub(text.chars().count()))
                    ))
                })
            });
            tries.extend(longer);
            found.push(Gap::new("maxLength", old.all("maxLength").next(), new.all("maxLength").next(), tries));
        }
        for pattern in old.all("pattern") {
            if !new.all("pattern").any(|other| other == pattern) {
                let mut tries = tries.clone();
                tries.extend(["", "x", "0", " ", "X", "-", "/", "é", "../x", "a b", "\n", "!"].map(Value::from));
                tries.extend(lengths("x", &[new.least("minLength")]));
                found.push(Gap::new("pattern", Some(pattern), new.all("pattern").next(), tries));
            }
        }
        for format in old.all("format") {
            if !new.all("format").any(|other| other == format) {
                let mut tries = tries.clone();
                tries.push("x".into());
                found.push(Gap::new("format", Some(format), new.all("format").next(), tries));
            }
        }
        found
    }

    fn of_arrays(&self, old: &Flat<'v>, new: &Flat<'v>, depth: usize) -> Vec<Gap> {
        let arrays = new.of_kind("array");
        let tries = self.samples(&arrays);
        let longest = |length: usize| -> Vec<Value> {
            let item =
                Flat::of(&item_schemas(new, 0), self.new.document).map(|flat| self.samples(&flat)).unwrap_or_default();
            let repeated =
                item.first().filter(|_| length <= 2000).map(|item| Data::Array(vec![item.clone(); length]).into());
            let varied =
                (item.len() >= length).then(|| Data::Array(item.iter().take(length).cloned().collect()).into());
            let others = (0..length.min(2000)).map(|n| Value::from(format!("x{n}"))).collect();
            repeated.into_iter().chain(varied).chain([Data::Array(others).into()]).collect()
        };
        let mut found = Vec::new();
        let (least, most) = (old.least("minItems"), old.most("maxItems"));
        if new.least("minItems") < least {
            let mut tries = tries.clone();
            tries.extend(longest(new.least("minItems")));
            found.push(Gap::new("minItems", old.all("minItems").next(), new.all("minItems").next(), tries));
        }
        if let Some(most) = most
            && new.most("maxItems").is_none_or(|other| other > most)
        {
            found.push(Gap::new("maxItems", old.all("maxItems").next(), new.all("maxItems").next(), longest(most + 1)));
        }
        let is_unique = |flat: &Flat<'v>| flat.all("uniqueItems").any(|unique| unique.as_bool() == Some(true));
        if is_unique(old) && !is_unique(new) && new.most("maxItems").is_none_or(|most| most > 1) {
            let tries = longest(new.least("minItems").max(2));
            found.push(Gap::new("uniqueItems", old.all("uniqueItems").next(), new.all("uniqueItems").next(), tries));
        }
        for wanted in old.all("contains") {
            if has_reference(wanted) || !new.all("contains").any(|other| other == wanted) {
                let mut tries = tries.clone();
                tries.push(Data::Array(Vec::new()).into());
                found.push(Gap::new("contains", Some(wanted), new.all("contains").next(), tries));
            }
        }
        for keyword in ["minContains", "maxContains"] {
            if old.all(keyword).ne(new.all(keyword)) {
                found.push(Gap::new(keyword, old.all(keyword).next(), new.all(keyword).next(), tries.clone()));
            }
        }
        let prefix = |flat: &Flat<'v>| {
            let lists = flat.all("prefixItems").chain(flat.all("items")).filter_map(Value::as_array);
            lists.map(<[Value]>::len).max().unwrap_or(0)
        };
        let places = prefix(old).max(prefix(new));
        for place in 0..=places.min(64) {
            if new.most("maxItems").is_some_and(|most| most <= place) {
                break;
            }
            let flats = Flat::of(&item_schemas(old, place), self.old.document)
                .zip(Flat::of(&item_schemas(new, place), self.new.document));
            let Some((old_item, new_item)) = flats else {
                found.push(Gap::new("$ref", None, None, Vec::new()));
                continue;
            };
            let bases: Vec<Value> = (0..place.max(new.least("minItems")))
                .filter_map(|at| {
                    let flat = Flat::of(&item_schemas(new, at), self.new.document)?;
                    self.samples(&flat).into_iter().next()
                })
                .collect();
            let index = place.to_string();
            let path: &[&str] = if places > 0 { &["prefixItems", &index] } else { &["items"] };
            for gap in self.gaps(&old_item, &new_item, depth + 1) {
                found.push(gap.lifted(path, |item| {
                    let mut items = bases.clone();
                    match items.get_mut(place) {
                        Some(slot) => *slot = item,
                        None => items.push(item),
                    }
                    Some(Data::Array(items).into())
                }));
            }
        }
        found
    }

    fn of_objects(&self, old: &Flat<'v>, new: &Flat<'v>, depth: usize) -> Vec<Gap> {
        let objects = new.of_kind("object");
        let tries = self.samples(&objects);
        let smallest = tries.iter().find_map(|value| value.as_object()).cloned();
        let mut found = Vec::new();
        let still = new.required();
        for name in old.required().into_iter().filter(|name| !still.contains(name)) {
            let without = |value: &Value| {
                let mut object = value.as_object()?.clone();
                object.remove(name);
                Some(object.into())
            };
            let tries = tries.iter().filter_map(without).collect();
            let gap = Gap::new("required", Some(&name.into()), None, tries);
            found.push(gap);
        }
        let (least, most) = (old.least("minProperties"), old.most("maxProperties"));
        if new.least("minProperties") < least && still.len() < least {
            found.push(Gap::new(
                "minProperties",
                old.all("minProperties").next(),
                new.all("minProperties").next(),
                tries.clone(),
            ));
        }
        if let Some(most) = most
            && new.most("maxProperties").is_none_or(|other| other > most)
        {
            let mut large = smallest.clone().unwrap_or_default();
            for name in
                new.properties().into_iter().map(str::to_owned).chain((0..=most.min(200)).map(|n| format!("x{n}")))
            {
                let value = member_schemas(new, &name).and_then(|schemas| Flat::of(&schemas, self.new.document));
                let value = value.and_then(|flat| self.samples(&flat).into_iter().next());
                if large.iter().count() <= most
                    && let Some(value) = value
                {
                    large.set(&name, value);
                }
            }
            found.push(Gap::new(
                "maxProperties",
                old.all("maxProperties").next(),
                new.all("maxProperties").next(),
                vec![large.into()],
            ));
        }
        found.extend(self.of_members(old, new, smallest.as_ref(), depth));
        for names in old.all("propertyNames") {
            let flats = Flat::of(&[names], self.old.document)
                .zip(Flat::of(&new.all("propertyNames").collect::<Vec<_>>(), self.new.document));
            let Some((old_names, new_names)) = flats else { continue };
            for gap in self.gaps(&old_names.of_kind("string"), &new_names.of_kind("string"), depth + 1) {
                found.push(gap.lifted(&["propertyNames"], |name| {
                    let name = name.as_str()?.to_owned();
                    let value = Flat::of(&member_schemas(new, &name)?, self.new.document);
                    let value = self.samples(&value?).into_iter().next()?;
                    Some(with(smallest.as_ref()?, &name, value))
                }));
            }
        }
        for keyword in ["dependentRequired", "dependentSchemas", "dependencies", "unevaluatedProperties"] {
            for argument in old.all(keyword) {
                if !has_reference(argument)
                    && keyword != "unevaluatedProperties"
                    && new.all(keyword).any(|other| other == argument)
                {
                    continue;
                }
                if keyword == "unevaluatedProperties" && argument.as_bool() == Some(true) {
                    continue;
                }
                let mut tries = tries.clone();
                tries.extend(smallest.as_ref().map(|smallest| with(smallest, FRESH, FRESH.into())));
                for name in argument.as_object().into_iter().flat_map(Object::iter).map(|(name, _)| name) {
                    let value = member_schemas(new, name).and_then(|schemas| Flat::of(&schemas, self.new.document));
                    let value = value.and_then(|flat| self.samples(&flat).into_iter().next());
                    tries.extend(smallest.as_ref().zip(value).map(|(smallest, value)| with(smallest, name, value)));
                }
                found.push(Gap::new(keyword, Some(argument), new.all(keyword).next(), tries));
            }
        }
        found
    }

    /// Members, by every name that either schema speaks of, and one of which none does.
    fn of_members(&self, old: &Flat<'v>, new: &Flat<'v>, smallest: Option<&Object>, depth: usize) -> Vec<Gap> {
        let mut found = Vec::new();
        let (was, is) = (old.properties(), new.properties());
        let mut names: Vec<String> =
            was.iter().chain(is.iter().filter(|name| !was.contains(name))).map(|name| (*name).to_owned()).collect();
        let mut fresh = FRESH.to_owned();
        while names.contains(&fresh) {
            fresh.push_str(FRESH);
        }
        names.push(fresh.clone());
        let patterns = |flat: &Flat<'v>| -> Vec<String> {
            let all = flat.all("patternProperties").filter_map(Value::as_object).flat_map(Object::iter);
            all.map(|(pattern, _)| pattern.to_owned()).collect()
        };
        for pattern in patterns(old).iter().chain(&patterns(new)) {
            names
                .extend(Pattern::parse(pattern).into_iter().flat_map(|pattern| pattern.examples().into_iter().take(3)));
        }
        for name in names {
            let flats = member_schemas(old, &name).zip(member_schemas(new, &name));
            let flats =
                flats.and_then(|(old, new)| Flat::of(&old, self.old.document).zip(Flat::of(&new, self.new.document)));
            let Some((old_member, new_member)) = flats else {
                found.push(Gap::new("$ref", None, None, Vec::new()));
                continue;
            };
            let (in_old, in_new) = (was.contains(&name.as_str()), is.contains(&name.as_str()));
            let path: &[&str] = if in_old || in_new { &["properties", &name] } else { &["additionalProperties"] };
            for mut gap in self.gaps(&old_member, &new_member, depth + 1) {
                if in_old != in_new {
                    // The parameter came or went.
                    gap.keyword = "properties";
                } else if name == fresh && gap.pointer.is_empty() {
                    gap.keyword = "additionalProperties";
                    gap.before = old.all("additionalProperties").next().cloned();
                    gap.after = new.all("additionalProperties").next().cloned();
                }
                found.push(gap.lifted(path, |value| Some(with(smallest?, &name, value))));
            }
        }
        // Examples of names do not stand for all names that a pattern has.
        if found.is_empty() && !self.holds_for_patterns(old, new, &fresh, depth) {
            let argument = |flat: &Flat<'v>| flat.all("patternProperties").next();
            found.push(Gap::new("patternProperties", argument(old), argument(new), Vec::new()));
        }
        found
    }

    /// Whether members whose names are told by patterns alone are no wider.
    fn holds_for_patterns(&self, old: &Flat<'v>, new: &Flat<'v>, fresh: &str, depth: usize) -> bool {
        let sources = |flat: &Flat<'v>, document: &'v Document<'v>| -> Option<Vec<(Option<&'v str>, Flat<'v>)>> {
            let patterns = flat.all("patternProperties").filter_map(Value::as_object).flat_map(Object::iter);
            let mut all: Vec<(Option<&'v str>, Flat<'v>)> = patterns
                .map(|(text, schema)| Some((Some(text), Flat::of(&[schema], document)?)))
                .collect::<Option<_>>()?;
            all.push((None, Flat::of(&member_schemas(flat, fresh)?, document)?));
            Some(all)
        };
        let Some((olds, news)) = sources(old, self.old.document).zip(sources(new, self.new.document)) else {
            return false;
        };
        if olds.len() == 1 && news.len() == 1 {
            return true;
        }
        let is_in = |old: &Flat<'v>, new: &Flat<'v>| self.gaps(old, new, depth + 1).is_empty();
        olds.iter().all(|(text, old)| {
            let same = news.iter().find(|(other, _)| text.is_some() && other == text);
            same.is_some_and(|(_, new)| is_in(old, new))
                || news.iter().all(|(other, new)| {
                    let is_told_elsewhere =
                        text.is_none() && other.is_some() && olds.iter().any(|(old, _)| old == other);
                    is_told_elsewhere || is_in(old, new)
                })
        })
    }

    /// `not`, `if` and what is not known: the same words are the same, and others undecided.
    fn of_conditions(&self, old: &Flat<'v>, new: &Flat<'v>) -> Vec<Gap> {
        let mut found = Vec::new();
        for refused in old.all("not") {
            let flat = Flat::of(&[refused], self.old.document);
            let is_apart = flat.as_ref().is_some_and(|flat| self.is_apart(flat, new, 0));
            if is_apart
                || new.all("not").any(|other| self.is_within(refused, self.old.document, other, self.new.document))
            {
                continue;
            }
            let mut tries = flat.as_ref().map(|flat| samples(flat, self.old.document)).unwrap_or_default();
            tries.extend(self.samples(new));
            // With what the refused schema asks for.
            let mut object = tries.iter().rev().find_map(Value::as_object).cloned().unwrap_or_default();
            for name in flat.iter().flat_map(Flat::required) {
                let member = member_schemas(new, name).and_then(|schemas| Flat::of(&schemas, self.new.document));
                if let Some(value) = member.and_then(|flat| self.samples(&flat).into_iter().next()) {
                    object.set(name, value);
                }
            }
            tries.insert(0, object.into());
            found.push(Gap::new("not", Some(refused), new.all("not").next(), tries));
        }
        for group in &old.groups {
            let Some(condition) = group.get("if") else { continue };
            let parts = |group: &Object| ["if", "then", "else"].map(|key| group.get(key).cloned());
            let is_local = !["if", "then", "else"].iter().filter_map(|key| group.get(key)).any(has_reference);
            if is_local && new.groups.iter().any(|other| parts(other) == parts(group)) {
                continue;
            }
            let mut tries = self.samples(new);
            tries.extend(
                Flat::of(&[condition], self.old.document)
                    .map(|flat| samples(&flat, self.old.document))
                    .unwrap_or_default(),
            );
            found.push(Gap::new("if", Some(condition), new.all("if").next(), tries));
        }
        for items in old.all("unevaluatedItems") {
            found.push(Gap::new("unevaluatedItems", Some(items), new.all("unevaluatedItems").next(), Vec::new()));
        }
        found
    }

    /// Whether nothing that a schema of the old document accepts is accepted by the new one.
    fn is_apart(&self, other: &Flat<'v>, new: &Flat<'v>, depth: usize) -> bool {
        if other.is_never || other.kinds.and(new.kinds).is_empty() || depth > 4 {
            return other.is_never || other.kinds.and(new.kinds).is_empty();
        }
        if let Some(values) = &other.values {
            return values.iter().all(|value| self.new.evaluator.all_accept(&new.groups, value) == Verdict::Refuses);
        }
        if let Some(values) = &new.values {
            return values.iter().all(|value| self.old.evaluator.all_accept(&other.groups, value) == Verdict::Refuses);
        }
        let is_branch_apart = |branch: &'v Value| {
            Flat::of(&[branch], self.old.document).is_some_and(|flat| self.is_apart(&flat, new, depth + 1))
        };
        if other.unions.iter().any(|union| union.branches.iter().all(is_branch_apart)) {
            return true;
        }
        // A member that has to be there, and for which there is no value that both take.
        let is_member_apart = |name: &str| {
            let flats = member_schemas(other, name).zip(member_schemas(new, name));
            let flats = flats
                .and_then(|(other, new)| Flat::of(&other, self.old.document).zip(Flat::of(&new, self.new.document)));
            flats.is_some_and(|(other, new)| self.is_empty(&new, 1) || self.is_apart(&other, &new, depth + 1))
        };
        let both = other.kinds.and(new.kinds);
        both.minus(Kinds::of("object")).is_empty()
            && other.required().iter().chain(&new.required()).any(|name| is_member_apart(name))
    }

    /// Whether one schema is within another, each of a document of its own. Nothing is reported.
    fn is_within(
        &self,
        inner: &'v Value,
        inner_document: &'v Document<'v>,
        outer: &'v Value,
        outer_document: &'v Document<'v>,
    ) -> bool {
        let walk = Walk {
            old: Side { document: outer_document, evaluator: Evaluator::new(outer_document) },
            new: Side { document: inner_document, evaluator: Evaluator::new(inner_document) },
            open: RefCell::new(BTreeSet::new()),
            pairs: Cell::new(self.pairs.get()),
        };
        let flats = Flat::of(&[outer], outer_document).zip(Flat::of(&[inner], inner_document));
        let is_within = flats.is_some_and(|(outer, inner)| walk.gaps(&outer, &inner, 0).is_empty());
        self.pairs.set(walk.pairs.get());
        is_within
    }

    /// Whether the new schema is known to accept nothing.
    fn is_empty(&self, new: &Flat<'v>, depth: usize) -> bool {
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
            "object" => {
                let is_member_empty = |name: &str| {
                    let flat = member_schemas(new, name).and_then(|schemas| Flat::of(&schemas, self.new.document));
                    depth < 4 && flat.is_some_and(|flat| self.is_empty(&flat, depth + 1))
                };
                let is_closed = new.all("additionalProperties").any(|rest| rest.as_bool() == Some(false))
                    && new.all("patternProperties").next().is_none();
                new.required().iter().any(|name| is_member_empty(name))
                    || new
                        .most("maxProperties")
                        .is_some_and(|most| most < new.least("minProperties").max(new.required().len()))
                    || (is_closed && new.properties().len() < new.least("minProperties"))
            }
            "array" => new.most("maxItems").is_some_and(|most| most < new.least("minItems")),
            "string" => new.most("maxLength").is_some_and(|most| most < new.least("minLength")),
            "number" | "integer" => new.of_kind(kind).range().is_empty(),
            _ => false,
        })
    }

    /// Whether a schema under `not` accepts all values of the kinds that are left.
    fn refuses_all(&self, refused: &'v Value, new: &Flat<'v>) -> bool {
        let is_bare =
            |group: &Object| group.iter().all(|(keyword, _)| matches!(keyword, "type" | "description" | "title"));
        let Some(flat) = Flat::of(&[refused], self.new.document) else { return false };
        let all_of = |flat: &Flat<'v>| {
            flat.values.is_none()
                && !flat.is_never
                && flat.unions.is_empty()
                && flat.groups.iter().all(|group| is_bare(group))
                && new.kinds.minus(flat.kinds).is_empty()
        };
        all_of(&flat)
            || flat.unions.iter().any(|union| {
                let is_alone = flat
                    .groups
                    .iter()
                    .all(|group| group.iter().all(|(keyword, _)| matches!(keyword, "anyOf" | "description" | "title")));
                is_alone
                    && union
                        .branches
                        .iter()
                        .any(|branch| Flat::of(&[branch], self.new.document).is_some_and(|flat| all_of(&flat)))
            })
    }
}

/// Whether two unions are the same, in the same words.
fn is_same_union(a: &Union<'_>, b: &Union<'_>) -> bool {
    a.is_one == b.is_one && a.branches == b.branches && !a.branches.iter().any(has_reference)
}

/// Whether a schema leads elsewhere, so that equal words may mean different things.
fn has_reference(value: &Value) -> bool {
    match &value.data {
        Data::Object(members) => {
            members.get("$ref").is_some() || members.iter().any(|(_, member)| has_reference(member))
        }
        Data::Array(items) => items.iter().any(has_reference),
        _ => false,
    }
}
