//! Where everything lies in a state's words.
//!
//! ```text
//! | shape | leaf 0 .. n-1 | variables | channels | hidden variables, if merged |
//! ```
//!
//! The first word is the number of the shape, the next ones hold the places of its leaves; a shape with fewer leaves leaves the rest 0. Where all of
//! these words are 0, the whole has ended. A channel that holds up to `k` messages takes a word for their number and, a message, one word for its kind and one a field;
//! what is not used is 0.

use crate::model::{Model, Type, Value};
use crate::state::Valuation;
use fairhold_system::{Changed, Word};
use std::ops::Range;

/// The layout of a system's states.
#[derive(Debug)]
pub(super) struct Layout {
    /// Leaves that have a word.
    pub(super) leaves: usize,
    /// The first word of each variable.
    pub(super) variables: Vec<usize>,
    /// How many words each variable has.
    lens: Vec<usize>,
    /// Each single channel.
    pub(super) channels: Vec<ChannelLayout>,
    /// Words per state.
    pub(super) width: usize,
    /// Words that tell states apart.
    pub(super) key_width: usize,
}

/// The words of one channel.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct ChannelLayout {
    /// The word that counts messages.
    pub(super) first: usize,
    /// How many it can hold.
    pub(super) capacity: usize,
    /// Words a message: its shape, then its fields.
    pub(super) stride: usize,
}

impl ChannelLayout {
    /// All words of the channel.
    pub(super) fn words(self) -> usize {
        if self.capacity == 0 {
            0
        } else {
            1 + self.capacity * self.stride
        }
    }

    /// The words that sending or taking a message may change: all.
    pub(super) fn changed(self) -> Changed {
        Changed::words(self.first..self.first + self.words())
    }

    /// The first word of message `i`.
    fn message(self, i: usize) -> usize {
        self.first + 1 + i * self.stride
    }

    /// How many messages it holds.
    pub(super) fn len(self, state: &[Word]) -> usize {
        state[self.first] as usize
    }

    /// The words of the first message.
    pub(super) fn head(self, state: &[Word]) -> &[Word] {
        &state[self.message(0)..][..self.stride]
    }

    /// Appends a message that fits.
    pub(super) fn push(self, state: &mut [Word], message: &[Word]) {
        let len = self.len(state);
        debug_assert!(len < self.capacity, "a full channel takes no message");
        state[self.message(len)..][..self.stride].copy_from_slice(message);
        state[self.first] += 1;
    }

    /// Removes the first message.
    pub(super) fn pop(self, state: &mut [Word]) {
        let len = self.len(state);
        debug_assert!(len > 0, "an empty channel gives no message");
        let last = self.message(len - 1);
        state.copy_within(self.message(1)..last + self.stride, self.message(0));
        state[last..last + self.stride].fill(0);
        state[self.first] -= 1;
    }

    /// A message as words. The shape is the number of fields, and above it a digit to base 3 for the kind of each.
    pub(super) fn pack(self, model: &Model, message: &[Value]) -> Vec<Word> {
        let mut words = vec![0; self.stride];
        let mut kinds = 0;
        for (i, value) in message.iter().enumerate().rev() {
            let (ty, word) = model
                .collections
                .word(value)
                .expect("a message's fields are words");
            let kind = match ty {
                Type::Int => 0,
                Type::Bool => 1,
                Type::Collection(_) => 2,
            };
            kinds = 3 * kinds + kind;
            words[1 + i] = word as Word;
        }
        words[0] = message.len() as Word | kinds << FIELD_BITS;
        words
    }
}

/// Bits of a shape that count fields. The others hold 17 digits to base 3: see [`MAX_FIELDS`](crate::expr::MAX_FIELDS).
const FIELD_BITS: u32 = 5;

/// A message from its words.
pub(super) fn unpack(model: &Model, words: &[Word]) -> Vec<Value> {
    let len = (words[0] & ((1 << FIELD_BITS) - 1)) as usize;
    let mut kinds = words[0] >> FIELD_BITS;
    let mut values = Vec::with_capacity(len);
    for &word in &words[1..][..len] {
        values.push(match kinds % 3 {
            0 => Value::Int(word as i32),
            1 => Value::Bool(word != 0),
            _ => Value::Collection(model.collections.get(word as i32)),
        });
        kinds /= 3;
    }
    values
}

impl Layout {
    /// The layout for a model with words for so many leaves. Hidden variables tell no states apart if they are `merged`:
    /// then they come last.
    pub(super) fn new(model: &Model, leaves: usize, merged: bool) -> Layout {
        let mut next = 1 + leaves;
        let mut variables = vec![0; model.variables.len()];
        let mut place = |last: bool, next: &mut usize| {
            for (word, decl) in variables.iter_mut().zip(&model.variables) {
                if (merged && decl.hidden) == last {
                    *word = *next;
                    *next += decl.init.len();
                }
            }
        };
        place(false, &mut next);
        let mut channels = Vec::new();
        for decl in &model.channels {
            for _ in 0..decl.len.unwrap_or(1) {
                let channel = ChannelLayout {
                    first: next,
                    capacity: decl.capacity as usize,
                    stride: 1 + decl.arity as usize,
                };
                next += channel.words();
                channels.push(channel);
            }
        }
        let key_width = next;
        place(true, &mut next);
        Layout {
            leaves,
            variables,
            lens: model.variables.iter().map(|v| v.init.len()).collect(),
            channels,
            width: next,
            key_width,
        }
    }

    /// The first word of all variables, which lie one after the other in the order of their declarations unless hidden ones are merged.
    pub(super) fn first_variable(&self) -> usize {
        1 + self.leaves
    }

    /// All words of the variable that has this one.
    ///
    /// # Panics
    /// If no variable has it.
    pub(super) fn variable_at(&self, word: usize) -> Range<usize> {
        let mut ranges = self.variables.iter().zip(&self.lens).map(|(&v, &len)| v..v + len);
        ranges
            .find(|range| range.contains(&word))
            .expect("an indexed store goes to a variable")
    }

    /// Writes variables and channels into a state.
    pub(super) fn pack(&self, model: &Model, values: &Valuation, state: &mut [Word]) {
        for (&first, elements) in self.variables.iter().zip(&values.variables) {
            for (word, &value) in state[first..].iter_mut().zip(elements) {
                *word = value as Word;
            }
        }
        for (channel, messages) in self.channels.iter().zip(&values.channels) {
            for message in messages {
                channel.push(state, &channel.pack(model, message));
            }
        }
    }

    /// Reads variables and channels from a state.
    pub(super) fn unpack(&self, model: &Model, state: &[Word]) -> Valuation {
        let elements =
            |(&first, &len): (&usize, &usize)| state[first..][..len].iter().map(|&w| w as i32).collect();
        let messages = |channel: &ChannelLayout| {
            let len = if channel.capacity == 0 {
                0
            } else {
                channel.len(state)
            };
            (0..len)
                .map(|i| unpack(model, &state[channel.message(i)..][..channel.stride]))
                .collect()
        };
        Valuation {
            variables: self.variables.iter().zip(&self.lens).map(elements).collect(),
            channels: self.channels.iter().map(messages).collect(),
        }
    }
}
