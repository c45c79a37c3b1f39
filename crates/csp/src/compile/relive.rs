//! From a path through states with merged hidden variables to an execution with real values.
//!
//! Where the values of hidden variables are those of whichever run met a state first, a path may go on from a state
//! with values that it did not bring there, so it need not be an execution. It is walked anew from the initial state:
//! of every position all states are kept to which some execution leads that takes the same steps and, hidden
//! variables aside, enters the same states. If none is left, the walk ends there, and what comes back is an execution
//! that stops short of what the path was to show; whoever judges it will say so.
//!
//! A loop closes where a round starts in the very state that an earlier one started in. Every execution is one chain
//! of states, kept by what came before, and one that goes around more often than there are different values closes.
//!
//! Time: the steps of every state kept. There are as many at a position as there are values that fit, mostly one.

use super::CspSystem;
use super::stepper::CspStepper;
use fairhold_system::{EventId, Label, Path, Stepper, Steps, System, Word};
use rustc_hash::FxHashSet;

/// States kept at one position, at most: the rest only offers other values for what others show.
const MOST_STATES: usize = 1_000;

/// Rounds of a loop walked, at most: values that are still new after these may well grow forever.
const MOST_ROUNDS: usize = 200;

/// States that fit at one position, each with the place, in the layer before, of one that leads to it.
type Layer = Vec<(Vec<Word>, usize)>;

/// The execution that takes the steps of a path from an initial state, as far as there is one.
pub(super) fn relive(system: &CspSystem, path: &Path) -> Path {
    let mut walk = Relived {
        key: system.key_width(),
        exact: CspStepper::new(system, None, None),
        steps: Steps::new(system.width()),
        labels: Vec::new(),
        layers: vec![vec![(system.initial_words(), 0)]],
    };
    for (&label, target) in path.labels.iter().zip(&path.states[1..]) {
        if !walk.step(label, target) {
            return walk.chain(0, None);
        }
    }
    let Some(from) = path.loop_from else {
        let last = &path.states[path.labels.len()];
        // What the search saw at the end is best shown by a state with the values that it saw.
        let same = walk.last().iter().position(|(state, _)| state == last);
        return walk.chain(same.unwrap_or(0), None);
    };
    let round = path.labels.len() - from;
    for _ in 0..MOST_ROUNDS {
        if let Some((number, start)) = walk.closed(from, round) {
            return walk.chain(number, Some(start));
        }
        for (&label, target) in path.labels[from..].iter().zip(&path.states[from + 1..]) {
            if !walk.step(label, target) {
                return walk.chain(0, None);
            }
        }
    }
    walk.chain(0, None)
}

/// All executions that fit a path so far.
struct Relived<'a> {
    /// Words of a state that are not hidden.
    key: usize,
    exact: CspStepper<'a>,
    steps: Steps,
    labels: Vec<Label>,
    /// One layer a position, none of them empty.
    layers: Vec<Layer>,
}

impl Relived<'_> {
    fn last(&self) -> &Layer {
        self.layers.last().expect("there is a layer from the start on")
    }

    /// Takes a step with this label to states that are `target` but for hidden variables. False if there is none.
    fn step(&mut self, label: Label, target: &[Word]) -> bool {
        let mut layer = Layer::new();
        let mut seen = FxHashSet::default();
        let before = self.layers.len() - 1;
        for number in 0..self.layers[before].len() {
            let state = &self.layers[before][number].0;
            self.steps.clear();
            if self.exact.steps(state, &mut self.steps).is_err() {
                // With these values the model goes wrong here, which is not what the path shows.
                continue;
            }
            if label.event == EventId::IDLE {
                if self.steps.is_empty() {
                    layer.push((state.clone(), number));
                }
                continue;
            }
            for (other, next) in self.steps.iter() {
                let fits = other == label && next[..self.key] == target[..self.key];
                if fits && layer.len() < MOST_STATES && seen.insert(next.to_vec()) {
                    layer.push((next.to_vec(), number));
                }
            }
        }
        if layer.is_empty() {
            return false;
        }
        self.labels.push(label);
        self.layers.push(layer);
        true
    }

    /// A state of the last layer whose chain was in the same state at the start of a round: its place, and the
    /// position of that start.
    fn closed(&self, from: usize, round: usize) -> Option<(usize, usize)> {
        let end = self.labels.len();
        (0..self.last().len()).find_map(|number| {
            let state = &self.last()[number].0;
            let (mut at, mut position) = (number, end);
            while position > from {
                at = self.layers[position][at].1;
                position -= 1;
                if (position - from).is_multiple_of(round) && self.layers[position][at].0 == *state {
                    return Some((number, position));
                }
            }
            None
        })
    }

    /// The execution that leads to a state of the last layer.
    fn chain(self, number: usize, loop_from: Option<usize>) -> Path {
        let mut states = Vec::with_capacity(self.layers.len());
        let mut at = number;
        for layer in self.layers.iter().rev() {
            let (state, before) = &layer[at];
            states.push(state.clone());
            at = *before;
        }
        states.reverse();
        Path {
            states,
            labels: self.labels,
            loop_from,
        }
    }
}
