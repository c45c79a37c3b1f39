//! Formulas: LTL, or CTL if path quantifiers occur.
//!
//! Both are read into one tree first ([`Written`]) and then turned into one or the other: so the two share atoms and
//! operators, and mixing them is found in one place. PAT puts `&& || -> <->` on one level, left-associative; that
//! reading is kept, and shown whenever two of them meet without parentheses.

use super::Resolver;
use super::atom::Atoms;
use super::tree;
use crate::model::{Atom, Expr, Question, Value};
use crate::syntax::{SyntaxKind as K, SyntaxNode, SyntaxToken};
use fairhold_logic::{Binary, Join, Logic, Ltl, Quantifier, Unary, Written};
use fairhold_source::{Diagnostic, Span};

/// Operators and atoms a formula may have after its quantifiers are expanded.
const MAX_SIZE: usize = 20_000;
/// Operands of one chain of operators, those of a long run of one `&&` or `||` aside: formulas are walked by recursion.
const MAX_CHAIN: usize = 500;

/// A fairness formula.
#[derive(Clone, PartialEq, Debug)]
pub struct FairnessFormula {
    /// As a formula of linear time.
    pub formula: Ltl,
    /// Its atoms.
    pub atoms: Vec<Atom>,
    /// Whether it depends on how many processes there are.
    pub counts_processes: bool,
}

impl Resolver {
    /// The question `|= phi`.
    pub(super) fn temporal(&mut self, node: &SyntaxNode) -> Option<Question> {
        let body = node.children().find(|n| tree::is_formula(n.kind()))?;
        let branching = body.descendants().any(|n| {
            n.kind() == K::FPath
                || (n.kind() == K::FUnary
                    && tree::ident(&n).is_some_and(|t| Quantifier::of_word(t.text()).is_some()))
        });
        let logic = if branching {
            Logic::Branching
        } else {
            Logic::Linear
        };
        let mut atoms = Atoms {
            logic,
            ..Atoms::default()
        };
        let formula = self.formula(&body, &mut atoms)?;
        if atoms.size > MAX_SIZE {
            self.formula_too_long(self.span(node));
            return None;
        }
        if branching {
            let ctl = self.pure(formula.into_ctl())?;
            if !atoms.misplaced.is_empty() {
                for wrong in atoms.misplaced {
                    let event = wrong.message.clone();
                    self.report.once(&event, wrong);
                }
                return None;
            }
            Some(Question::Ctl(ctl, atoms.list))
        } else {
            let ltl = self.pure(formula.into_ltl())?;
            Some(Question::Ltl(ltl, atoms.list))
        }
    }

    /// A formula on its own: a fairness formula about so many processes. Its shape is not looked at here.
    pub(super) fn fairness(&mut self, node: &SyntaxNode, processes: u32) -> Option<FairnessFormula> {
        let body = node.children().find(|n| tree::is_formula(n.kind()))?;
        let mut atoms = Atoms {
            logic: Logic::Fairness,
            processes,
            ..Atoms::default()
        };
        let formula = self.formula(&body, &mut atoms)?;
        if atoms.size > MAX_SIZE {
            self.formula_too_long(self.span(node));
            return None;
        }
        if let Some(at) = formula.first_quantifier() {
            let message = "a fairness formula speaks of one execution, so it has no path quantifiers";
            let help = "it joins `GF a` and `FG a` by `! && || -> <->`";
            self.report
                .push(Diagnostic::error("fairness-shape", at, message).help(help));
            return None;
        }
        let formula = self.pure(formula.into_ltl())?;
        Some(FairnessFormula {
            formula,
            atoms: atoms.list,
            counts_processes: atoms.counts_processes,
        })
    }

    /// The formula if it is of one logic.
    fn pure<F>(&mut self, formula: Result<F, Box<Diagnostic>>) -> Option<F> {
        formula.map_err(|mixed| self.report.once("", *mixed)).ok()
    }

