//! What text does: shared by drift and lint.

pub(crate) mod consequence;
mod words;
