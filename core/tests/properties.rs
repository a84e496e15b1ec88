//! What holds for every input: properties of the canonical form and of the hashes, on random JSON and on broken JSON.
//!
//! `GATEWRIGHT_SOAK=1` runs many more cases.

#![allow(clippy::disallowed_methods, reason = "a test reads files and the environment")]
#![allow(clippy::expect_used, clippy::indexing_slicing, clippy::panic, reason = "a test fails by panicking")]

mod support;

use std::collections::BTreeSet;
use std::sync::LazyLock;

use gatewright::wire;
use proptest::prelude::*;
use proptest::sample::Index;
use serde_json::Value;

/// JSON as a list of what there is to write: unlike a `Value` it keeps the order of members.
#[derive(Debug, Clone)]
enum Json {
    /// `null`, `true`, `false` or a number, as it is spelled.
    Plain(String),
    Text(String),
    Array(Vec<Json>),
    Object(Vec<(String, Json)>),
}

/// How one text of the same JSON differs from another.
#[derive(Debug, Clone, Copy)]
struct Style {
    reversed: bool,
    spaced: bool,
    /// Every character as `\u` escapes.
    escaped: bool,
}

const PLAIN: Style = Style { reversed: false, spaced: false, escaped: false };

impl Json {
    fn write(&self, style: Style, out: &mut String) {
        let space = if style.spaced { " \n\t\r" } else { "" };
        let list = |out: &mut String, length: usize, each: &mut dyn FnMut(&mut String, usize)| {
            for index in 0..length {
                out.push_str(if index > 0 { "," } else { "" });
                out.push_str(space);
                each(out, index);
                out.push_str(space);
            }
        };
        match self {
            Json::Plain(text) => out.push_str(text),
            Json::Text(text) => write_string(text, style, out),
            Json::Array(items) => {
                out.push('[');
                list(out, items.len(), &mut |out, index| items[index].write(style, out));
                out.push(']');
            }
            Json::Object(members) => {
                out.push('{');
                list(out, members.len(), &mut |out, index| {
                    let (key, value) = &members[if style.reversed { members.len() - 1 - index } else { index }];
                    write_string(key, style, out);
                    out.push_str(space);
                    out.push(':');
                    out.push_str(space);
                    value.write(style, out);
                });
                out.push('}');
            }
        }
    }

    fn text(&self, style: Style) -> String {
        let mut out = String::new();
        self.write(style, &mut out);
        out
    }
}

fn write_string(text: &str, style: Style, out: &mut String) {
    if style.escaped {
        let units: Vec<String> = text.encode_utf16().map(|unit| format!("\\u{unit:04X}")).collect();
        out.push('"');
        out.push_str(&units.concat());
        out.push('"');
    } else {
        out.push_str(&serde_json::to_string(text).expect("a text has a JSON form"));
    }
}

/// Texts with what makes canonical forms differ: escapes, surrogate pairs, both ends of the basic plane.
fn texts() -> impl Strategy<Value = String> {
    let letters = prop_oneof![
        Just('a'),
        Just('b'),
        Just('"'),
        Just('\\'),
        Just('/'),
        Just('\u{0}'),
        Just('\n'),
        Just('\u{1f}'),
        Just('\u{7f}'),
        Just('é'),
        Just('\u{e000}'),
        Just('\u{ffff}'),
        Just('\u{10000}'),
        Just('😀'),
        any::<char>(),
    ];
    proptest::collection::vec(letters, 0..12).prop_map(|letters| letters.into_iter().collect())
}

/// Numbers of every kind of spelling, all within the range of a double.
fn numbers() -> impl Strategy<Value = String> {
    let finite = any::<f64>().prop_filter("finite", |number| number.is_finite());
    prop_oneof![
        any::<i64>().prop_map(|number| number.to_string()),
        any::<i16>().prop_map(|number| number.to_string()),
        finite.clone().prop_map(|number| format!("{number:e}")),
        finite.clone().prop_map(|number| format!("{number:.17e}")),
        finite.prop_map(|number| format!("{number}")),
        // Ties between two shortest spellings are close to powers of two.
        (-1074i32..1023, -3i64..4).prop_map(|(power, off)| {
            let bits = 2f64.powi(power).to_bits().cast_signed().saturating_add(off).max(0);
            format!("{:e}", f64::from_bits(bits.cast_unsigned()))
        }),
        ("-?(0|[1-9][0-9]{0,20})(\\.[0-9]{1,25})?([eE][+-]?[0-9]{1,2})?").prop_map(String::from),
    ]
}

