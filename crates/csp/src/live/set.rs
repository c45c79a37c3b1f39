//! Sets of words of variables, as ranges: what a leaf reads is a few whole variables or a few single elements, however
//! many words a model has.

/// A set of words of variables. Ranges are ascending, apart from one another and not empty.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct VariableSet(Vec<(u32, u32)>);

impl VariableSet {
    /// The words from `start` up to, and without, `end`.
    pub(super) fn range(start: u32, end: u32) -> VariableSet {
        let mut set = VariableSet::default();
        set.add(start, end);
        set
    }

    /// Whether the set has a word.
    pub(crate) fn contains(&self, word: usize) -> bool {
        let next = self.0.partition_point(|&(_, end)| end as usize <= word);
        self.0.get(next).is_some_and(|&(start, _)| start as usize <= word)
    }

    /// The words, ascending.
    pub(crate) fn iter(&self) -> impl Iterator<Item = usize> {
        self.0
            .iter()
            .flat_map(|&(start, end)| start as usize..end as usize)
    }

    /// Adds the words from `start` up to, and without, `end`.
    pub(super) fn add(&mut self, start: u32, end: u32) {
        if start >= end {
            return;
        }
        // What touches the new range is swallowed by it.
        let first = self.0.partition_point(|&(_, e)| e < start);
        let last = self.0.partition_point(|&(s, _)| s <= end);
        let (mut low, mut high) = (start, end);
        if first < last {
            low = low.min(self.0[first].0);
            high = high.max(self.0[last - 1].1);
        }
        self.0.splice(first..last, [(low, high)]);
    }

    /// Adds the words of another set.
    pub(super) fn union(&mut self, other: &VariableSet) {
        other.0.iter().for_each(|&(start, end)| self.add(start, end));
    }

    /// The words that both sets have.
    #[must_use]
    pub(super) fn common(&self, other: &VariableSet) -> VariableSet {
        let (mut i, mut j) = (0, 0);
        let mut both = Vec::new();
        while let (Some(&(a, b)), Some(&(c, d))) = (self.0.get(i), other.0.get(j)) {
            if a.max(c) < b.min(d) {
                both.push((a.max(c), b.min(d)));
            }
            if b < d { i += 1 } else { j += 1 }
        }
        VariableSet(both)
    }

    /// The words that the other set does not have.
    #[must_use]
    pub(super) fn without(&self, other: &VariableSet) -> VariableSet {
        let mut rest = Vec::new();
        for &(start, end) in &self.0 {
            let mut from = start;
            let first = other.0.partition_point(|&(_, e)| e <= start);
            for &(s, e) in other.0[first..].iter().take_while(|&&(s, _)| s < end) {
                if from < s {
                    rest.push((from, s));
                }
                from = e;
            }
            if from < end {
                rest.push((from, end));
            }
        }
        VariableSet(rest)
    }

    /// About how many bytes it takes.
    pub(super) fn bytes(&self) -> usize {
        size_of_val(self.0.as_slice())
    }
}

impl Extend<usize> for VariableSet {
    fn extend<I: IntoIterator<Item = usize>>(&mut self, words: I) {
        words
            .into_iter()
            .for_each(|word| self.add(word as u32, word as u32 + 1));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    fn both(ranges: &[(u32, u32)]) -> (VariableSet, BTreeSet<usize>) {
        let mut set = VariableSet::default();
        let mut plain = BTreeSet::new();
        for &(start, len) in ranges {
            set.add(start, start + len);
            plain.extend(start as usize..(start + len) as usize);
        }
        (set, plain)
    }

    fn ranges() -> impl Strategy<Value = Vec<(u32, u32)>> {
        proptest::collection::vec((0..30_u32, 0..6_u32), 0..8)
    }

    proptest! {
        #[test]
        fn sets_do_what_sets_do(a in ranges(), b in ranges()) {
            let ((a, plain_a), (b, plain_b)) = (both(&a), both(&b));
            let words = |set: &VariableSet| set.iter().collect::<BTreeSet<usize>>();
            prop_assert_eq!(words(&a), plain_a.clone());
            prop_assert!((0..40).all(|w| a.contains(w) == plain_a.contains(&w)));
            let mut all = a.clone();
            all.union(&b);
            prop_assert_eq!(words(&all), &plain_a | &plain_b);
            prop_assert_eq!(words(&a.common(&b)), &plain_a & &plain_b);
            prop_assert_eq!(words(&a.without(&b)), &plain_a - &plain_b);
            // Equal sets have equal ranges.
            let mut again = VariableSet::default();
            again.extend(plain_a.into_iter().rev());
            prop_assert_eq!(again, a);
        }
    }
}
