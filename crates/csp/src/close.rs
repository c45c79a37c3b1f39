//! Closing terms: putting values in the place of names.
//!
//! A call `P(2)` means the body of `P` with 2 for its parameter. Closing does that substitution, evaluates what is then known, writes out
//! indexed forms (`||| i:{0..N} @ P(i)`), and fixes the alphabets of `||` and the sets of hidings. What is left open are only names bound by
//! an input below that input.
//!
//! What cannot be closed (an empty range, an alphabet known only at run time) becomes [`Term::Fault`]: it goes wrong when its steps are asked for.

use crate::alphabet;
use crate::expr::{Empty, Env, Known, close_all, close_bindings, combinations, fault};
use crate::model::{At, DefId, EventExpr, EventPattern, Expr, Model, Pattern, Program, Value};
use crate::term::{Event, EventSet, Node, Operator, Term, TermId};
use fairhold_system::Fault;
use std::collections::BTreeSet;
use std::sync::Arc;

/// What a closing is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Closing {
    /// A text, for the first time: every part is visited.
    Text,
    /// A text, for its events: as above, but `||` is left without alphabets, which may be what is being computed.
    Events,
    /// A term that was closed before: only parts that mention one of the names are visited.
    Rest,
}

impl Model {
    /// The body of a definition with values for its parameters; computed once for every list of values.
    pub(crate) fn body(&self, def: DefId, args: &[Value], at: At) -> Result<TermId, Fault> {
        if let Some(id) = self.terms.known_body(def, args) {
            return Ok(id);
        }
        let definition = &self.definitions[def.0 as usize];
        for (param, arg) in definition.params.iter().zip(args) {
            if let Value::Int(i) = arg
                && (param.lower.is_some_and(|l| *i < l) || param.upper.is_some_and(|u| *i > u))
            {
                return Err(fault(
                    at,
                    format!(
                        "{i} is outside the range of parameter `{}` of `{}`",
                        param.name, definition.name
                    ),
                ));
            }
        }
        let env = Env::params(args.iter().cloned().map(Some));
        let id = self.close(definition.body, &env, Closing::Text);
        self.terms.remember_body(def, args, id);
        Ok(id)
    }

    /// Gives values to names in a term that was closed before.
    pub(crate) fn bind(&self, term: TermId, env: &Env) -> TermId {
        if env.is_empty() {
            term
        } else {
            self.close(term, env, Closing::Rest)
        }
    }

    /// Closes a term.
    pub(crate) fn close(&self, id: TermId, env: &Env, how: Closing) -> TermId {
        // A chain of prefixes may be long: it is walked in a loop, not by recursion.
        let mut chain: Vec<Arc<Node>> = Vec::new();
        let mut current = id;
        let mut closed = loop {
            let node = self.terms.get(current);
            if how == Closing::Rest && !node.free.iter().any(|&name| env.get(name).is_some()) {
                break current;
            }
            match &node.term {
                Term::Prefix(.., then)
                | Term::Silent(_, then)
                | Term::Send(.., then)
                | Term::Receive(.., then)
                | Term::Guard(_, then) => {
                    current = *then;
                    chain.push(node);
                }
                _ => break self.close_operator(&node.term, env, how),
            }
        };
        while let Some(node) = chain.pop() {
            closed = self.terms.intern(close_prefix(&node.term, closed, env));
        }
        closed
    }

    fn close_operator(&self, term: &Term, env: &Env, how: Closing) -> TermId {
        let close = |p: TermId| self.close(p, env, how);
        let each = |v: &[TermId]| v.iter().map(|&p| close(p)).collect::<Vec<_>>();
        let closed = match term {
            Term::If(c, p, q) => Term::If(c.close(env), close(*p), close(*q)),
            Term::IfAtomic(c, p, q) => Term::IfAtomic(c.close(env), close(*p), close(*q)),
            Term::IfBlocking(c, p) => Term::IfBlocking(c.close(env), close(*p)),
            Term::Case(branches, otherwise) => {
                let branches = branches.iter().map(|(c, p)| (c.close(env), close(*p))).collect();
                Term::Case(branches, close(*otherwise))
            }
            Term::Choice(v) => Term::Choice(each(v)),
            Term::Internal(v) => Term::Internal(each(v)),
            Term::External(v) => Term::External(each(v)),
            Term::Interleave(v) => Term::Interleave(each(v)),
            Term::Parallel(v) => return self.synchronise(each(v), how),
            Term::Synchronised(v, alphabets) => Term::Synchronised(each(v), Arc::clone(alphabets)),
            Term::Interrupt(p, q) => Term::Interrupt(close(*p), close(*q)),
            Term::Sequence(p, q) => Term::Sequence(close(*p), close(*q)),
            Term::Hide(p, set) => Term::Hide(close(*p), Arc::clone(set)),
            Term::HideOpen(p, patterns) => {
                let p = close(*p);
                match events_of(patterns, env) {
                    Ok(Some(set)) => Term::Hide(p, set),
                    Ok(None) => Term::HideOpen(p, close_patterns(patterns, env)),
                    Err(f) => Term::Fault(Arc::new(f)),
                }
            }
            Term::Atomic(p) => Term::Atomic(close(*p)),
            Term::Process(n, p) => Term::Process(*n, close(*p)),
            Term::Assert(c, at) => Term::Assert(c.close(env), *at),
            Term::Call(def, args, at) => Term::Call(*def, close_all(args, env), *at),
            Term::Indexed(operator, bindings, body) => {
                let mut operands = Vec::new();
                let mut inner = env.clone();
                let visited = combinations(bindings, Empty::Nothing, &mut inner, &mut |env| {
                    operands.push(self.close(*body, env, how));
                });
                match visited {
                    Ok(Known::Yes) => return self.compose(*operator, operands, how),
                    Ok(Known::No) => Term::Indexed(*operator, close_bindings(bindings, env), close(*body)),
                    Err(f) => Term::Fault(Arc::new(f)),
                }
            }
            Term::Copies(count, body, at) => match count.close(env) {
                Expr::Const(Value::Int(n)) if n >= 0 && n as usize <= crate::expr::MAX_COMBINATIONS => {
                    Term::Interleave(vec![close(*body); n as usize])
                }
                Expr::Const(v) => Term::Fault(Arc::new(fault(*at, format!("{v} is no number of copies")))),
                count => Term::Copies(count, close(*body), *at),
            },
            Term::Ended
            | Term::Stop
            | Term::Skip
            | Term::Fault(_)
            | Term::Prefix(..)
            | Term::Silent(..)
            | Term::Send(..)
            | Term::Receive(..)
            | Term::Guard(..) => term.clone(),
        };
        self.terms.intern(closed)
    }

