//! Random properties: formulas of LTL over states and events, and automata that no formula gives.

#[path = "../../../logic/tests/common/mod.rs"]
#[expect(dead_code, reason = "words are for the tests of the translation")]
mod common;

use fairhold_logic::{
    Acceptance, AtomId, Automaton, Cube, Edge, Guard, Ltl, MarkId, MarkSet, State, StateIndex, parse,
    translate,
};
use fairhold_search::Atom;
use fairhold_source::FileId;
use fairhold_system::{EventId, PredicateId};
use fairhold_testkit::Rng;
use fairhold_testkit::fair::{Graph, Product, Set, always_possible, always_possibly_forever, set_of};

/// What formulas speak of: two predicates and three events.
const ATOMS: [(&str, Atom); 5] = [
    ("p", Atom::State(PredicateId(0))),
    ("q", Atom::State(PredicateId(1))),
    ("a", Atom::Event(EventId(2))),
    ("b", Atom::Event(EventId(3))),
    ("c", Atom::Event(EventId(4))),
];

/// Formulas of the shapes people write. Violations of the later ones take an automaton that guesses.
const PATTERNS: [&str; 14] = [
    "[](a -> <>b)",
    "[]<>a -> []<>b",
    "[](p -> <>q)",
    "<>(a && X b)",
    "!a U b",
    "[](a -> (p W b))",
    "<>[]p || []<>a",
    "[]<>a && []<>b",
    "[]<>a -> []<>(p && q)",
    "[]<>(a && (!b U c))",
    "![]<>(a && (!b U c))",
    "![]<>(p && X a)",
    "![]<>(a && X (p U b))",
    "<>[](a -> X (q || b))",
];

/// The kinds of properties.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Kind {
    /// `[]<>` of a state formula.
    Recurrence,
    /// `<>[]` of a state formula.
    Persistence,
    /// One of the patterns, or its negation.
    Pattern,
    /// Any formula.
    Formula,
    /// A random automaton with any condition.
    Automaton,
}

impl Kind {
    pub(crate) const ALL: [Kind; 5] = [
        Kind::Recurrence,
        Kind::Persistence,
        Kind::Pattern,
        Kind::Formula,
        Kind::Automaton,
    ];
}

/// A property, by an automaton that accepts what violates it.
#[derive(Debug)]
pub(crate) struct Property {
    pub(crate) kind: Kind,
    pub(crate) violations: Automaton,
    pub(crate) atoms: Vec<Atom>,
    /// What violates it, as a formula with its atoms.
    formula: Option<(Ltl, Vec<Atom>)>,
    /// Of recurrence and persistence: whether the state formula holds, by the predicates of a state.
    table: usize,
}

impl Property {
    pub(crate) fn random(rng: &mut Rng, kind: Kind) -> Property {
        let all = || ATOMS.map(|(_, atom)| atom).to_vec();
        // Three of four states have it, on average: what must hold forever and often has to be common.
        let table = rng.below(16) | rng.below(16);
        let (formula, atoms) = match kind {
            Kind::Recurrence => (globally(finally(state_formula(table))), all()),
            Kind::Persistence => (finally(globally(state_formula(table))), all()),
            Kind::Pattern => {
                let parsed = parse(FileId(0), PATTERNS[rng.below(PATTERNS.len())]);
                let formula = parsed.formula.expect("patterns are formulas");
                let named = |name: &String| {
                    ATOMS
                        .iter()
                        .find(|(n, _)| n == name)
                        .expect("a known name")
                        .1
                        .clone()
                };
                let formula = if rng.chance(1, 3) { not(formula) } else { formula };
                (formula, parsed.atoms.iter().map(named).collect())
            }
            Kind::Formula => (common::random_formula(rng, ATOMS.len() as u32, 4), all()),
            Kind::Automaton => return Property::of_automaton(random_automaton(rng)),
        };
        let violated = not(formula);
        let translation = translate(&violated, &|a| format!("x{}", a.0)).expect("a small formula");
        Property {
            kind,
            atoms: translation
                .atoms
                .iter()
                .map(|a| atoms[a.0 as usize].clone())
                .collect(),
            violations: translation.automaton,
            formula: Some((violated, atoms)),
            table,
        }
    }

    fn of_automaton(violations: Automaton) -> Property {
        Property {
            kind: Kind::Automaton,
            atoms: ATOMS[..violations.atoms.len()]
                .iter()
                .map(|a| a.1.clone())
                .collect(),
            violations,
            formula: None,
            table: 0,
        }
    }

    /// The product of a graph and the automaton of violations.
    pub(crate) fn product(&self, graph: &Graph) -> Option<Product> {
        let start: Vec<usize> = self.violations.initial.iter().map(|q| q.index()).collect();
        Product::new(graph, &start, |q, event, state| {
            let letter = letter(graph, &self.atoms, event, state);
            let edges = self.violations.successors(StateIndex(q as u32), letter);
            edges.map(|e| (e.target.index(), e.marks.0)).collect()
        })
    }

