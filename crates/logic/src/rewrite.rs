//! Simplification of formulas before translation.
//!
//! The constructors [`Formulas::and`], [`Formulas::or`], [`Formulas::next`], [`Formulas::until`], [`Formulas::release`] take
//! simplified formulas and return a simplified one. The rules are those of [SomenziBloem-CAV'00] and
//! [EtessamiHolzmann-CONCUR'00] and their kin in later translators; every one is beside its reason below, and tests hold each
//! against the definition of the operators on random words.
//!
//! Only half of the rules is written down: `or` and `release` are made from `and` and `until` by negation, so each rule stands
//! for itself and its dual. What is normal: `X` outside (`X p && X q` becomes `X(p && q)`), one `G` over a conjunction, one `F`
//! over a disjunction, `GF` and `FG` as deep as possible, and whatever depends on no prefix outside of everything.
//!
//! Every rule makes the formula smaller or moves an operator one way, so this ends; the cost is that of
//! [`Formulas::implies`] on the pairs of operands.

use crate::formula::{FormulaId, Formulas, Node};
use crate::{AtomId, Ltl, MAX_ATOMS, TooLarge};

impl Formulas {
    /// An [`Ltl`] formula, simplified. Its atoms are numbered in the order in which `atoms` lists them; new ones are added there.
    pub(crate) fn simplified(&mut self, ltl: &Ltl, atoms: &mut Vec<AtomId>) -> Result<FormulaId, TooLarge> {
        // Before anything is simplified: that compares the operands of every `&&` and `||` with each other.
        let count = ltl.atoms().len();
        if count > MAX_ATOMS {
            return Err(TooLarge::Atoms(count));
        }
        Ok(self.convert(ltl, atoms))
    }

    fn convert(&mut self, ltl: &Ltl, atoms: &mut Vec<AtomId>) -> FormulaId {
        let mut pair = |p: &Ltl, q: &Ltl| (self.convert(p, atoms), self.convert(q, atoms));
        match ltl {
            Ltl::True => Formulas::TRUE,
            Ltl::False => Formulas::FALSE,
            Ltl::Atom(atom) => {
                let known = atoms.iter().position(|a| a == atom);
                let number = known.unwrap_or_else(|| {
                    atoms.push(*atom);
                    atoms.len() - 1
                });
                self.literal(number as u32, true)
            }
            Ltl::Not(p) => {
                let p = self.convert(p, atoms);
                self.negation(p)
            }
            Ltl::Next(p) => {
                let p = self.convert(p, atoms);
                self.next(p)
            }
            Ltl::Finally(p) => {
                let p = self.convert(p, atoms);
                self.until(Formulas::TRUE, p)
            }
            Ltl::Globally(p) => {
                let p = self.convert(p, atoms);
                self.release(Formulas::FALSE, p)
            }
            Ltl::And(p, q) => {
                let (p, q) = pair(p, q);
                self.and(&[p, q])
            }
            Ltl::Or(p, q) => {
                let (p, q) = pair(p, q);
                self.or(&[p, q])
            }
            Ltl::Implies(p, q) => {
                let (p, q) = pair(p, q);
                let not_p = self.negation(p);
                self.or(&[not_p, q])
            }
            Ltl::Iff(p, q) => {
                let (p, q) = pair(p, q);
                let (not_p, not_q) = (self.negation(p), self.negation(q));
                let (both, neither) = (self.and(&[p, q]), self.and(&[not_p, not_q]));
                self.or(&[both, neither])
            }
            Ltl::Until(p, q) => {
                let (p, q) = pair(p, q);
                self.until(p, q)
            }
            Ltl::Release(p, q) => {
                let (p, q) = pair(p, q);
                self.release(p, q)
            }
            Ltl::WeakUntil(p, q) => {
                let (p, q) = pair(p, q);
                let either = self.or(&[p, q]);
                self.release(q, either)
            }
        }
    }

    /// All of these.
    pub(crate) fn and(&mut self, list: &[FormulaId]) -> FormulaId {
        let mut operands = Vec::new();
        for &f in list {
            match self.node(f) {
                Node::And(inner) => operands.extend_from_slice(inner),
                _ => operands.push(f),
            }
        }
        operands.sort_unstable();
        operands.dedup();
        if let Some(merged) = self.merge_operands(&operands) {
            return self.and(&merged);
        }
        // Of two operands, the one that the other implies says nothing; two that exclude each other are false.
        let mut kept: Vec<FormulaId> = Vec::new();
        for &f in &operands {
            let not_f = self.negation(f);
            if kept.iter().any(|&g| self.implies(g, not_f)) {
                return Formulas::FALSE;
            }
            if !kept.iter().any(|&g| self.implies(g, f)) {
                kept.retain(|&g| !self.implies(f, g));
                kept.push(f);
            }
        }
        kept.retain(|&f| f != Formulas::TRUE);
        match kept.as_slice() {
            [] => Formulas::TRUE,
            [one] => *one,
            list if list.contains(&Formulas::FALSE) => Formulas::FALSE,
            _ => self.intern(Node::And(kept)),
        }
    }

