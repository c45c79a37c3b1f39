//! Strongly connected components, by Tarjan's algorithm [Tarjan-SICOMP'72] without recursion.
//!
//! Works on any [`Graph`], which may be explored before or come into being on the way: state ids only have to be
//! dense. Used on the explored graph to count components, on its `tau` steps to find divergence, and as the
//! depth-first order of exploration.
//!
//! Components come out in reverse topological order: a component comes after all that can be reached from it.
//!
//! Time: linear in states and steps; successors are asked for once a state. Memory: 4 bytes a state, 4 bytes a state in an
//! open component, 16 bytes a state on the path, and 4 bytes a step that leads away from the path and was not taken yet.
//!
//! Differs from the paper: lowlinks live in the frames, not in the states, since only states on the path need
//! one; a finished state is marked in its order, which replaces the test whether a state is on the stack; steps to states met before are dealt
//! with when a state is entered, all at once, so that the memory they ask for comes together.
//!
//! Invariants:
//! 1. `order` is 0 for a state not met, [`DONE`] for a state of a finished component, else the number of the state in
//!    order of meeting, from 1;
//! 2. `open` holds the states of unfinished components by ascending order;
//! 3. the successors of the frame on top that were not met when it was entered, and were not taken since, are what `pending` has
//!    above its `base`.

use crate::budget::Budget;
use crate::column::Column;
use crate::visited::Halt;
use fairhold_store::{StateId, prefetch};
use fairhold_system::StopReason;

const DONE: u32 = u32::MAX;

/// A graph whose states have dense ids.
pub(crate) trait Graph {
    /// Appends the successors of a state, each at least once, booking the room they take.
    fn successors(&mut self, state: StateId, out: &mut Vec<StateId>) -> Result<(), Halt>;

    /// Who counts the bytes.
    fn budget(&mut self) -> &mut Budget;
}

/// Who is told what a search finds. A closure on members and looping is told of components only.
pub(crate) trait Visitor<G> {
    /// A component is complete: its states, and whether it has a loop. True ends the search.
    fn component(&mut self, graph: &mut G, members: &[StateId], looping: bool) -> Result<bool, Halt>;

    /// The component that was just told of is terminal: no step leads out of it.
    fn terminal(&mut self, _graph: &mut G, _members: &[StateId]) -> Result<(), Halt> {
        Ok(())
    }

    /// A state is about to be expanded. True ends the search.
    #[inline]
    fn entering(&mut self, _graph: &mut G) -> Result<bool, Halt> {
        Ok(false)
    }

    /// Whether to be told of a step back to one of so many open states.
    fn wants_closing(&self, _graph: &G, _open: usize) -> bool {
        false
    }

    /// A step leads back to the first of these open states, from the last; all of them are in one component. True ends the search.
    fn closing(&mut self, _graph: &mut G, _open: &[StateId]) -> Result<bool, Halt> {
        Ok(false)
    }
}

impl<G, F: FnMut(&[StateId], bool)> Visitor<G> for F {
    fn component(&mut self, _: &mut G, members: &[StateId], looping: bool) -> Result<bool, Halt> {
        self(members, looping);
        Ok(false)
    }
}

/// A state on the path.
struct Frame {
    state: StateId,
    /// The least order known to be reachable within the open components.
    low: u32,
    /// Where its successors start in `pending`.
    base: u32,
    /// Whether it has a step to itself.
    selfloop: bool,
    /// Whether a step is known to lead out of its component.
    leaves: bool,
}

/// A depth-first search for components, over one graph.
pub(crate) struct Tarjan {
    order: Column<u32>,
    open: Vec<StateId>,
    frames: Vec<Frame>,
    pending: Vec<StateId>,
    met: u32,
    /// Components finished.
    pub(crate) components: u64,
    /// Steps on the longest path so far.
    pub(crate) depth: u64,
}

impl Tarjan {
    pub(crate) fn new() -> Tarjan {
        Tarjan {
            order: Column::new(),
            open: Vec::new(),
            frames: Vec::new(),
            pending: Vec::new(),
            met: 0,
            components: 0,
            depth: 0,
        }
    }

