//! The whole system, explored and written down, to be walked backwards.
//!
//! States are expanded in the order in which they are met. Who has a step to a state is kept in compressed rows: the sources of all steps, ordered by target, and where
//! each target's begin. The step of a state that idles is left out, since it leads nowhere else.

use crate::budget::Budget;
use crate::expanded::Expanded;
use crate::visited::Halt;
use crate::window::in_order;
use fairhold_store::{Growth, StateId};
use fairhold_system::{Control, EventId, Observer, Progress, System};
use fixedbitset::FixedBitSet;
use std::cell::Cell;

/// An explored system, backwards.
#[derive(Clone, Debug)]
pub(super) struct Structure {
    /// Where the sources of each target begin; one more at the end.
    starts: Vec<u32>,
    sources: Vec<u32>,
    /// States without steps.
    pub(super) stuck: FixedBitSet,
    /// Those of them where the system has ended.
    pub(super) ended: FixedBitSet,
}

impl Structure {
    /// Explores everything reachable.
    pub(super) fn explore<S: System>(graph: &mut Expanded<'_, S>) -> Result<Structure, Halt> {
        while graph.start()? {}
        let mut next = 0;
        while next < graph.visited.table.len() {
            let state = StateId(next as u32);
            graph.expand_before(state, in_order(state, graph.len() as u32))?;
            next += 1;
        }
        let stuck = bits(&mut graph.visited.budget, next)?;
        let ended = bits(&mut graph.visited.budget, next)?;
        let mut structure = Structure {
            starts: Vec::new(),
            sources: Vec::new(),
            stuck,
            ended,
        };
        structure.turn(graph)?;
        Ok(structure)
    }

    /// Sorts the steps by their targets.
    fn turn<S: System>(&mut self, graph: &mut Expanded<'_, S>) -> Result<(), Halt> {
        let states = graph.visited.table.len();
        graph.visited.budget.reserve(&mut self.starts, states + 1)?;
        // One place further than where a target's sources begin: the second pass counts them back.
        self.starts.resize(states + 1, 0);
        let mut total = 0_u32;
        for state in 0..states {
            for step in graph.steps(StateId(state as u32)) {
                if step.label.event == EventId::IDLE {
                    self.stuck.insert(state);
                    if graph
                        .visited
                        .system
                        .is_ended(&graph.visited.table.get(step.target))
                    {
                        self.ended.insert(state);
                    }
                } else {
                    self.starts[step.target.index()] += 1;
                    total += 1;
                }
            }
        }
        graph.visited.budget.reserve(&mut self.sources, total as usize)?;
        self.sources.resize(total as usize, 0);
        let mut end = 0;
        for start in &mut self.starts {
            end += *start;
            *start = end;
        }
        for state in (0..states).rev() {
            for step in graph.steps(StateId(state as u32)).rev() {
                if step.label.event != EventId::IDLE {
                    let place = &mut self.starts[step.target.index()];
                    *place -= 1;
                    self.sources[*place as usize] = state as u32;
                }
            }
        }
        Ok(())
    }

    /// How many states there are.
    pub(super) fn states(&self) -> usize {
        self.starts.len() - 1
    }

    /// The states with a step to this one, ascending; one with several is there several times.
    #[inline]
    pub(super) fn sources(&self, target: usize) -> &[u32] {
        &self.sources[self.starts[target] as usize..self.starts[target + 1] as usize]
    }

    /// Adds to `set` whatever reaches it through states of `through`. `order` says who joined, the nearest first.
    pub(super) fn close_backwards(
        &self,
        set: &mut FixedBitSet,
        through: &FixedBitSet,
        order: &mut Vec<u32>,
        budget: &mut Budget,
        watched: &Watched<'_>,
    ) -> Result<(), Halt> {
        order.clear();
        budget.reserve(order, set.count_ones(..))?;
        order.extend(set.ones().map(|s| s as u32));
        let mut next = 0;
        while next < order.len() {
            watched.tick(budget)?;
            for &source in self.sources(order[next] as usize) {
                if through.contains(source as usize) && !set.put(source as usize) {
                    budget.reserve(order, 1)?;
                    order.push(source);
                }
            }
            next += 1;
        }
        Ok(())
    }
}

/// An empty set of states, booked.
pub(super) fn bits(budget: &mut Budget, states: usize) -> Result<FixedBitSet, Halt> {
    budget.grow(Growth {
        taken: states.div_ceil(8) as u64,
        freed: 0,
    })?;
    Ok(FixedBitSet::with_capacity(states))
}

/// The observer, asked now and then while nothing new is explored.
pub(super) struct Watched<'w> {
    observer: &'w dyn Observer,
    progress: Progress,
    ticks: Cell<u32>,
}

/// States looked at between two calls of the observer.
const POLL_EVERY: u32 = 1 << 16;

impl<'w> Watched<'w> {
    pub(super) fn new<S: System>(observer: &'w dyn Observer, graph: &Expanded<'_, S>) -> Watched<'w> {
        let statistics = graph.visited.statistics(0);
        Watched {
            observer,
            progress: Progress {
                states: statistics.states,
                steps: statistics.steps,
                depth: statistics.depth,
                ..Progress::default()
            },
            ticks: Cell::new(0),
        }
    }

    /// One more state was looked at.
    #[inline]
    pub(super) fn tick(&self, budget: &Budget) -> Result<(), Halt> {
        self.ticks.set(self.ticks.get().wrapping_add(1));
        if self.ticks.get().is_multiple_of(POLL_EVERY) {
            return self.poll(budget);
        }
        Ok(())
    }

    #[cold]
    fn poll(&self, budget: &Budget) -> Result<(), Halt> {
        let progress = Progress {
            bytes: budget.held(),
            ..self.progress
        };
        match self.observer.progress(&progress) {
            Control::Continue => Ok(()),
            Control::Stop(reason) => Err(Halt::Stop(reason)),
        }
    }
}
