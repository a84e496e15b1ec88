//! The rules of drift, one file each. To add one: a file, a line in [`RULES`], its vectors.

mod annotation_edit;
mod annotation_flip;
mod branch_added;
mod condition_weakened;
mod constraint_loosened;
mod description_edit;
mod description_trigger_word;
mod enum_grown;
mod field_edit;
mod instructions_edit;
mod meaningless_edit;
mod meta_edit;
mod missing_tool;
mod new_parameter;
mod new_tool;
mod new_tool_trigger_word;
mod null_default;
mod object_opened;
mod opaque_field;
mod out_of_sight_text;
mod output_schema_edit;
mod parameter_relaxed;
mod parameter_trigger_word;
mod removed_parameter;
mod renamed_tool;
mod schema_edit;
mod schema_narrowed;
mod server_endpoint_edit;
mod server_info_edit;
mod server_source_swap;
mod server_version_edit;
mod title_edit;
mod type_widened;
mod undecided_calls;

use core::cell::OnceCell;
use core::cmp::Ordering;

use serde_json::{Map, Value as Json};

use super::Profile;
use super::calls::Calls;
use super::change::{Change, Field, Subject};
use super::compare::{Comparison, ToolDrift};
use crate::finding::{Finding, Severity};
use crate::rules::{Family, Rule};
use crate::schema::{Effort, Widening};
use crate::text::escape::quoted;
use crate::text::limits::MAX_POINTER_BYTES;
use crate::text::pointer::bounded;
use crate::text::sort::sort_by;
use crate::text::strings::compare_utf16;
use crate::text::value::{Object, Value};

/// A rule of drift.
pub(crate) struct DriftRule {
    /// What there is to know about it. The severity is that of its findings, unless one says otherwise.
    pub(crate) rule: Rule,
    /// What it reads.
    subjects: &'static [Subject],
    /// The profiles that it belongs to.
    profiles: &'static [Profile],
    /// Whether it only speaks of what no other rule has spoken of.
    is_fallback: bool,
    /// What it finds, at most once in a field: what is found in several places is told in one finding.
    check: fn(&Facts<'_>) -> Option<Found>,
}

/// All of them. Of one field's, the fallback comes last.
pub(crate) const RULES: &[DriftRule] = &[
    opaque_field::RULE,
    out_of_sight_text::RULE,
    meaningless_edit::RULE,
    annotation_flip::RULE,
    annotation_edit::RULE,
    server_source_swap::RULE,
    server_version_edit::RULE,
    server_endpoint_edit::RULE,
    server_info_edit::RULE,
    instructions_edit::RULE,
    missing_tool::RULE,
    renamed_tool::RULE,
    new_tool_trigger_word::RULE,
    new_tool::RULE,
    description_trigger_word::RULE,
    description_edit::RULE,
    parameter_relaxed::RULE,
    parameter_trigger_word::RULE,
    type_widened::RULE,
    constraint_loosened::RULE,
    branch_added::RULE,
    condition_weakened::RULE,
    enum_grown::RULE,
    object_opened::RULE,
    undecided_calls::RULE,
    new_parameter::RULE,
    removed_parameter::RULE,
    null_default::RULE,
    schema_narrowed::RULE,
    schema_edit::RULE,
    title_edit::RULE,
    output_schema_edit::RULE,
    meta_edit::RULE,
    field_edit::RULE,
];

const BOTH: &[Profile] = &Profile::ALL;
const DEFAULT: &[Profile] = &[Profile::Default];
const MCPLOCK: &[Profile] = &[Profile::Mcplock];

/// What looking into the schemas of one comparison may take, all tools together. Real servers take thousands for a
/// tool; what is beyond is undecided.
const MAX_EFFORT: usize = 50_000_000;

const SEVERITY: &str = "mcplock 0.1.1, \"Severity\"";
const HASH_MODEL: &str = "mcplock 0.1.1, \"Hash model\"";

const fn rule(
    id: &'static str,
    category: &'static str,
    severity: Severity,
    summary: &'static str,
    explanation: &'static str,
    help: &'static str,
) -> Rule {
    Rule {
        id,
        family: Family::Drift,
        category,
        severity,
        summary,
        since: "0.1.0",
        specification: SEVERITY,
        explanation,
        help,
    }
}

/// A rule on what the specification leaves out.
const fn beyond(
    id: &'static str,
    category: &'static str,
    severity: Severity,
    summary: &'static str,
    explanation: &'static str,
    help: &'static str,
) -> Rule {
    Rule { specification: HASH_MODEL, ..rule(id, category, severity, summary, explanation, help) }
}

const READ_IT: &str = "read what it says now; if you trust it, pin it again";

/// What a rule is asked about: a field that moved, or a tool that moved as a whole.
pub(super) struct Facts<'a> {
    pub(super) tool: Option<&'a ToolDrift<'a>>,
    pub(super) field: Option<&'a Field>,
    /// Whether the user gave the way to reach the server, rather than a config.
    pub(super) endpoint_is_given: bool,
    pub(super) profile: Profile,
    /// What looking into schemas may still take.
    effort: &'a Effort,
    calls: OnceCell<Option<Calls>>,
}

