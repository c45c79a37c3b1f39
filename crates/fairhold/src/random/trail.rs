//! Where a walk has been.
//!
//! Invariants: 1. there is one visit more than there are labels; 2. the numbers of states are below [`Trail::count`];
//! 3. `last[s]` is the last position at which state `s` was visited, `first[s]` the first.

use fairhold_system::{Label, Path, Word};
use std::collections::{HashMap, VecDeque};
use std::rc::Rc;

/// The states and labels of a walk, by position; position 0 is its start.
#[derive(Default)]
pub(super) struct Trail {
    /// The distinct states, by number.
    states: Vec<Rc<[Word]>>,
    numbers: HashMap<Rc<[Word]>, u32>,
    first: Vec<usize>,
    last: Vec<usize>,
    /// By position: the number of the state there.
    visits: Vec<u32>,
    labels: Vec<Label>,
}

impl Trail {
    /// Begins anew in this state.
    pub(super) fn start(&mut self, state: &[Word]) {
        *self = Trail::default();
        self.visit(state);
    }

    /// Takes a step. Returns the last position at which the walk was in its target before.
    pub(super) fn go(&mut self, label: Label, target: &[Word]) -> Option<usize> {
        self.labels.push(label);
        self.visit(target)
    }

    fn visit(&mut self, state: &[Word]) -> Option<usize> {
        let at = self.visits.len();
        debug_assert_eq!(at, self.labels.len(), "invariant 1");
        if let Some(&number) = self.numbers.get(state) {
            self.visits.push(number);
            return Some(std::mem::replace(&mut self.last[number as usize], at));
        }
        let number = self.states.len() as u32;
        let state: Rc<[Word]> = state.into();
        self.states.push(Rc::clone(&state));
        self.numbers.insert(state, number);
        self.first.push(at);
        self.last.push(at);
        self.visits.push(number);
        None
    }

    /// The position of the walk: how many steps it has taken.
    pub(super) fn end(&self) -> usize {
        self.labels.len()
    }

    /// How many distinct states it has visited.
    pub(super) fn count(&self) -> usize {
        self.states.len()
    }

    /// The number of the state at a position.
    pub(super) fn number(&self, at: usize) -> u32 {
        self.visits[at]
    }

    /// The numbers of the states by position.
    pub(super) fn numbers(&self) -> &[u32] {
        &self.visits
    }

    pub(super) fn label(&self, step: usize) -> Label {
        self.labels[step]
    }

    /// The positions of the two visits to one state that are farthest apart, but not farther than `most`; none if
    /// no state was visited twice.
    pub(super) fn widest(&self, most: usize) -> Option<(usize, usize)> {
        let pairs = self.first.iter().zip(&self.last).map(|(&from, &to)| (from, to));
        let wide = pairs.filter(|(from, to)| from < to && to - from <= most);
        // Of several, the one that was closed first.
        wide.max_by_key(|&(from, to)| (to - from, std::cmp::Reverse(to)))
    }

    /// About how many bytes it holds.
    pub(super) fn bytes(&self) -> u64 {
        let state = self.states.first().map_or(0, |state| size_of_val(&**state));
        (self.states.len() * (state + 80) + self.visits.len() * 16) as u64
    }

    /// The path along these steps, given by their positions, from the start.
    pub(super) fn path(&self, steps: impl IntoIterator<Item = usize>) -> Path {
        self.path_from(0, steps)
    }

    /// The steps between two positions with the same state, as a loop.
    pub(super) fn cycle(&self, from: usize, to: usize) -> Path {
        Path {
            loop_from: Some(0),
            ..self.path_from(from, from..to)
        }
    }

    fn path_from(&self, start: usize, steps: impl IntoIterator<Item = usize>) -> Path {
        let state = |at: usize| self.states[self.visits[at] as usize].to_vec();
        let mut path = Path {
            states: vec![state(start)],
            labels: Vec::new(),
            loop_from: None,
        };
        for step in steps {
            path.labels.push(self.labels[step]);
            path.states.push(state(step + 1));
        }
        path
    }
}

/// The steps, by position, of a shortest way from the start of a walk to the node where it stands at `end`, among
/// those that the walk has taken before. `nodes` says which node each position is at.
pub(super) fn shortest(nodes: &[u32], end: usize) -> Vec<usize> {
    let nodes = &nodes[..=end];
    let count = nodes.iter().max().map_or(0, |&n| n as usize + 1);
    let mut leaving: Vec<Vec<usize>> = vec![Vec::new(); count];
    for (step, &node) in nodes[..end].iter().enumerate() {
        leaving[node as usize].push(step);
    }
    let mut by: Vec<Option<usize>> = vec![None; count];
    let (start, goal) = (nodes[0], nodes[end]);
    let mut queue = VecDeque::from([start]);
    while let Some(node) = queue.pop_front() {
        if node == goal {
            break;
        }
        for &step in &leaving[node as usize] {
            let next = nodes[step + 1];
            if next != start && by[next as usize].is_none() {
                by[next as usize] = Some(step);
                queue.push_back(next);
            }
        }
    }
    let mut steps = Vec::new();
    let mut node = goal;
    while node != start {
        let step = by[node as usize].expect("a walk that stands at a node has gone there");
        steps.push(step);
        node = nodes[step];
    }
    steps.reverse();
    steps
}

#[cfg(test)]
mod tests {
    use super::*;
    use fairhold_system::{EventId, ProcessesId};

    fn walked(states: &[Word]) -> Trail {
        let mut trail = Trail::default();
        trail.start(&states[..1]);
        for (event, state) in (0..).zip(&states[1..]) {
            let label = Label {
                event: EventId(event),
                processes: ProcessesId::NONE,
            };
            trail.go(label, std::slice::from_ref(state));
        }
        trail
    }

    #[test]
    fn a_way_leaves_detours_out() {
        let trail = walked(&[7, 8, 9, 8, 7, 9, 5]);
        let steps = shortest(trail.numbers(), trail.end());
        assert_eq!(steps, [4, 5]);
        let path = trail.path(steps);
        assert_eq!(path.states, [vec![7], vec![9], vec![5]]);
        assert_eq!(shortest(trail.numbers(), 4), [0; 0]);
    }

    #[test]
    fn the_widest_loop_is_found() {
        let trail = walked(&[1, 2, 3, 2, 4, 2, 1, 5]);
        assert_eq!(trail.widest(100), Some((0, 6)));
        assert_eq!(trail.widest(5), Some((1, 5)));
        assert_eq!(trail.widest(3), None);
        assert_eq!(trail.count(), 5);
    }
}
