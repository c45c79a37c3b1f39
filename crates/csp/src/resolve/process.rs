//! Processes: from trees to interned terms.
//!
//! A chain of prefixes is resolved from left to right, for inputs bind names for what follows, and built from right
//! to left without recursion, for chains are long.

use super::Resolver;
use super::binding::state_name;
use super::event::HeadEvent;
use super::expression::{Ty, count, given};
use super::names::{Found, Meaning};
use super::tree;
use crate::expr::{Empty, MAX_COMBINATIONS, MAX_FIELDS};
use crate::model::{
    At, ChannelRef, DefId, EventPattern, Expr, Holder, Pattern, Program, Stmt, Target, Type, Value,
};
use crate::syntax::{SyntaxKind as K, SyntaxNode, SyntaxToken};
use crate::term::{Operator, Term, TermId};
use fairhold_source::Diagnostic;
use std::sync::Arc;

/// One step of a chain of prefixes.
enum Head {
    Events(Vec<HeadEvent>),
    Send(ChannelRef, Vec<Expr>, Option<Arc<Program>>),
    Receive(ChannelRef, Option<Expr>, Vec<Pattern>, Option<Arc<Program>>),
}

impl Resolver {
    /// The first process below a node.
    pub(super) fn inner_process(&mut self, node: &SyntaxNode) -> TermId {
        tree::processes(node)
            .next()
            .map_or(TermId::STOP, |p| self.process(&p))
    }

    /// All processes below a node.
    fn operands(&mut self, node: &SyntaxNode) -> Vec<TermId> {
        tree::processes(node).map(|p| self.process(&p)).collect()
    }

    /// A process.
    pub(super) fn process(&mut self, node: &SyntaxNode) -> TermId {
        let term = match node.kind() {
            K::ParenProcess => return self.inner_process(node),
            K::SkipProcess => return TermId::SKIP,
            K::StopProcess => return TermId::STOP,
            K::Prefix => return self.prefix(node),
            K::Interrupt => {
                let operands = self.operands(node);
                let fold = |p, q| self.terms.intern(Term::Interrupt(p, q));
                return operands.into_iter().reduce(fold).unwrap_or(TermId::STOP);
            }
            K::Sequence => {
                let operands = self.operands(node);
                let fold = |q, p| self.terms.intern(Term::Sequence(p, q));
                return operands.into_iter().rev().reduce(fold).unwrap_or(TermId::STOP);
            }
            K::Interleave => Term::Interleave(self.operands(node)),
            K::Parallel => {
                self.has_parallel = true;
                Term::Parallel(self.operands(node))
            }
            K::Choice => Term::Choice(self.operands(node)),
            K::InternalChoice => Term::Internal(self.operands(node)),
            K::ExternalChoice => Term::External(self.operands(node)),
            K::Hiding => {
                let process = self.inner_process(node);
                let events = tree::child(node, K::EventSet);
                Term::HideOpen(process, events.map_or_else(Vec::new, |e| self.event_set(&e)))
            }
            K::Guard => Term::Guard(self.inner_condition(node), self.inner_process(node)),
            K::AtomicProcess => Term::Atomic(self.inner_process(node)),
            K::AssertProcess => Term::Assert(self.inner_condition(node), self.at(node)),
            K::IfProcess => self.if_process(node),
            K::CaseProcess => self.case_process(node),
            K::Call => return self.call(node),
            K::Indexed => return self.indexed(node),
            _ => return TermId::STOP,
        };
        self.terms.intern(term)
    }

    fn if_process(&mut self, node: &SyntaxNode) -> Term {
        let condition = self.inner_condition(node);
        let then = self.inner_process(node);
        if tree::token(node, K::IfbKw).is_some() {
            return Term::IfBlocking(condition, then);
        }
        let otherwise = tree::child(node, K::ElseBranch).map_or(TermId::SKIP, |e| self.inner_process(&e));
        if tree::token(node, K::IfaKw).is_some() {
            Term::IfAtomic(condition, then, otherwise)
        } else {
            Term::If(condition, then, otherwise)
        }
    }

    fn case_process(&mut self, node: &SyntaxNode) -> Term {
        let branches = tree::children_of(node, K::CaseBranch)
            .map(|b| (self.inner_condition(&b), self.inner_process(&b)))
            .collect();
        let otherwise = tree::child(node, K::DefaultBranch).map_or(TermId::SKIP, |d| self.inner_process(&d));
        Term::Case(branches, otherwise)
    }

