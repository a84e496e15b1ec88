//! The vectors' keeper: every file under `tests/vectors/` has the right shape, every id is unique, every expected error
//! code exists, and `manifest.json` says how many tests there are, so that a runner which loads none fails.
//!
//! What the vectors say of the library, and whether they cover it, is tested where they are run.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
};

use gatewright::Code;
use serde_json::{Map, Value, json};

use crate::{Mode, Result, read, root, settle};

const FOLDER: &str = "tests/vectors";

pub(crate) fn run(mode: Mode) -> Result {
    let folder = root().join(FOLDER);
    let mut counts = BTreeMap::new();
    let mut ids = BTreeSet::new();
    for area in sorted(&folder)?.into_iter().filter(|path| path.is_dir()) {
        for file in
            sorted(&area)?.into_iter().filter(|path| path.extension().is_some_and(|extension| extension == "json"))
        {
            let name = name_below(&folder, &file);
            let count = check_file(&file, &name, &mut ids).map_err(|why| format!("{FOLDER}/{name}: {why}"))?;
            counts.insert(name, count);
        }
    }
    check_skips(&folder, &ids)?;

    let total: usize = counts.values().sum();
    let manifest = json!({ "schema": "gatewright-manifest/1", "files": counts, "total": total });
    let text = serde_json::to_string_pretty(&manifest).map_err(|why| why.to_string())? + "\n";
    settle(mode, &format!("{FOLDER}/manifest.json"), &text)?;
    println!("{total} vectors in {} files", counts.len());
    Ok(())
}

fn sorted(folder: &Path) -> Result<Vec<PathBuf>> {
    let entries = fs::read_dir(folder).map_err(|why| format!("{}: {why}", folder.display()))?;
    let mut paths: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    paths.sort();
    Ok(paths)
}

fn name_below(folder: &Path, file: &Path) -> String {
    let name = file.strip_prefix(folder).unwrap_or(file);
    name.components().map(|part| part.as_os_str().to_string_lossy()).collect::<Vec<_>>().join("/")
}

fn parse(path: &Path) -> Result<Value> {
    serde_json::from_str(&read(path)?).map_err(|why| format!("{}: {why}", path.display()))
}

fn check_file(path: &Path, name: &str, ids: &mut BTreeSet<String>) -> Result<usize> {
    let data = parse(path)?;
    let file = object(&data, &["schema", "area", "operation", "spec", "header", "count", "tests"])?;
    let area = name.split('/').next().unwrap_or_default();
    if text(file, "schema")? != "gatewright-vectors/1" {
        return Err("`schema` is not `gatewright-vectors/1`".to_owned());
    }
    if text(file, "area")? != area {
        return Err(format!("`area` is not the folder's name, `{area}`"));
    }
    text(file, "operation")?;
    text(file, "spec")?;
    if !list(file, "header")?.iter().all(Value::is_string) {
        return Err("`header` is not a list of lines".to_owned());
    }
    let tests = list(file, "tests")?;
    if file.get("count").and_then(Value::as_u64) != Some(tests.len() as u64) || tests.is_empty() {
        return Err(format!("`count` does not say that there are {} tests, or there is none", tests.len()));
    }
    for (index, test) in tests.iter().enumerate() {
        check_test(test, area, ids).map_err(|why| match test.get("id").and_then(Value::as_str) {
            Some(id) => format!("`{id}`: {why}"),
            None => format!("test {index}: {why}"),
        })?;
    }
    Ok(tests.len())
}

fn check_test(test: &Value, area: &str, ids: &mut BTreeSet<String>) -> Result {
    let test = object(test, &["id", "comment", "inputs", "expect"])?;
    let id = text(test, "id")?;
    if !id.starts_with(&format!("{area}/")) {
        return Err(format!("the id does not start with `{area}/`"));
    }
    if !ids.insert(id.to_owned()) {
        return Err("another test has this id".to_owned());
    }
    text(test, "comment")?;
    list(test, "inputs")?.iter().try_for_each(check_input)?;
    check_expectation(test.get("expect").unwrap_or(&Value::Null))
}

