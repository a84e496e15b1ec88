//! What some patterns match and another does not: the shortest such text, or that there is none.
//!
//! All patterns are followed at once, from one set of steps to the next; texts are built from one character of
//! each class that the patterns can tell apart.

use std::collections::{BTreeSet, VecDeque};

use super::{Pattern, Step};
use crate::text::sort::sort_by;

/// How many states are looked at, how many classes of characters are told apart, and how much work it may be.
const MAX_STATES: usize = 3000;
const MAX_CLASSES: usize = 160;
const MAX_WORK: usize = 500_000;

/// The longest text that may be asked for.
const MAX_LEAST: usize = 100;

/// What is beyond a pattern.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Beyond {
    /// There is nothing.
    Nothing,
    /// The shortest text.
    Text(String),
    /// It is not known, or would take too long.
    Unknown,
}

/// Where a pattern is after some characters: the steps that wait for the next, or that it was found already.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct State {
    /// In order.
    waiting: Vec<usize>,
    is_found: bool,
}

/// Where all of them are, the old one first, and how many characters that took, as far as that matters.
type States = (Vec<State>, usize);

impl Pattern {
    /// What all the others match and this one does not, among texts of these lengths.
    pub(crate) fn beyond(&self, others: &[Self], least: usize, most: Option<usize>) -> Beyond {
        let all: Vec<&Self> = core::iter::once(self).chain(others).collect();
        let Some(characters) = characters(&all).filter(|_| least <= MAX_LEAST) else { return Beyond::Unknown };
        let size: usize = all.iter().map(|pattern| pattern.program.len()).sum();
        let start: Vec<State> = all.iter().map(|pattern| pattern.enter(Vec::new(), true)).collect();
        let mut seen: BTreeSet<States> = BTreeSet::new();
        // Each state with the text that led to it: the shortest come first.
        let mut queue = VecDeque::from([(start, String::new(), 0_usize)]);
        let mut work = 0;
        while let Some((states, text, length)) = queue.pop_front() {
            let is_matched = |(pattern, state): (&&Self, &State)| pattern.ends(state, length == 0);
            let mut matched = all.iter().zip(&states).map(is_matched);
            if length >= least && matched.next() == Some(false) && matched.all(|is_matched| is_matched) {
                return Beyond::Text(text);
            }
            if most.is_some_and(|most| length >= most) {
                continue;
            }
            for c in &characters {
                work += size;
                let next: Vec<State> =
                    all.iter().zip(&states).map(|(pattern, state)| pattern.read(state, *c)).collect();
                // What was found stays found.
                let is_lost = next.first().is_none_or(|old| old.is_found)
                    || next
                        .iter()
                        .skip(1)
                        .zip(others)
                        .any(|(state, other)| state.waiting.is_empty() && !state.is_found && other.is_anchored());
                if is_lost || !seen.insert((next.clone(), (length + 1).min(least))) {
                    continue;
                }
                if seen.len() > MAX_STATES || work > MAX_WORK {
                    return Beyond::Unknown;
                }
                let mut longer = text.clone();
                longer.push(*c);
                queue.push_back((next, longer, length + 1));
            }
        }
        Beyond::Nothing
    }

    /// Whether it can only begin where the text does.
    fn is_anchored(&self) -> bool {
        self.program.first() == Some(&Step::Start)
    }

    /// All that is reached without reading from these steps, and from the first.
    fn enter(&self, mut from: Vec<usize>, is_start: bool) -> State {
        from.push(0);
        let state = self.reach(from, is_start, false);
        if state.is_found { State { waiting: Vec::new(), is_found: true } } else { state }
    }

    fn read(&self, state: &State, c: char) -> State {
        if state.is_found {
            return state.clone();
        }
        let reads = |at: &usize| matches!(self.program.get(*at), Some(Step::Class(class)) if class.has(c));
        self.enter(state.waiting.iter().copied().filter(reads).map(|at| at + 1).collect(), false)
    }

    /// Whether it is found if the text ends here.
    fn ends(&self, state: &State, is_start: bool) -> bool {
        state.is_found || self.reach(state.waiting.clone(), is_start, true).is_found
    }

