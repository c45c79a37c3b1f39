//! What the search sees of a property: its formula over letters.
//!
//! The judge, messages and everything shown to people speak of the formula as it was written. The search and the automaton are given one in which each part about a single
//! state is one atom ([`FreshAtoms`]); this file holds the two together, and puts letters into the search's words.

use crate::front::FrontEnd;
use crate::temporal::{Proposition, Temporal};
use fairhold_logic::{AtomId, Automaton, Ctl, Decision, FreshAtoms, Letter, Ltl, Translation};
use fairhold_search::Atom;
use fairhold_system::{EventId, Fault, PredicateId};
use std::sync::Arc;

/// What an assertion says of infinite executions, over letters.
pub(crate) enum Lettered<'a> {
    Formula(Ltl),
    /// An automaton has the atoms that its file names.
    Automaton(&'a Automaton),
}

impl Lettered<'_> {
    /// What an assertion says, and what its letters mean.
    pub(crate) fn new<F: FrontEnd>(front: &F, index: usize) -> (Lettered<'_>, FreshAtoms) {
        let said = front.temporal(index);
        let mut letters = FreshAtoms::new(&said.atoms(), &|atom| front.is_condition(index, atom));
        let lettered = match said {
            Temporal::Formula(formula) => Lettered::Formula(letters.ltl(formula)),
            Temporal::Automaton(automaton) => Lettered::Automaton(automaton),
        };
        (lettered, letters)
    }

    fn said(&self) -> Temporal<'_> {
        match self {
            Lettered::Formula(formula) => Temporal::Formula(formula),
            Lettered::Automaton(automaton) => Temporal::Automaton(automaton),
        }
    }

    /// The letters that it speaks of.
    pub(crate) fn atoms(&self) -> Vec<AtomId> {
        self.said().atoms()
    }

    /// The automaton of the executions that violate it. The error is a reason for giving up.
    pub(crate) fn violations(&self, name: &dyn Fn(AtomId) -> String) -> Result<Translation, String> {
        self.said().violations(name)
    }
}

/// A letter as written, in a formula of linear time.
pub(crate) fn name<F: FrontEnd>(front: &F, index: usize, letters: &FreshAtoms, atom: AtomId) -> String {
    let own = |atom| front.atom_name(index, atom);
    letters
        .part(atom)
        .map_or_else(|| own(atom), |part| part.display(&own).to_string())
}

/// A letter as written, in a formula of branching time.
pub(crate) fn branching_name<F: FrontEnd>(
    front: &F,
    index: usize,
    letters: &FreshAtoms,
    atom: AtomId,
) -> String {
    let own = |atom| front.atom_name(index, atom);
    let part = letters.part(atom).and_then(Ctl::of_condition);
    part.map_or_else(|| own(atom), |part| part.display(&own).to_string())
}

/// Whether a letter holds at a position, by the semantics to trust.
pub(crate) fn holds<F: FrontEnd>(
    (front, index): (&F, usize),
    letters: &FreshAtoms,
    judge: &F::Judge,
    atom: AtomId,
    event: Option<&str>,
    state: &crate::front::StateOf<F>,
) -> Result<bool, Fault> {
    letters.holds(atom, |atom| front.atom_holds(judge, index, atom, event, state))
}

/// A letter of a formula of linear time in the search's words.
pub(crate) fn atom<F: FrontEnd>(
    front: &F,
    system: &F::System,
    index: usize,
    letters: &FreshAtoms,
    atom: AtomId,
) -> Atom {
    let own = |atom: AtomId| front.atom(system, index, atom);
    match letters.letter(atom) {
        None => own(atom),
        Some(Letter::Condition(condition)) => {
            Atom::Condition(predicates(condition, &|atom| match own(atom) {
                Atom::State(predicate) => predicate,
                _ => unreachable!("a condition joins conditions on the state"),
            }))
        }
        Some(Letter::OneOf(events)) => {
            let event = |&atom: &AtomId| match own(atom) {
                Atom::Event(event) => event,
                _ => unreachable!("what is no condition on the state is an event"),
            };
            Atom::OneOf(events.iter().map(event).collect::<Vec<EventId>>().into())
        }
    }
}

/// A letter of a formula of branching time in the search's words.
pub(crate) fn proposition<F: FrontEnd>(
    front: &F,
    system: &F::System,
    index: usize,
    letters: &FreshAtoms,
    atom: AtomId,
) -> Proposition {
    let own = |atom: AtomId| front.proposition(system, index, atom);
    let Some(Letter::Condition(condition)) = letters.letter(atom) else {
        return own(atom);
    };
    Proposition::Condition(predicates(condition, &|atom| match own(atom) {
        Proposition::State(predicate) => predicate,
        _ => unreachable!("a condition joins conditions on the state"),
    }))
}

fn predicates(
    condition: &Decision<AtomId>,
    predicate: &dyn Fn(AtomId) -> PredicateId,
) -> Arc<Decision<PredicateId>> {
    Arc::new(condition.map(|&atom| predicate(atom)))
}
