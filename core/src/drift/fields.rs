//! The places at which two JSON values differ.

use super::change::{Change, ChangeKind};
use super::words::{self, Budget};
use crate::surface::Json;
use crate::text::limits::MAX_POINTER_BYTES;
use crate::text::pointer::push_key;
use crate::text::strings::compare_utf16;
use crate::text::value::{Data, Value};

/// How many places of one field are told apart. A field that moved in more counts as one that was replaced.
const MAX_PLACES: usize = 256;

/// A tool's name stands in each of its changes: with a long one, fields are not taken apart.
pub(super) const MAX_NAME_BYTES: usize = 256;

/// The places at which `before` and `after`, which stand under `pointer`, differ.
pub(super) fn changes(
    tool: Option<&str>,
    pointer: &str,
    before: Option<&Value>,
    after: Option<&Value>,
    budget: &mut Budget,
) -> Vec<Change> {
    let is_long = tool.is_some_and(|name| name.len() > MAX_NAME_BYTES);
    let mut places = Places { room: if is_long { 1 } else { MAX_PLACES.min(budget.places) }, found: Vec::new() };
    let mut path = pointer.to_owned();
    if let (Some(before), Some(after)) = (before, after)
        && places.walk(before, after, &mut path).is_some()
    {
        budget.places = budget.places.saturating_sub(places.found.len());
        let found = places.found.into_iter();
        return found.map(|(pointer, before, after)| change(tool, pointer, before, after, budget)).collect();
    }
    vec![change(tool, pointer.to_owned(), before, after, budget)]
}

type Place<'v> = (String, Option<&'v Value>, Option<&'v Value>);

struct Places<'v> {
    room: usize,
    found: Vec<Place<'v>>,
}

impl<'v> Places<'v> {
    /// Nothing if there are too many.
    fn walk(&mut self, before: &'v Value, after: &'v Value, path: &mut String) -> Option<()> {
        match (&before.data, &after.data) {
            (Data::Object(old), Data::Object(new)) => {
                let (mut old, mut new) = (old.iter().peekable(), new.iter().peekable());
                loop {
                    let order = match (old.peek(), new.peek()) {
                        (None, None) => return Some(()),
                        (Some(_), None) => core::cmp::Ordering::Less,
                        (None, Some(_)) => core::cmp::Ordering::Greater,
                        (Some((a, _)), Some((b, _))) => compare_utf16(a, b),
                    };
                    let left = if order.is_le() { old.next() } else { None };
                    let right = if order.is_ge() { new.next() } else { None };
                    let key = left.or(right).map_or("", |(key, _)| key);
                    self.member(key, left.map(|(_, value)| value), right.map(|(_, value)| value), path)?;
                }
            }
            (Data::Array(old), Data::Array(new)) if is_list_of_containers(old, new) => old
                .iter()
                .zip(new)
                .enumerate()
                .try_for_each(|(index, (old, new))| self.member(&index.to_string(), Some(old), Some(new), path)),
            _ if before == after => Some(()),
            _ => self.push(path, Some(before), Some(after)),
        }
    }

    fn member(
        &mut self,
        key: &str,
        before: Option<&'v Value>,
        after: Option<&'v Value>,
        path: &mut String,
    ) -> Option<()> {
        let length = path.len();
        push_key(path, key);
        if path.len() > MAX_POINTER_BYTES {
            return None;
        }
        match (before, after) {
            (Some(before), Some(after)) => self.walk(before, after, path)?,
            _ => self.push(path, before, after)?,
        }
        path.truncate(length);
        Some(())
    }

    fn push(&mut self, path: &str, before: Option<&'v Value>, after: Option<&'v Value>) -> Option<()> {
        self.room = self.room.checked_sub(1)?;
        self.found.push((path.to_owned(), before, after));
        Some(())
    }
}

/// Whether two arrays are compared item by item: only if none went or came, and the items have places of
/// their own to name. The items of a list of names are one change together.
fn is_list_of_containers(old: &[Value], new: &[Value]) -> bool {
    let is_container = |value: &Value| matches!(value.data, Data::Object(_) | Data::Array(_));
    old.len() == new.len() && old.iter().chain(new).all(is_container)
}

fn change(
    tool: Option<&str>,
    pointer: String,
    before: Option<&Value>,
    after: Option<&Value>,
    budget: &mut Budget,
) -> Change {
    let texts = before.and_then(Value::as_str).zip(after.and_then(Value::as_str));
    let words = texts.filter(|(before, after)| [before, after].iter().any(|text| text.contains(char::is_whitespace)));
    let json = |value: &Value| Json::of(value.to_compact().as_bytes());
    Change {
        kind: ChangeKind::Changed,
        tool: tool.map(str::to_owned),
        pointer,
        before: before.map(json),
        after: after.map(json),
        words: words.map(|(before, after)| words::diff(before, after, budget)).unwrap_or_default(),
    }
}
