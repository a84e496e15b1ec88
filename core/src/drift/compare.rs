//! From two surfaces to what moved: a pure function without a judgement.
//!
//! Tools that did not move cost one comparison of bytes.

use core::cmp::Ordering;

use super::change::{Change, ChangeKind, Field, Subject};
use super::fields;
use super::neutral;
use super::rename::{self, Likeness};
use super::words::Budget;
use crate::surface::{Coverage, Json, Surface, Tool};
use crate::text::pointer::bounded;
use crate::text::sort::sort_by;
use crate::text::strings::compare_utf16;
use crate::text::value::{Data, Object, Value};

/// How a tool moved.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Fate<'a> {
    Added,
    Removed,
    Renamed { from: &'a str, likeness: Likeness },
    Changed,
}

/// A tool that moved.
#[derive(Debug)]
pub(crate) struct ToolDrift<'a> {
    /// Its name now, or the last that it had.
    pub(crate) name: &'a str,
    pub(crate) fate: Fate<'a>,
    pub(crate) before: Option<Tool<'a>>,
    pub(crate) after: Option<Tool<'a>>,
    /// What moved in it, if it is on both sides.
    pub(crate) fields: Vec<Field>,
}

impl ToolDrift<'_> {
    /// That the tool as a whole moved, if it did.
    pub(crate) fn change(&self) -> Option<Change> {
        let text = |tool: &Option<Tool<'_>>| {
            let mut out = Vec::new();
            tool.as_ref()?.write(&mut out);
            Some(Json::of(&out))
        };
        let name = |name: &str| Some(Json::of(Value::from(name).to_compact().as_bytes()));
        let (kind, before, after) = match self.fate {
            Fate::Changed => return None,
            Fate::Added => (ChangeKind::Added, None, text(&self.after)),
            Fate::Removed => (ChangeKind::Removed, text(&self.before), None),
            Fate::Renamed { from, .. } => (ChangeKind::Renamed, name(from), name(self.name)),
        };
        let pointer = bounded(&["tools", self.name]);
        Some(Change { kind, tool: Some(self.name.to_owned()), pointer, before, after, words: Vec::new() })
    }
}

/// What moved between two surfaces.
#[derive(Debug, Default)]
pub(crate) struct Comparison<'a> {
    /// What the server says of itself, and how it is reached.
    pub(crate) server: Vec<Field>,
    /// In order of their names.
    pub(crate) tools: Vec<ToolDrift<'a>>,
    /// Whether the user gave the way to reach the server, rather than a config.
    pub(crate) endpoint_is_given: bool,
}

/// Whether names alone tell tools apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Names {
    /// A tool with the content of one that is gone is that tool, renamed.
    MayChange,
    /// Another name is another tool.
    AreFixed,
}

/// How many members of a tool that have no rule of their own are told apart. The others are one field.
const MAX_NAMED: usize = 8;

