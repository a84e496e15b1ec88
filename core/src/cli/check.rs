//! `gatewright diff` and `gatewright ci`: compares servers with what is locked.

use crate::lock::rules::SERVER_UNREACHABLE;
use crate::lock::{Server, Verification, parse_lockfile, verify_lockfile};
use crate::report;
use crate::text::escape::{line, quoted};

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

fn human(path: &str, result: &Verification, servers: &[Server]) -> String {
    if result.verified {
        let tools = servers.iter().map(Server::tool_count).sum();
        let count = format!("{} and {}", plural(servers.len(), "server"), plural(tools, "tool"));
        return format!("{}: {count} are what was locked\n", line(path));
    }
    format!("{}{}: {}\n", report::text::findings(&result.findings), line(path), report::text::summary(&result.findings))
}
