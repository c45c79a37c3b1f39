//! Constraints of all kinds: the notions, annotations and formulas of the search for fair executions, and formulas of certain forms.

use crate::constraint::{Fair, constraints, of_formula};
use fairhold_testkit::Rng;
use fairhold_testkit::fair::{EVENTS, Formula, Party, Proposition, random_party};

/// `/\ (GF a or FG b)`: the form with a linear check.
pub(crate) const PAIRS: &str = "pairs";
/// A disjunction of two of these.
pub(crate) const EITHER: &str = "either";
/// `/\ (FG a or FG b)`: the form to which satisfiability reduces.
pub(crate) const HARD: &str = "hard";

/// One constraint of every name, random where a name leaves a choice.
pub(crate) fn all_forms(rng: &mut Rng) -> Vec<Fair> {
    let mut all = constraints(rng);
    all.push(of_formula(PAIRS, pairs(rng)));
    let either = Formula::Or(vec![pairs(rng), pairs(rng)]);
    all.push(of_formula(EITHER, either));
    let hard = |rng: &mut Rng| Formula::Or(vec![always(rng), always(rng)]);
    all.push(of_formula(
        HARD,
        Formula::And((0..2 + rng.below(2)).map(|_| hard(rng)).collect()),
    ));
    all
}

fn pairs(rng: &mut Rng) -> Formula {
    let pair = |rng: &mut Rng| Formula::Or(vec![Formula::Often(fact(rng)), always(rng)]);
    Formula::And((0..2 + rng.below(3)).map(|_| pair(rng)).collect())
}

/// Of what must always be, most is that something does not happen.
fn always(rng: &mut Rng) -> Formula {
    let fact = fact(rng);
    Formula::Always(if rng.chance(4, 5) {
        Proposition::Not(Box::new(fact))
    } else {
        fact
    })
}

fn fact(rng: &mut Rng) -> Proposition {
    match rng.below(5) {
        0 | 1 => Proposition::State(rng.below(2) as u32),
        2 => Proposition::Enabled(random_party(rng)),
        3 => Proposition::Engaged(random_party(rng)),
        _ => Proposition::Engaged(Party::Event(2 + rng.below(EVENTS as usize - 2) as u32)),
    }
}
