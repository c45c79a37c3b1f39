//! Does every fair execution satisfy a property? By looking for one that does not.
//!
//! The property comes as an automaton for its negation. The product is searched depth first for strongly connected components; each is handed to
//! [`Fair`] when it is complete, and while it is still open as soon as the last look is paid for: a look at `k` nodes waits until `k` nodes were met since the one before.
//! So a violation in the part already seen ends the search [Couvreur-FM'99]. What was explored is kept, so that one exploration serves several constraints.
//!
//! Cost: the product once, plus what [`Fair`] takes for each component; looks at open components add at most as much again.

use crate::expanded::Expanded;
use crate::fair::{Fair, FairPart};
use crate::fairness::{Fairness, StepPredicate};
use crate::lasso;
use crate::product::{Atom, Product};
use crate::question::Statistics;
use crate::tarjan::{Tarjan, Visitor};
use crate::visited::Halt;
use fairhold_logic::Automaton;
use fairhold_store::StateId;
use fairhold_system::{
    Fault, FaultKind, Limits, Observer, Path, PredicateId, StopReason, System, Verdict, Word,
};
use rustc_hash::FxHashMap;

/// What is known about one constraint.
#[derive(Clone, PartialEq, Debug)]
pub struct FairAnswer {
    /// `Fails` if a fair execution is accepted by the automaton, `Holds` if none is.
    pub verdict: Verdict,
    /// Why the search gave up, if it did.
    pub stop: Option<StopReason>,
    /// What went wrong in the model, if something did.
    pub fault: Option<Fault>,
    /// What was seen so far.
    pub statistics: Statistics,
    /// Nodes of the product so far.
    pub product_states: u64,
    /// The fair execution, as a lasso; or the way to the fault.
    pub path: Option<Path>,
    /// States of an unfinished search, first to last.
    pub samples: Vec<Vec<Word>>,
}

/// The letters of an automaton's atoms, and the constraints to check it under.
#[derive(Clone, Debug)]
pub struct FairQuestion<'q> {
    /// Accepts the executions looked for: for a property, its negation; for feasibility, everything.
    pub automaton: &'q Automaton,
    /// What the automaton's atoms mean, in its order.
    pub atoms: &'q [Atom],
    /// The constraints.
    pub constraints: &'q [Fairness],
}

/// Too many different atoms and predicates for a letter.
pub const MAX_ATOMS: usize = 64;

/// Looks for a fair accepted execution under each constraint, from one exploration.
///
/// # Panics
/// If the automaton's atoms and the predicates of the constraints together are more than [`MAX_ATOMS`]: callers check.
pub fn check_fair<S: System>(
    system: &S,
    question: &FairQuestion<'_>,
    limits: &Limits,
    observer: &dyn Observer,
) -> Vec<FairAnswer> {
    let bits = predicate_bits(question);
    let mut letters: Vec<(PredicateId, u64)> = bits.iter().map(|(&p, &b)| (p, b)).collect();
    letters.sort_unstable();
    let needs_ready = question.constraints.iter().any(Fairness::needs_ready);
    let graph = Expanded::new(system, letters, needs_ready, limits, observer);
    let mut product = Product::new(graph, question.automaton, question.atoms, bits);
    let started = product.start();
    let answer = |constraint| {
        let found = match &started {
            Ok(()) => search(&mut product, constraint),
            Err(halt) => Err(halt.clone()),
        };
        conclude(&mut product, constraint, found)
    };
    question.constraints.iter().map(answer).collect()
}

/// A bit of the letter for every predicate: automaton atoms have the bit of their number, others come after.
fn predicate_bits(question: &FairQuestion<'_>) -> FxHashMap<PredicateId, u64> {
    let mut bits: FxHashMap<PredicateId, u64> = FxHashMap::default();
    for (i, atom) in question.atoms.iter().enumerate() {
        if let Atom::State(p) = atom {
            *bits.entry(*p).or_default() |= 1 << i;
        }
    }
    let mut next = question.atoms.len();
    for mark in question.constraints.iter().flat_map(|c| &c.marks) {
        mark.visit(&mut |part| {
            if let StepPredicate::State(p) = part {
                bits.entry(*p).or_insert_with(|| {
                    next += 1;
                    1 << (next - 1)
                });
            }
        });
    }
    assert!(
        next <= MAX_ATOMS,
        "a letter has a bit for every atom and predicate"
    );
    bits
}

/// A fair accepting part, if there is one.
fn search<S: System>(product: &mut Product<'_, S>, constraint: &Fairness) -> Result<Option<FairPart>, Halt> {
    let acceptance = product.constrain(constraint);
    let mut watch = Watch {
        fair: Fair::new(constraint, acceptance),
        looked: 0,
        found: None,
    };
    let mut tarjan = Tarjan::new();
    for root in product.initial.clone() {
        if tarjan.search(product, root, &mut watch)? {
            break;
        }
    }
    product.graph.visited.statistics.sccs = Some(tarjan.components);
    tarjan.release(&mut product.graph.visited.budget);
    Ok(watch.found)
}

/// Open parts smaller than this are not looked at before they are complete.
const FIRST_LOOK: usize = 16;

/// Hands components, and open parts now and then, to the decision.
struct Watch<'f> {
    fair: Fair<'f>,
    /// How many nodes there were at the last look at an open part.
    looked: usize,
    found: Option<FairPart>,
}

impl<S: System> Visitor<Product<'_, S>> for &mut Watch<'_> {
    fn component(
        &mut self,
        product: &mut Product<'_, S>,
        members: &[StateId],
        looping: bool,
    ) -> Result<bool, Halt> {
        if looping {
            self.found = self.fair.find(product, members, true)?;
        }
        Ok(self.found.is_some())
    }

    fn closing_from(&self) -> usize {
        FIRST_LOOK
    }

    fn closing(&mut self, product: &mut Product<'_, S>, open: &[StateId]) -> Result<bool, Halt> {
        if open.len() < FIRST_LOOK || open.len() > product.len() - self.looked {
            return Ok(false);
        }
        self.looked = product.len();
        // Of the open nodes only those on the path and behind it are expanded; all of these are.
        self.found = self.fair.find(product, open, false)?;
        Ok(self.found.is_some())
    }
}

fn conclude<S: System>(
    product: &mut Product<'_, S>,
    constraint: &Fairness,
    found: Result<Option<FairPart>, Halt>,
) -> FairAnswer {
    let mut answer = FairAnswer {
        verdict: Verdict::Unknown,
        stop: None,
        fault: None,
        statistics: product.graph.visited.statistics(0),
        product_states: product.len() as u64,
        path: None,
        samples: Vec::new(),
    };
    match found {
        Ok(None) => answer.verdict = Verdict::Holds,
        Ok(Some(part)) => {
            answer.verdict = Verdict::Fails;
            answer.path = Some(lasso::build(product, constraint, &part));
        }
        Err(Halt::Stop(reason)) => {
            answer.stop = Some(reason);
            answer.samples = product.graph.visited.samples();
        }
        Err(Halt::Fault { fault, at }) => {
            if fault.kind == FaultKind::Error {
                answer.verdict = Verdict::Error;
                answer.path = at.and_then(|state| lasso::way_to_state(&product.graph, state));
            } else {
                answer.samples = at
                    .map(|s| product.graph.visited.table.get(s).to_vec())
                    .into_iter()
                    .collect();
            }
            answer.fault = Some(fault);
        }
    }
    answer
}
