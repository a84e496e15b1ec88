//! Schema containment: what it takes, and what real servers widened from one version to the next.

#![allow(clippy::indexing_slicing, reason = "an index into a JSON value answers null, it does not panic")]

use std::collections::BTreeMap;
use std::fs;
use std::hint::black_box;
use std::path::PathBuf;

use gatewright::{Widening, schema_widenings};
use serde_json::{Value, json};

use super::native::measure;
use crate::{Result, root};

/// How many pairs are timed.
const PAIRS: usize = 10_000;

/// A tool's schema before and after.
type Pair = (String, String);

pub(super) fn run() -> Result {
    let real = real_pairs()?;
    let changed: Vec<Pair> = real.iter().filter(|(before, after)| before != after).cloned().collect();
    if real.is_empty() {
        println!("\nThere are no captures of real servers: set GATEWRIGHT_DATA for them. What is timed is made up.\n");
    } else {
        table(&real, changed.len())?;
    }
    let own = own();
    let timed: Vec<&Pair> = if changed.is_empty() { &own } else { &changed }.iter().cycle().take(PAIRS).collect();
    let bytes: usize = timed.iter().map(|(before, after)| before.len() + after.len()).sum();
    println!("\n{PAIRS} pairs of changed schemas, {} bytes in the mean.\n", bytes / PAIRS / 2);
    let (_, own_ms, _) = measure(|| {
        for (before, after) in &timed {
            black_box(schema_widenings(before.as_bytes(), after.as_bytes()).is_ok());
        }
    });
    let is_ready =
        |text: &str| serde_json::from_str::<Value>(text).is_ok_and(|schema| jsonschema::validator_for(&schema).is_ok());
    let (_, peer_ms, _) = measure(|| {
        for (before, after) in &timed {
            black_box((is_ready(before), is_ready(after)));
        }
    });
    println!("  gatewright: both texts in, every widening and narrowing out: {own_ms:.0} ms");
    println!(
        "  jsonschema: both texts in, both made ready to check a call:   {peer_ms:.0} ms ({:.2}x)",
        peer_ms / own_ms
    );
    Ok(())
}

/// What moved, by keyword.
fn table(real: &[Pair], changed: usize) -> Result {
    let mut counts: BTreeMap<String, [usize; 3]> = BTreeMap::new();
    let mut wider = 0;
    for (before, after) in real.iter().filter(|(before, after)| before != after) {
        let moved = schema_widenings(before.as_bytes(), after.as_bytes()).map_err(|error| error.to_string())?;
        wider += usize::from(!moved.widenings.is_empty());
        let mut count = |ways: &[Widening], column: usize| {
            for way in ways {
                counts.entry(way.keyword.clone()).or_default()[column] += 1;
            }
        };
        count(&moved.widenings, 0);
        count(&moved.narrowings, 1);
        count(&moved.undecided, 2);
    }
    println!(
        "\n{} tools of real servers, from one version to the next: {changed} schemas changed, {wider} accept more.\n",
        real.len()
    );
    println!("{:<24}{:>10}{:>12}{:>11}", "keyword", "widenings", "narrowings", "undecided");
    for (keyword, [widenings, narrowings, undecided]) in counts {
        println!("{keyword:<24}{widenings:>10}{narrowings:>12}{undecided:>11}");
    }
    Ok(())
}

/// The input schemas of tools that are in both of two captured versions.
fn real_pairs() -> Result<Vec<Pair>> {
    let data = std::env::var_os("GATEWRIGHT_DATA").map_or_else(|| root().join("../shared/data"), PathBuf::from);
    let Ok(rows) = fs::read_to_string(data.join("oracle/mcplock_diff.jsonl")) else { return Ok(Vec::new()) };
    let mut pairs = Vec::new();
    for row in rows.lines() {
        let row: Value = serde_json::from_str(row).map_err(|why| why.to_string())?;
        let text = |key: &str| row[key].as_str().unwrap_or_default().replace('/', "+");
        let tools = |side: &str| -> BTreeMap<String, String> {
            let path = data.join(format!("corpus/{}__{}/{}.json", text("registry"), text("package"), text(side)));
            let capture = fs::read_to_string(path).ok().and_then(|text| serde_json::from_str::<Value>(&text).ok());
            let tools = capture.as_ref().and_then(|capture| capture["tools"].as_array()).into_iter().flatten();
            tools
                .filter(|tool| tool["inputSchema"].is_object())
                .map(|tool| (tool["name"].to_string(), tool["inputSchema"].to_string()))
                .collect()
        };
        let mut after = tools("to");
        pairs.extend(tools("from").into_iter().filter_map(|(name, before)| Some((before, after.remove(&name)?))));
    }
    Ok(pairs)
}

/// A schema of the usual size, changed in the usual ways.
fn own() -> Vec<Pair> {
    let schema = |most: u32, required: Value, rest: bool| {
        let parameters: serde_json::Map<String, Value> = (0..8)
            .map(|n| {
                (
                    format!("parameter_{n}"),
                    json!({"type": "string", "description": "What it is about, in a few words.", "maxLength": most}),
                )
            })
            .collect();
        json!({"type": "object", "properties": parameters, "required": required, "additionalProperties": rest})
            .to_string()
    };
    let before = schema(100, json!(["parameter_0", "parameter_1"]), false);
    let others = [
        schema(200, json!(["parameter_0"]), false),
        schema(100, json!(["parameter_0"]), false),
        schema(100, json!([]), true),
    ];
    others.into_iter().map(|after| (before.clone(), after)).collect()
}
