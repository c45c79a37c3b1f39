//! Lists of targets, each with a small number, one list after another, in blocks that never move.
//!
//! The steps of every state and the moves of every node are kept for as long as a search lasts, and are most of what it holds. A vector that doubles would copy them again
//! and again, and hold old and new together for a moment; here a growth costs one block and copies nothing. Only the first block grows by doubling, so that a small search stays small.
//!
//! An item takes 6 bytes; in a block with a number of more than 16 bits, 2 more.
//!
//! A list lies in one block. What is left of a block too short for the next list stays empty. A list longer than a block has a block of its own, which
//! takes as many places as it needs.

use crate::budget::Budget;
use crate::visited::Halt;
use fairhold_store::{Growth, StateId};

/// Items of a block, as a power of two.
const SHIFT: u32 = 16;
const BLOCK: usize = 1 << SHIFT;

/// An item of a list.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Item {
    pub(crate) target: StateId,
    pub(crate) number: u32,
}

/// Where a list lies: the place of its first item, and how many there are.
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

    /// The places of its items.
    pub(crate) fn range(self) -> std::ops::Range<usize> {
        debug_assert!(self.is_known(), "only what was computed is asked for");
        self.start as usize..self.start as usize + self.len as usize
    }
}

/// An item but for the high half of its number: the halves of its target, the low one first, and of its number the low one.
type Packed = [u16; 3];

#[inline]
fn pack(item: Item) -> Packed {
    let StateId(target) = item.target;
    [target as u16, (target >> u16::BITS) as u16, item.number as u16]
}

#[inline]
fn target(&[low, high, _]: &Packed) -> StateId {
    StateId(u32::from(high) << u16::BITS | u32::from(low))
}

/// Some lists.
#[derive(Default)]
struct Block {
    items: Vec<Packed>,
    /// The high halves of the numbers; empty while all are 0.
    high: Vec<u16>,
}

impl Block {
    /// Appends a list. The first block of all grows by doubling; others get all their room at once.
    fn push(&mut self, budget: &mut Budget, list: &[Item], is_first: bool) -> Result<(), Halt> {
        let (len, more) = (self.items.len(), list.len());
        let room = if is_first { more } else { BLOCK.max(more) };
        make_room(budget, &mut self.items, room, is_first)?;
        let wide = list.iter().any(|item| item.number > u32::from(u16::MAX));
        if wide || !self.high.is_empty() {
            let room = if is_first {
                len - self.high.len() + more
            } else {
                room
            };
            make_room(budget, &mut self.high, room, is_first)?;
            self.high.resize(len, 0);
            self.high
                .extend(list.iter().map(|item| (item.number >> u16::BITS) as u16));
        }
        self.items.extend(list.iter().map(|&item| pack(item)));
        Ok(())
    }

    #[inline]
    fn list(&self, range: std::ops::Range<usize>) -> List<'_> {
        List {
            items: &self.items[range.clone()],
            high: self.high.get(range).unwrap_or_default(),
        }
    }

    fn release(&self, budget: &mut Budget) {
        budget.release_vec(&self.items);
        budget.release_vec(&self.high);
    }
}

fn make_room<T>(budget: &mut Budget, items: &mut Vec<T>, room: usize, is_first: bool) -> Result<(), Halt> {
    if is_first {
        budget.reserve(items, room)?;
    } else if items.capacity() == 0 {
        budget.grow(Growth {
            taken: (room * size_of::<T>()) as u64,
            freed: 0,
        })?;
        items.reserve_exact(room);
    }
    Ok(())
}

/// A list.
#[derive(Clone, Copy)]
pub(crate) struct List<'l> {
    items: &'l [Packed],
    high: &'l [u16],
}

impl<'l> List<'l> {
    const EMPTY: List<'static> = List {
        items: &[],
        high: &[],
    };

    /// The targets of its items.
    #[inline]
    pub(crate) fn targets(self) -> impl ExactSizeIterator<Item = StateId> + use<'l> {
        self.items.iter().map(target)
    }

    /// Its items.
    #[inline]
    pub(crate) fn iter(self) -> impl ExactSizeIterator<Item = Item> + DoubleEndedIterator + use<'l> {
        self.items.iter().enumerate().map(move |(i, packed)| {
            let high = self.high.get(i).map_or(0, |&high| u32::from(high));
            Item {
                target: target(packed),
                number: high << u16::BITS | u32::from(packed[2]),
            }
        })
    }
}

/// The lists.
pub(crate) struct Lists {
    blocks: Vec<Block>,
}

