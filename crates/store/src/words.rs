//! Words for a moment: those that are packed for a state, and packed rows that are searched for.

/// Of up to this many words, without allocation.
const SHORT: usize = 32;

/// The words that are packed for a state.
pub(crate) enum Folded<'s> {
    Same(&'s [u32]),
    Pair(Words),
}

impl std::ops::Deref for Folded<'_> {
    type Target = [u32];

    #[inline]
    fn deref(&self) -> &[u32] {
        match self {
            Folded::Same(state) => state,
            Folded::Pair(words) => words,
        }
    }
}

/// Words for a moment, without allocation if they are few.
pub(crate) struct Words {
    short: [u32; SHORT],
    long: Vec<u32>,
    len: usize,
}

impl Words {
    #[inline]
    pub(crate) fn new(len: usize) -> Words {
        let long = if len > SHORT { vec![0; len] } else { Vec::new() };
        Words {
            short: [0; SHORT],
            long,
            len,
        }
    }

    pub(crate) fn joined(pair: [u32; 2], carried: &[u32]) -> Words {
        let mut words = Words::new(2 + carried.len());
        words[..2].copy_from_slice(&pair);
        words[2..].copy_from_slice(carried);
        words
    }
}

impl std::ops::Deref for Words {
    type Target = [u32];

    #[inline]
    fn deref(&self) -> &[u32] {
        if self.len > SHORT {
            &self.long
        } else {
            &self.short[..self.len]
        }
    }
}

impl std::ops::DerefMut for Words {
    #[inline]
    fn deref_mut(&mut self) -> &mut [u32] {
        if self.len > SHORT {
            &mut self.long
        } else {
            &mut self.short[..self.len]
        }
    }
}