    /// `P(x, 1)`
    fn call(&mut self, node: &SyntaxNode) -> TermId {
        let Some(id) = self.callee_process(node) else {
            // Names in the arguments are looked at all the same.
            self.arguments(node);
            return TermId::STOP;
        };
        let args = self.arguments(node);
        if !self.fits(node, id, args.len()) {
            return TermId::STOP;
        }
        let at = self.at(node);
        self.terms.intern(Term::Call(id, args, at))
    }

    /// The process that a call names.
    pub(super) fn callee_process(&mut self, node: &SyntaxNode) -> Option<DefId> {
        let name = tree::ident(node)?;
        let span = self.origin.token(&name);
        match self.names.find(name.text()) {
            Found::Meaning(Meaning::Process(id)) => return Some(id),
            Found::Meaning(other) => self.unfit(name.text(), &other, span, "a process"),
            Found::Doubtful => {}
            Found::Nothing => {
                self.unknown(name.text(), span, "process", |m| matches!(m, Meaning::Process(_)));
            }
        }
        None
    }

    /// Reports a call with the wrong number of arguments, once for each process.
    pub(super) fn fits(&mut self, node: &SyntaxNode, id: DefId, args: usize) -> bool {
        let definition = &self.definitions[id.0 as usize];
        let params = definition.params.len();
        if params == args {
            return true;
        }
        let name = definition.name.clone();
        let message = format!(
            "`{name}` has {}, but {} given",
            count(params, "parameter"),
            given(args, "argument", "arguments")
        );
        let error = Diagnostic::error("wrong-arguments", self.span(node), message)
            .also(definition.span, "defined here");
        self.report.once(&name, error);
        false
    }

    fn arguments(&mut self, node: &SyntaxNode) -> Vec<Expr> {
        let Some(list) = tree::child(node, K::ArgList) else {
            return Vec::new();
        };
        list.children()
            .filter(|n| tree::is_expr(n.kind()) || n.kind() == K::Record)
            .map(|n| self.argument(&n).expr)
            .collect()
    }

    /// `||| i:{0..N} @ P`, `|||{n} @ P`
    fn indexed(&mut self, node: &SyntaxNode) -> TermId {
        let operator = tree::own_tokens(node).find_map(|t| operator(t.kind()));
        if operator == Some(Operator::Parallel) {
            self.has_parallel = true;
        }
        if let Some(copies) = tree::child(node, K::Copies) {
            return self.copies(node, &copies);
        }
        let mark = self.scope.mark();
        let bindings = tree::child(node, K::Bindings).and_then(|b| self.bindings(&b, Empty::Nothing));
        let body = self.inner_process(node);
        self.scope.leave(mark);
        match (operator, bindings) {
            (Some(operator), Some(bindings)) => self.terms.intern(Term::Indexed(operator, bindings, body)),
            _ => TermId::STOP,
        }
    }

    fn copies(&mut self, node: &SyntaxNode, copies: &SyntaxNode) -> TermId {
        let at = self.at(copies);
        let number = tree::expr(copies);
        if number.is_none() && tree::token(copies, K::Dot2).is_some() {
            let message = "unboundedly many copies are not supported";
            let help =
                "the state space would be infinite without counter abstraction; give a number: `|||{3} @ P`";
            self.report
                .push(Diagnostic::error("not-supported", at.0, message).help(help));
        }
        let body = self.inner_process(node);
        let Some(number) = number else {
            return TermId::STOP;
        };
        let typed = self.expr(&number);
        self.want(&number, typed.ty, Type::Int);
        if typed.is_wrong() {
            return TermId::STOP;
        }
        if let Some(what) = state_name(&typed.expr) {
            self.depends_on_state(at.0, what);
            return TermId::STOP;
        }
        if let Some(Value::Int(n)) = typed.expr.close(&crate::expr::Env::default()).value()
            && !usize::try_from(*n).is_ok_and(|n| n <= MAX_COMBINATIONS)
        {
            let message = format!("there can be 0 to {MAX_COMBINATIONS} copies, not {n}");
            let error = Diagnostic::error("too-many-values", at.0, message);
            self.report.once(&tree::text(&number), error);
            return TermId::STOP;
        }
        self.terms.intern(Term::Copies(typed.expr, body, at))
    }