/// Text, `{"hex"}`, `{"concat": [input, …]}` or `{"repeat": {"text", "times"}}`.
fn check_input(input: &Value) -> Result {
    if input.is_string() {
        return Ok(());
    }
    let fields = object(input, &["hex", "concat", "repeat"])?;
    match fields.iter().map(|(key, value)| (key.as_str(), value)).collect::<Vec<_>>().as_slice() {
        [("hex", Value::String(hex))] => check_hex(hex),
        [("concat", Value::Array(parts))] => parts.iter().try_for_each(check_input),
        [("repeat", repeat)] => {
            let repeat = object(repeat, &["text", "times"])?;
            text(repeat, "text")?;
            let times = repeat.get("times").and_then(Value::as_u64);
            times.map(|_| ()).ok_or_else(|| "`times` is not a whole number".to_owned())
        }
        _ => Err("an input is a text, or an object with one of `hex`, `concat` and `repeat`".to_owned()),
    }
}

fn check_expectation(expect: &Value) -> Result {
    let fields = object(expect, &["text", "textHex", "json", "error"])?;
    match fields.iter().map(|(key, value)| (key.as_str(), value)).collect::<Vec<_>>().as_slice() {
        [("text", Value::String(_)) | ("json", _)] => Ok(()),
        [("textHex", Value::String(hex))] => check_hex(hex),
        [("error", error)] => {
            let error = object(error, &["code", "message", "help", "pointer", "line", "column"])?;
            let code = text(error, "code")?;
            if !Code::ALL.iter().any(|known| known.as_str() == code) {
                return Err(format!("there is no error code `{code}`"));
            }
            Ok(())
        }
        _ => Err("`expect` has exactly one of `text`, `textHex`, `json` and `error`".to_owned()),
    }
}

/// A skip that skips nothing is left over from something else.
fn check_skips(folder: &Path, ids: &BTreeSet<String>) -> Result {
    let path = folder.join("skips.json");
    if !path.exists() {
        return Ok(());
    }
    let data = parse(&path)?;
    for skip in data.as_array().ok_or_else(|| "skips.json is not a list".to_owned())? {
        let skip = object(skip, &["host", "id", "reason"])?;
        text(skip, "host")?;
        text(skip, "reason")?;
        let id = text(skip, "id")?;
        let used = match id.strip_suffix('*') {
            Some(prefix) => ids.iter().any(|id| id.starts_with(prefix)),
            None => ids.contains(id),
        };
        if !used {
            return Err(format!("skips.json: no test has the id `{id}`"));
        }
    }
    Ok(())
}

fn check_hex(hex: &str) -> Result {
    let sound = hex.len().is_multiple_of(2) && hex.bytes().all(|byte| byte.is_ascii_hexdigit());
    if sound { Ok(()) } else { Err("hexadecimal text is pairs of digits".to_owned()) }
}

/// The object, if it has no other members than these.
fn object<'a>(value: &'a Value, members: &[&str]) -> Result<&'a Map<String, Value>> {
    let map = value.as_object().ok_or_else(|| format!("an object with {members:?} is wanted"))?;
    match map.keys().find(|key| !members.contains(&key.as_str())) {
        Some(unknown) => Err(format!("there is no member `{unknown}` here, only {members:?}")),
        None => Ok(map),
    }
}

fn text<'a>(map: &'a Map<String, Value>, member: &str) -> Result<&'a str> {
    let value = map.get(member).and_then(Value::as_str).filter(|text| !text.is_empty());
    value.ok_or_else(|| format!("`{member}` is missing, empty or not a text"))
}

fn list<'a>(map: &'a Map<String, Value>, member: &str) -> Result<&'a Vec<Value>> {
    map.get(member).and_then(Value::as_array).ok_or_else(|| format!("`{member}` is missing or not a list"))
}
