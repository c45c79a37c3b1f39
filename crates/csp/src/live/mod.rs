//! Which variables matter to a process: live variables, as compilers have them.
//!
//! A word of a variable is *live* in a process if the process, on some way on, reads it before it certainly writes it. A
//! word that is live in no process of a state, and that no question reads, is *dead*: whatever it holds, the state does
//! the same, step by step, so all such states are one ([`crate::compile`] gives dead words their initial values).
//!
//! Found for each term by itself, in the two halves that a sequence needs: what it reads first (`gen`), and what it
//! may leave unwritten when it ends (`pass`), so that in `P; Q` a word is live if `P` reads it first, or may pass it by
//! and `Q` reads it first. Both are least solutions over the text: calls lead to bodies, closed with the values of
//! their arguments as far as these are known and do not grow, so that `h[i]` is a single element in each of `P(0)`, `P(1)`.
//!
//! Approximated, always toward live: an element with an index not known is read as the whole array and writes none of
//! it; a composition may pass what one of its operands may pass; all ways of an `if` are possible.
//!
//! Time and memory: a few passes over the text of the terms asked for, kept for good.

mod growing;
mod set;
mod uses;

use crate::close::Closing;
use crate::expr::Env;
use crate::model::{Expr, Model, Pattern, Value};
use crate::term::{Term, TermId, children};
use growing::growing_parameters;
use rustc_hash::{FxHashMap, FxHashSet};
pub(crate) use set::VariableSet;
use std::sync::{Arc, Mutex};
use uses::{Reader, Uses};

/// So many bodies of calls are closed to look at them. A recursion that counts without end has more; the rest are looked
/// at with those parameters open that grow.
const MAX_BODIES: usize = 5_000;

/// Knows which words of variables matter to which terms.
#[derive(Debug)]
pub(crate) struct Live {
    model: Arc<Model>,
    /// The first word of each variable.
    first: Vec<u32>,
    /// The initial value of each word.
    initial: Vec<i32>,
    /// Parameters, by the number of their definition and their own, that may take ever new values.
    growing: FxHashSet<(u32, u32)>,
    /// Words that are never dead: a question reads them, or they are not to be forgotten.
    kept: VariableSet,
    known: Mutex<Known>,
}

/// What was found so far.
#[derive(Debug, Default)]
struct Known {
    summaries: FxHashMap<TermId, Summary>,
    /// The bodies that were closed for their calls.
    bodies: FxHashSet<TermId>,
    bytes: u64,
}

/// What a term does to variables until it ends.
#[derive(Clone, PartialEq, Debug, Default)]
struct Summary {
    /// Words it may read before it certainly writes them.
    gen_: VariableSet,
    /// Words it may leave unwritten on some way to its end.
    pass: VariableSet,
}

impl Live {
    /// For a model of which only some variables may be forgotten. None if that comes to nothing.
    pub(crate) fn new(
        model: &Arc<Model>,
        forgettable: impl Fn(usize) -> bool,
        read: &[Expr],
    ) -> Option<Live> {
        let mut first = Vec::new();
        let mut initial = Vec::new();
        let mut kept = VariableSet::default();
        for (v, decl) in model.variables.iter().enumerate() {
            first.push(initial.len() as u32);
            initial.extend_from_slice(&decl.init);
            if !forgettable(v) {
                kept.add(first[v], initial.len() as u32);
            }
        }
        let reader = Reader { model, first: &first };
        let mut uses = Uses::default();
        reader.all(read, &mut uses);
        kept.union(&uses.read);
        let everything = VariableSet::range(0, initial.len() as u32);
        (kept != everything).then(|| Live {
            model: Arc::clone(model),
            first,
            initial,
            growing: growing_parameters(model),
            kept,
            known: Mutex::default(),
        })
    }

    /// How many words variables have.
    pub(crate) fn words(&self) -> usize {
        self.initial.len()
    }

    /// The initial value of each word.
    pub(crate) fn initial(&self) -> &[i32] {
        &self.initial
    }

    /// What is live where nothing is left to be done.
    pub(crate) fn at_end(&self) -> VariableSet {
        self.kept.clone()
    }

