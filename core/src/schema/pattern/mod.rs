//! Regular expressions as schemas use them: the part of ECMA-262 that can be decided in linear time.
//!
//! Characters, classes, groups, alternatives, counts and anchors. What is beyond (back references,
//! look-around, Unicode properties) is *unknown*: nothing is decided on it. Matching follows all ways at once,
//! so that no pattern can make it take longer than pattern times text.

mod beyond;
mod parse;

pub(super) use beyond::Beyond;
use parse::Parser;

/// How many instructions a pattern may compile to.
const MAX_PROGRAM: usize = 4000;

/// How many examples of a pattern are tried.
const MAX_EXAMPLES: usize = 24;

/// A pattern that is understood.
#[derive(Debug)]
pub(crate) struct Pattern {
    tree: Tree,
    program: Vec<Step>,
}

#[derive(Debug, Clone, PartialEq)]
enum Tree {
    Empty,
    Class(Class),
    Start,
    End,
    /// `\b`, or `\B` if not.
    Boundary(bool),
    Sequence(Vec<Tree>),
    Alternatives(Vec<Tree>),
    Repeat {
        tree: Box<Tree>,
        least: usize,
        most: Option<usize>,
    },
}

/// A set of characters.
#[derive(Debug, Clone, PartialEq)]
struct Class {
    ranges: Vec<(char, char)>,
    is_negated: bool,
}

impl Class {
    fn one(c: char) -> Self {
        Self { ranges: vec![(c, c)], is_negated: false }
    }

    fn has(&self, c: char) -> bool {
        self.ranges.iter().any(|(from, to)| (*from..=*to).contains(&c)) != self.is_negated
    }

    /// A character of the class, a readable one if there is one.
    fn example(&self) -> Option<char> {
        let readable = "a0Ab1 -_./:@xz".chars().chain(' '..='~');
        let own = self.ranges.iter().flat_map(|(from, to)| [*from, *to]);
        readable.chain(own).chain(['\u{e9}', '\u{4e00}', '\n', '\t']).find(|c| self.has(*c))
    }
}

#[derive(Debug, Clone, PartialEq)]
enum Step {
    Class(Class),
    Start,
    End,
    Boundary(bool),
    /// Go on at both places.
    Split(usize, usize),
    Jump(usize),
    Done,
}

impl Pattern {
    /// Nothing if the pattern is not understood.
    pub(crate) fn parse(pattern: &str) -> Option<Self> {
        let tree = Parser::parse(pattern)?;
        let mut program = Vec::new();
        compile(&tree, &mut program)?;
        program.push(Step::Done);
        Some(Self { tree, program })
    }

    /// Whether the pattern is found anywhere in the text.
    pub(crate) fn is_match(&self, text: &str) -> bool {
        let chars: Vec<char> = text.chars().collect();
        let mut here = Threads::new(self.program.len());
        let mut next = Threads::new(self.program.len());
        for place in 0..=chars.len() {
            if self.follow(0, place, &chars, &mut here) {
                return true;
            }
            next.clear();
            for at in here.list.iter().copied() {
                if let (Some(Step::Class(class)), Some(c)) = (self.program.get(at), chars.get(place))
                    && class.has(*c)
                    && self.follow(at + 1, place + 1, &chars, &mut next)
                {
                    return true;
                }
            }
            core::mem::swap(&mut here, &mut next);
        }
        false
    }

    /// Adds all that is reached from a step without reading; says whether the end is among it.
    fn follow(&self, from: usize, place: usize, chars: &[char], threads: &mut Threads) -> bool {
        let mut waiting = vec![from];
        while let Some(at) = waiting.pop() {
            if !threads.insert(at) {
                continue;
            }
            match self.program.get(at) {
                Some(Step::Done) => return true,
                Some(Step::Jump(to)) => waiting.push(*to),
                Some(Step::Split(a, b)) => waiting.extend([*b, *a]),
                Some(Step::Start) if place == 0 => waiting.push(at + 1),
                Some(Step::End) if place == chars.len() => waiting.push(at + 1),
                Some(Step::Boundary(is_there)) => {
                    let is_word = |place: Option<usize>| {
                        place.and_then(|place| chars.get(place)).is_some_and(|c| c.is_ascii_alphanumeric() || *c == '_')
                    };
                    if (is_word(place.checked_sub(1)) != is_word(Some(place))) == *is_there {
                        waiting.push(at + 1);
                    }
                }
                _ => {}
            }
        }
        false
    }

    /// Texts that match, the shortest first. Each is to be checked: anchors inside are not followed.
    pub(crate) fn examples(&self) -> Vec<String> {
        self.some_examples(MAX_EXAMPLES)
    }

    /// The first few of these.
    pub(crate) fn some_examples(&self, count: usize) -> Vec<String> {
        let mut all = examples(&self.tree, count);
        all.retain(|text| self.is_match(text));
        all
    }
}

struct Threads {
    list: Vec<usize>,
    is_in: Vec<bool>,
}

impl Threads {
    fn new(steps: usize) -> Self {
        Self { list: Vec::new(), is_in: vec![false; steps] }
    }

    fn clear(&mut self) {
        self.list.clear();
        self.is_in.fill(false);
    }

    fn insert(&mut self, at: usize) -> bool {
        match self.is_in.get_mut(at) {
            Some(is_in @ false) => {
                *is_in = true;
                self.list.push(at);
                true
            }
            _ => false,
        }
    }
}

