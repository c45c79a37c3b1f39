//! Guards: sets of valuations, as disjunctions of cubes.
//!
//! A valuation of up to 64 atoms is one machine word, bit `i` for atom `i`. A cube asks some atoms to be true and some to be
//! false: two masks, two comparisons. The guards of automata from formulas have a handful of cubes, so the quadratic
//! simplification here costs less than a decision diagram would, and [`Guard::holds`] is what a search runs.

use std::fmt;

/// The most atoms a guard can speak of.
pub const MAX_ATOMS: usize = 64;

/// Guards with more cubes are not made smaller: the price can be exponential in their number.
const MANY_CUBES: usize = 64;

/// A conjunction of literals.
///
/// Invariant 1: `positive & negative == 0`; the contradiction is no cube.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Cube {
    /// The atoms that must be true, one bit each.
    pub positive: u64,
    /// The atoms that must be false, one bit each.
    pub negative: u64,
}

impl Cube {
    /// The cube of all valuations.
    pub const TRUE: Cube = Cube {
        positive: 0,
        negative: 0,
    };

    /// One literal: atom number `atom`, or its negation.
    pub fn literal(atom: u32, positive: bool) -> Cube {
        let bit = 1 << atom;
        Cube {
            positive: if positive { bit } else { 0 },
            negative: if positive { 0 } else { bit },
        }
    }

    /// Whether the valuation is in the cube.
    #[inline]
    pub fn holds(self, valuation: u64) -> bool {
        valuation & self.positive == self.positive && valuation & self.negative == 0
    }

    /// The valuations in both; none if there are none.
    pub fn and(self, other: Cube) -> Option<Cube> {
        let both = Cube {
            positive: self.positive | other.positive,
            negative: self.negative | other.negative,
        };
        (both.positive & both.negative == 0).then_some(both)
    }

    /// Whether every valuation of this cube is in `other`.
    pub fn implies(self, other: Cube) -> bool {
        other.positive & !self.positive == 0 && other.negative & !self.negative == 0
    }

    /// The literals, as pairs of an atom and its sign, by atom.
    pub fn literals(self) -> impl Iterator<Item = (u32, bool)> {
        (0..MAX_ATOMS as u32).filter_map(move |atom| {
            let bit = 1u64 << atom;
            if self.positive & bit != 0 {
                Some((atom, true))
            } else {
                (self.negative & bit != 0).then_some((atom, false))
            }
        })
    }

    /// What the cubes ask for beyond this one, for valuations in it.
    fn within(self, cubes: &[Cube]) -> Vec<Cube> {
        let beyond = |cube: &Cube| {
            self.and(*cube).map(|_| Cube {
                positive: cube.positive & !self.positive,
                negative: cube.negative & !self.negative,
            })
        };
        cubes.iter().filter_map(beyond).collect()
    }

    /// This cube without `other`, as disjoint cubes.
    fn without(self, other: Cube) -> Vec<Cube> {
        if self.and(other).is_none() {
            return vec![self];
        }
        let mut rest = self;
        let mut parts = Vec::new();
        for (atom, sign) in other.literals() {
            if let Some(part) = rest.and(Cube::literal(atom, !sign)) {
                parts.push(part);
                rest = rest
                    .and(Cube::literal(atom, sign))
                    .expect("an atom that `rest` leaves open can be given either value");
            }
        }
        parts
    }
}

/// A disjunction of cubes: no cube is `false`, an empty cube is `true`.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Guard {
    cubes: Vec<Cube>,
}

impl Guard {
    /// No valuation.
    pub fn falsum() -> Guard {
        Guard::default()
    }

    /// Every valuation.
    pub fn verum() -> Guard {
        Guard::from(Cube::TRUE)
    }

    /// The union of the cubes, with few cubes; equal unions need not give equal guards.
    pub fn new(mut cubes: Vec<Cube>) -> Guard {
        simplify(&mut cubes);
        Guard { cubes }
    }

    /// The same guard with atom `i` called `place(i)`. Two atoms may become one.
    #[must_use]
    pub fn renumbered(&self, place: &dyn Fn(u32) -> u32) -> Guard {
        let cube = |cube: &Cube| {
            let mut literals = cube.literals();
            literals.try_fold(Cube::TRUE, |all, (atom, sign)| {
                all.and(Cube::literal(place(atom), sign))
            })
        };
        Guard::new(self.cubes.iter().filter_map(cube).collect())
    }

    /// The cubes, in ascending order.
    pub fn cubes(&self) -> &[Cube] {
        &self.cubes
    }

