//! Where a walk stands: the steps behind, the steps ahead, what is possible now.
//!
//! The walk is one [`Path`] and a place on it. Going back leaves the steps where they are, so they can be taken again;
//! another step than the one ahead cuts the path there. A state whose steps cannot all be computed has a fault in
//! place of steps: the model goes wrong there, and the only way is back.

use fairhold_system::{Fault, FaultKind, Fields, Label, Path, Stepper, Steps, System, Word};
use fairhold_trace::{Invalid, Judge, JudgedStep, Run, trail};
use std::cell::RefCell;

pub(super) struct Walk<'s, S: System + 's> {
    pub(super) system: &'s S,
    stepper: S::Stepper<'s>,
    path: Path,
    at: usize,
    possible: Result<Steps, Fault>,
}

impl<'s, S: System + 's> Walk<'s, S> {
    /// A walk that stands in the first initial state.
    pub(super) fn new(system: &'s S) -> Result<Walk<'s, S>, Fault> {
        let mut stepper = system.stepper();
        let mut initial = Steps::new(system.width());
        let mut cursor = Some(0);
        while let (true, Some(at)) = (initial.is_empty(), cursor) {
            cursor = stepper.initial_from(at, &mut initial)?;
        }
        if initial.is_empty() {
            return Err(Fault {
                kind: FaultKind::Error,
                message: "the model has no initial state".to_owned(),
                span: None,
            });
        }
        let mut walk = Walk {
            system,
            stepper,
            path: Path {
                states: vec![initial.target(0).to_vec()],
                labels: Vec::new(),
                loop_from: None,
            },
            at: 0,
            possible: Ok(Steps::new(system.width())),
        };
        walk.look();
        Ok(walk)
    }

    /// How many steps are behind.
    pub(super) fn at(&self) -> usize {
        self.at
    }

    /// How many steps are ahead.
    pub(super) fn ahead(&self) -> usize {
        self.path.labels.len() - self.at
    }

    pub(super) fn state(&self) -> &[Word] {
        &self.path.states[self.at]
    }

    /// The label of the step that led here.
    pub(super) fn last(&self) -> Option<Label> {
        self.at.checked_sub(1).map(|i| self.path.labels[i])
    }

    /// The steps that are possible here.
    pub(super) fn possible(&self) -> Result<&Steps, &Fault> {
        self.possible.as_ref()
    }

    pub(super) fn stepper(&mut self) -> &mut S::Stepper<'s> {
        &mut self.stepper
    }

    /// Goes to a step of the path, behind or ahead; false if there is none with this number.
    pub(super) fn jump(&mut self, step: usize) -> bool {
        let there = step <= self.path.labels.len();
        if there {
            self.at = step;
            self.look();
        }
        there
    }

    /// Takes a possible step, by its place in the list from 0.
    pub(super) fn take(&mut self, i: usize) {
        let steps = self.possible.as_ref().expect("only a possible step is taken");
        let (label, target) = (steps.label(i), steps.target(i).to_vec());
        self.go(label, target);
        self.look();
    }

    /// Goes along a path that starts here.
    pub(super) fn follow(&mut self, path: Path) {
        debug_assert_eq!(path.states[0], self.state(), "the path starts here");
        for (label, state) in path.labels.into_iter().zip(path.states.into_iter().skip(1)) {
            self.go(label, state);
        }
        self.look();
    }

    /// The steps behind, by names.
    pub(super) fn run(&self) -> Run {
        let behind = Path {
            states: self.path.states[..=self.at].to_vec(),
            labels: self.path.labels[..self.at].to_vec(),
            loop_from: None,
        };
        Run::new(self.system, &behind)
    }

    /// Makes a run the path, if it is one of the system, and stands at its start or at its end.
    pub(super) fn adopt(&mut self, run: &Run, to_end: bool) -> Result<(), Invalid> {
        let judge = Compiled {
            system: self.system,
            stepper: RefCell::new(self.system.stepper()),
        };
        let states = trail(&judge, run)?;
        let mut labels = Vec::with_capacity(states.len() - 1);
        let mut steps = Steps::new(self.system.width());
        for (pair, step) in states.windows(2).zip(run.prefix.iter().chain(&run.loop_)) {
            steps.clear();
            let stepped = self.stepper.steps(&pair[0], &mut steps);
            stepped.expect("a state that was stepped without a fault steps the same again");
            let named = |label: Label| {
                self.system.event_name(label.event) == step.event
                    && self.system.processes(label.processes) == step.processes
            };
            let found = steps
                .iter()
                .find(|(label, target)| **target == pair[1] && named(*label));
            labels.push(found.expect("neighbours on a trail are joined by a step").0);
        }
        self.at = if to_end { labels.len() } else { 0 };
        self.path = Path {
            states,
            labels,
            loop_from: None,
        };
        self.look();
        Ok(())
    }

    fn go(&mut self, label: Label, target: Vec<Word>) {
        let at = self.at;
        self.at += 1;
        if self.path.labels.get(at) == Some(&label) && self.path.states[at + 1] == target {
            return;
        }
        self.path.labels.truncate(at);
        self.path.states.truncate(at + 1);
        self.path.labels.push(label);
        self.path.states.push(target);
    }

    /// Computes what is possible here.
    fn look(&mut self) {
        let mut steps = Steps::new(self.system.width());
        let stepped = self.stepper.steps(&self.path.states[self.at], &mut steps);
        self.possible = stepped.map(|()| steps);
    }
}

/// The system as the judge of a run that it is to go along.
struct Compiled<'s, S: System + 's> {
    system: &'s S,
    stepper: RefCell<S::Stepper<'s>>,
}

impl<'s, S: System + 's> Judge for Compiled<'s, S> {
    type State = Vec<Word>;

    fn initial(&self) -> Result<Vec<Vec<Word>>, Fault> {
        let mut steps = Steps::new(self.system.width());
        self.stepper.borrow_mut().initial(&mut steps)?;
        Ok(steps.iter().map(|(_, state)| state.to_vec()).collect())
    }

    fn initial_like(&self, fields: &Fields) -> Result<Vec<Vec<Word>>, Fault> {
        let mut steps = Steps::new(self.system.width());
        let mut like = Vec::new();
        let mut cursor = Some(0);
        while let Some(at) = cursor {
            steps.clear();
            cursor = self.stepper.borrow_mut().initial_from(at, &mut steps)?;
            if at == 0 && cursor.is_none() {
                return Ok(steps.iter().map(|(_, state)| state.to_vec()).collect());
            }
            // They are many: only those that can be meant are kept.
            let states = steps.iter().map(|(_, state)| state);
            like.extend(
                states
                    .filter(|s| self.system.fields(s) == *fields)
                    .map(<[Word]>::to_vec),
            );
        }
        Ok(like)
    }

    fn steps(&self, state: &Vec<Word>) -> Result<Vec<JudgedStep<Vec<Word>>>, Fault> {
        let mut steps = Steps::new(self.system.width());
        self.stepper.borrow_mut().steps(state, &mut steps)?;
        let judged = |(label, target): (Label, &[Word])| {
            let event = self.system.event_name(label.event);
            (event, self.system.processes(label.processes), target.to_vec())
        };
        Ok(steps.iter().map(judged).collect())
    }

    fn fields(&self, state: &Vec<Word>) -> Fields {
        self.system.fields(state)
    }
}
