//! Examples of what a schema accepts: the smallest, and some that stand for the others.

use core::cell::Cell;

use super::document::Document;
use super::evaluate::{Evaluator, Verdict};
use super::flat::{Flat, Range, has_name};
use super::format;
use super::pattern::Pattern;
use crate::text::value::{Data, Object, Value};

/// How many examples of one schema there are, how deep they go, and how many schemas are looked at for them.
const MAX_SAMPLES: usize = 12;
const MAX_DEPTH: usize = 12;
const MAX_SCHEMAS: usize = 600;

/// A number as JSON has it.
pub(super) fn number(number: f64) -> Value {
    let mut out = Vec::new();
    crate::number::write_f64(number, &mut out);
    Data::Number(String::from_utf8(out).unwrap_or_default()).into()
}

/// Examples of what a schema accepts, the plainest first. They are likely and not certain to be accepted.
pub(super) fn samples<'v>(flat: &Flat<'v>, document: &'v Document<'v>) -> Vec<Value> {
    some(flat, document, MAX_SAMPLES)
}

/// The first few of [`samples`].
pub(super) fn some<'v>(flat: &Flat<'v>, document: &'v Document<'v>, count: usize) -> Vec<Value> {
    let sampler = Sampler { document, evaluator: Evaluator::new(document), room: Cell::new(MAX_SCHEMAS) };
    sampler.of_flat(flat, MAX_DEPTH, count)
}

struct Sampler<'v> {
    document: &'v Document<'v>,
    evaluator: Evaluator<'v>,
    room: Cell<usize>,
}

