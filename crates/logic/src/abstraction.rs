//! A formula over fewer atoms: one for each part that says something of the state alone.
//!
//! What a formula without temporal operators says of a state is true or false of it, however many comparisons it has, so an automaton need not know what it is
//! made of: `[] (x != 1 && x != 2 && y > x)` is `[] a`, with one letter for `a`. Every maximal part of that kind becomes a fresh atom, a [`Letter`], that a search evaluates once a state.
//! Equal parts are one letter, and a part and its negation are one too. Events belong to steps and not to states; a part that joins only these is true of certain events and of no others
//! (or of all but certain ones), so it is one letter as well. Where both kinds meet in `&&` or `||`, the operands of each kind are gathered.
//!
//! The result is true of a run if and only if the formula is, when letters are read by what they mean. What it loses is that letters may depend on each other, as `p && q` and `p` do: an
//! automaton made of it may have more states than one made of the formula, and reads no more words that the system has.
//!
//! Cost: the size of the formula times its height.

use crate::written::balanced;
use crate::{AtomId, Ctl, Decision, Ltl};
use std::collections::HashMap;

/// What a fresh atom means.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Letter {
    /// The condition holds in the state.
    Condition(Decision<AtomId>),
    /// One of these events led to the state; ascending, two or more.
    OneOf(Vec<AtomId>),
}

/// The fresh atoms of one or several formulas.
#[derive(Clone, Debug)]
pub struct FreshAtoms {
    /// Whether an atom of the formulas speaks of the state alone, by its number. What comes after these is fresh.
    is_state: Vec<bool>,
    list: Vec<(Letter, Ltl)>,
    /// The fresh atom of each letter, in formulas of linear time.
    places: HashMap<Letter, AtomId>,
    /// The fresh atom of each part as written, in formulas of branching time.
    written: HashMap<Ltl, AtomId>,
}

/// What a part of a formula speaks of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    /// The state alone, or nothing.
    State,
    /// The event that led there alone.
    Event,
    /// Both.
    Mixed,
    /// Other positions too.
    Temporal,
}

impl FreshAtoms {
    /// No letters yet, for formulas over `atoms`. Atoms for which `is_state` is false are events, of which one position has at most one.
    pub fn new(atoms: &[AtomId], is_state: &dyn Fn(AtomId) -> bool) -> FreshAtoms {
        let mut states = vec![false; atoms.iter().map(|a| a.0 as usize + 1).max().unwrap_or(0)];
        for &atom in atoms {
            states[atom.0 as usize] = is_state(atom);
        }
        FreshAtoms {
            is_state: states,
            list: Vec::new(),
            places: HashMap::new(),
            written: HashMap::new(),
        }
    }

    /// What an atom means; none for an atom of the formulas themselves.
    pub fn letter(&self, atom: AtomId) -> Option<&Letter> {
        self.entry(atom).map(|(letter, _)| letter)
    }

    /// The part of a formula that a fresh atom stands for, or a part equal to it; none for an atom of the formulas themselves.
    pub fn part(&self, atom: AtomId) -> Option<&Ltl> {
        self.entry(atom).map(|(_, part)| part)
    }

    fn entry(&self, atom: AtomId) -> Option<&(Letter, Ltl)> {
        self.list.get((atom.0 as usize).checked_sub(self.is_state.len())?)
    }

    /// Whether an atom, fresh or not, holds, by the values of the formulas' own atoms.
    pub fn holds<E>(
        &self,
        atom: AtomId,
        mut holds: impl FnMut(AtomId) -> Result<bool, E>,
    ) -> Result<bool, E> {
        match self.letter(atom) {
            None => holds(atom),
            Some(Letter::Condition(condition)) => condition.holds(|&a| holds(a)),
            Some(Letter::OneOf(events)) => {
                for &event in events {
                    if holds(event)? {
                        return Ok(true);
                    }
                }
                Ok(false)
            }
        }
    }

