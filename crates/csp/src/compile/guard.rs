//! When a row applies: conjunctions of disjunctions of comparisons of a word with a constant as far as possible, and [`Code`] for the rest.
//!
//! Measured on one core: a row of comparisons costs about a third of the same in stack code.

use super::code::{Code, Compiler, known_index};
use super::layout::Layout;
use super::machine::Machine;
use crate::model::{Base, BinaryOp, Expr, Model, Type, UnaryOp, Value};
use fairhold_system::{Fault, Word};

/// Distances beyond this are all the same.
const FAR: u32 = 1 << 12;

/// A comparison of a word with a constant: it cannot go wrong.
#[derive(Clone, Copy, Debug)]
pub(super) struct Test {
    word: u32,
    /// The least value that agrees,
    low: i32,
    /// and how many more do.
    more: u32,
    /// Whether the word must agree, or must not.
    agrees: bool,
    /// Whether the next test is no alternative to this one.
    last: bool,
}

impl Test {
    /// None if this operator does not compare.
    fn new(word: u32, op: BinaryOp, value: i32) -> Option<Test> {
        let up_to = |agrees| (i32::MIN, value.wrapping_sub(i32::MIN) as u32, agrees);
        let from = |agrees| (value, i32::MAX.wrapping_sub(value) as u32, agrees);
        let (low, more, agrees) = match op {
            BinaryOp::Eq => (value, 0, true),
            BinaryOp::Ne => (value, 0, false),
            BinaryOp::Lt => from(false),
            BinaryOp::Gt => up_to(false),
            BinaryOp::Le => up_to(true),
            BinaryOp::Ge => from(true),
            _ => return None,
        };
        Some(Test {
            word,
            low,
            more,
            agrees,
            last: true,
        })
    }

    fn negated(self) -> Test {
        Test {
            agrees: !self.agrees,
            ..self
        }
    }

    #[inline]
    fn holds(&self, state: &[Word]) -> bool {
        let above = state[self.word as usize].wrapping_sub(self.low as Word);
        (above <= self.more) == self.agrees
    }

    /// How far the word is from agreeing: 0 if the test holds.
    fn distance(&self, state: &[Word]) -> u32 {
        let above = state[self.word as usize].wrapping_sub(self.low as Word);
        match (above <= self.more) == self.agrees {
            true => 0,
            false if self.agrees => (above - self.more).min(above.wrapping_neg()),
            false => 1,
        }
    }

    /// Whether of all groups of alternatives one test holds.
    #[inline]
    pub(super) fn all(tests: &[Test], state: &[Word]) -> bool {
        let mut met = false;
        for test in tests {
            met |= test.holds(state);
            if test.last {
                if !met {
                    return false;
                }
                met = false;
            }
        }
        true
    }
}

/// When a row applies.
#[derive(Clone, Debug, Default)]
pub(super) struct Guard {
    /// Tested first: alternatives after one another, and of all groups of alternatives one must hold.
    pub(super) tests: Box<[Test]>,
    /// Then these.
    pub(super) codes: Box<[Code]>,
    /// Whether evaluating it can go wrong.
    pub(super) risky: bool,
}

impl Guard {
    /// How far a state is from where it holds, as a guess: first of all how many parts do not, then how far the words compared are from what they should
    /// be. 0 if it holds.
    pub(super) fn distance(&self, machine: &mut Machine, state: &[Word]) -> u32 {
        let (mut unmet, mut apart, mut nearest) = (0, 0, u32::MAX);
        for test in &self.tests {
            nearest = nearest.min(test.distance(state));
            if test.last {
                unmet += u32::from(nearest > 0);
                apart += nearest.min(FAR);
                nearest = u32::MAX;
            }
        }
        for code in &self.codes {
            // Where it cannot be evaluated it does not hold; that it goes wrong is for the search to find.
            unmet += u32::from(!machine.eval(code, state).is_ok_and(|value| value != 0));
        }
        unmet.min(FAR) * FAR + apart.min(FAR - 1)
    }

    /// Whether it holds in a state.
    #[inline]
    pub(super) fn holds(&self, machine: &mut Machine, state: &[Word]) -> Result<bool, Fault> {
        // Most rows of most models have no condition.
        if self.is_free() {
            return Ok(true);
        }
        self.test_all(machine, state)
    }

    /// Whether it always holds.
    #[inline]
    pub(super) fn is_free(&self) -> bool {
        self.tests.is_empty() && self.codes.is_empty()
    }

