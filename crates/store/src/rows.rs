//! Rows of words of one width, never moved once there are many.
//!
//! A plain vector doubles: for a moment it holds three times what it needs, and copies everything. Here the rows lie in
//! chunks of at most 128 KiB, so that a growth costs one chunk and copies nothing. Only the first chunk grows
//! by doubling, from 16 rows, so that a small set stays small.
//!
//! Whoever has the rows alone appends them one by one. Several workers write them at once, each to rows of its own, where
//! [`Rows::reserve`] has made room before. Words are atomic for their sake; on the processors we run on, a relaxed load or store
//! of one costs what a plain one does. A row may be read by whoever learnt of it in a way that orders the reading after the
//! writing, as the index does.
//!
//! Cost: `get` and `push` are a shift, a mask and one extra load; memory is the rows, at most one chunk of slack, and
//! 16 bytes a chunk.

use crate::Growth;
use crate::prefetch::prefetch_to_write;
use crate::sync::{AtomicU32, Ordering::Relaxed, zeroed};

pub(crate) const CHUNK_BYTES: usize = 128 << 10;
const FIRST_ROWS: usize = 16;
const HEADER: usize = size_of::<Box<[u32]>>();

/// A unit of a row.
pub(crate) trait Unit {
    fn get(&self) -> u32;
}

impl Unit for u32 {
    #[inline]
    fn get(&self) -> u32 {
        *self
    }
}

impl Unit for AtomicU32 {
    #[inline]
    fn get(&self) -> u32 {
        self.load(Relaxed)
    }
}

/// A growing list of rows of `width` words each.
#[derive(Debug)]
pub(crate) struct Rows {
    width: usize,
    /// Rows a chunk holds, as a power of two.
    shift: u32,
    chunks: Vec<Box<[AtomicU32]>>,
    /// Rows that are there before the next growth.
    room: usize,
}

impl Rows {
    /// No rows. Allocates nothing.
    pub(crate) fn new(width: usize) -> Rows {
        let rows = (CHUNK_BYTES / (4 * width.max(1))).max(1);
        Rows {
            width,
            shift: rows.ilog2(),
            chunks: Vec::new(),
            room: 0,
        }
    }

    /// How many rows there is room for.
    #[inline]
    pub(crate) fn room(&self) -> usize {
        self.room
    }

    /// Row `i`.
    ///
    /// # Panics
    /// If there is no room for that many rows.
    #[inline]
    pub(crate) fn get(&self, i: usize) -> &[AtomicU32] {
        let within = i & ((1 << self.shift) - 1);
        let start = within * self.width;
        &self.chunks[i >> self.shift][start..start + self.width]
    }

    /// Writes row `i`, which nobody else writes, and nobody reads before being told.
    ///
    /// # Panics
    /// If there is no room for that many rows.
    #[inline]
    pub(crate) fn set(&self, i: usize, row: &[u32]) {
        debug_assert_eq!(row.len(), self.width);
        let units = self.get(i).iter().zip(row);
        units.for_each(|(unit, &word)| unit.store(word, Relaxed));
    }

    /// Asks for the memory of some rows that will be written, as far as they lie in one chunk.
    #[inline]
    pub(crate) fn approach(&self, first: usize, count: usize) {
        let within = first & ((1 << self.shift) - 1);
        let rest = &self.chunks[first >> self.shift][within * self.width..];
        // So many are in a cache line.
        let units = rest.iter().take(count * self.width).step_by(16);
        units.for_each(prefetch_to_write);
    }

    /// Makes room for at least one more row, whether or not there still is some.
    #[cold]
    pub(crate) fn grow(&mut self) {
        let per_chunk = 1 << self.shift;
        if self.room == 0 {
            let rows = FIRST_ROWS.min(per_chunk);
            self.chunks.reserve_exact(1);
            self.chunks.push(zeroed(rows * self.width));
            self.room = rows;
        } else if self.room < per_chunk {
            let larger = zeroed(2 * self.room * self.width);
            let moved = larger.iter().zip(&*self.chunks[0]);
            moved.for_each(|(to, from)| to.store(from.load(Relaxed), Relaxed));
            self.chunks[0] = larger;
            self.room *= 2;
        } else {
            if self.chunks.len() == self.chunks.capacity() {
                self.chunks.reserve_exact(self.chunks.len());
            }
            self.chunks.push(zeroed(per_chunk * self.width));
            self.room += per_chunk;
        }
    }

