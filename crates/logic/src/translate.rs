//! From a formula to an automaton that accepts exactly the words that satisfy it.
//!
//! The tableau of [Couvreur-FM'99]: a state is a set of formulas, all of them obligations for the rest of the word. Expanding a
//! state by the fixpoint laws `p U q = q || (p && X(p U q))` and `p R q = q && (p || X(p R q))` into disjunctive normal form
//! gives its transitions: each term is a cube for the letter, the formulas under `X` as the next state, and the untils that
//! were *postponed*. A run is wrong only if it postpones some until forever; so every until has one mark, which is on the
//! transitions that do not postpone it, and all marks must be met infinitely often: a generalised Büchi condition.
//!
//! Differs from the paper: terms are lists of cubes, not decision diagrams, and a term is dropped if another one reads at least
//! its letters, owes a subset of its obligations and postpones a subset of its untils. An obligation that another one repeats
//! anyway, step by step, is left out of the state (`G F p` with `F p` beside it): the two states have the same transitions.
//!
//! Time and memory: exponential in the formula, as they must be. What would grow past the limits below is refused.

use crate::formula::{FormulaId, Formulas, Node};
use crate::reduce::reduce;
use crate::{
    Acceptance, AtomId, Automaton, Cube, Edge, Guard, Ltl, MAX_MARKS, MarkSet, State, StateIndex, TooLarge,
};
use std::collections::HashMap;
use std::rc::Rc;

/// The most states, and the most transitions of one state, before reduction.
const LIMIT: usize = 1 << 14;

/// The most transitions of all states together, before reduction.
const EDGE_LIMIT: usize = 1 << 17;

/// Above this many terms, looking for terms that others make superfluous costs more than it saves.
const MANY_TERMS: usize = 1 << 7;

/// An automaton and the atoms it reads.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Translation {
    /// The automaton; bit `i` of a letter is `atoms[i]`.
    pub automaton: Automaton,
    /// The atoms that matter, in the order of the automaton's.
    pub atoms: Vec<AtomId>,
}

/// The automaton that accepts the words that satisfy the formula, with its atoms named by `name`.
///
/// Its condition is a conjunction of `Inf`s; it is trimmed and reduced, and need not be deterministic.
pub fn translate(formula: &Ltl, name: &dyn Fn(AtomId) -> String) -> Result<Translation, TooLarge> {
    let mut atoms = Vec::new();
    let mut formulas = Formulas::new();
    let start = formulas.simplified(formula, &mut atoms)?;
    let mut tableau = Tableau::new(formulas);
    let mut automaton = reduce(tableau.automaton(start)?);
    // Atoms that simplification has made irrelevant are not read.
    let mut used = 0;
    for edge in automaton.states.iter().flat_map(|s| &s.edges) {
        used |= edge.guard.support();
    }
    let kept: Vec<u32> = (0..atoms.len() as u32).filter(|&i| used >> i & 1 == 1).collect();
    for edge in automaton.states.iter_mut().flat_map(|s| &mut s.edges) {
        edge.guard = edge.guard.selecting(&kept);
    }
    let atoms: Vec<AtomId> = kept.iter().map(|&i| atoms[i as usize]).collect();
    automaton.atoms = atoms.iter().map(|&a| name(a)).collect();
    debug_assert!(automaton.is_well_formed());
    Ok(Translation { automaton, atoms })
}

/// One way to meet an obligation.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Term {
    /// What the letter must be like.
    cube: Cube,
    /// What the rest of the word owes; ascending.
    next: Vec<FormulaId>,
    /// The untils that are put off, by their marks.
    postponed: MarkSet,
}

impl Term {
    /// Whether `other` allows all that this term allows.
    fn is_superfluous_beside(&self, other: &Term) -> bool {
        self.cube.implies(other.cube)
            && other.postponed.is_subset(self.postponed)
            && other.next.iter().all(|f| self.next.binary_search(f).is_ok())
    }
}

struct Tableau {
    formulas: Formulas,
    terms: HashMap<FormulaId, Rc<Vec<Term>>>,
    marks: HashMap<FormulaId, u32>,
    repeated: HashMap<(FormulaId, FormulaId), bool>,
}

