//! Steps and the buffer they are produced into.

/// One machine word of a state.
pub type Word = u32;

/// An event of a system: the label of a step.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct EventId(pub u32);

impl EventId {
    /// The silent event, in every system.
    pub const TAU: EventId = EventId(0);
    /// Successful termination, in every system.
    pub const TERMINATE: EventId = EventId(1);
    /// The reserved event of a state without steps, which idles forever. No step of a system has it.
    pub const IDLE: EventId = EventId(u32::MAX);
}

/// An interned set of processes: those that take part in a step.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ProcessesId(pub u32);

impl ProcessesId {
    /// The empty set, in every system.
    pub const NONE: ProcessesId = ProcessesId(0);
}

/// What a step is called: its event and who took part.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Label {
    /// The event.
    pub event: EventId,
    /// The participating processes.
    pub processes: ProcessesId,
}

/// Which words of a step's target may differ from the state stepped: never too few, perhaps too many.
///
/// One bit for every 64th word, so that a set is a machine word however wide a state is. A store that keeps states packed uses
/// it to pack what changed, and copies the rest from the state stepped.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Changed(u64);

impl Changed {
    /// No word.
    pub const NOTHING: Changed = Changed(0);
    /// Every word: right for every step.
    pub const ANYTHING: Changed = Changed(u64::MAX);

    /// This word (and every 64th from it).
    #[inline]
    pub fn word(word: usize) -> Changed {
        Changed(1 << (word % 64))
    }

    /// These words.
    pub fn words(words: std::ops::Range<usize>) -> Changed {
        words.take(64).map(Changed::word).collect()
    }

    /// What has changed, if words are counted from this one on.
    #[inline]
    #[must_use]
    pub fn counted_from(self, word: usize) -> Changed {
        Changed(self.0.rotate_right((word % 64) as u32))
    }

    /// The same words of a state that has one more in front of all.
    #[inline]
    #[must_use]
    pub fn one_later(self) -> Changed {
        Changed(self.0.rotate_left(1))
    }

    /// Whether one of these words may have changed.
    #[inline]
    pub fn meets(self, words: Changed) -> bool {
        self.0 & words.0 != 0
    }

    /// Whether nothing is left out.
    #[inline]
    pub fn is_anything(self) -> bool {
        self == Changed::ANYTHING
    }

    /// Calls `each` with every word that may have changed, of a state of `width` words.
    #[inline]
    pub fn for_each(self, width: usize, mut each: impl FnMut(usize)) {
        let mut bits = self.0;
        while bits != 0 {
            let mut word = bits.trailing_zeros() as usize;
            while word < width {
                each(word);
                word += 64;
            }
            bits &= bits - 1;
        }
    }
}

impl std::ops::BitOr for Changed {
    type Output = Changed;

    #[inline]
    fn bitor(self, other: Changed) -> Changed {
        Changed(self.0 | other.0)
    }
}

impl std::ops::BitOrAssign for Changed {
    #[inline]
    fn bitor_assign(&mut self, other: Changed) {
        *self = *self | other;
    }
}

impl FromIterator<Changed> for Changed {
    fn from_iter<I: IntoIterator<Item = Changed>>(parts: I) -> Changed {
        parts.into_iter().fold(Changed::NOTHING, |all, part| all | part)
    }
}

/// A reusable buffer of steps from one state: labels, and targets laid out one after the other.
#[derive(Clone, Debug)]
pub struct Steps {
    width: usize,
    heads: Vec<Head>,
    words: Vec<Word>,
}

/// What there is to a step besides its target.
#[derive(Clone, Copy, Debug)]
struct Head {
    label: Label,
    changed: Changed,
}

impl Steps {
    /// An empty buffer for states of `width` words.
    pub fn new(width: usize) -> Steps {
        Steps {
            width,
            heads: Vec::new(),
            words: Vec::new(),
        }
    }

    /// Empties the buffer and keeps its memory.
    pub fn clear(&mut self) {
        self.heads.clear();
        self.words.clear();
    }

    /// How many steps there are.
    pub fn len(&self) -> usize {
        self.heads.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.heads.is_empty()
    }

