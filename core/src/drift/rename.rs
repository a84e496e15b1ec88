//! Tools that are gone and tools that are new: which of them are the same tool under another name?

use std::collections::BTreeMap;

use crate::surface::Tool;
use crate::text::sort::sort_by;
use crate::text::value::Value;

use super::words;

/// How alike two tools are called the same, as a share of the words that either has.
const NEAR_ENOUGH: f64 = 0.75;

/// Fewer words say too little to recognise a tool by.
const MIN_WORDS: usize = 5;

/// A word of more tools than this tells none of them from the others.
const MAX_POSTINGS: usize = 32;

/// How many tools are looked at for each, those with the most words in common.
const MAX_CANDIDATES: usize = 8;

/// Why a tool is taken for another that is gone.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Likeness {
    /// The share of words that both have, of those that either has: 1 for the same description and schema.
    pub(crate) score: f64,
    /// Whether description and schema are the same.
    pub(crate) is_exact: bool,
}

/// Pairs of places in `gone` and `new`.
pub(super) fn pairs(gone: &[Tool<'_>], new: &[Tool<'_>]) -> Vec<(usize, usize, Likeness)> {
    if gone.is_empty() || new.is_empty() {
        return Vec::new();
    }
    let mut taken = Taken { gone: vec![false; gone.len()], new: vec![false; new.len()], pairs: Vec::new() };
    let mut by_content: BTreeMap<(&[u8], &[u8]), Vec<usize>> = BTreeMap::new();
    for (place, tool) in gone.iter().enumerate().rev().filter(|(_, tool)| tool.description.len() > 2) {
        by_content.entry((tool.description, tool.input_schema)).or_default().push(place);
    }
    for (place, tool) in new.iter().enumerate().filter(|(_, tool)| tool.description.starts_with(b"\"")) {
        if let Some(same) = by_content.get_mut(&(tool.description, tool.input_schema)).and_then(Vec::pop) {
            taken.pair(same, place, Likeness { score: 1.0, is_exact: true });
        }
    }
    for (score, gone, new) in candidates(gone, new, &taken) {
        taken.pair(gone, new, Likeness { score, is_exact: false });
    }
    taken.pairs
}

struct Taken {
    gone: Vec<bool>,
    new: Vec<bool>,
    pairs: Vec<(usize, usize, Likeness)>,
}

impl Taken {
    fn pair(&mut self, gone: usize, new: usize, likeness: Likeness) {
        if let (Some(old @ false), Some(new_taken @ false)) = (self.gone.get_mut(gone), self.new.get_mut(new)) {
            (*old, *new_taken) = (true, true);
            self.pairs.push((gone, new, likeness));
        }
    }
}

/// Pairs that are near enough, the nearest first.
fn candidates(gone: &[Tool<'_>], new: &[Tool<'_>], taken: &Taken) -> Vec<(f64, usize, usize)> {
    let is_free = |taken: &[bool], place: usize| taken.get(place) == Some(&false);
    let words_of = |tools: &[Tool<'_>], taken: &[bool]| -> Vec<Vec<u64>> {
        let of = |(place, tool)| if is_free(taken, place) { words_of(tool) } else { Vec::new() };
        tools.iter().enumerate().map(of).collect()
    };
    let old_words = words_of(gone, &taken.gone);
    let mut postings: BTreeMap<u64, Vec<usize>> = BTreeMap::new();
    for (place, words) in old_words.iter().enumerate() {
        for word in words {
            postings.entry(*word).or_default().push(place);
        }
    }
    postings.retain(|_, places| places.len() <= MAX_POSTINGS);
    let mut found = Vec::new();
    for (new, words) in words_of(new, &taken.new).iter().enumerate() {
        let mut hits: BTreeMap<usize, usize> = BTreeMap::new();
        for place in words.iter().filter_map(|word| postings.get(word)).flatten() {
            *hits.entry(*place).or_default() += 1;
        }
        let mut hits: Vec<(usize, usize)> = hits.into_iter().collect();
        sort_by(&mut hits, |a, b| b.1.cmp(&a.1).then(a.0.cmp(&b.0)));
        for (gone, _) in hits.into_iter().take(MAX_CANDIDATES) {
            let score = old_words.get(gone).map_or(0.0, |old| jaccard(old, words));
            if score >= NEAR_ENOUGH {
                found.push((score, gone, new));
            }
        }
    }
    sort_by(&mut found, |a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)).then(a.2.cmp(&b.2)));
    found
}

/// The words of a tool's description and the names of its parameters, as sorted hashes.
fn words_of(tool: &Tool<'_>) -> Vec<u64> {
    let description = tool.description_text().unwrap_or_default();
    let mut hashes: Vec<u64> = words::tokens(&description)
        .into_iter()
        .filter(|token| token.starts_with(char::is_alphanumeric))
        .map(|word| hash(b'd', word))
        .collect();
    let schema = Value::parse(tool.input_schema).ok();
    let properties = schema.as_ref().and_then(Value::as_object).and_then(|schema| schema.get("properties"));
    if let Some(properties) = properties.and_then(Value::as_object) {
        hashes.extend(properties.iter().map(|(name, _)| hash(b'p', name)));
    }
    sort_by(&mut hashes, Ord::cmp);
    hashes.dedup();
    hashes
}

/// FNV-1a of a word in lower case.
fn hash(kind: u8, word: &str) -> u64 {
    let step = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
    let mut utf8 = [0; 4];
    word.chars()
        .flat_map(char::to_lowercase)
        .fold(step(0xcbf2_9ce4_8422_2325, kind), |hash, c| c.encode_utf8(&mut utf8).bytes().fold(hash, step))
}

/// The share of what two sorted lists have in common.
#[expect(clippy::cast_precision_loss, reason = "counts of words are far below 2^52")]
fn jaccard(a: &[u64], b: &[u64]) -> f64 {
    let common = a.iter().filter(|word| b.binary_search(word).is_ok()).count();
    let all = a.len() + b.len() - common;
    if all < MIN_WORDS { 0.0 } else { common as f64 / all as f64 }
}
