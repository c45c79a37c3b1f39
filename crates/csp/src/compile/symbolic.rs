//! What a process can do first, with guards left as expressions.
//!
//! The same rules as the reference's, on the same terms, but conditions on variables are collected and not decided: the result serves every state in which the
//! process stands there. What must be known to tell *which* steps there are (arguments of calls, indices of events and channels, messages) is asked of
//! an [`Oracle`], which looks at the state at hand and remembers what it was asked, so that the answer can be reused wherever the same questions have the same answers.

use crate::expr::{Env, fault, message, no_index};
use crate::model::{
    At, Base, BinaryOp, BoundId, ChannelRef, DefId, EventExpr, Expr, Model, Pattern, Program, Type, UnaryOp,
    Value,
};
use crate::reference::{MAX_CALLS, MAX_DEPTH, MAX_WHOLE_DEPTH, endless, place, too_deep};
use crate::state::{channel_name, slot};
use crate::term::{Event, EventSet, Term, TermId};
use crate::unfolding::Unfolding;
use fairhold_system::Fault;
use std::sync::Arc;

/// Knows the value of an expression in the state at hand.
pub(super) trait Oracle {
    /// The value, or how its evaluation goes wrong.
    fn ask(&mut self, e: &Expr) -> Result<Value, Fault>;
}

/// One field of an input.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Taken {
    /// Takes any value.
    Any(BoundId),
    /// Takes this one.
    Only(Value),
}

/// What an input takes; its guard, programs and continuation mention the names it binds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Input {
    /// The condition on what is taken.
    pub(super) guard: Option<Expr>,
    /// The fields.
    pub(super) patterns: Vec<Taken>,
}

impl Input {
    /// The names bound by taking a message; none if it does not fit.
    pub(super) fn accept(&self, message: &[Value]) -> Option<Env> {
        if self.patterns.len() != message.len() {
            return None;
        }
        let mut env = Env::default();
        for (pattern, value) in self.patterns.iter().zip(message) {
            match pattern {
                Taken::Any(name) => env.bind(*name, value.clone()),
                Taken::Only(v) if v == value => {}
                Taken::Only(_) => return None,
            }
        }
        Some(env)
    }
}

/// What a symbolic step does.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Action {
    /// The silent event.
    Tau,
    /// Successful termination.
    Terminate,
    /// An event that may synchronise.
    Event(Event),
    /// An event that does not.
    Solo(Event),
    /// A message for a buffer.
    Push {
        channel: usize,
        name: String,
        message: Vec<Value>,
    },
    /// A message from a buffer.
    Pop {
        channel: usize,
        name: String,
        input: Input,
    },
    /// Half of a synchronous communication.
    Send {
        channel: usize,
        name: Arc<str>,
        message: Vec<Value>,
    },
    /// The other half.
    Receive { channel: usize, input: Input },
    /// The model goes wrong here.
    Fault(Fault),
    /// Nothing happens, but the guards are evaluated: a condition that goes wrong does so even if the step finds no partner.
    Check,
}

/// A symbolic step.
#[derive(Clone, Debug)]
pub(super) struct Sym {
    /// Conditions in the order they are tested; the first that fails ends the matter.
    pub(super) guards: Vec<Expr>,
    /// What happens.
    pub(super) action: Action,
    /// What runs with it, in order, after the channels have changed.
    pub(super) programs: Vec<Arc<Program>>,
    /// Numbered processes that take part, ascending.
    pub(super) processes: Vec<u32>,
    /// Inside `atomic`.
    pub(super) atomic: bool,
    /// What the process is afterwards.
    pub(super) next: TermId,
}

fn sym(action: Action, program: Option<&Arc<Program>>, next: TermId) -> Sym {
    Sym {
        guards: Vec::new(),
        action,
        programs: program.into_iter().cloned().collect(),
        processes: Vec::new(),
        atomic: false,
        next,
    }
}

