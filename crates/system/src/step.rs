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

/// A reusable buffer of steps from one state: labels, and targets laid out one after the other.
#[derive(Clone, Debug)]
pub struct Steps {
    width: usize,
    labels: Vec<Label>,
    words: Vec<Word>,
}

impl Steps {
    /// An empty buffer for states of `width` words.
    pub fn new(width: usize) -> Steps {
        Steps {
            width,
            labels: Vec::new(),
            words: Vec::new(),
        }
    }

    /// Empties the buffer and keeps its memory.
    pub fn clear(&mut self) {
        self.labels.clear();
        self.words.clear();
    }

    /// How many steps there are.
    pub fn len(&self) -> usize {
        self.labels.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.labels.is_empty()
    }

    /// The label of step `i`.
    pub fn label(&self, i: usize) -> Label {
        self.labels[i]
    }

    /// The target of step `i`.
    pub fn target(&self, i: usize) -> &[Word] {
        &self.words[i * self.width..][..self.width]
    }

    /// All steps in order.
    pub fn iter(&self) -> impl Iterator<Item = (Label, &[Word])> {
        // A state may have width 0; `chunks_exact` may not.
        self.labels
            .iter()
            .enumerate()
            .map(|(i, &label)| (label, self.target(i)))
    }

    /// Appends a step whose target starts as a copy of `state`, and returns the target for changes.
    #[inline]
    pub fn push(&mut self, label: Label, state: &[Word]) -> &mut [Word] {
        debug_assert_eq!(state.len(), self.width);
        self.labels.push(label);
        let start = self.words.len();
        self.words.extend_from_slice(state);
        &mut self.words[start..]
    }

    /// The target of the last step, for changes.
    pub fn last_target(&mut self) -> &mut [Word] {
        let start = self.words.len() - self.width;
        &mut self.words[start..]
    }

    /// Of the steps from number `from` on, keeps those that `keep` says, counted from 0 at `from`.
    pub fn retain_from(&mut self, from: usize, keep: impl Fn(usize) -> bool) {
        let mut kept = from;
        for i in from..self.len() {
            if keep(i - from) {
                self.labels[kept] = self.labels[i];
                self.words
                    .copy_within(i * self.width..(i + 1) * self.width, kept * self.width);
                kept += 1;
            }
        }
        self.truncate(kept);
    }

    /// Drops all steps from number `len` on.
    pub fn truncate(&mut self, len: usize) {
        self.labels.truncate(len);
        self.words.truncate(len * self.width);
    }

    /// Of the steps from number `from` on, drops those that repeat an earlier one.
    pub fn dedup_from(&mut self, from: usize) {
        let mut i = from;
        while i < self.len() {
            let repeated =
                (from..i).any(|j| self.labels[i] == self.labels[j] && self.target(i) == self.target(j));
            if repeated {
                self.labels.remove(i);
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
            (from..last).any(|i| self.labels[i] == self.labels[last] && self.target(i) == self.target(last));
        if repeated {
            self.truncate(last);
        }
    }
}
