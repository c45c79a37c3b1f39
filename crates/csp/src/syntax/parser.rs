//! Recursive descent with recovery: the machinery that all productions share.
//!
//! Productions are spread over the files of this folder. Each is a method that consumes what it understands, opens
//! and finishes its node, and reports what is missing. Chains of operators are parsed without recursion
//! ([`Levels`]), so the stack holds one group of frames per bracket or construct that a person nested, and that
//! nesting is bounded ([`DEEPEST`]).
//!
//! One mistake should give one message. A message that leaves the parser unsure of where it is
//! ([`Parser::confused`]) silences what would be said about the next few tokens, as yacc does; a message about a
//! mistake that is fully understood ([`Parser::teach`]) silences nothing. Certainty returns at the start of an item, after
//! a statement, and at a closing bracket that was skipped to.

use fairhold_source::{Diagnostic, FileId, Span};
use rowan::{Checkpoint, GreenNode, GreenNodeBuilder, Language};

use super::layout::Layout;
use super::lexer::Token;
use super::{Csp, SyntaxKind};

mod event;
mod expr;
mod file;
mod formula;
mod process;
mod stmt;

/// Constructs nested deeper than this are refused: it bounds the stack of every walk over the tree.
const DEEPEST: u32 = 256;

/// Chains of operators longer than this are refused.
const LONGEST: u32 = 4096;

/// Chains of `&&`, `||` and their like in a formula may be longer: whoever walks a formula sees long ones as trees of little depth.
const LONGEST_FORMULA: u32 = 16_384;

/// After a message that leaves the parser unsure, nothing is said about this many tokens.
const SILENCE: usize = 5;

/// After so many such messages about one item, the rest of it is passed over in silence.
const PATIENCE: u32 = 2;

/// An item gets at most so many messages, those about its program blocks aside.
const MESSAGES: u32 = 3;

/// What the parser knows of the place an expression or process is in. Brackets start afresh.
#[derive(Clone, Copy, Default)]
struct Place {
    /// A `.` separates indices or values, so it belongs to no number and no expression.
    dots: bool,
    /// A `(` after a value is a repeat count.
    repeat: bool,
    /// The process belongs to a branch of `case`: the condition of the next branch may follow it.
    case: bool,
    /// A statement of a program block.
    block: bool,
}

pub(super) struct Parser<'t> {
    file: FileId,
    text: &'t str,
    tokens: &'t [Token],
    layout: Layout,
    /// The current significant token.
    pos: usize,
    /// Where the current item ends at the latest: at the end of its piece of text, or where the parser gave up.
    end: usize,
    /// How many of all tokens are in the tree.
    written: usize,
    builder: GreenNodeBuilder<'static>,
    diagnostics: Vec<Diagnostic>,
    /// Nothing is reported before this position.
    silent_until: usize,
    /// How often the parser lost its way in the current item, program blocks aside.
    confusions: u32,
    /// How many messages the current item has got, program blocks aside.
    messages: u32,
    gave_up: bool,
    said_too_long: bool,
    depth: u32,
    place: Place,
    /// The column of the current item.
    item_indent: u32,
    /// The closing brace of the current program block.
    block_end: Option<usize>,
}

