//! Fair CTL: which states satisfy a formula whose path quantifiers range over fair paths only.
//!
//! The whole system is explored once and written down with its steps in both directions. Then, for each constraint: the states with a fair path; then, from the
//! atoms up, the states that satisfy each part of the formula [EmersonLei-SCP'87]. `EX` is one pass over the steps, `E(p U q)` a search backwards, and `EG p` asks for the
//! components of the graph restricted to `p` in which a fair loop exists, decided by [`Fair`] like every other loop: with what is enabled in the whole system, so that what
//! leads out of `p` still counts as possible. Then backwards from those components.
//!
//! Cost: a pass over the graph for every part of the formula; a quantifier that looks for a fair loop takes in addition what [`Fair`] takes for each component, which is
//! linear for conjunctions of `GF p or FG q`. A disjunction is tried one operand after the other. Memory: the graph; 4 bytes a step and a state for the steps backwards; 16 bytes a
//! step and 20 a state for the moves with their marks, unless there is no constraint; a bit a state for every part of the formula.
//!
//! Differs from the paper: marks sit on steps, so no state is copied for the arc that led to it; an end of the system idles forever or has no path,
//! as [`Ends`] says; and what a verdict rests on is shown as runs ([`Evidence`]).
//!
//! | file | what it does |
//! |---|---|
//! | `mod` | the search and its answers |
//! | `parts` | a formula as a list of parts, each once, in terms of `EX`, `EU`, `EG` |
//! | `structure` | the explored graph, backwards, and its ends |
//! | `arena` | where fair loops are looked for: with or without a constraint |
//! | `label` | which states satisfy each part |
//! | `evidence` | runs that show a verdict |
//! | `walk` | shortest walks |

mod arena;
mod evidence;
mod label;
mod parts;
mod structure;
mod walk;

pub use evidence::Evidence;
pub use label::Labels;

use crate::expanded::Expanded;
use crate::fairness::Fairness;
use crate::lasso;
use crate::letters::{Atom, Letters};
use crate::product::Product;
use crate::question::Statistics;
use crate::visited::Halt;
use arena::{Arena, Constrained, Plain, accepts_everything};
use evidence::Witness;
use fairhold_logic::{AtomId, Ctl, Decision};
use fairhold_store::StateId;
use fairhold_system::{
    EventId, Fault, FaultKind, Limits, Observer, Path, PredicateId, StopReason, System, Verdict, Word,
};
use label::{Asked, Labeller};
use parts::Parts;
use std::sync::Arc;
use structure::{Structure, Watched};

/// What an atom says of a state.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Proposition {
    /// The predicate holds.
    State(PredicateId),
    /// What joins predicates holds.
    Condition(Arc<Decision<PredicateId>>),
    /// The event is possible.
    Enabled(EventId),
    /// A step in which the process takes part is possible.
    EnabledProcess(u32),
    /// There are no steps, and the system has not ended.
    Deadlock,
    /// The system has ended.
    Terminated,
}

impl Proposition {
    /// The same as an atom of a letter; none if it is about steps.
    pub fn atom(&self) -> Option<Atom> {
        match self {
            Proposition::State(predicate) => Some(Atom::State(*predicate)),
            Proposition::Condition(condition) => Some(Atom::Condition(Arc::clone(condition))),
            _ => None,
        }
    }
}

/// How executions go on where the system has no steps.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Ends {
    /// By idling forever.
    #[default]
    Idle,
    /// Not at all: such a state has no path, so `AX false` holds there.
    None,
}

/// A formula, what its atoms mean, and the constraints on the paths that its quantifiers range over.
#[derive(Clone, Copy)]
pub struct BranchingQuestion<'q> {
    /// The formula.
    pub formula: &'q Ctl,
    /// What an atom says.
    pub proposition: &'q dyn Fn(AtomId) -> Proposition,
    /// Which event an atom in `EX{e}` is.
    pub event: &'q dyn Fn(AtomId) -> EventId,
    /// The constraints.
    pub constraints: &'q [Fairness],
}

