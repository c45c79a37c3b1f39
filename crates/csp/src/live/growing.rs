//! Parameters that may take ever new values, so that a look at every body of a recursion would not end.
//!
//! In `Go(i, at) = [at < goal] up.i -> Go(i, at + 1)` the parameter `i` is handed on as it is and `at` grows. A parameter
//! *grows* if its value can come back to it, through whatever calls, and is changed on the way. A remainder, as in `Ring((i + 1) % N)`, has
//! few values and does not count as a change.
//!
//! Found from the text alone, once a model, so that what is known of a term never depends on which terms were looked at
//! before it.

use crate::model::{BinaryOp, Expr, Model};
use crate::term::{Term, TermId, children};
use rustc_hash::{FxHashMap, FxHashSet};

/// A parameter: the number of its definition and its own among the definition's.
type Parameter = (u32, u32);

/// The parameters of a model that grow.
pub(super) fn growing_parameters(model: &Model) -> FxHashSet<Parameter> {
    let mut leads: FxHashMap<Parameter, Vec<Parameter>> = FxHashMap::default();
    let mut changes = Vec::new();
    for (number, definition) in model.definitions.iter().enumerate() {
        let mut visited = FxHashSet::default();
        let mut waiting = vec![definition.body];
        while let Some(id) = waiting.pop() {
            if !visited.insert(id) {
                continue;
            }
            let node = model.terms.get(id);
            if let Term::Call(called, args, _) = &node.term {
                for (position, arg) in args.iter().enumerate() {
                    let target = (called.0, position as u32);
                    for source in sources(arg, definition.params.len()) {
                        let source = (number as u32, source);
                        leads.entry(source).or_default().push(target);
                        if !matches!(arg, Expr::Bound(_)) {
                            changes.push((source, target));
                        }
                    }
                }
            }
            children(&node.term, &mut |p: TermId| waiting.push(p));
        }
    }
    let mut growing = FxHashSet::default();
    let mut backwards: FxHashMap<Parameter, Vec<Parameter>> = FxHashMap::default();
    for (&source, targets) in &leads {
        for &target in targets {
            backwards.entry(target).or_default().push(source);
        }
    }
    for (source, target) in changes {
        if growing.contains(&source) && growing.contains(&target) {
            continue;
        }
        let after = reachable(&leads, target);
        if after.contains(&source) {
            // What lies on a cycle through this change.
            growing.extend(after.intersection(&reachable(&backwards, source)));
        }
    }
    growing
}

/// The parameters of a definition that an argument's value is made from, unless it is bounded by what it is.
fn sources(arg: &Expr, params: usize) -> Vec<u32> {
    if let Expr::Binary(BinaryOp::Mod, _, modulus, _) = arg
        && matches!(**modulus, Expr::Const(_))
    {
        return Vec::new();
    }
    let mut names = Vec::new();
    arg.free_names(&mut names);
    let mut sources: Vec<u32> = names.iter().map(|name| name.0).collect();
    sources.retain(|&name| (name as usize) < params);
    sources.sort_unstable();
    sources.dedup();
    sources
}

fn reachable(leads: &FxHashMap<Parameter, Vec<Parameter>>, from: Parameter) -> FxHashSet<Parameter> {
    let mut found = FxHashSet::default();
    let mut waiting = vec![from];
    while let Some(parameter) = waiting.pop() {
        if found.insert(parameter) {
            waiting.extend(leads.get(&parameter).into_iter().flatten());
        }
    }
    found
}