fn faulty(f: Fault) -> Vec<Sym> {
    vec![Sym::fault(f)]
}

impl Sym {
    /// The model goes wrong.
    fn fault(f: Fault) -> Sym {
        sym(Action::Fault(f), None, TermId::STOP)
    }

    /// Nothing happens, but these conditions are tested.
    fn check(guards: Vec<Expr>) -> Sym {
        Sym {
            guards,
            ..sym(Action::Check, None, TermId::STOP)
        }
    }
}

/// Calls nested deeper than this decide their guards at once, so that a recursion that only a guard ends does end.
const EAGER_CALLS: usize = 60;

/// Calls may be met again this often under other conditions; then all conditions are decided.
const MAX_AGAIN: u32 = 64;

/// The calls unfolded on the way.
///
/// As long as conditions are open, a call met twice in one choice is unfolded twice, for the conditions differ. That may take exponentially many ways. Then, and where
/// calls are nested deeper than they may be, everything is computed anew with all conditions decided, and it is what the reference does: a call met again
/// contributes nothing.
struct Calls {
    unfolding: Unfolding,
    /// Whether all conditions are decided at once.
    decided: bool,
    /// How often a call was met again.
    again: u32,
    /// Whether to stop and decide all conditions instead.
    gives_up: bool,
}

impl Calls {
    fn new(decided: bool) -> Calls {
        Calls {
            unfolding: Unfolding::new(),
            decided,
            again: 0,
            gives_up: false,
        }
    }
}

/// Computes symbolic steps.
pub(super) struct Symbolic<'a, O> {
    pub(super) model: &'a Model,
    pub(super) oracle: &'a mut O,
}

type Syms = Result<Vec<Sym>, Fault>;

