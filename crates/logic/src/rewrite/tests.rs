//! Every rule against the definition of the operators, and the rules together on random formulas.

use crate::common::{random_formula, random_word};
use crate::formula::{FormulaId, Formulas, Node};
use crate::{AtomId, Ltl, parse};
use fairhold_source::FileId;
use fairhold_testkit::{Rng, cases};

/// Left sides and right sides. `a b c` stand for any formula, `e` for a pure eventuality, `u` for a purely universal formula,
/// `s` for one that is both. The dual of each rule is tested as well.
const RULES: [(&str, &str); 38] = [
    // Conjunctions.
    ("X a && X b", "X(a && b)"),
    ("(a R b) && (a R c)", "a R (b && c)"),
    ("[]a && []b", "[](a && b)"),
    ("(a U b) && (c U b)", "(a && c) U b"),
    ("<>[]a && <>[]b", "<>[](a && b)"),
    ("a && X[]a", "[]a"),
    ("a && (a || b)", "a"),
    ("a && !a", "false"),
    ("a && (b U a)", "a"),
    ("[]a && (b R a)", "[]a"),
    ("[]a && a", "[]a"),
    ("[]a && <>!a", "false"),
    // Next.
    ("X s", "s"),
    ("X(a && s)", "X a && s"),
    ("X(a || s)", "X a || s"),
    ("X a U X b", "X(a U b)"),
    ("<>X a", "X<>a"),
    // Until.
    ("a U e", "e"),
    ("false U a", "a"),
    ("a U a", "a"),
    ("(a && b) U a", "a"),
    ("!a U a", "<>a"),
    ("(b || !a) U a", "<>a"),
    ("a U (a U b)", "a U b"),
    ("(a && c) U (a U b)", "a U b"),
    ("a U ((a && c) U b)", "a U b"),
    ("<>(a U b)", "<>b"),
    ("a U (b && s)", "(a U b) && s"),
    ("a U (b || e)", "(a U b) || e"),
    ("<>u", "<>[]u"),
    // Almost always.
    ("<>[]X a", "<>[]a"),
    ("<>[](a R b)", "<>[]b"),
    ("<>[](a U b)", "[]<>b && <>[](a || b)"),
    ("<>[](a && e)", "<>[]a && []e"),
    ("<>[](a || e)", "<>[]a || []e"),
    ("<>[]<>a", "[]<>a"),
    // What is not an operator of its own.
    ("a W b", "b R (a || b)"),
    ("a <-> b", "(a && b) || (!a && !b)"),
];

/// A formula with its atoms replaced.
fn instance(formula: &Ltl, atom: &dyn Fn(AtomId) -> Ltl) -> Ltl {
    let one = |p: &Ltl| Box::new(instance(p, atom));
    match formula {
        Ltl::True => Ltl::True,
        Ltl::False => Ltl::False,
        Ltl::Atom(a) => atom(*a),
        Ltl::Not(p) => Ltl::Not(one(p)),
        Ltl::Next(p) => Ltl::Next(one(p)),
        Ltl::Finally(p) => Ltl::Finally(one(p)),
        Ltl::Globally(p) => Ltl::Globally(one(p)),
        Ltl::And(p, q) => Ltl::And(one(p), one(q)),
        Ltl::Or(p, q) => Ltl::Or(one(p), one(q)),
        Ltl::Implies(p, q) => Ltl::Implies(one(p), one(q)),
        Ltl::Iff(p, q) => Ltl::Iff(one(p), one(q)),
        Ltl::Until(p, q) => Ltl::Until(one(p), one(q)),
        Ltl::Release(p, q) => Ltl::Release(one(p), one(q)),
        Ltl::WeakUntil(p, q) => Ltl::WeakUntil(one(p), one(q)),
    }
}

/// Both sides of a rule, with the metavariables replaced by what `meta` makes for each name.
fn sides(rule: (&str, &str), meta: &mut dyn FnMut(&str) -> Ltl) -> (Ltl, Ltl) {
    let read = |text: &str| {
        let parsed = parse(FileId(0), text);
        (
            parsed
                .formula
                .unwrap_or_else(|| panic!("{text}: {:?}", parsed.diagnostics)),
            parsed.atoms,
        )
    };
    let names = ["a", "b", "c", "e", "u", "s"];
    let values: Vec<Ltl> = names.iter().map(|n| meta(n)).collect();
    let fill = |(formula, atoms): (Ltl, Vec<String>)| {
        let value = |a: AtomId| {
            let name = &atoms[a.0 as usize];
            let at = names.iter().position(|n| n == name);
            values[at.expect("rules use these names only")].clone()
        };
        instance(&formula, &value)
    };
    (fill(read(rule.0)), fill(read(rule.1)))
}

