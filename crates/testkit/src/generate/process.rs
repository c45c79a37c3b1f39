//! Random processes.
//!
//! A [`Context`] says what may stand at a place: how deep it may still go, which names there are, and whether a call
//! may go back to where it came from.

use super::tree::{Conditional, Head, Kind, Operator, Process};
use super::{Generator, Name};

/// Whether a call may go back to its own layer, so that the process loops.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Tail {
    /// Yes: nothing is left to do after the call.
    Yes,
    /// Once an event has resolved the choice or interruption around it; a `tau` leaves the operator standing.
    AfterEvent,
    /// No: the operator around it stays, and the term would grow.
    Never,
}

/// What may stand at a place.
#[derive(Clone, Debug)]
pub(super) struct Context {
    /// Levels of operators left.
    pub(super) depth: usize,
    /// Whether a call may loop.
    pub(super) tail: Tail,
    /// An event comes first, so a loop is no empty one.
    pub(super) guarded: bool,
    /// An alphabet may be taken of this: indices must be known before the run.
    pub(super) fixed: bool,
    /// Of the definition this is in.
    pub(super) layer: usize,
    /// Of the definition this is in.
    pub(super) number: usize,
    /// In scope.
    pub(super) names: Vec<Name>,
}

/// What is decided of a definition before it is written.
#[derive(Clone, Debug)]
pub(super) struct Header {
    pub(super) name: String,
    pub(super) params: Vec<Name>,
    pub(super) layer: usize,
    /// Its alphabet is declared or never asked for, so its events may be known only at run time.
    pub(super) loose: bool,
    /// Its parameters have ranges.
    pub(super) ranged: bool,
    pub(super) alphabet: Option<Vec<String>>,
}

impl Context {
    /// The body of a definition.
    pub(super) fn body(header: &Header, number: usize) -> Context {
        Context {
            depth: if header.layer == 1 { 5 } else { 3 },
            tail: Tail::Yes,
            guarded: false,
            fixed: !header.loose,
            layer: header.layer,
            number,
            names: header.params.clone(),
        }
    }

    /// The body of `System`.
    pub(super) fn system() -> Context {
        Context {
            depth: 1,
            tail: Tail::Yes,
            guarded: false,
            fixed: false,
            layer: 0,
            number: usize::MAX,
            names: Vec::new(),
        }
    }

    fn deeper(&self) -> Context {
        Context {
            depth: self.depth.saturating_sub(1),
            ..self.clone()
        }
    }

    /// Inside an operator that stays around what it holds.
    fn held(&self) -> Context {
        Context {
            tail: Tail::Never,
            ..self.deeper()
        }
    }

    /// Inside an operator that only an event resolves.
    fn pending(&self) -> Context {
        let tail = if self.tail == Tail::Yes {
            Tail::AfterEvent
        } else {
            self.tail
        };
        Context {
            tail,
            ..self.deeper()
        }
    }

    /// In a composition, where processes multiply: short.
    fn composed(&self, operator: Operator) -> Context {
        let mut inner = Context {
            depth: self.depth.saturating_sub(1).min(2),
            ..self.held()
        };
        if operator == Operator::Parallel && !inner.fixed {
            // What is bound out here has a value by the time an alphabet is taken in there.
            inner.names.iter_mut().for_each(|n| n.fixed = true);
            inner.fixed = true;
        }
        inner
    }

    /// Behind `->`.
    pub(super) fn after(&self, visible: bool) -> Context {
        let tail = if visible && self.tail == Tail::AfterEvent {
            Tail::Yes
        } else {
            self.tail
        };
        Context {
            tail,
            guarded: true,
            ..self.deeper()
        }
    }

    fn with(mut self, name: Name) -> Context {
        self.names.push(name);
        self
    }

    /// The names that events may be indexed with.
    pub(super) fn indices(&self) -> Vec<Name> {
        let usable = |n: &&Name| n.len.is_none() && (n.fixed || !self.fixed);
        self.names
            .iter()
            .filter(usable)
            .map(|n| Name {
                fixed: true,
                ..n.clone()
            })
            .collect()
    }
}

