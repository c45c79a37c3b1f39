//! Which bracket closes which, and which tokens begin a line: found once, before parsing.
//!
//! The parser looks ahead past a bracket ("is this `(...)` followed by `->`?") and skips to a closing bracket after a
//! mistake. Both are look-ups here, so no input makes the parser scan the same text twice.
//!
//! In a sound text the brackets match and nothing else matters. Where they do not, one wrong bracket must not upset
//! the whole file: the text is first cut where only an item can begin (`#`, `hvar`, `channel`, `enum`), and a piece
//! whose brackets do not match is cut again at what looks like an item from its indentation. Linear time and memory.

use super::SyntaxKind;
use super::lexer::Token;

/// Marks the absence of a partner.
const NONE: u32 = u32::MAX;

/// The significant tokens of a text and what is known of their brackets and lines. Positions count significant tokens.
pub(super) struct Layout {
    kinds: Vec<SyntaxKind>,
    /// For every position, its index among all tokens.
    tokens: Vec<u32>,
    partners: Vec<u32>,
    /// The column of a token that is first on its line, else the largest number.
    indents: Vec<u32>,
    /// Whether the brackets of the piece of text around a token match.
    sound: Vec<bool>,
    /// Whether text that is no token stands right before.
    after_unknown: Vec<bool>,
    /// Where the pieces of text end, ascending.
    ends: Vec<usize>,
}

impl Layout {
    pub(super) fn new(text: &str, all: &[Token]) -> Layout {
        let mut layout = Layout {
            kinds: Vec::with_capacity(all.len()),
            tokens: Vec::with_capacity(all.len()),
            partners: Vec::new(),
            indents: Vec::with_capacity(all.len()),
            sound: Vec::new(),
            after_unknown: Vec::with_capacity(all.len()),
            ends: Vec::new(),
        };
        let mut line_start = Some(0);
        let mut unknown = false;
        for (index, token) in all.iter().enumerate() {
            let shown = &text[token.start as usize..token.end as usize];
            // A word in another alphabet is reported by the lexer; here it still is a word.
            let word = token.kind == SyntaxKind::Unknown
                && shown.starts_with(|c: char| c == '_' || c.is_alphanumeric());
            if token.kind.is_trivia() || token.kind == SyntaxKind::Unknown && !word {
                unknown |= token.kind == SyntaxKind::Unknown;
                if let Some(newline) = shown.rfind('\n') {
                    line_start = Some(token.start + newline as u32 + 1);
                }
                continue;
            }
            layout
                .kinds
                .push(if word { SyntaxKind::Ident } else { token.kind });
            layout.tokens.push(index as u32);
            layout
                .indents
                .push(line_start.map_or(NONE, |start| token.start - start));
            layout.after_unknown.push(unknown);
            line_start = None;
            // A string without its end is reported too, and has swallowed what should follow.
            let whole = token.kind != SyntaxKind::Str || shown.len() > 1 && shown.ends_with('"');
            unknown = !whole;
        }
        layout.partners = vec![NONE; layout.kinds.len()];
        layout.sound = vec![true; layout.kinds.len()];
        layout.match_pieces();
        layout
    }

    /// How many significant tokens there are.
    pub(super) fn len(&self) -> usize {
        self.kinds.len()
    }

    /// The kind at a position; `Eof` past the end.
    pub(super) fn kind(&self, pos: usize) -> SyntaxKind {
        self.kinds.get(pos).copied().unwrap_or(SyntaxKind::Eof)
    }

    /// The index among all tokens of the token at a position.
    pub(super) fn token(&self, pos: usize) -> Option<usize> {
        self.tokens.get(pos).map(|&index| index as usize)
    }

    /// The position of the bracket that belongs to the bracket at `pos`.
    pub(super) fn partner(&self, pos: usize) -> Option<usize> {
        self.partners
            .get(pos)
            .filter(|&&p| p != NONE)
            .map(|&p| p as usize)
    }

    /// Whether the token is the first on its line.
    pub(super) fn begins_line(&self, pos: usize) -> bool {
        self.indent(pos) != NONE
    }

    /// The column of a token that is first on its line, else the largest number.
    pub(super) fn indent(&self, pos: usize) -> u32 {
        self.indents.get(pos).copied().unwrap_or(0)
    }

    /// Whether the brackets around this token match.
    pub(super) fn is_sound(&self, pos: usize) -> bool {
        self.sound.get(pos).copied().unwrap_or(true)
    }

