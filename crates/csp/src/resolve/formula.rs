//! Formulas: LTL, or CTL if path quantifiers occur.
//!
//! Both are read into one tree first ([`Formula`]) and then turned into one or the other: so the two share atoms and
//! operators, and mixing them is found in one place. PAT puts `&& || -> <->` on one level, left-associative; that
//! reading is kept, and shown whenever two of them meet without parentheses.

use super::Resolver;
use super::atom::Atoms;
use super::tree;
use crate::model::{Atom, Expr, Question, Value};
use crate::syntax::{SyntaxKind as K, SyntaxNode, SyntaxToken};
use fairhold_logic::{AtomId, Ctl, Ltl, Quantifier};
use fairhold_source::{Diagnostic, Span};

/// Operators and atoms a formula may have after its quantifiers are expanded.
const MAX_SIZE: usize = 10_000;
/// Operands of one chain of operators: formulas are walked by recursion.
const MAX_CHAIN: usize = 500;

/// A formula of either logic.
enum Formula {
    Const(bool),
    Atom(AtomId),
    Not(Box<Formula>),
    Join(Join, Box<Formula>, Box<Formula>),
    /// `[] p`, `AG p`: a quantifier for CTL, and events for `EX{e} p`.
    Unary(Option<Quantifier>, Unary, Option<Vec<AtomId>>, Box<Formula>, Span),
    /// `p U q`, `A[p U q]`
    Binary(Option<Quantifier>, Binary, Box<Formula>, Box<Formula>, Span),
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Join {
    And,
    Or,
    Implies,
    Iff,
    Xor,
}

#[derive(Clone, Copy)]
enum Unary {
    Next,
    Finally,
    Globally,
}

#[derive(Clone, Copy)]
enum Binary {
    Until,
    Release,
    WeakUntil,
}

impl Resolver {
    /// The question `|= phi`.
    pub(super) fn temporal(&mut self, node: &SyntaxNode) -> Option<Question> {
        let body = node.children().find(|n| tree::is_formula(n.kind()))?;
        let branching = body.descendants().any(|n| {
            n.kind() == K::FPath
                || (n.kind() == K::FUnary && tree::ident(&n).is_some_and(|t| path(t.text()).is_some()))
        });
        let mut atoms = Atoms::default();
        let formula = self.formula(&body, &mut atoms)?;
        if atoms.size > MAX_SIZE {
            self.formula_too_long(self.span(node));
            return None;
        }
        if branching {
            let ctl = self.ctl(formula)?;
            Some(Question::Ctl(ctl, atoms.list))
        } else {
            Some(Question::Ltl(ltl(formula), atoms.list))
        }
    }

    /// A formula on its own: a fairness formula. Its shape is not looked at here.
    pub(super) fn fairness(&mut self, node: &SyntaxNode) -> Option<(Ltl, Vec<Atom>)> {
        let body = node.children().find(|n| tree::is_formula(n.kind()))?;
        let mut atoms = Atoms {
            of_steps: true,
            ..Atoms::default()
        };
        let formula = self.formula(&body, &mut atoms)?;
        if atoms.size > MAX_SIZE {
            self.formula_too_long(self.span(node));
            return None;
        }
        if let Some(at) = first_quantifier(&formula) {
            let message = "a fairness formula speaks of one execution, so it has no path quantifiers";
            let help = "it joins `GF a` and `FG a` by `! && || -> <->`";
            self.report
                .push(Diagnostic::error("fairness-shape", at, message).help(help));
            return None;
        }
        Some((ltl(formula), atoms.list))
    }

    /// A formula on its own that is one atom, or a constant.
    pub(super) fn lone_atom(&mut self, node: &SyntaxNode) -> Option<Atom> {
        let body = node.children().find(|n| tree::is_formula(n.kind()))?;
        let mut atoms = Atoms::default();
        match self.formula(&body, &mut atoms)? {
            Formula::Atom(_) => atoms.list.pop(),
            Formula::Const(value) => Some(Atom::State(Expr::Const(Value::Bool(value)), tree::text(&body))),
            _ => {
                let message = format!("`{}` is no atom", tree::text(&body));
                let help =
                    "an atom is a proposition, an event with its indices, or a comparison such as `x > 0`";
                self.report
                    .push(Diagnostic::error("not-an-atom", self.span(&body), message).help(help));
                None
            }
        }
    }

