//! Comparing two surfaces, of which 2 % of the tools changed, beside reading both and nothing else.

#![allow(clippy::indexing_slicing, reason = "an index into a JSON value answers null, it does not panic")]

use std::collections::BTreeMap;
use std::fs;
use std::hint::black_box;
use std::path::{Path, PathBuf};

use gatewright::{Profile, Surface, classify_drift};
use serde_json::{Value, json};

use super::native::measure;
use crate::Result;

pub(super) const BASE: &str = "reading both: gatewright";
const OWN: &str = "gatewright: both texts in, drift out";
const PEER: &str = "serde_json: both trees, compared by name";

pub(super) fn names() -> [&'static str; 3] {
    [BASE, OWN, PEER]
}

/// The surface of a file with one of 50 tools changed, in a file beside it.
pub(super) fn changed(file: &Path) -> Result<PathBuf> {
    let text = fs::read_to_string(file).map_err(|why| format!("{}: {why}", file.display()))?;
    let mut surface: Value = serde_json::from_str(&text).map_err(|why| why.to_string())?;
    let tools = surface["tools"].as_array_mut().ok_or("the surface has no tools")?;
    for (index, tool) in tools.iter_mut().enumerate().filter(|(index, _)| index % 50 == 0) {
        match index / 50 % 5 {
            0 => tool["name"] = json!(format!("renamed_{index}")),
            1 => tool["inputSchema"]["required"] = json!([]),
            2 => tool["annotations"]["destructiveHint"] = json!(true),
            _ => {
                let text = tool["description"].as_str().unwrap_or_default();
                tool["description"] = json!(format!("{text} It deletes all of them."));
            }
        }
    }
    let path = file.with_extension("after.json");
    fs::write(&path, surface.to_string()).map_err(|why| format!("{}: {why}", path.display()))?;
    Ok(path)
}

pub(super) fn run(name: &str, file: &Path) -> Result {
    let read = |path: &Path| fs::read(path).map_err(|why| format!("{}: {why}", path.display()));
    let (before, after) = (read(file)?, read(&file.with_extension("after.json"))?);
    let parse = |bytes: &[u8]| Surface::parse(bytes).map_err(|error| error.to_string());
    let (held, ms, peak) = match name {
        BASE => measure(|| {
            black_box((parse(&before).is_ok(), parse(&after).is_ok()));
        }),
        OWN => measure(|| {
            if let (Ok(before), Ok(after)) = (parse(&before), parse(&after)) {
                black_box(serde_json::to_string(&classify_drift(&before, &after, Profile::Default)).is_ok());
            }
        }),
        _ => measure(|| {
            black_box(peer(&before, &after));
        }),
    };
    let (old, new) = (parse(&before)?, parse(&after)?);
    let drift = classify_drift(&old, &new, Profile::Mcplock);
    let names: std::collections::BTreeSet<&str> =
        drift.findings.iter().filter_map(|finding| finding.tool.as_deref()).collect();
    if Some(names.len()) != peer(&before, &after) {
        return Err(format!(
            "the implementations disagree: {} and {:?} tools moved",
            names.len(),
            peer(&before, &after)
        ));
    }
    #[allow(clippy::cast_precision_loss, reason = "a ratio to two places")]
    let ratio = peak.saturating_sub(held) as f64 / (before.len() + after.len()) as f64;
    println!(
        "{}",
        json!({ "what": "classifyDrift", "impl": name, "n": old.tool_count(), "ms": ms, "rssAboveInputRatio": ratio })
    );
    Ok(())
}

/// How many tools are not the same, by whole document trees.
fn peer(before: &[u8], after: &[u8]) -> Option<usize> {
    let tools = |bytes: &[u8]| -> Option<BTreeMap<String, Value>> {
        let mut surface: Value = serde_json::from_slice(bytes).ok()?;
        let tools = std::mem::take(surface["tools"].as_array_mut()?);
        tools.into_iter().map(|tool| Some((tool["name"].as_str()?.to_owned(), tool))).collect()
    };
    let (before, after) = (tools(before)?, tools(after)?);
    let gone = before.iter().filter(|(name, tool)| after.get(*name) != Some(tool)).count();
    Some(gone + after.keys().filter(|name| !before.contains_key(*name)).count())
}
