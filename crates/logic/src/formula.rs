//! Formulas in negation normal form, shared.
//!
//! [`Formulas`] interns every formula once, so that equality is equality of ids, a formula with repeated parts takes the room
//! of its distinct parts, and results about formulas can be remembered. Negations stand before atoms only; `F p` is
//! `true U p`, `G p` is `false R p`, `p W q` is `q R (p || q)`.
//!
//! Each formula comes with three facts, found from its parts [EtessamiHolzmann-CONCUR'00]:
//! - *boolean*: it speaks of the first letter only;
//! - *eventual* (a pure eventuality): if a suffix of a word satisfies it, so does the word; `F p` is one;
//! - *universal* (purely so): if a word satisfies it, so do its suffixes; `G p` is one.
//!
//! What is both eventual and universal, such as `G F p`, depends on no finite prefix, and `X` before it says nothing.

use std::collections::HashMap;

/// A formula in [`Formulas`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct FormulaId(u32);

/// A formula, in terms of smaller ones.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Node {
    /// Always true.
    True,
    /// Always false.
    False,
    /// Atom number `.0`, or its negation if `.1` is false.
    Literal(u32, bool),
    /// All of these: two or more, ascending, none an `And` or a constant.
    And(Vec<FormulaId>),
    /// Some of these: two or more, ascending, none an `Or` or a constant.
    Or(Vec<FormulaId>),
    /// In the next position.
    Next(FormulaId),
    /// The second holds eventually, the first until then.
    Until(FormulaId, FormulaId),
    /// The second holds as long as the first has not held, that position included.
    Release(FormulaId, FormulaId),
}

/// What is known of a formula from its shape.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Facts {
    boolean: bool,
    eventual: bool,
    universal: bool,
}

/// All formulas of one translation.
#[derive(Clone, Debug)]
pub(crate) struct Formulas {
    nodes: Vec<Node>,
    facts: Vec<Facts>,
    ids: HashMap<Node, FormulaId>,
    /// The negation of each formula, once asked for.
    negations: Vec<Option<FormulaId>>,
    /// Answers of `implies`, kept by `implication.rs`.
    pub(crate) implications: HashMap<(FormulaId, FormulaId), bool>,
}

impl Formulas {
    /// `true`, in every table.
    pub(crate) const TRUE: FormulaId = FormulaId(0);
    /// `false`, in every table.
    pub(crate) const FALSE: FormulaId = FormulaId(1);

    /// The table with the two constants.
    pub(crate) fn new() -> Formulas {
        let mut formulas = Formulas {
            nodes: Vec::new(),
            facts: Vec::new(),
            ids: HashMap::new(),
            negations: Vec::new(),
            implications: HashMap::new(),
        };
        let constants = (formulas.intern(Node::True), formulas.intern(Node::False));
        debug_assert_eq!(constants, (Formulas::TRUE, Formulas::FALSE));
        formulas
    }

    /// The formula's outermost operator and operands.
    pub(crate) fn node(&self, f: FormulaId) -> &Node {
        &self.nodes[f.0 as usize]
    }

    /// The formula exactly as written here; `rewrite.rs` has the constructors that simplify.
    pub(crate) fn intern(&mut self, node: Node) -> FormulaId {
        if let Some(&id) = self.ids.get(&node) {
            return id;
        }
        let id = FormulaId(u32::try_from(self.nodes.len()).expect("a formula fits in memory"));
        self.facts.push(self.facts_of(&node));
        self.nodes.push(node.clone());
        self.negations.push(None);
        self.ids.insert(node, id);
        id
    }

    /// An atom or its negation.
    pub(crate) fn literal(&mut self, atom: u32, sign: bool) -> FormulaId {
        self.intern(Node::Literal(atom, sign))
    }

    /// Whether the formula speaks of the first letter only.
    pub(crate) fn is_boolean(&self, f: FormulaId) -> bool {
        self.facts[f.0 as usize].boolean
    }

    /// Whether a word satisfies it as soon as a suffix does.
    pub(crate) fn is_eventual(&self, f: FormulaId) -> bool {
        self.facts[f.0 as usize].eventual
    }

    /// Whether all suffixes satisfy it as soon as the word does.
    pub(crate) fn is_universal(&self, f: FormulaId) -> bool {
        self.facts[f.0 as usize].universal
    }

    /// Whether no finite prefix matters to it.
    pub(crate) fn is_suspendable(&self, f: FormulaId) -> bool {
        self.is_eventual(f) && self.is_universal(f)
    }

    fn facts_of(&self, node: &Node) -> Facts {
        let boolean = |f: &FormulaId| self.is_boolean(*f);
        let eventual = |f: &FormulaId| self.is_eventual(*f);
        let universal = |f: &FormulaId| self.is_universal(*f);
        match node {
            Node::True | Node::False => Facts {
                boolean: true,
                eventual: true,
                universal: true,
            },
            Node::Literal(..) => Facts {
                boolean: true,
                eventual: false,
                universal: false,
            },
            Node::And(operands) | Node::Or(operands) => Facts {
                boolean: operands.iter().all(boolean),
                eventual: operands.iter().all(eventual),
                universal: operands.iter().all(universal),
            },
            Node::Next(p) => Facts {
                boolean: false,
                eventual: eventual(p),
                universal: universal(p),
            },
            // `true U q` can wait for any suffix; with `p` and `q` both eventual (universal), so is `p U q`.
            Node::Until(p, q) => Facts {
                boolean: false,
                eventual: *p == Formulas::TRUE || (eventual(p) && eventual(q)),
                universal: universal(p) && universal(q),
            },
            Node::Release(p, q) => Facts {
                boolean: false,
                eventual: eventual(p) && eventual(q),
                universal: *p == Formulas::FALSE || (universal(p) && universal(q)),
            },
        }
    }

    /// The negation, by exchanging each operator with its dual. The rewriting rules come in dual pairs, so the negation of a
    /// simplified formula is simplified.
    pub(crate) fn negation(&mut self, f: FormulaId) -> FormulaId {
        if let Some(id) = self.negations[f.0 as usize] {
            return id;
        }
        let dual = match self.node(f).clone() {
            Node::True => Node::False,
            Node::False => Node::True,
            Node::Literal(atom, sign) => Node::Literal(atom, !sign),
            Node::And(operands) => Node::Or(self.negations(&operands)),
            Node::Or(operands) => Node::And(self.negations(&operands)),
            Node::Next(p) => Node::Next(self.negation(p)),
            Node::Until(p, q) => Node::Release(self.negation(p), self.negation(q)),
            Node::Release(p, q) => Node::Until(self.negation(p), self.negation(q)),
        };
        let id = self.intern(dual);
        self.negations[f.0 as usize] = Some(id);
        self.negations[id.0 as usize] = Some(f);
        id
    }

    /// The negations of all, ascending.
    pub(crate) fn negations(&mut self, list: &[FormulaId]) -> Vec<FormulaId> {
        let mut negated: Vec<FormulaId> = list.iter().map(|&f| self.negation(f)).collect();
        negated.sort_unstable();
        negated
    }
}