impl Lists {
    pub(crate) fn new() -> Lists {
        Lists { blocks: Vec::new() }
    }

    /// All places of items are below this.
    pub(crate) fn places(&self) -> usize {
        match self.blocks.last() {
            Some(last) => (self.blocks.len() - 1) * BLOCK + last.items.len(),
            None => 0,
        }
    }

    /// Keeps a list.
    pub(crate) fn push(&mut self, budget: &mut Budget, items: &[Item]) -> Result<Span, Halt> {
        let fits = |block: &Block| block.items.len() + items.len() <= BLOCK;
        if !self.blocks.last().is_some_and(fits) {
            // An oversized block takes the places of several: those after it are empty.
            let last = self.blocks.last().map_or(0, |last| last.items.len());
            let over = last.saturating_sub(1) / BLOCK;
            budget.reserve(&mut self.blocks, over + 1)?;
            self.blocks.extend((0..=over).map(|_| Block::default()));
        }
        let number = self.blocks.len() - 1;
        let block = &mut self.blocks[number];
        let start = number * BLOCK + block.items.len();
        block.push(budget, items, number == 0 && items.len() <= BLOCK)?;
        Ok(Span {
            start: u32::try_from(start).expect("fewer than 2^32 items are kept"),
            len: items.len() as u32,
        })
    }

    /// A list.
    #[inline]
    pub(crate) fn get(&self, span: Span) -> List<'_> {
        if span.len == 0 {
            return List::EMPTY;
        }
        let range = span.range();
        let within = range.start & (BLOCK - 1);
        self.blocks[range.start >> SHIFT].list(within..within + range.len())
    }

    /// The item at a place.
    #[inline]
    pub(crate) fn item(&self, place: usize) -> Item {
        let (mut block, mut within) = (place >> SHIFT, place & (BLOCK - 1));
        while self.blocks[block].items.len() <= within {
            // The place belongs to an oversized block before.
            block -= 1;
            within += BLOCK;
        }
        let list = self.blocks[block].list(within..within + 1);
        list.iter().next().expect("a list of one item")
    }

    /// Forgets all lists and gives their memory back.
    pub(crate) fn clear(&mut self, budget: &mut Budget) {
        self.blocks.iter().for_each(|block| block.release(budget));
        budget.release_vec(&self.blocks);
        self.blocks = Vec::new();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LENGTHS: [usize; 12] = [
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

    /// Keeps lists of these lengths, item `i` of all with this number, and looks whether they come back.
    fn come_back(lengths: &[usize], number: impl Fn(usize) -> u32) -> u64 {
        let mut budget = Budget::new(None);
        let mut lists = Lists::new();
        let mut all = 0;
        let mut spans: Vec<(Span, Vec<Item>)> = Vec::new();
        for &len in lengths {
            let item = |i: usize| Item {
                target: StateId(3 * i as u32),
                number: number(i),
            };
            let items: Vec<Item> = (all..all + len).map(item).collect();
            all += len;
            spans.push((lists.push(&mut budget, &items).expect("there is no limit"), items));
        }
        let mut places = Vec::new();
        for (span, items) in &spans {
            assert_eq!(lists.get(*span).iter().collect::<Vec<Item>>(), *items);
            let targets = items.iter().map(|item| item.target);
            assert!(lists.get(*span).targets().eq(targets));
            let by_place: Vec<Item> = span.range().map(|n| lists.item(n)).collect();
            assert_eq!(by_place, *items);
            assert!(span.range().end <= lists.places() || items.is_empty());
            places.extend(span.range());
        }
        places.sort_unstable();
        places.dedup();
        assert_eq!(places.len(), all, "no place twice");
        let held = budget.held();
        lists.clear(&mut budget);
        assert_eq!(budget.held(), 0);
        held
    }

    #[test]
    fn lists_come_back_whatever_their_length() {
        come_back(&LENGTHS, |i| i as u32 & 0xffff);
    }

    #[test]
    fn large_numbers_come_back_and_cost_more_only_where_they_are() {
        let narrow = come_back(&[1000; 300], |i| i as u32 % 50_000);
        // One in the first block, which grows by doubling, or in a later one.
        for large in [500, 40_000, 100_000, 299_999] {
            let wide = come_back(&[1000; 300], |i| {
                if i == large { u32::MAX } else { i as u32 % 50_000 }
            });
            assert!(
                wide > narrow && wide <= narrow + 4 * BLOCK as u64,
                "{narrow} {wide}"
            );
        }
        come_back(&LENGTHS, |i| if i % 1000 < 3 { u32::MAX - i as u32 } else { 7 });
    }
}
