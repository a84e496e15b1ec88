//! Synthetic surfaces, the same on every run: about 1.1 KB of JSON a tool, with nested schemas, enums, bounds, decimals,
//! and one description in twelve beyond ASCII.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Map, Value, json};

use crate::Result;

pub(super) fn write(folder: &Path, sizes: &[usize]) -> Result<Vec<PathBuf>> {
    fs::create_dir_all(folder).map_err(|why| format!("{}: {why}", folder.display()))?;
    let mut files = Vec::new();
    for size in sizes {
        let mut random = Random(*size as u64 + 1);
        let tools: Vec<Value> = (0..*size).map(|index| tool(index, &mut random)).collect();
        let path = folder.join(format!("tools-{size}.json"));
        super::write(&path, json!({ "tools": tools }).to_string().as_bytes())?;
        files.push(path);
    }
    Ok(files)
}

/// A linear congruential generator (Knuth's MMIX constants): plain, and the same everywhere.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap_or(0) % bound
    }

    fn pick<'a>(&mut self, words: &[&'a str]) -> &'a str {
        words.get(self.below(words.len())).copied().unwrap_or_default()
    }

    fn text(&mut self, words: usize, is_ascii: bool) -> String {
        let words: Vec<&str> = (0..words)
            .map(|_| if !is_ascii && self.below(8) == 0 { self.pick(FOREIGN) } else { self.pick(WORDS) })
            .collect();
        words.join(" ") + "."
    }
}

const WORDS: &[&str] = &[
    "read",
    "write",
    "list",
    "file",
    "path",
    "directory",
    "query",
    "search",
    "the",
    "of",
    "a",
    "for",
    "with",
    "returns",
    "name",
    "value",
    "server",
    "project",
    "issue",
    "user",
    "result",
    "optional",
    "limit",
    "page",
    "database",
    "channel",
];
const FOREIGN: &[&str] = &["größe", "naïve", "漢字", "Привет", "😀"];

fn tool(index: usize, random: &mut Random) -> Value {
    let is_ascii = random.below(12) != 0;
    let names: Vec<String> = (0..5).map(|n| format!("{}_{}{n}", random.pick(WORDS), random.pick(WORDS))).collect();
    let properties: Map<String, Value> =
        names.iter().map(|name| (name.clone(), property(0, is_ascii, random))).collect();
    // Members in the order in which servers write them, which is not the canonical one.
    let schema = format!(
        r#"{{"type":"object","properties":{},"required":{},"additionalProperties":false,"$schema":"http://json-schema.org/draft-07/schema#"}}"#,
        Value::Object(properties),
        json!(names.iter().take(2).collect::<Vec<_>>()),
    );
    json!({
        "name": format!("{}_{}_{index}", random.pick(WORDS), random.pick(WORDS)),
        "description": random.text(26, is_ascii),
        "inputSchema": serde_json::from_str::<Value>(&schema).unwrap_or_default(),
        "annotations": { "title": random.text(3, is_ascii), "readOnlyHint": random.below(2) == 0 },
    })
}

fn property(depth: usize, is_ascii: bool, random: &mut Random) -> Value {
    let description = random.text(7, is_ascii);
    match random.below(if depth == 0 { 6 } else { 5 }) {
        0 | 1 => json!({ "type": "string", "description": description }),
        2 => json!({ "type": "integer", "minimum": 0, "maximum": random.below(10_000), "description": description }),
        3 => {
            let step = f64::from(u32::try_from(random.below(100_000)).unwrap_or(0)) / 1000.0;
            json!({ "type": "number", "minimum": -1.25, "multipleOf": step, "description": description })
        }
        4 => {
            json!({ "type": "string", "enum": (0..4).map(|n| format!("{}{n}", random.pick(WORDS))).collect::<Vec<_>>() })
        }
        _ => {
            let inner: Map<String, Value> =
                (0..3).map(|n| (format!("{}{n}", random.pick(WORDS)), property(1, is_ascii, random))).collect();
            json!({ "type": "object", "properties": inner, "description": description })
        }
    }
}
