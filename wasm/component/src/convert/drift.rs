//! Drift: what moved, and how bad it is.

use crate::bindings::exports::gatewright::core::types::{
    Change, ChangeKind, Counts, Drift, EditKind, Finding, Profile, WordEdit,
};

impl From<gatewright::Drift> for Drift {
    fn from(drift: gatewright::Drift) -> Self {
        let gatewright::Drift { severity, counts, changes, findings, not_checked } = drift;
        Self {
            severity: severity.map(Into::into),
            counts: counts.into(),
            changes: changes.into_iter().map(Change::from).collect(),
            findings: findings.into_iter().map(Finding::from).collect(),
            not_checked,
        }
    }
}

impl From<gatewright::Counts> for Counts {
    fn from(counts: gatewright::Counts) -> Self {
        let gatewright::Counts { critical, high, medium, informational } = counts;
        // No memory holds so many findings that one would not fit.
        let count = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
        Self {
            critical: count(critical),
            high: count(high),
            medium: count(medium),
            informational: count(informational),
        }
    }
}

impl From<gatewright::Change> for Change {
    fn from(change: gatewright::Change) -> Self {
        let gatewright::Change { kind, tool, pointer, before, after, words } = change;
        let text = |json: gatewright::Json| json.as_str().to_owned();
        Self {
            kind: kind.into(),
            tool,
            pointer,
            before: before.map(text),
            after: after.map(text),
            words: words.into_iter().map(WordEdit::from).collect(),
        }
    }
}

impl From<gatewright::ChangeKind> for ChangeKind {
    fn from(kind: gatewright::ChangeKind) -> Self {
        match kind {
            gatewright::ChangeKind::Added => Self::Added,
            gatewright::ChangeKind::Removed => Self::Removed,
            gatewright::ChangeKind::Renamed => Self::Renamed,
            gatewright::ChangeKind::Changed => Self::Changed,
        }
    }
}

impl From<gatewright::Edit> for WordEdit {
    fn from(edit: gatewright::Edit) -> Self {
        let gatewright::Edit { kind, text } = edit;
        Self { kind: kind.into(), text }
    }
}

impl From<gatewright::EditKind> for EditKind {
    fn from(kind: gatewright::EditKind) -> Self {
        match kind {
            gatewright::EditKind::Same => Self::Same,
            gatewright::EditKind::Removed => Self::Removed,
            gatewright::EditKind::Added => Self::Added,
        }
    }
}

impl From<Profile> for gatewright::Profile {
    fn from(profile: Profile) -> Self {
        match profile {
            Profile::Default => Self::Default,
            Profile::Mcplock => Self::Mcplock,
        }
    }
}
