//! `gatewright check`: compares a server with its snapshot.

use crate::drift::Profile;
use crate::finding::Severity;
use crate::report::drift::{About, Report};
use crate::report::json;
use crate::snapshot::{Reached, Snapshot, check};
use crate::text::escape::{line, quoted};

use super::effect::{Flow, Mode, Session, Stop, Stream};
use super::options::Options;
use super::servers::One;
use super::settings;
use super::snapshot::{folder, home};
use super::{CLEAN, FOUND, about_file, identity};

pub(super) fn run(options: &Options, session: &mut Session<'_>) -> Flow<u8> {
    let profile: Profile = match options.one("profile") {
        None => Profile::default(),
        Some(name) => name.parse().map_err(|error| about_option("profile", &error, session))?,
    };
    let fail_on = fail_on(options, Severity::High, session)?;
    let one = One::make(options, session)?;
    let server = one.identity.name.clone();
    let acceptances = settings::acceptances(options, &server, session);
    let (baseline, mut snapshot) = baseline(options, &one, session)?;
    let mut acceptances = acceptances?;
    let (live, secrets) = match one.surface(0, session) {
        // Why was said; a preview never fails.
        Err(Stop::Exit(_)) if options.has("preview") => return Ok(CLEAN),
        listed => listed?,
    };
    // A snapshot of mcplock has what the server repeated; what is shown has not.
    let pinned = core::mem::take(&mut snapshot.surface);
    snapshot.surface = secrets.hide_in(pinned).ok_or_else(|| session.fail("the snapshot repeats a secret"))?;
    let reached = one.endpoint().map(|endpoint| Reached { endpoint, is_given: one.given.is_some() });
    // A snapshot of mcplock may call the server otherwise.
    snapshot.server_id = Some(server.clone());
    let mut drift = check(&snapshot, &live, reached, profile);
    let (findings, accepted) = settings::apply(&mut acceptances, core::mem::take(&mut drift.findings));
    drift.findings = findings;
    let about = About {
        server: &server,
        baseline: &baseline,
        pinned_at: snapshot.updated_at.as_deref(),
        profile,
        fail_on,
        tools: live.tool_count(),
    };
    let report = Report::new(&about, drift, accepted, acceptances);
    let document = json::document(&report);
    match options.one("json") {
        Some("-") => session.print(Stream::Stdout, document),
        None => session.print(Stream::Stdout, report.to_text()),
        Some(path) => {
            match session.write_file(path, &document, Mode::Shared) {
                None => return Err(Stop::Wait),
                Some(Ok(())) => {}
                Some(Err(why)) => {
                    return Err(session.fail(&format!("{} was not written: {}", quoted(path), line(why))));
                }
            }
            session.print(Stream::Stdout, report.to_text());
        }
    }
    let code = if report.fails { FOUND } else { CLEAN };
    Ok(if options.has("preview") { CLEAN } else { code })
}

/// What to fail at.
pub(super) fn fail_on(options: &Options, default: Severity, session: &mut Session<'_>) -> Flow<Severity> {
    match options.one("fail-on") {
        None => Ok(default),
        Some(name) => name.parse().map_err(|error| about_option("fail-on", &error, session)),
    }
}

fn about_option(option: &str, error: &crate::error::Error, session: &mut Session<'_>) -> Stop {
    let help = error.help().map(|help| format!("; {help}")).unwrap_or_default();
    session.fail(&format!("--{option}: {}{help}", error.message()))
}

/// The snapshot to compare with, and what to call it.
fn baseline(options: &Options, one: &One, session: &mut Session<'_>) -> Flow<(String, Snapshot)> {
    if let Some(path) = options.one("baseline") {
        return match session.read_file(path).ok_or(Stop::Wait)? {
            Ok(Some(text)) => Ok((path.to_owned(), parse(path, text, session)?)),
            Ok(None) => Err(session.fail(&about_file(path, "there is no such file"))),
            Err(why) => Err(session.fail(&about_file(path, line(&why)))),
        };
    }
    let path = format!("{}/{}", folder(session)?, one.identity.file);
    match session.read_file(&path).ok_or(Stop::Wait)? {
        Ok(Some(text)) => return Ok((path.clone(), parse(&path, text, session)?)),
        Ok(None) => {}
        Err(why) => return Err(session.fail(&about_file(&path, line(&why)))),
    }
    if let Some(given) = &one.given
        && let Some(home) = home(session, "MCPLOCK_HOME", ".mcplock")?
    {
        // The name of the file is made of the command, secrets and all: it is not shown.
        let foreign = format!("{home}/snapshots/{}.json", identity::of_mcplock(given));
        let what = "the snapshot of mcplock";
        let file = session.read_file(&foreign).ok_or(Stop::Wait)?;
        if let Some(text) = file.map_err(|why| session.fail(&format!("{what}: {}", line(&why))))? {
            let snapshot = Snapshot::parse(text).map_err(|error| session.fail(&format!("{what}: {error}")))?;
            // Its names collide: what it pinned must be what is asked for.
            if snapshot.mcplock_connection.as_deref() == Some(given) {
                return Ok((what.to_owned(), snapshot));
            }
        }
    }
    let message = format!(
        "there is no snapshot of {}: nothing is pinned; run `gatewright snapshot` first (looked for {})",
        quoted(&one.identity.name),
        line(&path)
    );
    Err(session.fail(&message))
}

fn parse(path: &str, text: &[u8], session: &mut Session<'_>) -> Flow<Snapshot> {
    Snapshot::parse(text).map_err(|error| session.fail(&about_file(path, error)))
}
