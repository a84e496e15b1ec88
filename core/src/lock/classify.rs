//! Where the lockfile meets the text: hashes say that something moved, kept texts say what.

use std::collections::BTreeMap;

use serde::Serialize;

use super::rules;
use super::verify::Verification;
use crate::drift::{Change, Profile, classify_drift};
use crate::error::Error;
use crate::finding::Finding;
use crate::source::REDACTED;
use crate::surface::{Detail, PinnedSurface, Surface};
use crate::text::escape::quoted;
use crate::text::value::Value;

use super::model::Lockfile;

/// A verification in which what moved is classified where its text was kept.
#[derive(Debug, Serialize)]
pub(crate) struct Classified {
    /// Whether nothing was found.
    pub(crate) verified: bool,
    pub(crate) findings: Vec<Finding>,
    /// What moved in the servers whose text was kept.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) changes: Vec<ServerChange>,
}

/// A change, and whose it is.
#[derive(Debug, Serialize)]
pub(crate) struct ServerChange {
    pub(crate) server: String,
    #[serde(flatten)]
    pub(crate) change: Change,
}

impl ServerChange {
    /// The server and the change.
    pub(crate) fn parts(&self) -> (Option<&str>, &Change) {
        (Some(&self.server), &self.change)
    }
}

/// What the hashes of a lockfile find and a text explains.
const EXPLAINED: [&str; 8] = [
    rules::TOOL_ADDED.id,
    rules::TOOL_REMOVED.id,
    rules::TOOL_RENAMED.id,
    rules::DESCRIPTION_CHANGED.id,
    rules::INPUT_SCHEMA_CHANGED.id,
    rules::ANNOTATIONS_CHANGED.id,
    rules::EXTRA_FIELDS_CHANGED.id,
    rules::INSTRUCTIONS_CHANGED.id,
];

/// Puts findings of drift in the place of what the hashes found. What the text does not explain stays as it is.
///
/// `texts` are the kept and the live surfaces of servers, by their names.
pub(crate) fn classify(
    lockfile: &[u8],
    verification: Verification,
    texts: &BTreeMap<&str, (&Surface, Surface)>,
) -> Result<Classified, Error> {
    let lockfile = Lockfile::parse(lockfile)?;
    let mut classified = Classified { verified: verification.verified, findings: Vec::new(), changes: Vec::new() };
    let mut waiting: Vec<Finding> = verification.findings;
    while let Some(server) = waiting.first().map(|finding| finding.server.clone()) {
        let (own, others): (Vec<Finding>, Vec<Finding>) =
            waiting.into_iter().partition(|finding| finding.server == server);
        waiting = others;
        let name = server.unwrap_or_default();
        let texts = texts.get(name.as_str()).filter(|(kept, _)| is_what_was_locked(&lockfile, &name, kept));
        match texts {
            None => classified.findings.extend(own),
            Some((kept, live)) => explain(&name, own, kept, live, &mut classified),
        }
    }
    Ok(classified)
}

fn explain(server: &str, own: Vec<Finding>, kept: &Surface, live: &Surface, classified: &mut Classified) {
    let drift = classify_drift(kept, live, Profile::Default);
    let is_pinned = |tool: &Option<String>, pointer: &str| tool.is_some() || pointer.starts_with("/instructions");
    let mut explained: Vec<Finding> =
        drift.findings.into_iter().filter(|finding| is_pinned(&finding.tool, &finding.pointer)).collect();
    let explains = |hash: &Finding| {
        EXPLAINED.contains(&hash.rule)
            && explained.iter().any(|drift| drift.tool == hash.tool && (hash.tool.is_some() || drift.tool.is_none()))
    };
    let unexplained: Vec<Finding> = own.iter().filter(|finding| !explains(finding)).cloned().collect();
    if unexplained.len() == own.len() {
        // Nothing that is pinned moved.
        classified.findings.extend(own);
        return;
    }
    for finding in &mut explained {
        finding.server = Some(server.to_owned());
        finding.message = format!("server {}: {}", quoted(server), finding.message);
    }
    classified.findings.extend(unexplained);
    classified.findings.extend(explained);
    let changes = drift.changes.into_iter().filter(|change| is_pinned(&change.tool, &change.pointer));
    classified.changes.extend(changes.map(|change| ServerChange { server: server.to_owned(), change }));
}

/// Whether a kept text is that of the tools that are locked. Where a credential was taken out of the text, its
/// hashes say nothing.
fn is_what_was_locked(lockfile: &Lockfile, server: &str, kept: &Surface) -> bool {
    let text = kept.to_canonical();
    let pinned = PinnedSurface::read(text.as_bytes(), Detail::Lockfile);
    let (Some(locked), Ok(pinned)) = (lockfile.server(server), pinned) else { return false };
    text.contains(REDACTED) || locked.surface_hash == pinned.hash()
}

/// The hashes of the texts that a lockfile's entries name, by server.
pub(crate) fn text_hashes(lockfile: &[u8]) -> Result<Vec<(String, crate::Digest)>, Error> {
    let root = Value::parse(lockfile)?;
    let servers = root.as_object().and_then(|root| root.get("servers")).and_then(Value::as_object);
    let hash = |(name, entry): (&str, &Value)| {
        let beyond = entry.as_object()?.get("gatewright")?.as_object()?;
        Some((name.to_owned(), beyond.get("textHash")?.as_str().and_then(crate::Digest::parse)?))
    };
    Ok(servers.map(|servers| servers.iter().filter_map(hash).collect()).unwrap_or_default())
}
