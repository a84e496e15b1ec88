//! The parameters that a schema names, at whatever depth, by the place that their values have in a call.

use super::document::{Document, address};
use crate::text::sort::sort_by;
use crate::text::strings::compare_utf16;
use crate::text::value::{Data, Object, Value, sorted};

/// How many are told, and how deep it is looked.
const MAX_PARAMETERS: usize = 5000;
const MAX_DEPTH: usize = 24;

/// A parameter.
#[derive(Debug, Clone)]
pub(crate) struct Named<'v> {
    /// The names on the way to it, and its own; `*` stands for any item or name.
    pub(crate) path: Vec<&'v str>,
    /// What it has to hold to.
    pub(crate) schema: &'v Value,
    /// Whether the schema that names it wants it.
    pub(crate) is_required: bool,
}

impl<'v> Named<'v> {
    /// Its own name.
    pub(crate) fn name(&self) -> &'v str {
        self.path.last().copied().unwrap_or_default()
    }

    /// Whether it is a part of another.
    pub(crate) fn is_in(&self, other: &Self) -> bool {
        self.path.len() > other.path.len() && self.path.starts_with(&other.path)
    }
}

/// The parameters of a schema in order of their paths, each once. Nothing if there are too many.
pub(crate) fn parameters<'v>(document: &Document<'v>) -> Option<Vec<Named<'v>>> {
    let mut walk = Walk { document, found: Vec::new(), open: Vec::new(), room: 4 * MAX_PARAMETERS };
    walk.schema(document.root, &mut Vec::new())?;
    let mut found = walk.found;
    sort_by(&mut found, |a, b| compare_paths(&a.path, &b.path));
    found.dedup_by(|a, b| a.path == b.path);
    Some(found)
}

/// The order of paths: what is in a parameter comes right after it.
pub(crate) fn compare_paths(a: &[&str], b: &[&str]) -> core::cmp::Ordering {
    let differing = a.iter().zip(b).map(|(a, b)| compare_utf16(a, b)).find(|order| order.is_ne());
    differing.unwrap_or_else(|| a.len().cmp(&b.len()))
}

struct Walk<'d, 'v> {
    document: &'d Document<'v>,
    found: Vec<Named<'v>>,
    /// The schemas that are being looked into: a type inside itself is looked into once.
    open: Vec<usize>,
    room: usize,
}

impl<'v> Walk<'_, 'v> {
    fn schema(&mut self, schema: &'v Value, path: &mut Vec<&'v str>) -> Option<()> {
        let Some(members) = schema.as_object() else { return Some(()) };
        if self.open.contains(&address(schema)) {
            return Some(());
        }
        self.room = self.room.checked_sub(1)?;
        if self.open.len() > MAX_DEPTH {
            return None;
        }
        self.open.push(address(schema));
        let done = self.members(members, path);
        self.open.pop();
        done
    }

    fn members(&mut self, members: &'v Object, path: &mut Vec<&'v str>) -> Option<()> {
        for (keyword, argument) in members.iter() {
            match (keyword, &argument.data) {
                ("properties", Data::Object(properties)) => {
                    let required = members.get("required").and_then(Value::as_array).unwrap_or_default();
                    let required = sorted(required.iter().filter_map(Value::as_str));
                    for (name, schema) in properties.iter() {
                        path.push(name);
                        self.found.push(Named {
                            path: path.clone(),
                            schema,
                            is_required: required.binary_search_by(|other| compare_utf16(other, name)).is_ok(),
                        });
                        if self.found.len() > MAX_PARAMETERS {
                            return None;
                        }
                        self.schema(schema, path)?;
                        path.pop();
                    }
                }
                ("patternProperties" | "dependentSchemas", Data::Object(schemas)) => {
                    let is_deeper = keyword == "patternProperties";
                    for (_, schema) in schemas.iter() {
                        self.part(schema, is_deeper, path)?;
                    }
                }
                ("items" | "prefixItems", Data::Array(schemas)) => {
                    schemas.iter().try_for_each(|schema| self.part(schema, true, path))?;
                }
                ("items" | "additionalItems" | "additionalProperties" | "unevaluatedProperties" | "contains", _) => {
                    self.part(argument, true, path)?;
                }
                ("allOf" | "anyOf" | "oneOf", Data::Array(schemas)) => {
                    schemas.iter().try_for_each(|schema| self.part(schema, false, path))?;
                }
                ("then" | "else", _) => self.part(argument, false, path)?,
                ("$ref", Data::String(target)) => {
                    if let Some(schema) = self.document.resolve(target) {
                        self.part(schema, false, path)?;
                    }
                }
                _ => {}
            }
        }
        Some(())
    }

    fn part(&mut self, schema: &'v Value, is_deeper: bool, path: &mut Vec<&'v str>) -> Option<()> {
        if is_deeper {
            path.push("*");
        }
        self.schema(schema, path)?;
        if is_deeper {
            path.pop();
        }
        Some(())
    }
}