    /// Whether the valuation satisfies the guard.
    #[inline]
    pub fn holds(&self, valuation: u64) -> bool {
        self.cubes.iter().any(|c| c.holds(valuation))
    }

    /// Whether no valuation satisfies it.
    pub fn is_false(&self) -> bool {
        self.cubes.is_empty()
    }

    /// Whether every valuation satisfies it.
    pub fn is_true(&self) -> bool {
        self.cubes == [Cube::TRUE] || Guard::verum().implies(self)
    }

    /// What satisfies both.
    #[must_use]
    pub fn and(&self, other: &Guard) -> Guard {
        let pairs = self
            .cubes
            .iter()
            .flat_map(|a| other.cubes.iter().map(|b| a.and(*b)));
        Guard::new(pairs.flatten().collect())
    }

    /// What satisfies one of the two.
    #[must_use]
    pub fn or(&self, other: &Guard) -> Guard {
        Guard::new(self.cubes.iter().chain(&other.cubes).copied().collect())
    }

    /// What satisfies this and not `other`.
    #[must_use]
    pub fn without(&self, other: &Guard) -> Guard {
        Guard::new(self.rest(other))
    }

    /// What does not satisfy it.
    #[must_use]
    pub fn negated(&self) -> Guard {
        Guard::verum().without(self)
    }

    /// Whether whatever satisfies this satisfies `other`.
    pub fn implies(&self, other: &Guard) -> bool {
        let simple = |c: &Cube| other.cubes.iter().any(|d| c.implies(*d));
        let covered = |c: &Cube| simple(c) || is_everything(c.within(&other.cubes));
        self.cubes.iter().all(covered)
    }

    /// Whether whatever satisfies this satisfies one of `others`.
    pub(crate) fn implies_some<'g>(&self, others: impl Iterator<Item = &'g Guard>) -> bool {
        let cubes = others.flat_map(|other| &other.cubes).copied();
        self.implies(&Guard {
            cubes: cubes.collect(),
        })
    }

    /// Whether some valuation satisfies both.
    pub fn meets(&self, other: &Guard) -> bool {
        self.cubes
            .iter()
            .any(|a| other.cubes.iter().any(|b| a.and(*b).is_some()))
    }

    /// The valuations of this guard outside `other`, as cubes.
    fn rest(&self, other: &Guard) -> Vec<Cube> {
        let mut rest = self.cubes.clone();
        for &cube in &other.cubes {
            rest = rest.into_iter().flat_map(|c| c.without(cube)).collect();
        }
        rest
    }

    /// The atoms that occur, one bit each.
    pub fn support(&self) -> u64 {
        self.cubes.iter().fold(0, |all, c| all | c.positive | c.negative)
    }

    /// The guard over fewer atoms: atom `kept[i]` becomes atom `i`. All atoms of the guard must be kept.
    #[must_use]
    pub fn selecting(&self, kept: &[u32]) -> Guard {
        let select = |mask: u64| {
            let bits = kept
                .iter()
                .enumerate()
                .filter(|&(_, &atom)| mask >> atom & 1 == 1);
            bits.fold(0, |all, (i, _)| all | 1u64 << i)
        };
        let cube = |c: &Cube| Cube {
            positive: select(c.positive),
            negative: select(c.negative),
        };
        Guard::new(self.cubes.iter().map(cube).collect())
    }

    /// The guard as text, atoms by `name`, with `and` between those of a cube: `a&!b | c`.
    pub fn display<'a>(&'a self, and: &'a str, name: &'a dyn Fn(u32) -> String) -> impl fmt::Display + 'a {
        fmt::from_fn(move |f| {
            if self.cubes.is_empty() {
                return f.write_str("f");
            }
            for (i, cube) in self.cubes.iter().enumerate() {
                f.write_str(if i > 0 { " | " } else { "" })?;
                if *cube == Cube::TRUE {
                    f.write_str("t")?;
                }
                for (k, (atom, sign)) in cube.literals().enumerate() {
                    let and = if k > 0 { and } else { "" };
                    let not = if sign { "" } else { "!" };
                    write!(f, "{and}{not}{}", name(atom))?;
                }
            }
            Ok(())
        })
    }
}

impl From<Cube> for Guard {
    fn from(cube: Cube) -> Guard {
        Guard { cubes: vec![cube] }
    }
}

