//! Numbers for things of which there are few kinds, so that many can be kept in few bytes.

use rustc_hash::FxHashMap;
use std::hash::Hash;

/// The kinds met so far, by number.
pub(crate) struct Numbering<T> {
    list: Vec<T>,
    numbers: FxHashMap<T, u32>,
    /// By number: the one that was asked for after it, the last time.
    after: Vec<u32>,
    /// The one asked for last.
    last: u32,
}

impl<T: Copy + Eq + Hash> Numbering<T> {
    pub(crate) fn new() -> Numbering<T> {
        Numbering {
            list: Vec::new(),
            numbers: FxHashMap::default(),
            after: Vec::new(),
            last: 0,
        }
    }

    /// How many there are.
    pub(crate) fn len(&self) -> usize {
        self.list.len()
    }

    /// The kind with a number that was given.
    #[inline]
    pub(crate) fn at(&self, number: u32) -> T {
        self.list[number as usize]
    }

    /// The number of a kind.
    #[inline]
    pub(crate) fn number(&mut self, kind: T) -> u32 {
        // They come in much the same order again and again.
        let guess = self.after.get(self.last as usize).copied().unwrap_or(0);
        self.last = match self.list.get(guess as usize) {
            Some(&guessed) if guessed == kind => guess,
            _ => self.find(kind),
        };
        self.last
    }

    fn find(&mut self, kind: T) -> u32 {
        let number = *self.numbers.entry(kind).or_insert_with(|| {
            self.list.push(kind);
            self.after.push(0);
            self.list.len() as u32 - 1
        });
        self.after[self.last as usize] = number;
        number
    }
}
