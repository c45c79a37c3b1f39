//! From a path of multisets to a run of the protocol.
//!
//! Nodes in the same state are interchangeable, so every step of the quotient can be taken by some nodes of every
//! configuration that it counts: the first in the right states will do. A lasso of multisets comes back to the same counts with the nodes
//! permuted; it goes around until a configuration recurs. Choosing the first nodes makes that a walk through a finite set, so one does.

use crate::counting::{CountedSystem, Meaning};
use crate::model::Action;
use crate::system::ProtocolSystem;
use fairhold_system::{EventId, Label, Path, ProcessesId, Steps, System, Word};

/// A loop that takes more rounds is not worth showing.
const ROUNDS: usize = 1_000;

/// A path of the protocol whose configurations, counted, are those of a path of `counted`. None if the path is no such, or its loop takes too
/// many rounds to close.
pub fn lift(counted: &CountedSystem, full: &ProtocolSystem, path: &Path) -> Option<Path> {
    let first = path.states.first()?;
    let mut state: Vec<Word> = Vec::with_capacity(full.width());
    for (&node_state, &count) in counted.states.iter().zip(first) {
        state.extend(std::iter::repeat_n(node_state, count as usize));
    }
    state.extend(counted.detector_at().map(|at| first[at]));
    let mut lifted = Lifted {
        counted,
        full,
        path: Path {
            states: vec![state],
            labels: Vec::new(),
            loop_from: None,
        },
    };
    let steps = path.labels.len();
    let prefix = path.loop_from.unwrap_or(steps);
    for i in 0..prefix {
        lifted.step(path, i)?;
    }
    if prefix == steps {
        return Some(lifted.path);
    }
    let mut starts = vec![prefix];
    for _ in 0..ROUNDS {
        for i in prefix..steps {
            lifted.step(path, i)?;
        }
        let states = &lifted.path.states;
        let here = &states[states.len() - 1];
        if let Some(&start) = starts.iter().find(|&&start| states[start] == *here) {
            lifted.path.loop_from = Some(start);
            return Some(lifted.path);
        }
        starts.push(states.len() - 1);
    }
    None
}

/// A path in the making.
struct Lifted<'a> {
    counted: &'a CountedSystem,
    full: &'a ProtocolSystem,
    path: Path,
}

impl Lifted<'_> {
    /// Takes step `i` of a path of multisets.
    fn step(&mut self, path: &Path, i: usize) -> Option<()> {
        let (from, label, to) = (&path.states[i], path.labels[i], &path.states[i + 1]);
        let here = self.path.states.last().expect("a path has a state");
        let mut next = here.clone();
        let nodes = self.counted.protocol.nodes as usize;
        let mut label = Label {
            event: label.event,
            processes: ProcessesId::NONE,
        };
        if label.event != EventId::IDLE {
            let action = match self.counted.meaning(label.event) {
                Meaning::Detector(action) => {
                    next[nodes] = to[self.counted.detector_at()?];
                    action
                }
                Meaning::Pair(rule) => {
                    let (a, b, after) = self.choice(from, label.event, to)?;
                    let i = (0..nodes).find(|&n| here[n] == a)?;
                    let r = (0..nodes).find(|&n| n != i && here[n] == b)?;
                    [next[i], next[r]] = after;
                    let mut edges = self.counted.protocol.topology.edges.iter();
                    let edge = edges.position(|edge| *edge == (i as u32, r as u32))? as u32;
                    Action::Pair(self.counted.rules.pair_rules[rule as usize], edge)
                }
                Meaning::Single(rule) => {
                    let (a, _, after) = self.choice(from, label.event, to)?;
                    let node = (0..nodes).find(|&n| here[n] == a)?;
                    next[node] = after[0];
                    Action::Single(self.counted.rules.single_rules[rule as usize], node as u32)
                }
            };
            label.event = self.full.event(action);
        }
        self.path.states.push(next);
        self.path.labels.push(label);
        Some(())
    }

    /// The states of the nodes that take a step of an event between two multisets: before, and after.
    fn choice(&self, from: &[Word], event: EventId, to: &[Word]) -> Option<(Word, Word, [Word; 2])> {
        let mut stepper = self.counted.stepper();
        let mut steps = Steps::new(from.len());
        let mut found = None;
        let states = &self.counted.states;
        stepper
            .steps_by(from, &mut steps, &mut |label, target, [a, b], after| {
                if found.is_none() && label.event == event && target == to {
                    found = Some((states[a], states[b], after));
                }
            })
            .ok()?;
        found
    }
}
