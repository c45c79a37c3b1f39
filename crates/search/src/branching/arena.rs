//! Where fair loops are looked for: the explored graph, with or without a constraint.
//!
//! Without a constraint every loop is fair, and the graph is all there is to know. With one, the steps carry the marks of its formula: the product with an automaton that
//! accepts everything has them, and lets [`Fair`] decide. Its nodes are made in the order of the states, so a node and its state have the same number.
//!
//! A condition that is a disjunction is met by a loop that meets one of its operands, so these are tried one after the other. ([`Fair`] alone would look for
//! the others again in every part that it cuts out for one of them.)

use super::structure::Watched;
use super::walk::Walk;
use crate::budget::Budget;
use crate::expanded::Expanded;
use crate::fair::{Fair, FairPart};
use crate::fairness::Fairness;
use crate::lasso;
use crate::product::Product;
use crate::tarjan::{Graph, Tarjan, Visitor};
use crate::visited::Halt;
use fairhold_logic::{Acceptance, Automaton, Edge, Guard, MarkSet, State, StateIndex};
use fairhold_store::StateId;
use fairhold_system::{Path, System};
use fixedbitset::FixedBitSet;

/// A graph and a constraint.
pub(super) trait Arena<'a> {
    /// The system explored.
    type System: System + 'a;

    /// What was explored of it: everything.
    fn graph(&self) -> &Expanded<'a, Self::System>;

    /// Who counts the bytes.
    fn budget(&mut self) -> &mut Budget;

    /// The constraint; none if every loop is fair.
    fn constraint(&self) -> Option<&Fairness>;

    /// A fair part of a component of some restriction of the graph, which has a loop.
    fn fair_part(&mut self, component: &[StateId]) -> Result<Option<FairPart>, Halt>;

    /// A fair loop in a part from one of its states back to it.
    fn cycle(&mut self, part: &FairPart, entry: StateId) -> Path;
}

/// Every loop is fair.
pub(super) struct Plain<'g, 'a, S: System> {
    pub(super) graph: &'g mut Expanded<'a, S>,
}

impl<'a, S: System> Arena<'a> for Plain<'_, 'a, S> {
    type System = S;

    fn graph(&self) -> &Expanded<'a, S> {
        self.graph
    }

    fn budget(&mut self) -> &mut Budget {
        &mut self.graph.visited.budget
    }

    fn constraint(&self) -> Option<&Fairness> {
        None
    }

    fn fair_part(&mut self, component: &[StateId]) -> Result<Option<FairPart>, Halt> {
        Ok(Some(FairPart {
            nodes: component.to_vec(),
            banned: MarkSet::EMPTY,
            wanted: Vec::new(),
        }))
    }

    fn cycle(&mut self, part: &FairPart, entry: StateId) -> Path {
        let mut inside = FixedBitSet::with_capacity(self.graph.visited.table.len());
        part.nodes.iter().for_each(|s| inside.insert(s.index()));
        let walk = Walk::back(self.graph, entry, &inside)
            .expect("a component with a loop has one through each state");
        let mut path = walk.path(self.graph);
        path.loop_from = Some(0);
        path
    }
}

/// So many states before its moves are made, the memory for a state is asked for.
const AHEAD: usize = 3;

/// A loop is fair if the constraint says so.
pub(super) struct Constrained<'g, 'p, 'a, S: System> {
    product: &'g mut Product<'p, 'a, S>,
    fairness: &'g Fairness,
    /// One for each operand of a disjunction.
    deciders: Vec<Fair<'g>>,
}

impl<'g, 'p, 'a, S: System> Constrained<'g, 'p, 'a, S> {
    /// Makes the moves with the marks of the constraint. The product has been started.
    pub(super) fn new(
        product: &'g mut Product<'p, 'a, S>,
        fairness: &'g Fairness,
    ) -> Result<Constrained<'g, 'p, 'a, S>, Halt> {
        let conditions = match product.constrain(fairness) {
            Acceptance::Or(operands) => operands,
            condition => vec![condition],
        };
        for number in 0..product.graph.len() {
            let node = StateId(number as u32);
            if number + AHEAD < product.graph.len() {
                product.approach(StateId((number + AHEAD) as u32));
            }
            product.expand(node)?;
            debug_assert_eq!(product.state(node), node, "nodes are met in the order of states");
        }
        Ok(Constrained {
            product,
            fairness,
            deciders: conditions
                .into_iter()
                .map(|condition| Fair::new(fairness, condition))
                .collect(),
        })
    }
}

