//! Changes of shape: a composition that starts, ends or is restarted during a run.
//!
//! An operand of a shape becomes another term; the other leaves stay what they are and move to other words. What that does to a shape is found once
//! for each operand and term, and kept. If a term has outgrown the words there are for leaves, some compositions are leaves, and which ones
//! depends on all of the term; from then on, the whole term is put together and taken apart anew each time.

use super::CspSystem;
use super::rows::Copied;
use super::shape::{Operand, Operator, Shape, Skeleton, is_composite};
use crate::term::TermId;
use fairhold_system::Word;
use rustc_hash::FxHashMap;
use std::ops::Range;
use std::sync::Arc;

/// What becomes of a shape.
#[derive(Clone, Debug)]
struct Reformed {
    /// Its number.
    shape: Word,
    /// The words of the leaves that take the place of the operand's.
    words: Box<[Word]>,
}

/// One worker's changes of shape.
#[derive(Debug)]
pub(super) struct Reformer<'a> {
    system: &'a CspSystem,
    shapes: Copied<Arc<Shape>>,
    known: FxHashMap<(Word, Range<usize>, TermId), Arc<Reformed>>,
    /// The words of terms in one numbering, by their words in another.
    translated: FxHashMap<(u32, u32, Word), Word>,
    /// By numbering, the terms of places.
    terms: Vec<Copied<TermId>>,
    /// Terms that were asked whether they are `Skip`.
    skips: FxHashMap<TermId, bool>,
    /// Words of leaves that are being moved.
    moved: Vec<Word>,
    /// About how many bytes all this takes.
    pub(super) bytes: u64,
}