    /// Makes room for `rows` rows in all.
    pub(crate) fn reserve(&mut self, rows: usize) {
        while self.room < rows {
            self.grow();
        }
    }

    /// What [`Rows::grow`] would cost now.
    pub(crate) fn growth(&self) -> Growth {
        let per_chunk = 1 << self.shift;
        let row = 4 * self.width;
        let (taken, freed) = if self.room == 0 {
            (FIRST_ROWS.min(per_chunk) * row + HEADER, 0)
        } else if self.room < per_chunk {
            (2 * self.room * row, self.room * row)
        } else {
            let full = self.chunks.len() == self.chunks.capacity();
            let headers = if full { self.chunks.len() * HEADER } else { 0 };
            (per_chunk * row + 2 * headers, headers)
        };
        Growth {
            taken: taken as u64,
            freed: freed as u64,
        }
    }

    /// Bytes held once there is room for `len` rows of `width` words.
    pub(crate) fn bytes_for(width: usize, len: usize) -> u64 {
        let per_chunk = 1 << Rows::new(width).shift;
        let (room, chunks) = match len {
            0 => (0, 0),
            _ if len <= per_chunk => (len.max(FIRST_ROWS).next_power_of_two().min(per_chunk), 1),
            _ => (
                len.next_multiple_of(per_chunk),
                len.div_ceil(per_chunk).next_power_of_two(),
            ),
        };
        (room * width * 4 + chunks * HEADER) as u64
    }

    /// Gives the first `len` rows in order, and each chunk's memory back when its rows are through.
    pub(crate) fn drain(self, len: usize, mut each: impl FnMut(&[AtomicU32])) {
        if self.width == 0 {
            (0..len).for_each(|_| each(&[]));
            return;
        }
        let mut left = len;
        for chunk in self.chunks {
            chunk.chunks_exact(self.width).take(left).for_each(&mut each);
            left = left.saturating_sub(1 << self.shift);
        }
    }

    /// Bytes held, slack included.
    pub(crate) fn bytes(&self) -> u64 {
        (self.room * self.width * 4 + self.chunks.capacity() * HEADER) as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_come_back_and_growth_is_foretold() {
        for width in [0, 1, 3, 7, 1000, 16384, 20000] {
            let mut rows = Rows::new(width);
            let count = if width > 999 { 40 } else { 70_000 };
            let mut row = vec![0; width];
            for i in 0..count {
                if i == rows.room() {
                    let (before, growth) = (rows.bytes(), rows.growth());
                    rows.grow();
                    assert_eq!(rows.bytes(), before + growth.taken - growth.freed);
                    let held: usize = rows.chunks.iter().map(|chunk| chunk.len()).sum();
                    assert_eq!(rows.bytes(), (4 * held + HEADER * rows.chunks.capacity()) as u64);
                }
                row.fill(i as u32);
                rows.set(i, &row);
            }
            for i in 0..count {
                assert_eq!(rows.get(i).len(), width);
                assert!(rows.get(i).iter().all(|w| w.get() == i as u32));
            }
            assert_eq!(rows.bytes(), Rows::bytes_for(width, count));
            let slack = rows.bytes() as usize - count * width * 4;
            assert!(slack <= (CHUNK_BYTES + 2 * HEADER * rows.chunks.len()).max(8 * width));
            let mut seen = 0;
            rows.drain(count, |row| {
                assert!(row.len() == width && row.iter().all(|w| w.get() == seen));
                seen += 1;
            });
            assert_eq!(seen as usize, count);
        }
    }

    #[test]
    fn few_rows_take_little() {
        let mut rows = Rows::new(4);
        assert_eq!(rows.bytes(), 0);
        rows.grow();
        rows.set(0, &[1, 2, 3, 4]);
        assert!(rows.bytes() < 300);
        assert!(rows.get(0).iter().map(Unit::get).eq([1, 2, 3, 4]));
    }
}