impl<'t> Parser<'t> {
    pub(super) fn new(file: FileId, text: &'t str, tokens: &'t [Token]) -> Parser<'t> {
        let layout = Layout::new(text, tokens);
        Parser {
            file,
            text,
            tokens,
            pos: 0,
            end: layout.len(),
            layout,
            written: 0,
            builder: GreenNodeBuilder::new(),
            diagnostics: Vec::new(),
            silent_until: 0,
            confusions: 0,
            messages: 0,
            gave_up: false,
            said_too_long: false,
            depth: 0,
            place: Place::default(),
            item_indent: 0,
            block_end: None,
        }
    }

    /// Closes the root, after whatever text is left.
    pub(super) fn finish(mut self) -> (GreenNode, Vec<Diagnostic>) {
        self.end = self.layout.len();
        self.skip_until(self.end);
        self.write_tokens(self.tokens.len());
        self.close();
        (self.builder.finish(), self.diagnostics)
    }

    // Looking at tokens.

    fn kind(&self) -> SyntaxKind {
        self.nth(0)
    }

    fn nth(&self, n: usize) -> SyntaxKind {
        self.kind_at(self.pos + n)
    }

    fn kind_at(&self, pos: usize) -> SyntaxKind {
        if pos < self.end {
            self.layout.kind(pos)
        } else {
            SyntaxKind::Eof
        }
    }

    fn at(&self, kind: SyntaxKind) -> bool {
        self.kind() == kind
    }

    fn previous(&self) -> SyntaxKind {
        self.pos
            .checked_sub(1)
            .map_or(SyntaxKind::Eof, |pos| self.layout.kind(pos))
    }

    /// The kind of the token after the bracket that closes the one at `open`.
    fn after_partner(&self, open: usize) -> Option<SyntaxKind> {
        let partner = self.layout.partner(open)?;
        Some(self.kind_at(partner + 1))
    }

    fn token(&self, pos: usize) -> Option<Token> {
        self.layout.token(pos).map(|index| self.tokens[index])
    }

    fn text_at(&self, pos: usize) -> &'t str {
        self.token(pos)
            .map_or("", |t| &self.text[t.start as usize..t.end as usize])
    }

    fn word(&self) -> &'t str {
        if self.at(SyntaxKind::Ident) {
            self.text_at(self.pos)
        } else {
            ""
        }
    }

    /// Whether no blank separates the token at `pos` from the next.
    fn is_joined(&self, pos: usize) -> bool {
        match (self.token(pos), self.token(pos + 1)) {
            (Some(a), Some(b)) => a.end == b.start,
            _ => false,
        }
    }

    /// `[` and `]` with nothing but blanks between: a choice, mistyped.
    fn at_blank_box(&self) -> bool {
        self.at(SyntaxKind::LBracket) && self.nth(1) == SyntaxKind::RBracket
    }

    fn span_at(&self, pos: usize) -> Span {
        match self.token(pos) {
            Some(token) if pos < self.end => Span {
                file: self.file,
                start: token.start,
                end: token.end,
            },
            _ => self.after_previous(),
        }
    }

    /// The empty place right after the previous token.
    fn after_previous(&self) -> Span {
        let end = self
            .pos
            .checked_sub(1)
            .and_then(|pos| self.token(pos))
            .map_or(0, |t| t.end);
        Span {
            file: self.file,
            start: end,
            end,
        }
    }

    // Building the tree.

    /// Starts the root, before everything.
    pub(super) fn open_root(&mut self, kind: SyntaxKind) {
        self.builder.start_node(Csp::kind_to_raw(kind));
    }

    /// Starts a node before the current token.
    fn open(&mut self, kind: SyntaxKind) {
        self.write_blanks();
        self.builder.start_node(Csp::kind_to_raw(kind));
    }

    /// Finishes the innermost node.
    fn close(&mut self) {
        self.builder.finish_node();
    }

    /// A place before the current token where a node may start later.
    fn checkpoint(&mut self) -> Checkpoint {
        self.write_blanks();
        self.builder.checkpoint()
    }

    /// A finished node from a checkpoint up to here.
    fn wrap(&mut self, from: Checkpoint, kind: SyntaxKind) {
        self.builder.start_node_at(from, Csp::kind_to_raw(kind));
        self.builder.finish_node();
    }

    fn write_blanks(&mut self) {
        let next = self.layout.token(self.pos).unwrap_or(self.tokens.len());
        self.write_tokens(next);
    }

    fn write_tokens(&mut self, until: usize) {
        while self.written < until {
            let token = self.tokens[self.written];
            let text = &self.text[token.start as usize..token.end as usize];
            self.builder.token(Csp::kind_to_raw(token.kind), text);
            self.written += 1;
        }
    }

    /// Consumes the current token.
    fn bump(&mut self) {
        if self.pos < self.end {
            self.write_blanks();
            self.write_tokens(self.written + 1);
            self.pos += 1;
        }
    }

    fn eat(&mut self, kind: SyntaxKind) -> bool {
        let here = self.at(kind);
        if here {
            self.bump();
        }
        here
    }

    // Bounds.

    /// Enters a nested construct; answers no, and gives up, if that is too deep. Every yes is matched by `ascend`.
    fn descend(&mut self) -> bool {
        if self.depth < DEEPEST {
            self.depth += 1;
            return true;
        }
        let message = format!("this is nested deeper than {DEEPEST} levels");
        let diagnostic = Diagnostic::error("too-deep", self.span_at(self.pos), message)
            .help("give inner processes names of their own; the rest of the file was not read");
        if !self.gave_up {
            self.diagnostics.push(diagnostic);
        }
        self.gave_up = true;
        self.end = self.pos;
        false
    }

    fn ascend(&mut self) {
        self.depth -= 1;
    }

    /// Counts an operand of a chain.
    fn count(&mut self, operands: u32) {
        self.count_up_to(LONGEST, operands);
    }

    /// Counts an operand of a chain that has a bound of its own.
    fn count_up_to(&mut self, longest: u32, operands: u32) {
        if operands == longest && !self.said_too_long {
            self.said_too_long = true;
            let message = format!("this chain has more than {longest} parts");
            let diagnostic = Diagnostic::error("too-long", self.span_at(self.pos), message)
                .help("give parts of it names of their own, or use an indexed operator such as `||| i:{0..9} @ P(i)`");
            self.diagnostics.push(diagnostic);
        }
    }

    /// Runs a production in a place of its own.
    fn within(&mut self, place: Place, production: impl FnOnce(&mut Self)) {
        let outer = std::mem::replace(&mut self.place, place);
        production(self);
        self.place = outer;
    }

    // Reporting.

    /// Reports a mistake that is understood: parsing goes on as if it were not there. Understanding is doubtful once
    /// the parser has lost its way in the item.
    fn teach(&mut self, diagnostic: Diagnostic) {
        if self.confusions == 0 || self.in_sound_block() {
            self.say(diagnostic);
        }
    }

    /// Reports a mistake after which the next tokens may mean anything.
    fn confused(&mut self, diagnostic: Diagnostic) {
        // Stray characters right before are the mistake, and are reported.
        if !self.layout.after_unknown(self.pos) && self.confusions < PATIENCE && self.say(diagnostic) {
            // Inside a block, statements bring certainty back.
            self.confusions += u32::from(!self.in_sound_block());
        }
        self.silent_until = self.silent_until.max(self.pos + SILENCE);
    }

    /// Whether this is a program block that is known to end: a mistake in one statement says nothing of the next.
    fn in_sound_block(&self) -> bool {
        self.block_end.is_some() && self.layout.is_sound(self.pos)
    }

    /// Adds a message unless it would be noise, and answers whether it did.
    fn say(&mut self, diagnostic: Diagnostic) -> bool {
        let repeats = self
            .diagnostics
            .last()
            .is_some_and(|last| last.span == diagnostic.span);
        let outside = !self.in_sound_block();
        if repeats || self.gave_up || self.pos < self.silent_until || outside && self.messages >= MESSAGES {
            return false;
        }
        self.messages += u32::from(outside);
        self.diagnostics.push(diagnostic);
        true
    }

    /// Reports that something else should stand here.
    fn expected(&mut self, what: &str) {
        let diagnostic = self.unexpected(what);
        self.confused(diagnostic);
    }

    fn unexpected(&self, what: &str) -> Diagnostic {
        let message = format!("expected {what}, found {}", self.found());
        Diagnostic::error("unexpected-token", self.span_at(self.pos), message)
    }

    /// The current token in words.
    fn found(&self) -> String {
        let text: String = self.text_at(self.pos).chars().take(40).collect();
        match self.kind() {
            SyntaxKind::Eof if self.pos < self.layout.len() => "the next item".to_string(),
            SyntaxKind::Eof => "the end of the text".to_string(),
            SyntaxKind::Ident => format!("the name `{text}`"),
            SyntaxKind::Int => format!("the number `{text}`"),
            SyntaxKind::Str => "a string".to_string(),
            kind if kind.is_keyword() => format!("the keyword `{text}`"),
            _ => format!("`{text}`"),
        }
    }

    fn missing_semicolon(&mut self) {
        let diagnostic = Diagnostic::error(
            "missing-semicolon",
            self.after_previous(),
            "a `;` is missing here",
        )
        .help("every declaration, definition, assertion and statement ends with `;`");
        self.confused(diagnostic);
    }

    // Names, brackets, lists.

    /// A name; `what` it names is for the message. Takes a keyword that was clearly meant as a name.
    fn name(&mut self, what: &str) -> bool {
        if self.at(SyntaxKind::Ident) {
            self.bump();
            return true;
        }
        if self.kind().is_keyword()
            && !(self.layout.begins_item(self.pos) && self.nth(1) == SyntaxKind::Ident)
        {
            self.keyword_as_name(what);
            return true;
        }
        self.expected(what);
        false
    }

    fn keyword_as_name(&mut self, what: &str) {
        let text = self.text_at(self.pos);
        let message = format!("`{text}` is a keyword and cannot be {what}");
        let diagnostic = Diagnostic::error("keyword-as-name", self.span_at(self.pos), message)
            .help(format!("choose another name, such as `{text}_` or `my_{text}`"));
        self.teach(diagnostic);
        self.bump();
    }

    /// Consumes a token that must stand here.
    fn expect(&mut self, kind: SyntaxKind, what: &str) -> bool {
        let here = self.eat(kind);
        if !here {
            self.expected(what);
        }
        here
    }

    /// Consumes the bracket that closes the one at `opened`. If something else stands here, it is reported, and
    /// skipped if the closing bracket is known to follow. `what` says what was possible, with the bracket.
    fn end_bracket(&mut self, opened: usize, kind: SyntaxKind, what: &str) {
        if self.eat(kind) {
            return;
        }
        let partner = self
            .layout
            .partner(opened)
            .filter(|&p| p >= self.pos && p < self.end);
        let diagnostic = match partner {
            Some(_) => self.unexpected(what),
            None => {
                let text = self.text_at(opened);
                let message = format!(
                    "this `{text}` is not closed: expected {what}, found {}",
                    self.found()
                );
                Diagnostic::error("unclosed-bracket", self.span_at(self.pos), message)
                    .also(self.span_at(opened), "opened here")
            }
        };
        self.confused(diagnostic);
        if let Some(partner) = partner {
            self.skip_until(partner);
            self.bump();
            self.silent_until = self.pos;
        }
    }

    /// Items separated by commas, at least one, up to a closing bracket that the caller consumes.
    fn comma_list(&mut self, closer: SyntaxKind, mut item: impl FnMut(&mut Self)) {
        let mut count = 0;
        loop {
            item(self);
            count += 1;
            self.count(count);
            if !self.eat(SyntaxKind::Comma) {
                return;
            }
            if self.at(closer) {
                self.expected("another element after `,`");
                return;
            }
        }
    }

    // Recovery.

    /// Puts everything up to a position into an error node.
    fn skip_until(&mut self, until: usize) {
        let until = until.min(self.end);
        if self.pos >= until {
            return;
        }
        self.open(SyntaxKind::Error);
        while self.pos < until {
            self.bump();
        }
        self.close();
    }

    /// The end of an item: its `;`, or else everything up to where the next item begins.
    fn end_item(&mut self, what: &str) {
        if self.eat(SyntaxKind::Semi) {
            return;
        }
        if self.at(SyntaxKind::Eof) || self.resumes_at(self.pos) {
            self.missing_semicolon();
        } else {
            self.expected(what);
            self.skip_item();
        }
    }

    /// Skips to the next item, past the `;` before it.
    fn skip_item(&mut self) {
        let start = self.pos;
        let mut pos = start;
        while pos < self.end && !(pos > start && self.resumes_at(pos)) {
            let ends = self.kind_at(pos) == SyntaxKind::Semi && self.resumes_at(pos + 1);
            // Brackets are skipped whole where they match; a closing bracket's partner lies behind.
            pos = self.layout.partner(pos).map_or(pos, |partner| partner.max(pos)) + 1;
            if ends {
                break;
            }
        }
        self.skip_until(pos);
    }

    /// Whether an item begins here beyond reasonable doubt.
    fn resumes_at(&self, pos: usize) -> bool {
        let after_semicolon = pos > 0 && self.kind_at(pos - 1) == SyntaxKind::Semi;
        if pos >= self.end || self.layout.begins_item_surely(pos) {
            true
        } else if !self.layout.begins_item(pos) {
            false
        } else if self.layout.is_sound(pos) {
            after_semicolon || self.layout.begins_line(pos)
        } else {
            // Without its brackets a program block looks like definitions, but it is indented.
            self.layout.begins_line(pos) && self.layout.indent(pos) <= self.item_indent
        }
    }
}

