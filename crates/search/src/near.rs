//! The states near the start, expanded breadth first while a search is somewhere else.
//!
//! A depth-first search may be on its way down a branch without end, or through a component of millions of states, while a short loop at the start would
//! answer the question. So when a search has met 1,000, 4,000 and 16,000 states or nodes, as many states are expanded breadth first, and all that is expanded by
//! then is decomposed and judged by itself. What is expanded for a look is kept, so that the search itself need not step it again; a state
//! whose steps are not known has none in a look, which may hide a loop but never makes one, and under strong global fairness a component with a step to such a state
//! is not closed.
//!
//! A further look at 64,000 states made five processes of the bakery 5 % slower under `pwf`; what it would see is either near the start, or in a component that the search
//! itself looks at while it is open.

use crate::expanded::Expanded;
use crate::visited::Halt;
use fairhold_store::StateId;
use fairhold_system::System;
use fixedbitset::FixedBitSet;
use std::collections::VecDeque;

/// How many states there are at the first look, at the last, and how many times as many at each as at the one before.
const FIRST_LOOK: usize = 1_000;
const LAST_LOOK: usize = 16_000;
const MORE: usize = 4;

/// A breadth-first search that goes on from look to look.
pub(crate) struct Near {
    /// How many states there must be for the next look.
    due: usize,
    /// How many of the graph's initial states are in the queue or were.
    started: usize,
    queue: VecDeque<StateId>,
    seen: FixedBitSet,
    expanded: usize,
}

impl Near {
    pub(crate) fn new() -> Near {
        Near {
            due: FIRST_LOOK,
            started: 0,
            queue: VecDeque::new(),
            seen: FixedBitSet::new(),
            expanded: 0,
        }
    }

    /// Whether a look is due when so many states or nodes were met.
    #[inline]
    pub(crate) fn is_due(&self, met: usize) -> bool {
        met >= self.due
    }

    /// Expands as many states as are due, those nearest to the start first.
    pub(crate) fn extend<S: System>(&mut self, graph: &mut Expanded<'_, S>) -> Result<(), Halt> {
        while self.expanded < self.due {
            while self.queue.is_empty() && self.started < graph.initial.len() {
                self.meet(graph.initial[self.started]);
                self.started += 1;
            }
            let Some(state) = self.queue.pop_front() else {
                break;
            };
            self.expanded += 1;
            match graph.expand(state) {
                Ok(()) => {}
                // It comes in its order in the search.
                Err(Halt::Fault { .. }) => continue,
                Err(stop) => return Err(stop),
            }
            for target in graph.targets(state) {
                self.meet(target);
            }
        }
        self.due = match self.due {
            LAST_LOOK.. => usize::MAX,
            due => due * MORE,
        };
        Ok(())
    }

    fn meet(&mut self, state: StateId) {
        self.seen.grow(state.index() + 1);
        if !self.seen.put(state.index()) {
            self.queue.push_back(state);
        }
    }
}
