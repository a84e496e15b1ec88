//! A schema taken apart: what it demands of a value, keyword by keyword.

use super::document::{Dialect, Document};
use super::evaluate::types;
use crate::text::sort::sort_by;
use crate::text::strings::compare_utf16;
use crate::text::value::{Data, Object, Value};

/// How many references and branches one schema may lead through.
const MAX_LINKS: usize = 64;

/// The kinds of values, as bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Kinds(u8);

/// Every kind, the plainest first; an integer is a number without a fraction.
const KINDS: [&str; 7] = ["string", "integer", "number", "boolean", "null", "array", "object"];

impl Kinds {
    pub(super) const ALL: Self = Self(0b111_1111);

    pub(super) fn of(name: &str) -> Self {
        match KINDS.iter().position(|kind| *kind == name) {
            // A number may be an integer.
            Some(2) => Self(0b000_0110),
            Some(place) => Self(1 << place),
            None => Self(0),
        }
    }

    /// Nothing if it names what is no type.
    fn of_type(argument: &Value) -> Option<Self> {
        types(argument)?.iter().try_fold(Self(0), |kinds, name| {
            let kind = Self::of(name);
            (!kind.is_empty()).then_some(Self(kinds.0 | kind.0))
        })
    }

    pub(super) fn and(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    pub(super) fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether all values of this kind are among them.
    pub(super) fn has(self, name: &str) -> bool {
        Self::of(name).0 & self.0 == Self::of(name).0
    }

    pub(super) fn bits(self) -> usize {
        usize::from(self.0)
    }

    pub(super) fn minus(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    /// Whether some values of this kind are among them.
    pub(super) fn touches(self, name: &str) -> bool {
        !self.and(Self::of(name)).is_empty()
    }

    pub(super) fn names(self) -> impl Iterator<Item = &'static str> {
        // An integer alone is told by `integer`, together with the rest by `number`.
        KINDS.into_iter().filter(move |name| self.has(name) && !(*name == "integer" && self.has("number")))
    }
}

/// What schemas demand together.
#[derive(Debug, Clone)]
pub(super) struct Flat<'v> {
    pub(super) kinds: Kinds,
    /// Objects whose keywords all hold. Each is complete in itself: `additionalProperties` speaks of its own
    /// `properties`.
    pub(super) groups: Vec<Group<'v>>,
    pub(super) unions: Vec<Union<'v>>,
    /// The only values there are, if they are listed.
    pub(super) values: Option<Vec<&'v Value>>,
    /// Whether nothing is accepted.
    pub(super) is_never: bool,
    /// How many schemas it was put together from.
    pub(super) links: usize,
}

/// A schema that is an object.
#[derive(Debug, Clone, Copy)]
pub(super) struct Group<'v> {
    pub(super) at: &'v Value,
    pub(super) members: &'v Object,
    dialect: Dialect,
}

impl<'v> Group<'v> {
    /// The argument of a keyword, if the dialect has it.
    pub(super) fn get(&self, keyword: &str) -> Option<&'v Value> {
        self.members.get(keyword).filter(|_| self.dialect.knows(keyword))
    }
}

/// Schemas of which one has to hold.
#[derive(Debug, Clone, Copy)]
pub(super) struct Union<'v> {
    /// The argument of `anyOf` or `oneOf`.
    pub(super) at: &'v Value,
    pub(super) branches: &'v [Value],
    /// Whether no second one may hold.
    pub(super) is_one: bool,
}

impl Union<'_> {
    pub(super) fn keyword(&self) -> &'static str {
        if self.is_one { "oneOf" } else { "anyOf" }
    }
}

