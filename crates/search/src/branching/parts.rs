//! A formula as a list of parts, each different one once, parts before wholes.
//!
//! What users write is brought to `!`, `&&`, `||` and three quantifiers, `EX`, `EU` and `EG`; universal ones are negations of these. With paths restricted to fair
//! ones that is as right as without, since the negation stays outside of the quantifier.

use super::{BranchingQuestion, Proposition};
use fairhold_logic::{Ctl, Quantifier};
use fairhold_system::EventId;
use rustc_hash::FxHashMap;

/// A part, by its place in the list.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct PartId(u32);

impl PartId {
    /// As an index.
    pub(super) fn index(self) -> usize {
        self.0 as usize
    }
}

/// A part of a formula, in terms of parts before it.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) enum Part {
    True,
    Proposition(Proposition),
    Not(PartId),
    And(PartId, PartId),
    Or(PartId, PartId),
    /// Some step, of these events if there are some, leads to a fair state of the part.
    ExistsNext(Option<Vec<EventId>>, PartId),
    /// A path of states of the first leads to a fair state of the second.
    ExistsUntil(PartId, PartId),
    /// A fair path stays in the part.
    ExistsGlobally(PartId),
}

/// The propositions of a question's formula, as often as they occur.
pub(super) fn propositions(question: &BranchingQuestion<'_>) -> Vec<Proposition> {
    let parts = Parts::new(question);
    let of = |part: &Part| match part {
        Part::Proposition(proposition) => Some(proposition.clone()),
        _ => None,
    };
    parts.list.iter().filter_map(of).collect()
}

/// A formula's parts.
pub(super) struct Parts {
    pub(super) list: Vec<Part>,
    places: FxHashMap<Part, PartId>,
    /// Every different part as written, parts before wholes, with its place in the list.
    pub(super) written: Vec<(Ctl, PartId)>,
}

impl Parts {
    pub(super) fn new(question: &BranchingQuestion<'_>) -> Parts {
        let mut parts = Parts {
            list: Vec::new(),
            places: FxHashMap::default(),
            written: Vec::new(),
        };
        let mut known = FxHashMap::default();
        parts.add_written(question, question.formula, &mut known);
        parts
    }

    fn add(&mut self, part: Part) -> PartId {
        // Double negations come from quantifiers, and are no sets of their own.
        if let Part::Not(inner) = part
            && let Part::Not(id) = self.list[inner.index()]
        {
            return id;
        }
        if let Some(&id) = self.places.get(&part) {
            return id;
        }
        let id = PartId(self.list.len() as u32);
        self.list.push(part.clone());
        self.places.insert(part, id);
        id
    }

    fn not(&mut self, part: PartId) -> PartId {
        self.add(Part::Not(part))
    }

    /// Adds a formula and what it is made of.
    fn add_written<'f>(
        &mut self,
        question: &BranchingQuestion<'_>,
        formula: &'f Ctl,
        known: &mut FxHashMap<&'f Ctl, PartId>,
    ) -> PartId {
        if let Some(&id) = known.get(formula) {
            return id;
        }
        let mut part = |p: &'f Ctl| self.add_written(question, p, known);
        let id = match formula {
            Ctl::True => self.add(Part::True),
            Ctl::False => {
                let all = self.add(Part::True);
                self.not(all)
            }
            Ctl::Atom(atom) => self.add(Part::Proposition((question.proposition)(*atom))),
            Ctl::Not(p) => {
                let p = part(p);
                self.not(p)
            }
            Ctl::And(p, q) => {
                let (p, q) = (part(p), part(q));
                self.add(Part::And(p, q))
            }
            Ctl::Or(p, q) => {
                let (p, q) = (part(p), part(q));
                self.add(Part::Or(p, q))
            }
            Ctl::Implies(p, q) => {
                let (p, q) = (part(p), part(q));
                let p = self.not(p);
                self.add(Part::Or(p, q))
            }
            Ctl::Iff(p, q) => {
                let (p, q) = (part(p), part(q));
                let both = self.add(Part::And(p, q));
                let (p, q) = (self.not(p), self.not(q));
                let neither = self.add(Part::And(p, q));
                self.add(Part::Or(both, neither))
            }
            Ctl::Next(quantifier, events, p) => {
                let events = events.as_ref().map(|events| {
                    let mut events: Vec<EventId> = events.iter().map(|&e| (question.event)(e)).collect();
                    events.sort_unstable();
                    events.dedup();
                    events
                });
                let p = part(p);
                self.quantified(*quantifier, p, p, |parts, p, _| {
                    parts.add(Part::ExistsNext(events, p))
                })
            }
            Ctl::Finally(quantifier @ Quantifier::Exists, p)
            | Ctl::Globally(quantifier @ Quantifier::All, p) => {
                let p = part(p);
                let all = self.add(Part::True);
                self.quantified(*quantifier, p, p, |parts, p, _| {
                    parts.add(Part::ExistsUntil(all, p))
                })
            }
            Ctl::Finally(quantifier, p) | Ctl::Globally(quantifier, p) => {
                let p = part(p);
                self.quantified(*quantifier, p, p, |parts, p, _| {
                    parts.add(Part::ExistsGlobally(p))
                })
            }
            Ctl::Until(Quantifier::Exists, p, q) => {
                let (p, q) = (part(p), part(q));
                self.add(Part::ExistsUntil(p, q))
            }
            Ctl::WeakUntil(Quantifier::Exists, p, q) => {
                let (p, q) = (part(p), part(q));
                let (until, always) = (
                    self.add(Part::ExistsUntil(p, q)),
                    self.add(Part::ExistsGlobally(p)),
                );
                self.add(Part::Or(until, always))
            }
            Ctl::Release(Quantifier::Exists, p, q) => {
                let (p, q) = (part(p), part(q));
                let both = self.add(Part::And(p, q));
                let (until, always) = (
                    self.add(Part::ExistsUntil(q, both)),
                    self.add(Part::ExistsGlobally(q)),
                );
                self.add(Part::Or(until, always))
            }
            Ctl::Until(Quantifier::All, p, q) | Ctl::WeakUntil(Quantifier::All, p, q) => {
                let (p, q) = (part(p), part(q));
                self.quantified(Quantifier::All, p, q, |parts, no_p, no_q| {
                    let neither = parts.add(Part::And(no_p, no_q));
                    let broken = parts.add(Part::ExistsUntil(no_q, neither));
                    if matches!(formula, Ctl::WeakUntil(..)) {
                        return broken;
                    }
                    let never = parts.add(Part::ExistsGlobally(no_q));
                    parts.add(Part::Or(broken, never))
                })
            }
            Ctl::Release(Quantifier::All, p, q) => {
                let (p, q) = (part(p), part(q));
                self.quantified(Quantifier::All, p, q, |parts, no_p, no_q| {
                    parts.add(Part::ExistsUntil(no_p, no_q))
                })
            }
        };
        known.insert(formula, id);
        self.written.push((formula.clone(), id));
        id
    }

    /// What `exists` makes of two parts; for a universal quantifier the negation of what it makes of their negations.
    fn quantified(
        &mut self,
        quantifier: Quantifier,
        p: PartId,
        q: PartId,
        exists: impl FnOnce(&mut Parts, PartId, PartId) -> PartId,
    ) -> PartId {
        match quantifier {
            Quantifier::Exists => exists(self, p, q),
            Quantifier::All => {
                let (p, q) = (self.not(p), self.not(q));
                let some = exists(self, p, q);
                self.not(some)
            }
        }
    }
}
