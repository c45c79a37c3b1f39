//! The letters that automata read: one bit for every atom.
//!
//! A letter says of a position which events led there and which predicates hold there. One numbering of atoms serves all automata and constraints of a search, so
//! that the letters of states are computed once.

use crate::fairness::{Fairness, StepPredicate};
use fairhold_logic::Automaton;
use fairhold_system::{EventId, Fault, PredicateId, Stepper, Word};
use rustc_hash::FxHashMap;

/// What a letter says about an atom.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Atom {
    /// The predicate holds in the state.
    State(PredicateId),
    /// The event led to the state.
    Event(EventId),
}

/// Too many different atoms and predicates for a letter.
pub const MAX_ATOMS: usize = 64;

/// Which bit stands for which atom.
#[derive(Clone)]
pub(crate) struct Letters {
    places: FxHashMap<Atom, u32>,
    /// The bit of an event, by its number; 0 for those that are no atoms.
    events: Vec<u64>,
}

impl Letters {
    /// Letters for these atoms and for the predicates of these constraints.
    pub(crate) fn new(atoms: &[Atom], constraints: &[Fairness]) -> Letters {
        let mut letters = Letters {
            places: FxHashMap::default(),
            events: Vec::new(),
        };
        atoms.iter().for_each(|&atom| letters.add(atom));
        for mark in constraints.iter().flat_map(|c| &c.marks) {
            mark.visit(&mut |part| {
                if let StepPredicate::State(predicate) = part {
                    letters.add(Atom::State(*predicate));
                }
            });
        }
        letters
    }

    fn add(&mut self, atom: Atom) {
        let next = self.places.len();
        let place = *self.places.entry(atom).or_insert(next as u32);
        assert!((place as usize) < MAX_ATOMS, "callers count atoms");
        if let Atom::Event(EventId(event)) = atom {
            let event = event as usize;
            self.events.resize(self.events.len().max(event + 1), 0);
            self.events[event] = 1 << place;
        }
    }

    /// The bit of an atom.
    pub(crate) fn bit(&self, atom: Atom) -> u64 {
        1 << self.places[&atom]
    }

    /// The bit of an event, 0 if it is no atom.
    #[inline]
    pub(crate) fn event(&self, event: EventId) -> u64 {
        self.events.get(event.0 as usize).copied().unwrap_or(0)
    }

    /// The predicates among the atoms with their bits.
    pub(crate) fn predicates(&self) -> Vec<(PredicateId, u64)> {
        let mut predicates: Vec<_> = self
            .places
            .iter()
            .filter_map(|(atom, &place)| match atom {
                Atom::State(predicate) => Some((*predicate, 1 << place)),
                Atom::Event(_) => None,
            })
            .collect();
        predicates.sort_unstable();
        predicates
    }

    /// The automaton, reading these letters. `atoms` are what its own atoms mean.
    pub(crate) fn reader(&self, automaton: &Automaton, atoms: &[Atom]) -> Automaton {
        automaton.renumbered(&|atom| self.places[&atoms[atom as usize]])
    }
}

/// What a letter says of a state: the bits of those of these predicates that hold there.
#[inline]
pub(crate) fn letter_of_state(
    predicates: &[(PredicateId, u64)],
    stepper: &mut impl Stepper,
    state: &[Word],
) -> Result<u64, Fault> {
    let mut letter = 0;
    for &(predicate, bit) in predicates {
        if stepper.holds(predicate, state)? {
            letter |= bit;
        }
    }
    Ok(letter)
}
