//! What an automaton does on every letter, by heart.

use fairhold_logic::{Automaton, MarkSet, StateIndex};

/// A move of the automaton: the place of the state it enters among those kept, and the marks on it.
pub(super) type AutomatonMove = (u32, MarkSet);

/// The automaton, as one worker reads it. States of it that it may be in with any state of the system are not kept, but for one row of moves.
pub(super) struct Reader<'p> {
    automaton: &'p Automaton,
    /// States that make nodes.
    kept: Vec<StateIndex>,
    /// A state of the automaton in which it may wait for whatever comes.
    waiting: Option<StateIndex>,
    /// The moves on the letters learnt so far, letter by letter; and where they begin, by letter and place, the waiting state last.
    moves: Vec<AutomatonMove>,
    starts: Vec<u32>,
    learnt: usize,
}

impl<'p> Reader<'p> {
    pub(super) fn new(automaton: &'p Automaton, waiting: Option<StateIndex>) -> Reader<'p> {
        Reader {
            automaton,
            kept: automaton.indices().filter(|&q| Some(q) != waiting).collect(),
            waiting,
            moves: Vec::new(),
            starts: vec![0],
            learnt: 0,
        }
    }

    /// Nodes that a state of the system makes.
    pub(super) fn width(&self) -> usize {
        self.kept.len()
    }

    /// The state of the automaton at this place.
    pub(super) fn state(&self, place: usize) -> StateIndex {
        self.kept[place]
    }

    /// Whether it may wait.
    pub(super) fn waits(&self) -> bool {
        self.waiting.is_some()
    }

    fn place(&self, q: StateIndex) -> Option<u32> {
        let place = self.kept.iter().position(|&kept| kept == q);
        place.map(|place| place as u32)
    }

    /// The places it may be at after the first letter.
    pub(super) fn initial(&self, letter: u64) -> impl Iterator<Item = u32> {
        let starts = self.automaton.initial.iter();
        let entered = starts.flat_map(move |&q| self.automaton.successors(q, letter));
        entered.filter_map(|edge| self.place(edge.target))
    }

    /// Learns the moves on letters, all of which are given in order.
    pub(super) fn learn(&mut self, letters: &[u64]) {
        for &letter in &letters[self.learnt..] {
            let waiting = self.waiting.into_iter();
            for q in self.kept.clone().into_iter().chain(waiting) {
                for edge in self.automaton.successors(q, letter) {
                    if let Some(place) = self.place(edge.target) {
                        self.moves.push((place, edge.marks));
                    }
                }
                self.starts.push(self.moves.len() as u32);
            }
        }
        self.learnt = letters.len();
    }

    /// Letters below this are learnt.
    #[inline]
    pub(super) fn learnt(&self) -> usize {
        self.learnt
    }

    /// The moves on a letter from a place; from the waiting state if the place is the width.
    #[inline]
    pub(super) fn moves(&self, place: usize, letter: u32) -> &[AutomatonMove] {
        let rows = self.kept.len() + usize::from(self.waiting.is_some());
        let row = letter as usize * rows + place;
        &self.moves[self.starts[row] as usize..self.starts[row + 1] as usize]
    }
}
