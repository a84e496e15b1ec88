//! The JSON Schemas of what the command writes.

use gatewright::{Profile, Severity, rules};
use serde_json::{Value, json};

use crate::Result;

/// The report of `gatewright check --json`.
pub(crate) fn drift_report() -> Result<String> {
    let optional_severity = json!({"anyOf": [{"$ref": "#/$defs/severity"}, {"type": "null"}]});
    let report = object(
        "The report of `gatewright check --json`. Members may be added while `version` stays: readers pass over those that they do not know.",
        &[
            "report",
            "version",
            "gatewright",
            "server",
            "baseline",
            "profile",
            "failOn",
            "fails",
            "severity",
            "counts",
            "changes",
            "findings",
            "accepted",
            "acceptances",
            "notChecked",
        ],
        &json!({
            "report": {"const": "drift"},
            "version": {"const": 1},
            "gatewright": text("The version of gatewright."),
            "server": text("The name under which the server is pinned."),
            "baseline": text("The file of the snapshot that the server was compared with, or what it is."),
            "pinnedAt": text("When the snapshot was written: ISO 8601."),
            "profile": {"enum": Profile::ALL.map(Profile::as_str), "description": "Whose rules judged."},
            "failOn": {"$ref": "#/$defs/severity", "description": "What the check fails at."},
            "fails": {"type": "boolean", "description": "Whether a finding is at least as bad as `failOn`."},
            "severity": optional_severity,
            "counts": {"$ref": "#/$defs/counts"},
            "changes": list("change", "What moved: first the server's, then tool by tool."),
            "findings": list("finding", "How bad it is, the worst first, without those that were accepted."),
            "accepted": list("finding", "Findings that `gatewright.toml` accepts: they count for nothing."),
            "acceptances": list("acceptance", "The acceptances for this server, and whether they did anything."),
            "notChecked": {"type": "array", "items": {"type": "string"}, "description": "What was not compared, in words."},
        }),
    );
    let mut schema = report;
    if let Some(members) = schema.as_object_mut() {
        members.insert("$schema".to_owned(), json!("https://json-schema.org/draft/2020-12/schema"));
        members.insert("title".to_owned(), json!("gatewright drift report, version 1"));
        members.insert("$defs".to_owned(), definitions());
    }
    let mut page = serde_json::to_string_pretty(&schema).map_err(|why| why.to_string())?;
    page.push('\n');
    Ok(page)
}

/// The parts of a report.
fn definitions() -> Value {
    let count = json!({"type": "integer", "minimum": 0});
    let bands = Severity::ALL.iter().map(|band| (band.as_str().to_owned(), count.clone())).collect();
    let counts = object(
        "How many findings there are of each severity.",
        &["critical", "high", "medium", "informational"],
        &Value::Object(bands),
    );
    let change = object(
        "One thing that moved.",
        &["kind", "pointer"],
        &json!({
            "kind": {"enum": ["added", "removed", "renamed", "changed"]},
            "tool": text("The tool, by its name now; absent for what belongs to the server."),
            "pointer": text("A JSON Pointer into a surface whose tools are members of `tools`, by their names."),
            "before": {"description": "What was there; absent if there was nothing."},
            "after": {"description": "What is there now; absent if there is nothing."},
            "words": list("edit", "The difference of two texts, word by word."),
        }),
    );
    let edit = object(
        "A piece of one text or both.",
        &["kind", "text"],
        &json!({"kind": {"enum": ["same", "removed", "added"]}, "text": {"type": "string"}}),
    );
    let finding = object(
        "One thing that was found.",
        &["rule", "severity", "pointer", "message"],
        &json!({
            "rule": {"$ref": "#/$defs/rule"},
            "severity": {"$ref": "#/$defs/severity"},
            "server": text("The server in question."),
            "tool": text("The tool in question."),
            "pointer": text("Where it is: as in a change."),
            "message": text("What was found: one line, escaped."),
            "help": text("What to do about it."),
            "evidence": {"type": "object", "description": "What a reader needs to judge for themselves; its members depend on the rule."},
        }),
    );
    let acceptance = object(
        "A finding that someone accepted in `gatewright.toml`.",
        &["server", "rule", "reason", "expires", "state"],
        &json!({
            "server": {"type": "string"},
            "tool": {"type": "string"},
            "rule": {"type": "string"},
            "reason": {"type": "string"},
            "expires": {"type": "string", "format": "date", "description": "The last day on which it holds, in UTC."},
            "state": {"enum": ["used", "unused", "expired"]},
        }),
    );
    let ids: Vec<&str> =
        rules().filter(|rule| rule.family == gatewright::rules::Family::Drift).map(|rule| rule.id).collect();
    let severity = json!({"enum": Severity::ALL.map(Severity::as_str)});
    json!({
        "severity": severity, "rule": {"enum": ids}, "counts": counts, "change": change, "edit": edit,
        "finding": finding, "acceptance": acceptance,
    })
}

/// A text, and what it is.
fn text(description: &str) -> Value {
    json!({"type": "string", "description": description})
}

/// A list of such items, and what it is.
fn list(items: &str, description: &str) -> Value {
    json!({"type": "array", "items": {"$ref": format!("#/$defs/{items}")}, "description": description})
}

/// An object with these members. Others may come: it is not closed.
fn object(description: &str, required: &[&str], properties: &Value) -> Value {
    json!({
        "type": "object",
        "description": description,
        "required": required,
        "properties": properties,
    })
}