    /// Whether a word of the graph violates the property: by the meaning of the formula, if it has one, and by the automaton.
    pub(crate) fn is_violated(
        &self,
        graph: &Graph,
        word: impl Fn(&dyn Fn(Option<u32>, usize) -> u64) -> fairhold_logic::Word,
    ) -> bool {
        let read = |atoms: &[Atom]| word(&|event, state| letter(graph, atoms, event, state));
        let satisfies = |(formula, atoms): &(Ltl, Vec<Atom>)| read(atoms).satisfies(formula);
        self.formula.as_ref().is_none_or(satisfies) && read(&self.atoms).is_accepted(&self.violations)
    }

    /// Under strong global fairness, by reachability in the graph alone, whether the property holds: of recurrence and persistence.
    pub(crate) fn holds_by_branching(&self, graph: &Graph) -> Option<bool> {
        let states = (0..graph.predicates.len()).filter(|&s| self.table >> graph.predicates[s] & 1 == 1);
        let p: Set = set_of(states);
        match self.kind {
            Kind::Recurrence => Some(always_possible(graph, p)),
            Kind::Persistence => Some(always_possibly_forever(graph, p)),
            _ => None,
        }
    }
}

/// The letter of a position: which atoms hold, a bit each.
fn letter(graph: &Graph, atoms: &[Atom], event: Option<u32>, state: usize) -> u64 {
    let predicate = |p: &PredicateId| Ok::<bool, ()>(graph.predicates[state] >> p.0 & 1 == 1);
    let holds = |atom: &Atom| match atom {
        Atom::State(p) => predicate(p) == Ok(true),
        Atom::Condition(condition) => condition.holds(predicate) == Ok(true),
        Atom::Event(e) => event == Some(e.0),
        Atom::OneOf(events) => events.iter().any(|e| event == Some(e.0)),
    };
    let bits = atoms.iter().enumerate().filter(|(_, atom)| holds(atom));
    bits.fold(0, |letter, (i, _)| letter | 1 << i)
}

fn not(f: Ltl) -> Ltl {
    Ltl::Not(Box::new(f))
}

fn globally(f: Ltl) -> Ltl {
    Ltl::Globally(Box::new(f))
}

fn finally(f: Ltl) -> Ltl {
    Ltl::Finally(Box::new(f))
}

/// The formula over `p` and `q` with this table of values: bit `v` is its value where the predicates are the bits of `v`.
fn state_formula(table: usize) -> Ltl {
    let literal = |atom: u32, positive: bool| {
        let atom = Ltl::Atom(AtomId(atom));
        if positive { atom } else { not(atom) }
    };
    let term = |v: usize| {
        let (p, q) = (literal(0, v & 1 != 0), literal(1, v & 2 != 0));
        Ltl::And(Box::new(p), Box::new(q))
    };
    let terms = (0..4).filter(|v| table >> v & 1 == 1).map(term);
    terms.fold(Ltl::False, |f, t| Ltl::Or(Box::new(f), Box::new(t)))
}

/// A random condition over marks `0..marks`, at most `depth` operators deep.
fn random_acceptance(rng: &mut Rng, marks: u32, depth: usize) -> Acceptance {
    if depth == 0 || rng.chance(1, 3) {
        let mark = MarkId(rng.below(marks as usize) as u32);
        return if rng.chance(1, 2) {
            Acceptance::Inf(mark)
        } else {
            Acceptance::Fin(mark)
        };
    }
    let parts: Vec<_> = (0..2).map(|_| random_acceptance(rng, marks, depth - 1)).collect();
    if rng.chance(1, 2) {
        Acceptance::and(parts)
    } else {
        Acceptance::or(parts)
    }
}

/// Up to three states over all atoms but the last, three marks, any condition.
fn random_automaton(rng: &mut Rng) -> Automaton {
    let (states, marks, atoms) = (2 + rng.below(2), 3, ATOMS.len() - 1);
    let mut automaton = Automaton {
        atoms: ATOMS[..atoms]
            .iter()
            .map(|(name, _)| (*name).to_owned())
            .collect(),
        states: vec![State { edges: Vec::new() }; states],
        initial: vec![StateIndex(0)],
        acceptance: random_acceptance(rng, marks, 3),
        marks,
    };
    for from in 0..states {
        for _ in 0..2 + rng.below(2) {
            let mut cube = Cube::TRUE;
            for atom in 0..atoms as u32 {
                if rng.chance(1, 5) {
                    let literal = Cube::literal(atom, rng.chance(1, 2));
                    cube = cube.and(literal).expect("each atom once");
                }
            }
            automaton.states[from].edges.push(Edge {
                guard: Guard::from(cube),
                marks: MarkSet(rng.below(1 << marks) as u64 & rng.next_u64()),
                target: StateIndex(rng.below(states) as u32),
            });
        }
    }
    automaton
}
