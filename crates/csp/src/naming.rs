//! Names for local states: the call that a person wrote for what a process is about to do.
//!
//! A state holds processes in normal form, in which a call is its body. People know the body by its name, so where a
//! term is the normal form of a call's body, the call is shown: `Phil(0)` and not ten lines of choices.
//!
//! Which calls there are is read off the text, not off a run: the definitions without parameters and the asserted
//! processes first, then the calls that these lead to whose arguments are known, up to [`MAX_NAMES`]. So a state has one
//! picture, however it was reached; of several calls with one body the first gives the name.

use crate::model::{At, DefId, Model, Value};
use crate::normal::Place;
use crate::term::{Term, TermId, children};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::VecDeque;

/// Calls that are looked at: enough for what fits a screen, and an end for a recursion that counts.
const MAX_NAMES: usize = 2_000;

/// The calls that terms in normal form are the bodies of.
pub(crate) type Names = FxHashMap<TermId, (DefId, Vec<Value>)>;

impl Model {
    /// The call whose body, in normal form, this term is; none if the text has no such call.
    pub(crate) fn name_of(&self, term: TermId) -> Option<(DefId, &[Value])> {
        let names = self.terms.names(|| self.collect_names());
        names.get(&term).map(|(def, args)| (*def, args.as_slice()))
    }

    fn collect_names(&self) -> Names {
        let closed = (0..).zip(&self.definitions).filter(|(_, d)| d.params.is_empty());
        let asserted = self.assertions.iter().map(|a| (a.process, a.args.clone()));
        let mut waiting: VecDeque<(DefId, Vec<Value>)> = closed
            .map(|(id, _)| (DefId(id), Vec::new()))
            .chain(asserted)
            .collect();
        let mut names = Names::default();
        let mut calls: FxHashSet<(DefId, Vec<Value>)> = FxHashSet::default();
        let mut terms = FxHashSet::default();
        while let Some(call) = waiting.pop_front() {
            if calls.len() >= MAX_NAMES || !calls.insert(call.clone()) {
                continue;
            }
            let (def, args) = &call;
            // A call that goes wrong has no body, and no state shows one.
            let Ok(body) = self.body(*def, args, At::default()) else {
                continue;
            };
            for place in [Place::Anywhere, Place::BeforeSequel] {
                let form = self.normal_at(body, place);
                let term = &self.terms.get(form).term;
                if !matches!(
                    term,
                    Term::Ended | Term::Stop | Term::Skip | Term::Call(..) | Term::Fault(_)
                ) {
                    names.entry(form).or_insert_with(|| call.clone());
                }
            }
            self.collect_calls(body, &mut terms, &mut waiting);
        }
        names
    }

    /// The calls in a text whose arguments are known; terms in `seen` were looked at before.
    fn collect_calls(
        &self,
        text: TermId,
        seen: &mut FxHashSet<TermId>,
        calls: &mut VecDeque<(DefId, Vec<Value>)>,
    ) {
        let mut waiting = vec![text];
        while let Some(id) = waiting.pop() {
            if !seen.insert(id) {
                continue;
            }
            let node = self.terms.get(id);
            if let Term::Call(def, args, _) = &node.term {
                let args: Option<Vec<Value>> = args.iter().map(|e| e.value().cloned()).collect();
                calls.extend(args.map(|args| (*def, args)));
            }
            let first = waiting.len();
            children(&node.term, &mut |p| waiting.push(p));
            // From the left, so that names do not depend on how a stack turns things round.
            waiting[first..].reverse();
        }
    }
}
