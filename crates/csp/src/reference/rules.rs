//! The rules, one function each.

use super::{Action, MAX_CALLS, MAX_DEPTH, MAX_WHOLE_DEPTH, Offer, Taken, endless, eval, too_deep};
use crate::expr::{Env, fault, message, no_index};
use crate::model::{At, ChannelRef, DefId, EventExpr, Expr, Model, Pattern, Program, Value};
use crate::state::{Valuation, channel_name, slot};
use crate::term::{Event, EventSet, Term, TermId};
use crate::unfolding::Unfolding;
use fairhold_system::Fault;
use std::collections::BTreeSet;
use std::sync::Arc;

/// The rules in one valuation.
pub(super) struct Rules<'a> {
    pub(super) model: &'a Model,
    pub(super) values: &'a Valuation,
}

type Offers = Result<Vec<Offer>, Fault>;

fn offer(action: Action, program: Option<&Arc<Program>>, next: TermId) -> Offer {
    Offer {
        action,
        programs: program.into_iter().cloned().collect(),
        processes: BTreeSet::new(),
        atomic: false,
        next,
    }
}

impl Rules<'_> {
    /// All a process can do first. `calls` are those unfolded on the way: met again, they contribute nothing.
    pub(super) fn offers(&self, id: TermId, calls: &mut Unfolding) -> Offers {
        let node = self.model.terms.get(id);
        if node.depth > MAX_WHOLE_DEPTH {
            return Err(too_deep());
        }
        match &node.term {
            Term::Ended | Term::Stop => Ok(Vec::new()),
            Term::Skip => Ok(vec![offer(Action::Terminate, None, TermId::ENDED)]),
            Term::Prefix(event, program, then) => self.prefix(event, program.as_ref(), *then),
            Term::Silent(program, then) => Ok(vec![offer(Action::Tau, program.as_ref(), *then)]),
            Term::Send(channel, values, program, then) => self.send(channel, values, program.as_ref(), *then),
            Term::Receive(channel, guard, patterns, program, then) => {
                self.receive(channel, guard.as_ref(), patterns, program.as_ref(), *then)
            }
            Term::Guard(condition, then) => self.guard(condition, *then, calls),
            Term::If(condition, then, otherwise) => self.conditional(condition, *then, *otherwise),
            Term::IfAtomic(condition, then, otherwise) => self.if_atomic(condition, *then, *otherwise, calls),
            Term::IfBlocking(condition, then) => self.if_blocking(condition, *then),
            Term::Case(branches, otherwise) => self.case(branches, *otherwise),
            Term::Choice(operands) => self.choice(operands, calls),
            Term::Internal(operands) => Ok(self.internal(operands)),
            Term::External(operands) => self.external(operands, calls),
            Term::Interleave(operands) => self.interleave(operands, calls),
            Term::Synchronised(operands, alphabets) => self.synchronised(operands, alphabets, calls),
            Term::Interrupt(p, q) => self.interrupt(*p, *q, calls),
            Term::Hide(p, hidden) => self.hide(*p, hidden, calls),
            Term::Sequence(p, q) => self.sequence(*p, *q, calls),
            Term::Atomic(p) => self.atomic(*p, calls),
            Term::Assert(condition, at) => self.assert(condition, *at),
            Term::Call(def, args, at) => self.call(*def, args, *at, calls),
            Term::Process(n, p) => self.process(*n, *p, calls),
            Term::Fault(f) => Err((**f).clone()),
            Term::Parallel(_) | Term::HideOpen(..) | Term::Indexed(..) | Term::Copies(..) => {
                Err(fault(At::default(), "a range or a set depends on a variable"))
            }
        }
    }

    /// The offers of an operand that are not offers of the whole as they stand.
    fn part(&self, id: TermId, calls: &mut Unfolding) -> Offers {
        calls.start_part();
        let offers = self.offers(id, calls);
        calls.end_part();
        offers
    }

    fn intern(&self, term: Term) -> TermId {
        self.model.terms.intern(term)
    }

    /// `e{program} -> P`
    fn prefix(&self, event: &EventExpr, program: Option<&Arc<Program>>, then: TermId) -> Offers {
        let mut indices = Vec::new();
        for index in &event.indices {
            let value = eval::eval(self.model, self.values, index)?;
            if value.word().is_none() {
                return Err(no_index(event.at));
            }
            indices.push(value);
        }
        let event = Event {
            name: Arc::clone(&event.name),
            indices,
        };
        let action = if program.is_some() {
            Action::Solo(event)
        } else {
            Action::Event(event)
        };
        Ok(vec![offer(action, program, then)])
    }

    /// `c!x{program} -> P`
    fn send(
        &self,
        channel: &ChannelRef,
        values: &[Expr],
        program: Option<&Arc<Program>>,
        then: TermId,
    ) -> Offers {
        let number = eval::channel(self.model, self.values, channel)?;
        let values: Result<Vec<Value>, Fault> = values
            .iter()
            .map(|value| eval::eval(self.model, self.values, value))
            .collect();
        let message = message(self.model, channel, values?)?;
        let name = self.channel_name(channel, number);
        let decl = &self.model.channels[channel.channel.0 as usize];
        let action = if decl.capacity == 0 {
            Action::Send {
                channel: number,
                name: name.into(),
                message,
            }
        } else if self.values.channels[number].len() < decl.capacity as usize {
            Action::Push {
                channel: number,
                name,
                message,
            }
        } else {
            return Ok(Vec::new());
        };
        Ok(vec![offer(action, program, then)])
    }

    /// `c?[guard]x{program} -> P`
    fn receive(
        &self,
        channel: &ChannelRef,
        guard: Option<&Expr>,
        patterns: &[Pattern],
        program: Option<&Arc<Program>>,
        then: TermId,
    ) -> Offers {
        let number = eval::channel(self.model, self.values, channel)?;
        let mut taken = Vec::new();
        for pattern in patterns {
            taken.push(match pattern {
                Pattern::Bind(name) => Taken::Any(*name),
                Pattern::Match(e) => Taken::Only(eval::eval(self.model, self.values, e)?),
            });
        }
        if self.model.channels[channel.channel.0 as usize].capacity == 0 {
            let action = Action::Receive {
                channel: number,
                guard: guard.cloned(),
                patterns: taken,
            };
            return Ok(vec![offer(action, program, then)]);
        }
        let Some(message) = self.values.channels[number].first() else {
            return Ok(Vec::new());
        };
        let Some(env) = self.accept(&taken, guard, message)? else {
            return Ok(Vec::new());
        };
        let name = self.channel_name(channel, number);
        Ok(vec![bound(
            self.model,
            offer(
                Action::Pop {
                    channel: number,
                    name,
                },
                program,
                then,
            ),
            &env,
        )])
    }

    fn channel_name(&self, channel: &ChannelRef, number: usize) -> String {
        channel_name(
            self.model,
            channel.channel,
            number - slot(self.model, channel.channel),
        )
    }

    /// The names an input binds if it takes a message.
    fn accept(
        &self,
        patterns: &[Taken],
        guard: Option<&Expr>,
        message: &[Value],
    ) -> Result<Option<Env>, Fault> {
        if patterns.len() != message.len() {
            return Ok(None);
        }
        let mut env = Env::default();
        for (pattern, value) in patterns.iter().zip(message) {
            match pattern {
                Taken::Any(name) => env.bind(*name, value.clone()),
                Taken::Only(v) if v == value => {}
                Taken::Only(_) => return Ok(None),
            }
        }
        let taken = match guard {
            Some(guard) => eval::test(self.model, self.values, &guard.close(&env))?,
            None => true,
        };
        Ok(taken.then_some(env))
    }

    /// `[b] P`
    fn guard(&self, condition: &Expr, then: TermId, calls: &mut Unfolding) -> Offers {
        if eval::test(self.model, self.values, condition)? {
            self.offers(then, calls)
        } else {
            Ok(Vec::new())
        }
    }

    /// `if (b) {P} else {Q}`
    fn conditional(&self, condition: &Expr, then: TermId, otherwise: TermId) -> Offers {
        let branch = if eval::test(self.model, self.values, condition)? {
            then
        } else {
            otherwise
        };
        Ok(vec![offer(Action::Tau, None, branch)])
    }

    /// `ifa (b) {P} else {Q}`
    fn if_atomic(&self, condition: &Expr, then: TermId, otherwise: TermId, calls: &mut Unfolding) -> Offers {
        let branch = if eval::test(self.model, self.values, condition)? {
            then
        } else {
            otherwise
        };
        self.offers(branch, calls)
    }

    /// `ifb (b) {P}`
    fn if_blocking(&self, condition: &Expr, then: TermId) -> Offers {
        let open = eval::test(self.model, self.values, condition)?;
        Ok(open.then(|| offer(Action::Tau, None, then)).into_iter().collect())
    }

    /// `case {b: P ... default: Q}`
    fn case(&self, branches: &[(Expr, TermId)], otherwise: TermId) -> Offers {
        for (condition, branch) in branches {
            if eval::test(self.model, self.values, condition)? {
                return Ok(vec![offer(Action::Tau, None, *branch)]);
            }
        }
        Ok(vec![offer(Action::Tau, None, otherwise)])
    }

    /// `P [] Q`
    fn choice(&self, operands: &[TermId], calls: &mut Unfolding) -> Offers {
        let mut all = Vec::new();
        for &p in operands {
            all.extend(self.offers(p, calls)?);
        }
        Ok(all)
    }

    /// `P <> Q`
    fn internal(&self, operands: &[TermId]) -> Vec<Offer> {
        operands.iter().map(|&p| offer(Action::Tau, None, p)).collect()
    }

    /// `P [*] Q`
    fn external(&self, operands: &[TermId], calls: &mut Unfolding) -> Offers {
        let mut all = Vec::new();
        for (i, &p) in operands.iter().enumerate() {
            for mut o in self.part(p, calls)? {
                if o.action == Action::Tau {
                    o.next = self.intern(Term::External(with(operands, i, o.next)));
                }
                all.push(o);
            }
        }
        Ok(all)
    }

    /// `P ||| Q`
    fn interleave(&self, operands: &[TermId], calls: &mut Unfolding) -> Offers {
        let offers: Vec<Vec<Offer>> = operands
            .iter()
            .map(|&p| self.part(p, calls))
            .collect::<Result<_, _>>()?;
        let compose = |v: Vec<TermId>| self.intern(Term::Interleave(v));
        let mut all = Vec::new();
        for (i, own) in offers.iter().enumerate() {
            for o in own.iter().filter(|o| o.action != Action::Terminate) {
                all.push(Offer {
                    next: compose(with(operands, i, o.next)),
                    ..o.clone()
                });
            }
        }
        all.extend(self.communications(operands, &offers, &compose)?);
        all.extend(terminations(&offers));
        Ok(all)
    }

    /// `P || Q`
    fn synchronised(
        &self,
        operands: &[TermId],
        alphabets: &Arc<[EventSet]>,
        calls: &mut Unfolding,
    ) -> Offers {
        let offers: Vec<Vec<Offer>> = operands
            .iter()
            .map(|&p| self.part(p, calls))
            .collect::<Result<_, _>>()?;
        let compose = |v: Vec<TermId>| self.intern(Term::Synchronised(v, Arc::clone(alphabets)));
        let mut all = Vec::new();
        for (i, own) in offers.iter().enumerate() {
            for o in own.iter().filter(|o| o.action != Action::Terminate) {
                let partners: Vec<usize> = match &o.action {
                    Action::Event(e) if alphabets[i].contains(e) => (0..operands.len())
                        .filter(|&j| alphabets[j].contains(e))
                        .collect(),
                    _ => vec![i],
                };
                if partners[0] == i {
                    let joint = together(o, &partners[1..], &offers);
                    all.extend(joint.into_iter().map(|(offer, nexts)| {
                        let mut operands = operands.to_vec();
                        for (&j, next) in partners.iter().zip(nexts) {
                            operands[j] = next;
                        }
                        Offer {
                            next: compose(operands),
                            ..offer
                        }
                    }));
                }
            }
        }
        all.extend(self.communications(operands, &offers, &compose)?);
        all.extend(terminations(&offers));
        Ok(all)
    }

    /// Synchronous communications between two operands of a composition.
    fn communications(
        &self,
        operands: &[TermId],
        offers: &[Vec<Offer>],
        compose: &dyn Fn(Vec<TermId>) -> TermId,
    ) -> Offers {
        let mut all = Vec::new();
        for (i, senders) in offers.iter().enumerate() {
            for s in senders {
                let Action::Send {
                    channel,
                    name,
                    message,
                } = &s.action
                else {
                    continue;
                };
                for (j, receivers) in offers.iter().enumerate().filter(|(j, _)| *j != i) {
                    for r in receivers {
                        let Action::Receive {
                            channel: of,
                            guard,
                            patterns,
                        } = &r.action
                        else {
                            continue;
                        };
                        if of != channel {
                            continue;
                        }
                        let Some(env) = self.accept(patterns, guard.as_ref(), message)? else {
                            continue;
                        };
                        let r = bound(self.model, r.clone(), &env);
                        let mut next = operands.to_vec();
                        next[i] = s.next;
                        next[j] = r.next;
                        all.push(Offer {
                            action: Action::Solo(Event {
                                name: Arc::clone(name),
                                indices: message.clone(),
                            }),
                            programs: s.programs.iter().chain(&r.programs).cloned().collect(),
                            processes: s.processes.union(&r.processes).copied().collect(),
                            atomic: s.atomic || r.atomic,
                            next: compose(next),
                        });
                    }
                }
            }
        }
        Ok(all)
    }

    /// `P interrupt Q`
    fn interrupt(&self, p: TermId, q: TermId, calls: &mut Unfolding) -> Offers {
        let mut all = self.part(p, calls)?;
        for o in all.iter_mut().filter(|o| o.action != Action::Terminate) {
            o.next = self.intern(Term::Interrupt(o.next, q));
        }
        for mut o in self.part(q, calls)? {
            if o.action == Action::Tau {
                o.next = self.intern(Term::Interrupt(p, o.next));
            }
            all.push(o);
        }
        Ok(all)
    }

    /// `P \ {...}`
    fn hide(&self, p: TermId, hidden: &EventSet, calls: &mut Unfolding) -> Offers {
        let mut all = self.part(p, calls)?;
        for o in &mut all {
            if let Action::Event(e) | Action::Solo(e) = &o.action
                && hidden.contains(e)
            {
                o.action = Action::Tau;
            }
            if o.action != Action::Terminate {
                o.next = self.intern(Term::Hide(o.next, Arc::clone(hidden)));
            }
        }
        Ok(all)
    }

    /// `P; Q`: P's `terminate` becomes a `tau` that leads to Q, of the processes that would have taken part in it. (Where P is
    /// `Skip` by its shape, `P; Q` is `Q`: interning sees to that.)
    fn sequence(&self, p: TermId, q: TermId, calls: &mut Unfolding) -> Offers {
        let mut all = self.part(p, calls)?;
        for o in &mut all {
            if o.action == Action::Terminate {
                (o.action, o.next) = (Action::Tau, q);
            } else {
                o.next = self.intern(Term::Sequence(o.next, q));
            }
        }
        Ok(all)
    }

    /// `atomic{P}`
    fn atomic(&self, p: TermId, calls: &mut Unfolding) -> Offers {
        let mut all = self.part(p, calls)?;
        for o in &mut all {
            o.atomic = true;
            if o.action != Action::Terminate {
                o.next = self.intern(Term::Atomic(o.next));
            }
        }
        Ok(all)
    }

    /// `assert(b)`
    fn assert(&self, condition: &Expr, at: At) -> Offers {
        if eval::test(self.model, self.values, condition)? {
            Ok(vec![offer(Action::Terminate, None, TermId::ENDED)])
        } else {
            Err(fault(at, "the assertion does not hold"))
        }
    }

    /// `P(x, 1)`
    fn call(&self, def: DefId, args: &[Expr], at: At, calls: &mut Unfolding) -> Offers {
        let args: Vec<Value> = args
            .iter()
            .map(|e| eval::eval(self.model, self.values, e))
            .collect::<Result<_, _>>()?;
        let body = self.model.body(def, &args, at)?;
        if calls.is_around(body) || !calls.meet(body) {
            return Ok(Vec::new());
        }
        if calls.depth() > MAX_CALLS {
            return Err(endless(&self.model.definitions[def.0 as usize].name, at));
        }
        calls.enter(body);
        let offers = self.offers(body, calls);
        calls.leave();
        offers
    }

    /// Process number `n`
    fn process(&self, n: u32, p: TermId, calls: &mut Unfolding) -> Offers {
        if self.model.terms.get(p).depth > MAX_DEPTH {
            return Err(too_deep());
        }
        let mut all = self.part(p, calls)?;
        for o in &mut all {
            o.processes.insert(n);
            if o.action != Action::Terminate {
                o.next = self.intern(Term::Process(n, o.next));
            }
        }
        Ok(all)
    }
}

