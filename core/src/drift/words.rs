//! The difference of two texts, word by word (Myers, "An O(ND) Difference Algorithm", 1986), within bounds.

use serde::Serialize;

/// Whether a piece of text stayed, went or came.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum EditKind {
    /// In both texts.
    Same,
    /// Only in the old one.
    Removed,
    /// Only in the new one.
    Added,
}

/// A piece of one text or both.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Edit {
    /// Whether it stayed, went or came.
    pub kind: EditKind,
    /// The piece, as it stands in the text.
    pub text: String,
}

/// How many words of two texts may differ before the rest counts as replaced.
const MAX_DIFFERENCES: usize = 200;

/// What one comparison of two surfaces may spend. Beyond it, what lies between two texts' common start and
/// common end, or a whole field, counts as replaced: still true, only coarser.
#[derive(Debug)]
pub(crate) struct Budget {
    /// Steps of word diffs.
    steps: usize,
    /// Places in fields that are told apart.
    pub(super) places: usize,
}

impl Default for Budget {
    fn default() -> Self {
        Self { steps: 20_000_000, places: 100_000 }
    }
}

/// The words, white space and other characters of a text, one after another.
pub(crate) fn tokens(text: &str) -> Vec<&str> {
    #[derive(PartialEq, Eq, Clone, Copy)]
    enum Class {
        Word,
        Space,
        Single,
    }
    let class = |c: char| match c {
        // Scripts without spaces between words: each character for itself.
        '\u{2E80}'..='\u{9FFF}' | '\u{AC00}'..='\u{D7AF}' | '\u{F900}'..='\u{FAFF}' | '\u{20000}'..='\u{3FFFF}' => {
            Class::Single
        }
        c if c.is_alphanumeric() || c == '_' => Class::Word,
        c if c.is_whitespace() => Class::Space,
        _ => Class::Single,
    };
    let mut tokens = Vec::new();
    let mut chars = text.char_indices().peekable();
    while let Some((start, c)) = chars.next() {
        let of = class(c);
        while of != Class::Single && chars.next_if(|(_, next)| class(*next) == of).is_some() {}
        let end = chars.peek().map_or(text.len(), |(at, _)| *at);
        tokens.extend(text.get(start..end));
    }
    tokens
}

/// How the one text becomes the other.
pub(crate) fn diff(before: &str, after: &str, budget: &mut Budget) -> Vec<Edit> {
    let (before, after) = (tokens(before), tokens(after));
    let start = before.iter().zip(&after).take_while(|(a, b)| a == b).count();
    let (head, a) = before.split_at_checked(start).unwrap_or_default();
    let b = after.get(start..).unwrap_or_default();
    let end = a.iter().rev().zip(b.iter().rev()).take_while(|(a, b)| a == b).count();
    let (a, tail) = a.split_at_checked(a.len() - end).unwrap_or_default();
    let b = b.get(..b.len() - end).unwrap_or_default();
    let mut edits = Edits::default();
    edits.push(EditKind::Same, head);
    if let Some(script) = shortest(a, b, budget) {
        for (kind, token) in script {
            edits.push(kind, &[token]);
        }
    } else {
        edits.push(EditKind::Removed, a);
        edits.push(EditKind::Added, b);
    }
    edits.push(EditKind::Same, tail);
    edits.finish()
}

/// The shortest script from `a` to `b`, or nothing if it is longer than the bounds allow.
#[expect(clippy::many_single_char_names, reason = "the names of the paper")]
fn shortest<'t>(a: &[&'t str], b: &[&'t str], budget: &mut Budget) -> Option<Vec<(EditKind, &'t str)>> {
    if a.is_empty() || b.is_empty() {
        return None;
    }
    let middle = MAX_DIFFERENCES.min(a.len() + b.len());
    // `furthest[middle + k]` is how far into `a` the diagonal k = (place in a) - (place in b) was followed.
    let mut furthest = vec![0_usize; 2 * middle + 2];
    let mut trace = Vec::new();
    let at = |furthest: &[usize], k: isize| {
        middle.checked_add_signed(k).and_then(|place| furthest.get(place)).copied().unwrap_or_default()
    };
    for d in 0..=middle {
        budget.steps = budget.steps.checked_sub(furthest.len())?;
        trace.push(furthest.clone());
        let d = isize::try_from(d).ok()?;
        let mut k = -d;
        while k <= d {
            let down = k == -d || (k != d && at(&furthest, k - 1) < at(&furthest, k + 1));
            let mut x = if down { at(&furthest, k + 1) } else { at(&furthest, k - 1) + 1 };
            let mut y = x.checked_add_signed(-k).unwrap_or(usize::MAX);
            let from = x;
            while let (Some(left), Some(right)) = (a.get(x), b.get(y))
                && left == right
            {
                (x, y) = (x + 1, y + 1);
            }
            budget.steps = budget.steps.checked_sub(x - from)?;
            if let Some(place) = middle.checked_add_signed(k).and_then(|place| furthest.get_mut(place)) {
                *place = x;
            }
            if x >= a.len() && y >= b.len() {
                return Some(walk_back(a, b, &trace, middle));
            }
            k += 2;
        }
    }
    None
}