/// Compares two surfaces.
pub(crate) fn compare<'a>(before: &'a Surface, after: &'a Surface, names: Names) -> Comparison<'a> {
    let mut comparison = Comparison::default();
    let mut budget = Budget::default();
    let is_whole = before.coverage == Coverage::Whole && after.coverage == Coverage::Whole;
    let (mut gone, mut new) = (Vec::new(), Vec::new());
    let (mut old_tools, mut new_tools) = (before.tools().peekable(), after.tools().peekable());
    loop {
        let order = match (old_tools.peek(), new_tools.peek()) {
            (None, None) => break,
            (Some(_), None) => Ordering::Less,
            (None, Some(_)) => Ordering::Greater,
            (Some(old), Some(new)) => compare_utf16(old.name, new.name),
        };
        let old = if order.is_le() { old_tools.next() } else { None };
        let now = if order.is_ge() { new_tools.next() } else { None };
        match (old, now) {
            (Some(old), Some(now)) => {
                if old != now {
                    comparison.push(Fate::Changed, old, now, is_whole, &mut budget);
                }
            }
            (Some(old), None) => gone.push(old),
            (None, Some(now)) => new.push(now),
            (None, None) => {}
        }
    }
    let pairs = if names == Names::MayChange { rename::pairs(&gone, &new) } else { Vec::new() };
    let (mut is_kept, mut is_known) = (vec![false; gone.len()], vec![false; new.len()]);
    for (old, now, likeness) in pairs {
        if let (Some(from), Some(to), Some(kept), Some(known)) =
            (gone.get(old), new.get(now), is_kept.get_mut(old), is_known.get_mut(now))
        {
            (*kept, *known) = (true, true);
            comparison.push(Fate::Renamed { from: from.name, likeness }, *from, *to, is_whole, &mut budget);
        }
    }
    let mut whole = |tools: Vec<Tool<'a>>, known: Vec<bool>, fate: Fate<'a>| {
        for (tool, _) in tools.into_iter().zip(known).filter(|(_, known)| !known) {
            let (before, after) = if fate == Fate::Removed { (Some(tool), None) } else { (None, Some(tool)) };
            comparison.tools.push(ToolDrift { name: tool.name, fate, before, after, fields: Vec::new() });
        }
    };
    whole(gone, is_kept, Fate::Removed);
    whole(new, is_known, Fate::Added);
    sort_by(&mut comparison.tools, |a, b| compare_utf16(a.name, b.name));
    if is_whole {
        for (subject, key, old, now) in [
            (Subject::ServerInfo, "serverInfo", &before.server_info, &after.server_info),
            (Subject::Instructions, "instructions", &before.instructions, &after.instructions),
        ] {
            let pointer = bounded(&[key]);
            let value = |json: &Option<Vec<u8>>| json.as_deref().unwrap_or(b"null").to_vec();
            comparison.server.extend(field(subject, None, pointer, &value(old), &value(now), &mut budget));
        }
    }
    comparison
}

impl<'a> Comparison<'a> {
    fn push(&mut self, fate: Fate<'a>, before: Tool<'a>, after: Tool<'a>, is_whole: bool, budget: &mut Budget) {
        let name = after.name;
        let mut fields = Vec::new();
        let hints = [before.annotations, after.annotations]
            .map(|json| if is_whole { json.to_vec() } else { known_hints(json) });
        let [old_hints, new_hints] = &hints;
        for (subject, key, old, new) in [
            (Subject::Annotations, "annotations", old_hints.as_slice(), new_hints.as_slice()),
            (Subject::InputSchema, "inputSchema", before.input_schema, after.input_schema),
            (Subject::Description, "description", before.description, after.description),
        ] {
            fields.extend(field(subject, Some(name), bounded(&["tools", name, key]), old, new, budget));
        }
        if is_whole && before.extras != after.extras {
            extras(&before, &after, &mut fields, budget);
        }
        if fate != Fate::Changed || !fields.is_empty() {
            self.tools.push(ToolDrift { name, fate, before: Some(before), after: Some(after), fields });
        }
    }
}

/// Annotations as the SDK that mcplock uses hands them on: those of the protocol that are not `null`.
fn known_hints(json: &[u8]) -> Vec<u8> {
    const KNOWN: [&str; 5] = ["destructiveHint", "idempotentHint", "openWorldHint", "readOnlyHint", "title"];
    let Ok(Value { data: Data::Object(members), .. }) = Value::parse(json) else { return json.to_vec() };
    let mut known = Object::default();
    for key in KNOWN {
        if let Some(value) = members.get(key).filter(|value| value.data != Data::Null) {
            known.set(key, value.clone());
        }
    }
    Value::from(known).to_compact().into_bytes()
}

/// A member of a tool before and after; nothing stands for what is absent.
struct Member<'k> {
    key: &'k str,
    before: Vec<u8>,
    after: Vec<u8>,
}