/// Whether every valuation is in one of the cubes.
///
/// An atom that all cubes ask for in the same way may have the other value, so cubes that ask for it do not help; where none of that kind is left, either value of an atom is tried, as
/// the two-level minimisers do [Brayton-Logic'84]. To list what the cubes leave out took a minute for 16 cubes of two literals each.
fn is_everything(mut cubes: Vec<Cube>) -> bool {
    loop {
        if cubes.contains(&Cube::TRUE) {
            return true;
        }
        let positive = cubes.iter().fold(0, |all, c| all | c.positive);
        let negative = cubes.iter().fold(0, |all, c| all | c.negative);
        let one_way = positive ^ negative;
        if one_way == 0 {
            break;
        }
        cubes.retain(|c| (c.positive | c.negative) & one_way == 0);
    }
    let Some(first) = cubes
        .iter()
        .min_by_key(|c| (c.positive | c.negative).count_ones())
    else {
        return false;
    };
    let atom = (first.positive | first.negative).trailing_zeros();
    [true, false]
        .iter()
        .all(|&sign| is_everything(Cube::literal(atom, sign).within(&cubes)))
}

/// Makes cubes fewer and larger without changing their union: a literal goes if the cube without it stays inside the union
/// (so every cube becomes a prime implicant), then a cube goes if the others cover it. The result depends on the order of
/// the cubes only, which is ascending: the same union from the same cubes is written the same way. Many cubes stay as they are.
fn simplify(cubes: &mut Vec<Cube>) {
    drop_implied(cubes);
    if !(2..=MANY_CUBES).contains(&cubes.len()) {
        return;
    }
    let union = Guard { cubes: cubes.clone() };
    for cube in cubes.iter_mut() {
        for (atom, _) in cube.literals() {
            let bit = 1u64 << atom;
            let wider = Cube {
                positive: cube.positive & !bit,
                negative: cube.negative & !bit,
            };
            if Guard::from(wider).implies(&union) {
                *cube = wider;
            }
        }
    }
    drop_implied(cubes);
    let mut i = 0;
    while i < cubes.len() && cubes.len() > 1 {
        let cube = cubes.remove(i);
        let others = Guard { cubes: cubes.clone() };
        if !Guard::from(cube).implies(&others) {
            cubes.insert(i, cube);
            i += 1;
        }
    }
}

/// Sorts the cubes and drops those that another one contains.
fn drop_implied(cubes: &mut Vec<Cube>) {
    cubes.sort_unstable();
    cubes.dedup();
    let all = cubes.clone();
    cubes.retain(|c| !all.iter().any(|d| c != d && c.implies(*d)));
}

#[cfg(test)]
mod tests {
    use super::*;
    use fairhold_testkit::Rng;

    const ATOMS: u32 = 4;

    fn random_guard(rng: &mut Rng) -> Guard {
        let cubes = (0..rng.below(5)).map(|_| {
            let positive = rng.next_u64() & rng.next_u64() & 0xf;
            let negative = rng.next_u64() & 0xf & !positive;
            Cube { positive, negative }
        });
        Guard::new(cubes.collect())
    }

    #[test]
    fn operations_agree_with_truth_tables() {
        let mut rng = Rng::new(1);
        for _ in 0..2000 {
            let (a, b) = (random_guard(&mut rng), random_guard(&mut rng));
            let all = 0..1u64 << ATOMS;
            for v in all.clone() {
                assert_eq!(a.and(&b).holds(v), a.holds(v) && b.holds(v));
                assert_eq!(a.or(&b).holds(v), a.holds(v) || b.holds(v));
                assert_eq!(a.without(&b).holds(v), a.holds(v) && !b.holds(v));
                assert_eq!(a.negated().holds(v), !a.holds(v));
            }
            assert_eq!(a.implies(&b), all.clone().all(|v| !a.holds(v) || b.holds(v)));
            assert_eq!(a.meets(&b), all.clone().any(|v| a.holds(v) && b.holds(v)));
            assert_eq!(a.is_true(), all.clone().all(|v| a.holds(v)));
            assert_eq!(a.is_false(), !all.clone().any(|v| a.holds(v)));
        }
    }

    #[test]
    fn neighbouring_cubes_grow_together() {
        let a = Cube::literal(0, true);
        let not_a = Cube::literal(0, false);
        assert_eq!(Guard::new(vec![a, not_a]), Guard::verum());
        let b = Cube::literal(1, true);
        let a_or_b = Guard::new(vec![a, not_a.and(b).expect("two different atoms")]);
        assert_eq!(a_or_b, Guard::new(vec![a, b]));
        assert_eq!(a_or_b.display("&", &|i| format!("p{i}")).to_string(), "p0 | p1");
    }
}
