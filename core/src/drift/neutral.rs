//! The meaning-neutral form: two fields that have the same one differ in nothing that means something.
//!
//! It leaves out the order of `required`, `enum` and `type` sets, white space between words, `$schema`, and
//! `$defs` that nothing refers to. (Key order and the spelling of numbers are gone with the canonical form.)

use std::collections::BTreeSet;

use super::change::Subject;
use crate::digest::Digest;
use crate::text::escape::is_deceptive;
use crate::text::sort::sort_by;
use crate::text::strings::compare_utf16;
use crate::text::value::{Data, Object, Value};

/// Whether a field means the same before and after.
pub(super) fn is_neutral(subject: Subject, before: &Value, after: &Value) -> bool {
    let means = |value: &Value| meaning(subject, value);
    means(before) == means(after) && !pushes_out_of_sight(before, after)
}

/// The hash of a field's meaning-neutral form.
pub(super) fn meaning_hash(subject: Subject, value: &Value) -> Digest {
    Digest::of(meaning(subject, value).to_compact().as_bytes())
}

fn meaning(subject: Subject, value: &Value) -> Value {
    match &value.data {
        Data::String(text) if matches!(subject, Subject::Description | Subject::Title | Subject::Instructions) => {
            fold(text).into()
        }
        Data::Object(_) if subject.is_schema() => schema(&without_unreferenced(value)),
        _ => value.clone(),
    }
}

/// A schema in its meaning-neutral form.
fn schema(value: &Value) -> Value {
    let Some(members) = value.as_object() else { return value.clone() };
    let mut out = Object::default();
    for (key, member) in members.iter() {
        let neutral = match (key, &member.data) {
            ("$schema", Data::String(dialect)) if is_dialect(dialect) => continue,
            ("required" | "enum" | "type", Data::Array(items)) => set(items, key == "type"),
            ("description" | "title" | "$comment", Data::String(text)) => fold(text).into(),
            (
                "properties" | "patternProperties" | "$defs" | "definitions" | "dependentSchemas",
                Data::Object(schemas),
            ) => {
                let mut named = Object::default();
                for (name, member) in schemas.iter() {
                    named.set(name, schema(member));
                }
                named.into()
            }
            ("anyOf" | "oneOf" | "allOf" | "prefixItems" | "items", Data::Array(items)) => {
                Data::Array(items.iter().map(schema).collect()).into()
            }
            (
                "items"
                | "additionalItems"
                | "additionalProperties"
                | "unevaluatedItems"
                | "unevaluatedProperties"
                | "contains"
                | "propertyNames"
                | "not"
                | "if"
                | "then"
                | "else",
                Data::Object(_),
            ) => schema(member),
            _ => member.clone(),
        };
        out.set(key, neutral);
    }
    out.into()
}

/// The items as a set; one alone may stand for itself.
fn set(items: &[Value], or_alone: bool) -> Value {
    let mut items: Vec<(String, &Value)> = items.iter().map(|item| (item.to_compact(), item)).collect();
    sort_by(&mut items, |(a, _), (b, _)| compare_utf16(a, b));
    items.dedup_by(|(a, _), (b, _)| a == b);
    match items.as_slice() {
        [(_, alone)] if or_alone => (*alone).clone(),
        _ => Data::Array(items.into_iter().map(|(_, item)| item.clone()).collect()).into(),
    }
}

const DEFINITIONS: [&str; 2] = ["$defs", "definitions"];

/// The schema without definitions that nothing refers to. Where references cannot all be followed by their
/// names, it stays as it is.
fn without_unreferenced(value: &Value) -> Value {
    let mut root = value.as_object().cloned().unwrap_or_default();
    let definitions = DEFINITIONS.map(|key| root.remove(key));
    let mut references = References::default();
    references.collect_members(&root);
    while let Some((place, name)) = references.waiting.pop() {
        let all = definitions.get(place).and_then(Option::as_ref).and_then(Value::as_object);
        if let Some(definition) = all.and_then(|all| all.get(&name)) {
            references.collect(definition);
        }
    }
    if references.are_obscure {
        return value.clone();
    }
    for (place, (key, definitions)) in DEFINITIONS.iter().zip(definitions).enumerate() {
        let Some(mut definitions) = definitions else { continue };
        if let Data::Object(named) = &mut definitions.data {
            let is_used = |name: &str| references.seen.contains(&(place, name.to_owned()));
            // What nothing refers to is read all the same, if there is something to read.
            let readable: Vec<String> = named
                .iter()
                .filter(|(name, definition)| !is_used(name) && has_text(definition))
                .map(|(name, _)| name.to_owned())
                .collect();
            named.retain(|name| is_used(name) || readable.iter().any(|other| other == name));
            if named.iter().next().is_none() {
                continue;
            }
        }
        root.set(key, definitions);
    }
    root.into()
}

