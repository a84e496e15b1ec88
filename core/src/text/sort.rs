//! One stable sort for everything that is not hot. The standard library's is compiled anew for every type
//! and every comparison, some 15 KB of WebAssembly each time; this one is compiled once and sorts places.

use core::cmp::Ordering;

/// The places `0..count` in order; equal ones stay as they are.
fn places(count: usize, compare: &dyn Fn(usize, usize) -> Ordering) -> Vec<usize> {
    let mut places: Vec<usize> = (0..count).collect();
    places.sort_unstable_by(|a, b| compare(*a, *b).then(a.cmp(b)));
    places
}

/// Sorts items; equal ones stay in their order.
pub(crate) fn sort_by<T>(items: &mut Vec<T>, compare: impl Fn(&T, &T) -> Ordering) {
    let places = places(items.len(), &|a, b| match (items.get(a), items.get(b)) {
        (Some(a), Some(b)) => compare(a, b),
        _ => Ordering::Equal,
    });
    let mut taken: Vec<Option<T>> = core::mem::take(items).into_iter().map(Some).collect();
    items.extend(places.into_iter().filter_map(|place| taken.get_mut(place)?.take()));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sorts_and_keeps_equals_in_order() {
        let mut items: Vec<(u32, u32)> = (0..1000).map(|n| (n * 7919 % 13, n)).collect();
        let mut expected = items.clone();
        expected.sort_by_key(|(key, _)| *key);
        sort_by(&mut items, |a, b| a.0.cmp(&b.0));
        assert_eq!(items, expected);
    }
}
