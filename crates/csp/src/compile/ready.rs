//! Which events are ready, in the compiled semantics.
//!
//! As the reference's rules have it: a synchronised event is ready as soon as one participant offers it, internal choice and conditionals are looked through, hidden
//! events, `tau` and `terminate` are never ready, and a call met again on the way adds nothing. Conditions are decided at once, by asking the
//! oracle: to leave them open, as [`super::symbolic`] does, would look through every branch of every conditional. What was found without asking holds in
//! every state in which the process stands there, and is kept.

use super::entry::{Builder, Taking};
use super::layout::ChannelLayout;
use super::symbolic::{Action, Oracle, Sym, Symbolic, no_condition};
use crate::model::{Expr, Value};
use crate::reference::{MAX_CALLS, MAX_DEPTH, MAX_WHOLE_DEPTH, endless, too_deep};
use crate::term::{Event, Term, TermId};
use crate::unfolding::Unfolding;
use fairhold_system::{EventId, Fault};

/// What is ready.
#[derive(Clone, Debug)]
pub(super) enum Ready {
    /// This event.
    Event(EventId),
    /// This event, while there is room in the buffer.
    Push(ChannelLayout, EventId),
    /// The event of taking the buffer's first message, if it fits.
    Pop(ChannelLayout, Box<Taking>),
}

/// What a process has ready, and whether it may have nothing left to do.
#[derive(Default)]
struct Found {
    syms: Vec<Sym>,
    ends: bool,
}

impl<O: Oracle> Symbolic<'_, O> {
    /// What is ready in a closed term, as symbolic steps of which only the action means something.
    pub(super) fn ready(&mut self, id: TermId) -> Result<Vec<Sym>, Fault> {
        Ok(self.look(id, &mut Unfolding::new())?.syms)
    }

    /// `calls` are those being looked through.
    fn look(&mut self, id: TermId, calls: &mut Unfolding) -> Result<Found, Fault> {
        let node = self.model.terms.get(id);
        if node.depth > MAX_WHOLE_DEPTH {
            return Err(too_deep());
        }
        match &node.term {
            Term::Guard(c, p) | Term::IfBlocking(c, p) => {
                if self.decide(c)? {
                    self.look(*p, calls)
                } else {
                    Ok(Found::default())
                }
            }
            Term::If(c, p, q) | Term::IfAtomic(c, p, q) => {
                let branch = if self.decide(c)? { p } else { q };
                self.look(*branch, calls)
            }
            Term::Case(branches, otherwise) => {
                for (c, p) in branches {
                    if self.decide(c)? {
                        return self.look(*p, calls);
                    }
                }
                self.look(*otherwise, calls)
            }
            Term::Choice(v) | Term::Internal(v) | Term::External(v) => self.any(v, calls),
            Term::Interrupt(p, q) => self.any(&[*p, *q], calls),
            Term::Interleave(v) | Term::Synchronised(v, _) => self.all(v, calls),
            Term::Sequence(p, q) => {
                let mut found = self.look_at_part(*p, calls)?;
                if found.ends {
                    let after = self.look_at_part(*q, calls)?;
                    found.syms.extend(after.syms);
                    found.ends = after.ends;
                }
                Ok(found)
            }
            Term::Hide(p, hidden) => {
                let mut found = self.look_at_part(*p, calls)?;
                let is_hidden = |e: &Event| hidden.binary_search(e).is_ok();
                found
                    .syms
                    .retain(|s| !event_of(&s.action).is_some_and(|e| is_hidden(&e)));
                Ok(found)
            }
            Term::Atomic(p) => self.look(*p, calls),
            Term::Process(_, p) => {
                if self.model.terms.get(*p).depth > MAX_DEPTH {
                    return Err(too_deep());
                }
                self.look(*p, calls)
            }
            Term::Call(def, args, at) => {
                let args = self.values(args)?;
                let body = self.model.body(*def, &args, *at)?;
                if calls.is_around(body) || !calls.meet(body) {
                    return Ok(Found::default());
                }
                if calls.depth() > MAX_CALLS {
                    return Err(endless(&self.model.definitions[def.0 as usize].name, *at));
                }
                calls.enter(body);
                let found = self.look(body, calls);
                calls.leave();
                found
            }
            // Prefixes, communications and ends: ready as offered.
            _ => self.offered(id),
        }
    }

    fn offered(&mut self, id: TermId) -> Result<Found, Fault> {
        let mut found = Found::default();
        for s in self.steps(id)? {
            // Of the terms that come here only `assert` has conditions, and no more than one.
            let applies = s
                .guards
                .iter()
                .try_fold(true, |all, c| Ok(all && self.decide(c)?))?;
            if !applies {
                continue;
            }
            match s.action {
                Action::Fault(f) => return Err(f),
                Action::Terminate => found.ends = true,
                Action::Tau | Action::Receive { .. } | Action::Check => {}
                _ => found.syms.push(s),
            }
        }
        Ok(found)
    }

    fn decide(&mut self, condition: &Expr) -> Result<bool, Fault> {
        match self.value(condition)? {
            Value::Bool(b) => Ok(b),
            v => Err(no_condition(condition, &v)),
        }
    }

    /// What is ready in an operand, where that is not simply ready in the whole.
    fn look_at_part(&mut self, id: TermId, calls: &mut Unfolding) -> Result<Found, Fault> {
        calls.start_part();
        let found = self.look(id, calls);
        calls.end_part();
        found
    }

    /// What is ready in a choice, which ends if one operand does.
    fn any(&mut self, operands: &[TermId], calls: &mut Unfolding) -> Result<Found, Fault> {
        let mut found = Found::default();
        for &p in operands {
            let one = self.look(p, calls)?;
            found.syms.extend(one.syms);
            found.ends |= one.ends;
        }
        Ok(found)
    }

    /// What is ready in a composition, which ends if all operands do.
    fn all(&mut self, operands: &[TermId], calls: &mut Unfolding) -> Result<Found, Fault> {
        let mut found = Found {
            syms: Vec::new(),
            ends: true,
        };
        for &p in operands {
            let one = self.look_at_part(p, calls)?;
            found.syms.extend(one.syms);
            found.ends &= one.ends;
        }
        Ok(found)
    }
}

/// The event of an action that hiding can name.
fn event_of(action: &Action) -> Option<Event> {
    match action {
        Action::Event(e) | Action::Solo(e) => Some(e.clone()),
        Action::Send { name, message, .. } => Some(Event {
            name: name.clone(),
            indices: message.clone(),
        }),
        _ => None,
    }
}

impl Builder<'_> {
    /// What is ready, from symbolic steps.
    pub(super) fn ready(&self, term: TermId, syms: &[Sym]) -> Vec<Ready> {
        syms.iter().filter_map(|s| self.ready_row(term, s)).collect()
    }

    fn ready_row(&self, term: TermId, s: &Sym) -> Option<Ready> {
        match &s.action {
            Action::Push {
                channel,
                name,
                message,
            } => {
                let event = self
                    .system
                    .event(&format!("{name}!{}", crate::state::dotted(message)));
                Some(Ready::Push(self.system.layout.channels[*channel], event))
            }
            Action::Pop { channel, name, input } => Some(Ready::Pop(
                self.system.layout.channels[*channel],
                Box::new(self.taking(term, s, name, input)),
            )),
            action => {
                let event = event_of(action)?;
                (!self.context.hides(&event)).then(|| Ready::Event(self.system.event(&event.to_string())))
            }
        }
    }
}