/// What a metavariable must be like, from any formula.
fn shaped(name: &str, p: Ltl) -> Ltl {
    let p = Box::new(p);
    match name {
        "e" => Ltl::Finally(p),
        "u" => Ltl::Globally(p),
        "s" => Ltl::Globally(Box::new(Ltl::Finally(p))),
        _ => *p,
    }
}

fn simplified(formula: &Ltl) -> (Formulas, FormulaId) {
    // All formulas of a test number their atoms alike.
    let mut atoms: Vec<AtomId> = (0..8).map(AtomId).collect();
    let mut formulas = Formulas::new();
    let id = formulas.simplified(formula, &mut atoms).expect("few atoms");
    (formulas, id)
}

/// The formula back as a tree.
fn tree(formulas: &Formulas, id: FormulaId) -> Ltl {
    let one = |p: &FormulaId| Box::new(tree(formulas, *p));
    let join = |list: &[FormulaId], op: fn(Box<Ltl>, Box<Ltl>) -> Ltl| {
        let parts = list.iter().map(|p| tree(formulas, *p));
        parts
            .reduce(|p, q| op(Box::new(p), Box::new(q)))
            .expect("operands")
    };
    match formulas.node(id) {
        Node::True => Ltl::True,
        Node::False => Ltl::False,
        Node::Literal(atom, true) => Ltl::Atom(AtomId(*atom)),
        Node::Literal(atom, false) => Ltl::Not(Box::new(Ltl::Atom(AtomId(*atom)))),
        Node::And(list) => join(list, Ltl::And),
        Node::Or(list) => join(list, Ltl::Or),
        Node::Next(p) => Ltl::Next(one(p)),
        Node::Until(p, q) => Ltl::Until(one(p), one(q)),
        Node::Release(p, q) => Ltl::Release(one(p), one(q)),
    }
}

#[test]
fn both_sides_of_every_rule_mean_the_same() {
    let mut rng = Rng::new(11);
    for rule in RULES {
        for _ in 0..60 {
            let (left, right) = sides(rule, &mut |name| shaped(name, random_formula(&mut rng, 3, 2)));
            for _ in 0..10 {
                let word = random_word(&mut rng, 3);
                assert_eq!(
                    word.satisfies(&left),
                    word.satisfies(&right),
                    "{rule:?} as {left:?} on {word:?}"
                );
            }
        }
    }
}

#[test]
fn every_rule_is_applied_and_so_is_its_dual() {
    for rule in RULES {
        let mut next = 0;
        let (left, right) = sides(rule, &mut |name| {
            next += 1;
            shaped(name, Ltl::Atom(AtomId(next)))
        });
        let mut atoms: Vec<AtomId> = (0..8).map(AtomId).collect();
        let mut formulas = Formulas::new();
        let not = |p: &Ltl| Ltl::Not(Box::new(p.clone()));
        for (p, q) in [(left.clone(), right.clone()), (not(&left), not(&right))] {
            let p = formulas.simplified(&p, &mut atoms).expect("few atoms");
            let q = formulas.simplified(&q, &mut atoms).expect("few atoms");
            assert_eq!(p, q, "{rule:?}");
        }
    }
}

#[test]
fn simplified_formulas_mean_the_same() {
    let mut rng = Rng::new(12);
    let (mut before, mut after) = (0, 0);
    for _ in 0..cases(2000) {
        let depth = 1 + rng.below(6);
        let formula = random_formula(&mut rng, 3, depth);
        let (formulas, id) = simplified(&formula);
        let simple = tree(&formulas, id);
        before += format!("{formula:?}").len();
        after += format!("{simple:?}").len();
        for _ in 0..20 {
            let word = random_word(&mut rng, 3);
            assert_eq!(
                word.satisfies(&formula),
                word.satisfies(&simple),
                "{formula:?} became {simple:?}"
            );
        }
    }
    println!(
        "simplification leaves {} % of the formulas' text",
        100 * after / before
    );
}

#[test]
fn implications_are_true() {
    let mut rng = Rng::new(13);
    let mut found = 0;
    for _ in 0..cases(2000) {
        let mut atoms: Vec<AtomId> = (0..8).map(AtomId).collect();
        let mut formulas = Formulas::new();
        let mut read = || {
            let formula = random_formula(&mut rng, 2, 3);
            formulas.simplified(&formula, &mut atoms).expect("few atoms")
        };
        let (p, q) = (read(), read());
        if !formulas.implies(p, q) {
            continue;
        }
        found += 1;
        let (p, q) = (tree(&formulas, p), tree(&formulas, q));
        for _ in 0..20 {
            let word = random_word(&mut rng, 2);
            assert!(
                !word.satisfies(&p) || word.satisfies(&q),
                "{p:?} => {q:?} on {word:?}"
            );
        }
    }
    println!("{found} implications found");
}
