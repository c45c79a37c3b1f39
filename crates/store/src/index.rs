//! From a hash to an id: open addressing over cache lines.
//!
//! A bucket is one cache line of 12 slots: 12 tags of 8 bits, then 12 ids. A search for a hash starts at its home bucket, compares all
//! tags of a bucket at once, and asks the caller only about ids whose tag agrees, one in 255 of them in vain. It goes on
//! to the next bucket only if this one is full. So most searches touch one line, whether or not they find.
//! The separation of a compact index with parts of the hash from the state data is that of [Laarman-FMCAD'10].
//!
//! The home is the leading half of the hash scaled to the number of buckets, which need not be a power of two: the index grows by
//! half when 7/8 of the slots are taken, and costs 6.1 to 9.2 bytes an id; a tight one grows by a quarter, and costs up to 7.6. It keeps no hashes: when it grows, the old one is
//! given back first, and the caller fills the new one.
//!
//! Invariants:
//! 1. the slots of a bucket are taken from the first on; a taken slot has a tag from 1 to 255 and an id plus one;
//! 2. an id lies in its home bucket or cyclically after it, with only full buckets between;
//! 3. at most 7/8 of the slots are taken, so a search ends.

use crate::lanes;
use crate::prefetch::prefetch;

/// Slots a bucket.
const SLOTS: usize = 12;

/// One cache line.
#[repr(C, align(64))]
#[derive(Clone, Copy, Debug, Default)]
struct Bucket {
    /// A byte a slot, the last four bytes without one.
    tags: [u64; 2],
    /// Ids plus one; 0 where there is none.
    ids: [u32; SLOTS],
}

impl Bucket {
    /// The slots with this tag, a bit each.
    #[inline]
    fn with_tag(&self, tag: u8) -> u32 {
        lanes::equal(self.tags, tag) & ((1 << SLOTS) - 1)
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
}

/// The index.
#[derive(Clone, Debug, Default)]
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
        self.buckets.len() * SLOTS / 8 * 7
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
        let len = self.buckets.len();
        len + (len / if self.tight { 4 } else { 2 }).max(1)
    }

    /// A larger index without ids in its place. The old one goes first.
    pub(crate) fn grow_empty(&mut self) {
        let len = self.next_len();
        self.buckets = Vec::new();
        self.buckets = vec![Bucket::default(); len];
    }

    /// Takes all ids out.
    pub(crate) fn clear(&mut self) {
        self.buckets.fill(Bucket::default());
    }

    #[inline]
    fn home(&self, hash: u64) -> usize {
        (((hash >> 32) * self.buckets.len() as u64) >> 32) as usize
    }

    #[inline]
    fn tag(hash: u64) -> u8 {
        (hash as u8).max(1)
    }

    /// Asks for the memory where a search for this hash starts.
    #[inline]
    pub(crate) fn prefetch(&self, hash: u64) {
        if let Some(bucket) = self.buckets.get(self.home(hash)) {
            prefetch(bucket);
        }
    }

    /// An id in the home bucket whose tag agrees.
    #[inline]
    pub(crate) fn candidate(&self, hash: u64) -> Option<u32> {
        let bucket = self.buckets.get(self.home(hash))?;
        let slots = bucket.with_tag(Self::tag(hash));
        (slots != 0).then(|| bucket.ids[Bucket::first(slots)] - 1)
    }

    /// The id with this hash that `is` says, or where it would go.
    #[inline]
    pub(crate) fn search(&self, hash: u64, is: impl Fn(u32) -> bool) -> Result<u32, Vacancy> {
        let tag = Self::tag(hash);
        let mut at = self.home(hash);
        while let Some(bucket) = self.buckets.get(at) {
            let mut slots = bucket.with_tag(tag);
            while slots != 0 {
                let id = bucket.ids[Bucket::first(slots)] - 1;
                if is(id) {
                    return Ok(id);
                }
                slots &= slots - 1;
            }
            if bucket.ids[SLOTS - 1] == 0 {
                let slot = Bucket::first(bucket.with_tag(0));
                return Err(Vacancy {
                    bucket: at,
                    slot,
                    tag,
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
        })
    }

    /// Puts an id where a search has found room; nothing may have been put since.
    #[inline]
    pub(crate) fn put(&mut self, vacancy: Vacancy, id: u32) {
        let Vacancy { bucket, slot, tag } = vacancy;
        let bucket = &mut self.buckets[bucket];
        debug_assert!(
            slot < SLOTS && bucket.ids[slot] == 0,
            "invariant 1: the slot is free"
        );
        bucket.ids[slot] = id + 1;
        bucket.tags[slot / 8] |= u64::from(tag) << (slot % 8 * 8);
    }

    /// Puts an id that is certainly not there.
    #[inline]
    pub(crate) fn put_new(&mut self, hash: u64, id: u32) {
        if let Err(vacancy) = self.search(hash, |_| false) {
            self.put(vacancy, id);
        }
    }
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
            tags: [half(0), half(8)],
            ids: [0; SLOTS],
        };
        for tag in 0..=255 {
            let mut slots = bucket.with_tag(tag);
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
    fn growth_is_by_half_once_large() {
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
        assert!((index.next_bytes() as f64 / before - 1.5).abs() < 0.01);
    }
}
