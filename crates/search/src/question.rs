//! What can be asked of a system, and what comes back.

use crate::{divergence, safety};
use fairhold_system::{
    EventId, Fault, Label, Limits, ObjectiveId, Observer, Path, PredicateId, StopReason, System, Verdict,
    Word,
};

/// A question about the reachable states and steps of a system.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Question {
    /// Every reachable state has a step or is `Ended`.
    DeadlockFree,
    /// Every reachable state has a step.
    NonTerminating,
    /// No reachable state has two steps of the same event, `tau` included, to different states.
    Deterministic,
    /// There is no reachable loop of `tau` steps.
    DivergenceFree,
    /// The predicate holds in some reachable state.
    Reaches(PredicateId),
    /// The condition holds in some reachable state; the value is the optimum of the objective over all of these.
    Optimum {
        /// Which states count.
        condition: PredicateId,
        /// What is compared.
        objective: ObjectiveId,
        /// Which way.
        direction: Direction,
    },
}

/// Which way an optimum goes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Direction {
    /// `with min`.
    Minimise,
    /// `with max`.
    Maximise,
}

impl Direction {
    /// Whether the first value beats the second.
    pub(crate) fn better(self, value: i64, than: i64) -> bool {
        match self {
            Direction::Minimise => value < than,
            Direction::Maximise => value > than,
        }
    }
}

/// The answer to a [`Question`].
#[derive(Clone, PartialEq, Debug)]
pub struct Answer {
    /// `Unknown` if the search stopped early or met a fault of the kind `Unbounded`, `Error` if it met one of the
    /// kind `Error`.
    pub verdict: Verdict,
    /// Why the search gave up, if it did.
    pub stop: Option<StopReason>,
    /// What went wrong in the model, if something did.
    pub fault: Option<Fault>,
    /// What was seen.
    pub statistics: Statistics,
    /// Counterexample (`Fails`), witness (`Holds`), or the way to the fault (`Error`), shortest in steps. None
    /// where a path can show nothing, and where the initial states themselves could not be computed.
    pub path: Option<Path>,
    /// The optimum, if the question asks for one and it exists.
    pub value: Option<i64>,
    /// States of an unfinished search, first to last, from which one sees what grows: at most three, or
    /// the one where the model outgrew its bound.
    pub samples: Vec<Vec<Word>>,
    /// The two steps that make the system nondeterministic. The path ends with the first of them.
    pub conflict: Option<Conflict>,
}

/// Two steps of the same event from one state to different states.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Conflict {
    /// The event.
    pub event: EventId,
    /// The labels of the two steps, which may differ in the processes.
    pub labels: [Label; 2],
    /// Where the two steps lead.
    pub targets: [Vec<Word>; 2],
}

/// What a search has seen. If it stopped early, the numbers are those of the part it saw.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Statistics {
    /// Distinct states visited.
    pub states: u64,
    /// Distinct steps of the states whose steps were computed.
    pub steps: u64,
    /// Breadth first: steps from an initial state to the farthest state met. Depth first: steps on the longest
    /// path the search stood on, which is at least as long.
    pub depth: u64,
    /// States without steps that are not `Ended`, among those whose steps were computed.
    pub deadlocks: u64,
    /// `Ended` states among those whose steps were computed.
    pub terminated: u64,
    /// Strongly connected components, if asked for and the search was not cut short.
    pub sccs: Option<u64>,
    /// Bytes of one packed state at the end.
    pub state_bytes: u64,
    /// Bytes the visited states take up at the end, everything kept per state included.
    pub stored_bytes: u64,
    /// Most bytes held by the search at any moment.
    pub peak_bytes: u64,
    /// How many workers searched together; less than two if one did it alone.
    pub workers: usize,
}

/// Answers a question by searching breadth first, and stops at the first state that settles it.
pub fn check<S: System>(system: &S, question: &Question, limits: &Limits, observer: &dyn Observer) -> Answer {
    let ask = |limits: &Limits| match question {
        Question::DivergenceFree => divergence::check(system, limits, observer),
        _ => safety::check(system, question, limits, observer),
    };
    as_one_worker_shows(limits, ask)
}

/// Asks; and asks again for one worker to find the path, if that is wanted and several have found one.
pub(crate) fn as_one_worker_shows(limits: &Limits, ask: impl Fn(&Limits) -> Answer) -> Answer {
    let answer = ask(limits);
    if limits.reproducible && answer.statistics.workers > 1 && answer.path.is_some() {
        return ask(&Limits {
            threads: 1,
            ..*limits
        });
    }
    answer
}
