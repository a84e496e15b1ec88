//! What `gatewright check` reports: a drift, what it was measured by, and what was accepted of it.

use serde::Serialize;

use super::text;
use crate::cli::Acceptance;
use crate::drift::{Change, Counts, Drift, Profile};
use crate::finding::{Finding, Severity};
use crate::text::escape::{line, quoted};

/// The version of the report's shape, whose schema is `docs/schemas/drift-report.schema.json`.
const VERSION: u32 = 1;

/// A report. Members are only ever added to it while its version stays.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Report {
    #[serde(rename = "report")]
    kind: &'static str,
    version: u32,
    gatewright: &'static str,
    server: String,
    baseline: String,
    /// When the baseline was pinned.
    #[serde(skip_serializing_if = "Option::is_none")]
    pinned_at: Option<String>,
    profile: &'static str,
    fail_on: Severity,
    pub(crate) fails: bool,
    severity: Option<Severity>,
    counts: Counts,
    changes: Vec<Change>,
    findings: Vec<Finding>,
    /// Findings that were accepted: they count for nothing.
    accepted: Vec<Finding>,
    acceptances: Vec<Acceptance>,
    not_checked: Vec<String>,
    #[serde(skip)]
    tools: usize,
}

/// What a report is about, beside what moved.
pub(crate) struct About<'a> {
    pub(crate) server: &'a str,
    pub(crate) baseline: &'a str,
    pub(crate) pinned_at: Option<&'a str>,
    pub(crate) profile: Profile,
    pub(crate) fail_on: Severity,
    /// How many tools were compared.
    pub(crate) tools: usize,
}

impl Report {
    /// The report of a drift without the findings that were accepted.
    pub(crate) fn new(about: &About<'_>, drift: Drift, accepted: Vec<Finding>, acceptances: Vec<Acceptance>) -> Self {
        let Drift { changes, findings, not_checked, .. } = drift;
        let severity = findings.iter().map(|finding| finding.severity).max();
        Self {
            kind: "drift",
            version: VERSION,
            gatewright: crate::VERSION,
            server: about.server.to_owned(),
            baseline: about.baseline.to_owned(),
            pinned_at: about.pinned_at.map(str::to_owned),
            profile: about.profile.as_str(),
            fail_on: about.fail_on,
            fails: severity.is_some_and(|severity| severity >= about.fail_on),
            severity,
            counts: Counts::of(&findings),
            changes,
            findings,
            accepted,
            acceptances,
            not_checked,
            tools: about.tools,
        }
    }

    /// The report for people.
    pub(crate) fn to_text(&self) -> String {
        let mut out = text::drift(&self.findings, &self.changes);
        for acceptance in &self.acceptances {
            out.push_str(&acceptance.to_text());
        }
        if !self.acceptances.is_empty() {
            out.push('\n');
        }
        let name = line(&self.server);
        let pinned_at = self.pinned_at.as_deref().map(|time| format!(", pinned {}", line(time))).unwrap_or_default();
        let against = format!("{}{pinned_at}", line(&self.baseline));
        let tools = format!("{} {}", self.tools, if self.tools == 1 { "tool" } else { "tools" });
        if self.findings.is_empty() {
            let but = if self.accepted.is_empty() {
                String::new()
            } else {
                format!(" but for {} accepted", self.accepted.len())
            };
            out.push_str(&format!("{name}: {tools} as pinned{but} ({against})\n"));
        } else {
            let verdict = if self.fails { "fails" } else { "passes" };
            let summary = text::summary(&self.findings);
            out.push_str(&format!("{name}: {summary}; {verdict} at {} ({against})\n", self.fail_on.as_str()));
        }
        out
    }
}

impl Acceptance {
    fn to_text(&self) -> String {
        use crate::cli::AcceptanceState::{Expired, Unused, Used};
        let what = match &self.tool {
            Some(tool) => format!("{} of tool {}", self.rule, quoted(tool)),
            None => self.rule.clone(),
        };
        let until = line(&self.expires);
        let state = match self.state {
            Used => format!("until {until}: {}", line(&self.reason)),
            Unused => format!("until {until}, but nothing was found that it accepts: take it out of the settings"),
            Expired => format!("until {until}, which is over: it counts again"),
        };
        format!("accepted      {what} {state}\n")
    }
}
