//! Containment: is every value that the new schema accepts one that the old one accepted? Where that cannot be
//! shown, a witness is looked for: a value that the new schema accepts and the old one refuses.
//!
//! What is shown is shown keyword by keyword; what is found is checked by evaluating both schemas. What is
//! neither shown nor found is undecided, and said to be.

mod apart;
mod arrays;
mod conditions;
mod kinds;
mod numbers;
mod objects;
mod strings;

use core::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::rc::Rc;

use super::document::{Document, address, has_reference};
use super::evaluate::{Evaluator, Verdict};
use super::flat::{Flat, Group, Union, has_name};
use super::keywords::says_the_same;
use super::sample::{samples, some, with};
use crate::text::value::{Data, Object, Value};

/// How much one comparison looks at, in members of schemas, and how deep.
const MAX_WORK: usize = 400_000;
const MAX_DEPTH: usize = 32;

/// How many gaps are told. More are one that is undecided.
const MAX_GAPS: usize = 256;

/// What it takes to see which of a schema's patterns a name has.
const WORK_OF_PATTERN: usize = 8;

/// How many values are tried to prove one gap.
const MAX_TRIES: usize = 24;

/// How many walks are inside of one another.
const MAX_NESTING: usize = 4;

/// How many branches of the old schema are compared with what stands for one of the new.
const MAX_BRANCHES: usize = 16;

/// A name that no schema has a property for.
const FRESH: &str = "x";

/// What stands for a keyword where a whole schema was not looked into: it is too deep or too large, or leads to
/// what is not there.
const WHOLE: &str = "schema";

/// A way in which the new schema accepts, or may accept, what the old one refuses.
#[derive(Debug, Clone)]
pub(crate) struct Gap<'v> {
    /// The keyword that lets it through.
    pub(crate) keyword: &'v str,
    /// Where it is in both.
    pub(crate) old: Spot<'v>,
    pub(crate) new: Spot<'v>,
    /// The property that it is about, of `required` or `properties`.
    pub(crate) parameter: Option<Parameter<'v>>,
    /// The value that a list gained.
    pub(crate) added: Option<&'v Value>,
    /// Whether all that it lets through is `null`, which is or was the default.
    pub(crate) is_default: bool,
    /// A value for the whole that proves it; none if it is undecided.
    pub(crate) witness: Option<Value>,
    /// Values that may prove it, of the schema that has the gap, and what leads from there to the whole.
    tries: Vec<Value>,
    lifts: Vec<Lift>,
}

/// From a value to one of the schema around it.
#[derive(Debug, Clone)]
enum Lift {
    /// The member of a name, in an object that is accepted.
    Member { object: Option<Rc<Object>>, name: String },
    /// The item at a place, after or among others.
    Item { items: Rc<Vec<Value>>, place: usize },
}

impl Lift {
    fn of(&self, value: Value) -> Option<Value> {
        match self {
            Self::Member { object, name } => Some(with(object.as_deref()?, name, value)),
            Self::Item { items, place } => {
                let mut items = items.to_vec();
                match items.get_mut(*place) {
                    Some(slot) => *slot = value,
                    None => items.push(value),
                }
                Some(Data::Array(items).into())
            }
        }
    }
}

/// Where a keyword stands in a schema.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Spot<'v> {
    /// Its argument.
    At(&'v Value),
    /// The schema in which it would stand, under this keyword.
    In(&'v Value, &'v str),
    /// There is no such schema: everything is accepted, or nothing.
    Nowhere,
}

/// A property that came, went or need not be given any more.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Parameter<'v> {
    pub(crate) name: &'v str,
    /// Whether the schema before, and the one after, describe it.
    pub(crate) was_there: bool,
    pub(crate) is_there: bool,
}

impl<'v> Spot<'v> {
    fn of(flat: &Flat<'v>, keyword: &'v str) -> Self {
        // Rather in what a reference leads to than beside the reference.
        let own = flat.groups.iter().find(|group| group.get("$ref").is_none());
        match (flat.all(keyword).next(), own.or(flat.groups.first())) {
            (Some(argument), _) => Self::At(argument),
            (None, Some(group)) => Self::In(group.at, keyword),
            (None, None) => Self::Nowhere,
        }
    }