impl<O: Oracle> Symbolic<'_, O> {
    /// The symbolic steps of a closed term. An error is a term too deep to step at all.
    pub(super) fn steps(&mut self, id: TermId) -> Syms {
        let mut calls = Calls::new(false);
        let all = self.derive(id, &mut calls)?;
        if calls.gives_up {
            return self.derive(id, &mut Calls::new(true));
        }
        Ok(all)
    }

    /// The steps that the rules derive. `calls` are those unfolded on the way.
    fn derive(&mut self, id: TermId, calls: &mut Calls) -> Syms {
        let node = self.model.terms.get(id);
        if node.depth > MAX_WHOLE_DEPTH {
            return Err(too_deep());
        }
        match &node.term {
            Term::Ended | Term::Stop => Ok(Vec::new()),
            Term::Skip => Ok(vec![sym(Action::Terminate, None, TermId::ENDED)]),
            Term::Prefix(event, program, then) => Ok(self.prefix(event, program.as_ref(), *then)),
            Term::Silent(program, then) => Ok(vec![sym(Action::Tau, program.as_ref(), *then)]),
            Term::Send(channel, values, program, then) => {
                Ok(self.send(channel, values, program.as_ref(), *then))
            }
            Term::Receive(channel, guard, patterns, program, then) => {
                Ok(self.receive(channel, guard.as_ref(), patterns, program.as_ref(), *then))
            }
            Term::Guard(condition, then) => self.when(condition, *then, calls),
            Term::If(condition, then, otherwise) => Ok(vec![
                guarded(std::slice::from_ref(condition), sym(Action::Tau, None, *then)),
                guarded(&[negation(condition)], sym(Action::Tau, None, *otherwise)),
            ]),
            Term::IfAtomic(condition, then, otherwise) => {
                let mut all = self.when(condition, *then, calls)?;
                all.extend(self.when(&negation(condition), *otherwise, calls)?);
                Ok(all)
            }
            Term::IfBlocking(condition, then) => Ok(vec![guarded(
                std::slice::from_ref(condition),
                sym(Action::Tau, None, *then),
            )]),
            Term::Case(branches, otherwise) => Ok(case(branches, *otherwise)),
            Term::Choice(operands) => {
                let mut all = Vec::new();
                for &p in operands {
                    all.extend(self.derive(p, calls)?);
                }
                Ok(all)
            }
            Term::Internal(operands) => Ok(operands.iter().map(|&p| sym(Action::Tau, None, p)).collect()),
            Term::External(operands) => self.external(operands, calls),
            Term::Interleave(operands) => {
                let own = self.each(operands, calls)?;
                let compose = |v| self.model.terms.intern(Term::Interleave(v));
                let mut all = Vec::new();
                for (i, steps) in own.iter().enumerate() {
                    for s in steps.iter().filter(|s| s.action != Action::Terminate) {
                        all.push(Sym {
                            next: compose(with(operands, i, s.next)),
                            ..s.clone()
                        });
                    }
                }
                self.communications(operands, &own, &compose, &mut all);
                all.extend(terminations(&own));
                all.extend(self.checks(own.iter().flatten().filter(|s| s.action == Action::Terminate)));
                Ok(all)
            }
            Term::Synchronised(operands, alphabets) => self.synchronised(operands, alphabets, calls),
            Term::Interrupt(p, q) => self.interrupt(*p, *q, calls),
            Term::Hide(p, hidden) => self.hide(*p, hidden, calls),
            Term::Sequence(p, q) => self.sequence(*p, *q, calls),
            Term::Atomic(p) => {
                let mut all = self.part(*p, calls)?;
                for s in &mut all {
                    s.atomic = true;
                }
                self.wrap(&mut all, Term::Atomic);
                Ok(all)
            }
            Term::Process(n, p) => {
                if self.model.terms.get(*p).depth > MAX_DEPTH {
                    return Err(too_deep());
                }
                let mut all = self.part(*p, calls)?;
                for s in &mut all {
                    s.processes = vec![*n];
                }
                self.wrap(&mut all, |next| Term::Process(*n, next));
                Ok(all)
            }
            Term::Assert(condition, at) => Ok(vec![
                guarded(
                    std::slice::from_ref(condition),
                    sym(Action::Terminate, None, TermId::ENDED),
                ),
                guarded(
                    &[negation(condition)],
                    sym(
                        Action::Fault(fault(*at, "the assertion does not hold")),
                        None,
                        TermId::STOP,
                    ),
                ),
            ]),
            Term::Call(def, args, at) => self.call(*def, args, *at, calls),
            Term::Fault(f) => Ok(faulty((**f).clone())),
            Term::Parallel(_) | Term::HideOpen(..) | Term::Indexed(..) | Term::Copies(..) => Ok(faulty(
                fault(At::default(), "a range or a set depends on a variable"),
            )),
        }
    }

    pub(super) fn value(&mut self, e: &Expr) -> Result<Value, Fault> {
        match e {
            Expr::Const(v) => Ok(v.clone()),
            Expr::Fault(f) => Err((**f).clone()),
            e => self.oracle.ask(e),
        }
    }

    /// The indices of an event.
    fn indices(&mut self, exprs: &[Expr], at: At) -> Result<Vec<Value>, Fault> {
        let mut values = Vec::new();
        for e in exprs {
            let value = self.value(e)?;
            if value.word().is_none() {
                return Err(no_index(at));
            }
            values.push(value);
        }
        Ok(values)
    }

    fn prefix(&mut self, event: &EventExpr, program: Option<&Arc<Program>>, then: TermId) -> Vec<Sym> {
        match self.indices(&event.indices, event.at) {
            Ok(indices) => {
                let event = Event {
                    name: Arc::clone(&event.name),
                    indices,
                };
                let action = if program.is_some() {
                    Action::Solo(event)
                } else {
                    Action::Event(event)
                };
                vec![sym(action, program, then)]
            }
            Err(f) => faulty(f),
        }
    }

    /// The number and the name of a single channel.
    fn channel(&mut self, channel: &ChannelRef) -> Result<(usize, String), Fault> {
        let decl = &self.model.channels[channel.channel.0 as usize];
        let len = decl.len.unwrap_or(1) as usize;
        let element = match &channel.index {
            None => 0,
            Some(index) => match self.value(index)? {
                Value::Int(i) if usize::try_from(i).is_ok_and(|i| i < len) => i as usize,
                v => {
                    return Err(fault(
                        channel.at,
                        format!("index {v} is outside 0..{}", len as i64 - 1),
                    ));
                }
            },
        };
        Ok((
            slot(self.model, channel.channel) + element,
            channel_name(self.model, channel.channel, element),
        ))
    }

    fn send(
        &mut self,
        c: &ChannelRef,
        values: &[Expr],
        program: Option<&Arc<Program>>,
        then: TermId,
    ) -> Vec<Sym> {
        let parts = self.channel(c).and_then(|(channel, name)| {
            let values: Result<Vec<Value>, Fault> = values.iter().map(|e| self.value(e)).collect();
            Ok((channel, name, message(self.model, c, values?)?))
        });
        let buffered = self.model.channels[c.channel.0 as usize].capacity > 0;
        match parts {
            Ok((channel, name, message)) if buffered => {
                vec![sym(
                    Action::Push {
                        channel,
                        name,
                        message,
                    },
                    program,
                    then,
                )]
            }
            Ok((channel, name, message)) => {
                vec![sym(
                    Action::Send {
                        channel,
                        name: name.into(),
                        message,
                    },
                    program,
                    then,
                )]
            }
            Err(f) => faulty(f),
        }
    }

    fn receive(
        &mut self,
        c: &ChannelRef,
        guard: Option<&Expr>,
        patterns: &[Pattern],
        program: Option<&Arc<Program>>,
        then: TermId,
    ) -> Vec<Sym> {
        let parts = self.channel(c).and_then(|(channel, name)| {
            let mut taken = Vec::new();
            for pattern in patterns {
                taken.push(match pattern {
                    Pattern::Bind(b) => Taken::Any(*b),
                    Pattern::Match(e) => Taken::Only(self.value(e)?),
                });
            }
            Ok((
                channel,
                name,
                Input {
                    guard: guard.cloned(),
                    patterns: taken,
                },
            ))
        });
        let buffered = self.model.channels[c.channel.0 as usize].capacity > 0;
        match parts {
            Ok((channel, name, input)) if buffered => {
                vec![sym(Action::Pop { channel, name, input }, program, then)]
            }
            Ok((channel, _, input)) => vec![sym(Action::Receive { channel, input }, program, then)],
            Err(f) => faulty(f),
        }
    }

    /// The steps of a process under a condition.
    fn when(&mut self, condition: &Expr, then: TermId, calls: &mut Calls) -> Syms {
        let known = match condition {
            Expr::Const(v) => Some(v.clone()),
            e if calls.decided || calls.unfolding.depth() > EAGER_CALLS => match self.oracle.ask(e) {
                Ok(v) => Some(v),
                Err(f) => return Ok(faulty(f)),
            },
            _ => None,
        };
        match known {
            Some(Value::Bool(false)) => Ok(Vec::new()),
            Some(Value::Bool(true)) => self.derive(then, calls),
            Some(v) => Ok(faulty(no_condition(condition, &v))),
            None => {
                let steps = self.derive(then, calls)?;
                if steps.is_empty() && !is_safe(self.model, condition) {
                    // Nothing depends on the condition, but it is tested all the same.
                    let check = sym(Action::Check, None, TermId::STOP);
                    return Ok(vec![guarded(std::slice::from_ref(condition), check)]);
                }
                Ok(steps
                    .into_iter()
                    .map(|s| guarded(std::slice::from_ref(condition), s))
                    .collect())
            }
        }
    }

    fn each(&mut self, operands: &[TermId], calls: &mut Calls) -> Result<Vec<Vec<Sym>>, Fault> {
        operands.iter().map(|&p| self.part(p, calls)).collect()
    }

    /// The steps of an operand that are not steps of the whole as they stand.
    fn part(&mut self, id: TermId, calls: &mut Calls) -> Syms {
        calls.unfolding.start_part();
        let steps = self.derive(id, calls);
        calls.unfolding.end_part();
        steps
    }

    /// Puts what follows a step back into its context; a terminated process leaves it.
    fn wrap(&self, steps: &mut [Sym], context: impl Fn(TermId) -> Term) {
        for s in steps
            .iter_mut()
            .filter(|s| !matches!(s.action, Action::Terminate | Action::Fault(_) | Action::Check))
        {
            s.next = self.model.terms.intern(context(s.next));
        }
    }

    fn external(&mut self, operands: &[TermId], calls: &mut Calls) -> Syms {
        let mut all = Vec::new();
        for (i, mut steps) in self.each(operands, calls)?.into_iter().enumerate() {
            for s in steps.iter_mut().filter(|s| s.action == Action::Tau) {
                s.next = self.model.terms.intern(Term::External(with(operands, i, s.next)));
            }
            all.extend(steps);
        }
        Ok(all)
    }

    fn interrupt(&mut self, p: TermId, q: TermId, calls: &mut Calls) -> Syms {
        let mut all = self.part(p, calls)?;
        self.wrap(&mut all, |next| Term::Interrupt(next, q));
        let mut second = self.part(q, calls)?;
        for s in second.iter_mut().filter(|s| s.action == Action::Tau) {
            s.next = self.model.terms.intern(Term::Interrupt(p, s.next));
        }
        all.extend(second);
        Ok(all)
    }

    fn hide(&mut self, p: TermId, hidden: &EventSet, calls: &mut Calls) -> Syms {
        let mut all = self.part(p, calls)?;
        self.wrap(&mut all, |next| Term::Hide(next, Arc::clone(hidden)));
        for s in &mut all {
            if let Action::Event(e) | Action::Solo(e) = &s.action
                && hidden.binary_search(e).is_ok()
            {
                s.action = Action::Tau;
            }
        }
        Ok(all)
    }

    fn sequence(&mut self, p: TermId, q: TermId, calls: &mut Calls) -> Syms {
        let mut all = self.part(p, calls)?;
        self.wrap(&mut all, |next| Term::Sequence(next, q));
        for end in all.iter_mut().filter(|s| s.action == Action::Terminate) {
            (end.action, end.next) = (Action::Tau, q);
        }
        Ok(all)
    }

    /// The values of arguments.
    pub(super) fn values(&mut self, args: &[Expr]) -> Result<Vec<Value>, Fault> {
        args.iter().map(|e| self.value(e)).collect()
    }

    fn call(&mut self, def: DefId, args: &[Expr], at: At, calls: &mut Calls) -> Syms {
        if calls.gives_up {
            return Ok(Vec::new());
        }
        let body = match self.values(args).and_then(|args| self.model.body(def, &args, at)) {
            Ok(body) => body,
            Err(f) => return Ok(faulty(f)),
        };
        if calls.unfolding.is_around(body) {
            return Ok(Vec::new());
        }
        if !calls.unfolding.meet(body) {
            if calls.decided {
                return Ok(Vec::new());
            }
            calls.again += 1;
        }
        if calls.unfolding.depth() > MAX_CALLS && calls.decided {
            return Ok(faulty(endless(&self.model.definitions[def.0 as usize].name, at)));
        }
        if calls.unfolding.depth() > MAX_CALLS || calls.again > MAX_AGAIN {
            calls.gives_up = true;
            return Ok(Vec::new());
        }
        calls.unfolding.enter(body);
        let steps = self.derive(body, calls);
        calls.unfolding.leave();
        steps
    }

    fn synchronised(&mut self, operands: &[TermId], alphabets: &Arc<[EventSet]>, calls: &mut Calls) -> Syms {
        let own = self.each(operands, calls)?;
        let compose = |v| {
            self.model
                .terms
                .intern(Term::Synchronised(v, Arc::clone(alphabets)))
        };
        let knows = |j: usize, e: &Event| alphabets[j].binary_search(e).is_ok();
        let mut all = Vec::new();
        for (i, steps) in own.iter().enumerate() {
            for s in steps.iter().filter(|s| s.action != Action::Terminate) {
                let partners: Vec<usize> = match &s.action {
                    Action::Event(e) if knows(i, e) => (0..operands.len()).filter(|&j| knows(j, e)).collect(),
                    _ => vec![i],
                };
                if partners[0] != i {
                    continue;
                }
                for (joint, nexts) in together(s, &partners[1..], &own) {
                    let mut operands = operands.to_vec();
                    partners
                        .iter()
                        .zip(nexts)
                        .for_each(|(&j, next)| operands[j] = next);
                    all.push(Sym {
                        next: compose(operands),
                        ..joint
                    });
                }
            }
        }
        self.communications(operands, &own, &compose, &mut all);
        all.extend(terminations(&own));
        let partnered = |s: &&Sym| matches!(s.action, Action::Terminate | Action::Event(_));
        all.extend(self.checks(own.iter().flatten().filter(partnered)));
        Ok(all)
    }

    /// Steps that may find no partner but whose conditions may go wrong.
    fn checks<'s>(&self, steps: impl Iterator<Item = &'s Sym>) -> Vec<Sym> {
        let risky = steps.filter(|s| !s.guards.iter().all(|g| is_safe(self.model, g)));
        risky.map(|s| Sym::check(s.guards.clone())).collect()
    }

    fn communications(
        &self,
        operands: &[TermId],
        own: &[Vec<Sym>],
        compose: &dyn Fn(Vec<TermId>) -> TermId,
        all: &mut Vec<Sym>,
    ) {
        for (i, senders) in own.iter().enumerate() {
            for s in senders {
                let Action::Send {
                    channel,
                    name,
                    message,
                } = &s.action
                else {
                    continue;
                };
                for (j, receivers) in own.iter().enumerate().filter(|(j, _)| *j != i) {
                    for r in receivers {
                        let Action::Receive { channel: of, input } = &r.action else {
                            continue;
                        };
                        if of != channel {
                            continue;
                        }
                        let Some(env) = input.accept(message) else {
                            continue;
                        };
                        let mut guards = [s.guards.as_slice(), &r.guards].concat();
                        guards.extend(input.guard.iter().map(|g| g.close(&env)));
                        let mut programs = s.programs.clone();
                        programs.extend(r.programs.iter().map(|p| Arc::new(p.close(&env))));
                        let mut next = operands.to_vec();
                        next[i] = s.next;
                        next[j] = self.model.bind(r.next, &env);
                        all.push(Sym {
                            guards,
                            action: Action::Solo(Event {
                                name: Arc::clone(name),
                                indices: message.clone(),
                            }),
                            programs,
                            processes: union(&s.processes, &r.processes),
                            atomic: s.atomic || r.atomic,
                            next: compose(next),
                        });
                    }
                }
            }
        }
    }
}

