//! Findings as plain text for a terminal. Every text of a server's is escaped.

use std::collections::{BTreeMap, BTreeSet};

use crate::drift::{Change, ChangeKind, Edit, EditKind};
use crate::finding::{Finding, Severity};
use crate::text::escape::line;

/// How much is shown: of a text, in characters; of a field that moved in many places; around a change.
const MAX_SHOWN: usize = 1000;
const MAX_PLACES: usize = 8;
const MAX_CONTEXT: usize = 40;
const MAX_WITNESS: usize = 300;

const MARGIN: &str = "              ";

/// A server and a tool, where either is told.
type Whose<'a> = (Option<&'a str>, Option<&'a str>);

/// A paragraph for each finding, with what moved.
pub(crate) fn drift(findings: &[Finding], changes: &[Change]) -> String {
    of_servers(findings, changes.iter().map(|change| (None, change)))
}

/// The same of several servers, which changes name.
pub(crate) fn of_servers<'c>(
    findings: &[Finding],
    changes: impl Iterator<Item = (Option<&'c str>, &'c Change)>,
) -> String {
    let mut by_tool: BTreeMap<Whose<'_>, Vec<(usize, &Change)>> = BTreeMap::new();
    for (place, (server, change)) in changes.enumerate() {
        by_tool.entry((server, change.tool.as_deref())).or_default().push((place, change));
    }
    let mut is_shown = BTreeSet::new();
    let mut out = String::new();
    for finding in findings {
        out.push_str(&format!("{:<14}{}\n", finding.severity.as_str(), line(&finding.message)));
        out.push_str(&format!("{MARGIN}{} at {}\n", finding.rule, line(&finding.pointer)));
        // Where there is one server, changes do not name it.
        let tool = finding.tool.as_deref();
        let own = by_tool.get(&(finding.server.as_deref(), tool)).or_else(|| by_tool.get(&(None, tool)));
        let own = own.map(Vec::as_slice).unwrap_or_default();
        // What two findings speak of is shown once, with the worse.
        let own = own.iter().filter(|(_, change)| is_about(&finding.pointer, &change.pointer));
        let own: Vec<&Change> = own.filter(|(place, _)| is_shown.insert(*place)).map(|(_, change)| *change).collect();
        for change in own.iter().take(MAX_PLACES) {
            push_change(&finding.pointer, change, &mut out);
        }
        if own.len() > MAX_PLACES {
            out.push_str(&format!(
                "{MARGIN}and {} more places; the JSON report has them all\n",
                own.len() - MAX_PLACES
            ));
        }
        if let Some(witness) = finding.evidence.get("witness") {
            let text: String = line(&witness.to_string()).chars().take(MAX_WITNESS).collect();
            out.push_str(&format!("{MARGIN}{:<8}{text}\n", "call"));
        }
        for (label, key) in [("locked", "before"), ("now", "after")] {
            if let Some(text) = finding.evidence.get(key).and_then(|value| value.as_str()) {
                out.push_str(&format!("{MARGIN}{label:<8}{}\n", line(text)));
            }
        }
        if let Some(help) = finding.help {
            out.push_str(&format!("{MARGIN}{help}\n"));
        }
        out.push('\n');
    }
    out
}

/// Whether one of two pointers leads to the other.
fn is_about(finding: &str, change: &str) -> bool {
    let leads =
        |from: &str, to: &str| to.strip_prefix(from).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'));
    leads(finding, change) || leads(change, finding)
}

fn push_change(pointer: &str, change: &Change, out: &mut String) {
    // That a tool is new or gone is said by the finding.
    let (before, after) = match change.kind {
        ChangeKind::Renamed | ChangeKind::Removed => return,
        ChangeKind::Added => (None, change.after.as_ref()),
        ChangeKind::Changed => (change.before.as_ref(), change.after.as_ref()),
    };
    if change.pointer != pointer {
        out.push_str(&format!("{MARGIN}at {}:\n", line(&change.pointer)));
    }
    if !change.words.is_empty() {
        push_words(&change.words, out);
        return;
    }
    for (sign, json) in [('-', before), ('+', after)] {
        if let Some(json) = json {
            out.push_str(&format!("{MARGIN}{sign} {}\n", cut(json.as_str())));
        }
    }
}

/// Each change of a text on lines of its own, after the words that it follows.
fn push_words(words: &[Edit], out: &mut String) {
    // A change is what went and what came between two pieces that stayed.
    let places: Vec<&[Edit]> = words.split_inclusive(|edit| edit.kind == EditKind::Same).collect();
    let mut context = "";
    let mut count = 0;
    for place in places {
        let changed = place.iter().filter(|edit| edit.kind != EditKind::Same);
        count += usize::from(changed.clone().next().is_some());
        if count <= MAX_PLACES {
            for (index, edit) in changed.enumerate() {
                if index == 0 && !context.trim().is_empty() {
                    out.push_str(&format!("{MARGIN}  {}\n", context_of(context)));
                }
                let sign = if edit.kind == EditKind::Removed { '-' } else { '+' };
                let text = cut(&edit.text);
                // White space alone would not be seen.
                let text = if edit.text.trim().is_empty() { format!("\"{text}\"") } else { text };
                out.push_str(format!("{MARGIN}{sign} {text}").trim_end());
                out.push('\n');
            }
        }
        context = place.last().filter(|edit| edit.kind == EditKind::Same).map_or("", |edit| &edit.text);
    }
    if count > MAX_PLACES {
        out.push_str(&format!("{MARGIN}and {} more places; the JSON report has them all\n", count - MAX_PLACES));
    }
}

/// The end of the words before a change.
fn context_of(text: &str) -> String {
    let count = text.chars().count();
    let end: String = text.chars().skip(count.saturating_sub(MAX_CONTEXT)).collect();
    let start = if count > MAX_CONTEXT { "…" } else { "" };
    format!("{start}{}", line(end.trim_end()))
}

fn cut(text: &str) -> String {
    let count = text.chars().count();
    let start: String = text.chars().take(MAX_SHOWN).collect();
    if count <= MAX_SHOWN {
        return line(&start);
    }
    format!("{}… ({} more characters; the JSON report has them all)", line(&start), count - MAX_SHOWN)
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
