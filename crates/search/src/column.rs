//! A growing list of small items, one a state or node, that never move once there are many.
//!
//! A vector that doubles copies everything again and again, holds old and new together for a moment, and is half empty after. Here a growth costs one block. Only the first block grows
//! by doubling, so that a small search stays small.
//!
//! Cost: an extra load an access.

use crate::budget::Budget;
use crate::visited::Halt;
use fairhold_store::Growth;

/// Items of a block, as a power of two.
const SHIFT: u32 = 14;
const BLOCK: usize = 1 << SHIFT;

/// The list.
pub(crate) struct Column<T> {
    blocks: Vec<Vec<T>>,
    len: usize,
}

impl<T: Copy> Column<T> {
    pub(crate) fn new() -> Column<T> {
        Column {
            blocks: Vec::new(),
            len: 0,
        }
    }

    #[inline]
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// Item `i`, which must be there.
    #[inline]
    pub(crate) fn at(&self, i: usize) -> T {
        self.blocks[i >> SHIFT][i & (BLOCK - 1)]
    }

    /// Item `i`, if it is there.
    #[inline]
    pub(crate) fn get(&self, i: usize) -> Option<&T> {
        self.blocks.get(i >> SHIFT)?.get(i & (BLOCK - 1))
    }

    /// Changes item `i`, which must be there.
    #[inline]
    pub(crate) fn set(&mut self, i: usize, item: T) {
        self.blocks[i >> SHIFT][i & (BLOCK - 1)] = item;
    }

    /// Appends an item.
    #[inline]
    pub(crate) fn push(&mut self, budget: &mut Budget, item: T) -> Result<(), Halt> {
        self.reserve(budget)?;
        self.blocks[self.len >> SHIFT].push(item);
        self.len += 1;
        Ok(())
    }

    /// Makes room for one more item.
    #[inline]
    pub(crate) fn reserve(&mut self, budget: &mut Budget) -> Result<(), Halt> {
        match self.blocks.get(self.len >> SHIFT) {
            Some(items) if items.len() < items.capacity() => Ok(()),
            _ => self.grow(budget),
        }
    }

    #[cold]
    fn grow(&mut self, budget: &mut Budget) -> Result<(), Halt> {
        if self.len < BLOCK {
            if self.blocks.is_empty() {
                budget.reserve(&mut self.blocks, 1)?;
                self.blocks.push(Vec::new());
            }
            budget.reserve(&mut self.blocks[0], 1)?;
        } else {
            budget.reserve(&mut self.blocks, 1)?;
            budget.grow(Growth {
                taken: (BLOCK * size_of::<T>()) as u64,
                freed: 0,
            })?;
            self.blocks.push(Vec::with_capacity(BLOCK));
        }
        Ok(())
    }

    /// Appends items until there are `len`.
    pub(crate) fn extend_to(&mut self, budget: &mut Budget, len: usize, item: T) -> Result<(), Halt> {
        while self.len < len {
            self.push(budget, item)?;
        }
        Ok(())
    }

    /// Sets all items.
    pub(crate) fn fill(&mut self, item: T) {
        self.blocks.iter_mut().for_each(|block| block.fill(item));
    }

    /// The items in order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &T> {
        self.blocks.iter().flatten()
    }

    /// Bytes held.
    pub(crate) fn bytes(&self) -> u64 {
        let items: usize = self.blocks.iter().map(Vec::capacity).sum();
        (items * size_of::<T>() + self.blocks.capacity() * size_of::<Vec<T>>()) as u64
    }

    /// Gives the memory back.
    pub(crate) fn release(self, budget: &mut Budget) {
        budget.release(self.bytes());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_come_back_and_memory_is_booked() {
        for count in [0, 1, 16, 17, BLOCK - 1, BLOCK, BLOCK + 1, 3 * BLOCK + 5] {
            let mut budget = Budget::new(None);
            let mut column = Column::new();
            for i in 0..count {
                column.push(&mut budget, i).expect("there is no limit");
            }
            assert_eq!(column.len(), count);
            assert!(column.iter().copied().eq(0..count));
            assert!((0..count).all(|i| column.at(i) == i && column.get(i) == Some(&i)));
            assert_eq!(column.get(count), None);
            column
                .extend_to(&mut budget, count + 3, 7)
                .expect("there is no limit");
            column.set(count, 9);
            assert_eq!((column.at(count), column.at(count + 2)), (9, 7));
            column.fill(1);
            assert!(column.iter().all(|&item| item == 1));
            assert_eq!(column.bytes(), budget.held());
            let slack = budget.held() as usize - column.len() * size_of::<usize>();
            assert!(
                slack <= (BLOCK + 64) * size_of::<usize>(),
                "{slack} bytes for {count}"
            );
            column.release(&mut budget);
            assert_eq!(budget.held(), 0);
        }
    }

    #[test]
    fn a_refused_growth_changes_nothing() {
        let mut budget = Budget::new(Some(1_000));
        let mut column = Column::new();
        while column.push(&mut budget, 5_u32).is_ok() {}
        assert!(column.len() >= 64 && column.iter().count() == column.len());
    }
}
