//! A run, found again in a graph and marked there.
//!
//! A run speaks in event names, processes and fields. All states that match so far are kept, each with the step by which
//! it was entered, until the run ends; then one way back is marked. Cost: the steps of the states kept, for each step of
//! the run.

use crate::graph::Graph;
use fairhold_store::StateId;
use fairhold_system::Fields;
use fairhold_trace::{IDLE, Run, RunStep};

/// The run leaves the graph at this step, counted from 1; 0 is its initial state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NotInGraph(pub usize);

/// A state the run may be in: where it came from, an index into the states before, and the step taken.
struct Stop {
    state: StateId,
    before: usize,
    step: Option<usize>,
}

impl Graph {
    /// Marks the states and steps of a run. The graph must have its fields.
    pub fn highlight(&mut self, run: &Run) -> Result<(), NotInGraph> {
        let starts = (0..self.nodes.len()).filter(|&i| {
            let node = &self.nodes[i];
            node.initial && matches(&node.fields, &run.initial)
        });
        let starts = starts.map(|i| Stop {
            state: StateId(i as u32),
            before: 0,
            step: None,
        });
        let mut trail = vec![starts.collect::<Vec<Stop>>()];
        if trail[0].is_empty() {
            return Err(NotInGraph(0));
        }
        for (number, step) in (1..).zip(run.prefix.iter().chain(&run.loop_)) {
            let stops = self.follow(&trail[number - 1], step);
            if stops.is_empty() {
                return Err(NotInGraph(number));
            }
            trail.push(stops);
        }
        let last = trail.last().expect("a trail has at least its start");
        // Of the ends that match, prefer one that closes the loop.
        let closing = trail[run.prefix.len()].first().map(|s| s.state);
        let end = last.iter().position(|s| Some(s.state) == closing);
        let mut at = end.filter(|_| !run.loop_.is_empty()).unwrap_or(0);
        for stops in trail.iter().rev() {
            let stop = &stops[at];
            self.nodes[stop.state.index()].highlighted = true;
            if let Some(step) = stop.step {
                self.steps[step].highlighted = true;
            }
            at = stop.before;
        }
        Ok(())
    }

    fn follow(&self, stops: &[Stop], step: &RunStep) -> Vec<Stop> {
        let mut next: Vec<Stop> = Vec::new();
        for (before, stop) in stops.iter().enumerate() {
            if step.event == IDLE {
                next.push(Stop {
                    state: stop.state,
                    before,
                    step: None,
                });
                continue;
            }
            for (i, taken) in self.steps_from(stop.state) {
                let label = &self.labels[taken.label as usize];
                let same = label.event == step.event && label.processes == step.processes;
                let fields = &self.nodes[taken.to.index()].fields;
                let known = next.iter().any(|s| s.state == taken.to);
                if same && !known && matches(fields, &step.state) {
                    next.push(Stop {
                        state: taken.to,
                        before,
                        step: Some(i),
                    });
                }
            }
        }
        next
    }
}

/// Whether a state is the one the run gives; a run that gives none matches all.
fn matches(state: &Fields, given: &Fields) -> bool {
    given.is_empty() || state == given
}