    /// The formula over letters.
    pub fn ltl(&mut self, formula: &Ltl) -> Ltl {
        let kind = self.kind(formula);
        match formula {
            Ltl::True | Ltl::False | Ltl::Atom(_) => formula.clone(),
            Ltl::Not(p) => Ltl::Not(Box::new(self.ltl(p))),
            _ if kind == Kind::State => self.condition(formula.clone()),
            _ if kind == Kind::Event => self.one_of(formula.clone()),
            Ltl::And(..) | Ltl::Or(..) => self.gathered(formula),
            Ltl::Next(p) => Ltl::Next(Box::new(self.ltl(p))),
            Ltl::Finally(p) => Ltl::Finally(Box::new(self.ltl(p))),
            Ltl::Globally(p) => Ltl::Globally(Box::new(self.ltl(p))),
            Ltl::Implies(p, q) => Ltl::Implies(Box::new(self.ltl(p)), Box::new(self.ltl(q))),
            Ltl::Iff(p, q) => Ltl::Iff(Box::new(self.ltl(p)), Box::new(self.ltl(q))),
            Ltl::Until(p, q) => Ltl::Until(Box::new(self.ltl(p)), Box::new(self.ltl(q))),
            Ltl::Release(p, q) => Ltl::Release(Box::new(self.ltl(p)), Box::new(self.ltl(q))),
            Ltl::WeakUntil(p, q) => Ltl::WeakUntil(Box::new(self.ltl(p)), Box::new(self.ltl(q))),
        }
    }

    /// The formula of branching time over letters. Runs that show a verdict speak of its parts, so each letter stands for one part as it was written, and operands stay where they are.
    pub fn ctl(&mut self, formula: &Ctl) -> Ctl {
        let mut part = |p: &Ctl| Box::new(self.ctl(p));
        match formula {
            Ctl::True | Ctl::False | Ctl::Atom(_) => formula.clone(),
            Ctl::Not(p) => Ctl::Not(part(p)),
            Ctl::Next(quantifier, events, p) => Ctl::Next(*quantifier, events.clone(), part(p)),
            Ctl::Finally(quantifier, p) => Ctl::Finally(*quantifier, part(p)),
            Ctl::Globally(quantifier, p) => Ctl::Globally(*quantifier, part(p)),
            Ctl::Until(quantifier, p, q) => Ctl::Until(*quantifier, part(p), part(q)),
            Ctl::Release(quantifier, p, q) => Ctl::Release(*quantifier, part(p), part(q)),
            Ctl::WeakUntil(quantifier, p, q) => Ctl::WeakUntil(*quantifier, part(p), part(q)),
            Ctl::And(p, q) | Ctl::Or(p, q) | Ctl::Implies(p, q) | Ctl::Iff(p, q) => {
                let known = formula.as_condition();
                match known.filter(|part| self.kind(part) == Kind::State) {
                    Some(part) => Ctl::Atom(self.written(part)),
                    None => {
                        let (p, q) = (Box::new(self.ctl(p)), Box::new(self.ctl(q)));
                        match formula {
                            Ctl::And(..) => Ctl::And(p, q),
                            Ctl::Or(..) => Ctl::Or(p, q),
                            Ctl::Implies(..) => Ctl::Implies(p, q),
                            _ => Ctl::Iff(p, q),
                        }
                    }
                }
            }
        }
    }
}

impl FreshAtoms {
    fn kind(&self, formula: &Ltl) -> Kind {
        let (mut states, mut events) = (false, false);
        let mut waiting = vec![formula];
        while let Some(part) = waiting.pop() {
            match part {
                Ltl::True | Ltl::False => {}
                Ltl::Atom(atom) if self.is_state[atom.0 as usize] => states = true,
                Ltl::Atom(_) => events = true,
                Ltl::Not(p) => waiting.push(p),
                Ltl::And(p, q) | Ltl::Or(p, q) | Ltl::Implies(p, q) | Ltl::Iff(p, q) => {
                    waiting.extend([&**p, &**q]);
                }
                _ => return Kind::Temporal,
            }
        }
        match (states, events) {
            (true, true) => Kind::Mixed,
            (false, true) => Kind::Event,
            (_, false) => Kind::State,
        }
    }

    /// The letter of a condition on the state, negated if its negation has one.
    fn condition(&mut self, formula: Ltl) -> Ltl {
        let condition = Decision::of(&formula);
        if let Some(value) = condition.constant() {
            return constant(value);
        }
        if let Some((atom, value)) = condition.literal() {
            return literal(*atom, value);
        }
        if let Some(&known) = self.places.get(&Letter::Condition(condition.negation())) {
            return literal(known, false);
        }
        Ltl::Atom(self.fresh(Letter::Condition(condition), formula))
    }

