//! Expressions, arguments and array literals.

use fairhold_source::Diagnostic;

use super::{Levels, Parser, Place};
use crate::syntax::SyntaxKind::{self, *};

/// Levels of precedence of binary operators, loosest first.
const OR: usize = 0;
const AND: usize = 1;
const XOR: usize = 2;
const BITS: usize = 3;
const EQUAL: usize = 4;
const RELATION: usize = 5;
const SUM: usize = 6;
const PRODUCT: usize = 7;

impl Parser<'_> {
    /// An expression that may assign.
    pub(super) fn expression(&mut self) {
        let start = self.checkpoint();
        self.binary(OR);
        if self.at(Colon) && self.nth(1) == Eq && self.is_joined(self.pos) {
            let at = self.span_at(self.pos).to(self.span_at(self.pos + 1));
            self.teach(Diagnostic::error("colon-equals", at, "`:=` is not an operator").help("write `=`"));
            self.skip_until(self.pos + 1);
        }
        if is_assignment(self.kind()) {
            self.assign_rest(start);
        }
        self.no_conditional();
    }

    /// A condition or value in a place where PAT allows no assignment.
    pub(super) fn condition(&mut self, what: &str) {
        self.value(|at| {
            Diagnostic::error("assignment-in-condition", at, format!("{what} cannot assign"))
                .help("write `==` to compare")
        });
    }

    /// A condition where an assignment is allowed, and hardly ever meant.
    pub(super) fn assigning_condition(&mut self) {
        self.value(|at| {
            Diagnostic::warning("assignment-in-condition", at, "this condition assigns")
                .help("write `==` to compare; move the assignment out of the condition if it is meant")
        });
    }

    fn value(&mut self, assigns: impl FnOnce(fairhold_source::Span) -> Diagnostic) {
        let start = self.checkpoint();
        self.binary(OR);
        if is_assignment(self.kind()) {
            self.teach(assigns(self.span_at(self.pos)));
            self.assign_rest(start);
        }
        self.no_conditional();
    }

    /// A sum: what may stand in a size, a range or an index.
    pub(super) fn additive(&mut self) {
        self.binary(SUM);
    }

    /// An operand of a logical connective.
    pub(super) fn comparison(&mut self) {
        let start = self.checkpoint();
        self.binary(EQUAL);
        if is_assignment(self.kind()) {
            let diagnostic = Diagnostic::error(
                "assignment-in-condition",
                self.span_at(self.pos),
                "a formula cannot assign",
            )
            .help("write `==` to compare");
            self.teach(diagnostic);
            self.bump();
            self.binary(EQUAL);
            self.wrap(start, Assign);
        }
    }

    fn assign_rest(&mut self, start: rowan::Checkpoint) {
        self.bump();
        if self.at(LBracket) {
            self.record();
        } else if !self.at_item_instead_of_value() && self.descend() {
            self.expression();
            self.ascend();
        }
        self.wrap(start, Assign);
    }

    /// `c ? a : b` is not in the language: reported and passed over.
    fn no_conditional(&mut self) {
        if !self.at(Question) || self.place.dots || self.resumes_at(self.pos + 1) || !self.descend() {
            return;
        }
        let diagnostic = Diagnostic::error(
            "no-conditional-expression",
            self.span_at(self.pos),
            "CSP# has no conditional expression `c ? a : b`",
        )
        .help("use `if (c) { x = a; } else { x = b; }` in a program block, or two guarded processes");
        self.teach(diagnostic);
        self.open(Error);
        self.bump();
        self.expression();
        if self.eat(Colon) {
            self.expression();
        }
        self.close();
        self.ascend();
    }

    /// Reports that the text goes on with the next item where a value is due.
    pub(super) fn at_item_instead_of_value(&mut self) -> bool {
        let item = !self.place.block && self.block_end.is_none() && self.resumes_at(self.pos);
        if item {
            self.expected("a value");
        }
        item
    }

    /// Operators of level `loosest` and tighter.
    fn binary(&mut self, loosest: usize) {
        if !self.descend() {
            return;
        }
        let start = self.checkpoint();
        let mut levels = Levels::new(start, [Binary; 8]);
        if loosest == OR && self.at_quantifier() {
            self.quantified(true);
        } else {
            self.unary();
        }
        while let Some(level) = self.binary_operator().filter(|&level| level >= loosest) {
            levels.operator(self, level);
            self.bump_operator();
            levels.operand(self, level);
            if self.at_item_instead_of_value() {
                break;
            } else if loosest == OR && self.at_quantifier() {
                self.quantified(false);
            } else {
                self.unary();
            }
        }
        levels.complete(self, 0);
        self.ascend();
    }

    fn binary_operator(&self) -> Option<usize> {
        Some(match self.kind() {
            Bar2 => OR,
            Amp2 => AND,
            XorKw => XOR,
            Amp | Bar | Caret => BITS,
            Eq2 | Neq => EQUAL,
            Lt | Gt | Le | Ge => RELATION,
            Plus | Minus => SUM,
            Star | Slash | Percent => PRODUCT,
            Ident => match self.word() {
                "mod" => PRODUCT,
                "and" => AND,
                "or" => OR,
                _ => return None,
            },
            _ => return None,
        })
    }

    /// Consumes an operator, with a word about those that are not in the language.
    fn bump_operator(&mut self) {
        let at = self.span_at(self.pos);
        let shift = matches!(self.kind(), Lt | Gt) && self.nth(1) == self.kind() && self.is_joined(self.pos);
        if shift {
            let diagnostic = Diagnostic::error(
                "no-shift",
                at.to(self.span_at(self.pos + 1)),
                "CSP# has no shift operators",
            )
            .help("multiply or divide by a power of two");
            self.teach(diagnostic);
            self.bump();
        } else if self.at(Ident) {
            let (code, operator) = match self.word() {
                "mod" => ("no-mod", "%"),
                "and" => ("word-operator", "&&"),
                _ => ("word-operator", "||"),
            };
            let message = format!("`{}` is not an operator", self.word());
            self.teach(Diagnostic::error(code, at, message).help(format!("write `{operator}`")));
        }
        self.bump();
    }

    fn unary(&mut self) {
        let mut signs = 0;
        while matches!(self.kind(), Plus | Minus | Bang | Plus2 | Minus2) {
            if matches!(self.kind(), Plus2 | Minus2) {
                let message = format!("`{}` comes after the variable", self.text_at(self.pos));
                let diagnostic = Diagnostic::error("prefix-increment", self.span_at(self.pos), message)
                    .help("write `x++` or `x--`");
                self.teach(diagnostic);
            }
            if !self.descend() {
                break;
            }
            self.open(Unary);
            self.bump();
            signs += 1;
        }
        let start = self.checkpoint();
        self.primary();
        if matches!(self.kind(), Plus2 | Minus2) {
            self.bump();
            self.wrap(start, Postfix);
        }
        for _ in 0..signs {
            self.close();
            self.ascend();
        }
    }

    fn primary(&mut self) {
        match self.kind() {
            Int => self.number(),
            TrueKw | FalseKw => self.single(Literal),
            Ident => self.reference(),
            LParen => self.paren_expr(),
            CallKw => self.call_expr(),
            NewKw => self.new_object(),
            Str => {
                let diagnostic = Diagnostic::error(
                    "string-as-value",
                    self.span_at(self.pos),
                    "a string is not a value: values are integers, truth values and arrays of them",
                )
                .help("use an `enum` for names: `enum {red, green};`");
                self.teach(diagnostic);
                self.single(Error);
            }
            LBracket => {
                let diagnostic = Diagnostic::error(
                    "array-as-value",
                    self.span_at(self.pos),
                    "an array literal can only be assigned, initialise a variable or be an argument",
                )
                .help("assign the elements one by one: `x[0] = 1; x[1] = 2;`");
                self.teach(diagnostic);
                self.record();
            }
            kind if kind.is_keyword() && follows_operand(self.nth(1)) => {
                self.open(NameRef);
                self.keyword_as_name("a variable or constant");
                self.close();
            }
            _ => self.expected("a value"),
        }
    }

    fn single(&mut self, kind: SyntaxKind) {
        self.open(kind);
        self.bump();
        self.close();
    }

    fn number(&mut self) {
        let is_float = !self.place.dots
            && self.nth(1) == Dot
            && self.nth(2) == Int
            && self.is_joined(self.pos)
            && self.is_joined(self.pos + 1);
        self.open(Literal);
        if is_float {
            let at = self.span_at(self.pos).to(self.span_at(self.pos + 2));
            let diagnostic = Diagnostic::error(
                "no-float",
                at,
                "CSP# has no fractions: numbers are 32-bit integers",
            )
            .help("count in smaller units, such as tenths");
            self.teach(diagnostic);
            self.bump();
            self.bump();
        }
        self.bump();
        self.close();
    }

    /// A name, an element of an array, or something of C#'s that begins with either.
    fn reference(&mut self) {
        let start = self.checkpoint();
        let name = self.pos;
        if self.nth(1) == LBracket && self.nth(2) != RBracket {
            self.open(ElementRef);
            self.bump();
            while self.at(LBracket) {
                self.index();
            }
            self.close();
        } else {
            self.single(NameRef);
        }
        let is_method = self.at(Dot)
            && self.nth(1) == Ident
            && (!self.place.dots || self.nth(2) == LParen && self.is_joined(self.pos + 1));
        if is_method && self.nth(2) == LParen {
            self.bump();
            self.name("a method");
            self.arg_list();
            self.wrap(start, MethodCall);
        } else if is_method || self.at(Dollar) {
            let diagnostic = Diagnostic::error("csharp", self.span_at(self.pos), "fields of C# objects are not available")
                .help("a method is called with parentheses: `l.Count()`; for the rest write the data as variables and arrays");
            self.teach(diagnostic);
            self.bump();
            self.name("a method or field");
            self.wrap(start, ForeignExpr);
        } else if self.at(LParen) && self.previous() == Ident && !self.place.repeat && self.is_joined(name) {
            let message = "a macro or built-in function is called with `call`";
            let diagnostic = Diagnostic::error("call-syntax", self.span_at(name), message)
                .help(format!("write `call({}, ...)`", self.text_at(name)));
            self.teach(diagnostic);
            self.arg_list();
            self.wrap(start, ForeignExpr);
        }
    }

    fn index(&mut self) {
        let opened = self.pos;
        self.bump();
        self.within(Place::default(), |p| p.condition("an index"));
        self.end_bracket(opened, RBracket, "an operator or `]`");
    }

    fn new_object(&mut self) {
        self.open(NewExpr);
        self.bump();
        self.name("a class");
        if self.at(LParen) {
            self.arg_list();
        } else {
            self.expected("`(`");
        }
        self.close();
    }

    fn paren_expr(&mut self) {
        self.open(ParenExpr);
        let opened = self.pos;
        self.bump();
        self.within(Place::default(), |p| p.condition("an expression in parentheses"));
        self.end_bracket(opened, RParen, "an operator or `)`");
        self.close();
    }

    fn call_expr(&mut self) {
        self.open(CallExpr);
        self.bump();
        let opened = self.pos;
        if self.expect(LParen, "`(` and the name of a macro or built-in function") {
            self.name("the name of a macro or built-in function");
            if self.eat(Comma) {
                self.comma_list(RParen, Self::arg);
            }
            self.end_bracket(opened, RParen, "`,` or `)`");
        }
        self.close();
    }

    /// `(x, 1, [0, 1])`, possibly empty.
    pub(super) fn arg_list(&mut self) {
        self.open(ArgList);
        let opened = self.pos;
        self.bump();
        if !self.at(RParen) {
            self.comma_list(RParen, Self::arg);
        }
        self.end_bracket(opened, RParen, "`,` or `)`");
        self.close();
    }

    fn arg(&mut self) {
        if matches!(self.kind(), LBracket | SyntaxKind::Box) {
            self.record();
        } else {
            self.within(Place::default(), |p| p.condition("an argument"));
        }
    }

    /// `[` *expr* `]` as a node of its own.
    pub(super) fn bracketed(&mut self, kind: SyntaxKind, what: &str) {
        self.open(kind);
        let opened = self.pos;
        self.bump();
        if self.at(RBracket) {
            self.expected(what);
        } else {
            self.within(Place::default(), |p| p.condition(what));
        }
        self.end_bracket(opened, RBracket, "an operator or `]`");
        self.close();
    }

    /// An array literal.
    pub(super) fn record(&mut self) {
        if !self.descend() {
            return;
        }
        self.open(Record);
        let opened = self.pos;
        if self.at(SyntaxKind::Box) || self.at_blank_box() {
            let diagnostic = Diagnostic::error(
                "empty-array",
                self.span_at(self.pos),
                "an array has at least one element",
            )
            .help("name an element, or give a size instead: `var x[3];`");
            self.teach(diagnostic);
            if self.at(LBracket) {
                self.bump();
            }
            self.bump();
        } else {
            self.bump();
            self.comma_list(RBracket, Self::record_element);
            self.end_bracket(opened, RBracket, "`,` or `]`");
        }
        self.close();
        self.ascend();
    }

    fn record_element(&mut self) {
        self.open(RecordElement);
        if matches!(self.kind(), LBracket | SyntaxKind::Box) {
            self.record();
        } else {
            let repeating = Place {
                repeat: true,
                ..Place::default()
            };
            self.within(repeating, |p| p.condition("an element"));
            if self.at(LParen) {
                self.open(Repeat);
                let opened = self.pos;
                self.bump();
                self.within(Place::default(), |p| p.condition("a repeat count"));
                self.end_bracket(opened, RParen, "`)`");
                self.close();
            } else if self.eat(Dot2) {
                self.within(repeating, |p| p.condition("an element"));
            }
        }
        self.close();
    }

    fn at_quantifier(&self) -> bool {
        matches!(self.kind(), Bar2 | Amp2 | XorKw) && self.nth(1) == Ident && self.nth(2) == Colon
    }

    /// `&& i:{0..2} @ x[i] == 0`. It reaches as far right as it can, so it may only begin an expression.
    fn quantified(&mut self, begins: bool) {
        if !begins {
            let diagnostic = Diagnostic::error(
                "parentheses-required",
                self.span_at(self.pos),
                "an indexed operator needs parentheses here",
            )
            .help("write `(&& i:{0..2} @ x[i] == 0)`");
            self.teach(diagnostic);
        }
        self.open(Quantified);
        self.bump();
        self.bindings();
        self.expect(At, "`@` and an expression");
        self.expression();
        self.close();
    }
}

pub(super) fn is_assignment(kind: SyntaxKind) -> bool {
    matches!(kind, Eq | PlusEq | MinusEq | StarEq | SlashEq | PercentEq)
}

/// Whether a token can follow a value: then a keyword before it was meant as a name.
fn follows_operand(kind: SyntaxKind) -> bool {
    is_assignment(kind)
        || matches!(
            kind,
            Semi | RParen
                | RBracket
                | RBrace
                | Comma
                | Plus2
                | Minus2
                | Eq2
                | Neq
                | Lt
                | Gt
                | Le
                | Ge
                | Plus
                | Minus
        )
        || matches!(
            kind,
            Star | Slash | Percent | Amp2 | Bar2 | Amp | Bar | Caret | Dot2 | LBracket
        )
}
