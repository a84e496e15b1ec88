//! Findings for people and machines; one file a format.

pub(crate) mod drift;
pub(crate) mod json;
pub(crate) mod text;
