//! From a hash to an id: open addressing over cache lines.
//!
//! A bucket is one cache line of 12 slots: 12 tags of 8 bits, then 12 ids. A search for a hash starts at its home bucket, compares all
//! tags of a bucket at once, and asks the caller only about ids whose tag agrees, one in 255 of them in vain. It goes on
//! to the next bucket only if this one is full. So most searches touch one line, whether or not they find.
//! The separation of a compact index with parts of the hash from the state data is that of [Laarman-FMCAD'10].
//!
//! The home is the leading half of the hash scaled to the number of buckets, which need not be a power of two: the index grows by
//! two thirds when 7/8 of the slots are taken, and costs 6.1 to 10.2 bytes an id; a tight one grows by a quarter, and costs up to 7.6. It keeps no hashes: when it grows, the old one is
//! given back first, and the caller fills the new one.
//!
//! Several workers may search and put at once. Who has not found *claims* a slot: one compare-and-swap on the word of tags sets the tag in its first
//! free byte, and fails if any other slot of that word was taken in the meantime; then the bucket is searched again. So of two workers that put the same state, the
//! second meets the tag of the first, and waits until the id is *published*, which orders the row before it. Slots are never given back.
//!
//! Invariants:
//! 1. the slots of a bucket are taken from the first on; a taken slot has a tag from 1 to 255, and an id plus one from when it is published on;
//! 2. an id lies in its home bucket or cyclically after it, with only full buckets between;
//! 3. at most 7/8 of the slots are taken, so a search ends.

use crate::prefetch::{prefetch, prefetch_to_write};
use crate::simd;
use crate::sync::{
    AtomicU32, AtomicU64,
    Ordering::{Acquire, Relaxed, Release},
    Patience,
};

/// Slots a bucket.
const SLOTS: usize = 12;

/// One cache line.
#[repr(C, align(64))]
#[derive(Debug, Default)]
#[cfg_attr(not(loom), derive(bytemuck::Zeroable))]
struct Bucket {
    /// A byte a slot, the last four bytes without one.
    tags: [AtomicU64; 2],
    /// Ids plus one; 0 where none is published.
    ids: [AtomicU32; SLOTS],
}

impl Bucket {
    /// The tags at this moment.
    #[inline]
    fn tags(&self) -> [u64; 2] {
        [self.tags[0].load(Relaxed), self.tags[1].load(Relaxed)]
    }

    /// The slots with this tag, a bit each.
    #[inline]
    fn with_tag(tags: [u64; 2], tag: u8) -> u32 {
        simd::equal(tags, tag) & ((1 << SLOTS) - 1)
    }

    /// The id in a slot that is taken, as soon as it is published.
    #[inline]
    fn id(&self, slot: usize) -> u32 {
        // Whoever reads an id reads its row next.
        match self.ids[slot].load(Acquire) {
            0 => self.wait(slot),
            id => id - 1,
        }
    }

    #[cold]
    fn wait(&self, slot: usize) -> u32 {
        let mut patience = Patience::default();
        loop {
            patience.wait();
            let id = self.ids[slot].load(Acquire);
            if id != 0 {
                return id - 1;
            }
        }
    }

    /// The first of some slots.
    #[inline]
    fn first(slots: u32) -> usize {
        slots.trailing_zeros() as usize
    }
}

/// The outcome of a search that has not found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Vacancy {
    bucket: usize,
    slot: usize,
    tag: u8,
    /// The word of tags in which the slot is free.
    tags: u64,
}

impl Vacancy {
    /// That word once the slot is taken.
    #[inline]
    fn taken(&self) -> u64 {
        self.tags | u64::from(self.tag) << (self.slot % 8 * 8)
    }
}

/// A slot that is taken, without an id yet.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Claimed {
    bucket: usize,
    slot: usize,
}

/// The index.
#[derive(Debug, Default)]
pub(crate) struct Index {
    buckets: Vec<Bucket>,
    /// Whether to take time rather than memory.
    tight: bool,
}

impl Index {
    /// An empty index that takes time rather than memory.
    pub(crate) fn tight() -> Index {
        Index {
            tight: true,
            ..Index::default()
        }
    }

    /// How many ids it takes at its present size.
    #[inline]
    pub(crate) fn room(&self) -> usize {
        Self::room_in(self.buckets.len())
    }

    #[inline]
    fn room_in(buckets: usize) -> usize {
        buckets * SLOTS / 8 * 7
    }

    /// Bytes held.
    pub(crate) fn bytes(&self) -> u64 {
        (self.buckets.capacity() * size_of::<Bucket>()) as u64
    }

    /// Bytes after the next growth.
    pub(crate) fn next_bytes(&self) -> u64 {
        (self.next_len() * size_of::<Bucket>()) as u64
    }

