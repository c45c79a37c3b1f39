//! Emerson-Lei acceptance: which loops of an automaton count.
//!
//! A condition is a positive boolean combination of `Inf(m)` (mark `m` is met infinitely often) and `Fin(m)` (it is not).
//! Büchi, Rabin, Streett and parity conditions are special shapes of it [EmersonLei-SCP'87], and the class is closed under
//! complement: [`Acceptance::negated`] swaps `Inf` with `Fin` and `And` with `Or`.
//!
//! Invariant 1, kept by the constructors [`Acceptance::and`] and [`Acceptance::or`]: an `And` has at least two operands, none
//! of them an `And` or a constant, no two equal; the same for `Or`. So a condition is `True` or `False` only if it says so.
//!
//! Written as HOA writes it [Babiak-CAV'15]: `Inf(0)&(Fin(1)|Inf(2))`, with `t` and `f` for the constants.

use crate::MarkSet;
use std::fmt;

/// A mark on the transitions of an automaton: an acceptance set, by its number from 0.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct MarkId(pub u32);

/// When a run is accepting, in terms of the marks it meets infinitely often.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Acceptance {
    /// Every infinite run.
    True,
    /// No run.
    False,
    /// The mark is met infinitely often.
    Inf(MarkId),
    /// The mark is met finitely often.
    Fin(MarkId),
    /// All of these.
    And(Vec<Acceptance>),
    /// Some of these.
    Or(Vec<Acceptance>),
}

impl Acceptance {
    /// `Inf(0) & ... & Inf(marks - 1)`: every mark infinitely often.
    pub fn generalized_buchi(marks: u32) -> Acceptance {
        Acceptance::and((0..marks).map(|m| Acceptance::Inf(MarkId(m))))
    }

    /// All of the operands: flattened, without repetitions, `False` if one of them is.
    pub fn and(operands: impl IntoIterator<Item = Acceptance>) -> Acceptance {
        let mut flat = Vec::new();
        for operand in operands {
            match operand {
                Acceptance::True => {}
                Acceptance::False => return Acceptance::False,
                Acceptance::And(inner) => inner.into_iter().for_each(|a| push_new(&mut flat, a)),
                other => push_new(&mut flat, other),
            }
        }
        if contradicts(&flat) {
            return Acceptance::False;
        }
        match flat.len() {
            0 => Acceptance::True,
            1 => flat.swap_remove(0),
            _ => Acceptance::And(flat),
        }
    }

    /// Some of the operands: flattened, without repetitions, `True` if one of them is.
    pub fn or(operands: impl IntoIterator<Item = Acceptance>) -> Acceptance {
        let mut flat = Vec::new();
        for operand in operands {
            match operand {
                Acceptance::False => {}
                Acceptance::True => return Acceptance::True,
                Acceptance::Or(inner) => inner.into_iter().for_each(|a| push_new(&mut flat, a)),
                other => push_new(&mut flat, other),
            }
        }
        if contradicts(&flat) {
            return Acceptance::True;
        }
        match flat.len() {
            0 => Acceptance::False,
            1 => flat.swap_remove(0),
            _ => Acceptance::Or(flat),
        }
    }

    /// The condition that accepts exactly the runs that this one does not.
    #[must_use]
    pub fn negated(&self) -> Acceptance {
        match self {
            Acceptance::True => Acceptance::False,
            Acceptance::False => Acceptance::True,
            Acceptance::Inf(m) => Acceptance::Fin(*m),
            Acceptance::Fin(m) => Acceptance::Inf(*m),
            Acceptance::And(operands) => Acceptance::or(operands.iter().map(Acceptance::negated)),
            Acceptance::Or(operands) => Acceptance::and(operands.iter().map(Acceptance::negated)),
        }
    }

    /// Whether a run that meets exactly the marks `seen` infinitely often is accepting.
    pub fn accepts(&self, seen: &impl Fn(MarkId) -> bool) -> bool {
        match self {
            Acceptance::True => true,
            Acceptance::False => false,
            Acceptance::Inf(m) => seen(*m),
            Acceptance::Fin(m) => !seen(*m),
            Acceptance::And(operands) => operands.iter().all(|a| a.accepts(seen)),
            Acceptance::Or(operands) => operands.iter().any(|a| a.accepts(seen)),
        }
    }

    /// The condition with every `Inf` and `Fin` replaced by what `inf` and `fin` make of its mark.
    #[must_use]
    pub fn map(
        &self,
        inf: &impl Fn(MarkId) -> Acceptance,
        fin: &impl Fn(MarkId) -> Acceptance,
    ) -> Acceptance {
        match self {
            Acceptance::True => Acceptance::True,
            Acceptance::False => Acceptance::False,
            Acceptance::Inf(m) => inf(*m),
            Acceptance::Fin(m) => fin(*m),
            Acceptance::And(operands) => Acceptance::and(operands.iter().map(|a| a.map(inf, fin))),
            Acceptance::Or(operands) => Acceptance::or(operands.iter().map(|a| a.map(inf, fin))),
        }
    }

