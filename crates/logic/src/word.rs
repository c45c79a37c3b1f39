//! Words, and what satisfies them by definition: the judge of everything else in this crate.
//!
//! A [`Word`] is a lasso: a prefix, then a cycle forever. [`Word::satisfies`] evaluates a formula position by position from
//! the meaning of the operators; [`Word::is_accepted`] looks for an accepting loop in the product of the word and an automaton,
//! trying every choice of marks that a loop may avoid. Both are plain and slow on purpose, and share nothing with the translation.

use crate::components::components;
use crate::{Automaton, Ltl, MarkSet};
use std::collections::HashMap;

/// An infinite word: `prefix`, then `cycle` again and again. A letter has one bit per atom.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Word {
    /// What comes first.
    pub prefix: Vec<u64>,
    /// What repeats; not empty.
    pub cycle: Vec<u64>,
}

impl Word {
    /// How many positions there are before the word repeats itself.
    fn len(&self) -> usize {
        self.prefix.len() + self.cycle.len()
    }

    fn letter(&self, position: usize) -> u64 {
        let (first, then) = (&self.prefix, &self.cycle);
        first
            .get(position)
            .copied()
            .unwrap_or_else(|| then[position - first.len()])
    }

    fn after(&self, position: usize) -> usize {
        if position + 1 == self.len() {
            self.prefix.len()
        } else {
            position + 1
        }
    }

    /// Whether the word satisfies the formula; atom number `k` is bit `k` of a letter.
    ///
    /// Time: positions times size of the formula.
    pub fn satisfies(&self, formula: &Ltl) -> bool {
        assert!(
            !self.cycle.is_empty(),
            "a word is infinite: its cycle has a letter"
        );
        self.values(formula)[0]
    }

    /// The truth of the formula at each position.
    fn values(&self, formula: &Ltl) -> Vec<bool> {
        let each = |value: &dyn Fn(usize) -> bool| (0..self.len()).map(value).collect::<Vec<bool>>();
        match formula {
            Ltl::True => each(&|_| true),
            Ltl::False => each(&|_| false),
            Ltl::Atom(atom) => each(&|i| self.letter(i) >> atom.0 & 1 == 1),
            Ltl::Not(p) => {
                let p = self.values(p);
                each(&|i| !p[i])
            }
            Ltl::And(p, q) => {
                let (p, q) = (self.values(p), self.values(q));
                each(&|i| p[i] && q[i])
            }
            Ltl::Or(p, q) => {
                let (p, q) = (self.values(p), self.values(q));
                each(&|i| p[i] || q[i])
            }
            Ltl::Implies(p, q) => {
                let (p, q) = (self.values(p), self.values(q));
                each(&|i| !p[i] || q[i])
            }
            Ltl::Iff(p, q) => {
                let (p, q) = (self.values(p), self.values(q));
                each(&|i| p[i] == q[i])
            }
            Ltl::Next(p) => {
                let p = self.values(p);
                each(&|i| p[self.after(i)])
            }
            Ltl::Finally(p) => self.until(&each(&|_| true), &self.values(p)),
            Ltl::Globally(p) => {
                let p = self.values(p);
                let not = self.until(&each(&|_| true), &each(&|i| !p[i]));
                each(&|i| !not[i])
            }
            Ltl::Until(p, q) => self.until(&self.values(p), &self.values(q)),
            Ltl::WeakUntil(p, q) => {
                // p W q is !(!q U !(p || q)).
                let (p, q) = (self.values(p), self.values(q));
                let not = self.until(&each(&|i| !q[i]), &each(&|i| !p[i] && !q[i]));
                each(&|i| !not[i])
            }
            Ltl::Release(p, q) => {
                // p R q is !(!p U !q).
                let (p, q) = (self.values(p), self.values(q));
                let not = self.until(&each(&|i| !p[i]), &each(&|i| !q[i]));
                each(&|i| !not[i])
            }
        }
    }

    /// Where `q` comes, `p` holding until then: from the end of the word to its start, twice, so that what comes early in the cycle is known at its end.
    fn until(&self, p: &[bool], q: &[bool]) -> Vec<bool> {
        let mut until = vec![false; self.len()];
        for _ in 0..2 {
            for i in (0..self.len()).rev() {
                until[i] = q[i] || p[i] && until[self.after(i)];
            }
        }
        until
    }

