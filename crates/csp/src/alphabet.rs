//! Alphabets: the events on which an operand of `||` synchronises.
//!
//! The alphabet of a process is what `#alphabet` says of it, or else the events in its text, followed through its calls. Events that carry a program
//! never synchronise and are left out, as are `tau` and channel communications. An event whose index is known only at run time has no place in an
//! alphabet: the modeller is asked to declare one.

use crate::close::{Closing, events_of};
use crate::expr::{Env, fault};
use crate::model::{At, DefId, EventExpr, Expr, Model};
use crate::term::{Event, EventSet, Term, TermId, children};
use fairhold_system::Fault;
use std::collections::{BTreeSet, HashSet};
use std::sync::Arc;

/// Calls with more different arguments than this have no finite alphabet worth the name.
const MAX_CALLS: usize = 20_000;

/// The alphabet of a closed process.
///
/// A part is visited once for every set of events hidden around it, for a call met inside and outside a hiding is visible outside.
/// Hidings only ever add to the set, so recursion through a hiding (`P = a -> (P \ {b})`) comes to an end as well.
pub(crate) fn of(model: &Model, process: TermId) -> Result<EventSet, Fault> {
    let mut events = BTreeSet::new();
    let mut calls = HashSet::new();
    let mut waiting: Vec<Part> = vec![(process, Arc::default())];
    let mut seen = HashSet::new();
    while let Some((id, hidden)) = waiting.pop() {
        if !seen.insert((id, Arc::clone(&hidden))) {
            continue;
        }
        let node = model.terms.get(id);
        match &node.term {
            Term::Prefix(event, None, then) => {
                let event = event.known().ok_or_else(|| unknown(event))?;
                if !hidden.contains(&event) {
                    events.insert(event);
                }
                waiting.push((*then, hidden));
            }
            Term::Call(def, args, at) => {
                if calls.insert((*def, args.clone(), Arc::clone(&hidden))) {
                    if calls.len() > MAX_CALLS {
                        return Err(endless(model, *def, *at));
                    }
                    call(model, *def, args, *at, &hidden, &mut waiting, &mut events)?;
                }
            }
            Term::Hide(p, more) => {
                waiting.push((*p, Arc::new(hidden.iter().chain(more.iter()).cloned().collect())));
            }
            Term::Synchronised(_, alphabets) => {
                let visible = alphabets
                    .iter()
                    .flat_map(|a| a.iter())
                    .filter(|e| !hidden.contains(*e));
                events.extend(visible.cloned());
            }
            Term::Indexed(_, bindings, _) => {
                return Err(fault(
                    bindings[0].at,
                    "the alphabet needs an index range known before the run",
                ));
            }
            Term::HideOpen(_, patterns) => {
                return Err(patterns.first().map_or_else(
                    || fault(At::default(), "the alphabet needs a hiding known before the run"),
                    |p| unknown(&p.event),
                ));
            }
            term => children(term, &mut |p| waiting.push((p, Arc::clone(&hidden)))),
        }
    }
    Ok(events.into_iter().collect())
}

/// A part of the process, and the events hidden around it.
type Part = (TermId, Arc<BTreeSet<Event>>);

fn call(
    model: &Model,
    def: DefId,
    args: &[Expr],
    at: At,
    hidden: &Arc<BTreeSet<Event>>,
    waiting: &mut Vec<Part>,
    events: &mut BTreeSet<Event>,
) -> Result<(), Fault> {
    let definition = &model.definitions[def.0 as usize];
    let env = Env::params(args.iter().map(|e| e.value().cloned()));
    if let Some(patterns) = &definition.alphabet {
        let declared = events_of(patterns, &env)?;
        let declared = declared.ok_or_else(|| {
            fault(
                at,
                format!(
                    "the alphabet of `{}` depends on an argument that is known only at run time",
                    definition.name
                ),
            )
        })?;
        events.extend(declared.iter().filter(|e| !hidden.contains(*e)).cloned());
    } else {
        let body = model.close(definition.body, &env, Closing::Events);
        waiting.push((body, Arc::clone(hidden)));
    }
    Ok(())
}

fn unknown(event: &EventExpr) -> Fault {
    fault(
        event.at,
        format!(
            "`||` needs the alphabet of this process, and the index of event `{}` is known only at run time; declare one with #alphabet",
            event.name
        ),
    )
}

fn endless(model: &Model, def: DefId, at: At) -> Fault {
    fault(
        at,
        format!(
            "`||` needs the alphabet of `{}`, and its calls go on without end; declare one with #alphabet",
            model.definitions[def.0 as usize].name
        ),
    )
}
