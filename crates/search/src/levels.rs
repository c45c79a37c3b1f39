//! The states of a breadth-first search, level by level, in the order they were met.
//!
//! A level is a list of ranges of ids. One worker numbers states one after the other, so there is one range a level; of several workers each numbers a few in a row, and the next level goes on with what
//! is left of these. What waits to be expanded is the rest of the level at hand; what is met goes into the next.
//!
//! Memory: 8 bytes a range and 4 a level.

use crate::budget::Budget;
use crate::shares::List;
use crate::visited::Halt;
use crate::window::{AHEAD, Next, in_order};
use fairhold_store::StateId;
use std::ops::Range;

/// States by level.
#[derive(Default)]
pub(crate) struct Levels {
    /// All levels, one after the other; no range is in two of them.
    ranges: Vec<Range<u32>>,
    /// Where in `ranges` each level begins that is expanded or being expanded.
    starts: Vec<u32>,
    /// Where in `ranges` the level at hand ends.
    end: usize,
    /// What is left of the range at hand, and where in `ranges` the next one is.
    now: Range<u32>,
    next: usize,
    /// Parts of the level at hand that were taken and given back: they come before the next range.
    back: List,
    /// States of the level at hand that are left, and states of the next level.
    left: usize,
    coming: usize,
}

impl Levels {
    /// A state of the next level was met.
    #[inline]
    pub(crate) fn meet(&mut self, budget: &mut Budget, id: StateId) -> Result<(), Halt> {
        match self.ranges[self.end..].last_mut() {
            Some(last) if last.end == id.0 => {
                last.end += 1;
                self.coming += 1;
                Ok(())
            }
            _ => self.meet_all(budget, id.0..id.0 + 1),
        }
    }

    /// Some of them were.
    pub(crate) fn meet_all(&mut self, budget: &mut Budget, ids: Range<u32>) -> Result<(), Halt> {
        budget.reserve(&mut self.ranges, 1)?;
        self.coming += ids.len();
        self.ranges.push(ids);
        Ok(())
    }

    /// Whether all of the level at hand was taken.
    #[inline]
    pub(crate) fn is_through(&self) -> bool {
        self.left == 0
    }

    /// How many states are left of the level at hand, or if it is through, of the next.
    pub(crate) fn waiting(&self) -> usize {
        if self.is_through() { self.coming } else { self.left }
    }

    /// If the level at hand is through, begins the next one, and says so.
    pub(crate) fn begin(&mut self, budget: &mut Budget) -> Result<bool, Halt> {
        if !self.is_through() {
            return Ok(false);
        }
        budget.reserve(&mut self.starts, 1)?;
        self.starts.push(self.end as u32);
        self.end = self.ranges.len();
        self.left = std::mem::take(&mut self.coming);
        Ok(true)
    }

    /// Takes the next state of the level at hand, if one is left.
    #[inline]
    pub(crate) fn take(&mut self) -> Option<StateId> {
        if self.now.is_empty() {
            if let Some(range) = self.back.pop_front() {
                self.now = range;
            } else if self.next == self.end {
                return None;
            } else {
                self.now = self.ranges[self.next].clone();
                self.next += 1;
            }
        }
        self.left -= 1;
        self.now.next().map(StateId)
    }

    /// The states after the one taken last.
    #[inline]
    pub(crate) fn ahead(&self) -> Next {
        if self.now.len() >= AHEAD {
            return in_order(StateId(self.now.start - 1), self.now.end);
        }
        let rest = self.back.iter().chain(&self.ranges[self.next..]);
        let mut rest = self.now.clone().chain(rest.cloned().flatten()).map(StateId);
        std::array::from_fn(|_| rest.next())
    }

    /// Takes all that is left of the level at hand.
    pub(crate) fn take_rest(&mut self) -> List {
        let now = std::mem::take(&mut self.now);
        let now = Some(now).filter(|now| now.start < now.end);
        let rest = self.ranges[self.next..self.end].iter().cloned();
        let back = std::mem::take(&mut self.back);
        let rest = now.into_iter().chain(back).chain(rest).collect();
        self.next = self.end;
        self.left = 0;
        rest
    }

