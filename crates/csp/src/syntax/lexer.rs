//! Text to tokens.
//!
//! Every byte belongs to exactly one token, blanks and comments included. Blanks are ASCII; a byte order mark is one.
//! Names are ASCII: a word with other letters becomes one `Unknown` token, as does a run of characters that start no
//! token, and each gets one diagnostic. Time is linear.

use fairhold_source::{Diagnostic, FileId, Span};
use rustc_hash::FxHashSet;

use super::SyntaxKind;

/// A token: its kind and its bytes `start..end`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Token {
    /// What it is.
    pub kind: SyntaxKind,
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

/// All tokens of a text, without an end token, and what is wrong with them.
pub fn lex(file: FileId, text: &str) -> (Vec<Token>, Vec<Diagnostic>) {
    let mut lexer = Lexer {
        file,
        text,
        at: 0,
        tokens: Vec::with_capacity(text.len() / 3),
        diagnostics: Vec::new(),
        foreign: FxHashSet::default(),
    };
    while lexer.at < text.len() {
        lexer.token();
    }
    (lexer.tokens, lexer.diagnostics)
}

const KEYWORDS: [(&str, SyntaxKind); 35] = [
    ("import", SyntaxKind::ImportKw),
    ("include", SyntaxKind::IncludeKw),
    ("channel", SyntaxKind::ChannelKw),
    ("assert", SyntaxKind::AssertKw),
    ("tau", SyntaxKind::TauKw),
    ("deadlockfree", SyntaxKind::DeadlockfreeKw),
    ("nonterminating", SyntaxKind::NonterminatingKw),
    ("divergencefree", SyntaxKind::DivergencefreeKw),
    ("deterministic", SyntaxKind::DeterministicKw),
    ("reaches", SyntaxKind::ReachesKw),
    ("refines", SyntaxKind::RefinesKw),
    ("with", SyntaxKind::WithKw),
    ("min", SyntaxKind::MinKw),
    ("max", SyntaxKind::MaxKw),
    ("alphabet", SyntaxKind::AlphabetKw),
    ("define", SyntaxKind::DefineKw),
    ("true", SyntaxKind::TrueKw),
    ("false", SyntaxKind::FalseKw),
    ("enum", SyntaxKind::EnumKw),
    ("var", SyntaxKind::VarKw),
    ("hvar", SyntaxKind::HvarKw),
    ("call", SyntaxKind::CallKw),
    ("new", SyntaxKind::NewKw),
    ("if", SyntaxKind::IfKw),
    ("ifa", SyntaxKind::IfaKw),
    ("ifb", SyntaxKind::IfbKw),
    ("else", SyntaxKind::ElseKw),
    ("while", SyntaxKind::WhileKw),
    ("case", SyntaxKind::CaseKw),
    ("default", SyntaxKind::DefaultKw),
    ("interrupt", SyntaxKind::InterruptKw),
    ("atomic", SyntaxKind::AtomicKw),
    ("Skip", SyntaxKind::SkipKw),
    ("Stop", SyntaxKind::StopKw),
    ("xor", SyntaxKind::XorKw),
];

