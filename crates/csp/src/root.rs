//! The asserted process, with its processes numbered.
//!
//! Which parts of a model count as processes is fixed by the text of the asserted process: its own call is unfolded; hiding, the last operand of `;`
//! and prefixes are passed through; then literally nested operands of one operator (`||` or `|||`) are flattened, and each operand is a process, numbered
//! from 0. A call in an operand is one process, whatever is inside. Without a composition there is the single process 0, which starts as the call itself.
//!
//! The numbers become part of the term ([`Term::Process`]), so that the rules of a semantics find out by themselves who takes part in a step.

use crate::model::{At, DefId, Expr, Model, Value};
use crate::term::{EventSet, Term, TermId};
use fairhold_system::Fault;
use std::sync::Arc;

/// The term that `P(args)` starts as, as the text has it: `Model::normal` of it is the initial state.
pub(crate) fn root(model: &Model, process: DefId, args: &[Value]) -> Result<TermId, Fault> {
    let at = At(model.definitions[process.0 as usize].span);
    let body = model.body(process, args, at)?;
    Ok(number(model, body).unwrap_or_else(|| {
        let args = args.iter().cloned().map(Expr::Const).collect();
        let call = model.terms.intern(Term::Call(process, args, at));
        model.terms.intern(Term::Process(0, call))
    }))
}

/// How many processes `P(args)` has, numbered from 0.
pub fn process_count(model: &Model, process: DefId, args: &[Value]) -> Result<u32, Fault> {
    fn count(model: &Model, id: TermId) -> usize {
        match &model.terms.get(id).term {
            Term::Hide(p, _)
            | Term::HideOpen(p, _)
            | Term::Sequence(_, p)
            | Term::Prefix(_, _, p)
            | Term::Silent(_, p)
            | Term::Send(_, _, _, p)
            | Term::Receive(_, _, _, _, p) => count(model, *p),
            Term::Interleave(operands) | Term::Parallel(operands) | Term::Synchronised(operands, _) => {
                operands.len()
            }
            _ => 1,
        }
    }
    Ok(count(model, root(model, process, args)?) as u32)
}

/// Numbers the operands of the composition in `id`; none if there is no composition.
fn number(model: &Model, id: TermId) -> Option<TermId> {
    let node = model.terms.get(id);
    let numbered = match &node.term {
        Term::Hide(p, set) => Term::Hide(number(model, *p)?, Arc::clone(set)),
        Term::HideOpen(p, set) => Term::HideOpen(number(model, *p)?, set.clone()),
        Term::Sequence(p, q) => Term::Sequence(*p, number(model, *q)?),
        Term::Prefix(event, program, p) => Term::Prefix(event.clone(), program.clone(), number(model, *p)?),
        Term::Silent(program, p) => Term::Silent(program.clone(), number(model, *p)?),
        Term::Send(channel, values, program, p) => Term::Send(
            channel.clone(),
            values.clone(),
            program.clone(),
            number(model, *p)?,
        ),
        Term::Receive(channel, guard, patterns, program, p) => {
            let p = number(model, *p)?;
            Term::Receive(
                channel.clone(),
                guard.clone(),
                patterns.clone(),
                program.clone(),
                p,
            )
        }
        Term::Interleave(_) => {
            let mut operands = Vec::new();
            flatten_interleave(model, id, &mut operands);
            Term::Interleave(processes(model, &operands))
        }
        Term::Parallel(operands) => Term::Parallel(processes(model, operands)),
        Term::Synchronised(..) => {
            let (mut operands, mut alphabets) = (Vec::new(), Vec::new());
            flatten_synchronised(model, id, None, &mut operands, &mut alphabets);
            Term::Synchronised(processes(model, &operands), alphabets.into())
        }
        _ => return None,
    };
    Some(model.terms.intern(numbered))
}

fn processes(model: &Model, operands: &[TermId]) -> Vec<TermId> {
    let process = |(n, &p): (usize, &TermId)| model.terms.intern(Term::Process(n as u32, p));
    operands.iter().enumerate().map(process).collect()
}

fn flatten_interleave(model: &Model, id: TermId, out: &mut Vec<TermId>) {
    match &model.terms.get(id).term {
        Term::Interleave(operands) => operands.iter().for_each(|&p| flatten_interleave(model, p, out)),
        _ => out.push(id),
    }
}

fn flatten_synchronised(
    model: &Model,
    id: TermId,
    alphabet: Option<&EventSet>,
    operands: &mut Vec<TermId>,
    alphabets: &mut Vec<EventSet>,
) {
    match (&model.terms.get(id).term, alphabet) {
        (Term::Synchronised(inner, inner_alphabets), _) => {
            for (&p, a) in inner.iter().zip(inner_alphabets.iter()) {
                flatten_synchronised(model, p, Some(a), operands, alphabets);
            }
        }
        (_, Some(alphabet)) => {
            operands.push(id);
            alphabets.push(Arc::clone(alphabet));
        }
        (_, None) => unreachable!("the outermost term is a composition"),
    }
}
