//! What one schema accepts and another refuses.

use crate::bindings::exports::gatewright::core::schema::{SchemaWidenings, Widening};

impl From<gatewright::Widenings> for SchemaWidenings {
    fn from(moved: gatewright::Widenings) -> Self {
        let gatewright::Widenings { widenings, narrowings, undecided } = moved;
        let list = |of: Vec<gatewright::Widening>| of.into_iter().map(Widening::from).collect();
        Self { widenings: list(widenings), narrowings: list(narrowings), undecided: list(undecided) }
    }
}

impl From<gatewright::Widening> for Widening {
    fn from(widening: gatewright::Widening) -> Self {
        // What is left are the core's own notes, which no host is told.
        let gatewright::Widening { pointer, before_pointer, keyword, witness, before, after, .. } = widening;
        let text = |json: gatewright::Json| json.as_str().to_owned();
        Self {
            pointer,
            before_pointer,
            keyword,
            witness: witness.map(text),
            before: before.map(text),
            after: after.map(text),
        }
    }
}