/// Whether a text is the name of a dialect of JSON Schema, and nothing that someone might read.
fn is_dialect(text: &str) -> bool {
    let name = text.strip_prefix("http").map(|rest| rest.trim_start_matches('s'));
    name.and_then(|name| name.strip_prefix("://json-schema.org/")).is_some_and(|name| {
        name.len() < 40 && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-/#".contains(&byte))
    })
}

/// Whether there is a text of several words somewhere.
fn has_text(value: &Value) -> bool {
    let is_text = |text: &str| text.contains(char::is_whitespace);
    match &value.data {
        Data::String(text) => is_text(text),
        Data::Array(items) => items.iter().any(has_text),
        Data::Object(members) => members.iter().any(|(key, member)| is_text(key) || has_text(member)),
        _ => false,
    }
}

#[derive(Default)]
struct References {
    /// By the place of their keyword in [`DEFINITIONS`], and by name.
    seen: BTreeSet<(usize, String)>,
    waiting: Vec<(usize, String)>,
    /// Whether there is something that names alone do not tell.
    are_obscure: bool,
}

impl References {
    fn collect(&mut self, value: &Value) {
        match &value.data {
            Data::Object(members) => self.collect_members(members),
            Data::Array(items) => items.iter().for_each(|item| self.collect(item)),
            _ => {}
        }
    }

    fn collect_members(&mut self, members: &Object) {
        for (key, member) in members.iter() {
            match (key, member.as_str()) {
                ("$ref", Some(target)) => self.add(target),
                ("$id" | "$anchor" | "$dynamicAnchor" | "$dynamicRef" | "$recursiveRef", Some(_)) => {
                    self.are_obscure = true;
                }
                _ => self.collect(member),
            }
        }
    }

    fn add(&mut self, target: &str) {
        if target == "#" {
            return;
        }
        let Some(path) = target.strip_prefix("#/").filter(|path| !path.contains('%')) else {
            self.are_obscure = true;
            return;
        };
        let mut steps = path.split('/');
        let first = steps.next();
        let Some(place) = DEFINITIONS.iter().position(|key| Some(*key) == first) else { return };
        let Some(name) = steps.next() else {
            self.are_obscure = true;
            return;
        };
        let name = (place, name.replace("~1", "/").replace("~0", "~"));
        if self.seen.insert(name.clone()) {
            self.waiting.push(name);
        }
    }
}

/// How many line breaks, or characters, of white space in a row push what follows out of sight.
const MAX_BREAKS: usize = 5;
const MAX_RUN: usize = 80;

/// The text with one space between words, except where white space pushes text out of sight.
fn fold(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for (run, word) in runs(text, char::is_whitespace) {
        if is_gap(run) {
            out.push_str(run);
        } else if !out.is_empty() && !run.is_empty() && !word.is_empty() {
            out.push(' ');
        }
        out.push_str(word);
    }
    out
}

/// The white space before each word, and the word; the last word may be empty.
fn runs(text: &str, is_space: fn(char) -> bool) -> impl Iterator<Item = (&str, &str)> {
    let mut rest = text;
    core::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let word = rest.find(|c: char| !is_space(c)).unwrap_or(rest.len());
        let (run, after) = rest.split_at_checked(word)?;
        let end = after.find(is_space).unwrap_or(after.len());
        let (word, after) = after.split_at_checked(end)?;
        rest = after;
        Some((run, word))
    })
}

/// White space, and what leaves a space or nothing where it stands.
fn is_blank(c: char) -> bool {
    c.is_whitespace() || c == '\u{2800}' || is_deceptive(c)
}

fn breaks(run: &str) -> usize {
    run.chars().filter(|c| matches!(c, '\n' | '\r' | '\u{b}' | '\u{c}' | '\u{85}' | '\u{2028}' | '\u{2029}')).count()
}

fn is_gap(run: &str) -> bool {
    breaks(run) > MAX_BREAKS || run.chars().count() > MAX_RUN
}

/// Whether white space that is new in `after` moves text to where nobody looks.
pub(super) fn pushes_out_of_sight(before: &Value, after: &Value) -> bool {
    let (before, after) = (Space::of(before), Space::of(after));
    // Text that is broken into lines has at least some twenty characters in each.
    after.gaps > before.gaps || after.breaks > before.breaks + 20 + after.characters / 20
}

#[derive(Default)]
struct Space {
    gaps: usize,
    breaks: usize,
    characters: usize,
}

impl Space {
    fn of(value: &Value) -> Self {
        let mut space = Self::default();
        space.add(value);
        space
    }

