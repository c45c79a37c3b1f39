//! Numbers for things of which there are few kinds, so that many can be kept in few bytes: for one worker, and for several.

use rustc_hash::FxHashMap;
use std::hash::Hash;
use std::sync::atomic::{
    AtomicU32,
    Ordering::{Acquire, Release},
};
use std::sync::{PoisonError, RwLock};

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

/// Numbers for things, in the order they are met by anyone.
pub(crate) struct Numbers<T> {
    inner: RwLock<(FxHashMap<T, u32>, Vec<T>)>,
    /// How many there are.
    count: AtomicU32,
    most: u32,
}

impl<T: Copy + Eq + Hash> Numbers<T> {
    pub(crate) fn new(most: u32) -> Numbers<T> {
        Numbers {
            inner: RwLock::default(),
            count: AtomicU32::new(0),
            most,
        }
    }

    /// None if there are too many.
    pub(crate) fn number(&self, thing: T) -> Option<u32> {
        let mut inner = self.inner.write().unwrap_or_else(PoisonError::into_inner);
        let (numbers, list) = &mut *inner;
        if let Some(&number) = numbers.get(&thing) {
            return Some(number);
        }
        let number = list.len() as u32;
        (number < self.most).then(|| {
            numbers.insert(thing, number);
            list.push(thing);
            self.count.store(number + 1, Release);
            number
        })
    }

    /// The thing with a number that was given.
    pub(crate) fn at(&self, number: u32) -> T {
        let inner = self.inner.read().unwrap_or_else(PoisonError::into_inner);
        inner.1[number as usize]
    }

    /// Appends those that a list of them is missing. False if it misses none.
    pub(crate) fn catch_up(&self, list: &mut Vec<T>) -> bool {
        if list.len() == self.count.load(Acquire) as usize {
            return false;
        }
        let inner = self.inner.read().unwrap_or_else(PoisonError::into_inner);
        list.extend_from_slice(&inner.1[list.len()..]);
        true
    }
}
