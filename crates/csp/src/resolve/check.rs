//! Checks of the whole model: recursion that never reaches an event, and events with programs in a parallel
//! composition.

use super::Resolver;
use crate::model::DefId;
use crate::term::{self, Term, TermId};
use fairhold_source::Diagnostic;

impl Resolver {
    /// Reports definitions whose first steps need their own first steps: `P = P [] a -> P;` has no meaning.
    ///
    /// A depth-first walk over the calls that a definition cannot do without; every cycle found is reported once, at
    /// the definition through which it was entered.
    pub(super) fn check_recursion(&mut self) {
        #[derive(Clone, Copy, PartialEq)]
        enum Mark {
            Unseen,
            Open,
            Done,
        }
        let calls: Vec<Vec<DefId>> = self
            .definitions
            .iter()
            .map(|d| self.first_calls(d.body))
            .collect();
        let mut marks = vec![Mark::Unseen; calls.len()];
        for root in 0..calls.len() {
            if marks[root] != Mark::Unseen {
                continue;
            }
            marks[root] = Mark::Open;
            let mut path = vec![(root, 0)];
            while let Some((definition, next)) = path.last_mut() {
                let Some(&DefId(callee)) = calls[*definition].get(*next) else {
                    marks[*definition] = Mark::Done;
                    path.pop();
                    continue;
                };
                *next += 1;
                let callee = callee as usize;
                match marks[callee] {
                    Mark::Done => {}
                    Mark::Unseen => {
                        marks[callee] = Mark::Open;
                        path.push((callee, 0));
                    }
                    Mark::Open => {
                        let from = path.iter().position(|(d, _)| *d == callee).unwrap_or(0);
                        let cycle: Vec<usize> = path[from..].iter().map(|(d, _)| *d).collect();
                        self.unguarded(&cycle);
                    }
                }
            }
        }
    }

    fn unguarded(&mut self, cycle: &[usize]) {
        let name = |d: &usize| format!("`{}`", self.definitions[*d].name);
        let first = &self.definitions[cycle[0]];
        let message = if cycle.len() == 1 {
            format!("{} calls itself before any event", name(&cycle[0]))
        } else {
            let through: Vec<String> = cycle[1..].iter().map(name).collect();
            format!(
                "{} calls itself before any event, through {}",
                name(&cycle[0]),
                through.join(", ")
            )
        };
        let error = Diagnostic::error("unguarded-recursion", first.span, message)
            .help("put an event before the call: `a -> P`");
        self.report.push(error);
    }

    /// The definitions whose first steps the first steps of a term certainly depend on.
    fn first_calls(&self, body: TermId) -> Vec<DefId> {
        let mut calls = Vec::new();
        let mut seen = rustc_hash::FxHashSet::default();
        let mut open = vec![body];
        while let Some(id) = open.pop() {
            if !seen.insert(id) {
                continue;
            }
            let node = self.terms.get(id);
            match &node.term {
                Term::Call(definition, ..) => calls.push(*definition),
                Term::Sequence(first, _) => open.push(*first),
                Term::Choice(_)
                | Term::External(_)
                | Term::Interleave(_)
                | Term::Parallel(_)
                | Term::Interrupt(..)
                | Term::HideOpen(..)
                | Term::Atomic(_)
                | Term::Indexed(..)
                | Term::Copies(..) => term::children(&node.term, &mut |child| open.push(child)),
                // The others take a step of their own first, or test a condition that may protect the call.
                _ => {}
            }
        }
        calls.sort_unstable();
        calls.dedup();
        calls
    }

    /// Warns of an event that carries a program in one process and none in another: the two do not synchronise.
    pub(super) fn check_data_events(&mut self) {
        if !self.has_parallel {
            return;
        }
        for (name, uses) in &self.names.events {
            let pair = uses.with_program.iter().find_map(|(with, place)| {
                let plain = uses.plain.iter().find(|(without, _)| without != with)?;
                Some((*place, plain.1))
            });
            if let Some((with, without)) = pair {
                let message = format!("`{name}` carries a program here, so it does not synchronise");
                let warning = Diagnostic::warning("data-event-does-not-synchronise", with, message)
                    .help("events with programs never synchronise in `||`; put the program on an event of its own")
                    .also(without, "this one may be meant to take part");
                self.report.push(warning);
            }
        }
    }
}
