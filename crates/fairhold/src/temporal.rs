//! What an assertion says of infinite executions: that each satisfies a formula, or that each is accepted by an automaton.
//!
//! Either way there is an automaton for what violates it, which is searched for, and a definition, which the run that is found is judged by. The two share no code: the
//! judge of an automaton reads the automaton itself, never its complement.

use fairhold_logic::{AtomId, Automaton, Ltl, Translation, complement, translate};
pub use fairhold_search::Ends;
pub(crate) use fairhold_search::Proposition;
use fairhold_system::Fault;
use fairhold_trace::{AtomHolds, Run, satisfies, word};

/// The judge tries every set of marks that a run may avoid, so an automaton may forbid no more than this many.
const MANY_FINS: u32 = 12;

/// What is said of every execution. Atom `i` of an automaton is [`AtomId`] `i`.
#[derive(Clone, Copy)]
pub(crate) enum Temporal<'a> {
    Formula(&'a Ltl),
    Automaton(&'a Automaton),
}

impl Temporal<'_> {
    /// The atoms it speaks of.
    pub(crate) fn atoms(&self) -> Vec<AtomId> {
        match self {
            Temporal::Formula(formula) => formula.atoms(),
            Temporal::Automaton(automaton) => (0..automaton.atoms.len() as u32).map(AtomId).collect(),
        }
    }

    /// The automaton of the executions that violate it. The error is a reason for giving up.
    pub(crate) fn violations(&self, name: &dyn Fn(AtomId) -> String) -> Result<Translation, String> {
        match *self {
            Temporal::Formula(formula) => {
                translate(&Ltl::Not(Box::new(formula.clone())), name).map_err(|why| why.to_string())
            }
            Temporal::Automaton(automaton) => {
                let forbidden = automaton.acceptance.fin_marks().0.count_ones();
                if forbidden > MANY_FINS {
                    return Err(format!(
                        "the automaton has {forbidden} acceptance sets under `Fin`, at most {MANY_FINS} are possible"
                    ));
                }
                let opposite = complement(automaton)
                    .map_err(|why| format!("the complement of the automaton is too large: {why}"))?;
                Ok(Translation {
                    automaton: opposite,
                    atoms: self.atoms(),
                })
            }
        }
    }

    /// Whether it is true of a lasso with these states.
    pub(crate) fn is_true_of<State>(
        &self,
        run: &Run,
        trail: &[State],
        holds: &AtomHolds<'_, State>,
    ) -> Result<bool, Fault> {
        match self {
            Temporal::Formula(formula) => satisfies(formula, run, trail, holds),
            Temporal::Automaton(automaton) => {
                Ok(word(&self.atoms(), run, trail, holds)?.is_accepted(automaton))
            }
        }
    }

    /// What a run that does not violate it does instead.
    pub(crate) fn kept(&self) -> &'static str {
        match self {
            Temporal::Formula(_) => "it satisfies the formula",
            Temporal::Automaton(_) => "the automaton accepts it",
        }
    }
}
