//! Pages that are written from the core's own tables, so that they cannot fall behind.
//!
//! To add one: a function that returns its text, and a line in `PAGES`.

use gatewright::{Code, explain, rules};

use crate::{Mode, Result, schemas, settle};

/// Path below the root, and the text that belongs there.
type Page = (&'static str, fn() -> Result<String>);

const PAGES: &[Page] = &[
    ("docs/errors.md", errors),
    ("docs/rules.md", all_rules),
    ("docs/schemas/drift-report.schema.json", schemas::drift_report),
    ("npm/src/names.ts", typescript_names),
    ("python/python/gatewright/_names.pyi", python_names),
];

/// The closed sets that a caller may branch on: the type's name, what it is, and its members.
fn names() -> [(&'static str, &'static str, Vec<&'static str>); 2] {
    [
        ("ErrorCode", "The code of an error.", Code::ALL.iter().map(|code| code.as_str()).collect()),
        ("RuleId", "The id of a rule, which findings carry.", rules().map(|rule| rule.id).collect()),
    ]
}

#[allow(clippy::unnecessary_wraps, reason = "a page is a function that may fail")]
fn typescript_names() -> Result<String> {
    let mut page = "// Written by `./x gen` from the core's own tables.\n".to_owned();
    for (name, summary, members) in names() {
        page += &format!("\n/** {summary} */\nexport type {name} =");
        for member in members {
            page += &format!("\n  | \"{member}\"");
        }
        page += ";\n";
    }
    Ok(page)
}

#[allow(clippy::unnecessary_wraps, reason = "a page is a function that may fail")]
fn python_names() -> Result<String> {
    let mut page =
        "# Written by `./x gen` from the core's own tables.\n\nfrom typing import Literal, TypeAlias\n".to_owned();
    for (name, summary, members) in names() {
        page += &format!("\n{name}: TypeAlias = Literal[\n");
        for member in members {
            page += &format!("    \"{member}\",\n");
        }
        page += &format!("]\n\"\"\"{summary}\"\"\"\n");
    }
    Ok(page)
}

pub(crate) fn run(mode: Mode) -> Result {
    for (name, page) in PAGES {
        settle(mode, name, &page()?)?;
    }
    Ok(())
}

#[allow(clippy::unnecessary_wraps, reason = "a page is a function that may fail")]
fn errors() -> Result<String> {
    let mut page = "# Error codes\n\n\
        An error is misuse or unreadable input; what a check finds is data. The codes are the same in every language \
        and do not change; messages may.\n\n\
        | code | given when |\n\
        | --- | --- |\n"
        .to_owned();
    for code in Code::ALL {
        page += &row(&[&format!("`{}`", code.as_str()), code.summary()]);
    }
    Ok(page)
}

fn all_rules() -> Result<String> {
    let mut page = "# Rules\n\n\
        A finding carries the id of the rule behind it. `gatewright explain RULE` prints its section.\n\n\
        | rule | severity | finds |\n\
        | --- | --- | --- |\n"
        .to_owned();
    for rule in rules() {
        page += &row(&[&format!("[`{0}`](#{0})", rule.id), rule.severity.as_str(), rule.summary]);
    }
    for rule in rules() {
        let text = explain(rule.id).map_err(|why| why.to_string())?;
        // Its first line names the rule, as the heading does.
        let (_, text) = text.split_once('\n').unwrap_or_default();
        page += &format!("\n## {}\n\n{text}", rule.id);
    }
    Ok(page)
}

/// A row of a Markdown table.
fn row(cells: &[&str]) -> String {
    format!("| {} |\n", cells.join(" | "))
}
