//! Small graphs as judges, for the tests of this crate: the figures of [Si-FCS'14], rebuilt.

use crate::fair::NamedStep;
use crate::judge::{Judge, JudgedStep};
use fairhold_system::{Fault, Fields, Value};
use std::collections::BTreeSet;

/// Source, event, processes, target.
type Arc = (u32, &'static str, Vec<u32>, u32);

/// A graph given by its steps; state 0 is initial. An event may be ready where it is not enabled.
pub(crate) struct Graph {
    steps: Vec<Arc>,
    ready: Vec<(u32, &'static str)>,
}

impl Graph {
    pub(crate) fn new(steps: &[(u32, &'static str, &[u32], u32)]) -> Graph {
        let step = |&(from, event, processes, to): &(u32, &'static str, &[u32], u32)| {
            (from, event, processes.to_vec(), to)
        };
        Graph {
            steps: steps.iter().map(step).collect(),
            ready: Vec::new(),
        }
    }

    /// The same graph with an event ready in a state besides what is enabled there.
    pub(crate) fn with_ready(mut self, state: u32, event: &'static str) -> Graph {
        self.ready.push((state, event));
        self
    }

    /// Figure 2(a): one process that does `a` or `b`.
    pub(crate) fn choice() -> Graph {
        Graph::new(&[(0, "a", &[0], 0), (0, "b", &[0], 0)])
    }

    /// Figure 2(b): process 0 does `a`, process 1 does `b`.
    pub(crate) fn interleaving() -> Graph {
        Graph::new(&[(0, "a", &[0], 0), (0, "b", &[1], 0)])
    }

    /// Figure 3(a): `a`, then `b` or `c` back.
    pub(crate) fn alternating() -> Graph {
        Graph::new(&[(0, "a", &[0], 1), (1, "b", &[0], 0), (1, "c", &[0], 0)])
    }

    /// Figure 3(b): process 0 does `a` and `b` in turn, process 1 may do `c` in between.
    pub(crate) fn guarded() -> Graph {
        Graph::new(&[(0, "a", &[0], 1), (1, "b", &[0], 0), (1, "c", &[1], 1)])
    }

    /// Figure 4(a): `a` up, `b` down, three rungs.
    pub(crate) fn ladder() -> Graph {
        Graph::new(&[
            (0, "a", &[0], 1),
            (1, "b", &[0], 0),
            (1, "a", &[0], 2),
            (2, "b", &[0], 1),
        ])
    }

    /// Figure 4(b): `a` leads to `c` or to `b`.
    pub(crate) fn fork() -> Graph {
        Graph::new(&[
            (0, "a", &[0], 1),
            (0, "a", &[0], 2),
            (1, "c", &[0], 0),
            (2, "b", &[0], 0),
        ])
    }

    /// Source and target of every step.
    pub(crate) fn arcs(&self) -> impl Iterator<Item = (u32, u32)> {
        self.steps.iter().map(|(from, _, _, to)| (*from, *to))
    }

    /// The loop that takes these steps, by their numbers in the graph.
    pub(crate) fn walk(&self, numbers: &[usize]) -> (Vec<u32>, Vec<NamedStep>) {
        let mut lap = (Vec::new(), Vec::new());
        for (k, &number) in numbers.iter().enumerate() {
            let (from, event, processes, to) = &self.steps[number];
            let next = numbers[(k + 1) % numbers.len()];
            assert_eq!(*to, self.steps[next].0, "the steps of a loop follow each other");
            lap.0.push(*from);
            lap.1.push(((*event).to_owned(), processes.clone()));
        }
        lap
    }
}

impl Judge for Graph {
    type State = u32;

    fn initial(&self) -> Result<Vec<u32>, Fault> {
        Ok(vec![0])
    }

    fn steps(&self, state: &u32) -> Result<Vec<JudgedStep<u32>>, Fault> {
        let own = self.steps.iter().filter(|(from, ..)| from == state);
        Ok(own
            .map(|(_, event, processes, to)| ((*event).to_owned(), processes.clone(), *to))
            .collect())
    }

    fn ready(&self, state: &u32) -> Result<BTreeSet<String>, Fault> {
        let enabled = self.steps.iter().map(|(from, event, ..)| (from, event));
        let ready = self.ready.iter().map(|(from, event)| (from, event));
        let own = enabled.chain(ready).filter(|(from, _)| *from == state);
        Ok(own.map(|(_, event)| (*event).to_owned()).collect())
    }

    fn fields(&self, state: &u32) -> Fields {
        vec![("state".into(), Value::Int(i64::from(*state)))]
    }
}
