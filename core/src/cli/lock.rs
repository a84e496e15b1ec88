//! `gatewright lock`: pins servers, and keeps what it cannot pin.

use crate::lock::rules::SERVER_UNREACHABLE;
use crate::lock::{Server, build_lockfile, parse_lockfile, update_lockfile, verify_lockfile};
use crate::text::escape::{line, quoted};

use super::effect::{Flow, Session, Stop, Stream};
use super::options::Options;
use super::servers::Plan;
use super::{CLEAN, UNCHECKED, about_file, lockfile_path};

pub(super) fn run(options: &Options, session: &mut Session<'_>) -> Flow<u8> {
    let path = lockfile_path(options);
    let old = session.read_file(path);
    let now = session.now();
    let plan = Plan::make(options, session)?;
    let (Some(old), Some(now)) = (old, now) else { return Err(Stop::Wait) };
    let old = old.map_err(|why| session.fail(&about_file(path, line(&why))))?;
    if let Some(text) = old {
        // A file that cannot be kept must not be replaced, and no server need be started to see that.
        parse_lockfile(text).map_err(|error| session.fail(&about_file(path, error)))?;
    }
    let gathered = plan.gather(session)?;
    if gathered.servers.is_empty() {
        return Err(session.fail("the config names no server; to lock none at all, delete the lockfile"));
    }
    let reached = gathered.servers.iter().filter(|server| server.is_reached()).count();
    let new = match old {
        Some(text) => update_lockfile(text, &gathered.servers, now, gathered.whole_set),
        None => build_lockfile(&gathered.servers, now),
    }
    .map_err(|error| session.fail(&about_file(path, error)))?;
    let is_new = old != Some(new.as_bytes()) && (old.is_some() || reached > 0 || gathered.failures.is_empty());
    if is_new {
        match session.write_file(path, &new) {
            None => return Err(Stop::Wait),
            Some(Ok(())) => {}
            Some(Err(why)) => return Err(session.fail(&format!("{} was not written: {}", quoted(path), line(why)))),
        }
    }
    // What is new in the file, in the words of the check that would have found it.
    let changes = match old.filter(|_| is_new) {
        Some(text) => verify_lockfile(text, &gathered.servers, gathered.whole_set).map(|result| result.findings),
        None => Ok(Vec::new()),
    }
    .map_err(|error| session.fail(&about_file(path, error)))?;
    for finding in changes.iter().filter(|finding| finding.rule != SERVER_UNREACHABLE.id) {
        session.print(Stream::Stdout, format!("  {}\n", line(&finding.message)));
    }
    let tools: usize = gathered.servers.iter().map(Server::tool_count).sum();
    let count = format!("{} and {}", plural(reached, "server"), plural(tools, "tool"));
    let message = if is_new {
        format!("{}: locked {count}\n", line(path))
    } else if reached > 0 || gathered.failures.is_empty() {
        format!("{}: {count} are as they were; nothing was written\n", line(path))
    } else {
        format!("{}: nothing was written\n", line(path))
    };
    session.print(Stream::Stdout, message);
    for failure in &gathered.failures {
        session.print(Stream::Stderr, format!("gatewright: not locked: {failure}"));
    }
    Ok(if gathered.failures.is_empty() { CLEAN } else { UNCHECKED })
}

pub(super) fn plural(count: usize, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}