impl Tableau {
    fn new(formulas: Formulas) -> Tableau {
        Tableau {
            formulas,
            terms: HashMap::new(),
            marks: HashMap::new(),
            repeated: HashMap::new(),
        }
    }

    /// The automaton of a formula.
    fn automaton(&mut self, start: FormulaId) -> Result<Automaton, TooLarge> {
        // A disjunction is a choice of initial states.
        let starts = match self.formulas.node(start) {
            Node::Or(operands) => operands.clone(),
            Node::False => Vec::new(),
            _ => vec![start],
        };
        let mut sets: Vec<Vec<FormulaId>> = Vec::new();
        let mut numbers: HashMap<Vec<FormulaId>, u32> = HashMap::new();
        let mut number = |set: Vec<FormulaId>, sets: &mut Vec<Vec<FormulaId>>| {
            *numbers.entry(set).or_insert_with_key(|set| {
                sets.push(set.clone());
                sets.len() as u32 - 1
            })
        };
        let mut initial = Vec::new();
        for formula in starts {
            let set = self.obligations(vec![formula]);
            initial.push(StateIndex(number(set, &mut sets)));
        }
        let mut states: Vec<State> = Vec::new();
        let mut total = 0;
        while let Some(set) = sets.get(states.len()).cloned() {
            if sets.len() > LIMIT {
                return Err(TooLarge::Size(LIMIT));
            }
            // Transitions with the same target and marks are one, with a larger guard.
            let mut edges: Vec<(u32, MarkSet, Vec<Cube>)> = Vec::new();
            let mut places: HashMap<(u32, MarkSet), usize> = HashMap::new();
            for term in self.expand_all(&set)? {
                let next = self.obligations(term.next);
                let key = (number(next, &mut sets), term.postponed);
                let place = *places.entry(key).or_insert_with(|| {
                    edges.push((key.0, key.1, Vec::new()));
                    edges.len() - 1
                });
                edges[place].2.push(term.cube);
            }
            total += edges.len();
            if total > EDGE_LIMIT {
                return Err(TooLarge::Size(EDGE_LIMIT));
            }
            let edges = edges.into_iter().map(|(target, postponed, cubes)| Edge {
                guard: Guard::new(cubes),
                marks: postponed,
                target: StateIndex(target),
            });
            states.push(State {
                edges: edges.collect(),
            });
        }
        let marks = self.marks.len() as u32;
        for edge in states.iter_mut().flat_map(|s| &mut s.edges) {
            edge.marks = MarkSet(MarkSet::all(marks).0 & !edge.marks.0);
        }
        Ok(Automaton {
            atoms: Vec::new(),
            states,
            initial,
            acceptance: Acceptance::generalized_buchi(marks),
            marks,
        })
    }

    /// The obligations as a set: conjunctions taken apart, without those that others repeat anyway.
    fn obligations(&mut self, list: Vec<FormulaId>) -> Vec<FormulaId> {
        let mut set = Vec::new();
        for formula in list {
            match self.formulas.node(formula) {
                Node::And(operands) => set.extend_from_slice(operands),
                Node::True => {}
                _ => set.push(formula),
            }
        }
        set.sort_unstable();
        set.dedup();
        let mut kept: Vec<FormulaId> = Vec::new();
        for &f in &set {
            if !kept.iter().any(|&g| self.repeats(g, f)) {
                kept.retain(|&g| !self.repeats(f, g));
                kept.push(f);
            }
        }
        kept
    }

    /// Whether every term of `p` contains a term of `q`, so that `p && q` has the terms of `p`.
    fn repeats(&mut self, p: FormulaId, q: FormulaId) -> bool {
        if p == q {
            return true;
        }
        if let Some(&known) = self.repeated.get(&(p, q)) {
            return known;
        }
        let by_left = match self.formulas.node(p).clone() {
            Node::And(operands) => operands.iter().any(|&a| self.repeats(a, q)),
            Node::Or(operands) => operands.iter().all(|&a| self.repeats(a, q)),
            Node::Until(a, b) => self.repeats(a, q) && self.repeats(b, q),
            Node::Release(_, b) => self.repeats(b, q),
            Node::True | Node::False | Node::Literal(..) | Node::Next(_) => false,
        };
        let answer = by_left
            || match self.formulas.node(q).clone() {
                Node::And(operands) => operands.iter().all(|&b| self.repeats(p, b)),
                Node::Or(operands) => operands.iter().any(|&b| self.repeats(p, b)),
                Node::Until(_, b) => self.repeats(p, b),
                Node::Release(a, b) => self.repeats(p, a) && self.repeats(p, b),
                Node::True | Node::False | Node::Literal(..) | Node::Next(_) => false,
            };
        self.repeated.insert((p, q), answer);
        answer
    }