    /// `a -> c?x -> {...} -> P`
    fn prefix(&mut self, node: &SyntaxNode) -> TermId {
        let mark = self.scope.mark();
        let mut heads = Vec::new();
        let mut then = None;
        for child in node.children() {
            match child.kind() {
                K::EventHead => heads.push(Head::Events(vec![self.event_head(&child)])),
                K::EventChoice => {
                    let events = tree::children_of(&child, K::EventHead)
                        .map(|e| self.event_head(&e))
                        .collect();
                    heads.push(Head::Events(events));
                }
                K::Block => {
                    let program = self.program(&child);
                    heads.push(Head::Events(vec![HeadEvent {
                        event: None,
                        program: Some(program),
                    }]));
                }
                K::Send => heads.extend(self.send(&child)),
                K::Receive => heads.extend(self.receive(&child)),
                kind if tree::is_process(kind) => then = Some(self.process(&child)),
                _ => {}
            }
        }
        self.scope.leave(mark);
        let mut term = then.unwrap_or(TermId::STOP);
        for head in heads.into_iter().rev() {
            term = match head {
                Head::Events(events) => {
                    let first = |e: HeadEvent| {
                        self.terms.intern(match e.event {
                            Some(event) => Term::Prefix(event, e.program, term),
                            None => Term::Silent(e.program, term),
                        })
                    };
                    let branches: Vec<TermId> = events.into_iter().map(first).collect();
                    self.terms.intern(Term::Choice(branches))
                }
                Head::Send(channel, values, program) => {
                    self.terms.intern(Term::Send(channel, values, program, term))
                }
                Head::Receive(channel, guard, patterns, program) => self
                    .terms
                    .intern(Term::Receive(channel, guard, patterns, program, term)),
            };
        }
        term
    }

    fn own_program(&mut self, node: &SyntaxNode) -> Option<Arc<Program>> {
        tree::child(node, K::Block).map(|b| self.program(&b))
    }

    /// `c!x.y{program}`
    fn send(&mut self, node: &SyntaxNode) -> Option<Head> {
        let channel = self.channel_head(node);
        let values: Vec<Expr> = tree::exprs(node).iter().map(|e| self.expr(e).expr).collect();
        let program = self.own_program(node);
        let channel = channel?;
        let known: usize = values.iter().map(|e| self.array_length(e).unwrap_or(1)).sum();
        let open = values.iter().filter(|e| matches!(e, Expr::Bound(_))).count();
        let arity = &mut self.channels[channel.channel.0 as usize].arity;
        *arity = (*arity).max(known as u32);
        self.sent.push((channel.channel, known, open));
        if let Some(program) = &program {
            let written = self.sender_writes.entry(channel.channel).or_default();
            let walk = |stmt: &Stmt| {
                stmt.walk(&mut |e| match e {
                    Expr::Assign(Target::Var(v) | Target::Element(v, _), ..)
                    | Expr::Change(Holder::Var(v), ..) => written.push(*v),
                    _ => {}
                });
            };
            program.body.iter().for_each(walk);
        }
        Some(Head::Send(channel, values, program))
    }

    /// How many elements an array has, if this is one.
    pub(super) fn array_length(&self, e: &Expr) -> Option<usize> {
        match e {
            Expr::Var(v, _) => {
                let decl = &self.variables[v.0 as usize];
                (!decl.dims.is_empty()).then_some(decl.init.len())
            }
            Expr::Const(Value::Array(values)) => Some(values.len()),
            _ => None,
        }
    }

    /// What is sent under a parameter's name may be an array that was passed on: there must be room for its elements.
    pub(super) fn make_room_for_arrays(&mut self) {
        for (channel, known, open) in std::mem::take(&mut self.sent) {
            let longest = self.longest_passed.saturating_sub(1);
            let most = known
                .saturating_add(open.saturating_mul(longest))
                .min(MAX_FIELDS as usize);
            let arity = &mut self.channels[channel.0 as usize].arity;
            *arity = (*arity).max(most as u32);
        }
    }

    /// `c?[guard]x.1{program}`: binds its new names for what follows.
    fn receive(&mut self, node: &SyntaxNode) -> Option<Head> {
        let channel = self.channel_head(node);
        let mut new: Vec<SyntaxToken> = Vec::new();
        let mut patterns: Vec<Option<Expr>> = Vec::new();
        for field in tree::exprs(node) {
            if let Some(name) = self.new_name(&field) {
                if new.iter().any(|n| n.text() == name.text()) {
                    let message = format!("`{}` is bound twice by one input", name.text());
                    let help = "to ask for equal values, bind another name and compare: `c?[x == y]x.y`";
                    let span = self.origin.token(&name);
                    self.report
                        .push(Diagnostic::error("duplicate-name", span, message).help(help));
                }
                new.push(name);
                patterns.push(None);
            } else {
                patterns.push(Some(self.expr(&field).expr));
            }
        }
        // Patterns see the names outside the input; only then do the new ones come into scope.
        let mut new = new.into_iter();
        let patterns = patterns
            .into_iter()
            .map(|p| match (p, new.len()) {
                (Some(expr), _) => Pattern::Match(expr),
                (None, _) => {
                    let name = new
                        .next()
                        .expect("one new name for every pattern without an expression");
                    Pattern::Bind(self.scope.bind(name.text()))
                }
            })
            .collect();
        let guard_node = tree::child(node, K::ReceiveGuard);
        let guard = guard_node.as_ref().map(|g| self.inner_condition(g));
        let program = self.own_program(node);
        if let (Some(guard), Some(node), Some(channel)) = (&guard, guard_node, &channel) {
            let span = self.span(&node);
            self.input_guards.push((channel.channel, guard.clone(), span));
        }
        Some(Head::Receive(channel?, guard, patterns, program))
    }