#[expect(clippy::many_single_char_names, reason = "the names of the paper")]
fn walk_back<'t>(a: &[&'t str], b: &[&'t str], trace: &[Vec<usize>], middle: usize) -> Vec<(EditKind, &'t str)> {
    let mut script = Vec::new();
    let (mut x, mut y) = (a.len(), b.len());
    for (d, furthest) in trace.iter().enumerate().rev() {
        let at =
            |k: isize| middle.checked_add_signed(k).and_then(|place| furthest.get(place)).copied().unwrap_or_default();
        let (Ok(d), Ok(left), Ok(right)) = (isize::try_from(d), isize::try_from(x), isize::try_from(y)) else { break };
        let k = left - right;
        let previous = if k == -d || (k != d && at(k - 1) < at(k + 1)) { k + 1 } else { k - 1 };
        let (from_x, from_y) =
            if d == 0 { (0, 0) } else { (at(previous), at(previous).saturating_add_signed(-previous)) };
        while x > from_x && y > from_y {
            (x, y) = (x - 1, y - 1);
            script.extend(a.get(x).map(|token| (EditKind::Same, *token)));
        }
        if d > 0 && x > from_x {
            x -= 1;
            script.extend(a.get(x).map(|token| (EditKind::Removed, *token)));
        } else if d > 0 && y > from_y {
            y -= 1;
            script.extend(b.get(y).map(|token| (EditKind::Added, *token)));
        }
    }
    script.reverse();
    script
}

/// Edits that are put together from tokens. Of what changed in one place, what went comes first.
#[derive(Default)]
struct Edits {
    done: Vec<Edit>,
    removed: String,
    added: String,
    /// White space after a change of both kinds: between two changes, it belongs to both.
    space: String,
}

impl Edits {
    fn push(&mut self, kind: EditKind, tokens: &[&str]) {
        if tokens.is_empty() {
            return;
        }
        if kind == EditKind::Same {
            let is_space = tokens.iter().all(|token| token.starts_with(char::is_whitespace));
            if is_space && self.space.is_empty() && !self.removed.is_empty() && !self.added.is_empty() {
                self.space.extend(tokens.iter().copied());
            } else {
                self.settle();
                self.same(tokens);
            }
            return;
        }
        if !self.space.is_empty() {
            let space = core::mem::take(&mut self.space);
            self.removed.push_str(&space);
            self.added.push_str(&space);
        }
        let text = if kind == EditKind::Removed { &mut self.removed } else { &mut self.added };
        text.extend(tokens.iter().copied());
    }

    fn same(&mut self, tokens: &[&str]) {
        let text: String = tokens.concat();
        match self.done.last_mut() {
            Some(last) if last.kind == EditKind::Same => last.text.push_str(&text),
            _ => self.done.push(Edit { kind: EditKind::Same, text }),
        }
    }

    fn settle(&mut self) {
        for (kind, text) in [(EditKind::Removed, &mut self.removed), (EditKind::Added, &mut self.added)] {
            if !text.is_empty() {
                self.done.push(Edit { kind, text: core::mem::take(text) });
            }
        }
        let space = core::mem::take(&mut self.space);
        if !space.is_empty() {
            self.same(&[&space]);
        }
    }

    fn finish(mut self) -> Vec<Edit> {
        self.settle();
        self.done
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(before: &str, after: &str) -> String {
        let mark = |edit: &Edit| match edit.kind {
            EditKind::Same => edit.text.clone(),
            EditKind::Removed => format!("[-{}]", edit.text),
            EditKind::Added => format!("[+{}]", edit.text),
        };
        diff(before, after, &mut Budget::default()).iter().map(mark).collect()
    }

    #[test]
    fn texts_differ_in_words() {
        assert_eq!(shown("Reads a file.", "Reads any file at all."), "Reads [-a][+any] file[+ at all].");
        assert_eq!(shown("same", "same"), "same");
        assert_eq!(shown("", "new text"), "[+new text]");
        assert_eq!(shown("gone", ""), "[-gone]");
        assert_eq!(shown("a b c d e", "a c d x e"), "a [-b ]c d[+ x] e");
        assert_eq!(shown("读取文件", "读取所有文件"), "读取[+所有]文件");
        assert_eq!(shown("x1 x2 x3 y", "y z1 z2 z3"), "[-x1 x2 x3 y][+y z1 z2 z3]");
    }

    #[test]
    fn both_texts_can_be_put_together_again() {
        let texts =
            ["", "a", "a b", "b a b a", "The quick, brown fox!\n", "the slow brown\tfox", "\u{1f1e9}\u{1f1ea} x"];
        for before in texts {
            for after in texts {
                for mut budget in [20_000_000, 0, 30].map(|steps| Budget { steps, places: 0 }) {
                    let edits = diff(before, after, &mut budget);
                    let side = |other: EditKind| -> String {
                        edits.iter().filter(|edit| edit.kind != other).map(|edit| edit.text.as_str()).collect()
                    };
                    assert_eq!((side(EditKind::Added), side(EditKind::Removed)), (before.to_owned(), after.to_owned()));
                }
            }
        }
    }

    #[test]
    fn far_apart_texts_stay_within_the_bounds() {
        let long = |word: &str| format!("{word} ").repeat(100_000);
        let mut budget = Budget::default();
        // Between them stands the last space, which both have.
        assert_eq!(diff(&long("a"), &long("b"), &mut budget).len(), 3);
    }
}
