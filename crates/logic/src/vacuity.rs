//! Which parts of a formula have no influence on its truth?
//!
//! A part of a formula that holds has no influence if the formula still holds with the part replaced by what makes it hardest to satisfy: `false` where the part occurs
//! positively, `true` where it occurs under a negation [Beer-FMSD'01]. A part under `<->` occurs both ways, and both are tried.

use crate::Ltl;

/// A part of a formula, and the formulas that must hold if the part has no influence.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Part {
    /// The part.
    pub part: Ltl,
    /// The formula with this occurrence of the part replaced.
    pub replaced: Vec<Ltl>,
    /// The number of the smallest part around it, if it is not the whole formula.
    pub around: Option<usize>,
}

/// All parts of a formula but itself and constants, each after those around it.
pub fn parts(formula: &Ltl) -> Vec<Part> {
    let mut parts = Vec::new();
    let whole = |p: Ltl| p;
    visit(formula, Polarity::Positive, None, &whole, &mut parts);
    parts
}

#[derive(Clone, Copy)]
enum Polarity {
    Positive,
    Negative,
    Both,
}

impl Polarity {
    fn flipped(self) -> Polarity {
        match self {
            Polarity::Positive => Polarity::Negative,
            Polarity::Negative => Polarity::Positive,
            Polarity::Both => Polarity::Both,
        }
    }
}

/// Adds the proper parts of `formula`, which `context` puts in its place in the whole.
fn visit(
    formula: &Ltl,
    polarity: Polarity,
    around: Option<usize>,
    context: &dyn Fn(Ltl) -> Ltl,
    parts: &mut Vec<Part>,
) {
    let mut add = |part: &Ltl, polarity: Polarity, context: &dyn Fn(Ltl) -> Ltl| {
        if matches!(part, Ltl::True | Ltl::False) {
            return;
        }
        let worst: &[Ltl] = match polarity {
            Polarity::Positive => &[Ltl::False],
            Polarity::Negative => &[Ltl::True],
            Polarity::Both => &[Ltl::False, Ltl::True],
        };
        let number = parts.len();
        parts.push(Part {
            part: part.clone(),
            replaced: worst.iter().cloned().map(context).collect(),
            around,
        });
        visit(part, polarity, Some(number), context, parts);
    };
    let mut one = |p: &Ltl, polarity: Polarity, wrap: fn(Box<Ltl>) -> Ltl| {
        add(p, polarity, &|inner| context(wrap(Box::new(inner))));
    };
    match formula {
        Ltl::True | Ltl::False | Ltl::Atom(_) => {}
        Ltl::Not(p) => one(p, polarity.flipped(), Ltl::Not),
        Ltl::Next(p) => one(p, polarity, Ltl::Next),
        Ltl::Finally(p) => one(p, polarity, Ltl::Finally),
        Ltl::Globally(p) => one(p, polarity, Ltl::Globally),
        Ltl::And(p, q)
        | Ltl::Or(p, q)
        | Ltl::Implies(p, q)
        | Ltl::Iff(p, q)
        | Ltl::Until(p, q)
        | Ltl::Release(p, q)
        | Ltl::WeakUntil(p, q) => {
            let join: fn(Box<Ltl>, Box<Ltl>) -> Ltl = match formula {
                Ltl::And(..) => Ltl::And,
                Ltl::Or(..) => Ltl::Or,
                Ltl::Implies(..) => Ltl::Implies,
                Ltl::Iff(..) => Ltl::Iff,
                Ltl::Until(..) => Ltl::Until,
                Ltl::Release(..) => Ltl::Release,
                _ => Ltl::WeakUntil,
            };
            let (left, right) = match formula {
                Ltl::Implies(..) => (polarity.flipped(), polarity),
                Ltl::Iff(..) => (Polarity::Both, Polarity::Both),
                _ => (polarity, polarity),
            };
            add(p, left, &|inner| context(join(Box::new(inner), q.clone())));
            add(q, right, &|inner| context(join(p.clone(), Box::new(inner))));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse;
    use fairhold_source::FileId;

    /// Every part with its replacements, as text.
    fn listed(text: &str) -> Vec<(String, Vec<String>, Option<usize>)> {
        let parsed = parse(FileId(0), text);
        let formula = parsed.formula.expect("the formula has no errors");
        let name = |atom: crate::AtomId| parsed.atoms[atom.0 as usize].clone();
        let show = |f: &Ltl| f.display(&name).to_string();
        let list = parts(&formula);
        let row = |p: &Part| (show(&p.part), p.replaced.iter().map(show).collect(), p.around);
        list.iter().map(row).collect()
    }

    #[test]
    fn each_part_is_replaced_by_the_worst() {
        let row = |part: &str, replaced: &[&str], around| {
            let replaced: Vec<String> = replaced.iter().map(|&r| r.to_owned()).collect();
            (part.to_owned(), replaced, around)
        };
        assert_eq!(
            listed("[](a -> <>b)"),
            [
                row("(a -> <>b)", &["[]false"], None),
                row("a", &["[](true -> <>b)"], Some(0)),
                row("<>b", &["[](a -> false)"], Some(0)),
                row("b", &["[](a -> <>false)"], Some(2)),
            ]
        );
        assert_eq!(
            listed("!(a U !b)"),
            [
                row("(a U !b)", &["!true"], None),
                row("a", &["!(true U !b)"], Some(0)),
                row("!b", &["!(a U true)"], Some(0)),
                row("b", &["!(a U !false)"], Some(2)),
            ]
        );
        assert_eq!(
            listed("a <-> true"),
            [row("a", &["(false <-> true)", "(true <-> true)"], None)]
        );
    }
}