    fn formula_too_long(&mut self, span: Span) {
        let message = "this formula is too long";
        let help =
            format!("at most {MAX_CHAIN} operands in a row, and {MAX_SIZE} operators and atoms in all");
        self.report
            .once("formula", Diagnostic::error("too-long", span, message).help(help));
    }

    fn formula(&mut self, node: &SyntaxNode, atoms: &mut Atoms) -> Option<Formula> {
        atoms.size += 1;
        if atoms.size > MAX_SIZE {
            return Some(Formula::Const(true));
        }
        match node.kind() {
            K::FParen => {
                let inner = node.children().find(|n| tree::is_formula(n.kind()))?;
                self.formula(&inner, atoms)
            }
            K::FAtom => match self.atom(node, atoms)? {
                super::atom::Found::Const(value) => Some(Formula::Const(value)),
                super::atom::Found::Atom(id) => Some(Formula::Atom(id)),
            },
            K::FStep => match self.step_atom(node, atoms)? {
                super::atom::Found::Const(value) => Some(Formula::Const(value)),
                super::atom::Found::Atom(id) => Some(Formula::Atom(id)),
            },
            K::FUnary => self.unary_formula(node, atoms),
            K::FPath => self.path_formula(node, atoms),
            K::FChain => self.chain(node, atoms),
            K::FTemporal => self.until_chain(node, atoms),
            K::FQuantified => self.quantified_formula(node, atoms),
            _ => None,
        }
    }

    fn operand(&mut self, node: &SyntaxNode, atoms: &mut Atoms) -> Option<Formula> {
        let inner = node.children().find(|n| tree::is_formula(n.kind()))?;
        self.formula(&inner, atoms)
    }

    fn unary_formula(&mut self, node: &SyntaxNode, atoms: &mut Atoms) -> Option<Formula> {
        let events = match tree::child(node, K::EventSet) {
            Some(set) => Some(self.event_atoms(&set, atoms)?),
            None => None,
        };
        let operand = self.operand(node, atoms);
        let operator = tree::own_tokens(node).next()?;
        let (quantifier, unary) = match operator.kind() {
            K::Bang => return Some(Formula::Not(Box::new(operand?))),
            K::Box => (None, Unary::Globally),
            K::Diamond => (None, Unary::Finally),
            _ => match operator.text() {
                double @ ("GF" | "FG") => {
                    let (outer, inner) = match double {
                        "GF" => (Unary::Globally, Unary::Finally),
                        _ => (Unary::Finally, Unary::Globally),
                    };
                    let span = self.origin.token(&operator);
                    let inner = Formula::Unary(None, inner, None, Box::new(operand?), span);
                    return Some(Formula::Unary(None, outer, None, Box::new(inner), span));
                }
                "G" => (None, Unary::Globally),
                "F" => (None, Unary::Finally),
                "X" => (None, Unary::Next),
                other => {
                    let (quantifier, unary) = path(other)?;
                    (Some(quantifier), unary)
                }
            },
        };
        let span = self.origin.token(&operator);
        Some(Formula::Unary(
            quantifier,
            unary,
            events,
            Box::new(operand?),
            span,
        ))
    }

    /// `A[p U q]`, `E[X p]`
    fn path_formula(&mut self, node: &SyntaxNode, atoms: &mut Atoms) -> Option<Formula> {
        let letter = tree::ident(node)?;
        let quantifier = if letter.text() == "A" {
            Quantifier::All
        } else {
            Quantifier::Exists
        };
        let span = self.span(node);
        match self.operand(node, atoms)? {
            Formula::Unary(None, op, events, p, at) => {
                Some(Formula::Unary(Some(quantifier), op, events, p, at))
            }
            Formula::Binary(None, op, p, q, at) => Some(Formula::Binary(Some(quantifier), op, p, q, at)),
            _ => {
                let letter = letter.text();
                let message = format!("`{letter}[..]` needs one temporal operator, as in `{letter}[p U q]`");
                self.report.push(Diagnostic::error("mixed-logics", span, message));
                None
            }
        }
    }