impl<'v> Flat<'v> {
    /// Nothing if a reference cannot be followed, or too many lead on.
    pub(super) fn of(schemas: &[&'v Value], document: &Document<'v>) -> Option<Self> {
        let mut flat =
            Self { kinds: Kinds::ALL, groups: Vec::new(), unions: Vec::new(), values: None, is_never: false, links: 0 };
        schemas.iter().try_for_each(|schema| flat.add(schema, document))?;
        Some(flat)
    }

    /// The same, with one more schema that has to hold.
    pub(super) fn and(&self, schema: &'v Value, document: &Document<'v>) -> Option<Self> {
        let mut flat = self.clone();
        flat.add(schema, document)?;
        Some(flat)
    }

    /// The same without its unions.
    pub(super) fn without_unions(&self) -> Self {
        Self { unions: Vec::new(), ..self.clone() }
    }

    /// The same for values of one kind.
    pub(super) fn of_kind(&self, kind: &str) -> Self {
        Self { kinds: self.kinds.and(Kinds::of(kind)), ..self.clone() }
    }

    fn add(&mut self, schema: &'v Value, document: &Document<'v>) -> Option<()> {
        let mut waiting: Vec<&'v Value> = vec![schema];
        while let Some(schema) = waiting.pop() {
            self.links += 1;
            if self.links > MAX_LINKS {
                return None;
            }
            let members = match &schema.data {
                Data::Bool(accepts) => {
                    self.is_never |= !accepts;
                    continue;
                }
                Data::Object(members) => members,
                _ => return None,
            };
            if ["$dynamicRef", "$recursiveRef"].iter().any(|keyword| members.get(keyword).is_some()) {
                return None;
            }
            if let Some(target) = members.get("$ref") {
                waiting.push(document.resolve(target.as_str()?)?);
                if document.dialect == Dialect::Draft7 {
                    continue;
                }
            }
            if self.groups.iter().any(|group| core::ptr::eq(group.at, schema)) {
                continue;
            }
            self.groups.push(Group { at: schema, members, dialect: document.dialect });
            if let Some(argument) = members.get("type") {
                self.kinds = self.kinds.and(Kinds::of_type(argument)?);
            }
            if let Some(argument) = members.get("const") {
                self.only(vec![argument]);
            }
            if let Some(argument) = members.get("enum") {
                self.only(argument.as_array()?.iter().collect());
            }
            for keyword in ["anyOf", "oneOf"] {
                if let Some(at) = members.get(keyword) {
                    match at.as_array()? {
                        [alone] => waiting.push(alone),
                        branches => self.unions.push(Union { at, branches, is_one: keyword == "oneOf" }),
                    }
                }
            }
            if let Some(argument) = members.get("allOf") {
                waiting.extend(argument.as_array()?.iter().rev());
            }
        }
        Some(())
    }

    fn only(&mut self, values: Vec<&'v Value>) {
        self.values = Some(match self.values.take() {
            None => values,
            Some(before) => {
                let listed = Listed::new(&values);
                before.into_iter().filter(|value| listed.has(value)).collect()
            }
        });
    }

    /// About how much there is to look at.
    pub(super) fn weight(&self) -> usize {
        let size = |argument: &Value| match &argument.data {
            Data::Object(members) => members.len(),
            Data::Array(items) => items.len(),
            _ => 1,
        };
        let listed = self.values.as_ref().map_or(0, Vec::len);
        let of_group = |group: &Group<'v>| {
            let named = ["properties", "required", "patternProperties", "prefixItems"];
            group.members.len() + named.iter().filter_map(|keyword| group.get(keyword)).map(size).sum::<usize>()
        };
        4 + listed + self.groups.iter().map(of_group).sum::<usize>()
    }

    /// The arguments of a keyword, of every group that has it.
    pub(super) fn all<'f>(&'f self, keyword: &'f str) -> impl Iterator<Item = &'v Value> + 'f {
        self.groups.iter().filter_map(move |group| group.get(keyword))
    }

    /// The names that have to be there, in order.
    pub(super) fn required(&self) -> Vec<&'v str> {
        let lists = self.all("required").filter_map(Value::as_array);
        sorted(lists.flatten().filter_map(Value::as_str).collect())
    }

    /// The names of the properties that are described, in order.
    pub(super) fn properties(&self) -> Vec<&'v str> {
        let mut objects = self.all("properties").filter_map(Value::as_object);
        let mut names: Vec<&'v str> = objects.next().into_iter().flat_map(Object::iter).map(|(name, _)| name).collect();
        let more = names.len();
        names.extend(objects.flat_map(Object::iter).map(|(name, _)| name));
        if names.len() > more { sorted(names) } else { names }
    }

    /// The range of numbers, both ends included or not; of integers, always included.
    pub(super) fn range(&self) -> Range {
        let mut range = Range::default();
        for (keyword, is_open) in [("minimum", false), ("exclusiveMinimum", true)] {
            for bound in self.all(keyword).filter_map(Value::as_f64) {
                range.raise(bound, is_open);
            }
        }
        for (keyword, is_open) in [("maximum", false), ("exclusiveMaximum", true)] {
            for bound in self.all(keyword).filter_map(Value::as_f64) {
                range.lower(bound, is_open);
            }
        }
        if !self.kinds.has("number") {
            range.round_to_integers();
        }
        range
    }

    /// The tightest count of keywords such as `minLength`.
    pub(super) fn least(&self, keyword: &str) -> usize {
        self.all(keyword).filter_map(Value::as_index).max().unwrap_or(0)
    }

    pub(super) fn most(&self, keyword: &str) -> Option<usize> {
        self.all(keyword).filter_map(Value::as_index).min()
    }
}

