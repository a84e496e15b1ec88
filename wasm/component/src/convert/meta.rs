//! Rules, and the versions of specifications.

use crate::bindings::exports::gatewright::core::meta::{Family, Rule, SpecVersion};

pub(crate) fn spec_versions(versions: gatewright::SpecVersions) -> Vec<SpecVersion> {
    [("agentgate.lock", versions.agentgate_lock)]
        .map(|(specification, version)| SpecVersion {
            specification: specification.to_owned(),
            version: version.to_owned(),
        })
        .into()
}

impl From<&gatewright::rules::Rule> for Rule {
    fn from(rule: &gatewright::rules::Rule) -> Self {
        // The explanation is what `explain` tells, and the help what findings do.
        let gatewright::rules::Rule {
            id,
            family,
            category,
            severity,
            summary,
            since,
            specification,
            explanation: _,
            help: _,
        } = *rule;
        Self {
            id: id.to_owned(),
            family: family.into(),
            category: category.to_owned(),
            severity: severity.into(),
            summary: summary.to_owned(),
            since: since.to_owned(),
            specification: specification.to_owned(),
        }
    }
}

impl From<gatewright::rules::Family> for Family {
    fn from(family: gatewright::rules::Family) -> Self {
        match family {
            gatewright::rules::Family::Drift => Self::Drift,
            gatewright::rules::Family::Lock => Self::Lock,
        }
    }
}