    fn add(&mut self, value: &Value) {
        match &value.data {
            Data::String(text) => {
                for (run, word) in runs(text, is_blank) {
                    self.gaps += usize::from(is_gap(run));
                    self.breaks += breaks(run);
                    self.characters += word.chars().count();
                }
            }
            Data::Array(items) => items.iter().for_each(|item| self.add(item)),
            Data::Object(members) => members.iter().for_each(|(_, member)| self.add(member)),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn neutral(subject: Subject, before: &str, after: &str) -> bool {
        let value = |text: &str| Value::parse(text.as_bytes()).unwrap();
        is_neutral(subject, &value(before), &value(after))
    }

    #[test]
    fn sets_have_no_order_and_lists_do() {
        for (before, after, expected) in [
            (r#"{"required":["a","b"]}"#, r#"{"required":["b","a"]}"#, true),
            (r#"{"required":["a","b"]}"#, r#"{"required":["a"]}"#, false),
            (r#"{"type":["string","null"]}"#, r#"{"type":["null","string"]}"#, true),
            (r#"{"type":["string"]}"#, r#"{"type":"string"}"#, true),
            (r#"{"properties":{"p":{"enum":[1,"1"]}}}"#, r#"{"properties":{"p":{"enum":["1",1]}}}"#, true),
            (r#"{"enum":[["a","b"]]}"#, r#"{"enum":[["b","a"]]}"#, false),
            (r#"{"default":["a","b"]}"#, r#"{"default":["b","a"]}"#, false),
            (
                r#"{"properties":{"required":{"default":["a","b"]}}}"#,
                r#"{"properties":{"required":{"default":["b","a"]}}}"#,
                false,
            ),
            (
                r#"{"$schema":"http://json-schema.org/draft-07/schema#","items":{"required":["a","b"]}}"#,
                r#"{"items":{"required":["b","a"]}}"#,
                true,
            ),
            (
                r#"{"properties":{"description":{"const":" x"}}}"#,
                r#"{"properties":{"description":{"const":"x"}}}"#,
                false,
            ),
            (r#"{"properties":{"p":{"description":"a  b"}}}"#, r#"{"properties":{"p":{"description":"a b\n"}}}"#, true),
            (r#"{"pattern":"a  b"}"#, r#"{"pattern":"a b"}"#, false),
            (r#"{"$schema":"Read this first."}"#, "{}", false),
            (r#"{"$defs":{"a":{"description":"Read this first."}}}"#, "{}", false),
            (r#"{"$defs":{"a":{"description":"A"}}}"#, "{}", true),
            (r#"{"type":"object"}"#, r#"{"type":"object","$defs":{"a":{}}}"#, true),
            (
                r##"{"items":{"$ref":"#/$defs/b"},"$defs":{"a":{},"b":{}}}"##,
                r##"{"items":{"$ref":"#/$defs/b"},"$defs":{"b":{}}}"##,
                true,
            ),
        ] {
            assert_eq!(neutral(Subject::InputSchema, before, after), expected, "{before} {after}");
        }
        let chain = |last: &str| {
            format!(
                r##"{{"items":{{"$ref":"#/$defs/a"}},"$defs":{{"a":{{"$ref":"#/$defs/b"}},"b":{{"type":"{last}"}}}}}}"##
            )
        };
        assert!(!neutral(Subject::InputSchema, &chain("string"), &chain("null")));
        let obscure =
            |other: &str| format!(r#"{{"items":{{"$ref":"other.json"}},"$defs":{{"a":{{"type":"{other}"}}}}}}"#);
        assert!(!neutral(Subject::InputSchema, &obscure("string"), &obscure("null")));
    }

    #[test]
    fn white_space_means_nothing_unless_it_hides() {
        assert!(neutral(Subject::Description, r#""a b""#, r#"" a\n\n  b ""#));
        assert!(!neutral(Subject::Description, r#""a b""#, r#""ab""#));
        let pushed = format!("\"a{}b\"", "\\n".repeat(300));
        assert!(!neutral(Subject::Description, r#""a b""#, &pushed));
        assert!(neutral(Subject::Description, &pushed, &pushed.replace('a', " a")));
        let spread = format!("\"{}\"", "a\\n\\n\\n\\n".repeat(30));
        assert!(!neutral(Subject::Description, &spread.replace("\\n\\n\\n\\n", " "), &spread));
        let unseen = format!("\"a{}b\"", "\u{2800}".repeat(300));
        assert!(pushes_out_of_sight(&Value::parse(b"\"a b\"").unwrap(), &Value::parse(unseen.as_bytes()).unwrap()));
        let wide = format!("\"a{}b\"", " ".repeat(200));
        assert!(!neutral(Subject::Description, r#""a b""#, &wide));
        let text = "word ".repeat(200);
        assert!(neutral(
            Subject::Description,
            &format!("\"{text}\""),
            &format!("\"{}\"", text.replace("word word word word word ", "word word word word word\\n"))
        ));
    }
}
