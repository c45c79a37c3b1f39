//! Automata over infinite words, with marks on transitions.
//!
//! An [`Automaton`] reads a word of valuations of its atoms (one bit each). A run is accepting if the marks it meets
//! infinitely often satisfy the [`Acceptance`]. Marks sit on transitions because a condition on states can be pushed to the
//! transitions that leave them at no cost, while the other way round can multiply the states [Couvreur-FM'99].
//!
//! Invariants: 1. targets and initial states are below the number of states; 2. marks on edges are below `marks`, and so are
//! those of the acceptance; 3. no guard is false; 4. at most [`MAX_ATOMS`] atoms and [`MAX_MARKS`] marks.

use crate::acceptance::{Acceptance, MarkId};
use crate::components::components;
use crate::guard::{Guard, MAX_ATOMS};
use crate::trim::{edges, successors};
use std::fmt;

/// The most marks an automaton can have.
pub const MAX_MARKS: u32 = 64;

/// A state of an automaton, by its number from 0.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct StateIndex(pub u32);

impl StateIndex {
    /// As an index into [`Automaton::states`].
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A set of marks, one bit each.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct MarkSet(pub u64);

impl MarkSet {
    /// No mark.
    pub const EMPTY: MarkSet = MarkSet(0);

    /// The marks below `marks`.
    pub fn all(marks: u32) -> MarkSet {
        debug_assert!(marks <= MAX_MARKS, "invariant 4");
        MarkSet(if marks == 0 { 0 } else { u64::MAX >> (64 - marks) })
    }

    /// Whether the mark is in the set.
    #[inline]
    pub fn contains(self, mark: MarkId) -> bool {
        self.0 >> mark.0 & 1 == 1
    }

    /// Adds a mark.
    pub fn insert(&mut self, mark: MarkId) {
        self.0 |= 1 << mark.0;
    }

    /// The marks in either.
    #[must_use]
    pub fn union(self, other: MarkSet) -> MarkSet {
        MarkSet(self.0 | other.0)
    }

    /// The marks in both.
    #[must_use]
    pub fn intersection(self, other: MarkSet) -> MarkSet {
        MarkSet(self.0 & other.0)
    }

    /// The marks that are not in `other`.
    #[must_use]
    pub fn difference(self, other: MarkSet) -> MarkSet {
        MarkSet(self.0 & !other.0)
    }

    /// Whether every mark of this set is in `other`.
    pub fn is_subset(self, other: MarkSet) -> bool {
        self.0 & !other.0 == 0
    }

    /// Whether there are no marks.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The marks, ascending.
    pub fn iter(self) -> impl Iterator<Item = MarkId> {
        (0..MAX_MARKS).map(MarkId).filter(move |m| self.contains(*m))
    }
}

impl FromIterator<MarkId> for MarkSet {
    fn from_iter<I: IntoIterator<Item = MarkId>>(marks: I) -> MarkSet {
        let mut set = MarkSet::EMPTY;
        marks.into_iter().for_each(|m| set.insert(m));
        set
    }
}

/// A transition.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Edge {
    /// The letters it can read.
    pub guard: Guard,
    /// The marks on it.
    pub marks: MarkSet,
    /// Where it leads.
    pub target: StateIndex,
}

/// A state: its transitions.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct State {
    /// The transitions that leave it.
    pub edges: Vec<Edge>,
}

/// An automaton over infinite words of valuations.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Automaton {
    /// The names of the atoms; bit `i` of a letter is atom `i`.
    pub atoms: Vec<String>,
    /// The states.
    pub states: Vec<State>,
    /// Where runs start. None: the automaton accepts nothing.
    pub initial: Vec<StateIndex>,
    /// Which runs are accepting.
    pub acceptance: Acceptance,
    /// How many marks there are.
    pub marks: u32,
}

impl Automaton {
    /// An automaton without states: it accepts nothing.
    pub fn empty(atoms: Vec<String>) -> Automaton {
        Automaton {
            atoms,
            states: Vec::new(),
            initial: Vec::new(),
            acceptance: Acceptance::True,
            marks: 0,
        }
    }

    /// The edges that leave a state.
    #[inline]
    pub fn edges(&self, state: StateIndex) -> &[Edge] {
        &self.states[state.index()].edges
    }

    /// The edges that leave a state and can read the letter.
    #[inline]
    pub fn successors(&self, state: StateIndex, letter: u64) -> impl Iterator<Item = &Edge> {
        self.edges(state).iter().filter(move |e| e.guard.holds(letter))
    }

    /// By state: whether it is only passed through. The marks in its component tell that no run that stays there is accepting.
    pub fn passing(&self) -> Vec<bool> {
        let of = components(&successors(self, |_| true));
        let count = of.iter().max().map_or(0, |&c| c + 1);
        let mut marks: Vec<Option<MarkSet>> = vec![None; count];
        for (from, edge) in edges(self) {
            if of[from] == of[edge.target.index()] {
                let inside = &mut marks[of[from]];
                *inside = Some(inside.unwrap_or_default().union(edge.marks));
            }
        }
        let hopeless = |inside: &Option<MarkSet>| {
            inside.is_none_or(|marks| {
                let met = |m| {
                    if marks.contains(m) {
                        Acceptance::True
                    } else {
                        Acceptance::False
                    }
                };
                self.acceptance.map(&met, &|_| Acceptance::True) == Acceptance::False
            })
        };
        let hopeless: Vec<bool> = marks.iter().map(hopeless).collect();
        of.into_iter().map(|component| hopeless[component]).collect()
    }

