//! What the command line asks of its host, and the answers.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use crate::text::value::{Object, Value};

use super::UNCHECKED;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Stream {
    Stdout,
    Stderr,
}

#[derive(Debug, Clone, Serialize)]
#[serde(tag = "kind", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub(super) enum Effect {
    ReadFile {
        id: String,
        path: String,
    },
    ReadStdin {
        id: String,
    },
    ReadEnv {
        id: String,
        name: String,
    },
    Now {
        id: String,
    },
    ListTools {
        id: String,
        server: String,
        endpoint: Reach,
        start_timeout_ms: u64,
        timeout_ms: u64,
        progress: String,
    },
    /// With the folders that are missing. A private file is for its owner alone, as are folders made for it.
    WriteFile {
        id: String,
        path: String,
        text: String,
        private: bool,
    },
    Print {
        id: String,
        stream: Stream,
        text: String,
    },
}

/// How a host reaches a server; unlike in a lockfile, with everything that is secret.
#[derive(Debug, Clone, Serialize)]
#[serde(tag = "transport", rename_all = "lowercase")]
pub(super) enum Reach {
    Stdio { command: String, args: Vec<String>, env: BTreeMap<String, String> },
    Http { url: String, headers: BTreeMap<String, String> },
    Sse { url: String, headers: BTreeMap<String, String> },
}

/// Who may read a file that is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Mode {
    /// Whom the system lets by default.
    Shared,
    /// The owner alone.
    Private,
}

/// Why a run stops before its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Stop {
    /// Answers are missing.
    Wait,
    /// The program is at its end.
    Exit(u8),
}

pub(super) type Flow<T> = Result<T, Stop>;

/// A file's bytes, if there is such a file; or why it could not be read.
pub(super) type FileAnswer<'a> = Result<Option<&'a [u8]>, String>;

pub(super) struct Session<'a> {
    answers: &'a Object,
    parts: &'a [&'a [u8]],
    wanted: Vec<Effect>,
    /// What was asked for, so that nothing is asked for twice.
    asked: BTreeSet<String>,
    prints: Vec<Effect>,
}

impl<'a> Session<'a> {
    pub(super) fn new(answers: &'a Object, parts: &'a [&'a [u8]]) -> Self {
        Self { answers, parts, wanted: Vec::new(), asked: BTreeSet::new(), prints: Vec::new() }
    }

    pub(super) fn into_wanted(self) -> Vec<Effect> {
        self.wanted
    }

    pub(super) fn into_prints(self) -> Vec<Effect> {
        self.prints
    }

    pub(super) fn print(&mut self, stream: Stream, text: String) {
        if text.is_empty() {
            return;
        }
        let id = format!("print:{}", self.prints.len());
        self.prints.push(Effect::Print { id, stream, text });
    }

    /// Says on the standard error stream why nothing could be checked, and ends the program.
    pub(super) fn fail(&mut self, message: &str) -> Stop {
        self.print(Stream::Stderr, format!("gatewright: {message}\n"));
        Stop::Exit(UNCHECKED)
    }

    /// The answer to an effect, which is asked for if it is missing.
    ///
    /// Ask for all that does not depend on each other before using [`Stop::Wait`]: a host performs the
    /// effects of one step at the same time.
    fn ask(&mut self, id: String, effect: impl FnOnce(String) -> Effect) -> Option<&'a Object> {
        let answer = self.answers.get(&id).and_then(Value::as_object);
        if answer.is_none() && self.asked.insert(id.clone()) {
            self.wanted.push(effect(id));
        }
        answer
    }

    pub(super) fn read_file(&mut self, path: &str) -> Option<FileAnswer<'a>> {
        let answer = self.ask(format!("read:{path}"), |id| Effect::ReadFile { id, path: path.to_owned() })?;
        Some(self.file(answer))
    }

    pub(super) fn read_stdin(&mut self) -> Option<FileAnswer<'a>> {
        let answer = self.ask("stdin".to_owned(), |id| Effect::ReadStdin { id })?;
        Some(self.file(answer))
    }

    fn file(&self, answer: &'a Object) -> FileAnswer<'a> {
        if answer.get("missing").is_some() {
            return Ok(None);
        }
        match answer.get("part") {
            Some(part) => self.part(part).map(Some).ok_or_else(|| "the host gave no text".to_owned()),
            None => Err(text(answer, "error").unwrap_or("it cannot be read").to_owned()),
        }
    }

    #[expect(clippy::option_option, reason = "the answer is missing, or the variable is, or it has a value")]
    pub(super) fn read_env(&mut self, name: &str) -> Option<Option<&'a str>> {
        let answer = self.ask(format!("env:{name}"), |id| Effect::ReadEnv { id, name: name.to_owned() })?;
        Some(text(answer, "value"))
    }

    pub(super) fn now(&mut self) -> Option<&'a str> {
        self.ask("now".to_owned(), |id| Effect::Now { id }).map(|answer| text(answer, "value").unwrap_or_default())
    }

    /// `start` counts the starts of one server, from 0.
    pub(super) fn list_tools(
        &mut self,
        server: &str,
        start: usize,
        effect: impl FnOnce(String) -> Effect,
    ) -> Option<&'a Object> {
        let again = if start == 0 { String::new() } else { format!(" again {start}") };
        self.ask(format!("list:{server}{again}"), effect)
    }

    /// Writes a file, and says why if that failed.
    pub(super) fn write_file(&mut self, path: &str, content: &str, mode: Mode) -> Option<Result<(), &'a str>> {
        let answer = self.ask(format!("write:{path}"), |id| Effect::WriteFile {
            id,
            path: path.to_owned(),
            text: content.to_owned(),
            private: mode == Mode::Private,
        })?;
        Some(match answer.get("ok") {
            Some(_) => Ok(()),
            None => Err(text(answer, "error").unwrap_or("it cannot be written")),
        })
    }

    /// The bytes of the part that an answer names.
    pub(super) fn part(&self, number: &Value) -> Option<&'a [u8]> {
        self.parts.get(number.as_index()?).copied()
    }
}

/// A text among the members of an answer.
pub(super) fn text<'a>(answer: &'a Object, key: &str) -> Option<&'a str> {
    answer.get(key).and_then(Value::as_str)
}
