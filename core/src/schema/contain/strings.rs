//! Strings: lengths, patterns and formats.

use super::{Gap, Spot, Walk};
use crate::schema::flat::Flat;
use crate::schema::pattern::{Beyond, Pattern};
use crate::text::value::Value;

/// How long a text may be to be an example.
const MAX_EXAMPLE: usize = 20_000;

/// What it takes to compare patterns, at most of them.
const WORK_OF_PATTERNS: usize = 4000;

impl<'v> Walk<'v> {
    pub(super) fn of_strings(&self, old: &Flat<'v>, new: &Flat<'v>) -> Vec<Gap<'v>> {
        let mut found = Vec::new();
        let (least, most) = (old.least("minLength"), old.most("maxLength"));
        let samples = || self.samples(&new.of_kind("string"));
        if new.least("minLength") < least {
            let mut tries: Vec<Value> = [least - 1, 0].into_iter().filter_map(run).collect();
            tries.extend(samples());
            found.push(Gap::of("minLength", old, new, tries));
        }
        if let Some(most) = most
            && new.most("maxLength").is_none_or(|other| other > most)
        {
            let longer = |text: Value| {
                let text = text.as_str()?;
                let missing = (most + 1).saturating_sub(text.chars().count());
                (most < MAX_EXAMPLE).then(|| {
                    Value::from(
                        text.to_owned() + &text.chars().last().map_or_else(String::new, String::from).repeat(missing),
                    )
                })
            };
            let tries = run(most + 1).into_iter().chain(samples().into_iter().filter_map(longer)).collect();
            found.push(Gap::of("maxLength", old, new, tries));
        }
        for pattern in old.all("pattern") {
            if !new.all("pattern").any(|other| other == pattern) {
                found.extend(self.of_pattern(pattern, new));
            }
        }
        for format in old.all("format") {
            if !new.all("format").any(|other| other == format) {
                let mut tries = vec![Value::from("x")];
                tries.extend(samples());
                found.push(Gap::new("format", Spot::At(format), Spot::of(new, "format"), tries));
            }
        }
        found
    }

    /// A pattern that the new schema does not have.
    fn of_pattern(&self, pattern: &'v Value, new: &Flat<'v>) -> Option<Gap<'v>> {
        let news = new.all("pattern").map(|other| Pattern::parse(other.as_str()?)).collect::<Option<Vec<_>>>();
        let old = pattern.as_str().and_then(Pattern::parse);
        let beyond = old
            .zip(news)
            .filter(|_| self.take(WORK_OF_PATTERNS))
            .map(|(old, news)| old.beyond(&news, new.least("minLength"), new.most("maxLength")));
        let mut tries = Vec::new();
        match beyond {
            Some(Beyond::Nothing) => return None,
            Some(Beyond::Text(text)) => tries.push(Value::from(text)),
            Some(Beyond::Unknown) | None => {}
        }
        tries.extend(["", "x", "0", " ", "X", "-", "/", "é", "../x", "a b", "\n", "!"].map(Value::from));
        tries.extend(run(new.least("minLength")));
        tries.extend(self.samples(&new.of_kind("string")));
        Some(Gap::new("pattern", Spot::At(pattern), Spot::of(new, "pattern"), tries))
    }
}

/// A text of a length, unless that is too long.
fn run(length: usize) -> Option<Value> {
    (length < MAX_EXAMPLE).then(|| Value::from("x".repeat(length)))
}