    /// The list with two of its operands made one, if some rule for conjunctions applies.
    fn merge_operands(&mut self, operands: &[FormulaId]) -> Option<Vec<FormulaId>> {
        for (i, &f) in operands.iter().enumerate() {
            for (j, &g) in operands.iter().enumerate() {
                if i == j {
                    continue;
                }
                if let Some(merged) = self.merge_pair(f, g) {
                    let others = operands.iter().enumerate().filter(|&(k, _)| k != i && k != j);
                    return Some(others.map(|(_, &h)| h).chain([merged]).collect());
                }
            }
        }
        None
    }

    /// One formula for `f && g`, if some rule knows one.
    fn merge_pair(&mut self, f: FormulaId, g: FormulaId) -> Option<FormulaId> {
        match (self.node(f).clone(), self.node(g).clone()) {
            // X p && X q = X(p && q): X distributes over everything.
            (Node::Next(p), Node::Next(q)) => {
                let both = self.and(&[p, q]);
                Some(self.next(both))
            }
            // (p R q) && (p R r) = p R (q && r); with p = false, one G over a conjunction.
            (Node::Release(p, q), Node::Release(s, r)) if p == s => {
                let both = self.and(&[q, r]);
                Some(self.release(p, both))
            }
            // (p U q) && (r U q) = (p && r) U q: both wait for the first q.
            (Node::Until(p, q), Node::Until(r, s)) if q == s => {
                let both = self.and(&[p, r]);
                Some(self.until(both, q))
            }
            // FG p && FG q = FG(p && q): from the later of the two points on.
            (Node::Until(Formulas::TRUE, p), Node::Until(Formulas::TRUE, q)) => {
                let (p, q) = (self.always(p)?, self.always(q)?);
                let both = self.and(&[p, q]);
                let globally = self.release(Formulas::FALSE, both);
                Some(self.until(Formulas::TRUE, globally))
            }
            // q && X G q = G q: the first position and all others.
            (_, Node::Next(p)) if self.always(p) == Some(f) => Some(p),
            _ => None,
        }
    }

    /// `p`, if the formula is `G p`.
    fn always(&self, f: FormulaId) -> Option<FormulaId> {
        match *self.node(f) {
            Node::Release(Formulas::FALSE, p) => Some(p),
            _ => None,
        }
    }

    /// Some of these.
    pub(crate) fn or(&mut self, list: &[FormulaId]) -> FormulaId {
        let negated = self.negations(list);
        let neither = self.and(&negated);
        self.negation(neither)
    }

    /// In the next position.
    pub(crate) fn next(&mut self, p: FormulaId) -> FormulaId {
        // X p = p if p depends on no prefix.
        if self.is_suspendable(p) {
            return p;
        }
        // X(p && q) = X p && q if q depends on no prefix; the same for ||.
        match self.node(p).clone() {
            Node::And(operands) => {
                if let Some((suspended, rest)) = self.split(&operands, Formulas::is_suspendable) {
                    let rest = self.and(&rest);
                    let rest = self.next(rest);
                    return self.and(&[suspended, vec![rest]].concat());
                }
            }
            Node::Or(operands) => {
                if let Some((suspended, rest)) = self.split(&operands, Formulas::is_suspendable) {
                    let rest = self.or(&rest);
                    let rest = self.next(rest);
                    return self.or(&[suspended, vec![rest]].concat());
                }
            }
            _ => {}
        }
        self.intern(Node::Next(p))
    }

    /// The operands with and without a property; none if there are none with it.
    fn split(
        &self,
        operands: &[FormulaId],
        property: impl Fn(&Formulas, FormulaId) -> bool,
    ) -> Option<(Vec<FormulaId>, Vec<FormulaId>)> {
        let (with, without): (Vec<FormulaId>, Vec<FormulaId>) =
            operands.iter().copied().partition(|&f| property(self, f));
        (!with.is_empty()).then_some((with, without))
    }

