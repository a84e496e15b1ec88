//! The command line, as a pure function.
//!
//! A host hands over the arguments and the answers so far; [`step`] says which effects it needs next (read
//! a file, list a server's tools, tell the time, write a file, print), or with which code to exit. Each
//! step starts from the beginning and goes as far as the answers carry it, so that there is no state to
//! keep and the whole program can be tested without I/O.

mod check;
mod config;
mod drift;
mod effect;
mod identity;
mod kept;
mod listing;
mod lock;
mod options;
mod secrets;
mod servers;
mod settings;
mod snapshot;

use serde::Serialize;

use crate::error::{Code, Error};
use crate::text::escape::quoted;
use crate::text::value::{Object, Value};

pub(crate) use settings::{Acceptance, State as AcceptanceState};

use effect::{Effect, Flow, Session, Stop, Stream};
use options::{Command, Parsed};

/// Nothing was found.
const CLEAN: u8 = 0;
/// Something moved.
const FOUND: u8 = 1;
/// It could not be checked.
const UNCHECKED: u8 = 2;

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Step {
    effects: Vec<Effect>,
    #[serde(skip_serializing_if = "Option::is_none")]
    exit_code: Option<u8>,
}

/// Takes the program as far as the answers carry it.
///
/// The request is `{"argv": […], "answers": {id: answer}}`; the answers to `readFile` and `listTools`
/// name their texts as parts. The answer is `{"effects": […]}`, with `exitCode` if the program is at its
/// end once these effects are performed.
///
/// # Errors
/// `invalid-argument` if the request has another shape.
pub(crate) fn step(request: &[u8], parts: &[&[u8]]) -> Result<String, Error> {
    let request = Value::parse(request)?;
    let wrong = || Error::new(Code::InvalidArgument, "a request of the command line is {argv, answers}");
    let members = request.as_object().ok_or_else(wrong)?;
    let argv = members.get("argv").and_then(Value::as_array).ok_or_else(wrong)?;
    let argv =
        argv.iter().map(|word| word.as_str().map(str::to_owned)).collect::<Option<Vec<_>>>().ok_or_else(wrong)?;
    let none = Object::default();
    let answers = members.get("answers").and_then(Value::as_object).unwrap_or(&none);
    let mut session = Session::new(answers, parts);
    let step = match run(&argv, &mut session) {
        Ok(code) | Err(Stop::Exit(code)) => Step { effects: session.into_prints(), exit_code: Some(code) },
        Err(Stop::Wait) => Step { effects: session.into_wanted(), exit_code: None },
    };
    serde_json::to_string(&step).map_err(|_| Error::new(Code::InternalError, "a step has no JSON form"))
}

fn run(argv: &[String], session: &mut Session<'_>) -> Flow<u8> {
    match options::parse(argv) {
        Ok(Parsed::Text(text)) => {
            session.print(Stream::Stdout, text);
            Ok(CLEAN)
        }
        Ok(Parsed::Command { command, options }) => match command {
            Command::Lock => lock::run(&options, session),
            Command::Diff | Command::Ci => check::run(&options, session),
            Command::Snapshot => snapshot::run(&options, session),
            Command::Check => drift::run(&options, session),
            Command::Rules => {
                let rules = crate::rules()
                    .map(|rule| format!("{:<26}{:<15}{}\n", rule.id, rule.severity.as_str(), rule.summary));
                session.print(Stream::Stdout, rules.collect());
                Ok(CLEAN)
            }
            Command::Explain => {
                let rule = options.positional.first().map(String::as_str).unwrap_or_default();
                let page = crate::explain(rule).map_err(|error| session.fail(&error.to_string()))?;
                session.print(Stream::Stdout, page);
                Ok(CLEAN)
            }
        },
        Err(message) => Err(session.fail(&format!("{message}\nsee `gatewright --help`"))),
    }
}

/// The file that `lock` writes and `diff` and `ci` read.
fn lockfile_path(options: &options::Options) -> &str {
    options.one("lockfile").unwrap_or("agentgate.lock")
}

/// Why a file cannot be used, on one line.
fn about_file(path: &str, why: impl core::fmt::Display) -> String {
    format!("{}: {why}", quoted(path))
}
