//! Random formulas and words.

use fairhold_logic::{AtomId, Ltl, Word};
use fairhold_testkit::Rng;

/// A random formula over atoms `0..atoms`, with every operator, at most `depth` operators deep.
pub(crate) fn random_formula(rng: &mut Rng, atoms: u32, depth: usize) -> Ltl {
    if depth == 0 || rng.chance(1, 6) {
        return match rng.below(12) {
            0 => Ltl::True,
            1 => Ltl::False,
            _ => Ltl::Atom(AtomId(rng.below(atoms as usize) as u32)),
        };
    }
    let p = Box::new(random_formula(rng, atoms, depth - 1));
    match rng.below(15) {
        0 => return Ltl::Not(p),
        1 => return Ltl::Next(p),
        2 | 3 => return Ltl::Finally(p),
        4 | 5 => return Ltl::Globally(p),
        _ => {}
    }
    let q = Box::new(random_formula(rng, atoms, depth - 1));
    match rng.below(9) {
        0 | 1 => Ltl::And(p, q),
        2 | 3 => Ltl::Or(p, q),
        4 => Ltl::Implies(p, q),
        5 => Ltl::Iff(p, q),
        6 => Ltl::Until(p, q),
        7 => Ltl::Release(p, q),
        _ => Ltl::WeakUntil(p, q),
    }
}

/// A random formula over atoms `0..atoms` without temporal operators, at most `depth` operators deep.
#[allow(dead_code, reason = "not every test that includes this file has a use for it")]
pub(crate) fn timeless_formula(rng: &mut Rng, atoms: u32, depth: usize) -> Ltl {
    if depth == 0 || rng.chance(1, 6) {
        return random_formula(rng, atoms, 0);
    }
    let p = Box::new(timeless_formula(rng, atoms, depth - 1));
    if rng.chance(1, 5) {
        return Ltl::Not(p);
    }
    let q = Box::new(timeless_formula(rng, atoms, depth - 1));
    match rng.below(4) {
        0 => Ltl::And(p, q),
        1 => Ltl::Or(p, q),
        2 => Ltl::Implies(p, q),
        _ => Ltl::Iff(p, q),
    }
}

/// A random lasso of up to four letters before a cycle of up to four. Atoms are rare, common or even, so that `F` and `G`
/// get both values.
pub(crate) fn random_word(rng: &mut Rng, atoms: u32) -> Word {
    let (before, again) = (rng.below(5), 1 + rng.below(4));
    let density = rng.below(3);
    let mut letters = |n: usize| -> Vec<u64> {
        let letter = |rng: &mut Rng| {
            let (a, b) = (rng.next_u64(), rng.next_u64());
            let bits = [a, a & b, a | b][density];
            bits & ((1 << atoms) - 1)
        };
        (0..n).map(|_| letter(rng)).collect()
    };
    Word {
        prefix: letters(before),
        cycle: letters(again),
    }
}
