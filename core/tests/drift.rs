//! What holds for every pair of surfaces: properties of drift and of snapshots, on random surfaces that share
//! tools, names and words.
//!
//! `GATEWRIGHT_SOAK=1` runs many more cases.

#![allow(clippy::disallowed_methods, reason = "a test reads the environment")]
#![allow(clippy::expect_used, clippy::indexing_slicing, clippy::panic, reason = "a test fails by panicking")]

use std::collections::{BTreeMap, BTreeSet};

use gatewright::wire;
use proptest::prelude::*;
use serde_json::{Map, Value, json};

fn config() -> ProptestConfig {
    let cases = if std::env::var_os("GATEWRIGHT_SOAK").is_some() { 100_000 } else { 256 };
    ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() }
}

fn words() -> impl Strategy<Value = String> {
    let word = prop_oneof![
        Just("read"),
        Just("all"),
        Just("de\u{200b}lete"),
        Just("send"),
        Just("files"),
        Just("\n\n"),
        Just("  "),
        Just("a"),
        Just("Admin"),
        Just("文件"),
        Just("~/x"),
        Just("\u{1b}[2J"),
        Just("."),
        Just("\n\n\n\n\n\n\n\n"),
    ];
    proptest::collection::vec(word, 0..12).prop_map(|words| words.join(" "))
}

fn names() -> impl Strategy<Value = String> {
    prop_oneof![
        Just("a"),
        Just("b"),
        Just("a/b"),
        Just("a~b"),
        Just("__proto__"),
        Just("delete_all"),
        Just("\u{10000}"),
        Just("\u{ffff}")
    ]
    .prop_map(str::to_owned)
}

/// A few values of each kind that schemas have, so that two surfaces often have the same.
fn schemas() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(json!({"type": "string"})),
        Just(json!({"type": ["string", "null"]})),
        Just(json!({"type": ["null", "string"]})),
        Just(json!({"enum": ["x", "y"]})),
        Just(json!({"enum": ["y", "x"]})),
        Just(json!(true)),
        Just(json!(null)),
        Just(json!({"$ref": "#/$defs/a"})),
        Just(json!({"maximum": 100.0})),
        Just(json!({"maximum": 100})),
        words().prop_map(|text| json!({"description": text})),
    ];
    leaf.prop_recursive(3, 16, 3, |inner| {
        let properties = proptest::collection::btree_map(names(), inner.clone(), 0..4);
        let required = proptest::collection::vec(names(), 0..3);
        prop_oneof![
            (properties, required).prop_map(|(properties, required)| {
                json!({"type": "object", "properties": properties, "required": required, "$defs": {"a": {"type": "number"}, "b": {}}})
            }),
            proptest::collection::vec(inner.clone(), 0..3).prop_map(|items| json!({"anyOf": items})),
            inner.prop_map(|items| json!({"items": items})),
        ]
    })
}

fn tools() -> impl Strategy<Value = Value> {
    let hints = proptest::option::of(prop_oneof![
        Just(json!({})),
        Just(json!({"readOnlyHint": true})),
        Just(json!({"readOnlyHint": false, "title": "t"})),
        Just(json!("odd")),
    ]);
    let extras = proptest::collection::btree_map(
        prop_oneof![Just("title"), Just("_meta"), Just("outputSchema"), Just("x"), Just("y")],
        schemas(),
        0..3,
    );
    (proptest::option::of(words()), proptest::option::of(schemas()), hints, extras).prop_map(
        |(description, schema, hints, extras)| {
            let mut tool = Map::new();
            for (key, value) in extras {
                tool.insert(key.to_owned(), value);
            }
            for (key, value) in
                [("description", description.map(Value::from)), ("inputSchema", schema), ("annotations", hints)]
            {
                if let Some(value) = value.filter(|value| !value.is_null()) {
                    tool.insert(key.to_owned(), value);
                }
            }
            tool.into()
        },
    )
}