    fn reach(&self, mut from: Vec<usize>, is_start: bool, is_end: bool) -> State {
        let mut seen = vec![false; self.program.len()];
        let mut state = State { waiting: Vec::new(), is_found: false };
        while let Some(at) = from.pop() {
            match seen.get_mut(at) {
                Some(seen @ false) => *seen = true,
                _ => continue,
            }
            match self.program.get(at) {
                Some(Step::Done) => state.is_found = true,
                Some(Step::Jump(to)) => from.push(*to),
                Some(Step::Split(a, b)) => from.extend([*a, *b]),
                Some(Step::Start) if is_start => from.push(at + 1),
                Some(Step::End) if is_end => from.push(at + 1),
                Some(Step::Class(_) | Step::End) => state.waiting.push(at),
                _ => {}
            }
        }
        sort_by(&mut state.waiting, Ord::cmp);
        state
    }
}

/// One character of each class that the patterns tell apart, readable ones first. Nothing if there are too many,
/// or if what stands beside a character matters.
fn characters(patterns: &[&Pattern]) -> Option<Vec<char>> {
    let mut starts = vec![0];
    for step in patterns.iter().flat_map(|pattern| &pattern.program) {
        match step {
            Step::Boundary(_) => return None,
            Step::Class(class) => {
                for (from, to) in &class.ranges {
                    starts.extend([u32::from(*from), u32::from(*to) + 1]);
                }
            }
            _ => {}
        }
    }
    sort_by(&mut starts, Ord::cmp);
    starts.dedup();
    if starts.len() > MAX_CLASSES {
        return None;
    }
    let mut is_taken = vec![false; starts.len()];
    let mut all = Vec::new();
    for c in "x0X -_./:@\u{e9}".chars().chain('!'..='~') {
        let class = starts.partition_point(|start| *start <= u32::from(c)).saturating_sub(1);
        if let Some(is_taken @ false) = is_taken.get_mut(class) {
            *is_taken = true;
            all.push(c);
        }
    }
    let ends = starts.iter().copied().skip(1).chain([0x11_0000]);
    for ((start, end), _) in starts.iter().copied().zip(ends).zip(is_taken).filter(|(_, is_taken)| !is_taken) {
        // Surrogates are no characters.
        let first = if (0xD800..0xE000).contains(&start) { 0xE000 } else { start };
        all.extend((first < end).then(|| char::from_u32(first)).flatten());
    }
    Some(all)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn beyond(old: &str, new: &[&str], least: usize, most: Option<usize>) -> Beyond {
        let pattern = |text: &&str| Pattern::parse(text).unwrap();
        pattern(&old).beyond(&new.iter().map(pattern).collect::<Vec<_>>(), least, most)
    }

    #[test]
    fn the_shortest_text_beyond_a_pattern_is_found() {
        for (old, new, least, most, expected) in [
            ("^[a-z]+$", vec!["^[a-f]+$"], 0, None, None),
            ("^[a-z]+$", vec!["^[a-z]*$"], 0, None, Some("")),
            ("^[a-z]+$", vec!["^[a-z]*$"], 1, None, None),
            ("^[a-z]+$", vec![], 0, None, Some("")),
            ("^[a-z]+$", vec![], 1, None, Some("0")),
            ("a", vec!["^a"], 0, None, None),
            ("^a", vec!["a"], 0, None, Some("xa")),
            ("^a", vec!["a"], 0, Some(1), None),
            ("^.{0,3}$", vec!["^x*$"], 0, None, Some("xxxx")),
            ("^(abc|abd)$", vec!["^ab[cd]$"], 0, None, None),
            ("^[A-Z][A-Z0-9]+-\\d+$", vec!["^[A-Z][A-Z0-9]+-\\d*$"], 0, None, Some("X0-")),
            ("^x?$", vec!["^x", "x$"], 0, None, Some("xx")),
            ("^[^/]*$", vec!["^[^\\\\]*$"], 0, None, Some("/")),
            ("^$", vec!["^ ?$"], 0, None, Some(" ")),
        ] {
            let expected = expected.map_or(Beyond::Nothing, |text| Beyond::Text(text.to_owned()));
            assert_eq!(beyond(old, &new, least, most), expected, "{old} {new:?}");
        }
        assert_eq!(beyond(r"\bx", &[], 0, None), Beyond::Unknown);
        assert_eq!(beyond("^(x{0,400}y{0,400}){2}$", &["^([xy]{0,300}x){2}$"], 90, None), Beyond::Unknown);
    }
}