    /// The argument that stands there.
    pub(crate) fn argument(self) -> Option<&'v Value> {
        match self {
            Self::At(argument) => Some(argument),
            Self::In(..) | Self::Nowhere => None,
        }
    }

    pub(crate) fn address(self) -> Option<usize> {
        match self {
            Self::At(value) | Self::In(value, _) => Some(address(value)),
            Self::Nowhere => None,
        }
    }

    fn or(self, other: Self) -> Self {
        if matches!(self, Self::Nowhere) { other } else { self }
    }
}

impl<'v> Gap<'v> {
    fn new(keyword: &'v str, old: Spot<'v>, new: Spot<'v>, tries: Vec<Value>) -> Self {
        Self {
            keyword,
            old,
            new,
            parameter: None,
            added: None,
            is_default: false,
            witness: None,
            tries,
            lifts: Vec::new(),
        }
    }

    /// Of a keyword of both.
    fn of(keyword: &'v str, old: &Flat<'v>, new: &Flat<'v>, tries: Vec<Value>) -> Self {
        Self::new(keyword, Spot::of(old, keyword), Spot::of(new, keyword), tries)
    }

    /// Of schemas that are not looked into.
    fn whole() -> Self {
        Self::new(WHOLE, Spot::Nowhere, Spot::Nowhere, Vec::new())
    }

    /// The gap as one of the schema around it, in which it is found at these spots.
    fn lifted(mut self, old: Spot<'v>, new: Spot<'v>, lift: Lift) -> Self {
        (self.old, self.new) = (self.old.or(old), self.new.or(new));
        self.lifts.push(lift);
        self
    }

    /// The values that may prove it, as values of the whole.
    fn candidates(&self) -> impl Iterator<Item = Value> {
        let tries = self.tries.iter().take(MAX_TRIES).cloned();
        tries.filter_map(|value| self.lifts.iter().try_fold(value, |value, lift| lift.of(value)))
    }

    /// As it is from the other side, when the two schemas were compared the other way round.
    pub(crate) fn turned(mut self) -> Self {
        core::mem::swap(&mut self.old, &mut self.new);
        if let Some(Parameter { was_there, is_there, .. }) = &mut self.parameter {
            core::mem::swap(was_there, is_there);
        }
        self
    }

    /// Whether it is the same: a definition that is used in many places is told once.
    fn is(&self, other: &Self) -> bool {
        let name = |gap: &Self| gap.parameter.map(|parameter| parameter.name);
        self.new.address() == other.new.address()
            && self.old.address() == other.old.address()
            && self.keyword == other.keyword
            && name(self) == name(other)
            && self.added.map(address) == other.added.map(address)
    }
}

/// What several comparisons may take together.
#[derive(Debug)]
pub(crate) struct Effort(Cell<usize>);

impl Effort {
    pub(crate) fn new(most: usize) -> Self {
        Self(Cell::new(most))
    }
}

/// Every gap between two schemas, with a witness where one was found.
pub(crate) fn gaps<'v>(old: &'v Document<'v>, new: &'v Document<'v>, effort: &Effort) -> Vec<Gap<'v>> {
    let room = effort.0.get();
    let mut walk = Walk::new(old, new);
    walk.work.set(MAX_WORK.min(room));
    (walk.old.evaluator, walk.new.evaluator) = (Evaluator::within(old, room), Evaluator::within(new, room));
    let left = || walk.work.get() + walk.old.evaluator.left() + walk.new.evaluator.left();
    let before = left();
    let found = told(&walk);
    effort.0.set(room.saturating_sub(before - left()));
    found
}

fn told<'v>(walk: &Walk<'v>) -> Vec<Gap<'v>> {
    let (old, new) = (walk.old.document, walk.new.document);
    if walk.is_same(&[old.root], &[new.root]) {
        return Vec::new();
    }
    let flats = Flat::of(&[old.root], old).zip(Flat::of(&[new.root], new));
    let all = match flats {
        Some((old, new)) => walk.gaps(&old, &new, 0),
        None => vec![Gap::new(WHOLE, Spot::At(old.root), Spot::At(new.root), Vec::new())],
    };
    let required = walk.old.flat(&[old.root]).map(|flat| flat.required()).unwrap_or_default();
    let mut told: Vec<Gap<'v>> = Vec::new();
    for mut gap in all {
        (gap.old, gap.new) = (gap.old.or(Spot::At(old.root)), gap.new.or(Spot::At(new.root)));
        let place = told.iter().position(|known| known.is(&gap)).unwrap_or(told.len());
        if told.get(place).is_some_and(|known| known.witness.is_some()) {
            continue;
        }
        if place == MAX_GAPS {
            told.push(Gap::new(WHOLE, Spot::At(old.root), Spot::At(new.root), Vec::new()));
            break;
        }
        let witness = gap.candidates().find(|value| walk.is_witness(value));
        gap.witness = witness.map(|witness| walk.smallest(witness, &gap, &required));
        match told.get_mut(place) {
            Some(known) => known.witness = gap.witness,
            None => told.push(gap),
        }
    }
    told
}