/// A surface, by the names of its tools.
#[derive(Debug, Clone)]
struct Keyed {
    tools: BTreeMap<String, Value>,
    instructions: Option<String>,
}

fn surfaces() -> impl Strategy<Value = Keyed> {
    (proptest::collection::btree_map(names(), tools(), 0..6), proptest::option::of(words()))
        .prop_map(|(tools, instructions)| Keyed { tools, instructions })
}

impl Keyed {
    fn text(&self, is_reversed: bool) -> String {
        let mut tools: Vec<Value> = self.tools.iter().map(|(name, tool)| with_name(name, tool)).collect();
        if is_reversed {
            tools.reverse();
        }
        let mut surface = json!({ "tools": tools });
        if let Some(instructions) = &self.instructions {
            surface["instructions"] = json!(instructions);
        }
        surface.to_string()
    }

    /// The document that pointers of changes lead into.
    fn document(&self) -> Value {
        let tools: Map<String, Value> =
            self.tools.iter().map(|(name, tool)| (name.clone(), with_name(name, tool))).collect();
        let mut document = json!({ "tools": tools });
        if let Some(instructions) = &self.instructions {
            document["instructions"] = json!(instructions);
        }
        document
    }
}

fn with_name(name: &str, tool: &Value) -> Value {
    let mut tool = tool.clone();
    tool["name"] = json!(name);
    tool
}

fn call(operation: &str, inputs: &[&str]) -> Value {
    let inputs: Vec<&[u8]> = inputs.iter().map(|input| input.as_bytes()).collect();
    let answer = wire::call(operation, &inputs).expect("an answer");
    serde_json::from_str(&answer).expect("JSON")
}

fn classify(before: &Keyed, after: &Keyed, profile: &str) -> Value {
    call("classifyDrift", &[&before.text(false), &after.text(false), &json!({ "profile": profile }).to_string()])
}

/// Does to a document what a change says.
fn replay(document: &mut Value, change: &Value) {
    let pointer = change["pointer"].as_str().expect("a pointer");
    if change["kind"] == "renamed" {
        let tools = document["tools"].as_object_mut().expect("tools");
        let mut tool = tools.remove(change["before"].as_str().expect("a name")).expect("the tool");
        let name = change["after"].as_str().expect("a name");
        tool["name"] = json!(name);
        tools.insert(name.to_owned(), tool);
        return;
    }
    let (parent, key) = pointer.rsplit_once('/').expect("a pointer");
    let key = key.replace("~1", "/").replace("~0", "~");
    let parent = document.pointer_mut(parent).expect("the parent of a change");
    match (parent, change.get("after")) {
        (Value::Object(members), Some(after)) => drop(members.insert(key, after.clone())),
        (Value::Object(members), None) => drop(members.remove(&key)),
        (Value::Array(items), Some(after)) => items[key.parse::<usize>().expect("an index")] = after.clone(),
        _ => panic!("a change leads nowhere: {change}"),
    }
}

/// Numbers as canonical JSON has them.
fn canonical(value: &Value) -> String {
    gatewright::canonicalize(value.to_string().as_bytes()).expect("a canonical form")
}