impl<'v> Sampler<'v> {
    /// At most `count` examples.
    fn of(&self, schemas: &[&'v Value], depth: usize, count: usize) -> Vec<Value> {
        Flat::of(schemas, self.document).map(|flat| self.of_flat(&flat, depth, count)).unwrap_or_default()
    }

    fn first(&self, schemas: &[&'v Value], depth: usize) -> Option<Value> {
        self.of(schemas, depth, 1).into_iter().next()
    }

    fn of_flat(&self, flat: &Flat<'v>, depth: usize, count: usize) -> Vec<Value> {
        if flat.is_never || depth == 0 || self.room.get() == 0 {
            return Vec::new();
        }
        let patterns = flat.all("patternProperties").filter_map(Value::as_object).map(Object::len).sum::<usize>();
        self.room.set(self.room.get().saturating_sub(1 + patterns));
        if let Some(values) = &flat.values {
            let accepts = |value: &&&Value| self.evaluator.all_accept(&flat.groups, value) != Verdict::Refuses;
            return values.iter().filter(accepts).take(count).map(|value| (*value).clone()).collect();
        }
        let mut all = Vec::new();
        if let Some(union) = flat.unions.first() {
            let rest = flat.without_unions();
            for branch in union.branches.iter().take(MAX_SAMPLES) {
                let Some(one) = rest.and(branch, self.document) else { continue };
                all.extend(self.of_flat(&one, depth - 1, count.min(3)));
                if all.len() >= count {
                    break;
                }
            }
        } else {
            for kind in flat.kinds.names() {
                all.extend(self.of_kind(kind, flat, depth, count));
                if all.len() >= count {
                    break;
                }
            }
        }
        all.truncate(count);
        all
    }

    fn of_kind(&self, kind: &str, flat: &Flat<'v>, depth: usize, count: usize) -> Vec<Value> {
        match kind {
            "null" => vec![Data::Null.into()],
            "boolean" => vec![Data::Bool(true).into(), Data::Bool(false).into()],
            "integer" | "number" => numbers(flat),
            "string" => strings(flat, count).into_iter().map(Value::from).collect(),
            "array" => self.arrays(flat, depth),
            _ => self.objects(flat, depth, count),
        }
    }

    fn arrays(&self, flat: &Flat<'v>, depth: usize) -> Vec<Value> {
        let (least, most) = (flat.least("minItems"), flat.most("maxItems").unwrap_or(usize::MAX));
        if least > 1000 {
            return Vec::new();
        }
        let is_unique = flat.all("uniqueItems").any(|unique| unique.as_bool() == Some(true));
        let mut items: Vec<Value> = Vec::new();
        for place in 0..least.max(1) {
            let candidates = self.of(&item_schemas(flat, place), depth - 1, if is_unique { MAX_SAMPLES } else { 1 });
            let next = candidates.iter().find(|candidate| !is_unique || !items.contains(candidate)).cloned();
            let Some(next) = next.or_else(|| candidates.into_iter().next()) else { break };
            items.push(next);
        }
        let mut all = Vec::new();
        for length in [least, 1, least + 1] {
            if length <= items.len() && length >= least && length <= most {
                all.push(Data::Array(items.iter().take(length).cloned().collect()).into());
            }
        }
        for wanted in flat.all("contains") {
            all.extend(self.first(&[wanted], depth - 1).map(|item| Value::from(Data::Array(vec![item]))));
        }
        all
    }

    fn objects(&self, flat: &Flat<'v>, depth: usize, count: usize) -> Vec<Value> {
        let member = |name: &str| self.first(&member_schemas(flat, name).unwrap_or_default(), depth - 1);
        let required = flat.required();
        let mut smallest = Object::default();
        for name in &required {
            let Some(value) = member(name) else { return Vec::new() };
            smallest.set(name, value);
        }
        let least = flat.least("minProperties");
        let properties = flat.properties();
        let mut spare = properties.iter().filter(|name| !has_name(&required, name));
        while smallest.len() < least.min(100) {
            let name = spare.next().map_or_else(|| format!("x{}", smallest.len()), |name| (*name).to_owned());
            let Some(value) = member(&name) else { break };
            smallest.set(&name, value);
        }
        let mut all = vec![Value::from(smallest.clone())];
        if depth > MAX_DEPTH - 3 {
            let others = properties.iter().filter(|name| smallest.get(name).is_none());
            for name in others.take(count.saturating_sub(1)) {
                all.extend(member(name).map(|value| with(&smallest, name, value)));
            }
        }
        all
    }
}

fn numbers(flat: &Flat<'_>) -> Vec<Value> {
    let Range { least, most } = flat.range();
    let step = flat.all("multipleOf").find_map(Value::as_f64).unwrap_or(1.0);
    let inside = |bound: f64, is_open: bool, sign: f64| if is_open { bound + sign * step } else { bound };
    let mut all = vec![0.0, 1.0, step];
    all.extend(
        least
            .iter()
            .flat_map(|(bound, is_open)| [inside(*bound, *is_open, 1.0), bound + 0.5, (bound / step).ceil() * step]),
    );
    all.extend(
        most.iter()
            .flat_map(|(bound, is_open)| [inside(*bound, *is_open, -1.0), bound - 0.5, (bound / step).floor() * step]),
    );
    if flat.kinds.has("number") {
        all.push(0.5);
    }
    let fits = |value: &f64| {
        least.is_none_or(|(bound, is_open)| *value > bound || (*value == bound && !is_open))
            && most.is_none_or(|(bound, is_open)| *value < bound || (*value == bound && !is_open))
            && (flat.kinds.has("number") || value.fract() == 0.0)
    };
    all.retain(fits);
    all.into_iter().map(number).collect()
}

/// Texts of the lengths and forms that are asked for.
fn strings(flat: &Flat<'_>, count: usize) -> Vec<String> {
    let (least, most) = (flat.least("minLength"), flat.most("maxLength"));
    let mut all: Vec<String> = Vec::new();
    let formats = flat.all("format").filter_map(Value::as_str);
    all.extend(formats.filter_map(format::example).map(str::to_owned));
    for pattern in flat.all("pattern").filter_map(Value::as_str) {
        all.extend(Pattern::parse(pattern).map(|pattern| pattern.some_examples(2 * count)).unwrap_or_default());
    }
    let padded =
        |text: &str, length: usize| format!("{text}{}", "x".repeat(length.saturating_sub(text.chars().count())));
    let own: Vec<String> = all.iter().map(|text| padded(text, least)).collect();
    all.extend(own);
    if least < 10_000 {
        all.push("x".repeat(least.max(1).min(most.unwrap_or(usize::MAX))));
        all.push("x".repeat(least));
        all.extend(most.filter(|most| *most < 10_000).map(|most| "x".repeat(most)));
    }
    all.retain(|text| text.chars().count() >= least && most.is_none_or(|most| text.chars().count() <= most));
    all
}

/// What the item at a place has to hold to.
pub(super) fn item_schemas<'v>(flat: &Flat<'v>, place: usize) -> Vec<&'v Value> {
    flat.groups
        .iter()
        .filter_map(|group| {
            let prefix = group.get("prefixItems").and_then(Value::as_array).unwrap_or_default();
            match (prefix.get(place), group.get("items")) {
                (Some(schema), _) => Some(schema),
                (None, Some(items)) => match items.as_array() {
                    Some(list) => list.get(place).or_else(|| group.get("additionalItems")),
                    None => Some(items),
                },
                (None, None) => None,
            }
        })
        .collect()
}

/// The object with one more member, or another in its place.
pub(super) fn with(object: &Object, name: &str, value: Value) -> Value {
    let mut object = object.clone();
    object.set(name, value);
    object.into()
}

/// What the member of a name has to hold to; nothing if that cannot be told.
pub(super) fn member_schemas<'v>(flat: &Flat<'v>, name: &str) -> Option<Vec<&'v Value>> {
    let mut all = Vec::new();
    for group in &flat.groups {
        let named = group.get("properties").and_then(Value::as_object).and_then(|properties| properties.get(name));
        let mut is_named = named.is_some();
        all.extend(named);
        for (pattern, schema) in
            group.get("patternProperties").and_then(Value::as_object).into_iter().flat_map(Object::iter)
        {
            if Pattern::parse(pattern)?.is_match(name) {
                is_named = true;
                all.push(schema);
            }
        }
        if !is_named {
            all.extend(group.get("additionalProperties"));
        }
    }
    Some(all)
}
