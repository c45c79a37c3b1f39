//! The configurations a protocol starts in, a stretch at a time: there may be far too many to list.
//!
//! A configuration's number is a mixed radix over what each node may start as, the last node's place the lowest but for the
//! detector's guess. Numbers end at 2^64; whoever gets there has met more configurations than any machine holds.

use crate::code::{Code, Kept, Scene};
use crate::coding::Coding;
use crate::fault;
use crate::model::{FieldId, Protocol};
use fairhold_system::{Fault, Word};

/// How many configurations are looked at before the work is handed back.
const LOOKED_AT: u64 = 1 << 14;
/// How many configurations are handed out at once.
pub(crate) const HANDED_OUT: usize = 1 << 10;
/// A configuration at random is drawn so many times until one meets the condition.
const DRAWN: u32 = 10_000;

/// Where a protocol starts.
#[derive(Clone, Debug)]
pub(crate) struct Start {
    /// By node: the states it may start in.
    nodes: Vec<Box<[Word]>>,
    /// How many words a detector may start with; 1 if there is none.
    guesses: u64,
    condition: Option<Code>,
    /// How many configurations there are, the condition aside.
    total: u64,
}

impl Start {
    /// The error is a value that a field cannot have.
    pub(crate) fn new(protocol: &Protocol, coding: &Coding) -> Result<Start, Fault> {
        let inputs = (0..).map(FieldId).zip(&protocol.fields);
        let inputs = inputs.filter_map(|(id, field)| Some((id, field.value.as_ref()?)));
        let said = protocol.initial.values.iter().map(|(id, value)| (*id, value));
        let fixed: Vec<(FieldId, Code)> = inputs
            .chain(said)
            .map(|(id, value)| (id, Code::of(protocol, coding, value)))
            .collect();
        let mut nodes = Vec::with_capacity(protocol.nodes as usize);
        let anywhere = vec![0; protocol.nodes as usize];
        for each in 0..protocol.nodes {
            let mut values = Vec::with_capacity(fixed.len());
            for (id, code) in &fixed {
                let scene = Scene {
                    each,
                    ..Scene::new(coding, &anywhere, 0)
                };
                let value = code.eval(&scene, &mut Kept::new(&[])).map_err(|f| *f)?;
                let field = &protocol.fields[id.index()];
                if value < field.low || value > field.high {
                    return Err(fault::outside(field, value, field.span));
                }
                values.push((*id, value));
            }
            let fits = |state: &Word| {
                values
                    .iter()
                    .all(|(id, value)| coding.value(*id, *state) == *value)
            };
            nodes.push((0..coding.states as Word).filter(fits).collect::<Box<[Word]>>());
        }
        let guesses = if protocol.detector.is_some() { 2 } else { 1 };
        let sizes = nodes.iter().map(|n| n.len() as u64);
        Ok(Start {
            total: sizes.fold(guesses, u64::saturating_mul),
            guesses,
            condition: protocol
                .initial
                .condition
                .as_ref()
                .map(|c| Code::of(protocol, coding, c)),
            nodes,
        })
    }

    /// The states that a node may start in.
    pub(crate) fn of_node(&self, node: usize) -> &[Word] {
        &self.nodes[node]
    }

    /// Calls `each` with the words of some configurations, nodes first and then the detector, from number `cursor` on. Returns the number to go on from,
    /// none at the end.
    pub(crate) fn some(
        &self,
        coding: &Coding,
        cursor: u64,
        each: &mut dyn FnMut(&[Word]),
    ) -> Result<Option<u64>, Fault> {
        let count = self.nodes.len();
        let mut words = vec![0; count + 1];
        let mut digits = vec![0usize; count + 1];
        let mut rest = cursor;
        digits[count] = (rest % self.guesses) as usize;
        rest /= self.guesses;
        for (n, choices) in self.nodes.iter().enumerate().rev() {
            digits[n] = (rest % choices.len() as u64) as usize;
            rest /= choices.len() as u64;
            words[n] = choices[digits[n]];
        }
        words[count] = digits[count] as Word;
        let end = cursor.saturating_add(LOOKED_AT).min(self.total);
        let mut found = 0;
        let mut next = cursor;
        while next < end && found < HANDED_OUT {
            if self.admits(coding, &words)? {
                each(&words);
                found += 1;
            }
            next += 1;
            self.advance(&mut digits, &mut words);
        }
        Ok((next < self.total).then_some(next))
    }

    /// One of the configurations, all of them equally likely, by choices below a bound: the words of the nodes and then of the detector. None if
    /// there is none, or the condition is met too rarely.
    pub(crate) fn random(
        &self,
        coding: &Coding,
        below: &mut dyn FnMut(usize) -> usize,
    ) -> Result<Option<Vec<Word>>, Fault> {
        if self.total == 0 {
            return Ok(None);
        }
        for _ in 0..DRAWN {
            let mut words: Vec<Word> = self
                .nodes
                .iter()
                .map(|states| states[below(states.len())])
                .collect();
            words.push(below(self.guesses as usize) as Word);
            if self.admits(coding, &words)? {
                return Ok(Some(words));
            }
        }
        Ok(None)
    }

    /// Whether a configuration meets the condition.
    fn admits(&self, coding: &Coding, words: &[Word]) -> Result<bool, Fault> {
        let Some(condition) = &self.condition else {
            return Ok(true);
        };
        let count = self.nodes.len();
        let scene = Scene::new(coding, &words[..count], words[count]);
        let value = condition.eval(&scene, &mut Kept::new(&[])).map_err(|f| *f)?;
        Ok(value != 0)
    }

    /// Goes on to the next configuration.
    fn advance(&self, digits: &mut [usize], words: &mut [Word]) {
        let count = self.nodes.len();
        digits[count] += 1;
        if (digits[count] as u64) < self.guesses {
            words[count] = digits[count] as Word;
            return;
        }
        (digits[count], words[count]) = (0, 0);
        for n in (0..count).rev() {
            digits[n] += 1;
            if digits[n] < self.nodes[n].len() {
                words[n] = self.nodes[n][digits[n]];
                return;
            }
            (digits[n], words[n]) = (0, self.nodes[n][0]);
        }
    }
}
