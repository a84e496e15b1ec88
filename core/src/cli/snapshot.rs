//! `gatewright snapshot`: pins a server with its text.

use crate::drift::Profile;
use crate::report;
use crate::snapshot::{Reached, Snapshot, build_from_starts, check};
use crate::text::escape::{line, quoted};

use super::effect::{Flow, Mode, Session, Stop, Stream};
use super::lock::plural;
use super::options::Options;
use super::servers::One;
use super::{CLEAN, about_file};

const MAX_STARTS: usize = 20;

pub(super) fn run(options: &Options, session: &mut Session<'_>) -> Flow<u8> {
    let starts = options.one("starts").map_or(Some(1), |text| text.parse::<usize>().ok());
    let Some(starts @ 1..=MAX_STARTS) = starts else {
        return Err(session.fail(&format!("--starts is no number from 1 to {MAX_STARTS}")));
    };
    let (folder, now, one) = (folder(session), session.now(), One::make(options, session));
    let (Some(now), one, folder) = (now, one?, folder?) else { return Err(Stop::Wait) };
    if starts > 1 && !one.can_be_started() {
        return Err(session.fail("--starts is for servers that are started, not for files"));
    }
    let path = format!("{folder}/{}", one.identity.file);
    let previous = match session.read_file(&path).ok_or(Stop::Wait)? {
        Ok(None) => None,
        // What cannot be read must not be replaced: it may be someone's only record.
        Ok(Some(text)) => Some(Snapshot::parse(text).map_err(|error| {
            let message = format!("{error}; move the file away to pin the server anew");
            session.fail(&about_file(&path, message))
        })?),
        Err(why) => return Err(session.fail(&about_file(&path, line(&why)))),
    };
    // One after another: some servers cannot run twice at the same time.
    let mut surfaces = Vec::with_capacity(starts);
    for start in 0..starts {
        surfaces.push(one.surface(start, session)?.0);
    }
    let endpoint = one.endpoint();
    let text = build_from_starts(&one.identity.name, &surfaces, endpoint, now, previous.as_ref())
        .map_err(|error| session.fail(&error.to_string()))?;
    match session.write_file(&path, &text, Mode::Private) {
        None => return Err(Stop::Wait),
        Some(Ok(())) => {}
        Some(Err(why)) => return Err(session.fail(&format!("{} was not written: {}", quoted(&path), line(why)))),
    }
    let pinned = Snapshot::parse(text.as_bytes()).map_err(|error| session.fail(&error.to_string()))?;
    if let Some(previous) = &previous {
        let reached = endpoint.map(|endpoint| Reached { endpoint, is_given: one.given.is_some() });
        let drift = check(previous, &pinned.surface, reached, Profile::Default);
        if !drift.findings.is_empty() {
            session.print(Stream::Stdout, report::text::drift(&drift.findings, &drift.changes));
            let summary = report::text::summary(&drift.findings);
            session.print(Stream::Stdout, format!("what was pinned before was replaced: {summary}\n"));
        }
    }
    let tools = plural(pinned.surface.tool_count(), "tool");
    let mut message = format!("{}: pinned {tools} in {}\n", line(&one.identity.name), line(&path));
    if starts > 1 {
        message.push_str(&match pinned.unstable_count() {
            0 => format!("{starts} starts listed the same\n"),
            count => format!("{starts} starts differed in {}, which `check` lets differ\n", plural(count, "place")),
        });
    }
    session.print(Stream::Stdout, message);
    Ok(CLEAN)
}

/// The folder of snapshots.
pub(super) fn folder(session: &mut Session<'_>) -> Flow<String> {
    let home = home(session, "GATEWRIGHT_HOME", ".gatewright")?;
    home.map(|home| format!("{home}/snapshots"))
        .ok_or_else(|| session.fail("there is no home folder to keep snapshots in: set GATEWRIGHT_HOME to a folder"))
}

/// The folder that a variable names, or one in the user's home.
pub(super) fn home(session: &mut Session<'_>, variable: &str, default: &str) -> Flow<Option<String>> {
    let own = session.read_env(variable);
    let homes = ["HOME", "USERPROFILE"].map(|name| session.read_env(name));
    let (Some(own), [Some(home), Some(profile)]) = (own, homes) else { return Err(Stop::Wait) };
    let is_there = |path: &&str| !path.is_empty();
    let of_user = || home.filter(is_there).or(profile.filter(is_there)).map(|home| format!("{home}/{default}"));
    Ok(own.filter(is_there).map(str::to_owned).or_else(of_user))
}