    /// All states by number.
    pub fn indices(&self) -> impl Iterator<Item = StateIndex> + use<> {
        (0..self.states.len() as u32).map(StateIndex)
    }

    /// How many edges there are.
    pub fn edge_count(&self) -> usize {
        self.states.iter().map(|s| s.edges.len()).sum()
    }

    /// Whether a run accepts that meets exactly these marks infinitely often.
    #[inline]
    pub fn accepts(&self, seen: MarkSet) -> bool {
        self.acceptance.accepts(&|m| seen.contains(m))
    }

    /// The same automaton over letters in which bit `place(i)` is atom `i`. The list of names stays.
    #[must_use]
    pub fn renumbered(&self, place: &dyn Fn(u32) -> u32) -> Automaton {
        let mut automaton = self.clone();
        for state in &mut automaton.states {
            for edge in &mut state.edges {
                edge.guard = edge.guard.renumbered(place);
            }
            state.edges.retain(|edge| !edge.guard.is_false());
        }
        automaton
    }

    /// Whether no letter can be read in two ways, and there is at most one initial state.
    pub fn is_deterministic(&self) -> bool {
        let one_way = |s: &State| {
            let mut rest = s.edges.as_slice();
            std::iter::from_fn(|| rest.split_off_first().map(|e| (e, rest)))
                .all(|(e, rest)| rest.iter().all(|f| !e.guard.meets(&f.guard)))
        };
        self.initial.len() <= 1 && self.states.iter().all(one_way)
    }

    /// Whether every state can read every letter.
    pub fn is_complete(&self) -> bool {
        let all = |s: &State| {
            s.edges
                .iter()
                .fold(Guard::falsum(), |g, e| g.or(&e.guard))
                .is_true()
        };
        !self.initial.is_empty() && self.states.iter().all(all)
    }

    /// Whether the invariants hold; for assertions.
    pub fn is_well_formed(&self) -> bool {
        let states = self.states.len() as u32;
        let good = |e: &Edge| {
            e.target.0 < states && e.marks.is_subset(MarkSet::all(self.marks)) && !e.guard.is_false()
        };
        self.marks <= MAX_MARKS
            && self.atoms.len() <= MAX_ATOMS
            && self.acceptance.marks() <= self.marks
            && self.initial.iter().all(|s| s.0 < states)
            && self.states.iter().flat_map(|s| &s.edges).all(good)
    }
}

/// An automaton that would be too large to make.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum TooLarge {
    /// More than [`MAX_ATOMS`] atoms: so many.
    Atoms(usize),
    /// More than [`MAX_MARKS`] marks: so many.
    Marks(usize),
    /// More than this many states or transitions.
    Size(usize),
}

impl fmt::Display for TooLarge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TooLarge::Atoms(n) => write!(f, "{n} different atoms, at most {MAX_ATOMS} are possible"),
            TooLarge::Marks(n) => write!(
                f,
                "{n} different eventualities or acceptance sets, at most {MAX_MARKS} are possible"
            ),
            TooLarge::Size(n) => write!(f, "the automaton would have more than {n} states or transitions"),
        }
    }
}

impl std::error::Error for TooLarge {}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::guard::Cube;

    fn edge(atom: u32, sign: bool, target: u32) -> Edge {
        Edge {
            guard: Cube::literal(atom, sign).into(),
            marks: MarkSet::EMPTY,
            target: StateIndex(target),
        }
    }

    fn one_state(edges: Vec<Edge>) -> Automaton {
        Automaton {
            states: vec![State { edges }],
            initial: vec![StateIndex(0)],
            ..Automaton::empty(vec!["a".to_owned(), "b".to_owned()])
        }
    }

    #[test]
    fn deterministic_and_complete() {
        let both = one_state(vec![edge(0, true, 0), edge(0, false, 0)]);
        assert!(both.is_deterministic() && both.is_complete() && both.is_well_formed());
        let overlap = one_state(vec![edge(0, true, 0), edge(1, true, 0)]);
        assert!(!overlap.is_deterministic() && !overlap.is_complete());
        assert!(!one_state(vec![edge(0, true, 1)]).is_well_formed());
    }

    #[test]
    fn mark_sets() {
        let set: MarkSet = [MarkId(0), MarkId(5)].into_iter().collect();
        assert!(set.is_subset(MarkSet::all(6)) && !set.is_subset(MarkSet::all(5)));
        assert_eq!(set.iter().collect::<Vec<_>>(), [MarkId(0), MarkId(5)]);
        assert_eq!(MarkSet::all(64).0, u64::MAX);
        assert_eq!(MarkSet::all(0), MarkSet::EMPTY);
    }
}