/// Operators and punctuation; where one is the beginning of another, the longer comes first.
const PUNCTUATION: [(&str, SyntaxKind); 52] = [
    ("|||", SyntaxKind::Interleave3),
    ("<FD>", SyntaxKind::FdRef),
    ("<F>", SyntaxKind::FailuresRef),
    ("<->", SyntaxKind::Iff),
    ("[*]", SyntaxKind::StarBox),
    ("||", SyntaxKind::Bar2),
    ("&&", SyntaxKind::Amp2),
    ("->", SyntaxKind::Arrow),
    ("[]", SyntaxKind::Box),
    ("<>", SyntaxKind::Diamond),
    ("|=", SyntaxKind::Models),
    ("==", SyntaxKind::Eq2),
    ("!=", SyntaxKind::Neq),
    ("<=", SyntaxKind::Le),
    (">=", SyntaxKind::Ge),
    ("++", SyntaxKind::Plus2),
    ("--", SyntaxKind::Minus2),
    ("+=", SyntaxKind::PlusEq),
    ("-=", SyntaxKind::MinusEq),
    ("*=", SyntaxKind::StarEq),
    ("/=", SyntaxKind::SlashEq),
    ("%=", SyntaxKind::PercentEq),
    ("..", SyntaxKind::Dot2),
    ("/\\", SyntaxKind::Wedge),
    ("\\/", SyntaxKind::Vee),
    ("#", SyntaxKind::Hash),
    ("(", SyntaxKind::LParen),
    (")", SyntaxKind::RParen),
    ("{", SyntaxKind::LBrace),
    ("}", SyntaxKind::RBrace),
    ("[", SyntaxKind::LBracket),
    ("]", SyntaxKind::RBracket),
    (";", SyntaxKind::Semi),
    (",", SyntaxKind::Comma),
    (":", SyntaxKind::Colon),
    (".", SyntaxKind::Dot),
    ("@", SyntaxKind::At),
    ("!", SyntaxKind::Bang),
    ("?", SyntaxKind::Question),
    ("=", SyntaxKind::Eq),
    ("<", SyntaxKind::Lt),
    (">", SyntaxKind::Gt),
    ("+", SyntaxKind::Plus),
    ("-", SyntaxKind::Minus),
    ("*", SyntaxKind::Star),
    ("/", SyntaxKind::Slash),
    ("%", SyntaxKind::Percent),
    ("&", SyntaxKind::Amp),
    ("|", SyntaxKind::Bar),
    ("^", SyntaxKind::Caret),
    ("\\", SyntaxKind::Backslash),
    ("$", SyntaxKind::Dollar),
];

struct Lexer<'t> {
    file: FileId,
    text: &'t str,
    at: usize,
    tokens: Vec<Token>,
    diagnostics: Vec<Diagnostic>,
    /// Words in other alphabets that were reported.
    foreign: FxHashSet<String>,
}

