//! Drift: what moved between a surface that was pinned and the one that is there now, and how bad it is.
//!
//! [`compare`] says what moved and judges nothing; the rules, one file each, turn it into findings. Those on input
//! schemas stand on [`crate::schema`], which proves what a changed schema newly accepts. A place is kept for what
//! reads text more finely, in `crate::analysis`.

mod calls;
mod change;
mod compare;
mod fields;
mod neutral;
mod rename;
pub(crate) mod rules;
mod vocabulary;
mod words;

use core::str::FromStr;

use serde::Serialize;

pub use change::{Change, ChangeKind};
pub(crate) use change::{Field, Subject};
pub(crate) use compare::{Comparison, Names, compare};
pub(crate) use words::tokens;
pub use words::{Edit, EditKind};

use crate::error::{Code, Error};
use crate::finding::{Finding, Severity};
use crate::surface::{Coverage, Surface};
use crate::text::escape::quoted;

/// Whose judgement is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Profile {
    /// The specification's rules, and more.
    #[default]
    Default,
    /// The rules of mcplock 0.1.1 ("Severity"), to the letter.
    Mcplock,
}

impl Profile {
    /// Every profile.
    pub const ALL: [Self; 2] = [Self::Default, Self::Mcplock];

    /// The profile's name.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Default => "default",
            Self::Mcplock => "mcplock",
        }
    }
}

impl FromStr for Profile {
    type Err = Error;

    fn from_str(name: &str) -> Result<Self, Error> {
        Self::ALL.into_iter().find(|profile| profile.as_str() == name).ok_or_else(|| {
            let known = Self::ALL.map(Self::as_str).join(", ");
            Error::new(Code::InvalidArgument, format!("there is no profile {}", quoted(name)))
                .with_help(format!("the profiles are: {known}"))
                .at("/profile")
        })
    }
}

/// How many findings there are of each severity.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct Counts {
    /// Of severity critical.
    pub critical: usize,
    /// Of severity high.
    pub high: usize,
    /// Of severity medium.
    pub medium: usize,
    /// Of severity informational.
    pub informational: usize,
}

impl Counts {
    pub(crate) fn of(findings: &[Finding]) -> Self {
        let mut counts = Self::default();
        for finding in findings {
            *match finding.severity {
                Severity::Critical => &mut counts.critical,
                Severity::High => &mut counts.high,
                Severity::Medium => &mut counts.medium,
                Severity::Informational => &mut counts.informational,
            } += 1;
        }
        counts
    }
}

/// What moved between two surfaces, and how bad it is.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Drift {
    /// The worst of the findings; none if nothing moved.
    pub severity: Option<Severity>,
    /// How many findings there are of each severity.
    pub counts: Counts,
    /// What moved: first the server's, then tool by tool.
    pub changes: Vec<Change>,
    /// How bad it is, the worst first. Each change has at least one finding; a tool's severity is the worst
    /// of its findings.
    pub findings: Vec<Finding>,
    /// What was not compared, in words.
    pub not_checked: Vec<String>,
}

impl Drift {
    /// Judges a comparison.
    pub(crate) fn of(comparison: &Comparison<'_>, profile: Profile, coverage: Coverage) -> Self {
        let (changes, findings) = rules::judge(comparison, profile);
        Self {
            severity: findings.iter().map(|finding| finding.severity).max(),
            counts: Counts::of(&findings),
            changes,
            findings,
            not_checked: not_checked(profile, coverage),
        }
    }

    /// Whether something is at least this bad.
    #[must_use]
    pub fn fails(&self, at: Severity) -> bool {
        self.severity.is_some_and(|severity| severity >= at)
    }
}

/// What a comparison of definitions cannot see, and what this one did not look at.
fn not_checked(profile: Profile, coverage: Coverage) -> Vec<String> {
    let mut texts = vec![
        "what the tools do: the same definition can come with another behaviour",
        "what the tools answer when they are called",
    ];
    match (profile, coverage) {
        (Profile::Mcplock, _) => texts.push(
            "titles, output schemas, `_meta` and other members of tools, and what the server says of itself: the profile \
             mcplock does not look at them",
        ),
        (_, Coverage::Mcplock) => texts.push(
            "titles, output schemas, `_meta` and other members of tools, and what the server says of itself: a snapshot of \
             mcplock does not keep them",
        ),
        (_, Coverage::Whole) => {}
    }
    texts.into_iter().map(str::to_owned).collect()
}

/// Says what moved from one surface to another, and how bad it is (mcplock 0.1.1, "Severity").
///
/// ```
/// use gatewright::{Profile, Severity, Surface, classify_drift};
/// let before = Surface::parse(br#"[{"name":"rm","description":"Removes a file."}]"#)?;
/// let after = Surface::parse(br#"[{"name":"rm","description":"Removes all files."}]"#)?;
/// let drift = classify_drift(&before, &after, Profile::Default);
/// assert_eq!(drift.severity, Some(Severity::High));
/// assert_eq!(drift.findings[0].rule, "description-trigger-word");
/// assert_eq!(drift.changes[0].pointer, "/tools/rm/description");
/// # Ok::<(), gatewright::Error>(())
/// ```
#[must_use]
pub fn classify_drift(before: &Surface, after: &Surface, profile: Profile) -> Drift {
    Drift::of(&compare(before, after, Names::of(profile)), profile, before.coverage)
}

impl Names {
    pub(crate) const fn of(profile: Profile) -> Self {
        match profile {
            Profile::Default => Self::MayChange,
            Profile::Mcplock => Self::AreFixed,
        }
    }
}
