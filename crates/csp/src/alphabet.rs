//! Alphabets: the events on which an operand of `||` synchronises.
//!
//! The alphabet of a process is what `#alphabet` says of it, or else the events in its text, followed through its calls. Events that carry a program
//! never synchronise and are left out, as are `tau` and channel communications. An event whose index is known only at run time has no place in an
//! alphabet: the modeller is asked to declare one.

use crate::close::events_of;
use crate::expr::{Env, fault};
use crate::model::{At, DefId, EventExpr, Expr, Model};
use crate::term::{Event, EventSet, Term, TermId, children};
use fairhold_system::Fault;
use std::collections::{BTreeSet, HashSet};

/// Calls with more different arguments than this have no finite alphabet worth the name.
const MAX_CALLS: usize = 20_000;

/// The alphabet of a closed process.
pub(crate) fn of(model: &Model, process: TermId) -> Result<EventSet, Fault> {
    let mut events = BTreeSet::new();
    let mut calls = HashSet::new();
    collect(model, process, &mut calls, &mut events)?;
    Ok(events.into_iter().collect())
}

fn collect(
    model: &Model,
    process: TermId,
    calls: &mut HashSet<(DefId, Vec<Expr>)>,
    events: &mut BTreeSet<Event>,
) -> Result<(), Fault> {
    let mut waiting = vec![process];
    let mut seen = HashSet::new();
    while let Some(id) = waiting.pop() {
        if !seen.insert(id) {
            continue;
        }
        let node = model.terms.get(id);
        match &node.term {
            Term::Prefix(event, None, then) => {
                events.insert(event.known().ok_or_else(|| unknown(event))?);
                waiting.push(*then);
            }
            Term::Call(def, args, at) => {
                if calls.insert((*def, args.clone())) {
                    if calls.len() > MAX_CALLS {
                        return Err(endless(model, *def, *at));
                    }
                    call(model, *def, args, *at, &mut waiting, events)?;
                }
            }
            Term::Hide(p, hidden) => {
                let mut inner = BTreeSet::new();
                // A call met inside and outside the hiding is visible outside: each side is collected by itself.
                collect(model, *p, &mut HashSet::new(), &mut inner)?;
                events.extend(inner.into_iter().filter(|e| hidden.binary_search(e).is_err()));
            }
            Term::Synchronised(_, alphabets) => {
                events.extend(alphabets.iter().flat_map(|a| a.iter().cloned()));
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
            term => children(term, &mut |p| waiting.push(p)),
        }
    }
    Ok(())
}

fn call(
    model: &Model,
    def: DefId,
    args: &[Expr],
    at: At,
    waiting: &mut Vec<TermId>,
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
        events.extend(declared.iter().cloned());
    } else {
        let known: Option<Vec<_>> = args.iter().map(|e| e.value().cloned()).collect();
        waiting.push(match known {
            Some(values) => model.body(def, &values, at)?,
            None => model.close(definition.body, &env, true),
        });
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