    /// The letter of a part about events: it is true of those of `these`, and negated if that is so of a position without an event.
    fn one_of(&mut self, formula: Ltl) -> Ltl {
        let condition = Decision::of(&formula);
        let with = |event: Option<AtomId>| {
            let value = condition.holds(|atom| Ok::<bool, ()>(Some(*atom) == event));
            value.expect("to compare events is no error")
        };
        let without = with(None);
        let mut these = formula.atoms();
        these.retain(|&event| with(Some(event)) != without);
        match these.as_slice() {
            [] => constant(without),
            [event] => literal(*event, !without),
            _ => {
                let part = if without {
                    Ltl::Not(Box::new(formula))
                } else {
                    formula
                };
                literal(self.fresh(Letter::OneOf(these), part), !without)
            }
        }
    }

    /// A conjunction or disjunction with its operands about the state in one, and so those about events. `[] p && [] q` is `[] (p && q)`, and `<> p || <> q` is `<> (p || q)`.
    fn gathered(&mut self, formula: &Ltl) -> Ltl {
        let all = matches!(formula, Ltl::And(..));
        let (mut states, mut events, mut wherever) = (Vec::new(), Vec::new(), Vec::new());
        let mut others = Vec::new();
        for operand in operands(formula) {
            match (self.kind(operand), operand) {
                (Kind::State, _) => states.push(operand.clone()),
                (Kind::Event, _) => events.push(operand.clone()),
                (_, Ltl::Globally(p)) if all && self.kind(p) != Kind::Temporal => {
                    wherever.push((**p).clone());
                }
                (_, Ltl::Finally(p)) if !all && self.kind(p) != Kind::Temporal => {
                    wherever.push((**p).clone());
                }
                _ => others.push(self.ltl(operand)),
            }
        }
        let wherever = join(all, wherever).map(Box::new);
        let wherever = wherever.map(if all { Ltl::Globally } else { Ltl::Finally });
        let groups = [join(all, states), join(all, events), wherever];
        let mut parts: Vec<Ltl> = groups.into_iter().flatten().map(|part| self.ltl(&part)).collect();
        parts.append(&mut others);
        join(all, parts).expect("a join has operands")
    }

    /// The next fresh atom.
    fn next(&self) -> AtomId {
        AtomId((self.is_state.len() + self.list.len()) as u32)
    }

    /// The fresh atom of a letter.
    fn fresh(&mut self, letter: Letter, part: Ltl) -> AtomId {
        let next = self.next();
        let atom = *self.places.entry(letter.clone()).or_insert(next);
        if atom == next {
            self.list.push((letter, part));
        }
        atom
    }

    /// The fresh atom of a part as written.
    fn written(&mut self, part: Ltl) -> AtomId {
        if let Some(&known) = self.written.get(&part) {
            return known;
        }
        let atom = self.next();
        self.list
            .push((Letter::Condition(Decision::of(&part)), part.clone()));
        self.written.insert(part, atom);
        atom
    }
}

fn constant(value: bool) -> Ltl {
    if value { Ltl::True } else { Ltl::False }
}

fn literal(atom: AtomId, value: bool) -> Ltl {
    match value {
        true => Ltl::Atom(atom),
        false => Ltl::Not(Box::new(Ltl::Atom(atom))),
    }
}

/// What a conjunction or disjunction joins, from the left, with what is joined by the same operator in its operands.
fn operands(formula: &Ltl) -> Vec<&Ltl> {
    let all = matches!(formula, Ltl::And(..));
    let (mut found, mut waiting) = (Vec::new(), vec![formula]);
    while let Some(part) = waiting.pop() {
        match part {
            Ltl::And(p, q) if all => waiting.extend([&**q, &**p]),
            Ltl::Or(p, q) if !all => waiting.extend([&**q, &**p]),
            _ => found.push(part),
        }
    }
    found
}

/// The operands joined by `&&` or `||`, in a tree of little depth; none of no operands.
fn join(all: bool, parts: Vec<Ltl>) -> Option<Ltl> {
    balanced(parts, &mut |p, q| match all {
        true => Ltl::And(Box::new(p), Box::new(q)),
        false => Ltl::Or(Box::new(p), Box::new(q)),
    })
}

#[cfg(test)]
mod tests;
