//! Reading a folder of vectors. `tests/README.md` at the root of the repository describes the form.

#![allow(clippy::disallowed_methods, reason = "a test reads files and the environment")]
#![allow(clippy::expect_used, clippy::indexing_slicing, clippy::panic, reason = "a test fails by panicking")]
#![allow(dead_code, reason = "each test uses its part")]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

pub(crate) struct Test {
    pub(crate) id: String,
    pub(crate) comment: String,
    pub(crate) operation: String,
    pub(crate) inputs: Vec<Vec<u8>>,
    pub(crate) expect: Value,
}

pub(crate) struct Folder {
    path: PathBuf,
    /// By name, the files that the manifest and the folder agree on.
    files: BTreeMap<String, Value>,
}

/// The repository's own vectors, and those that the environment names.
pub(crate) fn folders() -> Vec<Folder> {
    let extra = std::env::var_os("GATEWRIGHT_EXTRA_VECTORS").map(|path| Folder::read(Path::new(&path)));
    core::iter::once(Folder::own()).chain(extra).collect()
}

impl Folder {
    pub(crate) fn own() -> Self {
        let own = Self::read(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/vectors"));
        assert!(!own.files.is_empty(), "there are no vectors");
        own
    }

    /// Reads a folder, whose files and counts must be those of its manifest.
    fn read(path: &Path) -> Self {
        let manifest = read_json(&path.join("manifest.json"));
        assert_eq!(manifest["schema"], "gatewright-manifest/1", "{}", path.display());
        let listed = manifest["files"].as_object().expect("`files` of the manifest is an object");
        let mut files = BTreeMap::new();
        let mut total = 0;
        for (name, count) in listed {
            let file = read_json(&path.join(name));
            let tests = file["tests"].as_array().map_or(0, Vec::len) as u64;
            assert_eq!(file["schema"], "gatewright-vectors/1", "{name}");
            assert_eq!(file["count"].as_u64(), Some(tests), "`count` of {name}");
            assert_eq!(count.as_u64(), Some(tests), "{name} in the manifest");
            total += tests;
            files.insert(name.clone(), file);
        }
        assert_eq!(manifest["total"].as_u64(), Some(total), "`total` of the manifest of {}", path.display());
        let names: Vec<&String> = files.keys().collect();
        assert_eq!(names, found(path).iter().collect::<Vec<_>>(), "files of the manifest and of {}", path.display());
        Self { path: path.to_owned(), files }
    }

    pub(crate) fn tests(&self) -> impl Iterator<Item = Test> {
        self.files.iter().flat_map(|(name, file)| {
            let operation = text(&file["operation"], name);
            file["tests"].as_array().into_iter().flatten().map(move |test| Test {
                id: text(&test["id"], name),
                comment: text(&test["comment"], name),
                operation: operation.clone(),
                inputs: test["inputs"].as_array().expect("`inputs` is a list").iter().map(input).collect(),
                expect: test["expect"].clone(),
            })
        })
    }

    /// The ids, or beginnings of ids with a `*`, that a host leaves out.
    pub(crate) fn skips(&self, host: &str) -> Vec<String> {
        let path = self.path.join("skips.json");
        let skips = if path.exists() { read_json(&path) } else { Value::Null };
        let of_host = skips.as_array().into_iter().flatten().filter(|skip| skip["host"] == host);
        of_host.map(|skip| text(&skip["id"], "skips.json")).collect()
    }
}

/// Whether a skip is about this id.
pub(crate) fn covers(skip: &str, id: &str) -> bool {
    skip.strip_suffix('*').map_or(skip == id, |start| id.starts_with(start))
}

/// The bytes of an input: a text, or an object with one of `hex`, `concat` and `repeat`.
fn input(input: &Value) -> Vec<u8> {
    if let Some(text) = input.as_str() {
        return text.as_bytes().to_vec();
    }
    if let Some(hex) = input["hex"].as_str() {
        return from_hex(hex);
    }
    if let Some(parts) = input["concat"].as_array() {
        return parts.iter().flat_map(self::input).collect();
    }
    let repeat = &input["repeat"];
    let times = repeat["times"].as_u64().and_then(|times| usize::try_from(times).ok());
    let (Some(text), Some(times)) = (repeat["text"].as_str(), times) else { panic!("no input: {input}") };
    text.repeat(times).into_bytes()
}

pub(crate) fn from_hex(hex: &str) -> Vec<u8> {
    let digit = |c: &u8| char::from(*c).to_digit(16).and_then(|digit| u8::try_from(digit).ok()).expect("a hex digit");
    hex.as_bytes().chunks(2).map(|pair| pair.iter().fold(0, |byte, c| byte << 4 | digit(c))).collect()
}

fn text(value: &Value, file: &str) -> String {
    value.as_str().unwrap_or_else(|| panic!("{file}: a text is missing")).to_owned()
}

fn read_json(path: &Path) -> Value {
    let text = fs::read_to_string(path).unwrap_or_else(|why| panic!("{}: {why}", path.display()));
    serde_json::from_str(&text).unwrap_or_else(|why| panic!("{}: {why}", path.display()))
}

/// The names of the vector files in a folder's areas, sorted.
fn found(folder: &Path) -> Vec<String> {
    let list = |path: &Path| -> Vec<PathBuf> {
        let entries = fs::read_dir(path).unwrap_or_else(|why| panic!("{}: {why}", path.display()));
        entries.map(|entry| entry.expect("an entry of a folder").path()).collect()
    };
    let name = |path: &Path| path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let mut names = Vec::new();
    for area in list(folder).into_iter().filter(|path| path.is_dir()) {
        let files =
            list(&area).into_iter().filter(|path| path.extension().is_some_and(|extension| extension == "json"));
        names.extend(files.map(|file| format!("{}/{}", name(&area), name(&file))));
    }
    names.sort();
    names
}
