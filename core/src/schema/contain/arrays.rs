//! Arrays: counts, uniqueness, what has to be in them, and their items by place.

use std::rc::Rc;

use super::{Gap, Lift, Spot, WHOLE, Walk};
use crate::schema::flat::Flat;
use crate::schema::sample::item_schemas;
use crate::text::value::{Data, Value};

/// How many items an example may have.
const MAX_EXAMPLE: usize = 2000;

/// How many places of a list are told apart.
const MAX_PLACES: usize = 64;

impl<'v> Walk<'v> {
    pub(super) fn of_arrays(&self, old: &Flat<'v>, new: &Flat<'v>, depth: usize) -> Vec<Gap<'v>> {
        let samples = || self.samples(&new.of_kind("array"));
        let mut found = Vec::new();
        let (least, most) = (old.least("minItems"), old.most("maxItems"));
        if new.least("minItems") < least {
            let mut tries = self.arrays_of(new, new.least("minItems"));
            tries.extend(samples());
            found.push(Gap::of("minItems", old, new, tries));
        }
        if let Some(most) = most
            && new.most("maxItems").is_none_or(|other| other > most)
        {
            found.push(Gap::of("maxItems", old, new, self.arrays_of(new, most + 1)));
        }
        let is_unique = |flat: &Flat<'v>| flat.all("uniqueItems").any(|unique| unique.as_bool() == Some(true));
        if is_unique(old) && !is_unique(new) && new.most("maxItems").is_none_or(|most| most > 1) {
            found.push(Gap::of("uniqueItems", old, new, self.arrays_of(new, new.least("minItems").max(2))));
        }
        for wanted in old.all("contains") {
            let is_same = |other| self.is_same_argument(wanted, other);
            if !new.all("contains").any(is_same) && !self.has_what_is_wanted(wanted, new, depth) {
                let mut tries = vec![Data::Array(Vec::new()).into()];
                tries.extend(samples());
                found.push(Gap::new("contains", Spot::At(wanted), Spot::of(new, "contains"), tries));
            }
        }
        for keyword in ["minContains", "maxContains"] {
            if old.all(keyword).ne(new.all(keyword)) {
                found.push(Gap::of(keyword, old, new, samples()));
            }
        }
        found.extend(self.of_items(old, new, depth));
        found
    }

    /// Whether there has to be an item, and every first one is what is wanted.
    fn has_what_is_wanted(&self, wanted: &'v Value, new: &Flat<'v>, depth: usize) -> bool {
        let flats = self.old.flat(&[wanted]).zip(self.new.flat(&item_schemas(new, 0)));
        new.least("minItems") > 0 && flats.is_some_and(|(old, new)| self.gaps(&old, &new, depth + 1).is_empty())
    }

    /// Items, place by place.
    fn of_items(&self, old: &Flat<'v>, new: &Flat<'v>, depth: usize) -> Vec<Gap<'v>> {
        let mut found = Vec::new();
        let prefix = |flat: &Flat<'v>| {
            let lists = flat.all("prefixItems").chain(flat.all("items")).filter_map(Value::as_array);
            lists.map(<[Value]>::len).max().unwrap_or(0)
        };
        for place in 0..=prefix(old).max(prefix(new)).min(MAX_PLACES) {
            if new.most("maxItems").is_some_and(|most| most <= place) {
                break;
            }
            let (old_schemas, new_schemas) = (item_schemas(old, place), item_schemas(new, place));
            if self.is_same(&old_schemas, &new_schemas) {
                continue;
            }
            let spot = |schemas: &[&'v Value], flat: &Flat<'v>| match schemas.first() {
                Some(schema) => Spot::At(schema),
                None => Spot::of(flat, "items"),
            };
            let (old_spot, new_spot) = (spot(&old_schemas, old), spot(&new_schemas, new));
            let Some((old_item, new_item)) = self.old.flat(&old_schemas).zip(self.new.flat(&new_schemas)) else {
                found.push(Gap::new(WHOLE, old_spot, new_spot, Vec::new()));
                continue;
            };
            let inner = self.gaps(&old_item, &new_item, depth + 1);
            if inner.is_empty() {
                continue;
            }
            let others = 0..place.max(new.least("minItems").min(MAX_EXAMPLE));
            let bases: Vec<Value> = others.filter_map(|at| self.sample(&item_schemas(new, at))).collect();
            let items = Rc::new(bases);
            for gap in inner {
                found.push(gap.lifted(old_spot, new_spot, Lift::Item { items: Rc::clone(&items), place }));
            }
        }
        found
    }

    /// Arrays of a length: of equal items, of different ones, and of names.
    fn arrays_of(&self, new: &Flat<'v>, length: usize) -> Vec<Value> {
        if length > MAX_EXAMPLE {
            return Vec::new();
        }
        let items = self.new.flat(&item_schemas(new, 0)).map(|flat| self.samples(&flat)).unwrap_or_default();
        let equal = items.first().map(|item| vec![item.clone(); length]);
        let different = (items.len() >= length).then(|| items.iter().take(length).cloned().collect());
        let names = (0..length).map(|n| Value::from(format!("x{n}"))).collect();
        equal.into_iter().chain(different).chain([names]).map(|items| Data::Array(items).into()).collect()
    }
}
