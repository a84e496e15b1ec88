//! The registry of rules: what `rules()` lists and `explain` explains.
//!
//! Each family keeps an explicit list of its own; this module joins them.

use serde::Serialize;

use crate::error::{Code, Error};
use crate::finding::Severity;
use crate::text::escape::quoted;
use crate::{drift, lock};

/// What there is to know about a rule.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct Rule {
    /// The stable id, in kebab-case.
    pub id: &'static str,
    /// Which check it belongs to.
    pub family: Family,
    /// A finer group.
    pub category: &'static str,
    /// The severity of its findings.
    pub severity: Severity,
    /// One line.
    pub summary: &'static str,
    /// The version of this library that brought it.
    pub since: &'static str,
    /// The section of the specification that it stands on.
    pub specification: &'static str,
    /// What it means, and what to do.
    #[serde(skip)]
    pub explanation: &'static str,
    /// What to do, on one line: the `help` of its findings.
    #[serde(skip)]
    pub help: &'static str,
}

/// The check that a rule belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Family {
    /// The comparison of two surfaces.
    Drift,
    /// Verification of `agentgate.lock`.
    Lock,
}

impl Family {
    const fn as_str(self) -> &'static str {
        match self {
            Family::Drift => "drift",
            Family::Lock => "lock",
        }
    }
}

/// Every rule, family by family.
pub fn rules() -> impl Iterator<Item = &'static Rule> {
    lock::rules::RULES.iter().chain(drift::rules::RULES.iter().map(|drift| &drift.rule))
}

/// A rule's page, as plain text.
///
/// # Errors
/// `unknown-rule`.
///
/// ```
/// let page = gatewright::explain("description-changed")?;
/// assert!(page.starts_with("description-changed (lock, high)\n"));
/// # Ok::<(), gatewright::Error>(())
/// ```
pub fn explain(id: &str) -> Result<String, Error> {
    let Some(rule) = rules().find(|rule| rule.id == id) else {
        let known: Vec<&str> = rules().map(|rule| rule.id).collect();
        return Err(Error::new(Code::UnknownRule, format!("there is no rule {}", quoted(id)))
            .with_help(format!("the rules are: {}", known.join(", "))));
    };
    Ok(format!(
        "{} ({}, {})\n{}\n\n{}\n\nSpecification: {}. Since {}.\n",
        rule.id,
        rule.family.as_str(),
        rule.severity.as_str(),
        rule.summary,
        rule.explanation,
        rule.specification,
        rule.since
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_unique_and_pages_are_whole() {
        let ids: Vec<&str> = rules().map(|rule| rule.id).collect();
        let mut unique = ids.clone();
        unique.sort_unstable();
        unique.dedup();
        assert_eq!(unique.len(), ids.len());
        for rule in rules() {
            assert!(rule.id.bytes().all(|b| b.is_ascii_lowercase() || b == b'-'), "{}", rule.id);
            assert!(rule.summary.len() > 20 && rule.explanation.len() > 80, "{}", rule.id);
        }
    }
}