    /// Searches everything reachable from `root` that was not searched before. True if the visitor ended it.
    pub(crate) fn search<G: Graph>(
        &mut self,
        graph: &mut G,
        root: StateId,
        mut visitor: impl Visitor<G>,
    ) -> Result<bool, Halt> {
        if self.order_of(graph.budget(), root)? != 0 {
            return Ok(false);
        }
        if self.enter(graph, root, &mut visitor)? {
            return Ok(true);
        }
        while let Some(top) = self.frames.last() {
            let stop = if self.pending.len() > top.base as usize {
                let next = self.pending.pop().expect("longer than the base");
                // If it was met in the meantime, then below this state: that has told all there is to know.
                self.order.at(next.index()) == 0 && self.enter(graph, next, &mut visitor)?
            } else {
                self.leave(graph, &mut visitor)?
            };
            if stop {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Where the state with this order is in `open`.
    fn place_of(&self, order: u32) -> usize {
        self.open
            .partition_point(|state| self.order.at(state.index()) < order)
    }

    /// The states on the path, first to last: after a halt, the way to where it happened.
    pub(crate) fn trail(&self) -> Vec<StateId> {
        self.frames.iter().map(|frame| frame.state).collect()
    }

    /// Bytes kept for each state.
    pub(crate) fn order_bytes(&self) -> u64 {
        self.order.bytes()
    }

    /// Ends the search and gives its memory back.
    pub(crate) fn release(self, budget: &mut Budget) {
        self.order.release(budget);
        budget.release_vec(&self.open);
        budget.release_vec(&self.frames);
        budget.release_vec(&self.pending);
    }

    #[inline]
    fn order_of(&mut self, budget: &mut Budget, state: StateId) -> Result<u32, Halt> {
        self.order.extend_to(budget, state.index() + 1, 0)?;
        Ok(self.order.at(state.index()))
    }

    /// Puts a state on the path. True if the visitor ends the search.
    fn enter<G: Graph>(
        &mut self,
        graph: &mut G,
        state: StateId,
        visitor: &mut impl Visitor<G>,
    ) -> Result<bool, Halt> {
        let budget = graph.budget();
        budget.reserve(&mut self.frames, 1)?;
        budget.reserve(&mut self.open, 1)?;
        self.met += 1;
        debug_assert!(self.met < DONE, "invariant 1");
        self.order.set(state.index(), self.met);
        self.open.push(state);
        let base = self.pending.len();
        self.frames.push(Frame {
            state,
            low: self.met,
            // More is beyond what memory can be addressed here.
            base: u32::try_from(base).map_err(|_| Halt::Stop(StopReason::Memory))?,
            selfloop: false,
            leaves: false,
        });
        self.depth = self.depth.max(self.frames.len() as u64 - 1);
        if visitor.entering(graph)? {
            return Ok(true);
        }
        graph.successors(state, &mut self.pending)?;
        for next in &self.pending[base..] {
            self.order.get(next.index()).map(prefetch);
        }
        let (mut low, mut selfloop, mut leaves, mut kept) = (self.met, false, false, base);
        for i in base..self.pending.len() {
            let next = self.pending[i];
            match self.order_of(graph.budget(), next)? {
                0 => {
                    self.pending[kept] = next;
                    kept += 1;
                }
                DONE => leaves = true,
                order => {
                    selfloop |= next == state;
                    low = low.min(order);
                }
            }
        }
        self.pending.truncate(kept);
        // They are taken from the end, and should be taken in the order given.
        self.pending[base..].reverse();
        let top = self.frames.last_mut().expect("just pushed");
        (top.low, top.selfloop, top.leaves) = (low, selfloop, leaves);
        if (selfloop || low < self.met) && visitor.wants_closing(graph, self.open.len()) {
            let first = self.place_of(low);
            return visitor.closing(graph, &self.open[first..]);
        }
        Ok(false)
    }

    fn leave<G: Graph>(&mut self, graph: &mut G, visitor: &mut impl Visitor<G>) -> Result<bool, Halt> {
        let frame = self.frames.pop().expect("there is a state to leave");
        debug_assert_eq!(self.pending.len(), frame.base as usize, "invariant 3");
        if frame.low < self.order.at(frame.state.index()) {
            let top = self.frames.last_mut();
            let top = top.expect("a state below which a component begins is not the first");
            top.low = top.low.min(frame.low);
            top.leaves |= frame.leaves;
            return Ok(false);
        }
        // Most components are single states.
        let root = match self.open.last() {
            Some(&last) if last == frame.state => self.open.len() - 1,
            _ => self.place_of(self.order.at(frame.state.index())),
        };
        debug_assert_eq!(self.open[root], frame.state, "invariant 2");
        let component = &self.open[root..];
        for &state in component {
            self.order.set(state.index(), DONE);
        }
        let stop = visitor.component(graph, component, component.len() > 1 || frame.selfloop)?;
        if !frame.leaves {
            visitor.terminal(graph, component)?;
        }
        if let Some(top) = self.frames.last_mut() {
            top.leaves = true;
        }
        self.open.truncate(root);
        self.components += 1;
        Ok(stop)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use petgraph::algo::tarjan_scc;
    use petgraph::graph::DiGraph;

    struct Lists {
        successors: Vec<Vec<u32>>,
        budget: Budget,
    }

    impl Graph for Lists {
        fn successors(&mut self, state: StateId, out: &mut Vec<StateId>) -> Result<(), Halt> {
            let successors = &self.successors[state.index()];
            self.budget.reserve(out, successors.len())?;
            out.extend(successors.iter().map(|&to| StateId(to)));
            Ok(())
        }

        fn budget(&mut self) -> &mut Budget {
            &mut self.budget
        }
    }

    /// All components, each sorted, with whether it has a loop.
    fn components(successors: &[Vec<u32>], limit: Option<u64>) -> Option<Vec<(Vec<u32>, bool)>> {
        let mut graph = Lists {
            successors: successors.to_vec(),
            budget: Budget::new(limit),
        };
        let mut tarjan = Tarjan::new();
        let mut found = Vec::new();
        for root in 0..successors.len() as u32 {
            let emit = |component: &[StateId], looping| {
                let mut states: Vec<u32> = component.iter().map(|id| id.0).collect();
                states.sort_unstable();
                found.push((states, looping));
            };
            tarjan.search(&mut graph, StateId(root), emit).ok()?;
        }
        assert_eq!(tarjan.components, found.len() as u64);
        assert!(tarjan.trail().is_empty());
        tarjan.release(&mut graph.budget);
        assert_eq!(graph.budget.held(), 0);
        Some(found)
    }

    fn oracle(successors: &[Vec<u32>]) -> Vec<(Vec<u32>, bool)> {
        let mut graph = DiGraph::<(), ()>::new();
        let nodes: Vec<_> = successors.iter().map(|_| graph.add_node(())).collect();
        for (from, list) in successors.iter().enumerate() {
            for &to in list {
                graph.add_edge(nodes[from], nodes[to as usize], ());
            }
        }
        let mut all: Vec<_> = tarjan_scc(&graph)
            .into_iter()
            .map(|component| {
                let mut states: Vec<u32> = component.iter().map(|n| n.index() as u32).collect();
                states.sort_unstable();
                let looping = states.len() > 1 || successors[states[0] as usize].contains(&states[0]);
                (states, looping)
            })
            .collect();
        all.sort();
        all
    }

    #[test]
    fn hand_drawn() {
        let two_loops_in_a_row = [vec![1], vec![0, 2], vec![3], vec![2]];
        assert_eq!(
            components(&two_loops_in_a_row, None),
            Some(vec![(vec![2, 3], true), (vec![0, 1], true)])
        );
        let line_with_a_selfloop = [vec![1], vec![1, 2], vec![]];
        assert_eq!(
            components(&line_with_a_selfloop, None),
            Some(vec![(vec![2], false), (vec![1], true), (vec![0], false)])
        );
        // 4 reaches into the closed part; 1 and 3 close loops of different length through 0.
        let nested = [vec![1], vec![2, 0], vec![3], vec![0], vec![2, 4]];
        assert_eq!(
            components(&nested, None),
            Some(vec![(vec![0, 1, 2, 3], true), (vec![4], true)])
        );
    }

    #[test]
    fn random_graphs_agree_with_petgraph() {
        let mut x = 0x1234_5678_9abc_def1_u64;
        let mut next = move |bound: u64| {
            x ^= x << 13;
            x ^= x >> 7;
            x ^= x << 17;
            (x >> 20) % bound
        };
        let (mut graphs, mut big, mut total, mut refused, mut noticed) = (0, 0, 0, 0, 0);
        for _ in 0..5_000 {
            let states = 1 + next(30);
            let steps = next(3 * states);
            let mut successors = vec![Vec::new(); states as usize];
            for _ in 0..steps {
                successors[next(states) as usize].push(next(states) as u32);
            }
            let mut found = components(&successors, None).expect("there is no limit");
            // Reverse topological: no step leads to a later component.
            let place = |state: u32| found.iter().position(|(c, _)| c.contains(&state));
            for (from, list) in successors.iter().enumerate() {
                assert!(list.iter().all(|&to| place(to) <= place(from as u32)));
            }
            found.sort();
            assert_eq!(found, oracle(&successors), "{successors:?}");
            // The comparison can fail: without one of the steps, the oracle often disagrees.
            let mut fewer = successors.clone();
            fewer[next(states) as usize].pop();
            noticed += usize::from(found != oracle(&fewer));
            graphs += 1;
            total += found.len();
            big += usize::from(found.iter().any(|(c, _)| c.len() > 3));
            refused += usize::from(components(&successors, Some(next(2_000))).is_none());
        }
        println!(
            "{graphs} graphs, {total} components, {big} graphs with one of more than 3 states, \
             {refused} refused under a small limit, {noticed} changed by one step less"
        );
        assert!(noticed > 500 && big > 500 && refused > 500 && refused < graphs);
    }
}