    /// Whether text that is no token, already reported, stands right before.
    pub(super) fn after_unknown(&self, pos: usize) -> bool {
        self.after_unknown.get(pos).copied().unwrap_or(false)
    }

    /// Where the piece of text around a position ends: no item reaches beyond.
    pub(super) fn piece_end(&self, pos: usize) -> usize {
        let piece = self.ends.partition_point(|&end| end <= pos);
        self.ends.get(piece).copied().unwrap_or(self.len())
    }

    /// Whether an item of the file begins here, judged by its first tokens.
    pub(super) fn begins_item(&self, pos: usize) -> bool {
        use SyntaxKind::{
            AlphabetKw, AssertKw, ChannelKw, DefineKw, EnumKw, Eof, Eq, Hash, HvarKw, Ident, ImportKw,
            IncludeKw, LParen, VarKw,
        };
        match self.kind(pos) {
            Eof | Hash | VarKw | HvarKw | ChannelKw | EnumKw => true,
            DefineKw | AlphabetKw | IncludeKw | ImportKw => true,
            AssertKw => self.kind(pos + 1) == Ident,
            kind if kind == Ident || kind.is_keyword() => match self.kind(pos + 1) {
                Eq => true,
                LParen => self
                    .partner(pos + 1)
                    .is_some_and(|close| self.kind(close + 1) == Eq),
                _ => false,
            },
            _ => false,
        }
    }

    /// Whether nothing but an item of the file can begin here.
    pub(super) fn begins_item_surely(&self, pos: usize) -> bool {
        use SyntaxKind::{ChannelKw, EnumKw, Eof, Hash, HvarKw, Ident, LBrace, Lt};
        // A keyword may have been meant as a name, and a `#` may be a slip; what is around tells.
        match (self.kind(pos), self.kind(pos + 1)) {
            (Eof, _) | (HvarKw, Ident | Lt) | (ChannelKw, Ident) | (EnumKw, LBrace) => true,
            (Hash, next) => next.is_keyword() || self.begins_line(pos),
            _ => false,
        }
    }

    fn match_pieces(&mut self) {
        let mut start = 0;
        for end in 1..=self.len() {
            if !self.begins_item_surely(end) {
                continue;
            }
            if self.match_brackets(start, end) {
                self.ends.push(end);
            } else {
                self.match_by_indentation(start, end);
            }
            start = end;
        }
    }

    fn match_by_indentation(&mut self, from: usize, to: usize) {
        let outermost = if self.begins_line(from) {
            self.indent(from)
        } else {
            0
        };
        let cuts: Vec<usize> = (from + 1..to)
            .filter(|&pos| self.begins_line(pos) && self.indent(pos) <= outermost && self.begins_item(pos))
            .chain([to])
            .collect();
        let mut start = from;
        for end in cuts {
            let sound = self.match_brackets(start, end);
            self.sound[start..end].fill(sound);
            self.ends.push(end);
            start = end;
        }
    }

    /// Matches the brackets between two positions; a bracket closes the innermost open one of its kind, and what was
    /// opened since stays alone. Answers whether every bracket found its partner without that.
    fn match_brackets(&mut self, from: usize, to: usize) -> bool {
        self.partners[from..to].fill(NONE);
        let mut sound = true;
        let mut open: Vec<usize> = Vec::new();
        // How many of each kind are open, so that a stray closing bracket costs no search.
        let mut waiting = [0usize; 3];
        for pos in from..to {
            let kind = self.kinds[pos];
            if let Some(shape) = opening(kind) {
                waiting[shape] += 1;
                open.push(pos);
            } else if let Some(shape) = closing(kind) {
                if waiting[shape] == 0 {
                    sound = false;
                    continue;
                }
                while let Some(other) = open.pop() {
                    let its = opening(self.kinds[other]).expect("only opening brackets are pushed");
                    waiting[its] -= 1;
                    if its == shape {
                        self.partners[other] = pos as u32;
                        self.partners[pos] = other as u32;
                        break;
                    }
                    sound = false;
                }
            }
        }
        sound && open.is_empty()
    }
}

fn opening(kind: SyntaxKind) -> Option<usize> {
    match kind {
        SyntaxKind::LParen => Some(0),
        SyntaxKind::LBracket => Some(1),
        SyntaxKind::LBrace => Some(2),
        _ => None,
    }
}

fn closing(kind: SyntaxKind) -> Option<usize> {
    match kind {
        SyntaxKind::RParen => Some(0),
        SyntaxKind::RBracket => Some(1),
        SyntaxKind::RBrace => Some(2),
        _ => None,
    }
}