/// A condition that is no truth value.
pub(super) fn no_condition(condition: &Expr, value: &Value) -> Fault {
    fault(
        place(condition),
        format!("a condition must be a truth value, not {value}"),
    )
}

/// Whether evaluating a condition certainly does not go wrong.
fn is_safe(model: &Model, e: &Expr) -> bool {
    safe_type(model, e) == Some(Type::Bool)
}

/// The type of an expression that certainly does not go wrong.
fn safe_type(model: &Model, e: &Expr) -> Option<Type> {
    match e {
        Expr::Const(v) => v.word().map(|(ty, _)| ty),
        Expr::Var(v, _) => {
            let decl = &model.variables[v.0 as usize];
            decl.dims.is_empty().then_some(decl.ty)
        }
        Expr::Element(Base::Var(v), indices, _) => {
            let decl = &model.variables[v.0 as usize];
            let inside = |(e, &dim): (&Expr, &u32)| matches!(e, Expr::Const(Value::Int(i)) if (0..i64::from(dim)).contains(&i64::from(*i)));
            indices.iter().zip(&decl.dims).all(inside).then_some(decl.ty)
        }
        Expr::Unary(UnaryOp::Not, e, _) => safe_type(model, e).filter(|ty| *ty == Type::Bool),
        Expr::Unary(UnaryOp::Neg, e, _) => safe_type(model, e).filter(|ty| *ty == Type::Int),
        Expr::Binary(BinaryOp::Div | BinaryOp::Mod, ..) => None,
        Expr::Binary(op, a, b, _) => {
            let (a, b) = (safe_type(model, a)?, safe_type(model, b)?);
            if a == b { op.result(a) } else { None }
        }
        _ => None,
    }
}