/// Whether a schema is known to accept nothing.
pub(super) fn is_empty<'v>(flat: &Flat<'v>, document: &'v Document<'v>) -> bool {
    let walk = Walk::new(document, document);
    let is_branch_empty = |union: &Union<'v>, branch: &'v Value| {
        let others = flat.unions.iter().filter(|other| !core::ptr::eq(other.at, union.at)).copied().collect();
        let rest = Flat { unions: others, ..flat.clone() };
        rest.and(branch, document).is_some_and(|one| walk.is_empty(&one, 0))
    };
    let is_union_empty = |union: &Union<'v>| union.branches.iter().all(|branch| is_branch_empty(union, branch));
    walk.is_empty(flat, 0) || flat.unions.iter().any(is_union_empty)
}

/// One of the two documents.
struct Side<'v> {
    document: &'v Document<'v>,
    evaluator: Evaluator<'v>,
}

impl<'v> Side<'v> {
    fn new(document: &'v Document<'v>) -> Self {
        Self { document, evaluator: Evaluator::new(document) }
    }

    fn flat(&self, schemas: &[&'v Value]) -> Option<Flat<'v>> {
        Flat::of(schemas, self.document)
    }
}

struct Walk<'v> {
    old: Side<'v>,
    new: Side<'v>,
    /// Whether equal words mean the same in both.
    speak_alike: bool,
    pairs: RefCell<Pairs<'v>>,
    work: Cell<usize>,
    /// How many walks it is inside of.
    nesting: usize,
}

/// What tells a pair of schemas apart from others.
type Pair = (Vec<usize>, Vec<usize>);

/// The pairs that were looked at, or are.
#[derive(Default)]
struct Pairs<'v> {
    known: BTreeMap<Pair, Known<'v>>,
    /// The outermost of those being looked at that something was taken for granted of.
    granted: Option<usize>,
}

enum Known<'v> {
    Done(Vec<Gap<'v>>),
    /// It is being looked at, so deep: a pair inside itself holds if the rest of it does.
    Open(usize),
}

fn addresses(flat: &Flat<'_>) -> Vec<usize> {
    let groups = flat.groups.iter().map(|group| address(group.at));
    let unions = flat.unions.iter().map(|union| address(union.at));
    groups.chain(unions).chain([flat.kinds.bits()]).collect()
}

impl<'v> Walk<'v> {
    fn new(old: &'v Document<'v>, new: &'v Document<'v>) -> Self {
        Self {
            old: Side::new(old),
            new: Side::new(new),
            speak_alike: old.speaks_like(new),
            pairs: RefCell::default(),
            work: Cell::new(MAX_WORK),
            nesting: 0,
        }
    }

    fn is_witness(&self, value: &Value) -> bool {
        self.new.evaluator.accepts(self.new.document.root, value) == Verdict::Accepts
            && self.old.evaluator.accepts(self.old.document.root, value) == Verdict::Refuses
    }

