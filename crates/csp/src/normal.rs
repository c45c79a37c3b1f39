//! The normal form of local states: which terms are one state.
//!
//! What follows a step is a piece of the text, and different pieces may stand for one state: `P()` and the body of `P`, `a -> Skip [] Stop` and
//! `a -> Skip`. Both semantics put every state into normal form, the initial one too, so it decides how many states there are. It
//! never decides what they do: a term and its normal form have the same steps, up to the normal form of
//! the states entered, and the same events ready.
//!
//! - A call whose arguments are values is its body.
//! - A choice has neither choices nor `Stop` nor the same term twice among its operands; a choice of one is that one, of none is `Stop`.
//! - `Stop; Q` is `Stop`. (`Skip; Q` is `Q` when it is interned.)
//!
//! This goes through the operands that take part in first steps, and not below prefixes, guards and conditionals, where the text waits for its turn.
//!
//! Left as they are: a call with an argument that is no value yet, for it is evaluated when the steps are asked for; a call that goes wrong,
//! for it does so when its steps are asked for; the alphabets of `||`, fixed when the text was closed; the numbers of processes;
//! and compositions of what has stopped, in which every process keeps its place.
//!
//! 1. *Before `;` the shape of `Skip` is neither lost nor won*, since there the shape decides whether `P; Q` has a `tau`. `Q(); b` with `Q() = Skip`
//!    becomes `[true] Skip; b`. The same below whatever may be left standing before the `;` after some steps.
//! 2. *The form does not depend on the way to the term.* Calls that come back to themselves within one choice contribute nothing, so
//!    a cycle of them is `Stop`. A call that comes back to itself in an operand of something else, as in `P = P ||| Q`, has no finite
//!    unfolding and stays a call: what was found on the way back is dropped at that call and remembered for no term in between.
//! 3. *The form of a form is itself.*
//!
//! Every term is normalised once: the table of terms keeps the form.

use crate::model::{At, DefId, Expr, Model, Value};
use crate::reference::MAX_WHOLE_DEPTH;
use crate::term::{Term, TermId};
use rustc_hash::FxHashSet;
use std::sync::Arc;

/// Where a term stands.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Place {
    /// Before a `;`, or where it may come to stand there.
    BeforeSequel,
    /// Elsewhere.
    Anywhere,
}

impl Model {
    /// Whether a term is `Skip` by its shape.
    pub(crate) fn is_skip(&self, id: TermId) -> bool {
        self.terms.get(id).is_skip
    }

    /// The normal form of a closed term that is all there is.
    pub(crate) fn normal(&self, id: TermId) -> TermId {
        self.normal_at(id, Place::Anywhere)
    }

    /// The normal form of a closed term.
    pub(crate) fn normal_at(&self, id: TermId, place: Place) -> TermId {
        let mut forms = Forms {
            model: self,
            around: FxHashSet::default(),
            met_again: Vec::new(),
            level: 0,
            too_deep: false,
        };
        forms.form(id, place)
    }
}

/// The forms on the way to one form.
struct Forms<'a> {
    model: &'a Model,
    /// The bodies of the calls being unfolded.
    around: FxHashSet<TermId>,
    /// Those of them that were met again.
    met_again: Vec<TermId>,
    /// Operators around the term at hand.
    level: u32,
    /// Whether something below is nested too deep to have steps, and was left as it is.
    too_deep: bool,
}

