//! Annotated events: which concrete events `wf(e)`, `sf(e)`, `wl(e)` and `sl(e)` stand for.
//!
//! An event annotated anywhere in the process is annotated everywhere. The text is followed through calls, as for alphabets, with the values of parameters as far
//! as they are known before the run; an annotated event whose index is known only at run time is a fault, since nobody could say what is owed. A branch that these values rule
//! out is not followed: a recursion `P(j) = ifa (j < N) {wf(e.j) -> P(j + 1)} else {..}` ends where it does in a run.

use crate::close::Closing;
use crate::expr::{Env, fault};
use crate::model::{AnnotationKind, DefId, Expr, Model, Value};
use crate::term::{Event, Term, TermId, children};
use fairhold_system::Fault;
use std::collections::{BTreeSet, HashSet};

/// Calls with more different arguments than this are taken to go on without end.
const MAX_CALLS: usize = 20_000;

/// The annotated events of a closed process.
pub(crate) fn of(model: &Model, process: TermId) -> Result<Vec<(AnnotationKind, Event)>, Fault> {
    if model.annotations.is_empty() {
        return Ok(Vec::new());
    }
    let mut found = BTreeSet::new();
    let mut calls: HashSet<(DefId, Vec<Expr>)> = HashSet::new();
    let mut seen = HashSet::new();
    let mut waiting = vec![process];
    while let Some(id) = waiting.pop() {
        if !seen.insert(id) {
            continue;
        }
        let node = model.terms.get(id);
        if let Term::Prefix(event, ..) = &node.term
            && let Some(kind) = event.annotation
        {
            let known = event.known().ok_or_else(|| {
                let message = format!(
                    "the index of the annotated event `{}` is known only at run time",
                    event.name
                );
                fault(event.at, message)
            })?;
            found.insert((kind, known));
        }
        if let Term::Call(def, args, at) = &node.term
            && calls.insert((*def, args.clone()))
        {
            if calls.len() > MAX_CALLS {
                return Err(fault(
                    *at,
                    "the annotated events of this process go on without end",
                ));
            }
            let env = Env::params(args.iter().map(|e| e.value().cloned()));
            waiting.push(model.close(model.definitions[def.0 as usize].body, &env, Closing::Events));
        }
        possible(&node.term, &mut |p| waiting.push(p));
    }
    Ok(found.into_iter().collect())
}

/// The parts of a term that a run may come to, by what is known of its conditions.
fn possible(term: &Term, f: &mut dyn FnMut(TermId)) {
    let is = |condition: &Expr, value: bool| condition.value() == Some(&Value::Bool(value));
    match term {
        Term::Guard(condition, _) | Term::IfBlocking(condition, _) if is(condition, false) => {}
        Term::If(condition, then, _) | Term::IfAtomic(condition, then, _) if is(condition, true) => f(*then),
        Term::If(condition, _, otherwise) | Term::IfAtomic(condition, _, otherwise)
            if is(condition, false) =>
        {
            f(*otherwise);
        }
        Term::Case(branches, otherwise) => {
            for (condition, then) in branches.iter().filter(|(c, _)| !is(c, false)) {
                f(*then);
                if is(condition, true) {
                    return;
                }
            }
            f(*otherwise);
        }
        _ => children(term, f),
    }
}
