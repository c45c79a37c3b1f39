//! Formulas of assertions: LTL and CTL.
//!
//! Precedence is PAT's: unary operators bind tightest, then `U R V W`, then all of `&& || -> <->` on one level, from
//! left to right. The letters of operators are reserved; a name in quotes is always an event.

use fairhold_source::Diagnostic;

use super::expr::is_assignment;
use super::{Levels, Parser, Place};
use crate::syntax::SyntaxKind::{self, *};

impl Parser<'_> {
    /// A whole formula as a node of its own.
    pub(super) fn formula(&mut self) {
        self.open(Formula);
        self.connectives();
        self.close();
    }

    pub(super) fn connectives(&mut self) {
        if !self.descend() {
            return;
        }
        let start = self.checkpoint();
        let mut levels = Levels::new(start, [FChain, FTemporal]);
        self.unary_formula();
        while let Some(level) = self.formula_operator() {
            levels.operator(self, level);
            self.bump_connective();
            levels.operand(self, level);
            self.unary_formula();
        }
        levels.complete(self, 0);
        self.ascend();
    }

    fn formula_operator(&self) -> Option<usize> {
        match self.kind() {
            Amp2 | Bar2 | Arrow | Iff | Wedge | Vee | XorKw => Some(0),
            Ident => match self.word() {
                "U" | "R" | "V" | "W" => Some(1),
                "and" | "or" => Some(0),
                _ => None,
            },
            Amp | Bar => Some(0),
            Eq if self.at_fat_arrow(self.pos) => Some(0),
            _ => None,
        }
    }

    fn bump_connective(&mut self) {
        let operator = match (self.kind(), self.word()) {
            (Amp, _) | (_, "and") => Some("&&"),
            (Bar, _) | (_, "or") => Some("||"),
            (Eq, _) => Some("->"),
            _ => None,
        };
        if let Some(operator) = operator {
            let mut at = self.span_at(self.pos);
            let mut written = self.text_at(self.pos);
            if self.at(Eq) {
                at = at.to(self.span_at(self.pos + 1));
                written = "=>";
            }
            let message = format!("`{written}` is not an operator of formulas");
            let diagnostic =
                Diagnostic::error("word-operator", at, message).help(format!("write `{operator}`"));
            self.teach(diagnostic);
        }
        if self.at(Eq) {
            self.bump();
        }
        self.bump();
    }

    /// `=>`, which other notations write for `->`.
    fn at_fat_arrow(&self, pos: usize) -> bool {
        self.kind_at(pos) == Eq && self.kind_at(pos + 1) == Gt && self.is_joined(pos)
    }

    fn unary_formula(&mut self) {
        if !self.descend() {
            return;
        }
        match (self.kind(), self.word()) {
            (Bang | SyntaxKind::Box | Diamond, _) => self.modal(1),
            _ if self.at_blank_box() => {
                let at = self.span_at(self.pos).to(self.span_at(self.pos + 1));
                let diagnostic =
                    Diagnostic::error("blank-in-choice", at, "`[ ]` with a blank is no operator")
                        .help("write `[]`, without a blank");
                self.teach(diagnostic);
                self.modal(2);
            }
            (Ident, "G" | "F" | "X" | "GF" | "FG" | "AG" | "AF" | "AX" | "EG" | "EF" | "EX")
                if !self.letter_is_name() =>
            {
                self.modal(1);
            }
            (Ident, "A" | "E") if matches!(self.nth(1), LBracket | LParen) => self.path(),
            (Amp2 | Bar2, _) if self.nth(1) == Ident && self.nth(2) == Colon => {
                self.open(FQuantified);
                self.bump();
                self.bindings();
                self.expect(At, "`@` and a formula");
                self.connectives();
                self.close();
            }
            (LParen, _) if !self.paren_is_expression() => {
                self.open(FParen);
                let opened = self.pos;
                self.bump();
                self.connectives();
                self.end_bracket(opened, RParen, "an operator or `)`");
                self.close();
            }
            _ => self.formula_atom(),
        }
        self.ascend();
    }

    /// An operator of one or two tokens and its operand.
    fn modal(&mut self, tokens: usize) {
        self.open(FUnary);
        let takes_events = matches!(self.word(), "AX" | "EX");
        for _ in 0..tokens {
            self.bump();
        }
        if takes_events && self.at(LBrace) {
            self.event_set();
        }
        self.unary_formula();
        self.close();
    }

    /// `A[p U q]`, `A(p U q)`.
    fn path(&mut self) {
        self.open(FPath);
        self.bump();
        let (close, expected) = match self.kind() {
            LParen => (RParen, "an operator or `)`"),
            _ => (RBracket, "an operator or `]`"),
        };
        let opened = self.pos;
        self.bump();
        self.connectives();
        self.end_bracket(opened, close, expected);
        self.close();
    }

    /// Whether a bracket holds a number and not a formula: `(x + 1) * 2 == y`.
    fn paren_is_expression(&self) -> bool {
        let close = self.layout.partner(self.pos);
        close.is_some_and(|close| {
            continues_expression(self.kind_at(close + 1)) && !self.at_fat_arrow(close + 1)
        })
    }

    /// Whether a letter that is reserved stands where only a name can.
    fn letter_is_name(&self) -> bool {
        let next = self.nth(1);
        matches!(next, Dot | Semi | RParen | Eof | Amp2 | Bar2 | Arrow | Iff)
            && !self.starts_quantifier(self.pos + 1)
            || continues_expression(next) && !matches!(next, Plus | Minus)
            || self.at_fat_arrow(self.pos + 1)
    }

    fn starts_quantifier(&self, pos: usize) -> bool {
        matches!(self.kind_at(pos), Amp2 | Bar2)
            && self.kind_at(pos + 1) == Ident
            && self.kind_at(pos + 2) == Colon
    }

    fn formula_atom(&mut self) {
        match self.kind() {
            Ident if matches!(self.word(), "enabled" | "ready" | "engaged") && self.nth(1) == LParen => {
                self.step_atom();
            }
            Ident if matches!(self.word(), "buchi" | "rabin" | "streett") && self.nth(1) == LParen => {
                self.constraint();
            }
            Ident => {
                if matches!(
                    self.word(),
                    "G" | "F"
                        | "X"
                        | "U"
                        | "R"
                        | "V"
                        | "W"
                        | "A"
                        | "E"
                        | "AG"
                        | "AF"
                        | "AX"
                        | "EG"
                        | "EF"
                        | "EX"
                ) {
                    let message = format!("`{}` is an operator in formulas", self.word());
                    let diagnostic = Diagnostic::error("reserved-letter", self.span_at(self.pos), message)
                        .help(format!(
                            "to mean an event of that name, write it in quotes: `\"{}\"`",
                            self.word()
                        ));
                    self.teach(diagnostic);
                }
                self.open(FAtom);
                self.named_atom();
                self.close();
            }
            Str => {
                self.open(FAtom);
                self.event_name();
                self.close();
            }
            TrueKw | FalseKw if !continues_expression(self.nth(1)) => {
                self.open(FAtom);
                self.bump();
                self.close();
            }
            Int | TrueKw | FalseKw | LParen | Plus | Minus | CallKw | NewKw => {
                self.open(FAtom);
                self.within(Place::default(), Self::comparison);
                self.close();
            }
            TauKw => {
                let diagnostic = Diagnostic::error(
                    "tau-in-formula",
                    self.span_at(self.pos),
                    "`tau` is not an event a formula can name",
                )
                .help("give the step an event of its own, and name that");
                self.teach(diagnostic);
                self.skip_until(self.pos + 1);
            }
            kind if kind.is_keyword() && !self.layout.begins_item(self.pos) => {
                self.open(FAtom);
                self.open(EventName);
                self.keyword_as_name("an event or proposition");
                self.close();
                self.close();
            }
            _ => self.expected("a formula"),
        }
    }

    /// `enabled(get.0)`, `engaged(process 1)`
    fn step_atom(&mut self) {
        self.open(FStep);
        self.bump();
        let opened = self.pos;
        self.bump();
        if self.word() == "process" && !matches!(self.nth(1), Dot | RParen) {
            self.bump();
            self.within(Place::default(), Self::additive);
        } else if self.at(Str) || self.at(Ident) {
            self.open(FAtom);
            if self.at(Str) {
                self.event_name();
            } else {
                self.named_atom();
            }
            self.close();
        } else {
            self.expected("an event, or `process` and its number");
        }
        self.end_bracket(opened, RParen, "`)`");
        self.close();
    }

    /// `buchi(p)`, `rabin(red, green; ...)`, `streett(red, green; ...)`
    fn constraint(&mut self) {
        self.open(FConstraint);
        let of_pairs = self.word() != "buchi";
        self.bump();
        let opened = self.pos;
        self.bump();
        loop {
            self.connectives();
            if of_pairs {
                self.expect(Comma, "`,` and the second of a pair: red, green");
                self.connectives();
            }
            if !(of_pairs && self.at(Semi)) {
                break;
            }
            self.bump();
        }
        let what = if of_pairs {
            "an operator, `;` or `)`"
        } else {
            "an operator or `)`"
        };
        self.end_bracket(opened, RParen, what);
        self.close();
    }

    /// An atom that begins with a name: an event, a communication, or a comparison.
    fn named_atom(&mut self) {
        let next = self.nth(1);
        let after_index = if next == LBracket {
            self.after_partner(self.pos + 1)
        } else {
            None
        };
        let is_method =
            next == Dot && self.nth(2) == Ident && self.nth(3) == LParen && self.is_joined(self.pos + 2);
        if matches!(next, Bang | Question) || matches!(after_index, Some(Bang | Question)) {
            self.communication_parts(false, Self::additive);
        } else if self.at_fat_arrow(self.pos + 1) {
            self.event_name();
        } else if next == LBracket || next == Dollar || is_method || continues_expression(next) {
            self.within(Place::default(), Self::comparison);
        } else {
            self.event_name();
        }
    }
}

/// Whether a token after a value makes it part of a comparison.
fn continues_expression(kind: SyntaxKind) -> bool {
    is_assignment(kind)
        || matches!(
            kind,
            Eq2 | Neq | Lt | Gt | Le | Ge | Plus | Minus | Star | Slash | Percent | Plus2 | Minus2
        )
}