/// Puts conditions before others: they are tested first.
fn guarded_by(conditions: &[Expr], guards: &mut Vec<Expr>) {
    guards.splice(0..0, conditions.iter().cloned());
}

/// A step under more conditions.
fn guarded(conditions: &[Expr], mut s: Sym) -> Sym {
    guarded_by(conditions, &mut s.guards);
    s
}

/// The negation of a condition.
fn negation(condition: &Expr) -> Expr {
    let not = Expr::Unary(UnaryOp::Not, Box::new(condition.clone()), place(condition));
    not.close(&Env::default())
}

fn case(branches: &[(Expr, TermId)], otherwise: TermId) -> Vec<Sym> {
    let mut all = Vec::new();
    let mut before = Vec::new();
    for (condition, branch) in branches {
        let mut guards = before.clone();
        guards.push(condition.clone());
        all.push(guarded(&guards, sym(Action::Tau, None, *branch)));
        before.push(negation(condition));
    }
    all.push(guarded(&before, sym(Action::Tau, None, otherwise)));
    all
}

/// The operands with one replaced.
fn with(operands: &[TermId], i: usize, next: TermId) -> Vec<TermId> {
    let mut operands = operands.to_vec();
    operands[i] = next;
    operands
}

fn union(a: &[u32], b: &[u32]) -> Vec<u32> {
    let mut all = [a, b].concat();
    all.sort_unstable();
    all.dedup();
    all
}