fn json() -> impl Strategy<Value = Json> {
    let plain = prop_oneof![Just("null".to_owned()), Just("true".to_owned()), Just("false".to_owned()), numbers()];
    let leaf = prop_oneof![plain.prop_map(Json::Plain), texts().prop_map(Json::Text)];
    leaf.prop_recursive(6, 64, 8, |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..8).prop_map(Json::Array),
            proptest::collection::vec((texts(), inner), 0..8).prop_map(|members| {
                let mut seen = BTreeSet::new();
                Json::Object(members.into_iter().filter(|(key, _)| seen.insert(key.clone())).collect())
            }),
        ]
    })
}

/// Names, each once, with what a tool may have.
fn tools() -> impl Strategy<Value = Vec<String>> {
    let tool = (json(), json(), any::<bool>());
    proptest::collection::btree_map(texts(), tool, 0..8).prop_map(|tools| {
        let tool = |(name, (description, schema, more)): (String, (Json, Json, bool))| {
            let mut members = vec![
                ("name".to_owned(), Json::Text(name)),
                ("description".to_owned(), description),
                ("inputSchema".to_owned(), schema),
            ];
            if more {
                members.insert(0, ("title".to_owned(), Json::Text("T".to_owned())));
            }
            Json::Object(members).text(PLAIN)
        };
        tools.into_iter().map(tool).collect()
    })
}

fn canonical(text: &str) -> String {
    gatewright::canonicalize(text.as_bytes()).unwrap_or_else(|error| panic!("{error}: {text}"))
}

fn surface_hashes(tools: &[String]) -> String {
    let surface = format!("[{}]", tools.join(","));
    wire::call("hashSurface", &[surface.as_bytes()]).unwrap_or_else(|error| panic!("{error}: {surface}"))
}

fn cases(few: u32, many: u32) -> ProptestConfig {
    let soak = std::env::var_os("GATEWRIGHT_SOAK").is_some_and(|value| value != "0");
    // A failure shows its smallest input; nothing is written to disk.
    ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(if soak { many } else { few }) }
}

proptest! {
    #![proptest_config(cases(256, 100_000))]

    #[test]
    fn the_canonical_form_is_its_own(value in json()) {
        let once = canonical(&value.text(PLAIN));
        prop_assert_eq!(&canonical(&once), &once);
    }

    #[test]
    fn order_white_space_and_escapes_do_not_matter(value in json()) {
        let plain = canonical(&value.text(PLAIN));
        for style in [
            Style { reversed: true, ..PLAIN },
            Style { spaced: true, ..PLAIN },
            Style { escaped: true, ..PLAIN },
            Style { reversed: true, spaced: true, escaped: true },
        ] {
            prop_assert_eq!(&canonical(&value.text(style)), &plain);
        }
    }

    #[test]
    fn another_implementation_agrees(value in json()) {
        let text = value.text(PLAIN);
        let parsed: Value = serde_json::from_str(&text).expect("it is JSON");
        prop_assert_eq!(canonical(&text), serde_json_canonicalizer::to_string(&parsed).expect("a value is canonical"));
    }

    #[test]
    fn any_bytes_get_an_answer_or_an_error(bytes in proptest::collection::vec(any::<u8>(), 0..64)) {
        for operation in wire::OPERATIONS {
            answer_or_error(operation.name, &vec![bytes.as_slice(); operation.arguments])?;
        }
    }

    #[test]
    fn broken_json_gets_an_answer_or_an_error(value in json(), changes in changes()) {
        let bytes = broken(value.text(Style { spaced: true, ..PLAIN }).into_bytes(), &changes);
        for operation in ["canonicalize", "digest", "hashTool", "hashSurface", "parseLockfile"] {
            answer_or_error(operation, &[&bytes])?;
        }
    }

    #[test]
    fn broken_vectors_get_an_answer_or_an_error(test in any::<Index>(), place in any::<Index>(), changes in changes()) {
        let test = test.get(&SMALL);
        let mut inputs = test.inputs.clone();
        if !inputs.is_empty() {
            let place = place.index(inputs.len());
            inputs[place] = broken(core::mem::take(&mut inputs[place]), &changes);
        }
        answer_or_error(&test.operation, &inputs.iter().map(Vec::as_slice).collect::<Vec<_>>())?;
    }
}

