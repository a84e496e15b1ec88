//! Objects: what has to be there, how much may be, and the members by name.

use core::cell::OnceCell;
use core::cmp::Ordering;
use std::rc::Rc;

use super::{FRESH, Gap, Lift, MAX_GAPS, Parameter, Spot, WHOLE, WORK_OF_PATTERN, Walk};
use crate::schema::document::Document;
use crate::schema::evaluate::Verdict;
use crate::schema::flat::{Flat, has_name};
use crate::schema::pattern::Pattern;
use crate::schema::sample::{member_schemas, some, with};
use crate::text::strings::compare_utf16;
use crate::text::value::{Data, Object, Value};

/// How many members an example is filled up with.
const MAX_EXAMPLE: usize = 200;

/// Examples of the new schema's objects, made when the first is needed.
struct Examples<'w, 'v> {
    walk: &'w Walk<'v>,
    old: &'w Flat<'v>,
    new: &'w Flat<'v>,
    all: OnceCell<Vec<Value>>,
    smallest: OnceCell<Option<Rc<Object>>>,
}

impl Examples<'_, '_> {
    fn all(&self) -> &[Value] {
        self.all.get_or_init(|| self.walk.samples(&self.new.of_kind("object")))
    }

    /// The smallest, with what the old schema wants as well: what is refused of it is refused for another reason.
    fn smallest(&self) -> Option<Rc<Object>> {
        let first = || some(&self.new.of_kind("object"), self.walk.new.document, 1).into_iter().next();
        let smallest = self.smallest.get_or_init(|| {
            let Data::Object(mut object) = first()?.data else { return None };
            for name in self.old.required().into_iter().take(MAX_EXAMPLE) {
                if object.get(name).is_none()
                    && let Some(value) = self.walk.member_sample(self.new, name)
                {
                    object.set(name, value);
                }
            }
            Some(Rc::new(object))
        });
        smallest.clone()
    }
}

