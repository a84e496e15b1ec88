//! Soundness and completeness of containment, on schemas that were changed at random, several changes deep.
//!
//! Every witness is confirmed by another implementation of JSON Schema against both schemas; where nothing was
//! reported, random calls near the schemas find none that only the new one accepts; and little is undecided.
//! The schemas are those of real servers, if `GATEWRIGHT_DATA` (by default `../shared/data` beside the repository)
//! has them, and some of our own. `GATEWRIGHT_SOAK=1` looks at many more pairs.

#![allow(clippy::disallowed_methods, reason = "a test reads the environment and files")]
#![allow(clippy::expect_used, clippy::indexing_slicing, clippy::panic, reason = "a test fails by panicking")]
#![allow(clippy::print_stdout, reason = "a test says what it ran on")]

mod calls;
mod mutate;
mod random;

use std::collections::BTreeMap;
use std::path::PathBuf;

use gatewright::schema_widenings;
use random::Random;
use serde_json::{Value, json};

/// How many calls are tried where nothing was reported.
const CALLS: usize = 40;

#[test]
fn no_witness_is_wrong_and_no_call_is_missed() {
    let pairs = if std::env::var_os("GATEWRIGHT_SOAK").is_some() { 100_000 } else { 5_000 };
    let schemas = schemas();
    println!("{pairs} pairs from {} schemas", schemas.len());
    let mut random = Random::new(2026);
    let (mut widened, mut undecided) = (0_usize, BTreeMap::new());
    for _ in 0..pairs {
        let mut before = schemas[random.below(schemas.len())].clone();
        for _ in 0..random.below(4) {
            mutate::change(&mut before, &mut random);
        }
        let mut after = before.clone();
        for _ in 0..=random.below(4) {
            mutate::change(&mut after, &mut random);
        }
        if random.below(2) == 0 {
            core::mem::swap(&mut before, &mut after);
        }
        let validator = |schema: &Value| jsonschema::options().should_validate_formats(true).build(schema);
        // Some schemas are none: the other implementation refuses them.
        let (Ok(old), Ok(new)) = (validator(&before), validator(&after)) else { continue };
        let moved = schema_widenings(before.to_string().as_bytes(), after.to_string().as_bytes()).expect("two schemas");
        for (ways, accepts, refuses) in [(&moved.widenings, &new, &old), (&moved.narrowings, &old, &new)] {
            for way in ways {
                let call = way.witness.as_ref().expect("a witness").as_str();
                let call: Value = serde_json::from_str(call).expect("JSON");
                let is_witness = accepts.is_valid(&call) && !refuses.is_valid(&call);
                assert!(is_witness, "{call} is no witness: {way:?}\n{before}\n{after}");
            }
        }
        widened += usize::from(!moved.widenings.is_empty());
        if let Some(first) = moved.undecided.first() {
            *undecided.entry(first.keyword.clone()).or_insert(0_usize) += 1;
        }
        if moved.widenings.is_empty() && moved.undecided.is_empty() {
            for _ in 0..CALLS {
                let near = if random.below(2) == 0 { &after } else { &before };
                let call = calls::near(near, near, &mut random, 6);
                assert!(!new.is_valid(&call) || old.is_valid(&call), "{call} is missed\n{before}\n{after}");
            }
        }
    }
    println!("{widened} widened; undecided, by the first keyword: {undecided:?}");
    assert!(widened * 10 > pairs, "the changes hardly ever widen anything");
    // Of real schemas; our own few have everything that is hard in them.
    let most = if schemas.len() > own().len() { pairs / 100 } else { pairs / 50 };
    assert!(undecided.values().sum::<usize>() <= most, "more than {most} are undecided: {undecided:?}");
}

fn schemas() -> Vec<Value> {
    let data = std::env::var_os("GATEWRIGHT_DATA").map_or_else(|| PathBuf::from("../../shared/data"), PathBuf::from);
    let mut schemas = own();
    let mut files = Vec::new();
    for server in std::fs::read_dir(data.join("corpus")).into_iter().flatten().flatten() {
        files.extend(std::fs::read_dir(server.path()).into_iter().flatten().flatten().map(|file| file.path()));
    }
    if files.is_empty() {
        println!("there are no captures of real servers at {}: set GATEWRIGHT_DATA to use them", data.display());
    }
    files.sort();
    for file in files {
        let text = std::fs::read_to_string(&file).unwrap_or_default();
        let Ok(capture) = serde_json::from_str::<Value>(&text) else { continue };
        schemas.extend(
            capture["tools"]
                .as_array()
                .into_iter()
                .flatten()
                .map(|tool| tool["inputSchema"].clone())
                .filter(Value::is_object),
        );
    }
    schemas
}

/// As generators write them.
fn own() -> Vec<Value> {
    let draft7 = "http://json-schema.org/draft-07/schema#";
    vec![
        json!({"type": "object", "properties": {
            "path": {"type": "string", "description": "Where the file is."},
            "head": {"type": "number", "minimum": 1},
            "tail": {"type": "number", "exclusiveMinimum": 0}
        }, "required": ["path"], "additionalProperties": false, "$schema": draft7}),
        json!({"type": "object", "properties": {
            "edits": {"type": "array", "minItems": 1, "maxItems": 20, "items": {"type": "object", "properties": {
                "oldText": {"type": "string", "minLength": 1},
                "newText": {"type": "string", "maxLength": 1000}
            }, "required": ["oldText", "newText"], "additionalProperties": false}},
            "dryRun": {"type": "boolean", "default": false}
        }, "required": ["edits"]}),
        json!({"type": "object", "properties": {
            "query": {"type": "string", "pattern": "^[a-z ]+$"},
            "limit": {"anyOf": [{"type": "integer", "minimum": 1, "maximum": 100}, {"type": "null"}], "default": null},
            "sort": {"enum": ["new", "old", "best"], "type": "string"}
        }, "required": ["query"], "title": "search_arguments"}),
        json!({"type": "object", "properties": {"node": {"$ref": "#/$defs/Node"}}, "required": ["node"], "$defs": {
            "Node": {"type": "object", "properties": {
                "name": {"type": "string"}, "children": {"type": "array", "items": {"$ref": "#/$defs/Node"}}
            }, "required": ["name"]}
        }}),
        json!({"type": "object", "properties": {
            "labels": {"type": "object", "additionalProperties": {"type": "string"}, "propertyNames": {"pattern": "^[a-z]+$"}},
            "target": {"oneOf": [
                {"type": "object", "properties": {"id": {"type": "integer"}}, "required": ["id"], "additionalProperties": false},
                {"type": "object", "properties": {"url": {"type": "string", "format": "uri"}}, "required": ["url"], "additionalProperties": false}
            ]},
            "tags": {"type": "array", "items": {"type": "string"}, "uniqueItems": true},
            "day": {"type": "string", "format": "date"}
        }}),
    ]
}
