//! Where visited states live.
//!
//! [`StateTable`] is an exact set of states: it gives each distinct state a dense [`StateId`] in the order of first
//! insertion, or to each of several workers a few ids in a row ([`Lease`]), and gives the state back for the id. It keeps states packed (`packing`), in `rows`, and finds them through an
//! `index`; a [`Batch`] looks up all targets of a state's steps together. It says what its next growth costs before it
//! grows ([`Growth`]), so that whoever watches the memory can stop in time.

mod batch;
mod halves;
mod hash;
mod ids;
mod index;
mod lanes;
mod packing;
mod prefetch;
mod rows;
mod simd;
mod sync;
mod table;
mod union_find;
mod words;

pub use batch::Batch;
pub use ids::Lease;
pub use prefetch::{prefetch, prefetch_to_write};
pub use sync::Apart;
pub use table::{Full, Inserted, StateTable, Unfit, Widening};
pub use union_find::{Claim, MAX_WORKERS, UnionFind};

/// A state in a [`StateTable`]: its number.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct StateId(pub u32);

impl StateId {
    /// The id as an index.
    #[inline]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// What the next growth of a container costs: while it lasts, `taken` more bytes are held than before; when it
/// is over, `freed` of the old ones are given back.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Growth {
    /// Bytes allocated.
    pub taken: u64,
    /// Bytes given back afterwards.
    pub freed: u64,
}

impl std::ops::Add for Growth {
    type Output = Growth;

    fn add(self, other: Growth) -> Growth {
        Growth {
            taken: self.taken + other.taken,
            freed: self.freed + other.freed,
        }
    }
}
