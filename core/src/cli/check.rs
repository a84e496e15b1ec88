//! `gatewright diff` and `gatewright ci`: compares servers with what is locked.

use crate::error::Error;
use crate::lock::rules::SERVER_UNREACHABLE;
use crate::lock::{Server, Verification, parse_lockfile, verify_lockfile};
use crate::report;
use crate::text::escape::{line, quoted};
use crate::text::value::Value;

use super::effect::{Flow, Session, Stop, Stream};
use super::lock::plural;
use super::options::Options;
use super::servers::Plan;
use super::{CLEAN, FOUND, UNCHECKED, about_file, lockfile_path};

pub(super) fn run(options: &Options, session: &mut Session<'_>) -> Flow<u8> {
    let path = lockfile_path(options);
    let lockfile = session.read_file(path);
    let plan = Plan::make(options, session)?;
    let Some(lockfile) = lockfile else { return Err(Stop::Wait) };
    let text = match lockfile {
        Ok(Some(text)) => text,
        Ok(None) => {
            let message =
                format!("there is no lockfile {}: nothing is pinned; run `gatewright lock` first", quoted(path));
            return Err(session.fail(&message));
        }
        Err(why) => return Err(session.fail(&about_file(path, line(&why)))),
    };
    parse_lockfile(text).map_err(|error| session.fail(&about_file(path, error)))?;
    let gathered = plan.gather(session)?;
    let result = verify_lockfile(text, &gathered.servers, gathered.whole_set)
        .map_err(|error| session.fail(&about_file(path, error)))?;
    let printed =
        if options.has("json") { report::json::document(&result) } else { human(path, &result, &gathered.servers) };
    session.print(Stream::Stdout, printed);
    let unpinned = unpinned(text, &gathered.servers).map_err(|error| session.fail(&about_file(path, error)))?;
    if !unpinned.is_empty() {
        let message = format!(
            "gatewright: note: {} was written by another tool and does not pin the commands, annotations, other fields \
             and instructions of {}; `gatewright lock` does\n",
            quoted(path),
            unpinned.join(", ")
        );
        session.print(Stream::Stderr, message);
    }
    for failure in &gathered.failures {
        session.print(Stream::Stderr, format!("gatewright: {failure}"));
    }
    let moved = result.findings.iter().any(|finding| finding.rule != SERVER_UNREACHABLE.id);
    let code = match (moved, gathered.failures.is_empty()) {
        // What is known to have moved outweighs what is not known.
        (true, _) => FOUND,
        (false, false) => UNCHECKED,
        (false, true) => CLEAN,
    };
    Ok(if options.has("preview") { CLEAN } else { code })
}

/// The servers whose entries pin only what the specification names.
fn unpinned(text: &[u8], servers: &[Server]) -> Result<Vec<String>, Error> {
    let root = Value::parse(text)?;
    let entries = root.as_object().and_then(|root| root.get("servers")).and_then(Value::as_object);
    let lacks = |name: &&str| {
        let entry = entries.and_then(|entries| entries.get(name)).and_then(Value::as_object);
        entry.is_some_and(|entry| entry.get("gatewright").is_none())
    };
    Ok(servers.iter().map(Server::name).filter(lacks).map(quoted).collect())
}

fn human(path: &str, result: &Verification, servers: &[Server]) -> String {
    if result.verified {
        let tools = servers.iter().map(Server::tool_count).sum();
        let count = format!("{} and {}", plural(servers.len(), "server"), plural(tools, "tool"));
        return format!("{}: {count} are what was locked\n", line(path));
    }
    format!("{}{}: {}\n", report::text::findings(&result.findings), line(path), report::text::summary(&result.findings))
}