    /// What is live in a term, if `after` is when it ends.
    pub(crate) fn live(&self, term: TermId, after: &VariableSet) -> VariableSet {
        let mut known = self.known.lock().expect("no holder of what is known panics");
        let summary = known.summary(self, term);
        let mut live = after.common(&summary.pass);
        live.union(&summary.gen_);
        live.union(&self.kept);
        live
    }

    /// As [`Live::live`], but what calls read as their arguments counts for nothing where the term begins with them.
    pub(crate) fn live_once_called(&self, term: TermId, after: &VariableSet) -> VariableSet {
        let mut known = self.known.lock().expect("no holder of what is known panics");
        let summary = known.once_called(self, term);
        let mut live = after.common(&summary.pass);
        live.union(&summary.gen_);
        live.union(&self.kept);
        live
    }

    /// About how many bytes all this takes.
    pub(crate) fn bytes(&self) -> u64 {
        self.known
            .lock()
            .expect("no holder of what is known panics")
            .bytes
    }

    fn everything(&self) -> VariableSet {
        VariableSet::range(0, self.initial.len() as u32)
    }
}

impl Known {
    /// The summary of a term; those of all terms it leads to are found with it.
    fn summary(&mut self, live: &Live, term: TermId) -> Summary {
        if !self.summaries.contains_key(&term) {
            self.solve(live, term);
        }
        self.summaries[&term].clone()
    }

    /// The summary of a term, without what the calls that it begins with read as arguments.
    fn once_called(&mut self, live: &Live, term: TermId) -> Summary {
        let node = live.model.terms.get(term);
        let mut begun = Summary::default();
        match &node.term {
            Term::Call(..) => {
                for body in self.next(live, term) {
                    begun = self.summary(live, body);
                }
            }
            Term::Sequence(p, q) => {
                let (p, q) = (self.once_called(live, *p), self.summary(live, *q));
                begun.gen_ = q.gen_.common(&p.pass);
                begun.gen_.union(&p.gen_);
                begun.pass = p.pass.common(&q.pass);
            }
            // All of them begin at once.
            Term::Choice(..)
            | Term::External(..)
            | Term::Internal(..)
            | Term::Interleave(..)
            | Term::Parallel(..)
            | Term::Synchronised(..)
            | Term::Interrupt(..)
            | Term::Hide(..)
            | Term::Atomic(..)
            | Term::Process(..) => {
                let mut operands = Vec::new();
                children(&node.term, &mut |p| operands.push(p));
                for p in operands {
                    let p = self.once_called(live, p);
                    begun.gen_.union(&p.gen_);
                    begun.pass.union(&p.pass);
                }
            }
            _ => begun = self.summary(live, term),
        }
        begun
    }

    /// Finds the least solution for all terms that a term leads to: from nothing, over and over until nothing grows.
    fn solve(&mut self, live: &Live, term: TermId) {
        let mut order = Vec::new();
        let mut seen = FxHashSet::default();
        let mut leads: FxHashMap<TermId, Vec<TermId>> = FxHashMap::default();
        let mut waiting = vec![(term, false)];
        while let Some((id, done)) = waiting.pop() {
            if done {
                order.push(id);
                continue;
            }
            if self.summaries.contains_key(&id) || !seen.insert(id) {
                continue;
            }
            let next = self.next(live, id);
            waiting.push((id, true));
            waiting.extend(next.iter().map(|&p| (p, false)));
            leads.insert(id, next);
        }
        for &id in &order {
            self.summaries.insert(id, Summary::default());
        }
        // What a term leads to mostly comes before it in `order`, so a few rounds do.
        let mut grows = true;
        while grows {
            grows = false;
            for &id in &order {
                let found = self.found(live, id, &leads[&id]);
                if found != self.summaries[&id] {
                    self.summaries.insert(id, found);
                    grows = true;
                }
            }
        }
        let bytes = |id: &TermId| {
            let summary = &self.summaries[id];
            (summary.gen_.bytes() + summary.pass.bytes() + 96) as u64
        };
        self.bytes += order.iter().map(bytes).sum::<u64>();
    }

