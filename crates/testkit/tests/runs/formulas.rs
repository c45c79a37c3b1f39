//! Random questions, and constraints to ask them under.

use fairhold_testkit::Rng;

/// Questions that fairness does not apply to.
pub(crate) fn plain() -> Vec<String> {
    let all = [
        "System() deadlockfree",
        "System() nonterminating",
        "System() divergencefree",
        "System() deterministic",
        "System() reaches here",
        "System() reaches there",
        "System() never here",
        "System() always there",
    ];
    all.map(str::to_owned).to_vec()
}

/// Formulas of linear and of branching time over these conditions and events.
pub(crate) fn temporal(rng: &mut Rng, process: &str, states: &[&str], events: &[&str]) -> Vec<String> {
    let linear: Vec<&str> = states.iter().chain(events).copied().collect();
    let mut all = Vec::new();
    for _ in 0..2 {
        let depth = 1 + rng.below(3);
        all.push(format!("{process} |= {}", path(rng, &linear, depth)));
    }
    for _ in 0..2 {
        let depth = 1 + rng.below(3);
        let formula = state(rng, states, depth, true);
        all.push(format!("{process} |= {formula}"));
    }
    all
}

/// An atom, or that it is not so.
fn literal(rng: &mut Rng, atoms: &[&str]) -> String {
    let atom = *rng.pick(atoms);
    match rng.chance(1, 3) {
        true => format!("(!{atom})"),
        false => atom.to_owned(),
    }
}

/// A formula of linear time, with an operator of time at its root.
fn path(rng: &mut Rng, atoms: &[&str], depth: usize) -> String {
    if depth == 0 {
        return literal(rng, atoms);
    }
    let mut operand = || {
        let below = rng.below(depth);
        path(rng, atoms, below)
    };
    let (p, q) = (operand(), operand());
    match rng.below(9) {
        0 | 1 => format!("([] {p})"),
        2 | 3 => format!("(<> {p})"),
        4 => format!("([]<> {p})"),
        5 => format!("(<>[] {p})"),
        6 => format!("({p} U {q})"),
        7 => format!("(X {p})"),
        _ => format!("([] ({p} -> <> {q}))"),
    }
}

/// A formula of branching time, with a path quantifier at its root if so asked.
fn state(rng: &mut Rng, atoms: &[&str], depth: usize, quantified: bool) -> String {
    if depth == 0 {
        return literal(rng, atoms);
    }
    let mut operand = || {
        let below = rng.below(depth);
        state(rng, atoms, below, false)
    };
    let (p, q) = (operand(), operand());
    let quantifier = *rng.pick(&["A", "E"]);
    match rng.below(if quantified { 8 } else { 11 }) {
        0 | 1 => format!("({quantifier}G {p})"),
        2 | 3 => format!("({quantifier}F {p})"),
        4 => format!("({quantifier}X {p})"),
        5 => format!("{quantifier}[{p} U {q}]"),
        6 => format!("{quantifier}[{p} R {q}]"),
        7 => format!("{quantifier}[{p} W {q}]"),
        8 => format!("({p} && {q})"),
        9 => format!("({p} || {q})"),
        _ => format!("(!{p})"),
    }
}

/// All notions, and sometimes a formula beside them, which perhaps nothing meets.
pub(crate) fn fairness(rng: &mut Rng, states: &[&str]) -> Vec<String> {
    let atom = *rng.pick(states);
    let formula = match rng.below(8) {
        0 => format!("GF ({atom})"),
        1 => format!("FG (!({atom}))"),
        2 | 3 => format!("GF ({atom}) && FG (!({atom}))"),
        4 => format!("GF ({atom}) || FG (!({atom}))"),
        _ => return vec!["all".to_owned()],
    };
    vec!["all".to_owned(), formula]
}
