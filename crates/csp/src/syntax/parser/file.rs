//! Items: declarations, definitions, assertions.

use fairhold_source::Diagnostic;

use super::{Parser, Place};
use crate::syntax::SyntaxKind::{self, *};

impl Parser<'_> {
    pub(in crate::syntax) fn source_file(&mut self) {
        while self.pos < self.layout.len() && !self.gave_up {
            let before = self.pos;
            self.end = self.layout.piece_end(before);
            self.silent_until = 0;
            self.confusions = 0;
            self.messages = 0;
            self.item_indent = self.layout.indent(self.pos);
            self.item();
            if self.pos == before {
                self.skip_until(before + 1);
            }
        }
    }

    pub(in crate::syntax) fn assertion_alone(&mut self) {
        self.assertion_body();
        self.end_alone();
    }

    pub(in crate::syntax) fn call_alone(&mut self) {
        self.call_parts("a process");
        self.end_alone();
    }

    pub(in crate::syntax) fn formula_alone(&mut self) {
        self.connectives();
        self.end_alone();
    }

    fn end_alone(&mut self) {
        self.eat(Semi);
        if !self.at(Eof) {
            self.expected("nothing more");
        }
    }

    fn item(&mut self) {
        match self.kind() {
            Hash => match self.nth(1) {
                ImportKw => self.import(),
                IncludeKw => self.include(),
                DefineKw => self.define(),
                AlphabetKw => self.alphabet(),
                AssertKw => self.assertion(),
                _ => self.unknown_directive(),
            },
            ImportKw => self.import(),
            IncludeKw => self.include(),
            DefineKw if self.nth(1) != Eq => self.define(),
            AlphabetKw if self.nth(1) != Eq => self.alphabet(),
            AssertKw if self.nth(1) == Ident => self.assertion(),
            VarKw | HvarKw => self.var_decl(),
            ChannelKw => self.channel_decl(),
            EnumKw => self.enum_decl(),
            Ident => self.definition(),
            kind if kind.is_keyword() && self.layout.begins_item(self.pos) => self.definition(),
            Semi => {
                let diagnostic =
                    Diagnostic::error("extra-semicolon", self.span_at(self.pos), "this `;` ends nothing")
                        .help("delete it");
                self.confused(diagnostic);
                let mut end = self.pos;
                while self.kind_at(end) == Semi {
                    end += 1;
                }
                self.skip_until(end);
            }
            RParen | RBrace | RBracket => {
                let text = self.text_at(self.pos);
                let message = format!("this `{text}` closes nothing");
                let diagnostic = Diagnostic::error("unopened-bracket", self.span_at(self.pos), message)
                    .help("delete it, or add the bracket that opens it");
                self.confused(diagnostic);
                self.skip_item();
            }
            _ => {
                self.expected("a declaration, a process definition `P = ...;` or an assertion");
                self.skip_item();
            }
        }
    }

    fn unknown_directive(&mut self) {
        let at = self.span_at(self.pos + 1);
        let message = match self.nth(1) {
            kind if kind == Ident || kind.is_keyword() => {
                format!("there is no `#{}`", self.text_at(self.pos + 1))
            }
            _ => "`#` begins nothing here".to_string(),
        };
        let diagnostic = Diagnostic::error("unknown-directive", at, message)
            .help("after `#` comes `define`, `assert`, `alphabet` or `include`");
        self.confused(diagnostic);
        self.skip_item();
    }

    /// `#` and the word after it.
    fn directive(&mut self) {
        if !self.eat(Hash) {
            let word = self.text_at(self.pos);
            let message = format!("`{word}` needs a `#` before it");
            let diagnostic = Diagnostic::error("missing-hash", self.span_at(self.pos), message)
                .help(format!("write `#{word}`"));
            self.teach(diagnostic);
        }
        self.bump();
    }

    fn import(&mut self) {
        self.open(Import);
        self.directive();
        self.expect(Str, "the library's name in quotes");
        self.end_item("`;`");
        self.close();
    }

    fn include(&mut self) {
        self.open(Include);
        self.directive();
        self.expect(Str, "the file's name in quotes");
        self.end_item("`;`");
        self.close();
    }

    fn channel_decl(&mut self) {
        self.open(ChannelDecl);
        self.bump();
        self.name("the name of a channel");
        if self.at(LBracket) {
            self.bracketed(ArraySize, "a size");
        }
        if self.at(Semi) {
            let diagnostic = Diagnostic::error("missing-capacity", self.after_previous(), "the channel has no size")
                .help("write `channel c 0;` for a synchronous channel, `channel c 3;` for a buffer of three messages");
            self.confused(diagnostic);
        } else {
            self.additive();
        }
        self.end_item("`;`");
        self.close();
    }

    fn enum_decl(&mut self) {
        self.open(EnumDecl);
        self.bump();
        let opened = self.pos;
        if self.expect(LBrace, "`{` and the names of the constants") {
            self.comma_list(RBrace, |p| {
                p.name("the name of a constant");
            });
            self.end_bracket(opened, RBrace, "`,` or `}`");
        }
        self.end_item("`;`");
        self.close();
    }

    fn define(&mut self) {
        self.open(Define);
        self.directive();
        self.name("the name of a constant or macro");
        if self.at_macro_parameters() {
            self.param_list();
        }
        match self.kind() {
            LBrace => self.block(),
            IfKw | WhileKw => {
                self.stmt();
                // The last statement may have brought the `;`.
                if self.previous() == Semi && !self.at(Semi) {
                    return self.close();
                }
            }
            Semi => {
                let diagnostic =
                    Diagnostic::error("missing-value", self.after_previous(), "nothing is defined here")
                        .help("write a value, a condition or a program after the name: `#define N 3;`");
                self.confused(diagnostic);
            }
            _ => {
                self.eat_define_equals();
                self.expression();
            }
        }
        self.end_item("an operator or `;`");
        self.close();
    }

    fn eat_define_equals(&mut self) {
        if self.at(Eq) {
            let diagnostic =
                Diagnostic::error("define-equals", self.span_at(self.pos), "`#define` takes no `=`")
                    .help("write `#define N 3;`");
            self.teach(diagnostic);
            self.bump();
        }
    }

    /// Tells the parameters of `#define m(x) x + 1;` from a value that begins with a bracket, `#define p (x) + 1;`:
    /// names only, and something after them that begins a value. A sign could be either, so there the blank decides.
    fn at_macro_parameters(&self) -> bool {
        let Some(after) = (self.at(LParen)).then(|| self.after_partner(self.pos)).flatten() else {
            return false;
        };
        let close = self
            .layout
            .partner(self.pos)
            .expect("a bracket with something after its partner has one");
        // Only names and commas, in turn; a macro has few parameters, so the look is short.
        let names = close - self.pos <= 64
            && (self.pos + 1..close)
                .all(|pos| self.kind_at(pos) == if (pos - self.pos) % 2 == 1 { Ident } else { Comma })
            && (close - self.pos).is_multiple_of(2);
        names
            && match after {
                Ident | Int | LParen | LBrace | IfKw | WhileKw | TrueKw | FalseKw | CallKw | NewKw | Bang
                | Str => true,
                Bar2 | Amp2 | XorKw => self.kind_at(close + 2) == Ident && self.kind_at(close + 3) == Colon,
                Plus | Minus => self.pos > 0 && self.is_joined(self.pos - 1),
                _ => false,
            }
    }

    fn var_decl(&mut self) {
        self.open(VarDecl);
        self.bump();
        if matches!(self.kind(), Lt | FailuresRef | FdRef) {
            self.type_arg();
        }
        self.declarators();
        self.end_item("`;`");
        self.close();
    }

    fn type_arg(&mut self) {
        self.open(TypeArg);
        if self.eat(Lt) {
            self.name("a class");
            self.expect(Gt, "`>`");
        } else {
            // `<F>` is one token, and no class.
            self.expected("the name of a class");
            self.bump();
        }
        self.close();
    }

    /// `int` and the like: reported and passed over.
    fn no_types(&mut self) {
        let diagnostic = Diagnostic::error("no-types", self.span_at(self.pos), "a variable is declared without a type")
            .help("write `var x = 0;` for an integer, `var x = false;` for a truth value, `var x:{0..9} = 0;` for a range");
        self.teach(diagnostic);
        self.skip_until(self.pos + 1);
    }

    /// What `var` declares, in a file or in a block.
    pub(super) fn declarators(&mut self) {
        let mut count = 0;
        loop {
            self.declarator();
            count += 1;
            self.count(count);
            if !self.eat(Comma) {
                return;
            }
        }
    }

    fn declarator(&mut self) {
        self.open(Declarator);
        if is_type(self.word()) && self.nth(1) == Ident {
            self.no_types();
        }
        self.name("the name of a variable");
        while self.at(LBracket) {
            self.bracketed(ArraySize, "a size");
        }
        if self.at(Colon) {
            self.range();
        }
        if self.eat(Eq) {
            match self.kind() {
                LBracket | SyntaxKind::Box => self.record(),
                Star => self.bump(),
                LBrace => self.braces_for_array(),
                _ if self.at_item_instead_of_value() => {}
                _ => self.expression(),
            }
        }
        self.close();
    }

    fn braces_for_array(&mut self) {
        let diagnostic = Diagnostic::error(
            "array-in-braces",
            self.span_at(self.pos),
            "an array is written in `[` and `]`",
        )
        .help("write `[1, 2, 3]`");
        self.confused(diagnostic);
        if let Some(close) = self.layout.partner(self.pos) {
            self.skip_until(close + 1);
            self.silent_until = self.pos;
        }
    }

    pub(super) fn range(&mut self) {
        self.open(Range);
        self.bump();
        if is_type(self.word()) {
            self.no_types();
            if self.at(LBracket) {
                self.bracketed(ArraySize, "a size");
            }
            return self.close();
        }
        let opened = self.pos;
        if self.expect(LBrace, "a range such as `{0..9}`") {
            self.within(Place::default(), |p| {
                if !matches!(p.kind(), Dot2 | RBrace) {
                    p.open(RangeLower);
                    p.additive();
                    p.close();
                }
                p.expect(Dot2, "`..`");
                if !p.at(RBrace) {
                    p.open(RangeUpper);
                    p.additive();
                    p.close();
                }
            });
            self.end_bracket(opened, RBrace, "`}`");
        }
        self.close();
    }

    fn alphabet(&mut self) {
        self.open(Alphabet);
        self.directive();
        self.name("the name of a process");
        if self.at(LBrace) {
            self.event_set();
        } else {
            self.expected("the events in `{` and `}`");
        }
        self.end_item("`;`");
        self.close();
    }

    fn definition(&mut self) {
        self.open(Definition);
        if is_type(self.word()) && self.nth(1) == Ident {
            self.no_types();
            self.skip_item();
            return self.close();
        }
        self.name("the name of a process");
        if self.at(LParen) {
            self.param_list();
        }
        if self.at(Eq2) {
            let diagnostic = Diagnostic::error(
                "double-equals",
                self.span_at(self.pos),
                "a process is defined with `=`",
            )
            .help("write `P = ...;`");
            self.teach(diagnostic);
            self.bump();
        } else if !self.expect(Eq, "`=` and a process") {
            self.skip_item();
            return self.close();
        }
        self.process();
        self.end_item("an operator or `;`");
        self.close();
    }

    fn param_list(&mut self) {
        self.open(ParamList);
        let opened = self.pos;
        self.bump();
        if !self.at(RParen) {
            self.comma_list(RParen, |p| {
                p.open(Param);
                p.name("the name of a parameter");
                if p.at(Colon) {
                    p.range();
                }
                p.close();
            });
        }
        self.end_bracket(opened, RParen, "`,` or `)`");
        self.close();
    }

    fn assertion(&mut self) {
        self.open(Assertion);
        self.directive();
        self.assertion_body();
        self.end_item("`;`");
        self.close();
    }

    fn assertion_body(&mut self) {
        self.assert_call();
        match self.kind() {
            Models => {
                self.bump();
                self.formula();
            }
            DeadlockfreeKw | NonterminatingKw | DivergencefreeKw | DeterministicKw => self.bump(),
            ReachesKw => {
                self.open(Reaches);
                self.bump();
                self.condition("a condition");
                if self.at(WithKw) {
                    self.objective();
                }
                self.close();
            }
            // Words, not keywords: models may use them as names.
            Ident if self.word() == "never" => self.invariant(Never),
            Ident if self.word() == "always" => self.invariant(Always),
            RefinesKw => {
                self.open(Refines);
                self.bump();
                if matches!(self.kind(), FailuresRef | FdRef) {
                    self.bump();
                }
                self.assert_call();
                self.close();
            }
            _ => {
                let diagnostic = self
                    .unexpected(
                        "`|=` and a formula, `deadlockfree`, `nonterminating`, `divergencefree`, `deterministic`, \
                         `reaches`, `never`, `always` or `refines`",
                    )
                    .help(property_meant(self.word()));
                self.confused(diagnostic);
            }
        }
    }

    /// `never c` or `always c`.
    fn invariant(&mut self, node: SyntaxKind) {
        self.open(node);
        self.bump();
        self.condition("a condition");
        self.close();
    }

    /// The process an assertion is about.
    fn assert_call(&mut self) {
        self.open(Call);
        self.call_parts("the name of a process");
        self.close();
    }

    fn call_parts(&mut self, what: &str) {
        let is_property = matches!(
            self.kind(),
            DeadlockfreeKw | NonterminatingKw | DivergencefreeKw | DeterministicKw | ReachesKw | RefinesKw
        );
        if is_property {
            self.expected(what);
        } else if self.name(what) && self.at(LParen) {
            self.arg_list();
        }
    }

    fn objective(&mut self) {
        self.open(Objective);
        self.bump();
        if !self.eat(MinKw) {
            self.expect(MaxKw, "`min` or `max`");
        }
        let opened = self.pos;
        if self.expect(LParen, "`(` and an expression") {
            self.within(Place::default(), Self::expression);
            self.end_bracket(opened, RParen, "an operator or `)`");
        }
        self.close();
    }
}

/// The names of types in languages that have them.
fn is_type(word: &str) -> bool {
    matches!(
        word,
        "int" | "integer" | "bool" | "boolean" | "bit" | "byte" | "short"
    )
}

/// The property that a word probably means, judged by how it begins.
fn property_meant(word: &str) -> String {
    const BEGINNINGS: [(&str, &str); 9] = [
        ("dead", "deadlockfree"),
        ("non", "nonterminating"),
        ("div", "divergencefree"),
        ("det", "deterministic"),
        ("reach", "reaches"),
        ("refine", "refines"),
        ("never", "never"),
        ("alway", "always"),
        ("invariant", "always"),
    ];
    let word = word.to_ascii_lowercase();
    let meant = BEGINNINGS
        .iter()
        .find(|(beginning, _)| word.starts_with(beginning));
    meant.map_or_else(String::new, |(_, property)| format!("did you mean `{property}`?"))
}