/// The members that moved of those that `mcplock` does not look at.
fn extras(before: &Tool<'_>, after: &Tool<'_>, fields: &mut Vec<Field>, budget: &mut Budget) {
    let (old, new) = (before.extra_members(), after.extra_members());
    let mut keys: Vec<&str> = old.iter().chain(&new).map(|(key, _)| key.as_str()).collect();
    sort_by(&mut keys, |a, b| compare_utf16(a, b));
    keys.dedup();
    let value = |members: &[(String, Vec<u8>)], key: &str| {
        let place = members.binary_search_by(|(other, _)| compare_utf16(other, key)).ok();
        place.and_then(|place| members.get(place)).map(|(_, value)| value.clone()).unwrap_or_default()
    };
    let members = keys.into_iter().map(|key| Member { key, before: value(&old, key), after: value(&new, key) });
    let (mut named, mut others) = (0, Vec::new());
    for member in members.filter(|member| member.before != member.after) {
        let subject = Subject::of_member(member.key);
        named += usize::from(subject == Subject::Other);
        if subject == Subject::Other && (named > MAX_NAMED || after.name.len() > fields::MAX_NAME_BYTES) {
            others.push(member);
            continue;
        }
        let pointer = bounded(&["tools", after.name, member.key]);
        fields.extend(field(subject, Some(after.name), pointer, &member.before, &member.after, budget));
    }
    let side = |side: for<'m> fn(&'m Member<'_>) -> &'m [u8]| {
        let mut object = Object::default();
        for member in others.iter().filter(|member| !side(member).is_empty()) {
            object.set(member.key, Value::parse(side(member)).unwrap_or_else(|_| text_of(side(member))));
        }
        Value::from(object).to_compact().into_bytes()
    };
    let (old, new) = (side(|member| &member.before), side(|member| &member.after));
    fields.extend(field(Subject::Other, Some(after.name), bounded(&["tools", after.name]), &old, &new, budget));
}

/// A field, if it moved. Nothing, or `null`, stands for what is absent.
fn field(
    subject: Subject,
    tool: Option<&str>,
    pointer: String,
    before: &[u8],
    after: &[u8],
    budget: &mut Budget,
) -> Option<Field> {
    if before == after {
        return None;
    }
    let value = |json: &[u8]| if json.is_empty() { Some(Data::Null.into()) } else { Value::parse(json).ok() };
    let (before_tree, after_tree) = (value(before), value(after));
    let is_opaque = before_tree.is_none() || after_tree.is_none();
    let (before_value, after_value) =
        (before_tree.unwrap_or_else(|| text_of(before)), after_tree.unwrap_or_else(|| text_of(after)));
    let is_there = |json: &[u8]| !json.is_empty() && (json != b"null" || subject.tells_null_from_nothing());
    let changes = fields::changes(
        tool,
        &pointer,
        is_there(before).then_some(&before_value),
        is_there(after).then_some(&after_value),
        budget,
    );
    let is_neutral = !is_opaque && neutral::is_neutral(subject, &before_value, &after_value);
    Some(Field { subject, pointer, before: before_value, after: after_value, is_neutral, is_opaque, changes })
}

impl Field {
    /// A field of the server's that moved as a whole.
    pub(crate) fn moved(subject: Subject, pointer: String, before: &Value, after: &Value) -> Self {
        let json = |value: &Value| Some(Json::of(value.to_compact().as_bytes()));
        let change = Change {
            kind: ChangeKind::Changed,
            tool: None,
            pointer: pointer.clone(),
            before: json(before),
            after: json(after),
            words: Vec::new(),
        };
        Self {
            subject,
            pointer,
            before: before.clone(),
            after: after.clone(),
            is_neutral: false,
            is_opaque: false,
            changes: vec![change],
        }
    }
}

/// What stands for JSON that is larger than a tree may be.
fn text_of(json: &[u8]) -> Value {
    Value::from(String::from_utf8_lossy(json).into_owned())
}