impl<'v> Walk<'v> {
    pub(super) fn of_objects(&self, old: &Flat<'v>, new: &Flat<'v>, depth: usize) -> Vec<Gap<'v>> {
        let examples = Examples { walk: self, old, new, all: OnceCell::new(), smallest: OnceCell::new() };
        let mut found = self.of_required(old, new, &examples);
        found.extend(self.of_counts(old, new, &examples));
        found.extend(self.of_members(old, new, &examples, depth));
        found.extend(self.of_names(old, new, &examples, depth));
        found.extend(self.of_dependencies(old, new, &examples));
        found
    }

    fn of_required(&self, old: &Flat<'v>, new: &Flat<'v>, examples: &Examples<'_, 'v>) -> Vec<Gap<'v>> {
        if old.all("required").eq(new.all("required")) {
            return Vec::new();
        }
        let (was, still) = (old.required(), new.required());
        let gone: Vec<&'v str> = was.into_iter().filter(|name| !has_name(&still, name)).collect();
        if gone.is_empty() {
            return Vec::new();
        }
        let (before, after) = (old.properties(), new.properties());
        let gap = |name: &'v str| {
            let tries = examples.all().iter().filter_map(|value| self.less(value.as_object()?, name, new)).collect();
            let list = |flat: &Flat<'v>| {
                let mut lists = flat.all("required");
                lists.find(|list| list.as_array().unwrap_or_default().iter().any(|item| item.as_str() == Some(name)))
            };
            let mut gap = Gap::of("required", old, new, tries);
            gap.old = list(old).map_or(gap.old, Spot::At);
            let (was_there, is_there) = (has_name(&before, name), has_name(&after, name));
            gap.parameter = Some(Parameter { name, was_there, is_there });
            gap
        };
        gone.into_iter().take(MAX_GAPS + 1).map(gap).collect()
    }

    /// The object without one member, and with others in its place if there have to be so many.
    fn less(&self, object: &Object, name: &str, new: &Flat<'v>) -> Option<Value> {
        let mut object = object.clone();
        object.remove(name);
        let least = new.least("minProperties").min(MAX_EXAMPLE);
        let named = new.properties().into_iter().filter(|other| *other != name).map(str::to_owned);
        let mut spare = named.chain((0..least).map(|n| format!("x{n}"))).take(MAX_EXAMPLE);
        while object.len() < least {
            let other = spare.next()?;
            if let Some(value) = self.member_sample(new, &other) {
                object.set(&other, value);
            }
        }
        Some(object.into())
    }

    fn of_counts(&self, old: &Flat<'v>, new: &Flat<'v>, examples: &Examples<'_, 'v>) -> Vec<Gap<'v>> {
        let mut found = Vec::new();
        let (least, most) = (old.least("minProperties"), old.most("maxProperties"));
        if new.least("minProperties") < least && new.required().len() < least {
            found.push(Gap::of("minProperties", old, new, examples.all().to_vec()));
        }
        let largest = Self::closed_names(new).map_or(usize::MAX, |names| names.len());
        if let Some(most) = most.filter(|most| *most < largest)
            && new.most("maxProperties").is_none_or(|other| other > most)
        {
            let mut large = examples.smallest().map(|object| (*object).clone()).unwrap_or_default();
            let spare = (0..=most.min(MAX_EXAMPLE)).map(|n| format!("x{n}"));
            for name in new.properties().into_iter().map(str::to_owned).chain(spare) {
                if large.len() > most {
                    break;
                }
                if let Some(value) = self.member_sample(new, &name) {
                    large.set(&name, value);
                }
            }
            found.push(Gap::of("maxProperties", old, new, vec![large.into()]));
        }
        found
    }

    /// Members, by every name that either schema speaks of, and one of which none does.
    fn of_members(&self, old: &Flat<'v>, new: &Flat<'v>, examples: &Examples<'_, 'v>, depth: usize) -> Vec<Gap<'v>> {
        let mut found = Vec::new();
        let (was, is) = (old.properties(), new.properties());
        let is_known = |name: &str| has_name(&was, name) || has_name(&is, name);
        let tests = (was.len() + is.len()).saturating_mul(patterns(old).len() + patterns(new).len());
        if !self.take(tests.saturating_mul(WORK_OF_PATTERN)) {
            return vec![Gap::of("patternProperties", old, new, Vec::new())];
        }
        for parameter in parameters(&was, &is) {
            found.extend(self.of_member(parameter.name, Some(parameter), old, new, examples, depth));
        }
        let mut fresh = FRESH.to_owned();
        while is_known(&fresh) {
            fresh.push_str(FRESH);
        }
        found.extend(self.of_member(&fresh, None, old, new, examples, depth));
        if old.all("patternProperties").chain(new.all("patternProperties")).next().is_none() {
            return found;
        }
        for (pattern, _) in patterns(old).into_iter().chain(patterns(new)) {
            let names = Pattern::parse(pattern).map(|pattern| pattern.examples()).unwrap_or_default();
            for name in names.into_iter().take(3).filter(|name| !is_known(name)) {
                found.extend(self.of_member(&name, None, old, new, examples, depth));
            }
        }
        // Examples of names do not stand for all names that a pattern has.
        if found.is_empty() && !self.holds_for_patterns(old, new, &fresh, depth) {
            found.push(Gap::of("patternProperties", old, new, Vec::new()));
        }
        found
    }

    /// The member of a name, which is that of a property or stands for others.
    fn of_member(
        &self,
        name: &str,
        parameter: Option<Parameter<'v>>,
        old: &Flat<'v>,
        new: &Flat<'v>,
        examples: &Examples<'_, 'v>,
        depth: usize,
    ) -> Vec<Gap<'v>> {
        let Some((old_schemas, new_schemas)) = member_schemas(old, name).zip(member_schemas(new, name)) else {
            return vec![Gap::of("patternProperties", old, new, Vec::new())];
        };
        if self.is_same(&old_schemas, &new_schemas) {
            return Vec::new();
        }
        let (old_spot, new_spot) = (member_spot(old, name), member_spot(new, name));
        let Some((old_member, new_member)) = self.old.flat(&old_schemas).zip(self.new.flat(&new_schemas)) else {
            return vec![Gap::new(WHOLE, old_spot, new_spot, Vec::new())];
        };
        let is_opened = |gap: &Gap<'v>| {
            let rest = new.all("additionalProperties").next();
            gap.lifts.is_empty() && (old_member.is_never || rest.is_none_or(is_anything))
        };
        let inner = self.gaps(&old_member, &new_member, depth + 1).into_iter();
        inner
            .map(|mut gap| {
                match parameter {
                    // It came or went.
                    Some(parameter) if parameter.was_there != parameter.is_there => {
                        gap.keyword = "properties";
                        (gap.old, gap.new) = (old_spot, new_spot);
                        gap.parameter = Some(parameter);
                    }
                    None if is_opened(&gap) => {
                        gap.keyword = match old_spot {
                            Spot::At(spot) if is_in_patterns(old, spot) => "patternProperties",
                            _ => "additionalProperties",
                        };
                        (gap.old, gap.new) = (old_spot, new_spot);
                    }
                    _ => {}
                }
                gap.lifted(old_spot, new_spot, Lift::Member { object: examples.smallest(), name: name.to_owned() })
            })
            .collect()
    }

    /// Whether members whose names are told by patterns alone are no wider.
    fn holds_for_patterns(&self, old: &Flat<'v>, new: &Flat<'v>, fresh: &str, depth: usize) -> bool {
        type Source<'v> = (Option<&'v str>, Flat<'v>);
        let sources = |flat: &Flat<'v>, document: &'v Document<'v>| -> Option<Vec<Source<'v>>> {
            let named = patterns(flat).into_iter();
            let mut all: Vec<Source<'v>> = named
                .map(|(text, schema)| Some((Some(text), Flat::of(&[schema], document)?)))
                .collect::<Option<_>>()?;
            all.push((None, Flat::of(&member_schemas(flat, fresh)?, document)?));
            Some(all)
        };
        let Some((olds, news)) = sources(old, self.old.document).zip(sources(new, self.new.document)) else {
            return false;
        };
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

    fn of_names(&self, old: &Flat<'v>, new: &Flat<'v>, examples: &Examples<'_, 'v>, depth: usize) -> Vec<Gap<'v>> {
        let mut found = Vec::new();
        let news: Vec<&'v Value> = new.all("propertyNames").collect();
        for names in old.all("propertyNames") {
            if self.is_same(&[names], &news) {
                continue;
            }
            let (old_spot, new_spot) = (Spot::At(names), Spot::of(new, "propertyNames"));
            let Some((old_names, new_names)) = self.old.flat(&[names]).zip(self.new.flat(&news)) else {
                found.push(Gap::new(WHOLE, old_spot, new_spot, Vec::new()));
                continue;
            };
            let refused = Self::closed_names(new).map(|all| self.names_beyond(&all, &old_names));
            if refused.as_ref().is_some_and(Vec::is_empty) {
                continue;
            }
            for mut gap in self.gaps(&old_names.of_kind("string"), &new_names.of_kind("string"), depth + 1) {
                gap.tries.splice(0..0, refused.iter().flatten().map(|name| Value::from(*name)));
                let named = |name: Value| {
                    let name = name.as_str()?;
                    Some(with(&*examples.smallest()?, name, self.member_sample(new, name)?))
                };
                let tries = gap.candidates().filter_map(named).collect();
                found.push(Gap {
                    tries,
                    lifts: Vec::new(),
                    old: gap.old.or(old_spot),
                    new: gap.new.or(new_spot),
                    ..gap
                });
            }
        }
        found
    }

    /// The names that the old schema of names does not clearly accept.
    fn names_beyond(&self, names: &[&'v str], old: &Flat<'v>) -> Vec<&'v str> {
        let is_beyond =
            |name: &&&str| self.old.evaluator.all_accept(&old.groups, &Value::from(**name)) != Verdict::Accepts;
        names.iter().filter(is_beyond).copied().collect()
    }

    fn of_dependencies(&self, old: &Flat<'v>, new: &Flat<'v>, examples: &Examples<'_, 'v>) -> Vec<Gap<'v>> {
        let mut found = Vec::new();
        let closed = Self::closed_names(new);
        for keyword in ["dependentRequired", "dependentSchemas", "dependencies", "unevaluatedProperties"] {
            // What is left over depends on all that stands beside it.
            let is_of_the_rest = keyword == "unevaluatedProperties";
            for argument in old.all(keyword) {
                let is_same = new.all(keyword).any(|other| self.is_same_argument(argument, other));
                let is_idle = |names: &Vec<&str>| {
                    !names.iter().any(|name| argument.as_object().is_some_and(|all| all.get(name).is_some()))
                };
                if !is_of_the_rest && closed.as_ref().is_some_and(is_idle) {
                    continue;
                }
                if (is_of_the_rest && is_anything(argument)) || (!is_of_the_rest && is_same) {
                    continue;
                }
                let mut tries = examples.all().to_vec();
                let names = argument.as_object().into_iter().flat_map(Object::iter).map(|(name, _)| name);
                let names = names.filter(|_| !is_of_the_rest).take(MAX_EXAMPLE);
                let mut add = |name: &str, value: Option<Value>| {
                    tries.extend(examples.smallest().zip(value).map(|(smallest, value)| with(&smallest, name, value)));
                };
                names.for_each(|name| add(name, self.member_sample(new, name)));
                add(FRESH, Some(FRESH.into()));
                found.push(Gap::new(keyword, Spot::At(argument), Spot::of(new, keyword), tries));
            }
        }
        found
    }

    /// The plainest value that the new schema accepts for a member.
    pub(super) fn member_sample(&self, new: &Flat<'v>, name: &str) -> Option<Value> {
        self.sample(&member_schemas(new, name)?)
    }
}

