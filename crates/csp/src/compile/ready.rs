//! Which events are ready, in the compiled semantics.
//!
//! As the reference's rules have it: a synchronised event is ready as soon as one participant offers it, internal choice and conditionals are looked through, hidden
//! events, `tau` and `terminate` are never ready, and a call met again on the way adds nothing. Conditions are decided at once, by asking the
//! oracle: to leave them open, as [`super::symbolic`] does, would look through every branch of every conditional. What was found without asking holds in
//! every state in which the process stands there, and is kept.

use super::entry::{Builder, Taking, Whose};
use super::layout::ChannelLayout;
use super::symbolic::{Action, Oracle, Sym, Symbolic, no_condition};
use crate::model::{Expr, Value};
use crate::reference::{MAX_DEPTH, MAX_WHOLE_DEPTH, too_deep};
use crate::term::{Event, Term, TermId};
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
    pub(super) fn ready(&mut self, whose: Whose, id: TermId) -> Result<Vec<Sym>, Fault> {
        let mut calls = Vec::new();
        let found = match whose {
            Whose::Component(_) => self.look_at_process(id, &mut calls)?,
            Whose::Whole => self.look(id, &mut calls)?,
        };
        Ok(found.syms)
    }

    fn look_at_process(&mut self, id: TermId, calls: &mut Vec<TermId>) -> Result<Found, Fault> {
        if self.model.terms.get(id).depth > MAX_DEPTH {
            return Err(too_deep());
        }
        self.look(id, calls)
    }

    /// `calls` are the bodies of the calls being looked through.
    fn look(&mut self, id: TermId, calls: &mut Vec<TermId>) -> Result<Found, Fault> {
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
            Term::Choice(v) | Term::Internal(v) | Term::External(v) => self.union(v, false, calls),
            Term::Interrupt(p, q) => self.union(&[*p, *q], false, calls),
            Term::Interleave(v) | Term::Synchronised(v, _) => self.union(v, true, calls),
            Term::Sequence(p, q) => {
                let mut found = self.look(*p, calls)?;
                if found.ends {
                    let after = self.look(*q, calls)?;
                    found.syms.extend(after.syms);
                    found.ends = after.ends;
                }
                Ok(found)
            }
            Term::Hide(p, hidden) => {
                let mut found = self.look(*p, calls)?;
                let is_hidden = |e: &Event| hidden.binary_search(e).is_ok();
                found
                    .syms
                    .retain(|s| !event_of(&s.action).is_some_and(|e| is_hidden(&e)));
                Ok(found)
            }
            Term::Atomic(p) => self.look(*p, calls),
            Term::Process(_, p) => self.look_at_process(*p, calls),
            Term::Call(def, args, at) => {
                let args = self.values(args)?;
                let body = self.model.body(*def, &args, *at)?;
                if calls.contains(&body) {
                    return Ok(Found::default());
                }
                calls.push(body);
                let found = self.look(body, calls);
                calls.pop();
                found
            }
            // Prefixes, communications and ends: ready as offered.
            _ => self.offered(id),
        }
    }

    fn offered(&mut self, id: TermId) -> Result<Found, Fault> {
        let mut found = Found::default();
        for s in self.steps(id, 0)? {
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

    fn union(&mut self, operands: &[TermId], all_end: bool, calls: &mut Vec<TermId>) -> Result<Found, Fault> {
        let mut found = Found {
            syms: Vec::new(),
            ends: all_end,
        };
        for &p in operands {
            let part = self.look(p, calls)?;
            found.syms.extend(part.syms);
            found.ends = if all_end {
                found.ends && part.ends
            } else {
                found.ends || part.ends
            };
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
    pub(super) fn ready(&self, syms: &[Sym]) -> Vec<Ready> {
        syms.iter().filter_map(|s| self.ready_row(s)).collect()
    }

    fn ready_row(&self, s: &Sym) -> Option<Ready> {
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
                Box::new(self.taking(s, name, input)),
            )),
            action => {
                let event = event_of(action)?;
                let hidden = matches!(self.whose, Whose::Component(_)) && self.system.hides(&event);
                (!hidden).then(|| Ready::Event(self.system.event(&event.to_string())))
            }
        }
    }
}