proptest! {
    // SHA-256 is slow without optimisation.
    #![proptest_config(cases(48, 50_000))]

    #[test]
    fn the_order_of_tools_does_not_matter(tools in tools(), turn in any::<Index>()) {
        let hashes = surface_hashes(&tools);
        let mut turned = tools.clone();
        if !turned.is_empty() {
            turned.rotate_left(turn.index(tools.len()));
        }
        prop_assert_eq!(&surface_hashes(&turned), &hashes);
        turned.reverse();
        prop_assert_eq!(surface_hashes(&turned), hashes);
    }

    #[test]
    fn a_tool_alone_hashes_as_in_its_surface(tools in tools()) {
        let all: Value = serde_json::from_str(&surface_hashes(&tools)).expect("an answer is JSON");
        for tool in &tools {
            let alone: Value = serde_json::from_str(&wire::call("hashTool", &[tool.as_bytes()]).expect("a tool"))
                .expect("an answer is JSON");
            let name = &serde_json::from_str::<Value>(tool).expect("a tool is JSON")["name"];
            let within = &all["tools"][name.as_str().expect("a name is a text")];
            for key in ["hash", "nameHash", "descriptionHash", "inputSchemaHash"] {
                prop_assert_eq!(&within[key], &alone[key]);
            }
        }
    }

    #[test]
    fn what_is_locked_is_verified_until_it_changes(tools in tools(), name in texts(), change in any::<Index>()) {
        let servers = |tools: &[String]| {
            format!("[{{\"name\":{},\"surface\":[{}]}}]", serde_json::to_string(&name).expect("a text"), tools.join(","))
        };
        let before = servers(&tools);
        let now = br#"{"now":"2026-08-03T12:00:00Z"}"#;
        let later = br#"{"now":"2027-01-01T00:00:00Z"}"#;
        let lockfile = wire::call("buildLockfile", &[before.as_bytes(), now]).expect("a lockfile");
        let same = wire::call("updateLockfile", &[lockfile.as_bytes(), before.as_bytes(), later]).expect("a lockfile");
        prop_assert_eq!(&same, &lockfile);
        let clean = wire::call("verifyLockfile", &[lockfile.as_bytes(), before.as_bytes(), b"{}"]).expect("an answer");
        prop_assert_eq!(clean, r#"{"verified":true,"findings":[]}"#);
        if tools.is_empty() {
            return Ok(());
        }
        let mut changed = tools.clone();
        changed.remove(change.index(tools.len()));
        let after = servers(&changed);
        let found = wire::call("verifyLockfile", &[lockfile.as_bytes(), after.as_bytes(), b"{}"]).expect("an answer");
        prop_assert!(found.contains("\"verified\":false"), "{}", found);
        let updated = wire::call("updateLockfile", &[lockfile.as_bytes(), after.as_bytes(), now]).expect("a lockfile");
        prop_assert_eq!(updated, wire::call("buildLockfile", &[after.as_bytes(), now]).expect("a lockfile"));
    }
}

/// The vectors that can be run many times over.
static SMALL: LazyLock<Vec<support::Test>> = LazyLock::new(|| {
    let is_small = |test: &support::Test| test.inputs.iter().map(Vec::len).sum::<usize>() < 10_000;
    support::Folder::own().tests().filter(is_small).collect()
});

/// Calls an operation: it must not panic, and an error's texts are single lines.
fn answer_or_error(operation: &str, inputs: &[&[u8]]) -> Result<(), TestCaseError> {
    if let Err(error) = wire::call(operation, inputs) {
        prop_assert_ne!(error.code(), gatewright::Code::InternalError, "{}", error);
        for text in [error.message(), error.help().unwrap_or_default(), &error.to_string()] {
            prop_assert!(!text.contains(|c: char| c.is_control()), "{:?}", text);
        }
        prop_assert_eq!(error.line().is_some(), error.column().is_some());
    }
    Ok(())
}

/// A place, and what is done to the bytes there.
fn changes() -> impl Strategy<Value = Vec<(Index, Change)>> {
    const PIECES: &[&[u8]] = &[
        b"\"",
        b"{",
        b"]",
        b"\\",
        b"\\ud800",
        b"\xED\xA0\x80",
        b"\xFF",
        b"\xF0\x9F",
        b"1e400",
        b"\x00",
        b"\xEF\xBB\xBF",
    ];
    let change = prop_oneof![
        Just(Change::Remove),
        Just(Change::CutHere),
        Just(Change::Double),
        any::<u8>().prop_map(Change::Set),
        proptest::sample::select(PIECES).prop_map(Change::Insert),
    ];
    proptest::collection::vec((any::<Index>(), change), 1..4)
}

#[derive(Debug, Clone)]
enum Change {
    Remove,
    CutHere,
    Double,
    Set(u8),
    Insert(&'static [u8]),
}

fn broken(mut bytes: Vec<u8>, changes: &[(Index, Change)]) -> Vec<u8> {
    for (place, change) in changes {
        if bytes.is_empty() {
            break;
        }
        let place = place.index(bytes.len());
        match change {
            Change::Remove => drop(bytes.remove(place)),
            Change::CutHere => bytes.truncate(place),
            Change::Double => bytes.extend_from_within(place..),
            Change::Set(byte) => bytes[place] = *byte,
            Change::Insert(piece) => drop(bytes.splice(place..place, piece.iter().copied())),
        }
    }
    bytes
}
