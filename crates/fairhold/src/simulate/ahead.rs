//! The shortest way to a goal.
//!
//! A goal may speak of the step by which a state is entered, and a search looks at states. So the system is wrapped: a
//! state has one word more, which says whether the step that led to it meets the goal, and it starts where the walk
//! stands. What is left is a plain reachability question for the search, with its bounds and its observer.
//!
//! A state whose steps go wrong is a dead end here: whoever asks for a way wants one that can be gone. A goal that
//! cannot be evaluated ends the search.

use super::goal::Goal;
use crate::check::Bounds;
use crate::watch::Watch;
use fairhold_search::{Question, check};
use fairhold_system::{
    EventId, Fault, Fields, Label, ObjectiveId, Observer, Path, PredicateId, ProcessesId, Stepper, Steps,
    StopReason, System, Word,
};

/// The predicate of the word in front.
const MET: PredicateId = PredicateId(0);

/// What became of a search.
pub(super) enum Way {
    /// The way, starting here; at least one step.
    Found(Path),
    /// All of so many states were looked at.
    None(u64),
    /// Given up after so many states.
    Stopped(StopReason, u64),
    /// The goal cannot be evaluated somewhere.
    Wrong(Fault),
}

/// Looks for the goal, at least one step ahead of `from`.
pub(super) fn find<S: System>(
    system: &S,
    from: &[Word],
    goal: &Goal,
    bounds: &Bounds,
    observer: &dyn Observer,
) -> Way {
    let ahead = Ahead { system, from, goal };
    let limits = bounds.limits();
    let watch = Watch::new(observer, bounds.timeout, limits.bytes);
    let answer = check(&ahead, &Question::Reaches(MET), &limits, &watch);
    let states = answer.statistics.states;
    if let Some(why) = answer.stop {
        return Way::Stopped(why, states);
    }
    if let Some(fault) = answer.fault {
        return Way::Wrong(fault);
    }
    match answer.path {
        Some(path) => Way::Found(Path {
            states: path.states.into_iter().map(|state| state[1..].to_vec()).collect(),
            ..path
        }),
        None => Way::None(states),
    }
}

/// The system from one state on, with the word in front.
struct Ahead<'a, S> {
    system: &'a S,
    from: &'a [Word],
    goal: &'a Goal,
}

struct Looking<'a, S: System + 'a> {
    system: &'a S,
    from: &'a [Word],
    goal: &'a Goal,
    inner: S::Stepper<'a>,
    steps: Steps,
    state: Vec<Word>,
}

impl<S: System> System for Ahead<'_, S> {
    type Stepper<'b>
        = Looking<'b, S>
    where
        Self: 'b;

    fn width(&self) -> usize {
        self.system.width() + 1
    }

    fn key_width(&self) -> usize {
        self.system.key_width() + 1
    }

    fn stepper(&self) -> Looking<'_, S> {
        Looking {
            system: self.system,
            from: self.from,
            goal: self.goal,
            inner: self.system.stepper(),
            steps: Steps::new(self.system.width()),
            state: Vec::with_capacity(self.width()),
        }
    }

    fn event_name(&self, event: EventId) -> String {
        self.system.event_name(event)
    }

    fn processes(&self, set: ProcessesId) -> Vec<u32> {
        self.system.processes(set)
    }

    fn is_ended(&self, state: &[Word]) -> bool {
        self.system.is_ended(&state[1..])
    }

    fn fields(&self, state: &[Word]) -> Fields {
        self.system.fields(&state[1..])
    }
}

impl<'a, S: System + 'a> Looking<'a, S> {
    fn push(&mut self, label: Label, met: bool, target: &[Word], out: &mut Steps) {
        self.state.clear();
        self.state.push(Word::from(met));
        self.state.extend_from_slice(target);
        out.push(label, &self.state);
    }
}

impl<'a, S: System + 'a> Stepper for Looking<'a, S> {
    fn initial(&mut self, out: &mut Steps) -> Result<(), Fault> {
        let label = Label {
            event: EventId::TAU,
            processes: ProcessesId::NONE,
        };
        self.push(label, false, self.from, out);
        Ok(())
    }

    fn steps(&mut self, state: &[Word], out: &mut Steps) -> Result<(), Fault> {
        let mut steps = std::mem::replace(&mut self.steps, Steps::new(0));
        steps.clear();
        if self.inner.steps(&state[1..], &mut steps).is_err() {
            steps.clear();
        }
        for (label, target) in steps.iter() {
            let met = self
                .goal
                .holds(self.system, &mut self.inner, Some(label.event), target)?;
            self.push(label, met, target, out);
        }
        self.steps = steps;
        Ok(())
    }

    fn holds(&mut self, predicate: PredicateId, state: &[Word]) -> Result<bool, Fault> {
        debug_assert_eq!(predicate, MET, "there is one predicate");
        Ok(state[0] != 0)
    }

    fn measure(&mut self, _: ObjectiveId, _: &[Word]) -> Result<i64, Fault> {
        unreachable!("reachability measures nothing")
    }

    fn bytes(&self) -> u64 {
        self.inner.bytes()
    }
}
