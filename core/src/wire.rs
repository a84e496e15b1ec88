//! The table of operations: what bindings, the command line's hosts and the test vectors call.
//!
//! An operation takes its arguments as bytes, in order, and answers with a text. Two kinds of argument:
//! JSON (or a lockfile's text), read by the strict reader of this crate; and, after them, *parts*, which
//! are surfaces that a servers argument refers to by `surfacePart`, so that no surface is ever wrapped
//! into other JSON.

use serde::Serialize;

use crate::error::{Code, Error};
use crate::text::escape::quoted;

/// What the text of an answer is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Answer {
    /// JSON.
    Json,
    /// A text that stands for itself.
    Text,
}

/// One operation.
pub struct Operation {
    /// Its name, as in TypeScript.
    pub name: &'static str,
    /// What its answer is.
    pub answer: Answer,
    /// How many arguments it takes before the parts.
    pub arguments: usize,
    run: fn(&[&[u8]]) -> Result<String, Error>,
}

/// Every operation, in the order of the API's table.
pub const OPERATIONS: &[Operation] = &[
    Operation { name: "canonicalize", answer: Answer::Text, arguments: 1, run: |inputs| crate::canonicalize(first(inputs)) },
    Operation {
        name: "digest",
        answer: Answer::Text,
        arguments: 1,
        run: |inputs| crate::digest(first(inputs)).map(|digest| digest.to_string()),
    },
    Operation { name: "hashTool", answer: Answer::Json, arguments: 1, run: |inputs| json(&crate::hash_tool(first(inputs))?) },
    Operation {
        name: "hashSurface",
        answer: Answer::Json,
        arguments: 1,
        run: |inputs| json(&crate::hash_surface(first(inputs))?),
    },
];

/// The operation of a name.
#[must_use]
pub fn operation(name: &str) -> Option<&'static Operation> {
    OPERATIONS.iter().find(|operation| operation.name == name)
}

/// Calls an operation by its name.
///
/// # Errors
/// Those of the operation; `unknown-operation`; `invalid-argument` if arguments are missing.
///
/// ```
/// let text = gatewright::wire::call("canonicalize", &[b"[1.0]"])?;
/// assert_eq!(text, "[1]");
/// # Ok::<(), gatewright::Error>(())
/// ```
pub fn call(name: &str, inputs: &[&[u8]]) -> Result<String, Error> {
    let Some(operation) = operation(name) else {
        return Err(Error::new(Code::UnknownOperation, format!("there is no operation {}", quoted(name))));
    };
    if inputs.len() < operation.arguments {
        let message = format!("{} takes {} arguments and was given {}", operation.name, operation.arguments, inputs.len());
        return Err(Error::new(Code::InvalidArgument, message));
    }
    (operation.run)(inputs)
}

fn first<'a>(inputs: &[&'a [u8]]) -> &'a [u8] {
    argument(inputs, 0)
}

fn argument<'a>(inputs: &[&'a [u8]], index: usize) -> &'a [u8] {
    inputs.get(index).copied().unwrap_or_default()
}

fn json(value: &impl Serialize) -> Result<String, Error> {
    serde_json::to_string(value).map_err(|_| Error::new(Code::InternalError, "a result has no JSON form"))
}