#[test]
fn what_is_too_large_to_be_read_is_no_harmless_change() {
    let before = r#"[{"name":"t","inputSchema":{"required":["path"]}}]"#;
    let zeros = ",0".repeat(4_000_001);
    let after =
        format!(r#"[{{"name":"t","inputSchema":{{"properties":{{"delete_all":{{}}}},"examples":[0{zeros}]}}}}]"#);
    for profile in [r#"{"profile":"mcplock"}"#, "{}"] {
        let drift = call("classifyDrift", &[before, &after, profile]);
        assert_eq!((&drift["severity"], &drift["findings"][0]["rule"]), (&json!("high"), &json!("opaque-field")));
    }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn a_surface_does_not_differ_from_itself(surface in surfaces()) {
        for profile in ["default", "mcplock"] {
            let drift = classify(&surface, &surface, profile);
            prop_assert_eq!(&drift["severity"], &Value::Null);
            prop_assert_eq!(&drift["changes"], &json!([]));
        }
    }

    #[test]
    fn the_order_of_tools_means_nothing(before in surfaces(), after in surfaces()) {
        let expected = classify(&before, &after, "default");
        let turned = call("classifyDrift", &[&before.text(true), &after.text(true), "{}"]);
        prop_assert_eq!(expected, turned);
    }

    #[test]
    fn changes_lead_from_one_surface_to_the_other(before in surfaces(), after in surfaces()) {
        let drift = classify(&before, &after, "default");
        let mut document = before.document();
        let changes = drift["changes"].as_array().expect("changes");
        // A tool takes its new name before what is in it changes; what is gone makes room first.
        for kind in ["removed", "renamed", "added", "changed"] {
            for change in changes.iter().filter(|change| change["kind"] == kind) {
                replay(&mut document, change);
            }
        }
        prop_assert_eq!(canonical(&document), canonical(&after.document()));
    }

    #[test]
    fn every_change_is_judged(before in surfaces(), after in surfaces()) {
        for profile in ["default", "mcplock"] {
            let drift = classify(&before, &after, profile);
            let findings = drift["findings"].as_array().expect("findings");
            let judged: BTreeSet<&str> = findings.iter().filter_map(|finding| finding["tool"].as_str()).collect();
            for change in drift["changes"].as_array().expect("changes") {
                prop_assert!(change["tool"].as_str().is_none_or(|tool| judged.contains(tool)), "{}", change);
            }
            let worst = findings.first().map_or(&Value::Null, |finding| &finding["severity"]);
            prop_assert_eq!(&drift["severity"], worst);
            for (band, count) in drift["counts"].as_object().expect("counts") {
                let there = findings.iter().filter(|finding| finding["severity"] == band.as_str()).count();
                prop_assert_eq!(count.as_u64(), Some(there as u64));
            }
            for finding in findings {
                let message = finding["message"].as_str().expect("a message");
                prop_assert!(!message.contains(['\u{1b}', '\n', '\u{200b}']), "{}", message);
            }
        }
    }

    #[test]
    fn words_put_together_are_both_texts(before in words(), after in words()) {
        let surface = |text: &str| json!([{"name": "a", "description": text}]).to_string();
        let drift = call("classifyDrift", &[&surface(&before), &surface(&after), "{}"]);
        for change in drift["changes"].as_array().into_iter().flatten().filter(|change| change.get("words").is_some()) {
            let side = |other: &str| -> String {
                let words = change["words"].as_array().into_iter().flatten();
                words.filter(|edit| edit["kind"] != other).filter_map(|edit| edit["text"].as_str()).collect()
            };
            prop_assert_eq!(side("added"), before.as_str());
            prop_assert_eq!(side("removed"), after.as_str());
        }
    }

    #[test]
    fn a_snapshot_sees_what_a_comparison_sees(pinned in surfaces(), live in surfaces()) {
        let server = json!({ "name": "s", "surface": pinned.text(false) }).to_string();
        let options = r#"{"now":"2026-11-30T12:00:00Z"}"#;
        let inputs: Vec<&[u8]> = [server.as_str(), options, ""].iter().map(|input| input.as_bytes()).collect();
        let snapshot = wire::call("buildSnapshot", &inputs).expect("a snapshot");
        let clean = call("checkSnapshot", &[&snapshot, &pinned.text(true), "{}"]);
        prop_assert_eq!(&clean["severity"], &Value::Null);
        let checked = call("checkSnapshot", &[&snapshot, &live.text(false), "{}"]);
        let compared = classify(&pinned, &live, "default");
        prop_assert_eq!(&checked["changes"], &compared["changes"]);
        prop_assert_eq!(&checked["severity"], &compared["severity"]);
        let fails = matches!(compared["severity"].as_str(), Some("critical" | "high"));
        prop_assert_eq!(&checked["fails"], &json!(fails));
    }
}
