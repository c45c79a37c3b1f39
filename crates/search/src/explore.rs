//! The reachable graph in numbers: states, steps, depth, deadlocks, ends, components.
//!
//! Breadth first by default, which gives the true depth and shortest paths to faults. Depth first finds
//! the components in the same pass. Counting components breadth first takes a second pass over the states met.
//!
//! Time: every state is stepped once, every step is one table access; twice with components breadth first. Memory: the
//! table, and depth first 4 bytes a state for the order (see [`Tarjan`]). The way to a fault is found by stepping again what leads there.

use crate::breadth::{Breadth, Look};
use crate::budget::Budget;
use crate::path;
use crate::question::Statistics;
use crate::tarjan::{Graph, Tarjan};
use crate::visited::{Halt, Visited};
use crate::window::{AHEAD, Window};
use fairhold_store::StateId;
use fairhold_system::{Fault, FaultKind, Limits, Observer, Path, StopReason, System, Word};

/// In which order states are expanded.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Order {
    /// Nearest first.
    #[default]
    Breadth,
    /// The newest first.
    Depth,
}

/// How to explore.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ExploreOptions {
    /// In which order. The numbers are the same but for the depth.
    pub order: Order,
    /// Whether to count the strongly connected components.
    pub sccs: bool,
}

/// What an exploration has seen.
#[derive(Clone, PartialEq, Debug)]
pub struct Exploration {
    /// The numbers; of the part that was seen, if it was cut short.
    pub statistics: Statistics,
    /// Why it gave up, if it did.
    pub stop: Option<StopReason>,
    /// What went wrong in the model, if something did.
    pub fault: Option<Fault>,
    /// The way to a fault of the kind `Error`; breadth first a shortest one.
    pub path: Option<Path>,
    /// States of an unfinished exploration, as in [`Answer::samples`](crate::Answer::samples).
    pub samples: Vec<Vec<Word>>,
}

/// Explores everything reachable.
pub fn explore<S: System>(
    system: &S,
    options: &ExploreOptions,
    limits: &Limits,
    observer: &dyn Observer,
) -> Exploration {
    match options.order {
        Order::Breadth => breadth_first(Breadth::without_parents(system, limits, observer), options.sccs),
        Order::Depth => depth_first(Visited::new(system, limits, observer), options.sccs),
    }
}

/// Looks at nothing: the search itself counts.
#[derive(Clone)]
struct NoLook;

impl<S: System> Look<S> for NoLook {
    type Found = ();

    fn state(&mut self, _: &S, _: &Window<'_, S>, _: StateId) -> Result<Option<()>, Fault> {
        Ok(None)
    }

    fn target(&mut self, _: &mut Window<'_, S>, _: usize, _: StateId) -> Result<Option<()>, Fault> {
        Ok(None)
    }

    fn join(&mut self, NoLook: NoLook) {}
}

fn breadth_first<S: System>(mut search: Breadth<'_, S>, sccs: bool) -> Exploration {
    let mut run = || {
        search.run(&mut NoLook)?;
        if sccs {
            search.visited.statistics.sccs = Some(count_components(&mut search.visited)?);
        }
        Ok(())
    };
    let result = run();
    let kept = search.kept_bytes();
    let trail = match result {
        Err(Halt::Fault { at: Some(id), .. }) => search.trail(id),
        _ => Vec::new(),
    };
    conclude(&mut search.visited, result, &trail, kept)
}

fn count_components<S: System>(visited: &mut Visited<'_, S>) -> Result<u64, Halt> {
    let states: Vec<_> = visited.table.used().collect();
    let mut graph = Explored(visited);
    let mut tarjan = Tarjan::new();
    for root in states.into_iter().flatten() {
        tarjan.search(&mut graph, StateId(root), |_: &[StateId], _| ())?;
    }
    Ok(tarjan.components)
}

fn depth_first<S: System>(mut visited: Visited<'_, S>, sccs: bool) -> Exploration {
    let mut tarjan = Tarjan::new();
    let mut run = || {
        while visited.initial()? {
            for i in 0..visited.window.now.steps.len() {
                visited.admit(i)?;
            }
        }
        let initial = visited.table.len() as u32;
        let mut graph = Unfolding(&mut visited);
        for root in 0..initial {
            tarjan.search(&mut graph, StateId(root), |_: &[StateId], _| ())?;
        }
        Ok(())
    };
    let result = run();
    visited.statistics.depth = tarjan.depth;
    if sccs && result.is_ok() {
        visited.statistics.sccs = Some(tarjan.components);
    }
    conclude(&mut visited, result, &tarjan.trail(), tarjan.order_bytes())
}

/// Makes the result; `trail` leads to the fault, if there is one, and `extra` bytes are kept beside the table.
fn conclude<S: System>(
    visited: &mut Visited<'_, S>,
    result: Result<(), Halt>,
    trail: &[StateId],
    extra: u64,
) -> Exploration {
    let mut exploration = Exploration {
        statistics: visited.statistics(extra),
        stop: None,
        fault: None,
        path: None,
        samples: Vec::new(),
    };
    match result {
        Ok(()) => {}
        Err(Halt::Stop(reason)) => {
            exploration.stop = Some(reason);
            exploration.samples = visited.table.samples();
        }
        Err(Halt::Fault { fault, .. }) => {
            if let Some(&last) = trail.last() {
                match fault.kind {
                    FaultKind::Error => exploration.path = Some(path::along(visited, trail, None)),
                    FaultKind::Unbounded => {
                        exploration.samples = vec![visited.table.get(last)];
                    }
                }
            }
            exploration.fault = Some(fault);
        }
    }
    exploration
}

/// A graph whose states are all in the table.
struct Explored<'b, 'a, S: System>(&'b mut Visited<'a, S>);

impl<S: System> Graph for Explored<'_, '_, S> {
    fn successors(&mut self, state: StateId, out: &mut Vec<StateId>) -> Result<(), Halt> {
        self.0.step(state)?;
        self.0.budget.reserve(out, self.0.window.now.steps.len())?;
        out.extend(self.0.window.now.steps.iter().map(|(_, target)| {
            let id = self.0.table.find(target);
            id.expect("the targets of an explored graph are in the table")
        }));
        Ok(())
    }

    fn budget(&mut self) -> &mut Budget {
        &mut self.0.budget
    }
}

/// A graph that comes into being as it is searched.
pub(crate) struct Unfolding<'b, 'a, S: System>(pub(crate) &'b mut Visited<'a, S>);

impl<S: System> Graph for Unfolding<'_, '_, S> {
    fn successors(&mut self, state: StateId, out: &mut Vec<StateId>) -> Result<(), Halt> {
        self.0.expand(state, [None; AHEAD])?;
        self.0.budget.reserve(out, self.0.window.now.steps.len())?;
        for i in 0..self.0.window.now.steps.len() {
            out.push(self.0.admit(i)?.id);
        }
        Ok(())
    }

    fn budget(&mut self) -> &mut Budget {
        &mut self.0.budget
    }
}