    /// A formula on its own that is one atom, or a constant.
    pub(super) fn lone_atom(&mut self, node: &SyntaxNode) -> Option<Atom> {
        let body = node.children().find(|n| tree::is_formula(n.kind()))?;
        let mut atoms = Atoms::default();
        match self.formula(&body, &mut atoms)? {
            Written::Atom(_) => atoms.list.pop(),
            Written::Const(value) => Some(Atom::State(Expr::Const(Value::Bool(value)), tree::text(&body))),
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
        let help = format!(
            "at most {MAX_CHAIN} operands in a row unless they are joined by the same `&&` or `||`, and {MAX_SIZE} operators and atoms in all"
        );
        self.report
            .once("formula", Diagnostic::error("too-long", span, message).help(help));
    }

    fn formula(&mut self, node: &SyntaxNode, atoms: &mut Atoms) -> Option<Written> {
        atoms.size += 1;
        if atoms.size > MAX_SIZE {
            return Some(Written::Const(true));
        }
        match node.kind() {
            K::FParen => {
                let inner = node.children().find(|n| tree::is_formula(n.kind()))?;
                self.formula(&inner, atoms)
            }
            K::FAtom if self.is_impartial(node, atoms) => Some(self.impartial(self.span(node), atoms)),
            K::FAtom => match self.atom(node, atoms)? {
                super::atom::Found::Const(value) => Some(Written::Const(value)),
                super::atom::Found::Atom(id) => Some(Written::Atom(id)),
            },
            K::FStep => match self.step_atom(node, atoms)? {
                super::atom::Found::Const(value) => Some(Written::Const(value)),
                super::atom::Found::Atom(id) => Some(Written::Atom(id)),
            },
            K::FConstraint => self.constraint(node, atoms),
            K::FUnary => self.unary_formula(node, atoms),
            K::FPath => self.path_formula(node, atoms),
            K::FChain => self.chain(node, atoms),
            K::FTemporal => self.until_chain(node, atoms),
            K::FQuantified => self.quantified_formula(node, atoms),
            _ => None,
        }
    }

    /// `buchi(p)`, `rabin(red, green; ...)`, `streett(red, green; ...)`
    fn constraint(&mut self, node: &SyntaxNode, atoms: &mut Atoms) -> Option<Written> {
        let word = tree::ident(node)?;
        let at = self.origin.token(&word);
        if !self.is_fairness(word.text(), self.span(node), atoms) {
            return None;
        }
        let operands = node.children().filter(|n| tree::is_formula(n.kind()));
        let operands: Vec<SyntaxNode> = operands.collect();
        let parts: Vec<Option<Written>> = operands.iter().map(|o| self.formula(o, atoms)).collect();
        let mut parts = parts.into_iter().collect::<Option<Vec<Written>>>()?.into_iter();
        if word.text() == "buchi" {
            return Some(parts.next()?.infinitely_often(at));
        }
        let mut pairs = Vec::new();
        while let (Some(red), Some(green)) = (parts.next(), parts.next()) {
            pairs.push((red, green));
        }
        Some(match word.text() {
            "rabin" => Written::rabin(pairs, at),
            _ => Written::streett(pairs, at),
        })
    }

    /// `impartial`: every process is engaged infinitely often.
    fn impartial(&mut self, at: Span, atoms: &mut Atoms) -> Written {
        atoms.counts_processes = true;
        atoms.size += atoms.processes as usize;
        let engaged: Vec<Written> = (0..atoms.processes)
            .map(|process| Written::Atom(atoms.add(Atom::EngagedProcess(process))).infinitely_often(at))
            .collect();
        Written::all(engaged)
    }

    /// Whether the formula is a fairness formula; if not, what only these may have is reported.
    fn is_fairness(&mut self, word: &str, span: Span, atoms: &Atoms) -> bool {
        let fairness = atoms.logic == Logic::Fairness;
        if !fairness {
            let message = format!("`{word}` can stand in a fairness formula only");
            let help = "give it with --fairness, or in a comment: `//@ fairness: impartial`";
            self.report
                .once("", Diagnostic::error("step-atom", span, message).help(help));
        }
        fairness
    }

    fn operand(&mut self, node: &SyntaxNode, atoms: &mut Atoms) -> Option<Written> {
        let inner = node.children().find(|n| tree::is_formula(n.kind()))?;
        self.formula(&inner, atoms)
    }

    fn unary_formula(&mut self, node: &SyntaxNode, atoms: &mut Atoms) -> Option<Written> {
        let events = match tree::child(node, K::EventSet) {
            Some(set) => Some(self.event_atoms(&set, atoms)?),
            None => None,
        };
        let operand = self.operand(node, atoms);
        let operator = tree::own_tokens(node).next()?;
        let (quantifier, unary) = match operator.kind() {
            K::Bang => return Some(Written::Not(Box::new(operand?))),
            K::Box => (None, Unary::Globally),
            K::Diamond => (None, Unary::Finally),
            _ => match operator.text() {
                "GF" => return Some(operand?.infinitely_often(self.origin.token(&operator))),
                "FG" => return Some(operand?.eventually_always(self.origin.token(&operator))),
                "G" => (None, Unary::Globally),
                "F" => (None, Unary::Finally),
                "X" => (None, Unary::Next),
                other => {
                    let (quantifier, unary) = Quantifier::of_word(other)?;
                    (Some(quantifier), unary)
                }
            },
        };
        let span = self.origin.token(&operator);
        Some(Written::Unary(
            quantifier,
            unary,
            events,
            Box::new(operand?),
            span,
        ))
    }

    /// `A[p U q]`, `E[X p]`
    fn path_formula(&mut self, node: &SyntaxNode, atoms: &mut Atoms) -> Option<Written> {
        let letter = tree::ident(node)?;
        let quantifier = if letter.text() == "A" {
            Quantifier::All
        } else {
            Quantifier::Exists
        };
        let span = self.span(node);
        match self.operand(node, atoms)? {
            Written::Unary(None, op, events, p, at) => {
                Some(Written::Unary(Some(quantifier), op, events, p, at))
            }
            Written::Binary(None, op, p, q, at) => Some(Written::Binary(Some(quantifier), op, p, q, at)),
            _ => {
                let letter = letter.text();
                let message = format!("`{letter}[..]` needs one temporal operator, as in `{letter}[p U q]`");
                self.report.push(Diagnostic::error("mixed-logics", span, message));
                None
            }
        }
    }

    /// `p -> q && r`, from the left.
    fn chain(&mut self, node: &SyntaxNode, atoms: &mut Atoms) -> Option<Written> {
        let operands: Vec<SyntaxNode> = node.children().filter(|n| tree::is_formula(n.kind())).collect();
        let tokens: Vec<SyntaxToken> = tree::own_tokens(node)
            .filter(|t| join(t.kind()).is_some())
            .collect();
        let ops: Vec<Join> = tokens.iter().filter_map(|t| join(t.kind())).collect();
        if Written::depth_of_chain(&ops) > MAX_CHAIN {
            self.formula_too_long(self.span(node));
            return None;
        }
        if let Some(odd) = ops.iter().position(|op| *op != ops[0]) {
            self.precedence(node, &operands, &tokens, odd);
        }
        let parts: Vec<Option<Written>> = operands.iter().map(|o| self.formula(o, atoms)).collect();
        Written::chain(parts.into_iter().collect::<Option<Vec<Written>>>()?, &ops)
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
    fn until_chain(&mut self, node: &SyntaxNode, atoms: &mut Atoms) -> Option<Written> {
        let operands: Vec<SyntaxNode> = node.children().filter(|n| tree::is_formula(n.kind())).collect();
        if operands.len() > MAX_CHAIN {
            self.formula_too_long(self.span(node));
            return None;
        }
        let parts: Vec<Option<Written>> = operands.iter().map(|o| self.formula(o, atoms)).collect();
        let ops = tree::own_tokens(node).filter_map(|t| {
            let op = match t.text() {
                "U" => Binary::Until,
                "R" | "V" => Binary::Release,
                "W" => Binary::WeakUntil,
                _ => return None,
            };
            Some((op, self.origin.token(&t)))
        });
        let mut parts = parts.into_iter().collect::<Option<Vec<Written>>>()?.into_iter();
        let first = parts.next()?;
        let join = |p, ((op, at), q)| Written::Binary(None, op, Box::new(p), Box::new(q), at);
        Some(ops.zip(parts).fold(first, join))
    }

    /// `&& i:{0..2} @ p`
    fn quantified_formula(&mut self, node: &SyntaxNode, atoms: &mut Atoms) -> Option<Written> {
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
        let parts: Option<Vec<Written>> = parts.into_iter().collect();
        Written::balanced(op, parts?)
    }
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
