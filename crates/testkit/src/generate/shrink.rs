//! Making a failing model smaller, for a person to read.
//!
//! Delta debugging [Zeller-TSE'02] on the tree instead of the text: a candidate is the model with one process replaced by one of
//! those inside it or by `Stop`, with a program, an alphabet, a definition or a declaration left out. The first
//! candidate that still fails is taken, until none does. Candidates that are no valid models do not fail, so nothing
//! here has to know what is valid.

use super::tree::{Process, Source};

/// The smallest model found that still `fails`, after at most `tries` attempts.
pub fn shrink(source: &Source, tries: usize, mut fails: impl FnMut(&Source) -> bool) -> Source {
    let mut best = source.clone();
    let mut left = tries;
    'smaller: loop {
        for candidate in candidates(&best) {
            if left == 0 {
                return best;
            }
            left -= 1;
            if fails(&candidate) {
                best = candidate;
                continue 'smaller;
            }
        }
        return best;
    }
}

/// The models one change away, the largest changes first.
fn candidates(source: &Source) -> Vec<Source> {
    let mut all = Vec::new();
    for i in 0..source.definitions.len() {
        let mut smaller = source.clone();
        smaller.definitions.remove(i);
        all.push(smaller);
    }
    for i in 0..source.declarations.len() {
        let mut smaller = source.clone();
        smaller.declarations.remove(i);
        all.push(smaller);
    }
    for (goal, objective) in [("true", source.objective.as_str()), (source.goal.as_str(), "0")] {
        if (goal, objective) != (source.goal.as_str(), source.objective.as_str()) {
            all.push(Source {
                goal: goal.to_owned(),
                objective: objective.to_owned(),
                ..source.clone()
            });
        }
    }
    for (i, definition) in source.definitions.iter().enumerate() {
        if definition.alphabet.is_some() {
            let mut smaller = source.clone();
            smaller.definitions[i].alphabet = None;
            all.push(smaller);
        }
        for body in smaller_processes(&definition.body) {
            let mut smaller = source.clone();
            smaller.definitions[i].body = body;
            all.push(smaller);
        }
    }
    all
}

/// The processes one change away.
fn smaller_processes(process: &Process) -> Vec<Process> {
    let mut all: Vec<Process> = match process {
        Process::Stop => Vec::new(),
        Process::Skip => vec![Process::Stop],
        _ => vec![Process::Stop, Process::Skip],
    };
    all.extend(process.children().into_iter().cloned());
    match process {
        Process::Prefix(head, text, Some(_), then) if !text.is_empty() => {
            all.push(Process::Prefix(*head, text.clone(), None, then.clone()));
        }
        Process::Joined(operator, operands) if operands.len() > 2 => {
            for i in 0..operands.len() {
                let mut fewer = operands.clone();
                fewer.remove(i);
                all.push(Process::Joined(*operator, fewer));
            }
        }
        _ => {}
    }
    for i in 0..process.children().len() {
        for smaller in smaller_processes(process.children()[i]) {
            let mut changed = process.clone();
            *changed.children_mut().swap_remove(i) = smaller;
            all.push(changed);
        }
    }
    all
}