    /// Whether the automaton accepts the word.
    ///
    /// Time: product of the two, times two to the number of marks that occur in a `Fin`.
    pub fn is_accepted(&self, automaton: &Automaton) -> bool {
        assert!(
            !self.cycle.is_empty(),
            "a word is infinite: its cycle has a letter"
        );
        let mut nodes: Vec<(u32, usize)> = automaton.initial.iter().map(|s| (s.0, 0)).collect();
        nodes.sort_unstable();
        nodes.dedup();
        let mut numbers: HashMap<(u32, usize), usize> = nodes.iter().copied().zip(0..).collect();
        let mut arcs: Vec<(usize, usize, MarkSet)> = Vec::new();
        let mut at = 0;
        while let Some(&(state, position)) = nodes.get(at) {
            for edge in &automaton.states[state as usize].edges {
                if !edge.guard.holds(self.letter(position)) {
                    continue;
                }
                let next = (edge.target.0, self.after(position));
                let target = *numbers.entry(next).or_insert_with(|| {
                    nodes.push(next);
                    nodes.len() - 1
                });
                arcs.push((at, target, edge.marks));
            }
            at += 1;
        }
        let avoidable = automaton.acceptance.fin_marks();
        let avoidable: Vec<u64> = avoidable.iter().map(|m| 1 << m.0).collect();
        (0..1u64 << avoidable.len()).any(|choice| {
            let avoided = avoidable.iter().enumerate().filter(|(i, _)| choice >> i & 1 == 1);
            let avoided = avoided.fold(0, |all, (_, bit)| all | bit);
            let kept = arcs.iter().filter(|(_, _, marks)| marks.0 & avoided == 0);
            has_accepting_component(automaton, nodes.len(), kept)
        })
    }
}

/// Whether some component of the graph, with all of its marks, is accepting.
fn has_accepting_component<'a>(
    automaton: &Automaton,
    nodes: usize,
    arcs: impl Iterator<Item = &'a (usize, usize, MarkSet)> + Clone,
) -> bool {
    let mut successors = vec![Vec::new(); nodes];
    arcs.clone().for_each(|&(from, to, _)| successors[from].push(to));
    let component = components(&successors);
    let mut seen: Vec<Option<MarkSet>> = vec![None; nodes];
    for &(from, to, marks) in arcs {
        if component[from] == component[to] {
            let all = &mut seen[component[from]];
            *all = Some(all.unwrap_or_default().union(marks));
        }
    }
    seen.into_iter().flatten().any(|marks| automaton.accepts(marks))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Acceptance, AtomId, Cube, Edge, MarkId, State, StateIndex};

    fn atom(k: u32) -> Box<Ltl> {
        Box::new(Ltl::Atom(AtomId(k)))
    }

    fn word(prefix: &[u64], cycle: &[u64]) -> Word {
        Word {
            prefix: prefix.to_vec(),
            cycle: cycle.to_vec(),
        }
    }

    #[test]
    fn what_comes_early_in_a_cycle_comes_after_its_end() {
        // b, then many times a, then b again: `a U b` everywhere, also at the last a.
        let (a, b) = (atom(0), atom(1));
        let long: Vec<u64> = std::iter::once(2)
            .chain(std::iter::repeat_n(1, 100_000))
            .collect();
        let until = Box::new(Ltl::Until(a, b));
        let always = Ltl::Globally(until.clone());
        assert!(word(&[], &long).satisfies(&always) && word(&[1], &long).satisfies(&always));
        assert!(!word(&[0], &long).satisfies(&always));
        let last = Ltl::Next(Box::new(Ltl::Next(until)));
        assert!(word(&[], &[2, 0, 1]).satisfies(&last) && !word(&[], &[1, 0, 1]).satisfies(&last));
    }

    #[test]
    fn operators_mean_what_they_should() {
        // Letters: 1 is a, 2 is b.
        let (a, b) = (atom(0), atom(1));
        let until = Ltl::Until(a.clone(), b.clone());
        assert!(word(&[1, 1, 2], &[0]).satisfies(&until));
        assert!(word(&[2], &[0]).satisfies(&until));
        assert!(!word(&[], &[1]).satisfies(&until));
        assert!(!word(&[1, 0], &[2]).satisfies(&until));
        let weak = Ltl::WeakUntil(a.clone(), b.clone());
        assert!(word(&[], &[1]).satisfies(&weak) && !word(&[1], &[0]).satisfies(&weak));
        let release = Ltl::Release(a.clone(), b.clone());
        assert!(word(&[], &[2]).satisfies(&release));
        assert!(word(&[2, 3], &[0]).satisfies(&release));
        assert!(!word(&[2, 1], &[0]).satisfies(&release));
        assert!(word(&[0], &[1]).satisfies(&Ltl::Next(a.clone())));
        assert!(word(&[0], &[0, 1]).satisfies(&Ltl::Globally(Box::new(Ltl::Finally(a.clone())))));
        assert!(!word(&[0], &[0, 1]).satisfies(&Ltl::Finally(Box::new(Ltl::Globally(a.clone())))));
        assert!(word(&[0], &[1]).satisfies(&Ltl::Finally(Box::new(Ltl::Globally(a)))));
    }

    #[test]
    fn a_loop_may_avoid_a_mark() {
        // One state that reads a with mark 0 and anything without; accepting: finitely often mark 0.
        let edge = |guard: Cube, marks| Edge {
            guard: guard.into(),
            marks: MarkSet(marks),
            target: StateIndex(0),
        };
        let automaton = Automaton {
            states: vec![State {
                edges: vec![edge(Cube::literal(0, true), 1), edge(Cube::literal(0, false), 0)],
            }],
            initial: vec![StateIndex(0)],
            acceptance: Acceptance::Fin(MarkId(0)),
            marks: 1,
            ..Automaton::empty(vec!["a".to_owned()])
        };
        assert!(word(&[1, 1], &[0]).is_accepted(&automaton));
        assert!(!word(&[], &[0, 1]).is_accepted(&automaton));
    }
}
