//! Numbers for states, given out by several workers without asking each other every time.
//!
//! Who has a table alone numbers states one after the other. Several workers would all change one counter at every state, and write their rows side by side: each time a
//! cache line goes from one core to another, which takes longer than anything else about a state, several hundred nanoseconds where cores do not share a cache. So a worker has a
//! [`Lease`]: a few dozen numbers in a row that nobody else gives out. The rows, and whatever else lies in the order of the numbers, are then on lines of its own.
//!
//! When work ends for a while, leases are given back. What is left of them is *free*: numbers below the bound that belong to no state, and that are leased again first. So there are never more free
//! numbers than so many leases have.
//!
//! Invariant: a number below the bound belongs to one state, or it is free, or it is in one lease that is out.

use crate::sync::{Apart, AtomicU32, Ordering::Relaxed};
use std::ops::Range;

/// Numbers of a lease: rows of two units then fill eight cache lines.
pub(crate) const LEASED: u32 = if cfg!(any(test, loom)) { 2 } else { 64 };

/// Numbers that one worker gives to states, until it is given back.
#[derive(Debug, Default)]
pub struct Lease {
    /// Those given out that nobody was told of yet.
    given: Range<u32>,
    /// Those after them that are left.
    end: u32,
    /// Earlier ones.
    full: Vec<Range<u32>>,
}

impl Lease {
    /// How many states can be numbered without asking for more.
    #[inline]
    pub fn left(&self) -> usize {
        (self.end - self.given.end) as usize
    }

    /// Whether only the first number of a whole lease was given out.
    #[inline]
    pub(crate) fn is_fresh(&self) -> bool {
        self.end - self.given.start == LEASED && self.given.len() == 1
    }

    /// Whether there are numbers of states worth telling of: those of a whole lease.
    #[inline]
    pub fn has_full(&self) -> bool {
        !self.full.is_empty()
    }

    /// The numbers given to states, as they came, since this was asked last; but for those of a lease that is not used up.
    pub fn take_full(&mut self) -> impl Iterator<Item = Range<u32>> {
        self.full.drain(..)
    }

    /// All of them.
    pub fn take_given(&mut self) -> impl Iterator<Item = Range<u32>> {
        self.close();
        self.full.drain(..)
    }

    fn close(&mut self) {
        if !self.given.is_empty() {
            self.full.push(self.given.clone());
        }
        self.given.start = self.given.end;
    }
}

/// The numbers of a table.
#[derive(Debug, Default)]
pub(crate) struct Ids {
    /// All numbers are below.
    bound: Apart<AtomicU32>,
    /// Free ones, in order.
    free: Vec<Range<u32>>,
    /// How many those are.
    unused: u32,
}

impl Ids {
    /// How many states there are; while leases are out, what is left of these counts too.
    #[inline]
    pub(crate) fn len(&self) -> usize {
        self.bound() - self.unused as usize
    }

    /// All numbers are below this.
    #[inline]
    pub(crate) fn bound(&self) -> usize {
        self.bound.0.load(Relaxed) as usize
    }

    /// How many numbers below the bound are free.
    #[inline]
    pub(crate) fn unused(&self) -> usize {
        self.unused as usize
    }

    /// One more, for who has the table alone.
    #[inline]
    pub(crate) fn push(&mut self) {
        let next = self.bound() as u32 + 1;
        self.bound.0.store(next, Relaxed);
    }

    /// A number for a state.
    #[inline]
    pub(crate) fn take(&self, lease: &mut Lease) -> u32 {
        if lease.left() == 0 {
            lease.close();
            // Relaxed: it orders nothing; rows are published by the index.
            let start = self.bound.0.fetch_add(LEASED, Relaxed);
            lease.given = start..start;
            lease.end = start + LEASED;
        }
        lease.given.end += 1;
        lease.given.end - 1
    }