/// One step of the first participant with one same step of each of the others, in all ways: the joint step, and what each becomes.
fn together(first: &Sym, others: &[usize], own: &[Vec<Sym>]) -> Vec<(Sym, Vec<TermId>)> {
    let mut joint = vec![(first.clone(), vec![first.next])];
    for &j in others {
        let mut longer = Vec::new();
        for (s, nexts) in &joint {
            for o in own[j].iter().filter(|o| o.action == s.action) {
                let mut s = s.clone();
                s.guards.extend(o.guards.iter().cloned());
                s.processes = union(&s.processes, &o.processes);
                s.atomic |= o.atomic;
                let mut nexts = nexts.clone();
                nexts.push(o.next);
                longer.push((s, nexts));
            }
        }
        joint = longer;
    }
    joint
}

/// The joint termination of all operands.
fn terminations(own: &[Vec<Sym>]) -> Vec<Sym> {
    // Ends that are alike count once: the product over the operands would be exponential in the ways to `Skip`.
    let ends = |steps: &Vec<Sym>| {
        let mut ends: Vec<Sym> = Vec::new();
        for s in steps.iter().filter(|s| s.action == Action::Terminate) {
            let alike = |e: &Sym| e.guards == s.guards && e.processes == s.processes && e.atomic == s.atomic;
            if !ends.iter().any(alike) {
                ends.push(s.clone());
            }
        }
        ends
    };
    let ends: Vec<Vec<Sym>> = own.iter().map(ends).collect();
    let others: Vec<usize> = (1..own.len()).collect();
    ends[0]
        .iter()
        .flat_map(|first| together(first, &others, &ends))
        .map(|(s, _)| s)
        .collect()
}
