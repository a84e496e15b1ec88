//! Snapshots: a server pinned with its text (mcplock 0.1.1, "Hash model"), so that what moved can be shown
//! and judged.
//!
//! A snapshot is JSON with keys in order, two spaces of indent and a newline at the end. For each tool it has
//! the specification's four hashes, over canonical forms (RFC 8785), and the text that they cover.

mod build;
mod read;
mod unstable;

#[cfg(feature = "cli")]
pub(crate) use build::build_from_starts;
pub use build::build_snapshot;
use read::PinnedEndpoint;
pub(crate) use read::Snapshot;

use crate::drift::{Comparison, Drift, Field, Names, Profile, Subject, compare};
use crate::error::Error;
use crate::source::{Endpoint, REDACTED};
use crate::surface::Surface;
use crate::text::pointer::of_keys;
use crate::text::value::Value;

/// The newest `snapshot_version` that this library understands.
pub const SNAPSHOT_VERSION: u32 = 1;

/// How a server that is checked is reached, and who said so.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Reached<'a> {
    pub(crate) endpoint: &'a Endpoint,
    /// Whether the user gave it, rather than a config.
    pub(crate) is_given: bool,
}

/// Compares a server with its snapshot: one of this library, or of mcplock 0.1.x and 1.0.x, which is compared
/// by its text. `endpoint` is how the server is reached now; without it, that is not compared.
///
/// # Errors
/// Those of [`crate::canonicalize`], and `invalid-snapshot`, `unsupported-snapshot-version`,
/// `foreign-snapshot`.
///
/// ```
/// use gatewright::{Profile, Severity, Surface, build_snapshot, check_snapshot};
/// let pinned = Surface::parse(br#"[{"name":"rm","description":"Removes a file."}]"#)?;
/// let snapshot = build_snapshot("demo", &pinned, None, "2026-11-30T12:00:00Z", None)?;
///
/// let live = Surface::parse(br#"[{"name":"rm","description":"Removes all files."}]"#)?;
/// let drift = check_snapshot(snapshot.as_bytes(), &live, None, Profile::Default)?;
/// assert!(drift.fails(Severity::High));
/// # Ok::<(), gatewright::Error>(())
/// ```
pub fn check_snapshot(
    snapshot: &[u8],
    surface: &Surface,
    endpoint: Option<&Endpoint>,
    profile: Profile,
) -> Result<Drift, Error> {
    let reached = endpoint.map(|endpoint| Reached { endpoint, is_given: false });
    Ok(check(&Snapshot::parse(snapshot)?, surface, reached, profile))
}

pub(crate) fn check(snapshot: &Snapshot, live: &Surface, reached: Option<Reached<'_>>, profile: Profile) -> Drift {
    let settled = unstable::settle(snapshot, live);
    let (before, after) = settled.as_ref().map_or((&snapshot.surface, live), |(before, after)| (before, after));
    let mut comparison = compare(before, after, Names::of(profile));
    if let Some(reached) = reached {
        compare_endpoint(snapshot, reached, &mut comparison);
    }
    let mut drift = Drift::of(&comparison, profile, snapshot.surface.coverage);
    if profile == Profile::Mcplock || reached.is_none() || snapshot.endpoint.is_none() {
        drift.not_checked.push("how the server is reached: its command or URL, and where that comes from".to_owned());
    }
    for finding in &mut drift.findings {
        finding.server.clone_from(&snapshot.server_id);
    }
    drift
}

fn compare_endpoint(snapshot: &Snapshot, Reached { endpoint, is_given }: Reached<'_>, comparison: &mut Comparison<'_>) {
    let Some(pinned) = &snapshot.endpoint else { return };
    comparison.endpoint_is_given = is_given;
    let now = build::endpoint_members(endpoint);
    let moved = |subject, key, before: &Value, after: &Value| Field::moved(subject, of_keys(&[key]), before, after);
    let mut server = Vec::new();
    if pinned.source != now.source {
        server.push(moved(Subject::Source, "source", &pinned.source, &now.source));
    }
    if pinned.transport != now.transport {
        server.push(moved(Subject::Endpoint, "transport", &pinned.transport, &now.transport));
    }
    let is_told =
        (pinned.transport != now.transport && pinned.connection == now.connection) || is_told_by_version(pinned, &now);
    if pinned.hash != now.hash && !is_told {
        // Where only something moved that is not shown, the two read the same.
        server.push(moved(Subject::Endpoint, "connection", &pinned.connection, &now.connection));
    }
    server.append(&mut comparison.server);
    comparison.server = server;
}

/// Whether a command is another in nothing but the version of its package, of which the source tells.
fn is_told_by_version(pinned: &PinnedEndpoint, now: &PinnedEndpoint) -> bool {
    let package = |endpoint: &PinnedEndpoint| {
        let package = endpoint.source.as_object().and_then(|source| source.get("package"));
        package.and_then(Value::as_str).unwrap_or_default().to_owned()
    };
    let words = |endpoint: &PinnedEndpoint| endpoint.connection.as_str().and_then(shlex::split).unwrap_or_default();
    let (name, was, is) = (package(pinned), words(pinned), words(now));
    // What is hidden could have changed too.
    let is_hidden = was.iter().any(|word| word.contains(REDACTED));
    if name.is_empty() || name != package(now) || was.len() != is.len() || is_hidden {
        return false;
    }
    let mut others = was.iter().zip(&is).filter(|(was, is)| was != is);
    let is_version = |word: &str| {
        let rest = word.rsplit_once('=').filter(|(option, _)| option.starts_with('-')).map_or(word, |(_, value)| value);
        let rest = if word.starts_with(&name) { word.strip_prefix(&name) } else { rest.strip_prefix(&name) };
        rest.is_some_and(|rest| {
            let rest = rest.split_once(']').filter(|_| rest.starts_with('[')).map_or(rest, |(_, rest)| rest);
            (rest.is_empty() || rest.starts_with(['@', '=', '>', '<', '~', '!']))
                && rest.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"@=<>~!^.*,+-".contains(&byte))
        })
    };
    match (others.next(), others.next()) {
        (Some((was, is)), None) => is_version(was) && is_version(is),
        _ => false,
    }
}