    /// A lease: the rest of an earlier one, or one without numbers yet.
    pub(crate) fn lease(&mut self) -> Lease {
        let mut lease = Lease::default();
        if let Some(free) = self.free.pop() {
            self.unused -= free.len() as u32;
            lease.given = free.start..free.start;
            lease.end = free.end;
        }
        lease
    }

    /// Takes a lease back. What it gave out that was not told of comes back.
    pub(crate) fn give_back(&mut self, mut lease: Lease) -> impl Iterator<Item = Range<u32>> {
        lease.close();
        let rest = lease.given.end..lease.end;
        if !rest.is_empty() {
            self.unused += rest.len() as u32;
            let at = self.free.partition_point(|other| other.start < rest.start);
            self.free.insert(at, rest);
        }
        lease.full.into_iter()
    }

    /// Whether a number belongs to a state. No lease may be out.
    pub(crate) fn is_used(&self, id: usize) -> bool {
        id < self.bound() && !self.free.iter().any(|free| free.contains(&(id as u32)))
    }

    /// The numbers of states among these, in order, those in a row together. No lease may be out.
    pub(crate) fn used(&self, among: Range<usize>) -> impl Iterator<Item = Range<usize>> {
        let ends = self.free.iter().map(|free| free.start as usize);
        let starts = self.free.iter().map(|free| free.end as usize);
        let ends = ends.chain([among.end]).map(move |end| end.min(among.end));
        let starts = [among.start].into_iter().chain(starts);
        let used = starts.map(move |start| start.max(among.start)).zip(ends);
        used.map(|(start, end)| start..end)
            .filter(|used| !used.is_empty())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn take(ids: &Ids, lease: &mut Lease, count: usize) -> Vec<u32> {
        (0..count).map(|_| ids.take(lease)).collect()
    }

    #[test]
    fn leases_are_apart_and_what_is_left_is_used_first() {
        let mut ids = Ids::default();
        ids.push();
        let (mut a, mut b) = (ids.lease(), ids.lease());
        assert_eq!(take(&ids, &mut a, 1), [1]);
        assert_eq!(take(&ids, &mut b, 3), [3, 4, 5]);
        assert_eq!((a.left(), b.left()), (1, 1));
        assert!(b.has_full() && b.take_full().flatten().eq([3, 4]) && !b.has_full());
        // From one on that was told of, the rest only.
        assert!(a.take_given().flatten().eq([1]));
        assert_eq!(take(&ids, &mut a, 1), [2]);
        assert!(ids.give_back(a).flatten().eq([2]));
        assert!(ids.give_back(b).flatten().eq([5]));
        assert_eq!((ids.len(), ids.bound(), ids.unused()), (6, 7, 1));
        assert!(ids.is_used(5) && !ids.is_used(6) && !ids.is_used(7));
        ids.push();
        assert!(ids.used(0..8).eq([0..6, 7..8]));
        let used = |among| ids.used(among).flatten().collect::<Vec<_>>();
        assert_eq!(
            (used(2..4), used(6..8), used(6..7)),
            (vec![2, 3], vec![7], vec![])
        );
        let mut again = ids.lease();
        assert_eq!((ids.len(), take(&ids, &mut again, 2)), (8, vec![6, 8]));
        assert!(ids.give_back(again).eq([6..7, 8..9]));
        assert_eq!((ids.len(), ids.bound()), (9, 10));
    }

    #[test]
    fn free_numbers_stay_in_order() {
        let mut ids = Ids::default();
        let mut leases: Vec<Lease> = (0..3).map(|_| ids.lease()).collect();
        for lease in &mut leases {
            take(&ids, lease, 1);
        }
        for at in [1, 0, 0] {
            assert_eq!(ids.give_back(leases.remove(at)).count(), 1);
        }
        assert!(ids.used(0..ids.bound()).eq([0..1, 2..3, 4..5]));
        assert_eq!((ids.len(), ids.unused()), (3, 3));
    }
}
