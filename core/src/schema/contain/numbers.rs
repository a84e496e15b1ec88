//! Numbers: bounds and steps.

use super::{Gap, Spot, Walk};
use crate::schema::flat::Flat;
use crate::schema::sample::number;
use crate::text::value::Value;

impl<'v> Walk<'v> {
    pub(super) fn of_numbers(&self, old: &Flat<'v>, new: &Flat<'v>) -> Vec<Gap<'v>> {
        let mut found = self.of_bounds(old, new);
        found.extend(self.of_steps(old, new));
        found
    }

    fn of_bounds(&self, old: &Flat<'v>, new: &Flat<'v>) -> Vec<Gap<'v>> {
        let numbers = new.of_kind("number");
        let (was, is) = (old.of_kind("number").range(), numbers.range());
        if was.holds(&is) {
            return Vec::new();
        }
        let mut tries = Vec::new();
        for (bound, _) in [was.least, was.most].into_iter().flatten() {
            tries.extend([bound - 1.0, bound + 1.0, bound - 0.5, bound + 0.5, bound, bound * 2.0].map(number));
        }
        tries.extend(self.samples(&numbers));
        let mut found = Vec::new();
        for keywords in [["minimum", "exclusiveMinimum"], ["maximum", "exclusiveMaximum"]] {
            let (mut own, mut other) = (was, is);
            let is_low = keywords[0] == "minimum";
            let (own_side, other_side) =
                if is_low { (&mut own.most, &mut other.most) } else { (&mut own.least, &mut other.least) };
            (*own_side, *other_side) = (None, None);
            if own.holds(&other) {
                continue;
            }
            let of = |flat: &Flat<'v>| keywords.into_iter().find(|keyword| flat.all(keyword).next().is_some());
            let keyword = of(old).unwrap_or(keywords[0]);
            let mut gap = Gap::of(keyword, old, new, tries.clone());
            gap.new = Spot::of(new, of(new).unwrap_or(keyword));
            found.push(gap);
        }
        found
    }

    fn of_steps(&self, old: &Flat<'v>, new: &Flat<'v>) -> Vec<Gap<'v>> {
        let mut found = Vec::new();
        for argument in old.all("multipleOf") {
            let Some(step) = argument.as_f64() else { continue };
            let divides = |other: &Value| match other.as_f64() {
                Some(other) => step == other || (step.fract() == 0.0 && other.fract() == 0.0 && other % step == 0.0),
                None => false,
            };
            let is_of_integers = step == 1.0 && !new.kinds.has("number");
            if !is_of_integers && !new.all("multipleOf").any(divides) {
                let mut tries = Vec::from([step + 1.0, step * 1.5, 1.0].map(number));
                tries.extend(self.samples(&new.of_kind("number")));
                found.push(Gap::new("multipleOf", Spot::At(argument), Spot::of(new, "multipleOf"), tries));
            }
        }
        found
    }
}
