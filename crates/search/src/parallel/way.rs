//! The way to a fair part, through what the workers have explored.
//!
//! Workers keep no parents: which of them met a node first is a matter of chance. But all steps are kept, so a breadth-first search through the product over these gives
//! a shortest way inside what was visited, without a step being computed again.
//!
//! Time: the part of the product nearer to the start than the goal. Memory: 4 bytes a node of that product, for a moment.

use super::graph::World;
use fairhold_logic::{Automaton, StateIndex};
use fairhold_store::StateId;
use fairhold_system::{System, Word};
use rustc_hash::FxHashSet;
use std::collections::VecDeque;

/// A node as a way tells of it: the words of its state, and the automaton's state.
pub(super) type Told = (Vec<Word>, StateIndex);

/// No way to the node is known yet; the node is initial.
const UNSEEN: u32 = u32::MAX;
const INITIAL: u32 = u32::MAX - 1;

/// The nodes on a shortest way from an initial state into a set of nodes, through what is explored. None if there is no way, or there are more nodes than have numbers.
pub(super) fn way<S: System>(
    world: &World<'_, S>,
    initial: &[StateId],
    automaton: &Automaton,
    goals: &FxHashSet<(StateId, StateIndex)>,
) -> Option<Vec<Told>> {
    let width = automaton.states.len();
    let all = world
        .table
        .bound()
        .checked_mul(width)
        .filter(|&all| all < INITIAL as usize)?;
    let node = |state: StateId, q: StateIndex| state.index() * width + q.index();
    let parts = |node: usize| (StateId((node / width) as u32), StateIndex((node % width) as u32));
    let mut from = vec![UNSEEN; all];
    let mut queue = VecDeque::new();
    for &state in initial {
        let letter = world.letter(world.letter_when_met(state));
        for &q in &automaton.initial {
            for edge in automaton.successors(q, letter) {
                let first = node(state, edge.target);
                if from[first] == UNSEEN {
                    from[first] = INITIAL;
                    queue.push_back(first);
                }
            }
        }
    }
    while let Some(at) = queue.pop_front() {
        let (state, q) = parts(at);
        if goals.contains(&(state, q)) {
            return Some(told(world, &from, at, &parts));
        }
        let Some(span) = world.span(state) else { continue };
        if span.is_empty() {
            continue;
        }
        for step in world.steps(span) {
            for edge in automaton.successors(q, world.letter(step.letter)) {
                let next = node(step.target, edge.target);
                if from[next] == UNSEEN {
                    from[next] = at as u32;
                    queue.push_back(next);
                }
            }
        }
    }
    None
}

/// The nodes on the way to one, first to last.
fn told<S: System>(
    world: &World<'_, S>,
    from: &[u32],
    end: usize,
    parts: &dyn Fn(usize) -> (StateId, StateIndex),
) -> Vec<Told> {
    let mut nodes = vec![end];
    let mut at = end;
    while from[at] != INITIAL {
        at = from[at] as usize;
        nodes.push(at);
    }
    let tell = |&node: &usize| {
        let (state, q) = parts(node);
        (world.table.get(state), q)
    };
    nodes.iter().rev().map(tell).collect()
}