    /// The witness without what it does not need. What the old schema wants stays, so that it is refused for this gap
    /// and no other; and so does the member that the gap is in.
    fn smallest(&self, witness: Value, gap: &Gap<'v>, required: &[&'v str]) -> Value {
        const MAX_ROUNDS: usize = 24;
        let Data::Object(mut members) = witness.data else { return witness };
        let is_of_gap = |name: &str| matches!(gap.lifts.last(), Some(Lift::Member { name: own, .. }) if own == name);
        let names = members.iter().map(|(name, _)| name.to_owned());
        let spare: Vec<String> =
            names.filter(|name| !has_name(required, name) && !is_of_gap(name)).take(MAX_ROUNDS).collect();
        for name in spare {
            let mut less = members.clone();
            less.remove(&name);
            let less = Value::from(less);
            if self.is_witness(&less)
                && let Data::Object(less) = less.data
            {
                members = less;
            }
        }
        members.into()
    }

    /// Whether there is room for more work, which is taken.
    fn take(&self, work: usize) -> bool {
        let left = self.work.get().checked_sub(work);
        self.work.set(left.unwrap_or(0));
        left.is_some()
    }

    /// Whether these say the same in the same words, annotations apart.
    fn is_same(&self, old: &[&'v Value], new: &[&'v Value]) -> bool {
        let are_equal = old.len() == new.len() && old.iter().zip(new).all(|(old, new)| says_the_same(old, new));
        are_equal && (self.speak_alike || !new.iter().any(|schema| has_reference(schema)))
    }

    /// The same of arguments, which need not be schemas.
    fn is_same_argument(&self, old: &'v Value, new: &'v Value) -> bool {
        old == new && (self.speak_alike || !has_reference(new))
    }

    fn gaps(&self, old: &Flat<'v>, new: &Flat<'v>, depth: usize) -> Vec<Gap<'v>> {
        if !self.take(old.weight() + new.weight()) || depth > MAX_DEPTH {
            return vec![Gap::whole()];
        }
        if new.is_never || (old.groups.is_empty() && !old.is_never) {
            return Vec::new();
        }
        let pair = (addresses(old), addresses(new));
        {
            let mut pairs = self.pairs.borrow_mut();
            match pairs.known.get(&pair) {
                Some(Known::Done(found)) => return found.clone(),
                Some(Known::Open(level)) => {
                    pairs.granted = Some(pairs.granted.map_or(*level, |granted| granted.min(*level)));
                    return Vec::new();
                }
                None => pairs.known.insert(pair.clone(), Known::Open(depth)),
            };
        }
        let granted_before = self.pairs.borrow_mut().granted.take();
        let mut found = self.of_pair(old, new, depth);
        if !found.is_empty() && self.is_empty(new, 0) {
            found.clear();
        }
        let mut pairs = self.pairs.borrow_mut();
        // What rests on a pair further out is not settled before that is.
        if pairs.granted.is_none_or(|granted| granted >= depth) {
            pairs.granted = granted_before;
            pairs.known.insert(pair, Known::Done(found.clone()));
        } else {
            pairs.known.remove(&pair);
            pairs.granted = pairs.granted.into_iter().chain(granted_before).min();
        }
        found
    }

    fn of_pair(&self, old: &Flat<'v>, new: &Flat<'v>, depth: usize) -> Vec<Gap<'v>> {
        if old.is_never {
            return vec![Gap { tries: self.samples(new), ..Gap::whole() }];
        }
        if let Some(values) = &new.values {
            return self.of_values(values, old, new);
        }
        // What both demand in the same words is settled.
        let is_shared = |union: &Union<'v>| new.unions.iter().any(|other| self.is_same_union(union, other));
        let open;
        let old = if old.unions.iter().any(is_shared) {
            let unions = old.unions.iter().filter(|union| !is_shared(union)).copied().collect();
            open = Flat { unions, ..old.clone() };
            &open
        } else {
            old
        };
        if let Some((union, rest)) = new.unions.split_first() {
            let rest = Flat { unions: rest.to_vec(), ..new.clone() };
            return self.of_branches(union, &rest, old, depth);
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

    /// Examples of what a schema of the new document accepts.
    fn samples(&self, flat: &Flat<'v>) -> Vec<Value> {
        samples(flat, self.new.document)
    }

    /// The plainest example of what these schemas of the new document accept together.
    fn sample(&self, schemas: &[&'v Value]) -> Option<Value> {
        some(&self.new.flat(schemas)?, self.new.document, 1).into_iter().next()
    }

    /// The only names that members may have, if they are listed.
    fn closed_names(flat: &Flat<'v>) -> Option<Vec<&'v str>> {
        let is_closed = |group: &&Group<'v>| {
            group.get("additionalProperties").and_then(Value::as_bool) == Some(false)
                && group.get("patternProperties").is_none()
        };
        let properties = flat.groups.iter().find(is_closed)?.get("properties").and_then(Value::as_object);
        Some(properties.into_iter().flat_map(Object::iter).map(|(name, _)| name).collect())
    }

    /// Whether two unions are the same, in the same words.
    fn is_same_union(&self, old: &Union<'v>, new: &Union<'v>) -> bool {
        let all = |union: &Union<'v>| union.branches.iter().collect::<Vec<_>>();
        old.is_one == new.is_one && self.is_same(&all(old), &all(new))
    }
}
