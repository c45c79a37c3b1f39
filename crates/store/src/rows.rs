//! Rows of words of one width, appended one by one, never moved once there are many.
//!
//! A plain vector doubles: for a moment it holds three times what it needs, and copies everything. Here the rows lie in
//! chunks of at most 256 KiB, so that a growth costs one chunk and copies nothing. Only the first chunk grows
//! by doubling, from 16 rows, so that a small set stays small.
//!
//! Cost: `get` and `push` are a shift, a mask and one extra load; memory is the rows, at most one chunk of slack, and
//! 24 bytes a chunk.

use crate::Growth;

pub(crate) const CHUNK_BYTES: usize = 256 << 10;
const FIRST_ROWS: usize = 16;
const HEADER: usize = size_of::<Vec<u32>>();

/// A growing list of rows of `width` words each.
#[derive(Clone, Debug)]
pub(crate) struct Rows {
    width: usize,
    /// Rows a chunk holds, as a power of two.
    shift: u32,
    chunks: Vec<Vec<u32>>,
    len: usize,
    /// Rows that fit before the next growth.
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
            len: 0,
            room: 0,
        }
    }

    /// How many rows there are.
    #[inline]
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// Whether there are none.
    pub(crate) fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// How many rows fit before the next growth.
    #[inline]
    pub(crate) fn room(&self) -> usize {
        self.room
    }

    /// Row `i`.
    ///
    /// # Panics
    /// If there are not that many rows.
    #[inline]
    pub(crate) fn get(&self, i: usize) -> &[u32] {
        debug_assert!(i < self.len, "row {i} of {}", self.len);
        let (chunk, start) = self.place(i);
        &self.chunks[chunk][start..start + self.width]
    }

    #[inline]
    fn place(&self, i: usize) -> (usize, usize) {
        let within = i & ((1 << self.shift) - 1);
        (i >> self.shift, within * self.width)
    }

    /// Appends a row; grows if there is no room.
    #[inline]
    pub(crate) fn push(&mut self, row: &[u32]) {
        debug_assert_eq!(row.len(), self.width);
        if self.len == self.room {
            self.grow();
        }
        self.chunks[self.len >> self.shift].extend_from_slice(row);
        self.len += 1;
    }

    /// Makes room for at least one more row, whether or not there still is some.
    #[cold]
    pub(crate) fn grow(&mut self) {
        let per_chunk = 1 << self.shift;
        if self.room == 0 {
            let rows = FIRST_ROWS.min(per_chunk);
            self.chunks.reserve_exact(1);
            self.chunks.push(Vec::with_capacity(rows * self.width));
            self.room = rows;
        } else if self.room < per_chunk {
            let chunk = &mut self.chunks[0];
            chunk.reserve_exact(2 * self.room * self.width - chunk.len());
            self.room *= 2;
        } else {
            if self.chunks.len() == self.chunks.capacity() {
                self.chunks.reserve_exact(self.chunks.len());
            }
            self.chunks.push(Vec::with_capacity(per_chunk * self.width));
            self.room += per_chunk;
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

    /// Bytes held once `len` rows of `width` words have been pushed.
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

    /// Gives all rows in order, and each chunk's memory back when its rows are through.
    pub(crate) fn drain(self, mut each: impl FnMut(&[u32])) {
        if self.width == 0 {
            (0..self.len).for_each(|_| each(&[]));
            return;
        }
        for chunk in self.chunks {
            chunk.chunks_exact(self.width).for_each(&mut each);
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
                if rows.len() == rows.room() {
                    let (before, growth) = (rows.bytes(), rows.growth());
                    rows.grow();
                    assert_eq!(rows.bytes(), before + growth.taken - growth.freed);
                    let held: usize = rows.chunks.iter().map(Vec::capacity).sum();
                    assert_eq!(rows.bytes(), (4 * held + HEADER * rows.chunks.capacity()) as u64);
                }
                row.fill(i);
                rows.push(&row);
            }
            for i in 0..count {
                assert_eq!(rows.get(i as usize).len(), width);
                assert!(rows.get(i as usize).iter().all(|&w| w == i));
            }
            assert_eq!(rows.bytes(), Rows::bytes_for(width, count as usize));
            let mut seen = 0;
            rows.clone().drain(|row| {
                assert!(row.len() == width && row.iter().all(|&w| w == seen));
                seen += 1;
            });
            assert_eq!(seen, count);
            let slack = rows.bytes() as usize - count as usize * width * 4;
            assert!(slack <= (CHUNK_BYTES + 2 * HEADER * rows.chunks.len()).max(8 * width));
        }
    }

    #[test]
    fn few_rows_take_little() {
        let mut rows = Rows::new(4);
        assert_eq!(rows.bytes(), 0);
        rows.push(&[1, 2, 3, 4]);
        assert!(rows.bytes() < 300);
        assert_eq!(rows.get(0), [1, 2, 3, 4]);
    }
}
