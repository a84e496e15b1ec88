//! The implementations in Rust.

#![allow(clippy::indexing_slicing, reason = "an index into a JSON value answers null, it does not panic")]

use std::fs;
use std::hint::black_box;
use std::path::Path;
use std::time::{Duration, Instant};

use serde::de::IgnoredAny;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use crate::Result;

pub(super) const FLOOR: &str = "floor: reading + SHA-256 of every byte";
const OWN: &str = "gatewright";
const PEER: &str = "serde_json + serde_json_canonicalizer + sha2";

pub(super) fn names() -> [&'static str; 3] {
    [FLOOR, OWN, PEER]
}

pub(super) fn run(name: &str, file: &Path) -> Result {
    let bytes = fs::read(file).map_err(|why| format!("{}: {why}", file.display()))?;
    let (held, ms, peak) = match name {
        FLOOR => {
            let messages = messages(&bytes).ok_or("the surface cannot be read")?;
            measure(|| {
                black_box(serde_json::from_slice::<IgnoredAny>(&bytes).is_ok());
                for message in &messages {
                    black_box(Sha256::digest(message));
                }
            })
        }
        OWN => measure(|| {
            black_box(gatewright::hash_surface(&bytes).is_ok());
        }),
        _ => measure(|| {
            black_box(self::peer(&bytes));
        }),
    };
    // After the measurement: memory that a check has used and freed would hide what the measured code takes.
    let tools =
        serde_json::from_slice::<Value>(&bytes).map_err(|why| why.to_string())?["tools"].as_array().map_or(0, Vec::len);
    let peer = peer(&bytes).map(|hash| {
        hash == gatewright::hash_surface(&bytes).map_or_else(|e| e.to_string(), |s| s.tool_surface_hash.to_string())
    });
    if peer != Some(true) {
        return Err("the implementations disagree".to_owned());
    }
    let above = peak.saturating_sub(held);
    #[allow(clippy::cast_precision_loss, reason = "a ratio to two places")]
    let ratio = if name == FLOOR { Value::Null } else { json!(above as f64 / bytes.len() as f64) };
    println!(
        "{}",
        json!({ "what": "hashSurface", "impl": name, "n": tools, "bytes": bytes.len(), "ms": ms, "rssAboveInputRatio": ratio })
    );
    Ok(())
}

/// What every implementation hashes: each tool's four messages, and the surface's.
fn messages(bytes: &[u8]) -> Option<Vec<Vec<u8>>> {
    let surface: Value = serde_json::from_slice(bytes).ok()?;
    let mut messages = Vec::new();
    for tool in surface["tools"].as_array()? {
        let whole =
            json!({ "description": tool["description"], "inputSchema": tool["inputSchema"], "name": tool["name"] });
        for value in [&whole, &tool["name"], &tool["description"], &tool["inputSchema"]] {
            messages.push(serde_json_canonicalizer::to_vec(value).ok()?);
        }
    }
    messages.push(vec![b'x'; surface["tools"].as_array()?.len() * 74 + 2]);
    Some(messages)
}

/// All hashes by a document tree and the crate for the canonical form; the surface's hash is returned.
fn peer(bytes: &[u8]) -> Option<String> {
    let hash =
        |value: &Value| Some(format!("sha256:{}", hex(&Sha256::digest(serde_json_canonicalizer::to_vec(value).ok()?))));
    let surface: Value = serde_json::from_slice(bytes).ok()?;
    let mut tools = Vec::new();
    for tool in surface["tools"].as_array()? {
        let whole =
            json!({ "description": tool["description"], "inputSchema": tool["inputSchema"], "name": tool["name"] });
        let hashes = [hash(&whole)?, hash(&tool["name"])?, hash(&tool["description"])?, hash(&tool["inputSchema"])?];
        tools.push((tool["name"].as_str()?.to_owned(), hashes));
    }
    tools.sort_by(|(a, _), (b, _)| a.encode_utf16().cmp(b.encode_utf16()));
    let all: Vec<&str> = tools.iter().filter_map(|(_, hashes)| hashes.first().map(String::as_str)).collect();
    hash(&json!(all))
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |text, byte| text + &format!("{byte:02x}"))
}

/// Memory held before, the median milliseconds of a run, and the most memory held during the first run.
pub(super) fn measure(mut run: impl FnMut()) -> (u64, f64, u64) {
    // Linux forgets the peak when asked to.
    let _ = fs::write("/proc/self/clear_refs", "5");
    let held = status("VmRSS");
    run();
    let peak = status("VmHWM");
    let mut times = Vec::new();
    let started = Instant::now();
    while times.len() < 5 || started.elapsed() < Duration::from_millis(1500) {
        let start = Instant::now();
        run();
        times.push(start.elapsed().as_secs_f64() * 1e3);
    }
    times.sort_by(f64::total_cmp);
    (held, times.get(times.len() / 2).copied().unwrap_or(f64::NAN), peak)
}

/// A line of the process's own account of its memory, in bytes; 0 where there is none.
fn status(field: &str) -> u64 {
    let text = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = text.lines().find(|line| line.starts_with(field));
    let kilobytes = line.and_then(|line| line.split_whitespace().nth(1)).and_then(|number| number.parse::<u64>().ok());
    kilobytes.unwrap_or(0) * 1024
}