    fn compose(&self, operator: Operator, operands: Vec<TermId>, how: Closing) -> TermId {
        match operator {
            Operator::Interleave => self.terms.intern(Term::Interleave(operands)),
            Operator::Parallel => self.synchronise(operands, how),
            Operator::Choice => {
                // `([] i:{0..1} @ Skip); Q` has a `tau`: an indexed choice is no shape of `Skip`, so it must not become one.
                let ends = !operands.is_empty() && operands.iter().all(|&p| self.terms.get(p).is_skip);
                let choice = self.terms.intern(Term::Choice(operands));
                if ends { self.ending(choice) } else { choice }
            }
            Operator::Internal => self.terms.intern(Term::Internal(operands)),
            Operator::External => self.terms.intern(Term::External(operands)),
        }
    }

    /// `[true] P`: does what `P` does, and is not `Skip` by its shape.
    pub(crate) fn ending(&self, p: TermId) -> TermId {
        self.terms.intern(Term::Guard(Expr::Const(Value::Bool(true)), p))
    }

    /// `||` with its alphabets, as soon as the operands are closed.
    fn synchronise(&self, operands: Vec<TermId>, how: Closing) -> TermId {
        let open = self.terms.intern(Term::Parallel(operands.clone()));
        if operands.len() <= 1 || how == Closing::Events || !self.terms.get(open).free.is_empty() {
            return open;
        }
        let alphabets: Result<Vec<EventSet>, Fault> =
            operands.iter().map(|&p| alphabet::of(self, p)).collect();
        self.terms.intern(match alphabets {
            Ok(alphabets) => Term::Synchronised(operands, alphabets.into()),
            Err(f) => Term::Fault(Arc::new(f)),
        })
    }
}

fn close_prefix(term: &Term, then: TermId, env: &Env) -> Term {
    let program = |p: &Option<Arc<Program>>| p.as_ref().map(|p| Arc::new(p.close(env)));
    match term {
        Term::Prefix(event, p, _) => Term::Prefix(event.close(env), program(p), then),
        Term::Silent(p, _) => Term::Silent(program(p), then),
        Term::Send(channel, values, p, _) => {
            Term::Send(channel.close(env), close_all(values, env), program(p), then)
        }
        Term::Receive(channel, guard, patterns, p, _) => {
            let close = |pattern: &Pattern| match pattern {
                Pattern::Bind(b) => Pattern::Bind(*b),
                Pattern::Match(e) => Pattern::Match(e.close(env)),
            };
            Term::Receive(
                channel.close(env),
                guard.as_ref().map(|g| g.close(env)),
                patterns.iter().map(close).collect(),
                program(p),
                then,
            )
        }
        Term::Guard(condition, _) => Term::Guard(condition.close(env), then),
        _ => unreachable!("only prefixes are put on the chain"),
    }
}

impl EventExpr {
    /// With values for names.
    #[must_use]
    pub(crate) fn close(&self, env: &Env) -> EventExpr {
        EventExpr {
            name: Arc::clone(&self.name),
            indices: close_all(&self.indices, env),
            annotation: self.annotation,
            at: self.at,
        }
    }

    /// The event, if all its indices are known.
    pub(crate) fn known(&self) -> Option<Event> {
        let indices = self
            .indices
            .iter()
            .map(|e| e.value().cloned())
            .collect::<Option<_>>()?;
        Some(Event {
            name: Arc::clone(&self.name),
            indices,
        })
    }
}

fn close_patterns(patterns: &[EventPattern], env: &Env) -> Vec<EventPattern> {
    let close = |p: &EventPattern| EventPattern {
        bindings: close_bindings(&p.bindings, env),
        event: p.event.close(env),
    };
    patterns.iter().map(close).collect()
}

/// The events that patterns stand for; none while they mention names without a value.
pub(crate) fn events_of(patterns: &[EventPattern], env: &Env) -> Result<Option<EventSet>, Fault> {
    let mut events = BTreeSet::new();
    let mut open = false;
    let mut variable = None;
    for pattern in patterns {
        let mut inner = env.clone();
        let known = combinations(&pattern.bindings, Empty::Fault, &mut inner, &mut |env| {
            let event = pattern.event.close(env);
            match event.known() {
                Some(event) => {
                    events.insert(event);
                }
                None => {
                    let mut names = Vec::new();
                    event.indices.iter().for_each(|e| e.free_names(&mut names));
                    open |= !names.is_empty();
                    variable = variable.or(names.is_empty().then_some(event.at));
                }
            }
        })?;
        open |= matches!(known, Known::No);
    }
    match variable {
        Some(at) => Err(fault(at, "an event in a set must have constant indices")),
        None => Ok((!open).then(|| events.into_iter().collect())),
    }
}
