//! From the text of a pattern to its tree.

use core::iter::Peekable;
use core::str::Chars;

use super::{Class, MAX_PROGRAM, Tree};

pub(super) struct Parser<'p> {
    chars: Peekable<Chars<'p>>,
    depth: usize,
}

impl<'p> Parser<'p> {
    /// Nothing if it is not understood.
    pub(super) fn parse(pattern: &'p str) -> Option<Tree> {
        let mut parser = Self { chars: pattern.chars().peekable(), depth: 0 };
        let tree = parser.alternatives()?;
        parser.chars.next().is_none().then_some(tree)
    }

    fn alternatives(&mut self) -> Option<Tree> {
        self.depth += 1;
        if self.depth > 64 {
            return None;
        }
        let mut all = vec![self.sequence()?];
        while self.chars.next_if_eq(&'|').is_some() {
            all.push(self.sequence()?);
        }
        self.depth -= 1;
        Some(if all.len() == 1 { all.pop()? } else { Tree::Alternatives(all) })
    }

    fn sequence(&mut self) -> Option<Tree> {
        let mut all = Vec::new();
        while let Some(c) = self.chars.next_if(|c| !matches!(c, '|' | ')')) {
            let tree = match c {
                '^' => Tree::Start,
                '$' => Tree::End,
                '.' => Tree::Class(Class {
                    ranges: vec![('\n', '\n'), ('\r', '\r'), ('\u{2028}', '\u{2029}')],
                    is_negated: true,
                }),
                '(' => self.group()?,
                '[' => Tree::Class(self.class()?),
                '\\' => self.escape()?,
                '*' | '+' | '?' | '{' | '}' | ']' => return None,
                c => Tree::Class(Class::one(c)),
            };
            all.push(self.repeated(tree)?);
        }
        Some(match all.len() {
            0 => Tree::Empty,
            1 => all.pop()?,
            _ => Tree::Sequence(all),
        })
    }

    fn group(&mut self) -> Option<Tree> {
        if self.chars.next_if_eq(&'?').is_some() && self.chars.next() != Some(':') {
            return None;
        }
        let tree = self.alternatives()?;
        self.chars.next_if_eq(&')')?;
        Some(tree)
    }

    fn repeated(&mut self, tree: Tree) -> Option<Tree> {
        let (least, most) = match self.chars.peek() {
            Some('*') => (0, None),
            Some('+') => (1, None),
            Some('?') => (0, Some(1)),
            Some('{') => {
                self.chars.next();
                let least = self.number()?;
                let most = match self.chars.next()? {
                    '}' => return self.lazy(Tree::Repeat { tree: Box::new(tree), least, most: Some(least) }),
                    ',' if self.chars.peek() == Some(&'}') => None,
                    ',' => Some(self.number()?),
                    _ => return None,
                };
                if self.chars.peek() != Some(&'}') || most.is_some_and(|most| most < least) {
                    return None;
                }
                (least, most)
            }
            _ => return Some(tree),
        };
        self.chars.next();
        if matches!(tree, Tree::Start | Tree::End | Tree::Boundary(_)) {
            return None;
        }
        self.lazy(Tree::Repeat { tree: Box::new(tree), least, most })
    }

    /// Whether a count is lazy does not matter to whether there is a match.
    fn lazy(&mut self, tree: Tree) -> Option<Tree> {
        self.chars.next_if_eq(&'?');
        if matches!(self.chars.peek(), Some('*' | '+' | '{')) { None } else { Some(tree) }
    }

    fn number(&mut self) -> Option<usize> {
        let mut number = None;
        while let Some(digit) = self.chars.peek().and_then(|c| c.to_digit(10)) {
            self.chars.next();
            number = Some(number.unwrap_or(0_usize).checked_mul(10)?.checked_add(digit as usize)?);
        }
        number.filter(|number| *number <= MAX_PROGRAM)
    }

    fn escape(&mut self) -> Option<Tree> {
        Some(match self.chars.peek()? {
            'b' | 'B' => Tree::Boundary(self.chars.next() == Some('b')),
            _ => Tree::Class(self.escaped_class()?),
        })
    }

    /// What stands after a backslash, outside of a class or in one.
    fn escaped_class(&mut self) -> Option<Class> {
        let digits = vec![('0', '9')];
        let words = vec![('0', '9'), ('A', 'Z'), ('_', '_'), ('a', 'z')];
        let spaces = vec![
            ('\t', '\r'),
            (' ', ' '),
            ('\u{a0}', '\u{a0}'),
            ('\u{1680}', '\u{1680}'),
            ('\u{2000}', '\u{200a}'),
            ('\u{2028}', '\u{2029}'),
            ('\u{202f}', '\u{202f}'),
            ('\u{205f}', '\u{205f}'),
            ('\u{3000}', '\u{3000}'),
            ('\u{feff}', '\u{feff}'),
        ];
        let class = |ranges, is_negated| Some(Class { ranges, is_negated });
        match self.chars.next()? {
            'd' => class(digits, false),
            'D' => class(digits, true),
            'w' => class(words, false),
            'W' => class(words, true),
            's' => class(spaces, false),
            'S' => class(spaces, true),
            'n' => Some(Class::one('\n')),
            'r' => Some(Class::one('\r')),
            't' => Some(Class::one('\t')),
            'f' => Some(Class::one('\u{c}')),
            'v' => Some(Class::one('\u{b}')),
            'u' => Some(Class::one(self.hex(4)?)),
            'x' => Some(Class::one(self.hex(2)?)),
            c if !c.is_ascii_alphanumeric() => Some(Class::one(c)),
            _ => None,
        }
    }

    fn hex(&mut self, digits: u32) -> Option<char> {
        let mut code = 0;
        for _ in 0..digits {
            code = code * 16 + self.chars.next()?.to_digit(16)?;
        }
        char::from_u32(code)
    }

    fn class(&mut self) -> Option<Class> {
        let is_negated = self.chars.next_if_eq(&'^').is_some();
        let mut ranges = Vec::new();
        loop {
            let first = match self.chars.next()? {
                ']' => return Some(Class { ranges, is_negated }),
                '\\' => self.escaped_class()?,
                c => Class::one(c),
            };
            let single = match first.ranges.as_slice() {
                [(from, to)] if from == to && !first.is_negated => Some(*from),
                _ if first.is_negated => return None,
                _ => None,
            };
            match single {
                Some(from) if self.chars.peek() == Some(&'-') => {
                    self.chars.next();
                    let to = match self.chars.peek()? {
                        ']' => {
                            ranges.extend([(from, from), ('-', '-')]);
                            continue;
                        }
                        '\\' => {
                            self.chars.next();
                            self.escaped_class()?
                        }
                        _ => Class::one(self.chars.next()?),
                    };
                    match to.ranges.as_slice() {
                        [(to, end)] if to == end && from <= *to => ranges.push((from, *to)),
                        _ => return None,
                    }
                }
                _ => ranges.extend(first.ranges),
            }
        }
    }
}