    /// `p -> q && r`, from the left.
    fn chain(&mut self, node: &SyntaxNode, atoms: &mut Atoms) -> Option<Formula> {
        let operands: Vec<SyntaxNode> = node.children().filter(|n| tree::is_formula(n.kind())).collect();
        let tokens: Vec<SyntaxToken> = tree::own_tokens(node)
            .filter(|t| join(t.kind()).is_some())
            .collect();
        if operands.len() > MAX_CHAIN {
            self.formula_too_long(self.span(node));
            return None;
        }
        let ops: Vec<Join> = tokens.iter().filter_map(|t| join(t.kind())).collect();
        if let Some(odd) = ops.iter().position(|op| *op != ops[0]) {
            self.precedence(node, &operands, &tokens, odd);
        }
        let parts: Vec<Option<Formula>> = operands.iter().map(|o| self.formula(o, atoms)).collect();
        let mut parts = parts.into_iter().collect::<Option<Vec<Formula>>>()?.into_iter();
        let first = parts.next()?;
        Some(
            ops.iter()
                .zip(parts)
                .fold(first, |p, (op, q)| Formula::Join(*op, Box::new(p), Box::new(q))),
        )
    }

    /// Shows how operators of one level are read.
    fn precedence(&mut self, node: &SyntaxNode, operands: &[SyntaxNode], tokens: &[SyntaxToken], odd: usize) {
        let mut reading = tree::text(&operands[0]);
        for (i, (token, operand)) in tokens.iter().zip(&operands[1..]).enumerate() {
            if i > 0 {
                reading = format!("({reading})");
            }
            reading = format!("{reading} {} {}", token.text(), tree::text(operand));
        }
        let message = format!(
            "`{}` and `{}` bind equally and are read from the left",
            tokens[0].text(),
            tokens[odd].text()
        );
        let help = format!("this is read as `{reading}`; put parentheses to say which you mean");
        let warning = Diagnostic::warning("ltl-precedence", self.span(node), message).help(help);
        self.report.once(&reading, warning);
    }

    /// `p U q U r`, from the left.
    fn until_chain(&mut self, node: &SyntaxNode, atoms: &mut Atoms) -> Option<Formula> {
        let operands: Vec<SyntaxNode> = node.children().filter(|n| tree::is_formula(n.kind())).collect();
        if operands.len() > MAX_CHAIN {
            self.formula_too_long(self.span(node));
            return None;
        }
        let parts: Vec<Option<Formula>> = operands.iter().map(|o| self.formula(o, atoms)).collect();
        let ops = tree::own_tokens(node).filter_map(|t| {
            let op = match t.text() {
                "U" => Binary::Until,
                "R" | "V" => Binary::Release,
                "W" => Binary::WeakUntil,
                _ => return None,
            };
            Some((op, self.origin.token(&t)))
        });
        let mut parts = parts.into_iter().collect::<Option<Vec<Formula>>>()?.into_iter();
        let first = parts.next()?;
        let join = |p, ((op, at), q)| Formula::Binary(None, op, Box::new(p), Box::new(q), at);
        Some(ops.zip(parts).fold(first, join))
    }

    /// `&& i:{0..2} @ p`
    fn quantified_formula(&mut self, node: &SyntaxNode, atoms: &mut Atoms) -> Option<Formula> {
        let bindings: Vec<SyntaxNode> = tree::child(node, K::Bindings)
            .map_or_else(Vec::new, |b| tree::children_of(&b, K::Binding).collect());
        let op = tree::own_tokens(node).find_map(|t| join(t.kind()))?;
        let mut parts = Vec::new();
        let mut left = MAX_SIZE;
        self.for_each_value(&bindings, &mut left, &mut |this| {
            if atoms.size <= MAX_SIZE {
                parts.push(this.operand(node, atoms));
            }
        });
        let parts: Option<Vec<Formula>> = parts.into_iter().collect();
        balanced(op, parts?)
    }