impl Forms<'_> {
    fn form(&mut self, id: TermId, place: Place) -> TermId {
        let terms = &self.model.terms;
        if let Some(form) = terms.known_form(id, place) {
            return form;
        }
        let node = terms.get(id);
        if self.level > MAX_WHOLE_DEPTH || node.depth > MAX_WHOLE_DEPTH {
            self.too_deep = true;
            return id;
        }
        let outside = std::mem::take(&mut self.met_again);
        self.level += 1;
        let form = match &node.term {
            Term::Call(..) | Term::Choice(_) => self.choice(id, place),
            Term::Guard(..) if self.seems_guarded(id, place).is_some() => self.choice(id, place),
            Term::Sequence(p, q) => match self.form(*p, Place::BeforeSequel) {
                TermId::STOP => TermId::STOP,
                p => terms.intern(Term::Sequence(p, *q)),
            },
            Term::Interleave(v) => terms.intern(Term::Interleave(self.each(v, place))),
            Term::Synchronised(v, alphabets) => {
                terms.intern(Term::Synchronised(self.each(v, place), Arc::clone(alphabets)))
            }
            Term::External(v) => terms.intern(Term::External(self.each(v, place))),
            Term::Interrupt(p, q) => {
                terms.intern(Term::Interrupt(self.form(*p, place), self.form(*q, place)))
            }
            Term::Hide(p, hidden) => terms.intern(Term::Hide(self.form(*p, place), Arc::clone(hidden))),
            Term::Atomic(p) => terms.intern(Term::Atomic(self.form(*p, place))),
            Term::Process(n, p) => terms.intern(Term::Process(*n, self.form(*p, place))),
            _ => id,
        };
        self.level -= 1;
        let form = match place {
            // Invariant 1.
            Place::BeforeSequel if !node.is_skip && terms.get(form).is_skip => self.model.ending(form),
            _ => form,
        };
        if self.met_again.is_empty() && !self.too_deep {
            terms.remember_form(id, place, form);
        }
        self.met_again.extend(outside);
        form
    }

    fn each(&mut self, operands: &[TermId], place: Place) -> Vec<TermId> {
        operands.iter().map(|&p| self.form(p, place)).collect()
    }

    /// The form of a choice, or of a call.
    fn choice(&mut self, id: TermId, place: Place) -> TermId {
        let mut operands = Vec::new();
        // The bodies unfolded in this choice, each with the one that its call stood in.
        let mut bodies: Vec<(TermId, Option<usize>)> = Vec::new();
        let mut seen = FxHashSet::default();
        let mut waiting = vec![(id, None)];
        while let Some((p, within)) = waiting.pop() {
            if !seen.insert(p) {
                continue;
            }
            match &self.model.terms.get(p).term {
                Term::Choice(v) => waiting.extend(v.iter().rev().map(|&p| (p, within))),
                Term::Call(def, args, at) => match self.body(*def, args, *at) {
                    Some(body) if self.around.contains(&body) => {
                        self.met_again.push(body);
                        operands.push((p, None, true));
                    }
                    Some(body) => {
                        bodies.push((body, within));
                        waiting.push((body, Some(bodies.len() - 1)));
                    }
                    None => operands.push((p, None, true)),
                },
                _ => match self.seems_guarded(p, place) {
                    Some(inner) => waiting.push((inner, within)),
                    None => operands.push((p, within, false)),
                },
            }
        }
        let mut forms = Vec::new();
        seen.clear();
        for (p, within, is_call) in operands {
            let form = match is_call {
                true => p,
                false => self.form_within(p, place, &bodies, within),
            };
            if form != TermId::STOP && seen.insert(form) {
                forms.push(form);
            }
        }
        let around = &self.around;
        if self.met_again.iter().any(|body| !around.contains(body)) {
            // Invariant 2: a call unfolded here comes back to itself.
            self.met_again.retain(|body| around.contains(body));
            return id;
        }
        self.model.terms.intern(Term::Choice(forms))
    }

    /// The form of an operand of a choice. The bodies around it are those of the calls that it was unfolded from, and not those beside it: `Q() [] (Q() ||| a -> Stop)`
    /// meets `Q` twice, and neither inside the other.
    fn form_within(
        &mut self,
        operand: TermId,
        place: Place,
        bodies: &[(TermId, Option<usize>)],
        within: Option<usize>,
    ) -> TermId {
        let chain = std::iter::successors(within, |&at| bodies[at].1).map(|at| bodies[at].0);
        let entered: Vec<TermId> = chain.filter(|&body| self.around.insert(body)).collect();
        let form = self.form(operand, place);
        for body in &entered {
            self.around.remove(body);
        }
        form
    }

    /// The closed body of a call, if its arguments are values and nothing goes wrong.
    fn body(&self, def: DefId, args: &[Expr], at: At) -> Option<TermId> {
        let args: Option<Vec<Value>> = args.iter().map(|e| e.value().cloned()).collect();
        self.model.body(def, &args?, at).ok()
    }

    /// What is left of `[true] P` where it need not be told apart from `P`.
    fn seems_guarded(&self, id: TermId, place: Place) -> Option<TermId> {
        match &self.model.terms.get(id).term {
            Term::Guard(Expr::Const(Value::Bool(true)), p)
                if place == Place::Anywhere && self.model.terms.get(*p).is_skip =>
            {
                Some(*p)
            }
            _ => None,
        }
    }
}