    /// The condition with its marks renumbered.
    #[must_use]
    pub fn renumbered(&self, number: &impl Fn(MarkId) -> MarkId) -> Acceptance {
        self.map(&|m| Acceptance::Inf(number(m)), &|m| Acceptance::Fin(number(m)))
    }

    /// Whether the condition has a `Fin`. Without one, a maximal SCC is accepting as soon as any part of it is.
    pub fn has_fin(&self) -> bool {
        match self {
            Acceptance::Fin(_) => true,
            Acceptance::And(operands) | Acceptance::Or(operands) => operands.iter().any(Acceptance::has_fin),
            Acceptance::True | Acceptance::False | Acceptance::Inf(_) => false,
        }
    }

    /// The marks that occur in a `Fin`: those that a run may have to avoid.
    pub fn fin_marks(&self) -> MarkSet {
        match self {
            Acceptance::Fin(m) => std::iter::once(*m).collect(),
            Acceptance::And(operands) | Acceptance::Or(operands) => {
                let each = operands.iter().map(Acceptance::fin_marks);
                each.fold(MarkSet::EMPTY, MarkSet::union)
            }
            Acceptance::True | Acceptance::False | Acceptance::Inf(_) => MarkSet::EMPTY,
        }
    }

    /// The marks of a conjunction of `Inf`s, ascending; none if the condition is anything else.
    pub fn as_generalized_buchi(&self) -> Option<Vec<MarkId>> {
        let mut marks = match self {
            Acceptance::True => Vec::new(),
            Acceptance::Inf(m) => vec![*m],
            Acceptance::And(operands) => operands.iter().map(inf_mark).collect::<Option<_>>()?,
            Acceptance::False | Acceptance::Fin(_) | Acceptance::Or(_) => return None,
        };
        marks.sort_unstable();
        Some(marks)
    }

    /// One more than the largest mark that occurs.
    pub fn marks(&self) -> u32 {
        match self {
            Acceptance::True | Acceptance::False => 0,
            Acceptance::Inf(m) | Acceptance::Fin(m) => m.0 + 1,
            Acceptance::And(operands) | Acceptance::Or(operands) => {
                operands.iter().map(Acceptance::marks).max().unwrap_or(0)
            }
        }
    }

    /// The condition that HOA calls `name` with these parameters, such as `generalized-Buchi` and `[2]`; none if the name
    /// is unknown or the parameters do not fit. Parity conditions are written out and need not be named.
    pub fn named(name: &str, parameters: &[u32]) -> Option<Acceptance> {
        let inf = |m| Acceptance::Inf(MarkId(m));
        let fin = |m| Acceptance::Fin(MarkId(m));
        Some(match (name, parameters) {
            ("all", []) => Acceptance::True,
            ("none", []) => Acceptance::False,
            ("Buchi", []) => inf(0),
            ("co-Buchi", []) => fin(0),
            ("generalized-Buchi", &[n]) => Acceptance::generalized_buchi(n),
            ("generalized-co-Buchi", &[n]) => Acceptance::or((0..n).map(fin)),
            ("Streett", &[n]) => {
                Acceptance::and((0..n).map(|i| Acceptance::or([fin(2 * i), inf(2 * i + 1)])))
            }
            ("Rabin", &[n]) => Acceptance::or((0..n).map(|i| Acceptance::and([fin(2 * i), inf(2 * i + 1)]))),
            ("generalized-Rabin", [n, sizes @ ..]) if sizes.len() == *n as usize => {
                let mut next = 0;
                Acceptance::or(sizes.iter().map(|&size| {
                    let first = next;
                    next += size + 1;
                    let infs = (first + 1..next).map(inf);
                    Acceptance::and(std::iter::once(fin(first)).chain(infs))
                }))
            }
            _ => return None,
        })
    }

    /// What HOA calls this condition over `marks` marks, if it has a name there: `generalized-Buchi 2`.
    pub fn name(&self, marks: u32) -> Option<String> {
        let is = |name, parameters: &[u32]| Acceptance::named(name, parameters).as_ref() == Some(self);
        let plain = [("all", 0), ("none", 0), ("Buchi", 1), ("co-Buchi", 1)];
        if let Some((name, _)) = plain.iter().find(|&&(name, n)| n == marks && is(name, &[])) {
            return Some((*name).to_owned());
        }
        let counted = ["generalized-Buchi", "generalized-co-Buchi"];
        if let Some(name) = counted.iter().find(|name| is(name, &[marks])) {
            return Some(format!("{name} {marks}"));
        }
        let pairs = marks / 2;
        let paired = ["Rabin", "Streett"];
        let name = paired
            .iter()
            .find(|name| marks == 2 * pairs && is(name, &[pairs]))?;
        Some(format!("{name} {pairs}"))
    }
}

