//! Which events are ready: what processes would do next if only their partners were there.
//!
//! As enabled, but a synchronised event is ready as soon as one participant offers it, and internal choice and conditionals are looked through. Guards read the
//! current valuation. A synchronous communication is ready when its sender offers it. `tau`, `terminate` and hidden events are never ready, and `atomic` gives no
//! priority.

use super::rules::Rules;
use super::{Action, MAX_CALLS, MAX_DEPTH, MAX_WHOLE_DEPTH, endless, eval, too_deep};
use crate::model::Model;
use crate::state::{State, dotted};
use crate::term::{Event, Term, TermId};
use crate::unfolding::Unfolding;
use fairhold_system::Fault;
use std::collections::BTreeSet;

// A call met again (a process that only turns conditionals) adds nothing: what is ready is the least solution, as it is of the steps.

/// An event that is ready: one that hiding can name, or a communication with a buffer.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Ready {
    Event(Event),
    Buffer(String),
}

#[derive(Default)]
struct Found {
    events: BTreeSet<Ready>,
    /// The process may have nothing left to do.
    ends: bool,
}

/// The names of the events ready in a state.
pub(super) fn ready(model: &Model, state: &State) -> Result<BTreeSet<String>, Fault> {
    let rules = Rules {
        model,
        values: &state.values,
    };
    let found = look(&rules, state.root, &mut Unfolding::new())?;
    let name = |r| match r {
        Ready::Event(e) => e.to_string(),
        Ready::Buffer(name) => name,
    };
    Ok(found.events.into_iter().map(name).collect())
}

fn look(rules: &Rules<'_>, id: TermId, calls: &mut Unfolding) -> Result<Found, Fault> {
    let node = rules.model.terms.get(id);
    if node.depth > MAX_WHOLE_DEPTH {
        return Err(too_deep());
    }
    match &node.term {
        Term::Guard(condition, p) | Term::IfBlocking(condition, p) => {
            if eval::test(rules.model, rules.values, condition)? {
                look(rules, *p, calls)
            } else {
                Ok(Found::default())
            }
        }
        Term::If(condition, p, q) | Term::IfAtomic(condition, p, q) => {
            let branch = if eval::test(rules.model, rules.values, condition)? {
                p
            } else {
                q
            };
            look(rules, *branch, calls)
        }
        Term::Case(branches, otherwise) => {
            for (condition, p) in branches {
                if eval::test(rules.model, rules.values, condition)? {
                    return look(rules, *p, calls);
                }
            }
            look(rules, *otherwise, calls)
        }
        Term::Choice(v) | Term::Internal(v) | Term::External(v) => any(rules, v, calls),
        Term::Interrupt(p, q) => any(rules, &[*p, *q], calls),
        Term::Interleave(v) | Term::Synchronised(v, _) => all(rules, v, calls),
        Term::Sequence(p, q) => {
            let mut found = part(rules, *p, calls)?;
            if found.ends {
                let after = part(rules, *q, calls)?;
                found.events.extend(after.events);
                found.ends = after.ends;
            }
            Ok(found)
        }
        Term::Hide(p, hidden) => {
            let mut found = part(rules, *p, calls)?;
            found
                .events
                .retain(|r| !matches!(r, Ready::Event(e) if hidden.contains(e)));
            Ok(found)
        }
        Term::Atomic(p) => look(rules, *p, calls),
        Term::Process(_, p) if rules.model.terms.get(*p).depth > MAX_DEPTH => Err(too_deep()),
        Term::Process(_, p) => look(rules, *p, calls),
        Term::Call(def, args, at) => {
            let args = args.iter().map(|e| eval::eval(rules.model, rules.values, e));
            let body = rules
                .model
                .body(*def, &args.collect::<Result<Vec<_>, _>>()?, *at)?;
            if calls.is_around(body) || !calls.meet(body) {
                return Ok(Found::default());
            }
            if calls.depth() > MAX_CALLS {
                return Err(endless(&rules.model.definitions[def.0 as usize].name, *at));
            }
            calls.enter(body);
            let found = look(rules, body, calls);
            calls.leave();
            found
        }
        // Prefixes, communications and ends: ready as offered.
        _ => offered(rules, id),
    }
}

/// What is ready in an operand, where that is not simply ready in the whole.
fn part(rules: &Rules<'_>, id: TermId, calls: &mut Unfolding) -> Result<Found, Fault> {
    calls.start_part();
    let found = look(rules, id, calls);
    calls.end_part();
    found
}

/// What is ready in a choice, which ends if one operand does.
fn any(rules: &Rules<'_>, operands: &[TermId], calls: &mut Unfolding) -> Result<Found, Fault> {
    let mut found = Found::default();
    for &p in operands {
        let one = look(rules, p, calls)?;
        found.events.extend(one.events);
        found.ends |= one.ends;
    }
    Ok(found)
}

/// What is ready in a composition, which ends if all operands do.
fn all(rules: &Rules<'_>, operands: &[TermId], calls: &mut Unfolding) -> Result<Found, Fault> {
    let mut found = Found {
        events: BTreeSet::new(),
        ends: true,
    };
    for &p in operands {
        let one = part(rules, p, calls)?;
        found.events.extend(one.events);
        found.ends &= one.ends;
    }
    Ok(found)
}

fn offered(rules: &Rules<'_>, id: TermId) -> Result<Found, Fault> {
    let mut found = Found::default();
    for offer in rules.offers(id, &mut Unfolding::new())? {
        match offer.action {
            Action::Tau | Action::Receive { .. } => {}
            Action::Terminate => found.ends = true,
            Action::Event(e) | Action::Solo(e) => {
                found.events.insert(Ready::Event(e));
            }
            Action::Send { name, message, .. } => {
                found.events.insert(Ready::Event(Event {
                    name,
                    indices: message,
                }));
            }
            Action::Push { name, message, .. } => {
                found
                    .events
                    .insert(Ready::Buffer(format!("{name}!{}", dotted(&message))));
            }
            Action::Pop { channel, name } => {
                let message = &rules.values.channels[channel][0];
                found
                    .events
                    .insert(Ready::Buffer(format!("{name}?{}", dotted(message))));
            }
        }
    }
    Ok(found)
}