/// The properties of both, in order of their names.
fn parameters<'v>(was: &[&'v str], is: &[&'v str]) -> Vec<Parameter<'v>> {
    let (mut was, mut is) = (was.iter().peekable(), is.iter().peekable());
    let mut all = Vec::with_capacity(was.len().max(is.len()));
    loop {
        let order = match (was.peek(), is.peek()) {
            (None, None) => return all,
            (Some(_), None) => Ordering::Less,
            (None, Some(_)) => Ordering::Greater,
            (Some(old), Some(new)) => compare_utf16(old, new),
        };
        let old = if order.is_le() { was.next() } else { None };
        let new = if order.is_ge() { is.next() } else { None };
        let name = old.or(new).copied().unwrap_or_default();
        all.push(Parameter { name, was_there: old.is_some(), is_there: new.is_some() });
    }
}

fn patterns<'v>(flat: &Flat<'v>) -> Vec<(&'v str, &'v Value)> {
    flat.all("patternProperties").filter_map(Value::as_object).flat_map(Object::iter).collect()
}

fn is_in_patterns(flat: &Flat<'_>, spot: &Value) -> bool {
    patterns(flat).iter().any(|(_, schema)| core::ptr::eq(*schema, spot))
}

/// Where what the member of a name has to hold to stands.
fn member_spot<'v>(flat: &Flat<'v>, name: &str) -> Spot<'v> {
    let named = flat.all("properties").filter_map(Value::as_object).find_map(|properties| properties.get(name));
    let by_pattern = || {
        let is_match = |pattern: &str| Pattern::parse(pattern).is_some_and(|pattern| pattern.is_match(name));
        patterns(flat).into_iter().find_map(|(pattern, schema)| is_match(pattern).then_some(schema))
    };
    match named.or_else(by_pattern) {
        Some(schema) => Spot::At(schema),
        None => Spot::of(flat, "additionalProperties"),
    }
}

/// Whether a schema accepts everything, in as many words.
fn is_anything(schema: &Value) -> bool {
    match &schema.data {
        Data::Bool(accepts) => *accepts,
        Data::Object(members) => members.len() == 0,
        _ => false,
    }
}