    /// Takes back what is left of the level at hand, all of which was taken.
    pub(crate) fn put_back(&mut self, rest: List) {
        debug_assert!(self.is_through() && self.back.is_empty(), "all of it was taken");
        self.left = rest.iter().map(ExactSizeIterator::len).sum();
        self.back = rest;
    }

    /// The states of the level at hand that wait to be expanded, in no range that is empty.
    pub(crate) fn waiting_now(&self) -> impl Iterator<Item = Range<u32>> {
        let now = Some(self.now.clone()).filter(|now| !now.is_empty());
        let rest = self.back.iter().chain(&self.ranges[self.next..self.end]);
        now.into_iter().chain(rest.cloned())
    }

    /// All states that wait to be expanded, in no range that is empty.
    pub(crate) fn all_waiting(&self) -> impl Iterator<Item = Range<u32>> {
        let now = Some(self.now.clone()).filter(|now| !now.is_empty());
        let rest = self.back.iter().chain(&self.ranges[self.next..]);
        now.into_iter().chain(rest.cloned())
    }

    /// The states of the level before this one's.
    pub(crate) fn before(&self, id: StateId) -> impl Iterator<Item = StateId> {
        let at = self.ranges.iter().position(|range| range.contains(&id.0));
        let at = at.expect("a state that was met is in a level");
        let begun = self.starts.partition_point(|&start| start as usize <= at);
        // A state that was met but not reached yet is in the level after those begun.
        let level = begun - usize::from(at < self.end);
        let start = |level: usize| self.starts.get(level).map_or(self.end, |&start| start as usize);
        let ranges = match level.checked_sub(1) {
            Some(before) => start(before)..start(level),
            None => 0..0,
        };
        self.ranges[ranges].iter().cloned().flatten().map(StateId)
    }

    /// Bytes held.
    pub(crate) fn bytes(&self) -> u64 {
        let ranges = self.ranges.capacity() * size_of::<Range<u32>>();
        (ranges + self.starts.capacity() * size_of::<u32>()) as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_come_one_after_the_other() {
        let mut budget = Budget::new(None);
        let mut levels = Levels::default();
        let ids = |list: &[u32]| list.iter().map(|&id| StateId(id)).collect::<Vec<_>>();
        for id in [0, 1] {
            levels.meet(&mut budget, StateId(id)).expect("there is no limit");
        }
        assert_eq!((levels.waiting(), levels.take()), (2, None));
        assert!(levels.begin(&mut budget).is_ok_and(|begun| begun));
        assert_eq!(levels.take(), Some(StateId(0)));
        for range in [4..6, 8..11, 2..3] {
            levels.meet_all(&mut budget, range).expect("there is no limit");
        }
        levels.meet(&mut budget, StateId(3)).expect("there is no limit");
        // Ahead of the rest of this level comes the next one.
        assert_eq!(levels.ahead(), [Some(StateId(1)), Some(StateId(4))]);
        assert!(levels.begin(&mut budget).is_ok_and(|begun| !begun));
        assert_eq!(
            (levels.waiting(), levels.take(), levels.take()),
            (1, Some(StateId(1)), None)
        );
        assert!(levels.begin(&mut budget).is_ok_and(|begun| begun));
        assert_eq!((levels.waiting(), levels.take()), (7, Some(StateId(4))));
        levels.meet(&mut budget, StateId(20)).expect("there is no limit");
        let rest = levels.take_rest();
        assert_eq!((rest, levels.take()), ([5..6, 8..11, 2..4].into(), None));
        assert_eq!(
            (levels.is_through(), levels.waiting(), levels.ahead()),
            (true, 1, [Some(StateId(20)), None])
        );
        let before = |id| levels.before(StateId(id)).collect::<Vec<_>>();
        assert_eq!(before(20), ids(&[4, 5, 8, 9, 10, 2, 3]));
        assert_eq!((before(3), before(1)), (ids(&[0, 1]), vec![]));
        assert!(levels.bytes() == budget.held() && levels.bytes() > 0);
    }
}
