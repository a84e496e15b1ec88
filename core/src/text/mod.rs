//! Reading and writing text: the strict I-JSON reader, its limits, JSON Pointers, and escaping.

pub mod escape;
pub(crate) mod indent;
pub mod limits;
pub(crate) mod pointer;
pub(crate) mod reader;
pub(crate) mod sort;
pub(crate) mod strings;
pub(crate) mod value;