    fn next_len(&self) -> usize {
        self.len_after(self.buckets.len())
    }

    /// The size after this one.
    fn len_after(&self, len: usize) -> usize {
        let more = if self.tight { len / 4 } else { len / 3 * 2 };
        len + more.max(1)
    }

    /// The size at which it takes `ids` ids, after as many growths as that takes.
    fn len_for(&self, ids: usize) -> usize {
        let mut len = self.buckets.len();
        while Self::room_in(len) < ids {
            len = self.len_after(len);
        }
        len
    }

    /// Bytes once it takes `ids` ids.
    pub(crate) fn bytes_for(&self, ids: usize) -> u64 {
        (self.len_for(ids) * size_of::<Bucket>()) as u64
    }

    /// How many ids it will take when it takes `ids`.
    pub(crate) fn room_for(&self, ids: usize) -> usize {
        Self::room_in(self.len_for(ids))
    }

    /// A larger index without ids in its place. The old one goes first.
    pub(crate) fn grow_empty(&mut self) {
        self.resize_empty(self.next_len());
    }

    /// One that takes `ids` ids, without ids in its place. The old one goes first.
    pub(crate) fn grow_empty_for(&mut self, ids: usize) {
        self.resize_empty(self.len_for(ids));
    }

    fn resize_empty(&mut self, len: usize) {
        self.buckets = Vec::new();
        self.buckets = empty(len);
    }

    /// Takes all ids out.
    pub(crate) fn clear(&mut self) {
        self.buckets.fill_with(Bucket::default);
    }

    #[inline]
    fn home(&self, hash: u64) -> usize {
        if cfg!(loom) {
            // Models have few states: those are to meet.
            return 0;
        }
        (((hash >> 32) * self.buckets.len() as u64) >> 32) as usize
    }

    #[inline]
    fn tag(hash: u64) -> u8 {
        let bits = if cfg!(loom) { 1 } else { u64::from(u8::MAX) };
        ((hash & bits) as u8).max(1)
    }

    /// Asks for the memory where a search for this hash starts.
    #[inline]
    pub(crate) fn prefetch(&self, hash: u64) {
        if let Some(bucket) = self.buckets.get(self.home(hash)) {
            prefetch(bucket);
        }
    }

    /// The same, where something will be put.
    #[inline]
    pub(crate) fn prefetch_to_write(&self, hash: u64) {
        if let Some(bucket) = self.buckets.get(self.home(hash)) {
            prefetch_to_write(bucket);
        }
    }

    /// An id in the home bucket whose tag agrees. Where there is none, one will probably be put there.
    #[inline]
    pub(crate) fn candidate(&self, hash: u64) -> Option<u32> {
        let bucket = self.buckets.get(self.home(hash))?;
        let slots = Bucket::with_tag(bucket.tags(), Self::tag(hash));
        if slots == 0 {
            // A compare-and-swap lets nothing go on beside it, least of all while its line comes from another core.
            prefetch_to_write(bucket);
            return None;
        }
        bucket.ids[Bucket::first(slots)].load(Acquire).checked_sub(1)
    }

    /// The id with this hash that `is` says, or where it would go.
    #[inline]
    pub(crate) fn search(&self, hash: u64, is: impl Fn(u32) -> bool) -> Result<u32, Vacancy> {
        self.search_from(self.home(hash), Self::tag(hash), is)
    }

    /// The same from this bucket on, before which all are full from the home on.
    #[inline]
    fn search_from(&self, mut at: usize, tag: u8, is: impl Fn(u32) -> bool) -> Result<u32, Vacancy> {
        while let Some(bucket) = self.buckets.get(at) {
            // What is found and what is free is read off the same tags: a state put in between must be in one of the two.
            let tags = bucket.tags();
            let mut slots = Bucket::with_tag(tags, tag);
            while slots != 0 {
                let id = bucket.id(Bucket::first(slots));
                if is(id) {
                    return Ok(id);
                }
                slots &= slots - 1;
            }
            let free = Bucket::with_tag(tags, 0);
            if free != 0 {
                let slot = Bucket::first(free);
                return Err(Vacancy {
                    bucket: at,
                    slot,
                    tag,
                    tags: tags[slot / 8],
                });
            }
            at += 1;
            if at == self.buckets.len() {
                at = 0;
            }
        }
        debug_assert!(self.buckets.is_empty(), "every home is a bucket");
        Err(Vacancy {
            bucket: 0,
            slot: 0,
            tag,
            tags: 0,
        })
    }

