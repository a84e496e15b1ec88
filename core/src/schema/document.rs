//! A schema document: its dialect, its references, and where things stand in it.

use core::cell::OnceCell;

use crate::text::limits::MAX_POINTER_BYTES;
use crate::text::pointer::push_key;
use crate::text::sort::sort_by;
use crate::text::value::{Data, Value};

/// A dialect of JSON Schema.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Dialect {
    /// Or older. `$ref` stands for itself alone.
    Draft7,
    Draft2019,
    /// What a schema is of that does not say.
    Draft2020,
}

impl Dialect {
    pub(crate) fn of(root: &Value) -> Self {
        let name = root.as_object().and_then(|root| root.get("$schema")).and_then(Value::as_str).unwrap_or_default();
        let is = |drafts: &[&str]| drafts.iter().any(|draft| name.contains(draft));
        match () {
            () if is(&["draft-07", "draft-06", "draft-04", "draft-03"]) => Self::Draft7,
            () if is(&["2019-09"]) => Self::Draft2019,
            () => Self::Draft2020,
        }
    }

    /// Whether it has a keyword that other dialects have. One that it has not is passed over.
    pub(crate) fn knows(self, keyword: &str) -> bool {
        match keyword {
            "dependentRequired"
            | "dependentSchemas"
            | "unevaluatedItems"
            | "unevaluatedProperties"
            | "minContains"
            | "maxContains" => self > Self::Draft7,
            "prefixItems" => self == Self::Draft2020,
            "additionalItems" => self < Self::Draft2020,
            _ => true,
        }
    }
}

/// A schema document, in which references are resolved.
#[derive(Debug)]
pub(crate) struct Document<'v> {
    pub(crate) root: &'v Value,
    pub(crate) dialect: Dialect,
    references: OnceCell<References<'v>>,
}

/// What a document refers to.
#[derive(Debug, Default)]
struct References<'v> {
    /// In order, each once.
    targets: Vec<&'v str>,
    /// Whether a part of it has a base of its own, or refers to what is only known where it is used: then no
    /// reference is followed.
    are_obscure: bool,
}

impl<'v> References<'v> {
    fn collect(&mut self, value: &'v Value, is_root: bool) {
        match &value.data {
            Data::Object(members) => {
                for (key, member) in members.iter() {
                    match (key, member.as_str()) {
                        ("$ref", Some(target)) => self.targets.push(target),
                        ("$id", Some(_)) => self.are_obscure |= !is_root,
                        ("$dynamicRef" | "$recursiveRef", Some(_)) => self.are_obscure = true,
                        _ => self.collect(member, false),
                    }
                }
            }
            Data::Array(items) => items.iter().for_each(|item| self.collect(item, false)),
            _ => {}
        }
    }
}

impl<'v> Document<'v> {
    pub(crate) fn new(root: &'v Value) -> Self {
        Self { root, dialect: Dialect::of(root), references: OnceCell::new() }
    }

    fn references(&self) -> &References<'v> {
        self.references.get_or_init(|| {
            let mut references = References::default();
            references.collect(self.root, true);
            sort_by(&mut references.targets, Ord::cmp);
            references.targets.dedup();
            references
        })
    }

    /// The schema that a reference leads to, if it is in this document and names its place.
    pub(crate) fn resolve(&self, target: &str) -> Option<&'v Value> {
        if self.references().are_obscure {
            return None;
        }
        let path = target.strip_prefix('#')?;
        if path.is_empty() {
            return Some(self.root);
        }
        if path.contains('%') {
            return None;
        }
        path.strip_prefix('/')?.split('/').try_fold(self.root, |value, key| {
            let key = key.replace("~1", "/").replace("~0", "~");
            match &value.data {
                Data::Object(members) => members.get(&key),
                Data::Array(items) => items.get(key.parse::<usize>().ok()?),
                _ => None,
            }
        })
    }

    /// Whether equal words mean the same in both: no reference of theirs leads to something else.
    pub(crate) fn speaks_like(&self, other: &Self) -> bool {
        let (own, others) = (self.references(), other.references());
        let is_same = |target: &&str| match (self.resolve(target), other.resolve(target)) {
            (Some(own), Some(other)) => core::ptr::eq(own, other) || own == other,
            (None, None) => !own.are_obscure,
            _ => false,
        };
        let has_none = own.targets.is_empty() && others.targets.is_empty();
        (has_none && !own.are_obscure && !others.are_obscure)
            || (self.dialect == other.dialect
                && own.targets.iter().all(is_same)
                && (own.targets == others.targets || others.targets.iter().all(is_same)))
    }

    /// Where these stand, given by their addresses.
    pub(crate) fn places(&self, parts: impl Iterator<Item = usize>) -> Places {
        let mut addresses: Vec<usize> = parts.collect();
        sort_by(&mut addresses, Ord::cmp);
        addresses.dedup();
        let mut pointers = vec![None; addresses.len()];
        if !addresses.is_empty() {
            locate(self.root, &mut String::new(), &addresses, &mut pointers);
        }
        Places { addresses, pointers }
    }
}

/// Where parts of a document stand.
pub(crate) struct Places {
    /// In order.
    addresses: Vec<usize>,
    pointers: Vec<Option<String>>,
}

impl Places {
    /// The JSON Pointer of a part; that of the whole if it would be too long.
    pub(crate) fn pointer(&self, address: usize) -> String {
        let place = self.addresses.binary_search(&address).ok();
        place.and_then(|place| self.pointers.get(place)).cloned().flatten().unwrap_or_default()
    }
}

/// What tells a value apart from its equals elsewhere.
pub(crate) fn address(value: &Value) -> usize {
    core::ptr::from_ref(value).addr()
}

fn locate(value: &Value, path: &mut String, wanted: &[usize], found: &mut [Option<String>]) {
    let place = wanted.binary_search(&address(value));
    if let Some(pointer) = place.ok().and_then(|place| found.get_mut(place)) {
        *pointer = Some(path.clone());
    }
    let length = path.len();
    let mut enter = |key: &str, member: &Value| {
        push_key(path, key);
        if path.len() <= MAX_POINTER_BYTES {
            locate(member, path, wanted, found);
        }
        path.truncate(length);
    };
    match &value.data {
        Data::Object(members) => members.iter().for_each(|(key, member)| enter(key, member)),
        Data::Array(items) => items.iter().enumerate().for_each(|(index, item)| enter(&index.to_string(), item)),
        _ => {}
    }
}

/// Whether a schema leads elsewhere, so that equal words may mean different things.
pub(crate) fn has_reference(value: &Value) -> bool {
    match &value.data {
        Data::Object(members) => {
            ["$ref", "$dynamicRef", "$recursiveRef"].iter().any(|keyword| members.get(keyword).is_some())
                || members.iter().any(|(_, member)| has_reference(member))
        }
        Data::Array(items) => items.iter().any(has_reference),
        _ => false,
    }
}