impl Facts<'_> {
    /// What a changed input schema means for calls; nothing if it means nothing, or cannot be read.
    fn calls(&self) -> Option<&Calls> {
        let read = |field: &Field| {
            let is_read = field.subject == Subject::InputSchema && !field.is_neutral && !field.is_opaque;
            is_read.then(|| Calls::of(&field.before, &field.after, self.effort))
        };
        self.calls.get_or_init(|| self.field.and_then(read)).as_ref()
    }

    /// A finding that the tool lets through calls that it refused, by these ways; the first gives the example.
    fn lets_through(&self, how: &str, ways: &[&Widening]) -> Option<Found> {
        let first = ways.first()?;
        let mut message = format!("{} {how}: {}", self.whose(), listed(&places(ways)));
        if let Some(witness) = &first.witness {
            message.push_str(&format!("; it accepts {}", quoted(witness.as_str())));
        }
        let mut found = self.field_found(message)?;
        found.pointer = self.inside(&first.pointer);
        Some(found.with_ways(ways))
    }

    /// A place in the field, as one of the surface.
    fn inside(&self, pointer: &str) -> String {
        let outer = self.field.map_or("", |field| field.pointer.as_str());
        let whole = format!("{outer}{pointer}");
        if whole.len() > MAX_POINTER_BYTES { outer.to_owned() } else { whole }
    }

    /// `tool NAME`, or `the server`.
    fn whose(&self) -> String {
        self.tool.map_or_else(|| "the server".to_owned(), |tool| format!("tool {}", quoted(tool.name)))
    }

    /// The two sides of the field, if both are objects.
    fn objects(&self) -> Option<(&Object, &Object)> {
        let field = self.field?;
        field.before.as_object().zip(field.after.as_object())
    }

    /// A finding about the field.
    fn field_found(&self, message: String) -> Option<Found> {
        let field = self.field?;
        Some(Found::at(field.pointer.clone(), message))
    }

    /// A finding that the field moved: of what it is (`the title of …`), whether it came, went or changed.
    fn edited(&self, what: &str) -> Option<Found> {
        let field = self.field?;
        let whole = field.changes.iter().find(|change| change.pointer == field.pointer);
        let verb = match whole.map(|change| (&change.before, &change.after)) {
            Some((None, _)) => "is new",
            Some((_, None)) => "is gone",
            _ => "changed",
        };
        self.field_found(format!("{what} of {} {verb}", self.whose()))
    }
}

/// What a rule found.
pub(super) struct Found {
    pointer: String,
    message: String,
    evidence: Map<String, Json>,
    /// In place of the rule's.
    severity: Option<Severity>,
    /// In place of the tool's name now.
    tool: Option<String>,
}

impl Found {
    fn at(pointer: String, message: String) -> Self {
        Self { pointer, message, evidence: Map::new(), severity: None, tool: None }
    }

    fn with(mut self, key: &str, evidence: impl Into<Json>) -> Self {
        self.evidence.insert(key.to_owned(), evidence.into());
        self
    }
}

impl Found {
    /// With how calls are let through, or held back: the first example apart.
    fn with_ways(mut self, ways: &[&Widening]) -> Self {
        const MOST: usize = 16;
        if let Some(call) = ways.iter().find_map(|way| way.call.as_ref()) {
            self = self.with("witness", call);
        }
        let way = |way: &&Widening| {
            let mut told = Map::new();
            told.insert("pointer".to_owned(), way.pointer.as_str().into());
            told.insert("keyword".to_owned(), way.keyword.as_str().into());
            if let Some(call) = &way.call {
                told.insert("witness".to_owned(), call.into());
            }
            Json::Object(told)
        };
        let told: Vec<Json> = ways.iter().take(MOST).map(way).collect();
        if ways.len() > MOST {
            self = self.with("more", ways.len() - MOST);
        }
        self.with("ways", told)
    }

    fn rated(mut self, severity: Severity) -> Self {
        self.severity = Some(severity);
        self
    }
}

/// Where keywords stand, each once.
fn places<'w>(ways: &[&'w Widening]) -> Vec<&'w str> {
    let mut places: Vec<&str> = ways.iter().map(|way| way.pointer.as_str()).collect();
    places.dedup();
    places
}