impl Lexer<'_> {
    fn token(&mut self) {
        let rest = &self.text[self.at..];
        let first = rest
            .chars()
            .next()
            .expect("the caller stops at the end of the text");
        if is_blank(first) {
            self.push(SyntaxKind::Whitespace, span_of(rest, is_blank));
        } else if rest.starts_with("//") {
            let line = rest.find('\n').unwrap_or(rest.len());
            self.push(SyntaxKind::Comment, rest[..line].trim_end_matches('\r').len());
        } else if rest.starts_with("/*") {
            self.comment(rest);
        } else if first == '"' {
            self.string(rest);
        } else if first.is_ascii_digit() {
            self.number(rest);
        } else if is_letter(first) {
            self.word(rest);
        } else if let Some((length, kind)) = punctuation(rest) {
            self.push(kind, length);
        } else {
            self.stray(rest);
        }
    }

    fn push(&mut self, kind: SyntaxKind, length: usize) {
        let start = self.at as u32;
        self.at += length;
        self.tokens.push(Token {
            kind,
            start,
            end: self.at as u32,
        });
    }

    /// Reports the token about to be pushed.
    fn report(&mut self, code: &'static str, length: usize, message: String, help: &str) {
        let span = Span {
            file: self.file,
            start: self.at as u32,
            end: (self.at + length) as u32,
        };
        self.diagnostics
            .push(Diagnostic::error(code, span, message).help(help));
    }

    fn comment(&mut self, rest: &str) {
        match rest[2..].find("*/") {
            Some(end) => self.push(SyntaxKind::Comment, end + 4),
            None => {
                let message = "this comment does not end".to_string();
                self.report("unterminated-comment", 2, message, "close it with `*/`");
                self.push(SyntaxKind::Comment, rest.len());
            }
        }
    }

    /// A string ends on its line: otherwise one forgotten quote would swallow the rest of the file.
    fn string(&mut self, rest: &str) {
        let end = rest[1..].find(['"', '\r', '\n']).map_or(rest.len(), |at| at + 1);
        if rest[end..].starts_with('"') {
            self.push(SyntaxKind::Str, end + 1);
        } else {
            let message = "this string does not end on its line".to_string();
            self.report("unterminated-string", end, message, "close it with `\"`");
            self.push(SyntaxKind::Str, end);
        }
    }

    fn number(&mut self, rest: &str) {
        let length = span_of(rest, |c| c.is_ascii_digit());
        if rest[..length].parse::<i32>().is_err() {
            let message = "this number does not fit into 32 bits".to_string();
            self.report(
                "int-too-large",
                length,
                message,
                "the largest number is 2147483647",
            );
        }
        self.push(SyntaxKind::Int, length);
    }

    fn word(&mut self, rest: &str) {
        let length = span_of(rest, |c| is_letter(c) || c.is_ascii_digit());
        let word = &rest[..length];
        if word.is_ascii() {
            let keyword = KEYWORDS.iter().find(|(text, _)| *text == word);
            self.push(keyword.map_or(SyntaxKind::Ident, |&(_, kind)| kind), length);
        } else {
            let message = format!("`{}` is not a name", shown(word));
            let help = "names are made of the letters a to z and A to Z, digits and `_`";
            // A name is used more than once; one message is enough.
            if self.foreign.insert(word.to_owned()) {
                self.report("bad-character", length, message, help);
            }
            self.push(SyntaxKind::Unknown, length);
        }
    }

    fn stray(&mut self, rest: &str) {
        let mut length = 0;
        for c in rest.chars() {
            let here = &rest[length..];
            if is_blank(c) || is_letter(c) || c.is_ascii_digit() || c == '"' || punctuation(here).is_some() {
                break;
            }
            length += c.len_utf8();
        }
        let run = &rest[..length];
        let message = format!("`{}` means nothing in CSP#", shown(run));
        self.report("bad-character", length, message, replacement(run));
        self.push(SyntaxKind::Unknown, length);
    }
}

/// What was probably meant by characters that a word processor or another notation puts in.
fn replacement(run: &str) -> &'static str {
    match run.chars().next() {
        Some('→') => "write `->`",
        Some('□') => "write `[]`",
        Some('◇' | '⊓') => "write `<>`",
        Some('¬' | '~') => "write `!`",
        Some('∧') => "write `&&`",
        Some('∨') => "write `||`",
        Some('≤') => "write `<=`",
        Some('≥') => "write `>=`",
        Some('≠') => "write `!=`",
        Some('–' | '—' | '−') => "write `-`",
        Some('“' | '”' | '„' | '\'' | '‘' | '’') => "write `\"`",
        _ => "delete it",
    }
}

fn is_blank(c: char) -> bool {
    c.is_ascii_whitespace() || c == '\u{b}' || c == '\u{feff}'
}

/// A character of a word, of any alphabet: words with foreign letters are reported whole.
fn is_letter(c: char) -> bool {
    c == '_' || c.is_ascii_alphabetic() || (!c.is_ascii() && c.is_alphanumeric())
}

/// The length of the longest beginning all of whose characters are as asked.
fn span_of(text: &str, accept: impl Fn(char) -> bool) -> usize {
    text.find(|c| !accept(c)).unwrap_or(text.len())
}

fn punctuation(rest: &str) -> Option<(usize, SyntaxKind)> {
    // `\` before a comment is hiding, not `\/`.
    if rest.starts_with("\\/*") || rest.starts_with("\\//") {
        return Some((1, SyntaxKind::Backslash));
    }
    let first = rest.as_bytes().first()?;
    let &(text, kind) = PUNCTUATION
        .iter()
        .find(|(text, _)| text.as_bytes()[0] == *first && rest.starts_with(text))?;
    Some((text.len(), kind))
}

/// A text fit for a message: short, and without characters that move the cursor.
fn shown(text: &str) -> String {
    text.chars().take(20).flat_map(char::escape_debug).collect()
}
