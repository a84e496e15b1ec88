//! `gatewright.toml`: findings that were accepted, each for a reason and for a time.
//!
//! ```toml
//! [[accept]]
//! server = "fs"
//! tool = "read_file"
//! rule = "description-trigger-word"
//! reason = "the new sentence only lists what the tool does not do"
//! expires = 2027-03-31
//! ```

use serde::{Deserialize, Serialize};

use crate::finding::Finding;
use crate::text::escape::quoted;

use super::about_file;
use super::effect::{Flow, Session, Stop};
use super::options::Options;

const DEFAULT_FILE: &str = "gatewright.toml";

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default)]
    accept: Vec<Entry>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    server: String,
    /// Absent for what is found about the server itself.
    tool: Option<String>,
    rule: String,
    reason: String,
    expires: toml::Value,
}

/// Whether an acceptance did anything.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum State {
    Used,
    /// Nothing was found that it accepts.
    Unused,
    /// Its time is over: what it accepted counts again.
    Expired,
}

/// A finding that someone accepted.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Acceptance {
    pub(crate) server: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) tool: Option<String>,
    pub(crate) rule: String,
    pub(crate) reason: String,
    /// The last day on which it holds, in UTC.
    pub(crate) expires: String,
    pub(crate) state: State,
}

/// The acceptances for one server, on the day that `now` is on.
pub(super) fn acceptances(options: &Options, server: &str, session: &mut Session<'_>) -> Flow<Vec<Acceptance>> {
    let path = options.one("settings").unwrap_or(DEFAULT_FILE);
    let (file, now) = (session.read_file(path), session.now());
    let (Some(file), Some(now)) = (file, now) else { return Err(Stop::Wait) };
    let text = match file {
        Ok(Some(text)) => text,
        Ok(None) if options.has("settings") => {
            return Err(session.fail(&about_file(path, "there is no such file")));
        }
        Ok(None) => return Ok(Vec::new()),
        Err(why) => return Err(session.fail(&about_file(path, crate::text::escape::line(&why)))),
    };
    let today = now.get(..10).unwrap_or_default();
    let all = parse(text, today).map_err(|why| session.fail(&about_file(path, why)))?;
    Ok(all.into_iter().filter(|acceptance| acceptance.server == server).collect())
}

fn parse(text: &[u8], today: &str) -> Result<Vec<Acceptance>, String> {
    let text = core::str::from_utf8(text).map_err(|_| "it is not UTF-8".to_owned())?;
    let file: File = toml::from_str(text).map_err(|error| {
        let line = error.span().map(|span| text.get(..span.start).unwrap_or_default().matches('\n').count() + 1);
        let place = line.map(|line| format!(" (line {line})")).unwrap_or_default();
        format!("{}{place}", crate::text::escape::line(error.message().trim()))
    })?;
    let entries = file.accept.into_iter().enumerate();
    entries
        .map(|(index, entry)| entry.check(today).map_err(|why| format!("acceptance number {} {why}", index + 1)))
        .collect()
}

impl Entry {
    fn check(self, today: &str) -> Result<Acceptance, String> {
        let Self { server, tool, rule, reason, expires } = self;
        if !crate::rules().any(|known| known.id == rule) {
            return Err(format!("names the rule {}, which there is not", quoted(&rule)));
        }
        if reason.trim().is_empty() {
            return Err("has no reason".to_owned());
        }
        let expires = match &expires {
            toml::Value::String(text) => text.clone(),
            toml::Value::Datetime(time) => time.to_string(),
            _ => String::new(),
        };
        if expires.len() != 10 || crate::lock::check_time(&format!("{expires}T00:00:00Z")).is_err() {
            return Err("has an `expires` that is no day, as in 2027-03-31".to_owned());
        }
        let state = if expires.as_str() < today { State::Expired } else { State::Unused };
        Ok(Acceptance { server, tool, rule, reason, expires, state })
    }
}

/// Takes the findings that are accepted out of the others, and marks the acceptances that were used.
pub(super) fn apply(acceptances: &mut [Acceptance], findings: Vec<Finding>) -> (Vec<Finding>, Vec<Finding>) {
    findings.into_iter().partition(|finding| {
        let fits = |acceptance: &&mut Acceptance| {
            acceptance.rule == finding.rule && acceptance.tool == finding.tool && acceptance.state != State::Expired
        };
        let acceptance = acceptances.iter_mut().find(fits);
        let is_accepted = acceptance.is_some();
        if let Some(acceptance) = acceptance {
            acceptance.state = State::Used;
        }
        !is_accepted
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const ENTRY: &str = "[[accept]]\nserver = \"fs\"\ntool = \"t\"\nrule = \"new-tool\"\nreason = \"r\"\n";

    #[test]
    fn an_acceptance_has_an_end() {
        let state =
            |day: &str| parse(format!("{ENTRY}expires = {day}\n").as_bytes(), "2026-12-01").map(|all| all[0].state);
        assert_eq!(state("2026-12-01"), Ok(State::Unused));
        assert_eq!(state("\"2026-12-01\""), Ok(State::Unused));
        assert_eq!(state("2026-11-30"), Ok(State::Expired));
        for wrong in ["2026-11-30T00:00:00Z", "\"never\"", "true", "\"2026-13-01\"", "\"２026-1-1\""] {
            assert!(state(wrong).is_err(), "{wrong}");
        }
        assert!(parse(ENTRY.as_bytes(), "2026-12-01").is_err_and(|why| why.contains("expires")));
        assert!(parse(b"[[accept]]\nserver = 1", "2026-12-01").is_err_and(|why| why.contains("line 2")));
        assert!(parse(b"accepted = 1", "2026-12-01").is_err());
        let unknown = format!("{ENTRY}expires = 2027-01-01\n").replace("new-tool", "no-tool");
        assert!(parse(unknown.as_bytes(), "2026-12-01").is_err_and(|why| why.contains("no-tool")));
    }
}
