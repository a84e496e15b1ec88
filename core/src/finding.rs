//! What a check finds: data, never an error.

use core::str::FromStr;

use serde::Serialize;
use serde_json::{Map, Value};

use crate::error::{Code, Error};
use crate::text::escape::quoted;

/// How bad it is. The four bands of mcplock 0.1.1, everywhere.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// Cosmetic, or a benign addition.
    Informational,
    /// Something pinned is gone.
    Medium,
    /// What a tool can do may be wider, or what moved could not be classified.
    High,
    /// A behavioural promise was turned round, or a pin cannot be trusted.
    Critical,
}

impl Severity {
    /// Every severity, the worst first.
    pub const ALL: [Self; 4] = [Self::Critical, Self::High, Self::Medium, Self::Informational];

    /// The severity's name.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Severity::Informational => "informational",
            Severity::Medium => "medium",
            Severity::High => "high",
            Severity::Critical => "critical",
        }
    }
}

impl FromStr for Severity {
    type Err = Error;

    fn from_str(name: &str) -> Result<Self, Error> {
        Self::ALL.into_iter().find(|severity| severity.as_str() == name).ok_or_else(|| {
            let known = Self::ALL.map(Self::as_str).join(", ");
            Error::new(Code::InvalidArgument, format!("there is no severity {}", quoted(name)))
                .with_help(format!("the severities are: {known}"))
                .at("/failOn")
        })
    }
}

/// One thing that was found.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Finding {
    /// The rule's id, one of [`crate::rules()`].
    pub rule: &'static str,
    /// How bad it is.
    pub severity: Severity,
    /// The server in question.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub server: Option<String>,
    /// The tool in question.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tool: Option<String>,
    /// Where it is, as a JSON Pointer into the document that was checked.
    pub pointer: String,
    /// What was found: one line, escaped.
    pub message: String,
    /// What to do about it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub help: Option<&'static str>,
    /// What a reader needs to judge for themselves.
    #[serde(skip_serializing_if = "Map::is_empty")]
    pub evidence: Map<String, Value>,
}
