//! Runs every vector of `tests/vectors/` through `wire::call`, as the runner of each host does.
//!
//! `GATEWRIGHT_EXTRA_VECTORS` may name a second folder of the same form. A folder is only trusted as far as its manifest
//! agrees with it, so that a runner which loads nothing fails.

#![allow(clippy::disallowed_methods, reason = "a test reads files and the environment")]
#![allow(clippy::print_stdout, reason = "a test says how much it ran")]
#![allow(clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

mod support;

use std::collections::BTreeSet;

use gatewright::Code;
use gatewright::wire::{self, Answer};
use serde_json::{Value, json};
use support::{Folder, Test};

const HOST: &str = "rust";

/// Codes that no input of the wire can bring about.
const WITHOUT_VECTOR: &[(Code, &str)] = &[
    (Code::NotJson, "a host gives it when its own serialiser fails, before the core is called"),
    (Code::InternalError, "a defect: there is no input that is known to bring it about"),
];

#[test]
fn every_vector_gives_its_answer() {
    let mut passed = 0;
    let mut failures = Vec::new();
    let mut ids = BTreeSet::new();
    for folder in support::folders() {
        let skips = folder.skips(HOST);
        let mut unused: BTreeSet<&str> = skips.iter().map(String::as_str).collect();
        for test in folder.tests() {
            assert!(ids.insert(test.id.clone()), "two vectors have the id `{}`", test.id);
            if let Some(skip) = skips.iter().find(|skip| support::covers(skip, &test.id)) {
                unused.remove(skip.as_str());
                continue;
            }
            match check(&test) {
                Ok(()) => passed += 1,
                Err(why) => failures.push(format!("{} ({})\n    {why}", test.id, test.comment)),
            }
        }
        assert!(unused.is_empty(), "skips that skip nothing: {unused:?}");
    }
    println!("{passed} passed, {} failed", failures.len());
    assert!(failures.is_empty(), "{} of {} vectors failed\n{}", failures.len(), ids.len(), failures.join("\n"));
}

/// Runs one test and says what is wrong with the answer.
fn check(test: &Test) -> Result<(), String> {
    let inputs: Vec<&[u8]> = test.inputs.iter().map(Vec::as_slice).collect();
    let answer = wire::call(&test.operation, &inputs);
    match (&test.expect, answer) {
        (Value::Object(wanted), Ok(given)) => {
            let is_json = wire::operation(&test.operation).is_some_and(|operation| operation.answer == Answer::Json);
            let same = match wanted.iter().next().map(|(key, value)| (key.as_str(), value)) {
                Some(("text", Value::String(expected))) => !is_json && given == *expected,
                Some(("textHex", Value::String(expected))) => {
                    !is_json && given.as_bytes() == support::from_hex(expected)
                }
                Some(("json", expected)) => is_json && serde_json::from_str(&given).ok().as_ref() == Some(expected),
                _ => false,
            };
            if same { Ok(()) } else { Err(format!("expected {}\n    answered {}", cut(&test.expect), cut(&given))) }
        }
        (expect, Err(error)) => {
            let error = serde_json::to_value(&error).expect("an error has a JSON form");
            let expected = expect.get("error").and_then(Value::as_object);
            let same =
                expected.is_some_and(|expected| expected.iter().all(|(key, value)| error.get(key) == Some(value)));
            if same { Ok(()) } else { Err(format!("expected {}\n    refused  {}", cut(expect), cut(&error))) }
        }
        (expect, Ok(_)) => Err(format!("`expect` is no object: {expect}")),
    }
}

/// A text of a length that can be looked at.
fn cut(text: &impl ToString) -> String {
    let text = text.to_string();
    let end = text.char_indices().nth(2000).map_or(text.len(), |(at, _)| at);
    format!("{}{}", text.get(..end).unwrap_or(&text), if end < text.len() { "…" } else { "" })
}

#[test]
fn every_error_code_has_a_vector() {
    let mut seen = BTreeSet::new();
    for test in Folder::own().tests() {
        if let Some(code) = test.expect.pointer("/error/code").and_then(Value::as_str) {
            seen.insert(code.to_owned());
        }
    }
    for code in Code::ALL {
        let reason = WITHOUT_VECTOR.iter().find(|(without, _)| without == code).map(|(_, reason)| reason);
        match (reason, seen.remove(code.as_str())) {
            (None, false) => panic!("no vector expects the error code `{}`", code.as_str()),
            (Some(reason), true) => panic!("`{}` has a vector, and should have none: {reason}", code.as_str()),
            (None, true) | (Some(_), false) => {}
        }
    }
    assert!(seen.is_empty(), "vectors expect error codes that do not exist: {seen:?}");
}

#[test]
fn every_operation_has_a_vector() {
    let seen: BTreeSet<String> = Folder::own().tests().map(|test| test.operation).collect();
    for operation in wire::OPERATIONS {
        assert!(seen.contains(operation.name), "no vector calls `{}`", operation.name);
    }
}

/// Rules that no vector finds, and why not.
const RULES_WITHOUT_VECTOR: &[(&str, &str)] =
    &[("opaque-field", "its finding comes with 8 MB of what moved; `tests/drift.rs` has a test")];

#[test]
fn every_rule_has_a_vector() {
    let mut seen = BTreeSet::new();
    for test in Folder::own().tests() {
        let findings = test.expect.pointer("/json/findings").and_then(Value::as_array).into_iter().flatten();
        seen.extend(findings.filter_map(|finding| Some(finding.get("rule")?.as_str()?.to_owned())));
    }
    for rule in gatewright::rules() {
        let is_elsewhere = RULES_WITHOUT_VECTOR.iter().any(|(without, _)| *without == rule.id);
        assert_ne!(seen.contains(rule.id), is_elsewhere, "a vector finds `{}`", rule.id);
    }
}

#[test]
fn a_wrong_answer_is_seen() {
    let verdict = |operation: &str, input: &str, expect: Value| {
        let inputs = vec![input.as_bytes().to_vec()];
        check(&Test { id: String::new(), comment: String::new(), operation: operation.to_owned(), inputs, expect })
    };
    for (operation, input, right, wrong) in [
        ("canonicalize", "[1.0]", json!({"text": "[1]"}), json!({"text": "[1.0]"})),
        ("canonicalize", "[1.0]", json!({"textHex": "5b315d"}), json!({"textHex": "5b"})),
        ("canonicalize", "[1.0]", json!({"text": "[1]"}), json!({"error": {"code": "invalid-json"}})),
        ("canonicalize", "[", json!({"error": {"code": "invalid-json", "line": 1}}), json!({"text": "["})),
        ("canonicalize", "[", json!({"error": {"code": "invalid-json"}}), json!({"error": {"code": "too-deep"}})),
        ("canonicalize", "[", json!({"error": {"column": 2}}), json!({"error": {"column": 1}})),
        ("specVersions", "", json!({"json": {"agentgate.lock": "1"}}), json!({"json": {}})),
        ("specVersions", "", json!({"json": {"agentgate.lock": "1"}}), json!({"text": "{}"})),
    ] {
        assert_eq!(verdict(operation, input, right), Ok(()));
        assert!(verdict(operation, input, wrong).is_err());
    }
}
