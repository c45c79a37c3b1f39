//! Events, sets of events, channel communications, and the bindings of indexed operators.

use fairhold_source::Diagnostic;

use super::{Parser, Place};
use crate::syntax::SyntaxKind::*;

const DOTS: Place = Place {
    dots: true,
    repeat: false,
    case: false,
    block: false,
};

impl Parser<'_> {
    /// Whether what stands here is followed by `->` in a correct text: decided by a few tokens.
    pub(super) fn at_prefix_head(&self) -> bool {
        match self.kind() {
            TauKw | Str | LBrace => true,
            LParen => self.at_event_choice(),
            Ident => match self.nth(1) {
                Bang => !self.place.case || !self.condition_follows(self.pos + 1),
                Arrow | LBrace | Dot | Question => true,
                LBracket if self.nth(2) != RBracket => {
                    matches!(self.after_partner(self.pos + 1), Some(Bang | Question | Arrow))
                }
                LParen => {
                    is_annotation(self.word())
                        && matches!(self.after_partner(self.pos + 1), Some(Arrow | LBrace))
                }
                _ => false,
            },
            SkipKw | StopKw => false,
            kind => kind.is_keyword() && self.nth(1) == Arrow,
        }
    }

    /// Tells `P !x: Q` in `case`, where `!x` is the next condition, from `c!x -> Q`, and `P; x: Q` from `P; x -> Q`.
    /// Values are short, so the look is.
    pub(super) fn condition_follows(&self, from: usize) -> bool {
        let mut pos = from;
        while pos < from + 64 {
            match self.kind_at(pos) {
                Colon => return true,
                Arrow | LBrace | Semi | RBrace | Eof => return false,
                _ => pos = self.layout.partner(pos).map_or(pos, |partner| partner.max(pos)) + 1,
            }
        }
        false
    }

    /// `(a, b) ->`, as far as its first event shows.
    fn at_event_choice(&self) -> bool {
        let list = match self.nth(1) {
            TauKw => true,
            Ident | Str => matches!(self.nth(2), Comma | RParen | Dot | LBrace | LParen),
            _ => false,
        };
        list && self.after_partner(self.pos) == Some(Arrow)
    }

    pub(super) fn prefix_head(&mut self) {
        match (self.kind(), self.nth(1)) {
            (LBrace, _) => self.block(),
            (LParen, _) => self.event_choice(),
            (Ident, Bang | Question) => self.communication(self.pos + 1),
            (Ident, LBracket) => match self.layout.partner(self.pos + 1) {
                Some(close) if matches!(self.kind_at(close + 1), Bang | Question) => {
                    self.communication(close + 1);
                }
                _ => self.event_head(),
            },
            _ => self.event_head(),
        }
    }

    fn event_choice(&mut self) {
        self.open(EventChoice);
        let opened = self.pos;
        self.bump();
        self.comma_list(RParen, |p| {
            p.event_head();
            if p.previous() == RBrace {
                let diagnostic = Diagnostic::error(
                    "program-in-event-list",
                    p.after_previous(),
                    "an event in a list cannot carry a program",
                )
                .help("write the events as a choice: `a{x = 1} -> P [] b -> P`");
                p.teach(diagnostic);
            }
        });
        self.end_bracket(opened, RParen, "`,` or `)`");
        self.close();
    }

    fn event_head(&mut self) {
        self.open(EventHead);
        if is_annotation(self.word()) && self.nth(1) == LParen {
            self.bump();
            let opened = self.pos;
            self.bump();
            self.event_name();
            self.optional_block();
            self.end_bracket(opened, RParen, "`)`");
        } else if self.at(TauKw) {
            self.bump();
        } else {
            self.event_name();
            if self.at(LBracket) {
                self.bracket_after_event();
            }
        }
        self.optional_block();
        self.close();
    }

    fn optional_block(&mut self) {
        if self.at(LBrace) {
            self.block();
        }
    }

    fn bracket_after_event(&mut self) {
        let diagnostic = Diagnostic::error(
            "index-in-brackets",
            self.span_at(self.pos),
            "the index of an event is written with a dot",
        )
        .help("write `a.i` instead of `a[i]`");
        self.confused(diagnostic);
        if let Some(close) = self.layout.partner(self.pos) {
            self.skip_until(close + 1);
            self.silent_until = self.pos;
        }
    }

    /// A name with indices.
    pub(super) fn event_name(&mut self) {
        self.open(EventName);
        let named = self.eat(Str) || self.name("an event");
        if named {
            self.indices();
        }
        self.close();
    }

    fn indices(&mut self) {
        let mut count = 0;
        while self.at(Dot) {
            self.bump();
            self.within(DOTS, Self::additive);
            count += 1;
            self.count(count);
        }
    }

    /// A send or receive; the `!` or `?` is at `operator`.
    fn communication(&mut self, operator: usize) {
        let sends = self.kind_at(operator) == Bang;
        self.open(if sends { Send } else { Receive });
        self.communication_parts(!sends, Self::expression);
        self.optional_block();
        self.close();
    }

    /// From the channel's name to the last value.
    pub(super) fn communication_parts(&mut self, guarded: bool, value: fn(&mut Self)) {
        self.bump();
        if self.at(LBracket) {
            self.bracketed(ChannelIndex, "an index");
        }
        self.bump();
        if guarded && self.at(LBracket) {
            self.open(ReceiveGuard);
            self.guard_brackets();
            self.close();
        }
        let mut count = 0;
        loop {
            self.within(DOTS, value);
            count += 1;
            self.count(count);
            if !self.eat(Dot) {
                return;
            }
        }
    }

    /// `{a, b.0, i:{0..2} @ c.i}`.
    pub(super) fn event_set(&mut self) {
        self.open(EventSet);
        let opened = self.pos;
        self.bump();
        if self.at(RBrace) {
            let diagnostic = Diagnostic::error(
                "empty-set",
                self.span_at(self.pos),
                "a set of events has at least one event",
            )
            .help("delete the set, or name an event");
            self.teach(diagnostic);
        } else {
            self.within(Place::default(), |p| {
                p.comma_list(RBrace, |p| {
                    p.open(EventSetItem);
                    if p.at(Ident) && p.nth(1) == Colon {
                        p.bindings();
                        p.expect(At, "`@` and an event");
                    }
                    p.event_name();
                    p.close();
                });
            });
        }
        self.end_bracket(opened, RBrace, "`,` or `}`");
        self.close();
    }

    /// `i:{0..2}; j:{0, 1}`.
    pub(super) fn bindings(&mut self) {
        self.open(Bindings);
        let mut count = 0;
        loop {
            self.binding();
            count += 1;
            self.count(count);
            if !self.at(Semi) || self.layout.begins_item_surely(self.pos + 1) {
                break;
            }
            self.bump();
        }
        self.close();
    }

    fn binding(&mut self) {
        self.open(Binding);
        self.name("the name of an index");
        self.expect(Colon, "`:` and the index's values, such as `{0..2}`");
        let opened = self.pos;
        if self.expect(LBrace, "the index's values, such as `{0..2}` or `{0, 3}`") {
            self.within(Place::default(), |p| {
                p.additive();
                if p.eat(Dot2) {
                    p.additive();
                } else if p.eat(Comma) {
                    p.comma_list(RBrace, Self::additive);
                }
            });
            self.end_bracket(opened, RBrace, "`..`, `,` or `}`");
        }
        self.close();
    }
}

/// The names that annotate an event with fairness.
fn is_annotation(name: &str) -> bool {
    matches!(name, "wf" | "sf" | "wl" | "sl")
}