impl<'a, S: System> Arena<'a> for Constrained<'_, '_, 'a, S> {
    type System = S;

    fn graph(&self) -> &Expanded<'a, S> {
        self.product.graph
    }

    fn budget(&mut self) -> &mut Budget {
        &mut self.product.graph.visited.budget
    }

    fn constraint(&self) -> Option<&Fairness> {
        Some(self.fairness)
    }

    fn fair_part(&mut self, component: &[StateId]) -> Result<Option<FairPart>, Halt> {
        // In the order in which they lie in memory.
        let mut component = component.to_vec();
        component.sort_unstable();
        for decider in &mut self.deciders {
            if let Some(part) = decider.find(self.product, &component, true)? {
                return Ok(Some(part));
            }
        }
        Ok(None)
    }

    fn cycle(&mut self, part: &FairPart, entry: StateId) -> Path {
        // A lasso whose way in is empty is a loop.
        let initial = std::mem::replace(&mut self.product.initial, vec![entry]);
        let path = lasso::build(self.product, self.fairness, part).expect("all of the graph is there");
        self.product.initial = initial;
        path
    }
}

/// The automaton that accepts everything.
pub(super) fn accepts_everything() -> Automaton {
    let start = StateIndex(0);
    let edge = Edge {
        guard: Guard::verum(),
        marks: MarkSet::EMPTY,
        target: start,
    };
    Automaton {
        atoms: Vec::new(),
        states: vec![State { edges: vec![edge] }],
        initial: vec![start],
        acceptance: Acceptance::True,
        marks: 0,
    }
}

/// Tells the components that have a loop, of the graph restricted to some states. How many components there are comes back.
pub(super) fn each_loop<'a, A: Arena<'a>>(
    arena: &mut A,
    inside: &FixedBitSet,
    watched: &Watched<'_>,
    told: &mut Told<'_, A>,
) -> Result<u64, Halt> {
    let mut tarjan = Tarjan::new();
    let mut graph = Inside {
        arena,
        states: inside,
        watched,
    };
    let mut visitor = Telling(told);
    for root in inside.ones() {
        tarjan.search(&mut graph, StateId(root as u32), &mut visitor)?;
    }
    let components = tarjan.components;
    tarjan.release(graph.budget());
    Ok(components)
}

/// The graph restricted to some states.
struct Inside<'i, A> {
    arena: &'i mut A,
    states: &'i FixedBitSet,
    watched: &'i Watched<'i>,
}

impl<'a, A: Arena<'a>> Graph for Inside<'_, A> {
    fn successors(&mut self, state: StateId, out: &mut Vec<StateId>) -> Result<(), Halt> {
        self.watched.tick(self.arena.budget())?;
        let count = self.arena.graph().targets(state).len();
        self.arena.budget().reserve(out, count)?;
        let targets = self.arena.graph().targets(state);
        out.extend(targets.filter(|t| self.states.contains(t.index())));
        Ok(())
    }

    fn budget(&mut self) -> &mut Budget {
        self.arena.budget()
    }
}

/// Who is told of a component that has a loop.
type Told<'t, A> = dyn FnMut(&mut A, &[StateId]) -> Result<(), Halt> + 't;

struct Telling<'v, 't, A>(&'v mut Told<'t, A>);

impl<'a, A: Arena<'a>> Visitor<Inside<'_, A>> for &mut Telling<'_, '_, A> {
    fn component(
        &mut self,
        graph: &mut Inside<'_, A>,
        members: &[StateId],
        looping: bool,
    ) -> Result<bool, Halt> {
        if looping {
            (self.0)(graph.arena, members)?;
        }
        Ok(false)
    }
}
