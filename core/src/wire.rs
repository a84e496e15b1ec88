//! The table of operations: what bindings, the command line's hosts and the test vectors call.
//!
//! An operation takes its arguments as bytes, in order, and answers with a text. Two kinds of argument:
//! JSON (or a lockfile's text), read by the strict reader of this crate; and, after them, *parts*, which
//! are surfaces that a servers argument refers to by `surfacePart`, so that no surface is ever wrapped
//! into other JSON.

use serde::Serialize;

use crate::drift::{Drift, Profile};
use crate::error::{Code, Error};
use crate::finding::Severity;
use crate::lock::{self, Server};
use crate::server::{self, Given};
use crate::surface::Surface;
use crate::text::escape::quoted;
use crate::text::pointer;
use crate::text::value::{Object, Value};

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
    run: Run,
}

type Run = fn(&Call<'_>) -> Result<String, Error>;

/// The arguments and parts of one call.
struct Call<'a> {
    arguments: &'a [&'a [u8]],
    parts: &'a [&'a [u8]],
}

impl Call<'_> {
    fn argument(&self, index: usize) -> &[u8] {
        self.arguments.get(index).copied().unwrap_or_default()
    }

    fn servers(&self, index: usize) -> Result<Vec<Server>, Error> {
        lock::parse_servers(self.argument(index), self.parts)
    }

    /// A surface; an error says which of several it is.
    fn surface(&self, index: usize, which: &str) -> Result<Surface, Error> {
        Surface::parse(self.argument(index)).map_err(|error| error.within(&format!("the surface `{which}`")))
    }

    /// The members of an options object, of which no other is known.
    fn options(&self, index: usize, known: &[&str]) -> Result<Object, Error> {
        let bytes = self.argument(index);
        let value = if bytes.is_empty() { Object::default().into() } else { Value::parse(bytes)? };
        let Some(options) = value.as_object() else {
            return Err(
                Error::new(Code::InvalidArgument, format!("the options are {}, not an object", value.noun())).at("")
            );
        };
        match options.iter().find(|(key, _)| !known.contains(key)) {
            None => Ok(options.clone()),
            Some((key, _)) => Err(Error::new(Code::InvalidArgument, format!("there is no option {}", quoted(key)))
                .with_help(format!("the options are: {}", known.join(", ")))
                .at(pointer::of_keys(&[key]))),
        }
    }
}

fn text_option<'o>(options: &'o Object, key: &str) -> Result<&'o str, Error> {
    options.get(key).and_then(Value::as_str).ok_or_else(|| {
        Error::new(Code::InvalidArgument, format!("the option `{key}` is missing or no string"))
            .at(pointer::of_keys(&[key]))
    })
}

fn flag(options: &Object, key: &str) -> Result<bool, Error> {
    match options.get(key) {
        None => Ok(false),
        Some(value) => value.as_bool().ok_or_else(|| {
            let message = format!("the option `{key}` is {}, not a boolean", value.noun());
            Error::new(Code::InvalidArgument, message).at(pointer::of_keys(&[key]))
        }),
    }
}

fn profile(options: &Object) -> Result<Profile, Error> {
    options.get("profile").map_or(Ok(Profile::Default), |_| text_option(options, "profile")?.parse())
}

/// A drift, and whether it is bad enough to fail.
#[derive(Serialize)]
struct Checked {
    #[serde(flatten)]
    drift: Drift,
    fails: bool,
}

const fn json(name: &'static str, arguments: usize, run: Run) -> Operation {
    Operation { name, answer: Answer::Json, arguments, run }
}

const fn text(name: &'static str, arguments: usize, run: Run) -> Operation {
    Operation { name, answer: Answer::Text, arguments, run }
}

