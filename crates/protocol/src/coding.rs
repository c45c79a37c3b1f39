//! The state of a node as one number.
//!
//! A mixed radix over the fields, inputs in the highest places: nodes whose inputs are small have small numbers. Reading a field is a
//! look into a table.

use crate::model::{FieldId, Protocol};
use fairhold_system::Word;

/// Codes of node states.
#[derive(Clone, Debug)]
pub(crate) struct Coding {
    /// How many node states there are.
    pub(crate) states: usize,
    /// By field: what one more of it adds to the code.
    weights: Vec<u32>,
    /// By field: its least value.
    lows: Vec<i32>,
    /// By field: its values, by code.
    columns: Vec<Box<[i32]>>,
}

impl Coding {
    /// The codes of a protocol's node states.
    pub(crate) fn new(protocol: &Protocol) -> Coding {
        let fields = &protocol.fields;
        let size = |f: usize| (i64::from(fields[f].high) - i64::from(fields[f].low) + 1) as u32;
        let mut weights = vec![0; fields.len()];
        let mut states: u32 = 1;
        for input in [false, true] {
            for f in (0..fields.len()).filter(|&f| fields[f].input == input) {
                weights[f] = states;
                states = states
                    .checked_mul(size(f))
                    .expect("a node has at most 65,536 states");
            }
        }
        let column = |f: usize| {
            let digit = |code: u32| (code / weights[f] % size(f)) as i32;
            (0..states).map(|code| fields[f].low + digit(code)).collect()
        };
        Coding {
            states: states as usize,
            columns: (0..fields.len()).map(column).collect(),
            lows: fields.iter().map(|f| f.low).collect(),
            weights,
        }
    }

    /// A field's value in a node state.
    #[inline]
    pub(crate) fn value(&self, field: FieldId, code: Word) -> i32 {
        self.columns[field.index()][code as usize]
    }

    /// The node state with another value of a field, which must be in its domain.
    #[inline]
    pub(crate) fn with(&self, code: Word, field: FieldId, value: i32) -> Word {
        let f = field.index();
        let digit = |value: i32| (i64::from(value) - i64::from(self.lows[f])) as u32;
        code - digit(self.value(field, code)) * self.weights[f] + digit(value) * self.weights[f]
    }
}
