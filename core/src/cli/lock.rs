//! `gatewright lock`: pins servers, and keeps what it cannot pin.

use crate::digest::Digest;
use crate::finding::{Finding, Severity};
use crate::lock::rules::SERVER_ADDED;
use crate::lock::{Server, ServerChange, build_lockfile, parse_lockfile, update_lockfile};
use crate::report;
use crate::text::escape::{line, quoted};

use super::check::classified;
use super::effect::{Flow, Mode, Session, Stop, Stream};
use super::kept::Kept;
use super::listing::Listing;
use super::options::Options;
use super::servers::{Gathered, Plan};
use super::{CLEAN, FOUND, UNCHECKED, about_file, kept, lockfile_path};

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
    let mut gathered = plan.gather(session)?;
    if gathered.servers.is_empty() {
        return Err(session.fail("the config names no server; to lock none at all, delete the lockfile"));
    }
    let kept = old.map(|text| Kept::read(path, text, session)).transpose()?.unwrap_or_default();
    let changes = match old {
        Some(text) => review(path, text, &gathered, &kept, options, session)?,
        None => String::new(),
    };
    // Once kept, texts are kept on: an entry without its text could no longer be compared in words.
    let keeps_text = |name: &str| options.has("keep-text") || kept.servers.contains(name);
    let mut texts = Vec::new();
    let servers = core::mem::take(&mut gathered.servers).into_iter().map(|server| {
        let listing = gathered.listings.get(server.name()).filter(|_| keeps_text(server.name()));
        let Some(Ok(surface)) = listing.map(Listing::surface) else { return server };
        let text = surface.to_canonical();
        let hash = Digest::of(text.as_bytes());
        if kept.texts.get(server.name()).is_none_or(|(kept, _)| *kept != hash) {
            texts.push((kept::path(path, hash), text));
        }
        server.with_text(hash)
    });
    gathered.servers = servers.collect();
    let reached = gathered.servers.iter().filter(|server| server.is_reached()).count();
    let new = match old {
        Some(text) => update_lockfile(text, &gathered.servers, now, gathered.whole_set),
        None => build_lockfile(&gathered.servers, now),
    }
    .map_err(|error| session.fail(&about_file(path, error)))?;
    let is_new = old != Some(new.as_bytes()) && (old.is_some() || reached > 0 || gathered.failures.is_empty());
    let keeps_more = !texts.is_empty();
    // The texts first: a lockfile must not name what is not there.
    let mut files: Vec<(&str, &str)> = texts.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
    files.sort_unstable();
    files.dedup();
    let written: Vec<_> =
        files.iter().map(|(path, text)| (*path, session.write_file(path, text, Mode::Shared))).collect();
    check_written(written, session)?;
    if is_new {
        let written = session.write_file(path, &new, Mode::Shared);
        check_written(vec![(path, written)], session)?;
    }
    session.print(Stream::Stdout, changes);
    let tools: usize = gathered.servers.iter().map(Server::tool_count).sum();
    let count = format!("{} and {}", plural(reached, "server"), plural(tools, "tool"));
    let message = if is_new {
        format!("{}: locked {count}\n", line(path))
    } else if reached > 0 || gathered.failures.is_empty() {
        let written = if keeps_more { "their text was kept again" } else { "nothing was written" };
        format!("{}: {count} are as they were; {written}\n", line(path))
    } else {
        format!("{}: nothing was written\n", line(path))
    };
    session.print(Stream::Stdout, message);
    for failure in &gathered.failures {
        session.print(Stream::Stderr, format!("gatewright: not locked: {failure}"));
    }
    Ok(if gathered.failures.is_empty() { CLEAN } else { UNCHECKED })
}

/// How many changes that need a yes are named.
const MOST_NAMED: usize = 10;

/// What is about to be pinned in the place of something else, as `diff` shows it. Where that needs a yes that
/// was not given, the program ends here.
fn review(
    path: &str,
    old: &[u8],
    gathered: &Gathered<'_>,
    kept: &Kept,
    options: &Options,
    session: &mut Session<'_>,
) -> Flow<String> {
    let mut result = classified(path, old, gathered, kept, session)?;
    // One that could not be reached keeps its entry, whatever else is found of it.
    result.findings.retain(|finding| {
        let is_it = |server: &&Server| Some(server.name()) == finding.server.as_deref();
        gathered.servers.iter().find(is_it).is_none_or(Server::is_reached)
    });
    let report = report::text::of_servers(&result.findings, result.changes.iter().map(ServerChange::parts));
    let accepted: Vec<&str> = options.all("accept").collect();
    let is_accepted = |finding: &&Finding| {
        let server = finding.server.as_deref().unwrap_or_default();
        let tool = finding.tool.as_deref().map(|tool| format!("{server}/{tool}"));
        accepted.iter().any(|given| given.is_empty() || *given == server || Some(*given) == tool.as_deref())
    };
    // A server that was not pinned is pinned now, and not again.
    let needs_a_yes = |finding: &&Finding| finding.severity >= Severity::High && finding.rule != SERVER_ADDED.id;
    let open: Vec<&Finding> =
        result.findings.iter().filter(needs_a_yes).filter(|finding| !is_accepted(finding)).collect();
    if open.is_empty() {
        return Ok(report);
    }
    session.print(Stream::Stdout, report);
    let mut names: Vec<String> = open
        .iter()
        .map(|finding| {
            let server = finding.server.as_deref().unwrap_or_default();
            finding.tool.as_deref().map_or_else(|| server.to_owned(), |tool| format!("{server}/{tool}"))
        })
        .collect();
    names.sort_unstable();
    names.dedup();
    let more = if names.len() > MOST_NAMED { format!(" and {} more", names.len() - MOST_NAMED) } else { String::new() };
    let names: Vec<String> = names.iter().take(MOST_NAMED).map(|name| quoted(name)).collect();
    let message = format!(
        "{}: {}; nothing was written: changes of {}{more} need a yes, by --accept SERVER/TOOL, or by --accept for all\n",
        line(path),
        report::text::summary(&result.findings),
        names.join(", ")
    );
    session.print(Stream::Stdout, message);
    kept.print_notes(session);
    for failure in &gathered.failures {
        session.print(Stream::Stderr, format!("gatewright: {failure}"));
    }
    Err(Stop::Exit(FOUND))
}

fn check_written(written: Vec<(&str, Option<Result<(), &str>>)>, session: &mut Session<'_>) -> Flow<()> {
    for (path, written) in written {
        match written {
            None => return Err(Stop::Wait),
            Some(Ok(())) => {}
            Some(Err(why)) => return Err(session.fail(&format!("{} was not written: {}", quoted(path), line(why)))),
        }
    }
    Ok(())
}

pub(super) fn plural(count: usize, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}