fn compile(tree: &Tree, program: &mut Vec<Step>) -> Option<()> {
    if program.len() > MAX_PROGRAM {
        return None;
    }
    match tree {
        Tree::Empty => {}
        Tree::Class(class) => program.push(Step::Class(class.clone())),
        Tree::Start => program.push(Step::Start),
        Tree::End => program.push(Step::End),
        Tree::Boundary(is_there) => program.push(Step::Boundary(*is_there)),
        Tree::Sequence(trees) => trees.iter().try_for_each(|tree| compile(tree, program))?,
        Tree::Alternatives(trees) => {
            let mut ends = Vec::new();
            for (index, tree) in trees.iter().enumerate() {
                if index + 1 == trees.len() {
                    compile(tree, program)?;
                    break;
                }
                let split = program.len();
                program.push(Step::Done);
                compile(tree, program)?;
                ends.push(program.len());
                program.push(Step::Done);
                *program.get_mut(split)? = Step::Split(split + 1, ends.last()? + 1);
            }
            let after = program.len();
            for end in ends {
                *program.get_mut(end)? = Step::Jump(after);
            }
        }
        Tree::Repeat { tree, least, most } => {
            for _ in 0..*least {
                compile(tree, program)?;
            }
            match most {
                None => {
                    let split = program.len();
                    program.push(Step::Done);
                    compile(tree, program)?;
                    program.push(Step::Jump(split));
                    *program.get_mut(split)? = Step::Split(split + 1, program.len());
                }
                Some(most) => {
                    let mut splits = Vec::new();
                    for _ in *least..*most {
                        splits.push(program.len());
                        program.push(Step::Done);
                        compile(tree, program)?;
                    }
                    let after = program.len();
                    for split in splits {
                        *program.get_mut(split)? = Step::Split(split + 1, after);
                    }
                }
            }
        }
    }
    Some(())
}

fn examples(tree: &Tree, most: usize) -> Vec<String> {
    let mut all = match tree {
        Tree::Empty | Tree::Start | Tree::End | Tree::Boundary(_) => vec![String::new()],
        Tree::Class(class) => {
            let others = class.ranges.iter().flat_map(|(from, to)| [*from, *to]).filter(|c| class.has(*c));
            class.example().into_iter().chain(others).map(String::from).collect()
        }
        Tree::Alternatives(trees) => trees.iter().flat_map(|tree| examples(tree, most)).collect(),
        Tree::Sequence(trees) => trees.iter().fold(vec![String::new()], |starts, tree| {
            let ends = examples(tree, most);
            let joined = starts.iter().flat_map(|start| ends.iter().map(move |end| format!("{start}{end}")));
            joined.take(most).collect()
        }),
        Tree::Repeat { tree, least, most: last } => {
            let counts = [*least, *least + 1, last.unwrap_or(*least + 2)];
            let counts = counts.into_iter().filter(|count| last.is_none_or(|last| *count <= last) && *count <= 200);
            let of = examples(tree, most);
            counts.flat_map(|count| of.iter().map(move |text| text.repeat(count))).collect()
        }
    };
    let mut seen = Vec::new();
    all.retain(|text| {
        let is_new = !seen.contains(text);
        seen.push(text.clone());
        is_new
    });
    all.truncate(most);
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_match_as_in_ecmascript() {
        for (pattern, yes, no) in [
            ("^[a-z]+$", vec!["a", "abc"], vec!["", "A", "ab1"]),
            ("a", vec!["cat"], vec!["dog"]),
            ("^(a|bc)*$", vec!["", "abca"], vec!["b"]),
            (r"^\d{4}-\d{2}$", vec!["2026-11"], vec!["2026-1", "x2026-11"]),
            (r"^a{2,3}?$", vec!["aa", "aaa"], vec!["a", "aaaa"]),
            (r"^[^/\\]+$", vec!["x"], vec!["a/b", "a\\b"]),
            (r"\bfoo\b", vec!["a foo b"], vec!["foot"]),
            (r"^[\w.-]+@x$", vec!["a.b-c@x"], vec!["@x"]),
            (r"^$", vec![""], vec!["a"]),
            (r"^[a\-z]$", vec!["-", "a"], vec!["b"]),
            (r"^\u00e9$", vec!["é"], vec!["e"]),
            ("^.$", vec!["a", "😀"], vec!["\n", "ab"]),
            (r"^(?:x{0,2}|y+)$", vec!["", "xx", "yyy"], vec!["xxx"]),
        ] {
            let pattern = Pattern::parse(pattern).unwrap();
            for text in yes {
                assert!(pattern.is_match(text), "{pattern:?} {text}");
            }
            for text in no {
                assert!(!pattern.is_match(text), "{pattern:?} {text}");
            }
            assert!(!pattern.examples().is_empty());
        }
        for unknown in [
            "(?=a)",
            r"\1",
            r"\p{L}",
            "[",
            "(",
            "*",
            "a{",
            "a**",
            "(?<n>a)",
            "a{3,2}",
            "x{5000}",
            "(((a{99}){99}){99})",
        ] {
            assert!(Pattern::parse(unknown).is_none(), "{unknown}");
        }
        assert!(!Pattern::parse("^(a*)*b$").unwrap().is_match(&"a".repeat(5000)));
    }
}
