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

impl Report {
    /// `accept` parts the findings that count from those that were accepted.
    pub(crate) fn of(drift: Drift, accept: impl FnOnce(Vec<Finding>) -> (Vec<Finding>, Vec<Finding>)) -> Self {
        let Drift { changes, findings, not_checked, .. } = drift;
        let (findings, accepted) = accept(findings);
        Self {
            kind: "drift",
            version: VERSION,
            gatewright: crate::VERSION,
            server: String::new(),
            baseline: String::new(),
            pinned_at: None,
            profile: Profile::Default.as_str(),
            fail_on: Severity::High,
            fails: false,
            severity: findings.iter().map(|finding| finding.severity).max(),
            counts: Counts::of(&findings),
            changes,
            findings,
            accepted,
            acceptances: Vec::new(),
            not_checked,
            tools: 0,
        }
    }

    /// With what was compared, and how.
    pub(crate) fn about(
        self,
        server: &str,
        baseline: &str,
        pinned_at: Option<&str>,
        profile: Profile,
        fail_on: Severity,
    ) -> Self {
        Self {
            server: server.to_owned(),
            baseline: baseline.to_owned(),
            pinned_at: pinned_at.map(str::to_owned),
            profile: profile.as_str(),
            fail_on,
            fails: self.severity.is_some_and(|severity| severity >= fail_on),
            ..self
        }
    }

    /// With the acceptances there are, and the number of tools that were compared.
    pub(crate) fn with(self, acceptances: Vec<Acceptance>, tools: usize) -> Self {
        Self { acceptances, tools, ..self }
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
            out.push_str(&format!("{name}: {tools} as they were pinned{but} ({against})\n"));
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
