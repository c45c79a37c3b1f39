//! Lists of items, one after another, in blocks that never move.
//!
//! The steps of every state and the moves of every node are kept for as long as a search lasts, and are most of what it holds. A vector that doubles would copy them again
//! and again, and hold old and new together for a moment; here a growth costs one block and copies nothing. Only the first block grows by doubling, so that a small search stays small.
//!
//! A list lies in one block, so that it is a slice. What is left of a block too short for the next list stays empty. A list longer than a block has a block of its own, which
//! takes as many numbers as it needs.

use crate::budget::Budget;
use crate::visited::Halt;
use fairhold_store::Growth;

/// Items of a block, as a power of two.
const SHIFT: u32 = 16;
const BLOCK: usize = 1 << SHIFT;

/// Where a list lies: the number of its first item, and how many there are.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Span {
    start: u32,
    len: u32,
}

impl Span {
    /// Of a list not made yet.
    pub(crate) const UNKNOWN: Span = Span {
        start: u32::MAX,
        len: 0,
    };

    pub(crate) fn is_known(self) -> bool {
        self.start != u32::MAX
    }

    /// The numbers of its items.
    pub(crate) fn range(self) -> std::ops::Range<usize> {
        debug_assert!(self.is_known(), "only what was computed is asked for");
        self.start as usize..self.start as usize + self.len as usize
    }
}

/// The lists.
pub(crate) struct Lists<T> {
    blocks: Vec<Vec<T>>,
}

impl<T: Copy> Lists<T> {
    pub(crate) fn new() -> Lists<T> {
        Lists { blocks: Vec::new() }
    }

    /// All numbers of items are below this.
    pub(crate) fn numbers(&self) -> usize {
        match self.blocks.last() {
            Some(last) => (self.blocks.len() - 1) * BLOCK + last.len(),
            None => 0,
        }
    }

    /// Keeps a list.
    pub(crate) fn push(&mut self, budget: &mut Budget, items: &[T]) -> Result<Span, Halt> {
        let fits = |block: &Vec<T>| block.len() + items.len() <= BLOCK;
        if !self.blocks.last().is_some_and(fits) {
            // An oversized block takes several numbers: those after its first have empty blocks.
            let over = self
                .blocks
                .last()
                .map_or(0, |last| last.len().saturating_sub(1) / BLOCK);
            budget.reserve(&mut self.blocks, over + 1)?;
            self.blocks.extend((0..=over).map(|_| Vec::new()));
        }
        let number = self.blocks.len() - 1;
        let block = &mut self.blocks[number];
        if number == 0 && items.len() <= BLOCK {
            budget.reserve(block, items.len())?;
        } else if block.capacity() == 0 {
            let capacity = BLOCK.max(items.len());
            budget.grow(Growth {
                taken: (capacity * size_of::<T>()) as u64,
                freed: 0,
            })?;
            block.reserve_exact(capacity);
        }
        let start = number * BLOCK + block.len();
        block.extend_from_slice(items);
        Ok(Span {
            start: u32::try_from(start).expect("fewer than 2^32 items are kept"),
            len: items.len() as u32,
        })
    }

    /// A list.
    #[inline]
    pub(crate) fn get(&self, span: Span) -> &[T] {
        if span.len == 0 {
            return &[];
        }
        let range = span.range();
        let within = range.start & (BLOCK - 1);
        &self.blocks[range.start >> SHIFT][within..within + range.len()]
    }

    /// An item by its number.
    #[inline]
    pub(crate) fn item(&self, number: usize) -> T {
        let (mut block, mut within) = (number >> SHIFT, number & (BLOCK - 1));
        while self.blocks[block].len() <= within {
            // The number belongs to an oversized block before.
            block -= 1;
            within += BLOCK;
        }
        self.blocks[block][within]
    }

    /// Forgets all lists and gives their memory back.
    pub(crate) fn clear(&mut self, budget: &mut Budget) {
        self.blocks.iter().for_each(|block| budget.release_vec(block));
        budget.release_vec(&self.blocks);
        self.blocks = Vec::new();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_come_back_whatever_their_length() {
        let mut budget = Budget::new(None);
        let mut lists = Lists::new();
        let lengths = [
            0,
            3,
            BLOCK - 2,
            5,
            3 * BLOCK + 7,
            1,
            BLOCK,
            BLOCK + 1,
            0,
            2 * BLOCK,
            9,
            0,
        ];
        let spans: Vec<(Span, Vec<usize>)> = (0..)
            .zip(lengths)
            .map(|(k, len)| {
                let items: Vec<usize> = (0..len).map(|i| 1_000_000 * k + i).collect();
                (lists.push(&mut budget, &items).expect("there is no limit"), items)
            })
            .collect();
        let mut numbers = Vec::new();
        for (span, items) in &spans {
            assert_eq!(lists.get(*span), items);
            let by_number: Vec<usize> = span.range().map(|n| lists.item(n)).collect();
            assert_eq!(by_number, *items);
            assert!(span.range().end <= lists.numbers() || items.is_empty());
            numbers.extend(span.range());
        }
        let all = numbers.len();
        numbers.sort_unstable();
        numbers.dedup();
        assert_eq!(numbers.len(), all, "no number twice");
        lists.clear(&mut budget);
        assert_eq!(budget.held(), 0);
    }
}