/// What is known under one constraint.
#[derive(Clone, Debug)]
pub struct BranchingAnswer {
    /// `Holds` if all initial states satisfy the formula.
    pub verdict: Verdict,
    /// Why the search gave up, if it did.
    pub stop: Option<StopReason>,
    /// What went wrong in the model, if something did.
    pub fault: Option<Fault>,
    /// What was seen.
    pub statistics: Statistics,
    /// Whether some initial state has a fair path; none if that was not found out.
    pub feasible: Option<bool>,
    /// The way to a fault.
    pub path: Option<Path>,
    /// States of an unfinished search, first to last.
    pub samples: Vec<Vec<Word>>,
    /// Which states satisfy which part of the formula; none if the search gave up.
    pub labels: Option<Labels>,
    /// Runs that show the verdict, where runs can.
    pub evidence: Option<Evidence>,
}

/// Decides a formula under each constraint, from one exploration.
///
/// # Panics
/// If there are more than [`MAX_ATOMS`](crate::MAX_ATOMS) different predicates in the constraints: callers check.
pub fn check_branching<S: System>(
    system: &S,
    question: &BranchingQuestion<'_>,
    ends: Ends,
    limits: &Limits,
    observer: &dyn Observer,
) -> Vec<BranchingAnswer> {
    let propositions = parts::propositions(question);
    let constraints = question.constraints;
    let mut search = BranchingSearch::new(system, &propositions, constraints, ends, limits, observer);
    let mut answers: Vec<Option<BranchingAnswer>> = vec![None; constraints.len()];
    search.check(question, &mut |i, answer| answers[i] = Some(answer));
    let all = answers.into_iter().collect::<Option<_>>();
    all.expect("every constraint is answered")
}

/// One exploration of a system, to answer several questions.
pub struct BranchingSearch<'a, S: System> {
    graph: Expanded<'a, S>,
    letters: Letters,
    ends: Ends,
    observer: &'a dyn Observer,
    /// The explored graph, or why there is none; nothing before the first question.
    structure: Option<Result<Structure, Halt>>,
}

impl<'a, S: System> BranchingSearch<'a, S> {
    /// Nothing is explored yet. `propositions` and `constraints` are all that questions may speak of.
    ///
    /// # Panics
    /// If there are more than [`MAX_ATOMS`](crate::MAX_ATOMS) different predicates in the constraints: callers check.
    pub fn new(
        system: &'a S,
        propositions: &[Proposition],
        constraints: &[Fairness],
        ends: Ends,
        limits: &Limits,
        observer: &'a dyn Observer,
    ) -> BranchingSearch<'a, S> {
        let atoms: Vec<Atom> = propositions.iter().filter_map(Proposition::atom).collect();
        let letters = Letters::fitting(&atoms, constraints);
        let needs_ready = constraints.iter().any(Fairness::needs_ready);
        let graph = Expanded::new(system, letters.conditions(), needs_ready, limits, observer);
        BranchingSearch {
            graph,
            letters,
            ends,
            observer,
            structure: None,
        }
    }

    /// How many states were met; their ids are the numbers below.
    pub fn states(&self) -> usize {
        self.graph.visited.table.len()
    }

    /// The initial states, once the first question has been asked.
    pub fn initial(&self) -> &[StateId] {
        &self.graph.initial
    }

    /// The words of a state.
    pub fn state(&self, id: StateId) -> Vec<Word> {
        self.graph.visited.table.get(id)
    }

    /// What was seen.
    pub fn statistics(&self) -> Statistics {
        self.graph.visited.statistics(0)
    }

    /// Decides a formula under each constraint. Tells each answer with the constraint's number as soon as it is known.
    pub fn check(
        &mut self,
        question: &BranchingQuestion<'_>,
        answered: &mut dyn FnMut(usize, BranchingAnswer),
    ) {
        let graph = &mut self.graph;
        let structure = self.structure.get_or_insert_with(|| Structure::explore(graph));
        let structure = match structure {
            Ok(structure) => &*structure,
            Err(halt) => {
                for i in 0..question.constraints.len() {
                    answered(i, without(graph, halt));
                }
                return;
            }
        };
        let parts = Parts::new(question);
        let asked = Asked {
            structure,
            parts: &parts,
            letters: &self.letters,
            ends: self.ends,
            watched: Watched::new(self.observer, graph),
        };
        let (plain, mut waiting): (Vec<usize>, Vec<usize>) =
            (0..question.constraints.len()).partition(|&i| question.constraints[i].is_none());
        for number in plain {
            let mut arena = Plain { graph };
            answered(number, answer(&asked, question, &mut arena));
        }
        if waiting.is_empty() {
            return;
        }
        let everything = accepts_everything();
        let mut product = Product::new(graph, &everything, &self.letters);
        // All initial states are known by now.
        let started = product.start().map(drop);
        while let Some(&first) = waiting.first() {
            // The moves are made once for all that read the same marks.
            let marks = &question.constraints[first].marks;
            let (now, later) = waiting
                .into_iter()
                .partition(|&i| question.constraints[i].marks == *marks);
            waiting = later;
            for number in now {
                let made = started.clone().and_then(|()| {
                    let arena = Constrained::new(&mut product, &question.constraints[number])?;
                    Ok(answer(&asked, question, &mut { arena }))
                });
                let told = made.unwrap_or_else(|halt| without(product.graph, &halt));
                answered(number, told);
            }
        }
        product.release();
    }
}