    fn ctl(&mut self, formula: Formula) -> Option<Ctl> {
        let mut pair = |p: Formula, q: Formula| {
            let (p, q) = (self.ctl(p), self.ctl(q));
            Some((Box::new(p?), Box::new(q?)))
        };
        Some(match formula {
            Formula::Const(true) => Ctl::True,
            Formula::Const(false) => Ctl::False,
            Formula::Atom(id) => Ctl::Atom(id),
            Formula::Not(p) => Ctl::Not(Box::new(self.ctl(*p)?)),
            Formula::Join(op, p, q) => {
                let (p, q) = pair(*p, *q)?;
                match op {
                    Join::And => Ctl::And(p, q),
                    Join::Or => Ctl::Or(p, q),
                    Join::Implies => Ctl::Implies(p, q),
                    Join::Iff => Ctl::Iff(p, q),
                    Join::Xor => Ctl::Not(Box::new(Ctl::Iff(p, q))),
                }
            }
            Formula::Unary(Some(quantifier), op, events, p, _) => {
                let p = Box::new(self.ctl(*p)?);
                match op {
                    Unary::Next => Ctl::Next(quantifier, events, p),
                    Unary::Finally => Ctl::Finally(quantifier, p),
                    Unary::Globally => Ctl::Globally(quantifier, p),
                }
            }
            Formula::Binary(Some(quantifier), op, p, q, _) => {
                let (p, q) = pair(*p, *q)?;
                match op {
                    Binary::Until => Ctl::Until(quantifier, p, q),
                    Binary::Release => Ctl::Release(quantifier, p, q),
                    Binary::WeakUntil => Ctl::WeakUntil(quantifier, p, q),
                }
            }
            Formula::Unary(None, .., at) | Formula::Binary(None, .., at) => {
                let message = "a temporal operator without a path quantifier, in a formula that has some";
                let help = "in CTL every temporal operator follows `A` or `E`: `AG`, `EF`, `A[p U q]`; LTL has neither";
                self.report
                    .once("", Diagnostic::error("mixed-logics", at, message).help(help));
                return None;
            }
        })
    }
}

/// Where the first path quantifier stands.
fn first_quantifier(formula: &Formula) -> Option<Span> {
    match formula {
        Formula::Const(_) | Formula::Atom(_) => None,
        Formula::Unary(Some(_), .., at) | Formula::Binary(Some(_), .., at) => Some(*at),
        Formula::Not(p) | Formula::Unary(None, _, _, p, _) => first_quantifier(p),
        Formula::Join(_, p, q) | Formula::Binary(None, _, p, q, _) => {
            first_quantifier(p).or_else(|| first_quantifier(q))
        }
    }
}

fn ltl(formula: Formula) -> Ltl {
    match formula {
        Formula::Const(true) => Ltl::True,
        Formula::Const(false) => Ltl::False,
        Formula::Atom(id) => Ltl::Atom(id),
        Formula::Not(p) => Ltl::Not(Box::new(ltl(*p))),
        Formula::Join(op, p, q) => {
            let (p, q) = (Box::new(ltl(*p)), Box::new(ltl(*q)));
            match op {
                Join::And => Ltl::And(p, q),
                Join::Or => Ltl::Or(p, q),
                Join::Implies => Ltl::Implies(p, q),
                Join::Iff => Ltl::Iff(p, q),
                Join::Xor => Ltl::Not(Box::new(Ltl::Iff(p, q))),
            }
        }
        Formula::Unary(quantifier, op, _, p, _) => {
            debug_assert!(quantifier.is_none(), "a formula with path quantifiers is CTL");
            let p = Box::new(ltl(*p));
            match op {
                Unary::Next => Ltl::Next(p),
                Unary::Finally => Ltl::Finally(p),
                Unary::Globally => Ltl::Globally(p),
            }
        }
        Formula::Binary(quantifier, op, p, q, _) => {
            debug_assert!(quantifier.is_none(), "a formula with path quantifiers is CTL");
            let (p, q) = (Box::new(ltl(*p)), Box::new(ltl(*q)));
            match op {
                Binary::Until => Ltl::Until(p, q),
                Binary::Release => Ltl::Release(p, q),
                Binary::WeakUntil => Ltl::WeakUntil(p, q),
            }
        }
    }
}

/// Joins operands in a tree of little depth; the operators that come in quantified form are associative.
fn balanced(op: Join, mut parts: Vec<Formula>) -> Option<Formula> {
    while parts.len() > 1 {
        let mut next = Vec::with_capacity(parts.len().div_ceil(2));
        let mut rest = parts.into_iter();
        while let Some(p) = rest.next() {
            next.push(match rest.next() {
                Some(q) => Formula::Join(op, Box::new(p), Box::new(q)),
                None => p,
            });
        }
        parts = next;
    }
    parts.pop()
}

fn join(kind: K) -> Option<Join> {
    Some(match kind {
        K::Amp2 | K::Wedge => Join::And,
        K::Bar2 | K::Vee => Join::Or,
        K::Arrow => Join::Implies,
        K::Iff => Join::Iff,
        K::XorKw => Join::Xor,
        _ => return None,
    })
}

/// The path quantifier and operator of `AG`, `EF` ...
fn path(word: &str) -> Option<(Quantifier, Unary)> {
    let quantifier = match word.get(..1)? {
        "A" => Quantifier::All,
        "E" => Quantifier::Exists,
        _ => return None,
    };
    let unary = match word.get(1..)? {
        "X" => Unary::Next,
        "F" => Unary::Finally,
        "G" => Unary::Globally,
        _ => return None,
    };
    Some((quantifier, unary))
}
