//! Which calls a changed input schema lets through: what containment proves, and which parameters came and went.

use super::vocabulary::triggers;
use crate::analysis::consequence::{Consequence, of_format, of_name, of_value};
use crate::schema::{Document, Effort, Named, Widening, Widenings, address, compare_paths, parameters};
use crate::text::value::{Data, Value};

/// What a changed input schema means for calls.
#[derive(Debug)]
pub(super) struct Calls {
    pub(super) moved: Widenings,
    /// Parameters that were not there, the outermost alone.
    pub(super) came: Vec<Parameter>,
    /// Parameters that are gone, the outermost alone.
    pub(super) went: Vec<Parameter>,
    /// Whether there are too many parameters to be compared.
    pub(super) are_too_many: bool,
}

/// A parameter that came or went.
#[derive(Debug)]
pub(super) struct Parameter {
    /// Where it stands in the schema that has it, as a JSON Pointer.
    pub(super) pointer: String,
    pub(super) name: String,
    /// What it lets an agent reach or do, by its name, the names in it, its format and the values it offers.
    pub(super) consequences: Vec<Consequence>,
    /// Whether it has to be given, or had to be.
    pub(super) is_required: bool,
}

impl Calls {
    /// Of the input schemas before and after; a tool without one takes anything.
    pub(super) fn of(before: &Value, after: &Value, effort: &Effort) -> Self {
        let anything = Value::from(Data::Bool(true));
        let [before, after] = [before, after].map(|schema| if schema.data == Data::Null { &anything } else { schema });
        let mut moved = Widenings::of(before, after, effort);
        // The arguments of a call are an object: what is let through beside that is none.
        moved.widenings.retain(is_of_calls);
        moved.narrowings.retain(is_of_calls);
        let (before, after) = (Document::new(before), Document::new(after));
        let Some((old, new)) = parameters(&before).zip(parameters(&after)) else {
            return Self { moved, came: Vec::new(), went: Vec::new(), are_too_many: true };
        };
        let came = beyond(&new, &old, &after);
        let went = beyond(&old, &new, &before);
        Self { moved, came, went, are_too_many: false }
    }

    /// Whether both sides accept the same calls, as far as is known, and name the same parameters.
    pub(super) fn are_the_same(&self) -> bool {
        let Self { moved: Widenings { widenings, narrowings, undecided }, came, went, are_too_many } = self;
        widenings.is_empty()
            && narrowings.is_empty()
            && undecided.is_empty()
            && came.is_empty()
            && went.is_empty()
            && !are_too_many
    }
}

impl Calls {
    /// Whether a widening is about a parameter that came or went altogether, rather than in one form of several.
    pub(super) fn is_of_parameters(&self, way: &Widening) -> bool {
        way.parameter.as_ref().is_some_and(|parameter| {
            (parameter.is_new && self.came.iter().any(|came| way.pointer.starts_with(&came.pointer)))
                || (parameter.is_gone && self.went.iter().any(|went| went.name == parameter.name))
        })
    }
}

fn is_of_calls(widening: &Widening) -> bool {
    widening.witness.as_ref().is_none_or(|witness| witness.as_str().starts_with('{'))
}

/// The outermost parameters of `all` that are not among `others`. Both are in order.
fn beyond(all: &[Named<'_>], others: &[Named<'_>], document: &Document<'_>) -> Vec<Parameter> {
    let is_new = |named: &&Named<'_>| others.binary_search_by(|other| compare_paths(&other.path, &named.path)).is_err();
    let mut outermost: Vec<(&Named<'_>, Vec<Consequence>)> = Vec::new();
    for named in all.iter().filter(is_new) {
        let own = consequences(named);
        match outermost.last_mut() {
            Some((outer, known)) if named.is_in(outer) => known.extend(own),
            _ => outermost.push((named, own)),
        }
    }
    let places = document.places(outermost.iter().map(|(named, _)| address(named.schema)));
    let parameter = |(named, mut consequences): (&Named<'_>, Vec<Consequence>)| {
        let mut seen = Vec::new();
        consequences.retain(|consequence| {
            let is_first = !seen.contains(consequence);
            seen.push(*consequence);
            is_first
        });
        Parameter {
            pointer: places.pointer(address(named.schema)),
            name: named.name().to_owned(),
            consequences,
            is_required: named.is_required,
        }
    };
    outermost.into_iter().map(parameter).collect()
}

/// What a parameter's own name, format and values say.
fn consequences(named: &Named<'_>) -> Vec<Consequence> {
    let mut found = of_name(named.name());
    // The specification's words, also where it tells words apart that we do not.
    found.extend(triggers(named.name()).into_iter().flat_map(of_name));
    if let Some(members) = named.schema.as_object() {
        found.extend(members.get("format").and_then(Value::as_str).and_then(of_format));
        let values = members.get("enum").and_then(Value::as_array).unwrap_or_default();
        found.extend(values.iter().filter_map(Value::as_str).flat_map(of_value));
    }
    found
}