/// Labels the states, and reads the answer off the initial ones.
fn answer<'a, A: Arena<'a>>(
    asked: &Asked<'_>,
    question: &BranchingQuestion<'_>,
    arena: &mut A,
) -> BranchingAnswer {
    let labelled = Labeller::new(asked, arena).label();
    let labels = match labelled {
        Ok(labels) => labels,
        Err(halt) => return without(arena.graph(), &halt),
    };
    let initial = &arena.graph().initial;
    let fails = initial.iter().copied().find(|&s| !labels.satisfies(s));
    let holds = fails.is_none();
    let feasible = initial.iter().any(|s| labels.fair().contains(s.index()));
    let shown = fails.or(initial.first().copied());
    let statistics = Statistics {
        sccs: labels.components,
        ..arena.graph().visited.statistics(0)
    };
    let evidence = shown.and_then(|state| {
        let mut witness = Witness::new(asked, question, &labels, arena);
        witness.of(question.formula, state, holds)
    });
    BranchingAnswer {
        verdict: if holds { Verdict::Holds } else { Verdict::Fails },
        feasible: Some(feasible),
        statistics,
        evidence,
        labels: Some(labels),
        ..blank(arena.graph())
    }
}

/// What is known so far, undecided.
fn blank<S: System>(graph: &Expanded<'_, S>) -> BranchingAnswer {
    BranchingAnswer {
        verdict: Verdict::Unknown,
        stop: None,
        fault: None,
        statistics: graph.visited.statistics(0),
        feasible: None,
        path: None,
        samples: Vec::new(),
        labels: None,
        evidence: None,
    }
}

/// The answer where the search ended before its time.
fn without<S: System>(graph: &Expanded<'_, S>, halt: &Halt) -> BranchingAnswer {
    let mut answer = blank(graph);
    match halt {
        Halt::Stop(reason) => {
            answer.stop = Some(*reason);
            answer.samples = graph.visited.table.samples();
        }
        Halt::Fault { fault, at } => {
            if fault.kind == FaultKind::Error {
                answer.verdict = Verdict::Error;
                answer.path = at.and_then(|state| lasso::way_to_state(graph, state));
            } else {
                answer.samples = at.map(|s| graph.visited.table.get(s)).into_iter().collect();
            }
            answer.fault = Some(fault.clone());
        }
    }
    answer
}

#[cfg(test)]
mod tests;