    /// The label of step `i`.
    pub fn label(&self, i: usize) -> Label {
        self.heads[i].label
    }

    /// The target of step `i`.
    pub fn target(&self, i: usize) -> &[Word] {
        &self.words[i * self.width..][..self.width]
    }

    /// Which words of the target of step `i` may differ from the state stepped.
    #[inline]
    pub fn changed(&self, i: usize) -> Changed {
        self.heads[i].changed
    }

    /// All steps in order.
    pub fn iter(&self) -> impl Iterator<Item = (Label, &[Word])> {
        // A state may have width 0; `chunks_exact` may not.
        self.heads
            .iter()
            .enumerate()
            .map(|(i, head)| (head.label, self.target(i)))
    }

    /// All targets in order, with what may differ there from the state stepped.
    #[inline]
    pub fn changes(&self) -> impl Iterator<Item = (&[Word], Changed)> {
        // Cut off one by one: to know how many there are takes a division.
        let mut rest = &*self.words;
        self.heads.iter().map(move |head| {
            let (target, others) = rest.split_at(self.width);
            rest = others;
            (target, head.changed)
        })
    }

    /// Appends a step whose target starts as a copy of `state`, and returns the target for changes.
    #[inline]
    pub fn push(&mut self, label: Label, state: &[Word]) -> &mut [Word] {
        self.push_changing(label, state, Changed::ANYTHING)
    }

    /// As [`Steps::push`], where `state` is the state being stepped and only the words in `changed` will be changed.
    #[inline]
    pub fn push_changing(&mut self, label: Label, state: &[Word], changed: Changed) -> &mut [Word] {
        debug_assert_eq!(state.len(), self.width);
        self.heads.push(Head { label, changed });
        let start = self.words.len();
        self.words.extend_from_slice(state);
        &mut self.words[start..]
    }

    /// Appends a step whose target is a word and, after it, other ones.
    #[inline]
    pub fn push_after(&mut self, label: Label, first: Word, rest: &[Word], changed: Changed) {
        debug_assert_eq!(rest.len() + 1, self.width);
        self.heads.push(Head { label, changed });
        self.words.push(first);
        self.words.extend_from_slice(rest);
    }

    /// Lets the last step change these words as well.
    #[inline]
    pub fn also_changes(&mut self, changed: Changed) {
        self.heads.last_mut().expect("there is a last step").changed |= changed;
    }

    /// The target of the last step, for changes within what it was pushed with.
    pub fn last_target(&mut self) -> &mut [Word] {
        let start = self.words.len() - self.width;
        &mut self.words[start..]
    }

    /// Of the steps from number `from` on, keeps those that `keep` says, counted from 0 at `from`.
    pub fn retain_from(&mut self, from: usize, keep: impl Fn(usize) -> bool) {
        let mut kept = from;
        for i in from..self.len() {
            if keep(i - from) {
                self.heads[kept] = self.heads[i];
                self.words
                    .copy_within(i * self.width..(i + 1) * self.width, kept * self.width);
                kept += 1;
            }
        }
        self.truncate(kept);
    }

    /// Drops all steps from number `len` on.
    pub fn truncate(&mut self, len: usize) {
        self.heads.truncate(len);
        self.words.truncate(len * self.width);
    }

    /// Of the steps from number `from` on, drops those that repeat an earlier one.
    pub fn dedup_from(&mut self, from: usize) {
        let mut i = from;
        while i < self.len() {
            let repeated =
                (from..i).any(|j| self.label(i) == self.label(j) && self.target(i) == self.target(j));
            if repeated {
                self.heads.remove(i);
                self.words.drain(i * self.width..(i + 1) * self.width);
            } else {
                i += 1;
            }
        }
    }

    /// Drops the last step if an earlier one from number `from` on has the same label and target.
    pub fn drop_repeated(&mut self, from: usize) {
        let last = self.len() - 1;
        let repeated =
            (from..last).any(|i| self.label(i) == self.label(last) && self.target(i) == self.target(last));
        if repeated {
            self.truncate(last);
        }
    }
}
