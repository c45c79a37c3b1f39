//! Is it a finite prefix that an automaton waits for?
//!
//! A property is a safety property if every execution that violates it has a *bad prefix*: after that, nothing can make it good. Of the
//! automaton for the violations, a state is *universal* if it accepts whatever comes; a run that enters one has read a bad prefix
//! [KupfermanVardi-FMSD'01]. If no run is accepting that never does, then bad prefixes are all there is to look for.
//!
//! Decided on the automaton, so it does not matter how a formula was written. What is found is always right; an automaton that needs several
//! states together to accept everything is taken for one that is no safety property, and the automata that [`translate`](crate::translate)
//! makes are reduced, so that one state does.

use crate::automaton::{Automaton, MarkSet, StateIndex};
use crate::guard::Guard;

/// By state of an automaton for violations, whether it is universal. None if some violation has no bad prefix, or is not seen to have one.
pub fn bad_prefixes(automaton: &Automaton) -> Option<Vec<bool>> {
    let mut universal: Vec<bool> = automaton.indices().map(|q| accepts_all(automaton, q)).collect();
    if !universal.contains(&true) {
        return None;
    }
    // A state is universal, too, if whatever it reads it can go on to one that is.
    let mut grows = true;
    while grows {
        grows = false;
        for q in automaton.indices() {
            let on = automaton
                .edges(q)
                .iter()
                .filter(|edge| universal[edge.target.index()]);
            if !universal[q.index()]
                && on
                    .fold(Guard::falsum(), |all, edge| all.or(&edge.guard))
                    .is_true()
            {
                universal[q.index()] = true;
                grows = true;
            }
        }
    }
    let passing = automaton.passing();
    let settled = |q: StateIndex| passing[q.index()] || universal[q.index()];
    automaton.indices().all(settled).then_some(universal)
}

/// Whether the state may stay where it is for good, whatever it reads, and so accepts.
fn accepts_all(automaton: &Automaton, q: StateIndex) -> bool {
    let loops = automaton.edges(q).iter().filter(|edge| edge.target == q);
    let always: MarkSet = loops
        .clone()
        .map(|edge| edge.marks)
        .fold(MarkSet::all(automaton.marks), MarkSet::intersection);
    let some = loops
        .clone()
        .fold(MarkSet::EMPTY, |all, edge| all.union(edge.marks));
    // All of its loops bear the same marks, so whichever are taken these are what is seen.
    always == some
        && automaton.accepts(always)
        && loops
            .fold(Guard::falsum(), |all, edge| all.or(&edge.guard))
            .is_true()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Ltl, parse, translate};
    use fairhold_source::FileId;

    fn is_safety(text: &str) -> bool {
        let formula = parse(FileId(0), text).formula.expect("it is a formula");
        let violations = translate(&Ltl::Not(Box::new(formula)), &|atom| format!("a{}", atom.0));
        bad_prefixes(&violations.expect("it is small").automaton).is_some()
    }

    #[test]
    fn what_can_go_wrong_in_a_finite_time() {
        for safe in [
            "[] !p",
            "p",
            "[] (p -> X q)",
            "(!p U q) || [] !p",
            "[] (a -> !b W c)",
            "[] p && [] (q -> X X r)",
            "!(p U q) || [] (p || q)",
            "[] (p -> (q R r))",
            "X X X p",
        ] {
            assert!(is_safety(safe), "{safe}");
        }
        for other in [
            "<> p",
            "[] <> p",
            "<> [] p",
            "p U q",
            "[] (p -> <> q)",
            "[] p || <> q",
            "[] p && []<> q",
        ] {
            assert!(!is_safety(other), "{other}");
        }
    }
}