    /// The second holds eventually, the first until then.
    pub(crate) fn until(&mut self, p: FormulaId, q: FormulaId) -> FormulaId {
        // p U q = q if q is an eventuality: if it holds later, it holds now. This covers the constants.
        // p U q = q if p implies q: whichever holds now, q does. This covers p = false and p = q.
        if self.is_eventual(q) || self.implies(p, q) {
            return q;
        }
        // p U q = F q if !q implies p: before the first q there is p.
        let not_q = self.negation(q);
        if p != Formulas::TRUE && self.implies(not_q, p) {
            return self.until(Formulas::TRUE, q);
        }
        match self.node(q).clone() {
            Node::Until(r, s) => {
                // p U (r U s) = r U s if p implies r: the wait for r U s is a wait for s.
                if self.implies(p, r) {
                    return q;
                }
                // p U (r U s) = p U s if r implies p: all of the wait is p.
                if self.implies(r, p) {
                    return self.until(p, s);
                }
            }
            Node::And(operands) => {
                // p U (q && r) = (p U q) && r if r depends on no prefix.
                if let Some((suspended, rest)) = self.split(&operands, Formulas::is_suspendable) {
                    let rest = self.and(&rest);
                    let wait = self.until(p, rest);
                    return self.and(&[suspended, vec![wait]].concat());
                }
            }
            Node::Or(operands) => {
                // p U (q || r) = (p U q) || r if r is an eventuality: if it holds later, it holds now.
                if let Some((eventual, rest)) = self.split(&operands, Formulas::is_eventual) {
                    let rest = self.or(&rest);
                    let wait = self.until(p, rest);
                    return self.or(&[eventual, vec![wait]].concat());
                }
            }
            Node::Next(r) => {
                // X p U X r = X(p U r), F X r = X F r: X distributes over everything.
                let inner = match *self.node(p) {
                    Node::Next(s) => Some(s),
                    Node::True => Some(p),
                    _ => None,
                };
                if let Some(inner) = inner {
                    let wait = self.until(inner, r);
                    return self.next(wait);
                }
            }
            Node::Release(Formulas::FALSE, r) if p == Formulas::TRUE => {
                if let Some(simpler) = self.almost_always(r) {
                    return simpler;
                }
            }
            _ => {}
        }
        self.intern(Node::Until(p, q))
    }

    /// A simpler formula for `F G p`, if some rule knows one.
    fn almost_always(&mut self, p: FormulaId) -> Option<FormulaId> {
        match self.node(p).clone() {
            // FG X q = FG q: a shift changes nothing about the far future.
            Node::Next(q) => Some(self.eventually_always(q)),
            // FG(r R q) = FG q: q holds wherever r R q does, and G q implies it.
            Node::Release(_, q) => Some(self.eventually_always(q)),
            // FG(r U q) = GF q && FG(r || q): q again and again, and one of the two in between.
            Node::Until(r, q) => {
                let either = self.or(&[r, q]);
                let between = self.eventually_always(either);
                let eventually = self.until(Formulas::TRUE, q);
                let again = self.release(Formulas::FALSE, eventually);
                Some(self.and(&[between, again]))
            }
            // FG(q && e) = FG q && G e if e is an eventuality: to hold far out is to hold always. The same for ||,
            // as what is not almost always e is at some point forever !e.
            Node::And(operands) => {
                let (eventual, rest) = self.split(&operands, Formulas::is_eventual)?;
                let parts = self.each_far(&eventual, &rest, Formulas::and);
                Some(self.and(&parts))
            }
            Node::Or(operands) => {
                let (eventual, rest) = self.split(&operands, Formulas::is_eventual)?;
                let parts = self.each_far(&eventual, &rest, Formulas::or);
                Some(self.or(&parts))
            }
            _ => None,
        }
    }

    fn eventually_always(&mut self, p: FormulaId) -> FormulaId {
        let always = self.release(Formulas::FALSE, p);
        self.until(Formulas::TRUE, always)
    }

    /// `G e` for each of `eventual`, and `F G` of the rest joined by `join`.
    fn each_far(
        &mut self,
        eventual: &[FormulaId],
        rest: &[FormulaId],
        join: impl Fn(&mut Formulas, &[FormulaId]) -> FormulaId,
    ) -> Vec<FormulaId> {
        let mut parts: Vec<FormulaId> = Vec::new();
        for &e in eventual {
            parts.push(self.release(Formulas::FALSE, e));
        }
        if !rest.is_empty() {
            let rest = join(self, rest);
            parts.push(self.eventually_always(rest));
        }
        parts
    }

    /// The second holds as long as the first has not held, that position included.
    pub(crate) fn release(&mut self, p: FormulaId, q: FormulaId) -> FormulaId {
        let (not_p, not_q) = (self.negation(p), self.negation(q));
        let wait = self.until(not_p, not_q);
        self.negation(wait)
    }
}

#[cfg(test)]
mod tests;
