//! The letters that automata read: one bit for every atom.
//!
//! A letter says of a position which events led there and which predicates hold there. What joins predicates by boolean operators is one atom, evaluated when the state is met. One numbering of atoms serves all automata and constraints of a search, so
//! that the letters of states are computed once.

use crate::budget::Budget;
use crate::column::Column;
use crate::fairness::{Fairness, StepPredicate};
use crate::visited::Halt;
use fairhold_logic::{Automaton, Decision};
use fairhold_store::{StateId, prefetch};
use fairhold_system::{EventId, Fault, PredicateId, Stepper, Word};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// What a letter says about an atom.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Atom {
    /// The predicate holds in the state.
    State(PredicateId),
    /// What joins predicates holds in the state.
    Condition(Arc<Decision<PredicateId>>),
    /// The event led to the state.
    Event(EventId),
    /// One of these events led to the state.
    OneOf(Arc<[EventId]>),
}

impl Atom {
    /// The events that it is true of; none if it speaks of the state.
    pub(crate) fn events(&self) -> Option<&[EventId]> {
        match self {
            Atom::Event(event) => Some(std::slice::from_ref(event)),
            Atom::OneOf(events) => Some(events),
            Atom::State(_) | Atom::Condition(_) => None,
        }
    }
}

/// A condition on states and the bit of a letter that says whether it holds.
pub(crate) type StateAtom = (Decision<PredicateId>, u64);

/// Too many different atoms and predicates for a letter.
pub const MAX_ATOMS: usize = 64;

/// Which bit stands for which atom.
#[derive(Clone)]
pub(crate) struct Letters {
    places: FxHashMap<Atom, u32>,
    /// The bits of the atoms that are true of an event, by its number.
    events: Vec<u64>,
}

impl Letters {
    /// Letters for these atoms and for the predicates of these constraints.
    pub(crate) fn new(atoms: &[Atom], constraints: &[Fairness]) -> Letters {
        let mut letters = Letters {
            places: FxHashMap::default(),
            events: Vec::new(),
        };
        atoms.iter().for_each(|atom| letters.add(atom));
        for mark in constraints.iter().flat_map(|c| &c.marks) {
            mark.visit(&mut |part| {
                if let StepPredicate::State(predicate) = part {
                    letters.add(&Atom::State(*predicate));
                }
            });
        }
        letters
    }

    /// Letters for the predicates of these constraints and for as many of these atoms as there is room for.
    pub(crate) fn fitting(atoms: &[Atom], constraints: &[Fairness]) -> Letters {
        let room = MAX_ATOMS - Letters::new(&[], constraints).places.len();
        Letters::new(&atoms[..atoms.len().min(room)], constraints)
    }

    fn add(&mut self, atom: &Atom) {
        let next = self.places.len();
        let place = *self.places.entry(atom.clone()).or_insert(next as u32);
        assert!((place as usize) < MAX_ATOMS, "callers count atoms");
        for EventId(event) in atom.events().unwrap_or_default() {
            let event = *event as usize;
            self.events.resize(self.events.len().max(event + 1), 0);
            self.events[event] |= 1 << place;
        }
    }

    /// The bit of an atom.
    pub(crate) fn bit(&self, atom: &Atom) -> u64 {
        1 << self.places[atom]
    }

    /// The bit of an atom; none if it found no room.
    pub(crate) fn bit_if_known(&self, atom: &Atom) -> Option<u64> {
        self.places.get(atom).map(|place| 1 << place)
    }

    /// The bits of the atoms that are true of an event.
    #[inline]
    pub(crate) fn event(&self, event: EventId) -> u64 {
        self.events.get(event.0 as usize).copied().unwrap_or(0)
    }

    /// The atoms about states with their bits, in the order of these.
    pub(crate) fn conditions(&self) -> Vec<StateAtom> {
        let mut conditions: Vec<StateAtom> = self
            .places
            .iter()
            .filter_map(|(atom, &place)| match atom {
                Atom::State(predicate) => Some((Decision::atom(*predicate), 1 << place)),
                Atom::Condition(condition) => Some(((**condition).clone(), 1 << place)),
                Atom::Event(_) | Atom::OneOf(_) => None,
            })
            .collect();
        conditions.sort_unstable_by_key(|(_, bit)| *bit);
        conditions
    }

    /// The automaton, reading these letters. `atoms` are what its own atoms mean.
    pub(crate) fn reader(&self, automaton: &Automaton, atoms: &[Atom]) -> Automaton {
        automaton.renumbered(&|atom| self.places[&atoms[atom as usize]])
    }
}

/// What a letter says of a state: the bits of those of these conditions that hold there.
#[inline]
pub(crate) fn letter_of_state(
    conditions: &[StateAtom],
    stepper: &mut impl Stepper,
    state: &[Word],
) -> Result<u64, Fault> {
    let mut letter = 0;
    for (condition, bit) in conditions {
        if condition.holds(|&predicate| stepper.holds(predicate, state))? {
            letter |= bit;
        }
    }
    Ok(letter)
}

/// The letters of states, in order: a byte a state for eight atoms, and nothing where no atoms are on states.
pub(crate) struct StateLetters {
    bytes: Column<u8>,
    /// Bytes a letter.
    width: usize,
}

impl StateLetters {
    /// Room for letters of these conditions' bits.
    pub(crate) fn new(conditions: &[StateAtom]) -> StateLetters {
        let all = conditions.iter().fold(0, |all, (_, bit)| all | bit);
        StateLetters {
            bytes: Column::new(),
            width: (u64::BITS - all.leading_zeros()).div_ceil(u8::BITS) as usize,
        }
    }

    /// Keeps the letter of the next state.
    #[inline]
    pub(crate) fn push(&mut self, budget: &mut Budget, letter: u64) -> Result<(), Halt> {
        let bytes = letter.to_le_bytes();
        let mut bytes = bytes[..self.width].iter();
        bytes.try_for_each(|&byte| self.bytes.push(budget, byte))
    }

    /// The letter of a state.
    #[inline]
    pub(crate) fn at(&self, state: StateId) -> u64 {
        match self.width {
            0 => 0,
            1 => u64::from(self.bytes.at(state.index())),
            width => {
                let mut letter = [0; 8];
                for (i, byte) in letter[..width].iter_mut().enumerate() {
                    *byte = self.bytes.at(state.index() * width + i);
                }
                u64::from_le_bytes(letter)
            }
        }
    }

    /// Asks for the memory of a state's letter.
    #[inline]
    pub(crate) fn approach(&self, state: StateId) {
        self.bytes.get(state.index() * self.width).map(prefetch);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_come_back_as_they_were_kept() {
        for (highest, width) in [
            (None, 0),
            (Some(0), 1),
            (Some(7), 1),
            (Some(8), 2),
            (Some(17), 3),
            (Some(63), 8),
        ] {
            let predicates: Vec<_> = highest
                .map(|place| (Decision::atom(PredicateId(0)), 1 << place))
                .into_iter()
                .collect();
            let mask = highest.map_or(0, |place| u64::MAX >> (63 - place));
            let letter = |i: u64| i.wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(7) & mask;
            let (mut budget, mut letters) = (Budget::new(None), StateLetters::new(&predicates));
            assert_eq!(letters.width, width);
            for i in 0..40_000 {
                letters.push(&mut budget, letter(i)).unwrap();
            }
            for i in 0..40_000 {
                assert_eq!(letters.at(StateId(i as u32)), letter(i));
            }
        }
    }
}
