//! Findings and their severity.

use crate::bindings::exports::gatewright::core::lockfile::Verification;
use crate::bindings::exports::gatewright::core::types::{Finding, Severity};

impl From<gatewright::Verification> for Verification {
    fn from(verification: gatewright::Verification) -> Self {
        let gatewright::Verification { verified, findings } = verification;
        Self { verified, findings: findings.into_iter().map(Finding::from).collect() }
    }
}

impl From<gatewright::Finding> for Finding {
    fn from(finding: gatewright::Finding) -> Self {
        let gatewright::Finding { rule, severity, server, tool, pointer, message, help, evidence } = finding;
        Self {
            rule: rule.to_owned(),
            severity: severity.into(),
            server,
            tool,
            pointer,
            message,
            help: help.map(str::to_owned),
            evidence: (!evidence.is_empty()).then(|| serde_json::Value::Object(evidence).to_string()),
        }
    }
}

impl From<gatewright::Severity> for Severity {
    fn from(severity: gatewright::Severity) -> Self {
        match severity {
            gatewright::Severity::Informational => Self::Informational,
            gatewright::Severity::Medium => Self::Medium,
            gatewright::Severity::High => Self::High,
            gatewright::Severity::Critical => Self::Critical,
        }
    }
}

impl From<Severity> for gatewright::Severity {
    fn from(severity: Severity) -> Self {
        match severity {
            Severity::Informational => Self::Informational,
            Severity::Medium => Self::Medium,
            Severity::High => Self::High,
            Severity::Critical => Self::Critical,
        }
    }
}