impl<'a> Reformer<'a> {
    pub(super) fn new(system: &'a CspSystem) -> Reformer<'a> {
        Reformer {
            system,
            shapes: Copied::default(),
            known: FxHashMap::default(),
            translated: FxHashMap::default(),
            terms: vec![Copied::default(); system.places.len()],
            skips: FxHashMap::default(),
            moved: Vec::new(),
            bytes: 0,
        }
    }

    /// Makes a leaf of a state another term, in normal form. If it is `Skip` and was the last to keep the first operand of a `;` going, what
    /// follows begins.
    pub(super) fn leaf(&mut self, state: &mut [Word], leaf: usize, term: TermId) {
        self.operand(state, Operand::Leaf(leaf as u32), term);
    }

    /// Sees to what follows where a leaf has become `Skip`.
    pub(super) fn skip(&mut self, state: &mut [Word], leaf: usize, term: TermId) {
        let shape = Arc::clone(self.shapes.at(state[0] as usize, &self.system.shapes));
        if self.ended(&shape, state, Operand::Leaf(leaf as u32)).is_some() {
            self.leaf(state, leaf, term);
        }
    }

    /// Makes an operand of a state's shape another term, in normal form.
    pub(super) fn operand(&mut self, state: &mut [Word], operand: Operand, term: TermId) {
        let shape = Arc::clone(self.shapes.at(state[0] as usize, &self.system.shapes));
        let (mut at, mut term) = (operand, term);
        loop {
            // Operators around a composition are no operators of a shape once the composition is gone: they go into the leaf.
            while let Some((above, inner)) = shape.above(at)
                && matches!(
                    inner.operator,
                    Operator::Hide(_) | Operator::Atomic | Operator::Sequence(_)
                )
            {
                let around = inner.operator.over(&self.system.model, vec![term]);
                term = self.system.normal(around, shape.sequel_of(above));
                at = above;
            }
            if !self.is_skip(term) {
                break;
            }
            let Some((sequence, after)) = self.ended(&shape, state, at) else {
                break;
            };
            (at, term) = (sequence, self.system.normal(after, shape.sequel_of(sequence)));
        }
        self.replace(state, &shape, at, term);
    }

    /// The `;` around an operand that is `Skip`, if all else in its first operand is, too; and what follows.
    fn ended(&mut self, shape: &Shape, state: &[Word], operand: Operand) -> Option<(Operand, TermId)> {
        let mut at = operand;
        loop {
            let (above, inner) = shape.above(at)?;
            match &inner.operator {
                Operator::Sequence(q) => return Some((above, *q)),
                Operator::Hide(_) => return None,
                Operator::Atomic | Operator::Process(_) => {}
                Operator::Interleave | Operator::Synchronised(_) => {
                    // A hidden `Skip` is no shape of `Skip`, whichever operand hides it.
                    if inner
                        .operands
                        .iter()
                        .any(|&other| other != at && shape.hides_in(other))
                    {
                        return None;
                    }
                    let own = shape.leaves(at);
                    let mut others = inner.leaves.clone().filter(|leaf| !own.contains(leaf));
                    let all_skip = others.all(|leaf| {
                        let term = self.term(state, leaf);
                        self.is_skip(term)
                    });
                    if !all_skip {
                        return None;
                    }
                }
            }
            at = above;
        }
    }

    fn term(&mut self, state: &[Word], leaf: usize) -> TermId {
        let class = self.system.classes[leaf] as usize;
        *self.terms[class].at(state[1 + leaf] as usize, &self.system.places[class])
    }

    fn is_skip(&mut self, term: TermId) -> bool {
        let model = &self.system.model;
        *self.skips.entry(term).or_insert_with(|| model.is_skip(term))
    }

    fn replace(&mut self, state: &mut [Word], shape: &Shape, operand: Operand, term: TermId) {
        let replaced = shape.leaves(operand);
        if self.system.has_outgrown() {
            self.anew(state, shape, operand, term);
            return;
        }
        let key = (state[0], replaced.clone(), term);
        let reformed = match self.known.get(&key) {
            Some(known) => Arc::clone(known),
            None => {
                let Some(found) = self.reform(shape, operand, &replaced, term) else {
                    self.anew(state, shape, operand, term);
                    return;
                };
                let found = Arc::new(found);
                self.bytes += (size_of::<Reformed>() + size_of_val(&*found.words) + 96) as u64;
                self.known.insert(key, Arc::clone(&found));
                found
            }
        };
        let to = replaced.start + reformed.words.len();
        self.moved.clear();
        for (i, from) in (replaced.end..shape.len()).enumerate() {
            let word = self.translate(from, to + i, state[1 + from]);
            self.moved.push(word);
        }
        state[0] = reformed.shape;
        let leaves = &mut state[1..][..self.system.layout.leaves];
        leaves[replaced.start..to].copy_from_slice(&reformed.words);
        let end = to + self.moved.len();
        leaves[to..end].copy_from_slice(&self.moved);
        if end < shape.len() {
            leaves[end..shape.len()].fill(0);
        }
    }

    /// What becomes of a shape in which everything has found room; none if not everything finds room any more.
    fn reform(
        &self,
        shape: &Shape,
        operand: Operand,
        replaced: &Range<usize>,
        term: TermId,
    ) -> Option<Reformed> {
        let model = &self.system.model;
        let room = self.system.layout.leaves - (shape.len() - replaced.len());
        let mut leaves = Vec::new();
        let part = Skeleton::of(model, term, shape.nesting(operand), room, &mut leaves);
        if leaves.iter().any(|&leaf| is_composite(model, leaf, usize::MAX)) {
            return None;
        }
        let number = |(i, leaf)| self.system.place_of(self.system.classes[i], leaf);
        Some(Reformed {
            words: (replaced.start..).zip(leaves).map(number).collect(),
            shape: self.system.shape_number(shape.replaced(operand, &part)),
        })
    }

    /// Puts the whole term together, with an operand replaced, and takes it apart.
    fn anew(&mut self, state: &mut [Word], shape: &Shape, operand: Operand, term: TermId) {
        let replaced = shape.leaves(operand);
        let mut leaves: Vec<TermId> = (0..replaced.start).map(|leaf| self.term(state, leaf)).collect();
        leaves.push(term);
        leaves.extend((replaced.end..shape.len()).map(|leaf| self.term(state, leaf)));
        let part = shape.replaced(operand, &Skeleton::Leaf);
        let root = part.compose(&self.system.model, &mut leaves.into_iter());
        let control = self.system.control(self.system.normal(root, false));
        state[..control.len()].copy_from_slice(&control);
    }

    /// The word of a leaf that moves from one word to another.
    fn translate(&mut self, from: usize, to: usize, word: Word) -> Word {
        let classes = &self.system.classes;
        let (from, to) = (classes[from], classes[to]);
        if from == to {
            return word;
        }
        let system = self.system;
        let bytes = &mut self.bytes;
        *self.translated.entry((from, to, word)).or_insert_with(|| {
            *bytes += 32;
            system.place_of(to, system.term_at(from, word))
        })
    }
}