impl Generator<'_> {
    /// A process.
    pub(super) fn process(&mut self, context: &Context) -> Process {
        if context.depth == 0 {
            return self.leaf(context);
        }
        if self.rng.chance(11, 20) {
            return self.branch(context);
        }
        let kind = *self.rng.pick(&Kind::ALL);
        self.of_kind(kind, context)
    }

    /// A process with processes inside.
    pub(super) fn branch(&mut self, context: &Context) -> Process {
        let kind = if self.rng.chance(1, 4) {
            *self.rng.pick(Kind::BRANCHES)
        } else {
            self.weighted(&[
                (10, Kind::Prefix(Head::Event)),
                (8, Kind::Prefix(Head::EventProgram)),
                (2, Kind::Prefix(Head::Program)),
                (4, Kind::Prefix(Head::Send)),
                (4, Kind::Prefix(Head::Receive)),
                (6, Kind::Joined(Operator::Choice)),
                (2, Kind::Joined(Operator::External)),
                (2, Kind::Guard),
                (2, Kind::Sequence),
            ])
        };
        self.of_kind(kind, context)
    }

    /// A component that may end or wait, made to go on: random processes stop soon, and small graphs test little.
    pub(super) fn kept_going(&mut self, context: &Context, body: Process) -> Process {
        let next = |this: &mut Self, context: &Context| {
            this.call(&Context {
                names: Vec::new(),
                ..context.clone()
            })
            .unwrap_or(Process::Skip)
        };
        let beat = self.prefix(Head::EventProgram, context, next);
        if matches!(body, Process::Prefix(..)) && self.rng.chance(1, 3) {
            return Process::Sequence(Box::new(body), Box::new(beat));
        }
        Process::Joined(Operator::Choice, vec![body, beat])
    }

    fn leaf(&mut self, context: &Context) -> Process {
        let kind = if context.tail == Tail::Yes {
            self.weighted(&[
                (16, Kind::Call),
                (3, Kind::Skip),
                (1, Kind::Stop),
                (1, Kind::Assert),
            ])
        } else {
            self.weighted(&[
                (5, Kind::Call),
                (12, Kind::Skip),
                (1, Kind::Stop),
                (2, Kind::Assert),
            ])
        };
        self.of_kind(kind, context)
    }

    fn of_kind(&mut self, kind: Kind, context: &Context) -> Process {
        let mut inner = context.deeper();
        // A `tau` of its own makes the operator a guard.
        let silent = matches!(
            kind,
            Kind::Conditional(Conditional::If | Conditional::Ifb) | Kind::Case
        );
        inner.guarded |= silent && self.rng.chance(1, 2);
        match kind {
            Kind::Skip => Process::Skip,
            Kind::Stop => Process::Stop,
            Kind::Assert => Process::Assert(self.assertion(context)),
            Kind::Call => self.call(context).unwrap_or(Process::Skip),
            Kind::Prefix(head) => self.prefix(head, context, Self::process),
            Kind::Guard => Process::Guard(self.condition(&context.names, 2), Box::new(self.process(&inner))),
            Kind::Conditional(which) => {
                let condition = self.condition(&context.names, 2);
                let then = Box::new(self.process(&inner));
                let otherwise = which != Conditional::Ifb && self.rng.chance(3, 4);
                let otherwise = otherwise.then(|| Box::new(self.process(&inner)));
                Process::Conditional(which, condition, then, otherwise)
            }
            Kind::Case => {
                let branches = (0..1 + self.rng.below(2))
                    .map(|_| (self.condition(&context.names, 1), self.process(&inner)))
                    .collect();
                let otherwise = self.rng.chance(3, 4).then(|| Box::new(self.process(&inner)));
                Process::Case(branches, otherwise)
            }
            Kind::Joined(operator) => {
                let operator = self.allowed(operator);
                let inner = inside(operator, context);
                let count = if self.rng.chance(1, 6) { 3 } else { 2 };
                if operator == Operator::Parallel && count > 2 {
                    self.uses("synchronisation of three or more");
                }
                Process::Joined(operator, (0..count).map(|_| self.process(&inner)).collect())
            }
            Kind::Indexed(operator) => self.indexed(operator, context),
            Kind::Copies => {
                let count = if self.rng.chance(1, 5) { "3" } else { "2" };
                Process::Copies(
                    count.to_owned(),
                    Box::new(self.process(&context.composed(Operator::Interleave))),
                )
            }
            Kind::Interrupt => {
                let first = self.process(&context.held());
                Process::Interrupt(Box::new(first), Box::new(self.process(&context.pending())))
            }
            Kind::Hide => {
                let p = self.process(&context.held());
                Process::Hide(Box::new(p), self.event_set(context))
            }
            Kind::Sequence => {
                let first = self.process(&context.held());
                let guarded = context.guarded || matches!(first, Process::Prefix(..));
                let second = self.process(&Context { guarded, ..inner });
                Process::Sequence(Box::new(first), Box::new(second))
            }
            Kind::Atomic => {
                let tail = if self.rng.chance(1, 4) {
                    context.tail
                } else {
                    Tail::Never
                };
                let depth = inner.depth.min(3);
                Process::Atomic(Box::new(self.process(&Context { tail, depth, ..inner })))
            }
        }
    }

    /// The operator, or its sibling without alphabets.
    fn allowed(&self, operator: Operator) -> Operator {
        if operator == Operator::Parallel && !self.parallel {
            Operator::Interleave
        } else {
            operator
        }
    }

    fn indexed(&mut self, operator: Operator, context: &Context) -> Process {
        let operator = self.allowed(operator);
        let index = self.fresh("i");
        let known = context.indices();
        let (values, bound) = match self.rng.below(5) {
            0 => ("{0, 2}".to_owned(), 3),
            1 => ("{1..2}".to_owned(), 3),
            2 if !known.is_empty() => {
                let name = self.rng.pick(&known).clone();
                self.uses("range with a bound name");
                (format!("{{0..{}}}", name.text), name.bound)
            }
            _ => ("{0..1}".to_owned(), 2),
        };
        let mut inner = inside(operator, context).with(Name::number(index.clone(), bound, true));
        let mut bindings = format!("{index}:{values}");
        if self.rng.chance(1, 8) {
            let second = self.fresh("i");
            bindings = format!("{bindings}; {second}:{{0..1}}");
            inner = inner.with(Name::number(second, 2, true));
            self.uses("several index variables");
        }
        if operator == Operator::Parallel && (values.len() > 6 || bindings.contains(';')) {
            self.uses("synchronisation of three or more");
        }
        Process::Indexed(operator, bindings, Box::new(self.process(&inner)))
    }

    fn assertion(&mut self, context: &Context) -> String {
        let condition = self.condition(&context.names, 1);
        if self.faulty {
            self.uses("assertion that may fail");
            return condition;
        }
        format!("{} < 9 || {condition}", self.data.ints[0].0)
    }

    /// A call that is allowed here.
    pub(super) fn call(&mut self, context: &Context) -> Option<Process> {
        let down = self.headers.iter().any(|h| h.layer == context.layer + 1);
        let grows = self.unbounded && context.guarded && self.rng.chance(1, 3);
        let callable: Vec<usize> = (0..self.headers.len())
            .filter(|&i| {
                let layer = self.headers[i].layer;
                let loops = (context.tail == Tail::Yes || grows) && (context.guarded || i > context.number);
                (down && layer == context.layer + 1) || (layer == context.layer && loops)
            })
            .collect();
        if callable.is_empty() {
            return None;
        }
        // A loop in the own layer keeps a component busy.
        let own: Vec<usize> = callable
            .iter()
            .copied()
            .filter(|&i| self.headers[i].layer == context.layer)
            .collect();
        let choices = if !own.is_empty() && self.rng.chance(3, 4) {
            own
        } else {
            callable
        };
        let callee = self.headers[*self.rng.pick(&choices)].clone();
        if grows && context.tail != Tail::Yes && callee.layer == context.layer {
            self.uses("recursion that grows");
        }
        let args = callee
            .params
            .iter()
            .map(|param| self.argument(context, param))
            .collect();
        Some(Process::Call(callee.name, args))
    }

    fn argument(&mut self, context: &Context, param: &Name) -> String {
        if param.len.is_some() {
            return self.data.arrays[0].0.clone();
        }
        if !(context.fixed && param.fixed) && self.rng.chance(1, 4) {
            self.uses("argument that depends on a variable");
            return self.below(&context.names, param.bound, 1);
        }
        self.fixed(&context.indices(), param.bound)
    }
}

/// The place of an operand.
fn inside(operator: Operator, context: &Context) -> Context {
    match operator {
        Operator::Interleave | Operator::Parallel => context.composed(operator),
        Operator::External => context.pending(),
        Operator::Choice | Operator::Internal => context.deeper(),
    }
}
