//! From a path through states that forget to an execution of the model.
//!
//! A state in which dead variables were forgotten does, step by step, what every state does that it stands for. So the
//! path's labels are followed without forgetting anything, always to a target that the path's own state stands for: there is
//! always one. A loop comes back to the forgotten state but perhaps not to the very values: what is
//! written on the way was dead where the loop starts. One round more closes it, since what a round writes depends
//! only on what is live, which is the same each time.

use super::CspSystem;
use super::forget::Forgetter;
use super::relive::relive;
use super::stepper::CspStepper;
use fairhold_system::{EventId, Keep, Label, Path, Stepper, Steps, System, Word};

/// Follows a path without forgetting.
struct Walk<'a> {
    exact: CspStepper<'a>,
    forgetter: Forgetter<'a>,
    steps: Steps,
    path: Path,
}

impl Walk<'_> {
    /// Takes the step with this label to a state that `target` stands for.
    fn step(&mut self, label: Label, target: &[Word]) {
        let last = self.path.states.last().expect("a path has a state");
        if label.event == EventId::IDLE {
            let same = last.clone();
            return self.arrive(label, same);
        }
        self.steps.clear();
        let stepped = self.exact.steps(last, &mut self.steps);
        debug_assert!(
            stepped.is_ok(),
            "a state goes wrong if one that it stands for does"
        );
        let forgetter = &mut self.forgetter;
        let is_meant = |state: &[Word]| {
            let mut state = state.to_vec();
            forgetter.forget_all(&mut state);
            state == target
        };
        let mut meant = is_meant;
        let found = self
            .steps
            .iter()
            .find(|(other, state)| *other == label && meant(state))
            .map(|(_, state)| state.to_vec())
            .expect("a state does what every state does that it stands for");
        self.arrive(label, found);
    }

    fn arrive(&mut self, label: Label, state: Vec<Word>) {
        self.path.labels.push(label);
        self.path.states.push(state);
    }
}

/// The execution that a path from an initial state stands for.
pub(super) fn lift(system: &CspSystem, path: Path) -> Path {
    if system.keep == Keep::Merged {
        return relive(system, &path);
    }
    let Some(live) = system.live() else {
        return path;
    };
    let mut walk = Walk {
        exact: CspStepper::new(system, None, None),
        forgetter: Forgetter::new(system, Some(live)),
        steps: Steps::new(system.width()),
        path: Path {
            states: vec![system.initial_words()],
            labels: Vec::new(),
            loop_from: None,
        },
    };
    for (&label, target) in path.labels.iter().zip(&path.states[1..]) {
        walk.step(label, target);
    }
    let Some(from) = path.loop_from else {
        return walk.path;
    };
    // Around until some round starts as an earlier one did.
    let mut starts = vec![from];
    loop {
        let end = walk.path.labels.len();
        let state = &walk.path.states[end];
        if let Some(&start) = starts.iter().find(|&&start| walk.path.states[start] == *state) {
            walk.path.loop_from = Some(start);
            break;
        }
        starts.push(end);
        for (&label, target) in path.labels[from..].iter().zip(&path.states[from + 1..]) {
            walk.step(label, target);
        }
    }
    let mut path = walk.path;
    enter_early(&mut path);
    path
}

/// Starts the loop as early as its states allow, so that no round is walked before it that it contains.
fn enter_early(path: &mut Path) {
    let Some(mut start) = path.loop_from else { return };
    let len = path.labels.len() - start;
    while start > 0
        && path.labels[start - 1] == path.labels[start - 1 + len]
        && path.states[start - 1] == path.states[start - 1 + len]
    {
        start -= 1;
    }
    path.loop_from = Some(start);
    path.labels.truncate(start + len);
    path.states.truncate(start + len + 1);
}