/// The operators of a grammar with levels of precedence, parsed in a loop: a node is started, from a checkpoint,
/// only when a looser operator or the end shows where it ends. `N` levels, loosest first.
struct Levels<const N: usize> {
    starts: [Checkpoint; N],
    operators: [u32; N],
    kinds: [SyntaxKind; N],
}

impl<const N: usize> Levels<N> {
    fn new(start: Checkpoint, kinds: [SyntaxKind; N]) -> Levels<N> {
        Levels {
            starts: [start; N],
            operators: [0; N],
            kinds,
        }
    }

    /// An operator of this level stands here: what binds tighter is complete.
    fn operator(&mut self, p: &mut Parser<'_>, level: usize) {
        self.complete(p, level + 1);
        self.operators[level] += 1;
        let longest = match self.kinds[level] {
            SyntaxKind::FChain => LONGEST_FORMULA,
            _ => LONGEST,
        };
        p.count_up_to(longest, self.operators[level] + 1);
    }

    /// The operand after an operator of this level begins here.
    fn operand(&mut self, p: &mut Parser<'_>, level: usize) {
        let here = p.checkpoint();
        self.starts[level + 1..].fill(here);
    }

    /// Finishes the nodes of this level and all tighter ones.
    fn complete(&mut self, p: &mut Parser<'_>, level: usize) {
        for l in (level..N).rev() {
            if self.operators[l] > 0 {
                p.wrap(self.starts[l], self.kinds[l]);
                self.operators[l] = 0;
            }
        }
    }
}