    fn test_all(&self, machine: &mut Machine, state: &[Word]) -> Result<bool, Fault> {
        if !Test::all(&self.tests, state) {
            return Ok(false);
        }
        for code in &self.codes {
            if machine.eval(code, state)? == 0 {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

/// Makes guards and finds words.
#[derive(Clone, Copy)]
pub(super) struct Words<'a> {
    pub(super) model: &'a Model,
    pub(super) layout: &'a Layout,
}

impl Words<'_> {
    /// None if the conditions certainly do not all hold.
    pub(super) fn guard(self, conditions: &[Expr]) -> Option<Guard> {
        let mut flat = Vec::new();
        conditions.iter().for_each(|c| conjuncts(c, &mut flat));
        let mut tests = Vec::new();
        let mut codes: Vec<Code> = Vec::new();
        for condition in flat {
            match condition {
                Expr::Const(Value::Bool(true)) => continue,
                Expr::Const(Value::Bool(false)) if codes.is_empty() => return None,
                _ => {}
            }
            match self.alternatives(condition) {
                Some(alternatives) if codes.is_empty() => tests.extend(alternatives),
                _ => codes.push(Compiler::condition(self.model, self.layout, condition)),
            }
        }
        let risky = codes.iter().any(|c| !c.faults.is_empty());
        Some(Guard {
            tests: tests.into(),
            codes: codes.into(),
            risky,
        })
    }

    /// Tests of which one must hold.
    fn alternatives(self, condition: &Expr) -> Option<Vec<Test>> {
        if let Expr::Binary(BinaryOp::Or, a, b, _) = condition {
            let mut tests = self.alternatives(a)?;
            tests.last_mut()?.last = false;
            tests.extend(self.alternatives(b)?);
            return Some(tests);
        }
        Some(vec![self.test(condition)?])
    }

    fn test(self, condition: &Expr) -> Option<Test> {
        match condition {
            Expr::Binary(op, a, b, _) => {
                let (op, place, constant) = match (&**a, &**b) {
                    (place, Expr::Const(v)) => (*op, place, v),
                    (Expr::Const(v), place) => (mirrored(*op)?, place, v),
                    _ => return None,
                };
                let (word, ty) = self.word(place)?;
                let (of, value) = constant.word()?;
                let test = Test::new(word, op, value)?;
                (of == ty && op.result(ty).is_some()).then_some(test)
            }
            Expr::Unary(UnaryOp::Not, e, _) => match &**e {
                Expr::Binary(..) => self.test(e).map(Test::negated),
                e => Test::new(self.truth(e)?, BinaryOp::Eq, 0),
            },
            e => Test::new(self.truth(e)?, BinaryOp::Ne, 0),
        }
    }

    /// The word of a truth value in a variable.
    fn truth(self, e: &Expr) -> Option<u32> {
        let (word, ty) = self.word(e)?;
        (ty == Type::Bool).then_some(word)
    }

    /// The word of a variable, or of an element whose indices are known.
    pub(super) fn word(self, e: &Expr) -> Option<(u32, Type)> {
        let (v, indices): (_, &[Expr]) = match e {
            Expr::Var(v, _) => (*v, &[]),
            Expr::Element(Base::Var(v), indices, _) => (*v, indices),
            _ => return None,
        };
        let decl = &self.model.variables[v.0 as usize];
        if indices.len() != decl.dims.len() {
            return None;
        }
        let flat = known_index(&decl.dims, indices)?;
        Some((self.layout.variables[v.0 as usize] as u32 + flat, decl.ty))
    }
}

/// `a && b && c` as a list.
fn conjuncts<'e>(e: &'e Expr, out: &mut Vec<&'e Expr>) {
    match e {
        Expr::Binary(BinaryOp::And, a, b, _) => {
            conjuncts(a, out);
            conjuncts(b, out);
        }
        e => out.push(e),
    }
}

/// `c op x` as `x op' c`.
fn mirrored(op: BinaryOp) -> Option<BinaryOp> {
    Some(match op {
        BinaryOp::Eq | BinaryOp::Ne => op,
        BinaryOp::Lt => BinaryOp::Gt,
        BinaryOp::Gt => BinaryOp::Lt,
        BinaryOp::Le => BinaryOp::Ge,
        BinaryOp::Ge => BinaryOp::Le,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tests_compare_as_numbers_do_up_to_the_last() {
        let values = [i32::MIN, i32::MIN + 1, -1, 0, 1, i32::MAX - 1, i32::MAX];
        for (word, value) in values.into_iter().flat_map(|w| values.map(|v| (w, v))) {
            for (op, expected) in [
                (BinaryOp::Eq, word == value),
                (BinaryOp::Ne, word != value),
                (BinaryOp::Lt, word < value),
                (BinaryOp::Le, word <= value),
                (BinaryOp::Gt, word > value),
                (BinaryOp::Ge, word >= value),
            ] {
                let test = Test::new(0, op, value).expect("it compares");
                let state = [word as Word];
                assert_eq!(test.holds(&state), expected, "{word} {op:?} {value}");
                assert_eq!(
                    test.negated().holds(&state),
                    !expected,
                    "not {word} {op:?} {value}"
                );
            }
        }
    }
}
