//! Findings as plain text for a terminal. Every text of a server's is escaped.

use std::collections::BTreeMap;

use crate::finding::{Finding, Severity};
use crate::text::escape::line;

/// A paragraph for each finding.
pub(crate) fn findings(findings: &[Finding]) -> String {
    let mut out = String::new();
    for finding in findings {
        out.push_str(&format!("{:<14}{}\n", finding.severity.as_str(), line(&finding.message)));
        out.push_str(&format!("              {} at {}\n", finding.rule, line(&finding.pointer)));
        for (label, key) in [("locked", "before"), ("now", "after")] {
            if let Some(text) = finding.evidence.get(key).and_then(|value| value.as_str()) {
                out.push_str(&format!("              {label:<8}{}\n", line(text)));
            }
        }
        if let Some(help) = finding.help {
            out.push_str(&format!("              {help}\n"));
        }
        out.push('\n');
    }
    out
}

/// How many findings there are of each severity.
pub(crate) fn summary(findings: &[Finding]) -> String {
    let mut counts: BTreeMap<Severity, usize> = BTreeMap::new();
    for finding in findings {
        *counts.entry(finding.severity).or_default() += 1;
    }
    let counts: Vec<String> =
        counts.iter().rev().map(|(severity, count)| format!("{count} {}", severity.as_str())).collect();
    let noun = if findings.len() == 1 { "finding" } else { "findings" };
    format!("{} {noun} ({})", findings.len(), counts.join(", "))
}