    /// The name that a field of an input binds, if it does.
    fn new_name(&mut self, field: &SyntaxNode) -> Option<SyntaxToken> {
        if field.kind() != K::NameRef {
            return None;
        }
        let name = tree::ident(field)?;
        if self.scope.find(name.text()).is_some() {
            return None;
        }
        match self.names.find(name.text()) {
            Found::Meaning(Meaning::Variable(_)) => {
                let message = format!(
                    "this input takes only the present value of the variable `{}`",
                    name.text()
                );
                let help =
                    "to receive any value, use a name that is not declared, and assign it: `c?y{x = y} -> P`";
                let span = self.origin.token(&name);
                let warning = Diagnostic::warning("input-matches-variable", span, message).help(help);
                self.report.once(name.text(), warning);
                None
            }
            Found::Meaning(Meaning::Constant(_) | Meaning::Macro(_)) => None,
            Found::Meaning(_) | Found::Doubtful | Found::Nothing => Some(name),
        }
    }

    /// The channel of an input or output.
    fn channel_head(&mut self, node: &SyntaxNode) -> Option<ChannelRef> {
        let name = tree::ident(node)?;
        let index = tree::child(node, K::ChannelIndex);
        let mut span = self.origin.token(&name);
        if let Some(index) = &index {
            span = span.to(self.span(index));
        }
        let index = index.and_then(|i| tree::expr(&i));
        self.channel_ref(&name, index.as_ref(), At(span))
    }

    /// A channel by name, with an index if it is an array.
    pub(super) fn channel_ref(
        &mut self,
        token: &SyntaxToken,
        index: Option<&SyntaxNode>,
        at: At,
    ) -> Option<ChannelRef> {
        let name = token.text();
        let span = self.origin.token(token);
        let index = index.map(|i| {
            let typed = self.expr(i);
            self.want(i, typed.ty, Type::Int);
            typed
        });
        let channel = match self.names.find(name) {
            Found::Meaning(Meaning::Channel(id)) => id?,
            Found::Meaning(other) => {
                self.unfit(name, &other, span, "a channel");
                return None;
            }
            Found::Doubtful => return None,
            Found::Nothing => {
                self.unknown(name, span, "channel", |m| matches!(m, Meaning::Channel(_)));
                return None;
            }
        };
        let message = match (self.channels[channel.0 as usize].len, &index) {
            (Some(_), None) => format!("`{name}` is an array of channels and needs an index"),
            (None, Some(_)) => format!("`{name}` is a single channel and has no index"),
            _ => {
                let index = match index {
                    Some(index) if index.ty == Ty::Wrong => return None,
                    index => index.map(|i| Box::new(i.expr)),
                };
                return Some(ChannelRef { channel, index, at });
            }
        };
        self.report
            .once(name, Diagnostic::error("wrong-indices", at.0, message));
        None
    }

    /// The events of a hiding or an alphabet.
    pub(super) fn event_set(&mut self, node: &SyntaxNode) -> Vec<EventPattern> {
        let mut patterns = Vec::new();
        for item in tree::children_of(node, K::EventSetItem) {
            let mark = self.scope.mark();
            let bindings = match tree::child(&item, K::Bindings) {
                Some(bindings) => self.bindings(&bindings, Empty::Fault),
                None => Some(Vec::new()),
            };
            let event = tree::child(&item, K::EventName).and_then(|e| self.event_name(&e));
            self.scope.leave(mark);
            if let (Some(bindings), Some(event)) = (bindings, event) {
                patterns.push(EventPattern { bindings, event });
            }
        }
        patterns
    }
}

fn operator(kind: K) -> Option<Operator> {
    Some(match kind {
        K::Interleave3 => Operator::Interleave,
        K::Bar2 => Operator::Parallel,
        K::Box => Operator::Choice,
        K::Diamond => Operator::Internal,
        K::StarBox => Operator::External,
        _ => return None,
    })
}
