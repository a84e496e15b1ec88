//! References of a schema document.

use crate::text::value::{Data, Value};

/// A schema document, in which references are resolved.
#[derive(Debug)]
pub(crate) struct Document<'v> {
    pub(crate) root: &'v Value,
    /// Whether it is of draft-07 or older, where `$ref` stands for itself alone.
    pub(crate) is_draft7: bool,
}

impl<'v> Document<'v> {
    pub(crate) fn new(root: &'v Value) -> Self {
        let dialect = root.as_object().and_then(|root| root.get("$schema")).and_then(Value::as_str);
        let is_draft7 = dialect.is_some_and(|dialect| {
            ["draft-07", "draft-06", "draft-04", "draft-03"].iter().any(|old| dialect.contains(old))
        });
        Self { root, is_draft7 }
    }

    /// The schema that a reference leads to, if it is in this document and names its place.
    pub(crate) fn resolve(&self, target: &str) -> Option<&'v Value> {
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
}
