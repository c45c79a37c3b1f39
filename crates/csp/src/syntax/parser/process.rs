//! Processes.

use fairhold_source::Diagnostic;

use super::expr::is_assignment;
use super::{Levels, Parser, Place};
use crate::syntax::SyntaxKind::{self, *};

/// Levels of precedence of process operators, loosest first. Hiding is a suffix and lies between the last two.
const KINDS: [SyntaxKind; 8] = [
    Interleave,
    Parallel,
    Choice,
    InternalChoice,
    ExternalChoice,
    Interrupt,
    Hiding,
    Sequence,
];
const CHOICE: usize = 2;
const HIDING: usize = 6;
const SEQUENCE: usize = 7;

impl Parser<'_> {
    /// A whole process, in a definition or in brackets.
    pub(super) fn process(&mut self) {
        self.within(Place::default(), Self::operators);
    }

    fn operators(&mut self) {
        if !self.descend() {
            return;
        }
        let start = self.checkpoint();
        let mut levels = Levels::new(start, KINDS);
        let mut hidden = false;
        self.operand(None);
        loop {
            if self.at(Backslash) {
                levels.complete(self, SEQUENCE);
                self.hiding(hidden);
                self.wrap(levels.starts[HIDING], Hiding);
                hidden = true;
                continue;
            }
            if self.at(Semi) && self.semicolon_joins_nothing() {
                self.skip_semicolon();
                continue;
            }
            let Some(level) = self.process_operator() else {
                break;
            };
            if hidden && level == SEQUENCE && self.at(Semi) {
                let diagnostic = Diagnostic::error(
                    "hiding-before-sequence",
                    self.span_at(self.pos),
                    "hiding binds looser than `;`, so nothing can follow it here",
                )
                .help("write `(P \\ {a}); Q`");
                self.teach(diagnostic);
            }
            hidden = false;
            levels.operator(self, level);
            self.bump_process_operator();
            levels.operand(self, level);
            self.operand(Some(level));
        }
        levels.complete(self, 0);
        self.check_follower();
        self.ascend();
    }

    /// The level of the operator that stands here.
    fn process_operator(&mut self) -> Option<usize> {
        Some(match self.kind() {
            Interleave3 => 0,
            Bar2 => 1,
            SyntaxKind::Box | Bar => CHOICE,
            Diamond => 3,
            StarBox => 4,
            InterruptKw => 5,
            Semi if self.sequence_follows() => SEQUENCE,
            LBracket if self.at_blank_box() => CHOICE,
            LBracket if self.nth(1) == LBracket && self.is_joined(self.pos) => {
                self.no_renaming();
                return self.process_operator();
            }
            // An operator was forgotten: the operand is taken in, as the tightest operator would.
            _ if self.operator_is_missing() => SEQUENCE,
            _ => return None,
        })
    }

    /// Whether the `;` here stands where a C programmer puts one: before a closing bracket, before an operator, or
    /// before the next branch of `case`.
    fn semicolon_joins_nothing(&self) -> bool {
        match self.nth(1) {
            RBrace | RParen => self.layout.partner(self.pos + 1).is_some(),
            Interleave3 | Bar2 | SyntaxKind::Box | Diamond | StarBox => !self.is_indexed(self.pos + 1),
            DefaultKw => self.place.case,
            _ => {
                self.place.case && self.surely_condition(self.pos + 1) && self.condition_follows(self.pos + 1)
            }
        }
    }

    /// Whether what begins here cannot be a process: in `P; B x > 0: Q`, `B` is one, and the condition comes after it.
    fn surely_condition(&self, pos: usize) -> bool {
        let after = match self.kind_at(pos) {
            Ident if self.kind_at(pos + 1) == LBracket => self.after_partner(pos + 1),
            Ident => Some(self.kind_at(pos + 1)),
            LParen => self.after_partner(pos),
            Bang | Int | TrueKw | FalseKw => return true,
            _ => None,
        };
        matches!(
            after,
            Some(Colon | Eq2 | Neq | Lt | Gt | Le | Ge | Amp2 | Star | Slash | Percent)
        )
    }

    fn skip_semicolon(&mut self) {
        let help = if self.place.case {
            "delete it: the branches of `case` just follow each other"
        } else {
            "delete it: between processes, `;` says what comes after"
        };
        let message = "no process follows this `;`";
        let diagnostic = Diagnostic::error("extra-semicolon", self.span_at(self.pos), message).help(help);
        self.teach(diagnostic);
        self.skip_until(self.pos + 1);
    }

    /// Whether the `;` here joins two processes, and does not end a definition.
    fn sequence_follows(&self) -> bool {
        !self.layout.begins_item(self.pos + 1) && self.pos + 1 < self.end && self.starts_process(self.pos + 1)
    }

    fn operator_is_missing(&self) -> bool {
        !self.place.case
            && self.starts_process(self.pos)
            && !self.layout.begins_item(self.pos)
            && !self.at(Str)
    }

    fn bump_process_operator(&mut self) {
        match self.kind() {
            Interleave3 | Bar2 | SyntaxKind::Box | Diamond | StarBox | InterruptKw | Semi => self.bump(),
            LBracket if self.at_blank_box() => self.bump_blank_box(),
            Bar => {
                let message = "`|` does not join processes";
                let diagnostic = Diagnostic::error("single-bar", self.span_at(self.pos), message)
                    .help("write `[]` for a choice, `||` or `|||` for processes side by side");
                self.teach(diagnostic);
                self.bump();
            }
            _ => {
                let diagnostic = self
                    .unexpected("an operator or `;`")
                    .help("two processes are joined by `;`, `[]`, `|||` or another operator, an event and a process by `->`");
                self.confused(diagnostic);
            }
        }
    }

    fn bump_blank_box(&mut self) {
        let at = self.span_at(self.pos).to(self.span_at(self.pos + 1));
        let diagnostic = Diagnostic::error("blank-in-choice", at, "`[ ]` with a blank is no operator")
            .help("write `[]`, without a blank");
        self.teach(diagnostic);
        self.bump();
        self.bump();
    }

    fn no_renaming(&mut self) {
        let at = self.span_at(self.pos).to(self.span_at(self.pos + 1));
        let diagnostic = Diagnostic::error("no-renaming", at, "CSP# has no renaming `P[[a <- b]]`")
            .help("give the process a parameter, and use it as an index of the event");
        self.teach(diagnostic);
        let close = self.layout.partner(self.pos).unwrap_or(self.pos + 1);
        self.skip_until(close + 1);
    }

    fn hiding(&mut self, again: bool) {
        if again {
            let diagnostic = Diagnostic::error(
                "two-hidings",
                self.span_at(self.pos),
                "only one `\\` can follow a process",
            )
            .help("put all events into one set: `P \\ {a, b}`");
            self.teach(diagnostic);
        }
        self.bump();
        if self.at(LBrace) {
            self.event_set();
        } else {
            self.expected("the hidden events in `{` and `}`");
        }
    }

    /// Reports a token that cannot follow a process.
    fn check_follower(&mut self) {
        let ends = matches!(self.kind(), Semi | RParen | RBrace | Eof | ElseKw);
        if ends || self.place.case || self.layout.begins_item(self.pos) {
            return;
        }
        if is_assignment(self.kind()) {
            let diagnostic =
                Diagnostic::error("assignment-in-process", self.span_at(self.pos), "a process cannot assign")
                    .help("assign in a program block of an event, `e{x = 1;} -> P`, or without an event, `{x = 1;} -> P`");
            self.confused(diagnostic);
        } else if self.at(Colon) {
            let diagnostic = self
                .unexpected("an operator or the end of the process")
                .help("in `case`, no `;` separates the branches");
            self.confused(diagnostic);
        }
    }

    pub(super) fn starts_process(&self, pos: usize) -> bool {
        match self.kind_at(pos) {
            Ident | Str | TauKw | LBrace | LParen | LBracket | CaseKw | IfKw | IfaKw | IfbKw | AtomicKw => {
                true
            }
            SkipKw | StopKw | AssertKw => true,
            Interleave3 | Bar2 | SyntaxKind::Box | Diamond | StarBox => self.is_indexed(pos),
            ElseKw | DefaultKw | InterruptKw => false,
            kind => kind.is_keyword() && self.kind_at(pos + 1) == Arrow,
        }
    }

    fn is_indexed(&self, pos: usize) -> bool {
        match self.kind_at(pos + 1) {
            LBrace => true,
            Ident => self.kind_at(pos + 2) == Colon,
            _ => false,
        }
    }

    /// An operand of an operator of the given level, or a process that begins without one.
    fn operand(&mut self, after: Option<usize>) {
        let symbol = match self.kind() {
            Interleave3 => Some(0),
            Bar2 => Some(1),
            SyntaxKind::Box => Some(CHOICE),
            LBracket if self.at_blank_box() => Some(CHOICE),
            Diamond => Some(3),
            StarBox => Some(4),
            _ => None,
        };
        match symbol {
            Some(level) if self.is_indexed(self.pos + usize::from(self.at(LBracket))) => {
                if after.is_some_and(|outer| outer >= level) {
                    self.parentheses_required();
                }
                self.indexed();
            }
            None if self.at(LBracket) => self.guard(),
            None if self.starts_process(self.pos) || self.at(WhileKw) => self.prefixed(),
            _ => self.expected("a process"),
        }
    }

    fn parentheses_required(&mut self) {
        let operator = if self.at(LBracket) {
            "[]"
        } else {
            self.text_at(self.pos)
        };
        let diagnostic = Diagnostic::error(
            "parentheses-required",
            self.span_at(self.pos),
            "an indexed operator needs parentheses here",
        )
        .help(format!("write `({operator} i:{{0..2}} @ P(i))`"));
        self.teach(diagnostic);
    }

    fn indexed(&mut self) {
        self.open(Indexed);
        if self.at(LBracket) {
            self.bump_blank_box();
        } else {
            if self.nth(1) == LBrace && !self.at(Interleave3) {
                let diagnostic = Diagnostic::error(
                    "copies-interleave",
                    self.span_at(self.pos),
                    "only `|||` takes a number of copies",
                )
                .help("write `|||{3} @ P`, or name an index: `|| i:{0..2} @ P`");
                self.teach(diagnostic);
            }
            self.bump();
        }
        if self.at(LBrace) {
            self.open(Copies);
            let opened = self.pos;
            self.bump();
            if !self.eat(Dot2) {
                self.within(Place::default(), Self::additive);
            }
            self.end_bracket(opened, RBrace, "`}`");
            self.close();
        } else {
            self.bindings();
        }
        self.expect(At, "`@` and a process");
        self.operators();
        self.close();
    }

    /// `[b] P`.
    fn guard(&mut self) {
        if !self.descend() {
            return;
        }
        self.open(Guard);
        self.guard_brackets();
        while self.at(LBracket) && !self.at_blank_box() {
            let diagnostic =
                Diagnostic::error("two-guards", self.span_at(self.pos), "a process has one guard")
                    .help("join the conditions with `&&`: `[a && b] P`");
            self.teach(diagnostic);
            self.guard_brackets();
        }
        self.prefixed();
        self.close();
        self.ascend();
    }

    /// `[` *condition* `]`.
    pub(super) fn guard_brackets(&mut self) {
        let opened = self.pos;
        self.bump();
        self.within(Place::default(), |p| p.condition("a guard"));
        self.end_bracket(opened, RBracket, "an operator or `]`");
    }

    /// Events and communications, each with its `->`, and the process after them.
    fn prefixed(&mut self) {
        let start = self.checkpoint();
        let mut heads = 0;
        loop {
            if self.at_prefix_head() {
                self.prefix_head();
                heads += 1;
                self.count(heads + 1);
                if !self.arrow_after_head() {
                    break;
                }
            } else {
                let tail = self.pos;
                self.prefix_tail(heads > 0);
                if !self.at(Arrow) {
                    break;
                }
                let what = self.span_at(tail);
                let diagnostic = Diagnostic::error(
                    "process-before-arrow",
                    self.span_at(self.pos),
                    "a process stands before `->`",
                )
                .also(what, "this is not an event")
                .help("before `->` comes an event such as `a`, `a.0` or `c!x`; processes are joined by `;`");
                self.confused(diagnostic);
                self.bump();
                heads += 1;
            }
        }
        if heads > 0 {
            self.wrap(start, Prefix);
        }
    }

    /// The `->` after an event; answers whether a process can follow.
    fn arrow_after_head(&mut self) -> bool {
        if self.eat(Arrow) {
            return true;
        }
        let goes_on = self.starts_process(self.pos) && !self.layout.begins_item(self.pos);
        let ends = matches!(
            self.kind(),
            Semi | RParen
                | RBrace
                | Interleave3
                | Bar2
                | SyntaxKind::Box
                | Diamond
                | StarBox
                | InterruptKw
                | Backslash
        );
        if goes_on || !ends {
            self.expected("`->`");
        } else {
            let diagnostic = Diagnostic::error(
                "event-without-process",
                self.after_previous(),
                "an event alone is no process",
            )
            .help("write `-> Skip` after it to end there, `-> Stop` to halt");
            self.confused(diagnostic);
        }
        goes_on
    }

    fn prefix_tail(&mut self, after_arrow: bool) {
        match self.kind() {
            LBracket if after_arrow && !self.at_blank_box() => {
                let diagnostic = Diagnostic::error(
                    "guard-after-arrow",
                    self.span_at(self.pos),
                    "a guard cannot follow `->` directly",
                )
                .help("put the guarded process into parentheses: `a -> ([b] P)`");
                self.teach(diagnostic);
                self.guard();
            }
            Interleave3 | Bar2 | SyntaxKind::Box | Diamond | StarBox
                if after_arrow && self.is_indexed(self.pos) =>
            {
                self.parentheses_required();
                self.indexed();
            }
            _ => self.atom(),
        }
    }

    fn atom(&mut self) {
        match self.kind() {
            Ident => self.call(),
            LParen => self.paren_process(),
            SkipKw => self.constant(SkipProcess),
            StopKw => self.constant(StopProcess),
            IfKw | IfaKw | IfbKw => self.if_process(),
            CaseKw => self.case_process(),
            AtomicKw => {
                self.open(AtomicProcess);
                self.bump();
                self.braced_process();
                self.close();
            }
            AssertKw => {
                self.open(AssertProcess);
                self.bump();
                self.head_condition(Self::assigning_condition);
                self.close();
            }
            WhileKw => {
                let diagnostic = self.unexpected("an event or a process").help(
                    "`while` is for programs; a process repeats by calling itself: `P = if (c) { a -> P };`",
                );
                self.confused(diagnostic);
            }
            _ => self.expected("an event or a process"),
        }
    }

    fn call(&mut self) {
        self.open(Call);
        self.bump();
        // In `case { a: P (b): Q }` the second bracket is the next condition.
        let is_condition = self.place.case && self.after_partner(self.pos) == Some(Colon);
        if self.at(LParen) && !is_condition {
            self.arg_list();
        }
        self.close();
    }

    fn constant(&mut self, kind: SyntaxKind) {
        self.open(kind);
        self.bump();
        if self.at(LParen) && self.nth(1) == RParen {
            self.bump();
            self.bump();
        }
        self.close();
    }

    fn paren_process(&mut self) {
        self.open(ParenProcess);
        let opened = self.pos;
        self.bump();
        self.process();
        self.end_bracket(opened, RParen, "an operator or `)`");
        self.close();
    }

    /// `{P}`, of a construct that cannot do without the braces.
    fn braced_process(&mut self) {
        if self.word() == "then" && self.nth(1) == LBrace {
            let diagnostic = Diagnostic::error("no-then", self.span_at(self.pos), "`if` has no `then`")
                .help("write `if (c) { P } else { Q }`");
            self.teach(diagnostic);
            self.skip_until(self.pos + 1);
        }
        if self.at(LBrace) {
            let opened = self.pos;
            self.bump();
            if self.at(RBrace) {
                let diagnostic = Diagnostic::error(
                    "empty-process",
                    self.span_at(self.pos),
                    "there is no process in these braces",
                )
                .help("write `Skip` to do nothing");
                self.teach(diagnostic);
            } else {
                self.process();
            }
            self.end_bracket(opened, RBrace, "an operator or `}`");
        } else {
            let diagnostic = Diagnostic::error(
                "braces-required",
                self.span_at(self.pos),
                "the process here must be in braces",
            )
            .help("write `if (c) { P } else { Q }`");
            self.confused(diagnostic);
            if self.starts_process(self.pos) && !self.layout.begins_item(self.pos) && self.descend() {
                self.prefixed();
                self.ascend();
            }
        }
    }

    fn if_process(&mut self) {
        if !self.descend() {
            return;
        }
        self.open(IfProcess);
        let blocks = self.at(IfbKw);
        self.bump();
        self.head_condition(|p| p.condition("a condition"));
        self.braced_process();
        // Braces that no arrow follows are no program of an event: they are the other branch.
        let forgotten = self.at(LBrace) && self.after_partner(self.pos).is_some_and(|kind| kind != Arrow);
        if forgotten {
            let diagnostic = self
                .unexpected("`else`, an operator or `;`")
                .help("write `if (c) { P } else { Q }`");
            self.teach(diagnostic);
        }
        if self.at(ElseKw) || forgotten {
            if blocks && !forgotten {
                let diagnostic = Diagnostic::error(
                    "ifb-else",
                    self.span_at(self.pos),
                    "`ifb` has no `else`: it waits for its condition",
                )
                .help("write `if` or `ifa`");
                self.teach(diagnostic);
            }
            self.open(ElseBranch);
            self.eat(ElseKw);
            if matches!(self.kind(), IfKw | IfaKw | IfbKw) {
                self.if_process();
            } else {
                self.braced_process();
            }
            self.close();
        }
        self.close();
        self.ascend();
    }

    fn case_process(&mut self) {
        self.open(CaseProcess);
        self.bump();
        let opened = self.pos;
        if self.expect(LBrace, "`{` and the branches of `case`") {
            let end = self.layout.partner(opened).unwrap_or(self.end);
            let mut branches = 0;
            while self.pos < end && !matches!(self.kind(), RBrace | Eof) && !self.resumes_at(self.pos) {
                let before = self.pos;
                self.case_branch();
                branches += 1;
                self.count(branches);
                if self.pos == before || self.silent_until > self.pos {
                    break;
                }
            }
            if branches == 0 {
                self.expected("a condition, `:` and a process");
            }
            self.end_bracket(opened, RBrace, "a condition, `default` or `}`");
        }
        self.close();
    }

    fn case_branch(&mut self) {
        let in_case = Place {
            case: true,
            ..Place::default()
        };
        if self.at(DefaultKw) {
            self.open(DefaultBranch);
            self.bump();
        } else {
            self.open(CaseBranch);
            self.within(Place::default(), |p| p.condition("a condition"));
        }
        if self.expect(Colon, "`:` and a process") {
            self.within(in_case, Self::operators);
        }
        self.close();
    }
}