    /// Puts an id where a search has found room; nothing may have been put since.
    #[inline]
    pub(crate) fn put(&mut self, vacancy: Vacancy, id: u32) {
        let slot = vacancy.slot;
        let bucket = &self.buckets[vacancy.bucket];
        debug_assert!(
            slot < SLOTS && bucket.ids[slot].load(Relaxed) == 0,
            "invariant 1: the slot is free"
        );
        bucket.ids[slot].store(id + 1, Relaxed);
        bucket.tags[slot / 8].store(vacancy.taken(), Relaxed);
    }

    /// The id that `is` says, which others may have put since a search has found room instead; or a slot, claimed.
    #[inline]
    pub(crate) fn claim(&self, mut vacancy: Vacancy, is: impl Fn(u32) -> bool) -> Result<u32, Claimed> {
        loop {
            let Vacancy {
                bucket, slot, tag, ..
            } = vacancy;
            // If the word is as the search has seen it, so is the other one (invariant 1). What follows is ordered by the ids, not by the tags.
            let tags = &self.buckets[bucket].tags[slot / 8];
            if tags
                .compare_exchange(vacancy.tags, vacancy.taken(), Relaxed, Relaxed)
                .is_ok()
            {
                return Err(Claimed { bucket, slot });
            }
            match self.search_from(bucket, tag, &is) {
                Ok(id) => return Ok(id),
                Err(next) => vacancy = next,
            }
        }
    }

    /// Tells everyone the id in a claimed slot, after its row was written.
    #[inline]
    pub(crate) fn publish(&self, claimed: Claimed, id: u32) {
        self.buckets[claimed.bucket].ids[claimed.slot].store(id + 1, Release);
    }

    /// Puts an id that is certainly not there, while others do the same.
    #[inline]
    pub(crate) fn put_new_shared(&self, hash: u64, id: u32) {
        let nobody = |_| false;
        if let Err(claimed) = self
            .search(hash, nobody)
            .or_else(|vacancy| self.claim(vacancy, nobody))
        {
            self.publish(claimed, id);
        }
    }

    /// Puts an id that is certainly not there.
    #[inline]
    pub(crate) fn put_new(&mut self, hash: u64, id: u32) {
        if let Err(vacancy) = self.search(hash, |_| false) {
            self.put(vacancy, id);
        }
    }
}

/// Buckets without ids, by an allocation that need not touch them.
#[cfg(not(loom))]
fn empty(len: usize) -> Vec<Bucket> {
    bytemuck::allocation::zeroed_vec(len)
}

/// Buckets without ids.
#[cfg(loom)]
fn empty(len: usize) -> Vec<Bucket> {
    (0..len).map(|_| Bucket::default()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bucket_is_a_cache_line() {
        assert_eq!((size_of::<Bucket>(), align_of::<Bucket>()), (64, 64));
    }

    #[test]
    fn tags_are_told_apart_exactly() {
        let bytes = [
            1, 0x80, 0x7f, 0xff, 1, 0x81, 0, 2, 0x80, 0, 1, 0xfe, 1, 1, 0x80, 0xff,
        ];
        let half = |from: usize| u64::from_le_bytes(std::array::from_fn(|i| bytes[from + i]));
        let bucket = Bucket {
            tags: [half(0).into(), half(8).into()],
            ids: Default::default(),
        };
        for tag in 0..=255 {
            let mut slots = Bucket::with_tag(bucket.tags(), tag);
            let expected: Vec<usize> = (0..SLOTS).filter(|&i| bytes[i] == tag).collect();
            let mut found = Vec::new();
            while slots != 0 {
                found.push(Bucket::first(slots));
                slots &= slots - 1;
            }
            assert_eq!(found, expected, "tag {tag}");
        }
    }

    #[test]
    fn one_crowded_home_spills_over_and_around() {
        let mut index = Index::default();
        while index.room() < 200 {
            index.grow_empty();
        }
        // One home, the last, and one tag: only the ids tell these apart.
        for id in 0..200 {
            assert_eq!(index.search(u64::MAX, |other| other == id).ok(), None);
            index.put_new(u64::MAX, id);
        }
        for id in 0..200 {
            assert_eq!(index.search(u64::MAX, |other| other == id), Ok(id));
            assert!(index.search(0, |other| other == id).is_err());
        }
        index.clear();
        assert!(index.search(u64::MAX, |_| true).is_err());
    }

    #[test]
    fn growth_is_by_two_thirds_once_large() {
        let mut index = Index::default();
        let mut last = 0;
        for _ in 0..20 {
            let next = index.next_bytes();
            index.grow_empty();
            assert_eq!(index.bytes(), next);
            assert!(index.room() > last || last == 0);
            last = index.room();
        }
        let before = index.bytes() as f64;
        assert!((index.next_bytes() as f64 / before - 5.0 / 3.0).abs() < 0.01);
    }
}
