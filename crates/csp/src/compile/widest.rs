//! How many leaves a state needs words for, and which of them are alike.
//!
//! The width of a state is fixed when a system is made, before any of it is explored. So the text is looked through for the widest shape that a
//! run may come to: operands of a composition add up, whatever else is possible counts by its widest. That is a guess where arguments are
//! known only at run time, or where a recursion adds operands; [`super::shape`] lives with a wrong one.
//!
//! Leaves that start as the same term number their places alike, so `|||{n}@P` has one numbering, and a word is narrow if its leaf has few places.

use crate::model::{Expr, Model};
use crate::term::{Term, TermId};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

/// No more leaves than this are foreseen: states of more fit no memory.
const MAX_LEAVES: usize = 1 << 20;

/// Calls that are looked into; enough for models with a finite number of argument values, and an end for the others.
const MAX_CALLS: usize = 5_000;

/// Calls within calls that are looked into: the walk recurses.
const MAX_DEPTH: usize = 100;

/// The leaves of the widest shape of a term, as they start.
pub(super) fn widest(model: &Model, root: TermId) -> Arc<[TermId]> {
    let mut foresight = Foresight {
        model,
        known: FxHashMap::default(),
        open: FxHashSet::default(),
        calls: 0,
    };
    foresight.of(root)
}

struct Foresight<'a> {
    model: &'a Model,
    known: FxHashMap<TermId, Arc<[TermId]>>,
    /// The bodies of the calls being looked into.
    open: FxHashSet<TermId>,
    calls: usize,
}

impl Foresight<'_> {
    fn of(&mut self, id: TermId) -> Arc<[TermId]> {
        if let Some(known) = self.known.get(&id) {
            return Arc::clone(known);
        }
        let found = self.look(id);
        self.known.insert(id, Arc::clone(&found));
        found
    }

    fn look(&mut self, start: TermId) -> Arc<[TermId]> {
        let leaf = || Arc::from([start].as_slice());
        let mut id = start;
        // A chain of prefixes may be long: it is walked in a loop, not by recursion.
        let node = loop {
            let node = self.model.terms.get(id);
            match &node.term {
                Term::Prefix(.., then)
                | Term::Silent(_, then)
                | Term::Send(.., then)
                | Term::Receive(.., then)
                | Term::Guard(_, then)
                | Term::IfBlocking(_, then) => id = *then,
                _ => break node,
            }
        };
        let found = match &node.term {
            Term::If(_, p, q) | Term::IfAtomic(_, p, q) | Term::Sequence(p, q) => self.longest([*p, *q]),
            Term::Case(branches, otherwise) => {
                let branches: Vec<TermId> = branches.iter().map(|(_, p)| *p).collect();
                self.longest(branches.into_iter().chain([*otherwise]))
            }
            Term::Choice(v) | Term::Internal(v) | Term::External(v) => self.longest(v.iter().copied()),
            Term::Interrupt(_, q) => self.of(*q),
            Term::Hide(p, _) | Term::HideOpen(p, _) | Term::Atomic(p) => self.of(*p),
            // The number is taken off: the leaf is what is below.
            Term::Process(_, p) => return self.of(*p),
            Term::Interleave(v) | Term::Parallel(v) | Term::Synchronised(v, _) => {
                let mut all = Vec::with_capacity(v.len());
                for &p in v {
                    let operand = self.of(p);
                    if all.len() + operand.len() > MAX_LEAVES {
                        return leaf();
                    }
                    all.extend_from_slice(&operand);
                }
                return all.into();
            }
            Term::Call(def, args, at) => {
                let values: Option<Vec<_>> = args
                    .iter()
                    .map(|e| match e {
                        Expr::Const(v) => Some(v.clone()),
                        _ => None,
                    })
                    .collect();
                let body = match values {
                    Some(values) => self.model.body(*def, &values, *at).ok(),
                    None => Some(self.model.definitions[def.0 as usize].body),
                };
                self.calls += 1;
                match body {
                    Some(body)
                        if self.calls < MAX_CALLS
                            && self.open.len() < MAX_DEPTH
                            && self.open.insert(body) =>
                    {
                        let found = self.of(body);
                        self.open.remove(&body);
                        found
                    }
                    _ => leaf(),
                }
            }
            _ => leaf(),
        };
        if found.len() > 1 { found } else { leaf() }
    }

    fn longest(&mut self, terms: impl IntoIterator<Item = TermId>) -> Arc<[TermId]> {
        let mut longest: Arc<[TermId]> = Arc::from([].as_slice());
        for p in terms {
            let found = self.of(p);
            if found.len() > longest.len() {
                longest = found;
            }
        }
        longest
    }
}