/// Every operation, in the order of the API's table.
pub const OPERATIONS: &[Operation] = &[
    text("canonicalize", 1, |call| crate::canonicalize(call.argument(0))),
    text("digest", 1, |call| crate::digest(call.argument(0)).map(|digest| digest.to_string())),
    json("hashTool", 1, |call| to_json(&crate::hash_tool(call.argument(0))?)),
    json("hashSurface", 1, |call| {
        let hashes = crate::hash_surface(call.argument(0))?;
        // Of many tools it is a long text, which should not move while it grows.
        let names: usize = hashes.tools.iter().map(|(name, _)| name.len()).sum();
        to_json_of_about(names + (hashes.tools.len() + 1) * BYTES_OF_A_TOOL, &hashes)
    }),
    json("parseLockfile", 1, |call| crate::parse_lockfile(call.argument(0))),
    text("buildLockfile", 2, |call| {
        let options = call.options(1, &["now"])?;
        crate::build_lockfile(&call.servers(0)?, text_option(&options, "now")?)
    }),
    text("updateLockfile", 3, |call| {
        let options = call.options(2, &["now", "wholeSet"])?;
        let now = text_option(&options, "now")?;
        crate::update_lockfile(call.argument(0), &call.servers(1)?, now, flag(&options, "wholeSet")?)
    }),
    json("verifyLockfile", 3, |call| {
        let options = call.options(2, &["wholeSet"])?;
        let whole_set = flag(&options, "wholeSet")?;
        to_json(&crate::verify_lockfile(call.argument(0), &call.servers(1)?, whole_set)?)
    }),
    text("buildSnapshot", 3, |call| {
        let server: Given<Surface> = server::parse_one(call.argument(0), call.parts)?;
        let options = call.options(1, &["now"])?;
        let surface = server
            .surface
            .ok_or_else(|| Error::new(Code::InvalidServer, "a server that could not be reached cannot be pinned"))?;
        let previous = Some(call.argument(2)).filter(|previous| !previous.is_empty());
        let now = text_option(&options, "now")?;
        crate::build_snapshot(&server.name, &surface, server.endpoint.as_ref(), now, previous)
    }),
    json("checkSnapshot", 3, |call| {
        let options = call.options(2, &["endpoint", "failOn", "profile"])?;
        let endpoint = options.get("endpoint");
        let endpoint =
            endpoint.map(|value| server::parse_endpoint(value, call.argument(2), &["endpoint"])).transpose()?;
        let fail_on = match options.get("failOn") {
            None => Severity::High,
            Some(_) => text_option(&options, "failOn")?.parse()?,
        };
        let surface = Surface::parse(call.argument(1)).map_err(|error| error.within("the surface"))?;
        let drift = crate::check_snapshot(call.argument(0), &surface, endpoint.as_ref(), profile(&options)?)
            .map_err(|error| error.within("the snapshot"))?;
        to_json(&Checked { fails: drift.fails(fail_on), drift })
    }),
    json("classifyDrift", 3, |call| {
        let options = call.options(2, &["profile"])?;
        let [before, after] = [("before", 0), ("after", 1)].map(|(side, index)| call.surface(index, side));
        to_json(&crate::classify_drift(&before?, &after?, profile(&options)?))
    }),
    json("schemaWidenings", 2, |call| to_json(&crate::schema_widenings(call.argument(0), call.argument(1))?)),
    json("rules", 0, |_| to_json(&crate::rules::rules().collect::<Vec<_>>())),
    text("explain", 1, |call| crate::explain(&String::from_utf8_lossy(call.argument(0)))),
    text("version", 0, |_| Ok(crate::VERSION.to_owned())),
    #[cfg(feature = "cli")]
    json("cliStep", 1, |call| crate::cli::step(call.argument(0), call.parts)),
    json("specVersions", 0, |_| to_json(&crate::SPEC_VERSIONS)),
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
    let Some((arguments, parts)) = inputs.split_at_checked(operation.arguments) else {
        let message =
            format!("{} takes {} arguments and was given {}", operation.name, operation.arguments, inputs.len());
        return Err(Error::new(Code::InvalidArgument, message));
    };
    (operation.run)(&Call { arguments, parts })
}

/// What a tool takes in the answer of `hashSurface`, its name apart: four hashes with their keys.
const BYTES_OF_A_TOOL: usize = 380;

fn to_json(value: &impl Serialize) -> Result<String, Error> {
    to_json_of_about(128, value)
}

fn to_json_of_about(bytes: usize, value: &impl Serialize) -> Result<String, Error> {
    let mut out = Vec::with_capacity(bytes);
    let written = serde_json::to_writer(&mut out, value).ok();
    let text = written.and_then(|()| String::from_utf8(out).ok());
    text.ok_or_else(|| Error::new(Code::InternalError, "a result has no JSON form"))
}