/// A finding about a whole tool.
fn tool_found(name: &str, message: String) -> Found {
    Found { tool: Some(name.to_owned()), ..Found::at(bounded(&["tools", name]), message) }
}

/// Names in a sentence: quoted, and the first few of many.
fn listed(names: &[&str]) -> String {
    const MOST: usize = 5;
    let mut shown: Vec<String> = names.iter().take(MOST).map(|name| quoted(name)).collect();
    if names.len() > MOST {
        shown.push(format!("{} more", names.len() - MOST));
    }
    match shown.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} and {last}", rest.join(", ")),
        _ => shown.concat(),
    }
}

/// The names among the members of an array.
fn names(list: Option<&Value>) -> Vec<&str> {
    list.and_then(Value::as_array).unwrap_or_default().iter().filter_map(Value::as_str).collect()
}

/// The changes and findings of a comparison, in order.
pub(super) fn judge(comparison: &Comparison<'_>, profile: Profile) -> (Vec<Change>, Vec<Finding>) {
    let effort = Effort::new(MAX_EFFORT);
    let mut judged = Judged { profile, changes: Vec::new(), findings: Vec::new() };
    for field in &comparison.server {
        judged.field(field, &facts(comparison, profile, &effort, None, Some(field)));
    }
    for tool in &comparison.tools {
        let facts = |field| facts(comparison, profile, &effort, Some(tool), field);
        if let Some(change) = tool.change() {
            judged.changes.push(change);
            judged.run(Subject::Tool, &facts(None));
        }
        for field in &tool.fields {
            judged.field(field, &facts(Some(field)));
        }
    }
    let Judged { changes, mut findings, .. } = judged;
    // Stable: what is equal stays in the order of fields and rules.
    sort_by(&mut findings, |a, b| {
        b.severity.cmp(&a.severity).then_with(|| by_tool(a.tool.as_deref(), b.tool.as_deref()))
    });
    (changes, findings)
}

fn facts<'a>(
    comparison: &'a Comparison<'a>,
    profile: Profile,
    effort: &'a Effort,
    tool: Option<&'a ToolDrift<'a>>,
    field: Option<&'a Field>,
) -> Facts<'a> {
    Facts { tool, field, endpoint_is_given: comparison.endpoint_is_given, profile, effort, calls: OnceCell::new() }
}

fn by_tool(a: Option<&str>, b: Option<&str>) -> Ordering {
    match (a, b) {
        (Some(a), Some(b)) => compare_utf16(a, b),
        (a, b) => a.is_some().cmp(&b.is_some()),
    }
}

struct Judged {
    profile: Profile,
    changes: Vec<Change>,
    findings: Vec<Finding>,
}

impl Judged {
    fn field(&mut self, field: &Field, facts: &Facts<'_>) {
        if self.profile.looks_at(field) {
            self.changes.extend(field.changes.iter().cloned());
            self.run(field.subject, facts);
        }
    }

    fn run(&mut self, subject: Subject, facts: &Facts<'_>) {
        let before = self.findings.len();
        for rule in
            RULES.iter().filter(|rule| rule.profiles.contains(&self.profile) && rule.subjects.contains(&subject))
        {
            if rule.is_fallback && self.findings.len() > before {
                continue;
            }
            if let Some(found) = (rule.check)(facts) {
                self.findings.push(Finding {
                    rule: rule.rule.id,
                    severity: found.severity.unwrap_or(rule.rule.severity),
                    server: None,
                    tool: found.tool.or_else(|| facts.tool.map(|tool| tool.name.to_owned())),
                    pointer: found.pointer,
                    message: found.message,
                    help: Some(rule.rule.help),
                    evidence: found.evidence,
                });
            }
        }
    }
}

impl Profile {
    fn looks_at(self, field: &Field) -> bool {
        match (self, field.subject) {
            (Self::Default, _) | (Self::Mcplock, Subject::Annotations | Subject::InputSchema) => true,
            (Self::Mcplock, Subject::Description) => description_edit::differs_when_folded(field),
            (Self::Mcplock, _) => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_subject_has_a_fallback_in_its_profiles() {
        for subject in [
            Subject::Annotations,
            Subject::InputSchema,
            Subject::Description,
            Subject::Title,
            Subject::OutputSchema,
            Subject::Meta,
            Subject::Other,
            Subject::ServerInfo,
            Subject::Instructions,
            Subject::Source,
            Subject::Endpoint,
        ] {
            let fallback = RULES.iter().position(|rule| rule.is_fallback && rule.subjects.contains(&subject));
            let last = RULES.iter().rposition(|rule| rule.subjects.contains(&subject));
            assert_eq!(fallback, last, "{subject:?}");
            assert!(fallback.is_some(), "{subject:?}");
        }
    }
}
