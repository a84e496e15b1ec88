//! `gatewright diff` and `gatewright ci`: compares servers with what is locked.

use crate::error::Error;
use crate::finding::{Finding, Severity};
use crate::lock::rules::SERVER_UNREACHABLE;
use crate::lock::{Classified, Server, ServerChange, classify, parse_lockfile, verify_lockfile};
use crate::report;
use crate::text::escape::{line, quoted};
use crate::text::value::Value;

use super::drift::fail_on;
use super::effect::{Flow, Session, Stop, Stream};
use super::kept::Kept;
use super::lock::plural;
use super::options::Options;
use super::servers::{Gathered, Plan};
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
    let fail_on = fail_on(options, Severity::Informational, session)?;
    let gathered = plan.gather(session)?;
    let kept = Kept::read(path, text, session)?;
    let result = classified(path, text, &gathered, &kept, session)?;
    let printed =
        if options.has("json") { report::json::document(&result) } else { human(path, &result, &gathered.servers) };
    session.print(Stream::Stdout, printed);
    kept.print_notes(session);
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
    let counts = |finding: &Finding| finding.rule != SERVER_UNREACHABLE.id && finding.severity >= fail_on;
    let moved = result.findings.iter().any(counts);
    let code = match (moved, gathered.failures.is_empty()) {
        // What is known to have moved outweighs what is not known.
        (true, _) => FOUND,
        (false, false) => UNCHECKED,
        (false, true) => CLEAN,
    };
    Ok(if options.has("preview") { CLEAN } else { code })
}

/// What moved since the servers were locked, in words where their text was kept.
pub(super) fn classified(
    path: &str,
    lockfile: &[u8],
    gathered: &Gathered<'_>,
    kept: &Kept,
    session: &mut Session<'_>,
) -> Flow<Classified> {
    let result = verify_lockfile(lockfile, &gathered.servers, gathered.whole_set);
    let result = result.and_then(|verification| {
        let texts = kept.texts.iter().filter_map(|(server, (_, kept))| {
            let live = gathered.listings.get(server)?.surface().ok()?;
            Some((server.as_str(), (kept, live)))
        });
        classify(lockfile, verification, &texts.collect())
    });
    result.map_err(|error| session.fail(&about_file(path, error)))
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

fn human(path: &str, result: &Classified, servers: &[Server]) -> String {
    if result.findings.is_empty() {
        let tools = servers.iter().map(Server::tool_count).sum();
        let count = format!("{} and {}", plural(servers.len(), "server"), plural(tools, "tool"));
        return format!("{}: {count} are what was locked\n", line(path));
    }
    format!(
        "{}{}: {}\n",
        report::text::of_servers(&result.findings, result.changes.iter().map(ServerChange::parts)),
        line(path),
        report::text::summary(&result.findings)
    )
}