    /// The terms of a conjunction.
    fn expand_all(&mut self, set: &[FormulaId]) -> Result<Vec<Term>, TooLarge> {
        let nothing = Term {
            cube: Cube::TRUE,
            next: Vec::new(),
            postponed: MarkSet::EMPTY,
        };
        let mut terms = vec![nothing];
        for &formula in set {
            let more = self.expand(formula)?;
            terms = product(&terms, &more)?;
        }
        Ok(terms)
    }

    /// The terms of a formula.
    fn expand(&mut self, formula: FormulaId) -> Result<Rc<Vec<Term>>, TooLarge> {
        if let Some(known) = self.terms.get(&formula) {
            return Ok(Rc::clone(known));
        }
        let single = |cube, next: Vec<FormulaId>| Term {
            cube,
            next,
            postponed: MarkSet::EMPTY,
        };
        let terms = match self.formulas.node(formula).clone() {
            Node::True => vec![single(Cube::TRUE, Vec::new())],
            Node::False => Vec::new(),
            Node::Literal(atom, sign) => vec![single(Cube::literal(atom, sign), Vec::new())],
            Node::Next(p) => vec![single(Cube::TRUE, vec![p])],
            Node::And(operands) => self.expand_all(&operands)?,
            Node::Or(operands) => {
                let mut terms = Vec::new();
                for operand in operands {
                    let more = self.expand(operand)?;
                    for term in more.iter() {
                        add(&mut terms, term.clone())?;
                    }
                }
                terms
            }
            Node::Until(p, q) => {
                let wait = Term {
                    cube: Cube::TRUE,
                    next: vec![formula],
                    postponed: MarkSet(1 << self.mark(formula)?),
                };
                let mut terms = self.expand(q)?.to_vec();
                for term in product(&self.expand(p)?, &[wait])? {
                    add(&mut terms, term)?;
                }
                terms
            }
            Node::Release(p, q) => {
                let mut released = self.expand(p)?.to_vec();
                add(&mut released, single(Cube::TRUE, vec![formula]))?;
                product(&self.expand(q)?, &released)?
            }
        };
        let terms = Rc::new(terms);
        self.terms.insert(formula, Rc::clone(&terms));
        Ok(terms)
    }

    /// The mark of an until.
    fn mark(&mut self, until: FormulaId) -> Result<u32, TooLarge> {
        let fresh = self.marks.len() as u32;
        let mark = *self.marks.entry(until).or_insert(fresh);
        if mark >= MAX_MARKS {
            return Err(TooLarge::Marks(mark as usize + 1));
        }
        Ok(mark)
    }
}

/// The terms of a conjunction of two formulas.
fn product(first: &[Term], second: &[Term]) -> Result<Vec<Term>, TooLarge> {
    let mut terms = Vec::new();
    for a in first {
        for b in second {
            let Some(cube) = a.cube.and(b.cube) else { continue };
            let mut next = [a.next.as_slice(), b.next.as_slice()].concat();
            next.sort_unstable();
            next.dedup();
            let postponed = a.postponed.union(b.postponed);
            add(
                &mut terms,
                Term {
                    cube,
                    next,
                    postponed,
                },
            )?;
        }
    }
    Ok(terms)
}

/// Adds a term, unless it is superfluous, and drops those that it makes superfluous.
fn add(terms: &mut Vec<Term>, term: Term) -> Result<(), TooLarge> {
    if terms.len() < MANY_TERMS {
        if terms.iter().any(|t| term.is_superfluous_beside(t)) {
            return Ok(());
        }
        terms.retain(|t| !t.is_superfluous_beside(&term));
    }
    terms.push(term);
    if terms.len() > LIMIT {
        return Err(TooLarge::Size(LIMIT));
    }
    Ok(())
}
