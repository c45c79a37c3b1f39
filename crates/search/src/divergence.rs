//! Divergence: a reachable loop of `tau` steps.
//!
//! A breadth-first search explores the states and notes in one bit which of them have a `tau` step. Whenever the
//! number of expanded states has doubled, and once at the end, [`Tarjan`] looks for a component with a loop among
//! the noted states and the `tau` steps between them. So the search stops early where there is something to find,
//! and all the looks together cost no more than two at the end. A system without `tau` steps costs nothing extra.
//!
//! The counterexample is a lasso. Ids ascend with the distance, so the least id in a component with a loop is a
//! nearest state that lies on a `tau` loop; the prefix is a shortest path to it, and the loop a shortest one
//! through it, both among the states expanded so far.
//!
//! A search that is about to give up, or has met a fault, looks once more, as far as its limits allow: a loop
//! already in sight decides.

use crate::breadth::{Breadth, Next};
use crate::budget::Budget;
use crate::column::Column;
use crate::path;
use crate::question::Answer;
use crate::safety::{blank, finish, halted};
use crate::tarjan::{Graph, Tarjan};
use crate::visited::{Halt, Visited};
use fairhold_store::{Growth, StateId};
use fairhold_system::{EventId, Limits, Observer, System, Verdict};
use fixedbitset::FixedBitSet;

/// The first look comes after this many expanded states.
const FIRST_LOOK: u64 = 1024;

const NOT_MET: u32 = u32::MAX;

pub(crate) fn check<S: System>(system: &S, limits: &Limits, observer: &dyn Observer) -> Answer {
    let mut search = Breadth::new(system, limits, observer);
    let mut silent = FixedBitSet::new();
    let found = match run(&mut search, &mut silent) {
        Ok(found) => Ok(found),
        Err(halt) => match (look(&mut search.visited, &silent), halt) {
            (Ok(Some(cycle)), _) => Ok(Some(cycle)),
            (Ok(None), halt) => Err(halt),
            // Whether the loop comes before the fault stays open, and so does the verdict.
            (Err(limit), Halt::Fault { .. }) => Err(limit),
            (Err(_), halt @ Halt::Stop(_)) => Err(halt),
        },
    };
    match found {
        Ok(None) => finish(&search, blank(Verdict::Holds)),
        Ok(Some(cycle)) => {
            let mut answer = blank(Verdict::Fails);
            let mut trail = search.trail(cycle[0]);
            let start = trail.len() - 1;
            trail.extend_from_slice(&cycle[1..]);
            trail.push(cycle[0]);
            answer.path = Some(path::along(&mut search.visited, &trail, Some(start)));
            finish(&search, answer)
        }
        Err(halt) => halted(search, halt),
    }
}

/// Explores, and returns the states of a `tau` loop if there is one.
fn run<S: System>(
    search: &mut Breadth<'_, S>,
    silent: &mut FixedBitSet,
) -> Result<Option<Vec<StateId>>, Halt> {
    let mut expanded = 0;
    let mut next_look = FIRST_LOOK;
    loop {
        if expanded == next_look {
            next_look *= 2;
            if let Some(cycle) = look(&mut search.visited, silent)? {
                return Ok(Some(cycle));
            }
        }
        match search.next()? {
            Next::Nothing => return look(&mut search.visited, silent),
            Next::Initial => {}
            Next::State(id) => {
                expanded += 1;
                let mut labels = search.visited.window.now.steps.iter().map(|(label, _)| label);
                if labels.any(|label| label.event == EventId::TAU) {
                    note(silent, id, &mut search.visited.budget)?;
                }
            }
        }
        for i in 0..search.step_count() {
            search.admit(i)?;
        }
    }
}

/// Sets the bit of a state, growing the set by doubling.
fn note(silent: &mut FixedBitSet, id: StateId, budget: &mut Budget) -> Result<(), Halt> {
    if id.index() >= silent.len() {
        let bits = (id.index() + 1).next_power_of_two().max(512);
        budget.grow(Growth {
            taken: bits as u64 / 8,
            freed: silent.len() as u64 / 8,
        })?;
        silent.grow(bits);
    }
    silent.insert(id.index());
    Ok(())
}

/// A shortest `tau` loop through the nearest state that lies on one.
fn look<S: System>(visited: &mut Visited<'_, S>, silent: &FixedBitSet) -> Result<Option<Vec<StateId>>, Halt> {
    let mut graph = Silent { visited, silent };
    let mut tarjan = Tarjan::new();
    let mut nearest: Option<StateId> = None;
    let searched = silent.ones().try_for_each(|root| {
        let emit = |component: &[StateId], looping| {
            if looping {
                nearest = nearest.into_iter().chain(component.iter().copied()).min();
            }
        };
        tarjan.search(&mut graph, StateId(root as u32), emit).map(drop)
    });
    tarjan.release(graph.budget());
    searched?;
    match nearest {
        None => Ok(None),
        Some(state) => shortest_loop(&mut graph, state).map(Some),
    }
}

/// The states of a shortest loop from this state, which lies on one, by breadth-first search.
fn shortest_loop<G: Graph>(graph: &mut G, start: StateId) -> Result<Vec<StateId>, Halt> {
    let mut parents = Column::new();
    let mut queue = vec![];
    let mut successors = vec![];
    graph.budget().reserve(&mut queue, 1)?;
    queue.push(start);
    let mut next = 0;
    loop {
        let from = queue[next];
        next += 1;
        successors.clear();
        graph.successors(from, &mut successors)?;
        for &to in &successors {
            if to == start {
                let mut cycle = vec![from];
                while let Some(&last) = cycle.last()
                    && last != start
                {
                    cycle.push(StateId(parents.at(last.index())));
                }
                cycle.reverse();
                parents.release(graph.budget());
                graph.budget().release_vec(&queue);
                graph.budget().release_vec(&successors);
                return Ok(cycle);
            }
            parents.extend_to(graph.budget(), to.index() + 1, NOT_MET)?;
            if parents.at(to.index()) == NOT_MET {
                parents.set(to.index(), from.0);
                graph.budget().reserve(&mut queue, 1)?;
                queue.push(to);
            }
        }
    }
}

/// The `tau` steps between noted states. States without a `tau` step lie on no loop and are left out.
struct Silent<'b, 'a, S: System> {
    visited: &'b mut Visited<'a, S>,
    silent: &'b FixedBitSet,
}

impl<S: System> Graph for Silent<'_, '_, S> {
    fn successors(&mut self, state: StateId, out: &mut Vec<StateId>) -> Result<(), Halt> {
        self.visited.step(state)?;
        self.visited
            .budget
            .reserve(out, self.visited.window.now.steps.len())?;
        let table = &self.visited.table;
        out.extend(
            self.visited
                .window
                .now
                .steps
                .iter()
                .filter(|(label, _)| label.event == EventId::TAU)
                .filter_map(|(_, target)| table.find(target))
                .filter(|id| self.silent.contains(id.index())),
        );
        Ok(())
    }

    fn budget(&mut self) -> &mut Budget {
        &mut self.visited.budget
    }
}