fn push_new(list: &mut Vec<Acceptance>, operand: Acceptance) {
    if !list.contains(&operand) {
        list.push(operand);
    }
}

/// Whether `Inf(m)` and `Fin(m)` are both in the list, for some `m`.
fn contradicts(list: &[Acceptance]) -> bool {
    list.iter()
        .any(|a| matches!(a, Acceptance::Inf(m) if list.contains(&Acceptance::Fin(*m))))
}

fn inf_mark(a: &Acceptance) -> Option<MarkId> {
    match a {
        Acceptance::Inf(m) => Some(*m),
        _ => None,
    }
}

impl fmt::Display for Acceptance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Acceptance::True => f.write_str("t"),
            Acceptance::False => f.write_str("f"),
            Acceptance::Inf(m) => write!(f, "Inf({})", m.0),
            Acceptance::Fin(m) => write!(f, "Fin({})", m.0),
            Acceptance::And(operands) => join(f, operands, "&"),
            Acceptance::Or(operands) => join(f, operands, "|"),
        }
    }
}

/// Operands with a sign between them; an operand that is itself a combination gets parentheses.
fn join(f: &mut fmt::Formatter<'_>, operands: &[Acceptance], sign: &str) -> fmt::Result {
    for (i, operand) in operands.iter().enumerate() {
        if i > 0 {
            f.write_str(sign)?;
        }
        match operand {
            Acceptance::And(_) | Acceptance::Or(_) => write!(f, "({operand})")?,
            _ => write!(f, "{operand}")?,
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn inf(m: u32) -> Acceptance {
        Acceptance::Inf(MarkId(m))
    }

    fn fin(m: u32) -> Acceptance {
        Acceptance::Fin(MarkId(m))
    }

    #[test]
    fn constructors_flatten_and_fold() {
        let nested = Acceptance::and([inf(0), Acceptance::and([inf(1), inf(0)]), Acceptance::True]);
        assert_eq!(nested, Acceptance::And(vec![inf(0), inf(1)]));
        assert_eq!(Acceptance::and([inf(0), Acceptance::False]), Acceptance::False);
        assert_eq!(Acceptance::or([inf(0), Acceptance::True]), Acceptance::True);
        assert_eq!(Acceptance::or([inf(0)]), inf(0));
        assert_eq!(Acceptance::and([]), Acceptance::True);
        assert_eq!(Acceptance::or([]), Acceptance::False);
        assert_eq!(Acceptance::and([inf(3), fin(3)]), Acceptance::False);
        assert_eq!(Acceptance::or([inf(3), fin(3)]), Acceptance::True);
    }

    #[test]
    fn the_negation_accepts_what_the_condition_does_not() {
        let condition = Acceptance::and([inf(0), Acceptance::or([fin(1), inf(2)])]);
        for set in 0u32..8 {
            let seen = |m: MarkId| set >> m.0 & 1 == 1;
            assert_ne!(condition.accepts(&seen), condition.negated().accepts(&seen));
        }
        assert_eq!(condition.negated().negated(), condition);
    }

    #[test]
    fn written_as_hoa_writes_it() {
        let condition = Acceptance::and([inf(0), Acceptance::or([fin(1), inf(2)])]);
        assert_eq!(condition.to_string(), "Inf(0)&(Fin(1)|Inf(2))");
        assert_eq!(Acceptance::True.to_string(), "t");
    }

    #[test]
    fn names_are_found_again() {
        let known: [(&str, &[u32]); 10] = [
            ("all", &[]),
            ("none", &[]),
            ("Buchi", &[]),
            ("co-Buchi", &[]),
            ("generalized-Buchi", &[2]),
            ("generalized-co-Buchi", &[3]),
            ("Streett", &[1]),
            ("Streett", &[3]),
            ("Rabin", &[1]),
            ("Rabin", &[2]),
        ];
        for (name, parameters) in known {
            let condition = Acceptance::named(name, parameters).expect("a known name");
            let text = [name.to_owned()].into_iter();
            let text: Vec<String> = text.chain(parameters.iter().map(u32::to_string)).collect();
            assert_eq!(condition.name(condition.marks()), Some(text.join(" ")));
        }
        let rabin = Acceptance::named("generalized-Rabin", &[2, 1, 2]).expect("a known name");
        assert_eq!(rabin.to_string(), "(Fin(0)&Inf(1))|(Fin(2)&Inf(3)&Inf(4))");
        assert_eq!(Acceptance::named("generalized-Buchi", &[]), None);
        assert_eq!(inf(1).name(2), None);
    }
}