    /// The terms whose summaries that of a term is made from: for a call, its body.
    fn next(&mut self, live: &Live, id: TermId) -> Vec<TermId> {
        let model = &live.model;
        let node = model.terms.get(id);
        let mut next = Vec::new();
        match &node.term {
            Term::Call(def, args, at) => {
                let open = model.definitions[def.0 as usize].body;
                let mut values: Vec<Option<Value>> = args.iter().map(|e| e.value().cloned()).collect();
                let all: Option<Vec<Value>> = values.iter().cloned().collect();
                let body = match all {
                    Some(values) if self.bodies.len() < MAX_BODIES => match model.body(*def, &values, *at) {
                        Ok(body) => body,
                        // It goes wrong before it reads anything.
                        Err(_) => return next,
                    },
                    // In `Handle(0, h[0])` what is known of `Handle`'s first parameter says which `h[i]` it reads later.
                    // A parameter that grows is left open: where guards ask for what is not known, nothing would end it.
                    // The alphabets of `||` are left open: they may need the values that are not known.
                    _ => {
                        for (position, value) in values.iter_mut().enumerate() {
                            if live.growing.contains(&(def.0, position as u32)) {
                                *value = None;
                            }
                        }
                        model.close(open, &Env::params(values), Closing::Events)
                    }
                };
                if body != open {
                    self.bodies.insert(body);
                }
                next.push(body);
            }
            term => children(term, &mut |p| next.push(p)),
        }
        next
    }

    /// The summary of a term from those of what it leads to.
    fn found(&self, live: &Live, id: TermId, next: &[TermId]) -> Summary {
        let node = live.model.terms.get(id);
        let reader = Reader {
            model: &live.model,
            first: &live.first,
        };
        // What is read and written before what follows begins.
        let mut uses = Uses::default();
        let mut summary = Summary::default();
        match &node.term {
            Term::Skip | Term::Assert(..) => summary.pass = live.everything(),
            Term::Sequence(p, q) => {
                let [p, q] = [p, q].map(|p| &self.summaries[p]);
                summary.gen_ = q.gen_.common(&p.pass);
                summary.gen_.union(&p.gen_);
                summary.pass = p.pass.common(&q.pass);
                return summary;
            }
            // Without an operand they are `Skip`.
            Term::Indexed(..) | Term::Copies(..) => summary.pass = live.everything(),
            _ => {}
        }
        for p in next {
            let below = &self.summaries[p];
            summary.gen_.union(&below.gen_);
            summary.pass.union(&below.pass);
        }
        match &node.term {
            Term::Prefix(event, program, _) => {
                reader.all(&event.indices, &mut uses);
                program.iter().for_each(|p| reader.program(p, &mut uses));
            }
            Term::Silent(program, _) => program.iter().for_each(|p| reader.program(p, &mut uses)),
            Term::Send(channel, values, program, _) => {
                reader.channel(channel, &mut uses);
                reader.all(values, &mut uses);
                program.iter().for_each(|p| reader.program(p, &mut uses));
            }
            Term::Receive(channel, guard, patterns, program, _) => {
                reader.channel(channel, &mut uses);
                guard.iter().for_each(|e| reader.expr(e, &mut uses));
                for pattern in patterns {
                    if let Pattern::Match(e) = pattern {
                        reader.expr(e, &mut uses);
                    }
                }
                program.iter().for_each(|p| reader.program(p, &mut uses));
            }
            Term::Guard(e, _)
            | Term::If(e, ..)
            | Term::IfAtomic(e, ..)
            | Term::IfBlocking(e, _)
            | Term::Assert(e, _)
            | Term::Copies(e, ..) => reader.expr(e, &mut uses),
            Term::Case(branches, _) => branches.iter().for_each(|(e, _)| reader.expr(e, &mut uses)),
            Term::Call(_, args, _) => reader.all(args, &mut uses),
            Term::Indexed(_, bindings, _) => reader.bindings(bindings, &mut uses),
            Term::HideOpen(_, patterns) => {
                for pattern in patterns {
                    reader.bindings(&pattern.bindings, &mut uses);
                    reader.all(&pattern.event.indices, &mut uses);
                }
            }
            _ => {}
        }
        summary.gen_ = summary.gen_.without(&uses.written);
        summary.gen_.union(&uses.read);
        summary.pass = summary.pass.without(&uses.written);
        summary
    }
}
