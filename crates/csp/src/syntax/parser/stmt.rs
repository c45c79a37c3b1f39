//! Program blocks and their statements.

use fairhold_source::Diagnostic;

use super::{Parser, Place};
use crate::syntax::SyntaxKind::*;

impl Parser<'_> {
    /// `{ ... }`. The current token is the `{`.
    pub(super) fn block(&mut self) {
        if !self.descend() {
            return;
        }
        self.open(Block);
        let opened = self.pos;
        let partner = self.layout.partner(opened).filter(|&close| close < self.end);
        let outer = std::mem::replace(&mut self.block_end, partner);
        self.bump();
        if self.at(RBrace) {
            let at = self.span_at(opened).to(self.span_at(self.pos));
            let diagnostic =
                Diagnostic::error("empty-block", at, "a program block has at least one statement")
                    .help("delete the braces");
            self.teach(diagnostic);
        }
        let in_block = Place {
            block: true,
            ..Place::default()
        };
        self.within(in_block, Self::statements);
        self.end_bracket(opened, RBrace, "a statement or `}`");
        self.block_end = outer;
        self.close();
        self.ascend();
    }

    fn statements(&mut self) {
        loop {
            let lost = self.block_end.is_none() && self.resumes_at(self.pos);
            if lost || self.at(RBrace) || self.layout.begins_item_surely(self.pos) || self.at(Eof) {
                return;
            }
            if matches!(self.previous(), Semi | RBrace) {
                self.silent_until = self.silent_until.min(self.pos);
            }
            let before = self.pos;
            self.stmt();
            let stuck = self.pos == before || self.block_end.is_none() && !self.between_statements();
            if stuck {
                return;
            }
        }
    }

    pub(super) fn stmt(&mut self) {
        if !self.descend() {
            return;
        }
        match self.kind() {
            LBrace => self.block(),
            VarKw => self.local_var(),
            IfKw => self.if_stmt(),
            IfaKw | IfbKw => {
                let diagnostic = Diagnostic::error(
                    "process-in-block",
                    self.span_at(self.pos),
                    "inside a program block only `if` is known",
                )
                .help("write `if`");
                self.teach(diagnostic);
                self.if_stmt();
            }
            WhileKw => self.while_stmt(),
            Ident if self.word() == "for" && self.nth(1) == LParen => self.no_for(),
            Semi => {
                self.open(EmptyStmt);
                self.bump();
                self.close();
            }
            _ => self.expr_stmt(),
        }
        self.ascend();
    }

    fn local_var(&mut self) {
        self.open(LocalVar);
        self.bump();
        self.declarators();
        self.end_stmt();
        self.close();
    }

    fn expr_stmt(&mut self) {
        self.open(ExprStmt);
        self.expression();
        self.end_stmt();
        self.close();
    }

    /// The `;` after a statement; the last one in a block may do without.
    fn end_stmt(&mut self) {
        if self.eat(Semi) || self.at(RBrace) {
            return;
        }
        if self.at_statement() {
            self.missing_semicolon();
        } else if !self.place.block || self.block_end.is_some() {
            self.expected("an operator, `;` or `}`");
            self.skip_stmt();
        }
    }

    fn at_statement(&self) -> bool {
        matches!(
            self.kind(),
            Ident | IfKw | WhileKw | VarKw | LBrace | CallKw | ElseKw
        )
    }

    fn between_statements(&self) -> bool {
        matches!(self.previous(), Semi | RBrace) || self.at_statement()
    }

    /// Skips to the end of the statement, if the block is known to end.
    fn skip_stmt(&mut self) {
        let Some(end) = self.block_end.filter(|&end| end > self.pos) else {
            return;
        };
        let mut pos = self.pos;
        while pos < end && self.kind_at(pos) != Semi {
            pos = self.layout.partner(pos).map_or(pos, |partner| partner.max(pos)) + 1;
        }
        self.skip_until(pos.min(end));
        self.silent_until = self.pos;
        self.eat(Semi);
    }

    fn if_stmt(&mut self) {
        self.open(IfStmt);
        self.bump();
        self.head_condition(Self::assigning_condition);
        self.stmt();
        if self.eat(ElseKw) {
            self.stmt();
        }
        self.close();
    }

    fn while_stmt(&mut self) {
        self.open(WhileStmt);
        self.bump();
        self.head_condition(Self::assigning_condition);
        self.stmt();
        self.close();
    }

    /// `(` *expr* `)` after `if` and `while`.
    pub(super) fn head_condition(&mut self, condition: impl FnOnce(&mut Self)) {
        let opened = self.pos;
        if self.expect(LParen, "`(` and a condition") {
            self.within(Place::default(), condition);
            self.end_bracket(opened, RParen, "an operator or `)`");
        } else {
            self.within(Place::default(), condition);
            self.eat(RParen);
        }
    }

    fn no_for(&mut self) {
        let diagnostic = Diagnostic::error("no-for", self.span_at(self.pos), "CSP# has no `for` loop")
            .help("write `var i = 0; while (i < n) { ...; i++; }`");
        self.teach(diagnostic);
        self.open(Error);
        self.bump();
        match self.layout.partner(self.pos) {
            Some(close) => self.skip_until(close + 1),
            None => self.bump(),
        }
        self.stmt();
        self.close();
    }
}
