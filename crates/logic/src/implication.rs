//! Implication between formulas, by their shape.
//!
//! [`Formulas::implies`] is sound and incomplete: a `true` is right, a `false` says nothing. Deciding it is as hard as model
//! checking; the rules here [SomenziBloem-CAV'00] look at the operators only, and take at most the product of the two sizes, as
//! answers are remembered. Each rule stands for two: `p => q` is also tried as `!q => !p`.

use crate::formula::{FormulaId, Formulas, Node};

impl Formulas {
    /// Whether every word that satisfies `p` satisfies `q`, as far as the rules can tell.
    pub(crate) fn implies(&mut self, p: FormulaId, q: FormulaId) -> bool {
        if p == q || p == Formulas::FALSE || q == Formulas::TRUE {
            return true;
        }
        if p == Formulas::TRUE || q == Formulas::FALSE {
            return false;
        }
        if let Some(&known) = self.implications.get(&(p, q)) {
            return known;
        }
        let (not_q, not_p) = (self.negation(q), self.negation(p));
        let answer = self.implies_by_left(p, q) || self.implies_by_left(not_q, not_p);
        self.implications.insert((p, q), answer);
        self.implications.insert((not_q, not_p), answer);
        answer
    }

    /// The rules, by the operator of `p`. Each asks about smaller pairs, so this ends.
    fn implies_by_left(&mut self, p: FormulaId, q: FormulaId) -> bool {
        match self.node(p).clone() {
            Node::True | Node::False | Node::Literal(..) => false,
            Node::Or(operands) => operands.iter().all(|&a| self.implies(a, q)),
            Node::And(operands) => operands.iter().any(|&a| self.implies(a, q)),
            Node::Next(a) => {
                // Monotony; and an eventuality that holds later holds now.
                let below = match *self.node(q) {
                    Node::Next(b) => self.implies(a, b),
                    _ => false,
                };
                below || (self.is_eventual(q) && self.implies(a, q))
            }
            Node::Until(a, b) => {
                // Monotony; `a U b` implies `a || b`; and it implies `F b`.
                let pairwise = match *self.node(q) {
                    Node::Until(c, d) => self.implies(a, c) && self.implies(b, d),
                    _ => false,
                };
                pairwise || (self.implies(b, q) && (self.is_eventual(q) || self.implies(a, q)))
            }
            Node::Release(a, b) => {
                // Monotony; and `a R b` implies `b`.
                let pairwise = match *self.node(q) {
                    Node::Release(c, d) => self.implies(a, c) && self.implies(b, d),
                    _ => false,
                };
                pairwise || self.implies(b, q)
            }
        }
    }
}