/// The operands with one replaced.
fn with(operands: &[TermId], i: usize, next: TermId) -> Vec<TermId> {
    let mut operands = operands.to_vec();
    operands[i] = next;
    operands
}

/// The offer with the names of its input bound.
fn bound(model: &Model, o: Offer, env: &Env) -> Offer {
    Offer {
        programs: o.programs.iter().map(|p| Arc::new(p.close(env))).collect(),
        next: model.bind(o.next, env),
        ..o
    }
}

/// One offer of the first participant combined with one same offer of each of the others, in all ways: the joint offer, and what each becomes.
fn together(first: &Offer, others: &[usize], offers: &[Vec<Offer>]) -> Vec<(Offer, Vec<TermId>)> {
    let mut joint = vec![(first.clone(), vec![first.next])];
    for &j in others {
        let mut longer = Vec::new();
        for (offer, nexts) in &joint {
            for o in offers[j].iter().filter(|o| o.action == offer.action) {
                let mut offer = offer.clone();
                offer.processes.extend(&o.processes);
                offer.atomic |= o.atomic;
                let mut nexts = nexts.clone();
                nexts.push(o.next);
                longer.push((offer, nexts));
            }
        }
        joint = longer;
    }
    joint
}

/// The joint termination of all operands.
fn terminations(offers: &[Vec<Offer>]) -> Vec<Offer> {
    // Ends that are alike count once: the product over the operands would be exponential in the ways to `Skip`.
    let ends = |own: &Vec<Offer>| {
        let mut ends: Vec<Offer> = Vec::new();
        for o in own.iter().filter(|o| o.action == Action::Terminate) {
            if !ends
                .iter()
                .any(|e| e.processes == o.processes && e.atomic == o.atomic)
            {
                ends.push(o.clone());
            }
        }
        ends
    };
    let ends: Vec<Vec<Offer>> = offers.iter().map(ends).collect();
    let others: Vec<usize> = (1..offers.len()).collect();
    ends[0]
        .iter()
        .flat_map(|first| together(first, &others, &ends))
        .map(|(offer, _)| offer)
        .collect()
}
