//! `./x bench`: from bytes to all lockfile hashes, beside what one would otherwise use, in one run on the same input.
//!
//! Each implementation runs in a process of its own, takes text and gives the full result as its caller gets it. The
//! floor is what no implementation can do without: reading every byte, and hashing every byte that is hashed.

mod drift;
mod native;
mod schemas;
mod surfaces;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;

use crate::{Result, root};

/// How many tools the surfaces have.
const SIZES: [usize; 4] = [10, 100, 1_000, 10_000];

pub(crate) fn run() -> Result {
    let files = surfaces::write(&root().join("target/bench"), &SIZES)?;
    let python =
        std::env::var("GATEWRIGHT_PYTHON").map_err(|_| "GATEWRIGHT_PYTHON does not name the Python of the wheel")?;
    let own = std::env::current_exe().map_err(|why| why.to_string())?;

    let mut records = Vec::new();
    for file in &files {
        for name in native::names() {
            records.extend(lines(Command::new(&own).args(["bench-native", name]).arg(file))?);
        }
    }
    println!("Rust: bytes in, typed hashes out. Ratios are to the floor.\n");
    table(&records, "hashSurface", native::FLOOR);

    of_drift(&files, &own)?;

    let records = lines(Command::new("node").arg(root().join("npm/bench/bench.mjs")).args(&files))?;
    println!("\nNode {}: text in, objects out. Ratios are to gatewright.\n", version("node")?);
    table(&records, "hashSurface", "gatewright");
    drifts(&records);
    details(&records);

    let records = lines(Command::new(&python).arg(root().join("python/bench/bench.py")).args(&files))?;
    println!("\n{}: text in, dicts out. Ratios are to gatewright.\n", version(&python)?);
    table(&records, "hashSurface", "gatewright");
    drifts(&records);
    details(&records);

    println!();
    crate::size::run()
}

/// What `./x bench drift` measures: comparison alone, in Rust.
pub(crate) fn run_drift() -> Result {
    let files = surfaces::write(&root().join("target/bench"), &SIZES)?;
    of_drift(&files, &std::env::current_exe().map_err(|why| why.to_string())?)
}

fn of_drift(files: &[PathBuf], own: &Path) -> Result {
    let mut records = Vec::new();
    for file in files {
        drift::changed(file)?;
        for name in drift::names() {
            records.extend(lines(Command::new(own).args(["bench-native", name]).arg(file))?);
        }
    }
    println!("\nRust: two surfaces, 2 % of the tools changed. Ratios are to reading both.\n");
    table(&records, "classifyDrift", drift::BASE);
    schemas::run()
}

/// One implementation on one file, in this process.
pub(crate) fn run_native(name: &str, file: &Path) -> Result {
    if drift::names().contains(&name) { drift::run(name, file) } else { native::run(name, file) }
}

fn lines(command: &mut Command) -> Result<Vec<Value>> {
    let output = command.stderr(Stdio::inherit()).output().map_err(|why| format!("{command:?}: {why}"))?;
    if !output.status.success() {
        return Err(format!("{command:?}: {}", output.status));
    }
    let text = String::from_utf8_lossy(&output.stdout);
    text.lines().map(|line| serde_json::from_str(line).map_err(|why| format!("{line}: {why}"))).collect()
}

fn version(program: &str) -> Result<String> {
    let output = Command::new(program).arg("--version").output().map_err(|why| format!("{program}: {why}"))?;
    Ok(String::from_utf8_lossy(&output.stdout).trim().trim_start_matches('v').to_owned())
}

/// The table of comparisons, beside what reading both surfaces takes with the language's own reader.
fn drifts(records: &[Value]) {
    println!("\nTwo surfaces, 2 % of the tools changed. Ratios are to reading both.\n");
    table(records, "classifyDrift", "reading both: the language's own reader");
}

/// Times, ratios of times, and memory, a row for each implementation and size.
fn table(records: &[Value], what: &str, base: &str) {
    println!("{:>7}  {:<46}{:>12}{:>9}{:>16}", "tools", "implementation", "ms", "ratio", "memory/input");
    let chosen: Vec<&Value> = records.iter().filter(|record| record["what"] == what).collect();
    for record in &chosen {
        let same_size = chosen.iter().find(|other| other["n"] == record["n"] && other["impl"] == base);
        let ms = record["ms"].as_f64().unwrap_or(f64::NAN);
        let ratio = ms / same_size.and_then(|other| other["ms"].as_f64()).unwrap_or(f64::NAN);
        let memory = record["rssAboveInputRatio"].as_f64().map_or_else(String::new, |ratio| format!("{ratio:.2}"));
        println!(
            "{:>7}  {:<46}{ms:>12.3}{ratio:>9.2}{memory:>16}",
            record["n"].as_u64().unwrap_or(0),
            text(&record["impl"])
        );
    }
}

/// What is not about surfaces: import, first call, one tool.
fn details(records: &[Value]) {
    println!();
    for record in
        records.iter().filter(|record| !matches!(record["what"].as_str(), Some("hashSurface" | "classifyDrift")))
    {
        let input = record["input"].as_str().map_or_else(String::new, |input| format!(" ({input} in)"));
        let time = match (&record["ms"], &record["us"]) {
            (Value::Null, us) => format!("{us} µs"),
            (ms, _) => format!("{ms} ms"),
        };
        println!("  {}{input}: {time}", text(&record["what"]));
    }
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

fn write(path: &PathBuf, bytes: &[u8]) -> Result {
    fs::write(path, bytes).map_err(|why| format!("{}: {why}", path.display()))
}