/// Whether names in order have one.
pub(super) fn has_name(names: &[&str], name: &str) -> bool {
    names.binary_search_by(|other| compare_utf16(other, name)).is_ok()
}

/// Names in order, each once.
fn sorted(mut names: Vec<&str>) -> Vec<&str> {
    sort_by(&mut names, |a, b| compare_utf16(a, b));
    names.dedup();
    names
}

/// A list of values that is asked often whether it has one.
pub(super) enum Listed<'l, 'v> {
    Few(&'l [&'v Value]),
    /// As texts, in order.
    Many(Vec<String>),
}

impl<'l, 'v> Listed<'l, 'v> {
    pub(super) fn new(values: &'l [&'v Value]) -> Self {
        if values.len() < 32 {
            return Self::Few(values);
        }
        let mut texts: Vec<String> = values.iter().map(|value| value.to_compact()).collect();
        sort_by(&mut texts, Ord::cmp);
        Self::Many(texts)
    }

    pub(super) fn has(&self, value: &Value) -> bool {
        match self {
            Self::Few(values) => values.contains(&value),
            Self::Many(texts) => texts.binary_search(&value.to_compact()).is_ok(),
        }
    }
}

/// A range of numbers.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(super) struct Range {
    pub(super) least: Option<(f64, bool)>,
    pub(super) most: Option<(f64, bool)>,
}

/// The largest integer that a double tells from its neighbours, which generators write as a bound where there is none.
const LARGEST: f64 = 9_007_199_254_740_991.0;

impl Range {
    fn raise(&mut self, bound: f64, is_open: bool) {
        if self.least.is_none_or(|(least, open)| bound > least || (bound == least && is_open && !open)) {
            self.least = Some((bound, is_open));
        }
    }

    fn lower(&mut self, bound: f64, is_open: bool) {
        if self.most.is_none_or(|(most, open)| bound < most || (bound == most && is_open && !open)) {
            self.most = Some((bound, is_open));
        }
    }

    fn round_to_integers(&mut self) {
        let up =
            |(bound, is_open): (f64, bool)| if is_open && bound.fract() == 0.0 { bound + 1.0 } else { bound.ceil() };
        let down =
            |(bound, is_open): (f64, bool)| if is_open && bound.fract() == 0.0 { bound - 1.0 } else { bound.floor() };
        self.least = self.least.map(|least| (up(least), false)).filter(|(least, _)| *least > -LARGEST);
        self.most = self.most.map(|most| (down(most), false)).filter(|(most, _)| *most < LARGEST);
    }

    pub(super) fn is_empty(&self) -> bool {
        self.least
            .zip(self.most)
            .is_some_and(|((least, open), (most, other))| least > most || (least == most && (open || other)))
    }

    /// Whether every number of the other range is in this one.
    pub(super) fn holds(&self, other: &Self) -> bool {
        let is_above = match (self.least, other.least) {
            (None, _) => true,
            (Some(_), None) => false,
            (Some((own, own_open)), Some((least, open))) => least > own || (least == own && (!own_open || open)),
        };
        let is_below = match (self.most, other.most) {
            (None, _) => true,
            (Some(_), None) => false,
            (Some((own, own_open)), Some((most, open))) => most < own || (most == own && (!own_open || open)),
        };
        is_above && is_below
    }
}
