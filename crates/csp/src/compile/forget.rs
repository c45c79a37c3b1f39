//! Dead variables are forgotten: a word that nobody will read before it is written holds its initial value, so it tells no states apart.
//!
//! Which words are live is found for each leaf by itself ([`crate::live`]), and a word is dead in a state if it is in none of its leaves. A row knows
//! which words may die of its step, those that its leaf cared for or wrote and does not care for afterwards; in most models there are none, and nothing is
//! asked. For the others, the leaves of the target are asked.

use super::CspSystem;
use super::rows::Copied;
use super::shape::{Context, Shape};
use crate::live::{Live, VariableSet};
use crate::term::TermId;
use fairhold_system::Word;
use std::sync::Arc;

impl CspSystem {
    /// The words of variables that are live in a leaf that is this term.
    pub(super) fn live_words(&self, context: &Context, term: TermId) -> Option<VariableSet> {
        let live = self.live()?;
        let follows = |after, &q: &TermId| live.live(q, &after);
        let after = context.after.iter().rev().fold(live.at_end(), follows);
        Some(live.live(term, &after))
    }

    /// The words of a state that may die when a leaf steps from one term to another and writes some words.
    pub(super) fn dying(
        &self,
        context: &Context,
        before: TermId,
        next: TermId,
        written: &[usize],
    ) -> Box<[u32]> {
        let (Some(mut before), Some(next)) =
            (self.live_words(context, before), self.live_words(context, next))
        else {
            return Box::default();
        };
        let first = self.layout.first_variable();
        before.extend(written.iter().map(|word| word - first));
        let dying = before.iter().filter(|&word| !next.contains(word));
        dying.map(|word| (first + word) as u32).collect()
    }
}

/// One worker's knowledge of who reads what.
#[derive(Debug)]
pub(super) struct Forgetter<'a> {
    system: &'a CspSystem,
    /// None if nothing is to be forgotten.
    analysis: Option<&'a Live>,
    shapes: Copied<Arc<Shape>>,
    /// By context and place, the words that are live there.
    live: Vec<Vec<Option<VariableSet>>>,
    /// About how many bytes all this takes.
    pub(super) bytes: u64,
}

impl<'a> Forgetter<'a> {
    pub(super) fn new(system: &'a CspSystem, analysis: Option<&'a Live>) -> Forgetter<'a> {
        Forgetter {
            system,
            analysis,
            shapes: Copied::default(),
            live: Vec::new(),
            bytes: 0,
        }
    }

    /// Gives the dead ones among some words of a state their initial values.
    pub(super) fn forget(&mut self, state: &mut [Word], words: impl Iterator<Item = usize>) {
        let Some(live) = self.analysis else { return };
        let first = self.system.layout.first_variable();
        for word in words {
            let initial = live.initial()[word - first] as Word;
            if state[word] != initial && !self.is_live(state, word - first) {
                state[word] = initial;
            }
        }
    }

    /// Gives all dead words of a state their initial values.
    pub(super) fn forget_all(&mut self, state: &mut [Word]) {
        let Some(live) = self.analysis else { return };
        let first = self.system.layout.first_variable();
        self.forget(state, first..first + live.words());
    }

    /// Whether a word is live in some leaf.
    fn is_live(&mut self, state: &[Word], word: usize) -> bool {
        let shape = Arc::clone(self.shapes.at(state[0] as usize, &self.system.shapes));
        let mut leaves = shape.contexts.iter().zip(&state[1..]);
        leaves.any(|(&context, &place)| self.at(context, place).contains(word))
    }

    fn at(&mut self, context: u32, place: Word) -> &VariableSet {
        let (c, p) = (context as usize, place as usize);
        if self.live.len() <= c {
            self.live.resize_with(c + 1, Vec::new);
        }
        if self.live[c].len() <= p {
            self.live[c].resize_with(p + 1, || None);
        }
        let system = self.system;
        let bytes = &mut self.bytes;
        self.live[c][p].get_or_insert_with(|| {
            let about = system.context(context);
            let live = system.live_words(&about, system.term_at(about.class, place));
            *bytes += 64;
            live.expect("words are forgotten only where some may be dead")
        })
    }
}
