//! Fairness constraints by names, as a user writes them and as the judge of a loop reads them.
//!
//! Five notions speak of every event, process or step; an annotation speaks of one event; a formula is a boolean
//! combination of `GF` (infinitely often) and `FG` (from some point on always) over conditions on a step and the
//! state it enters. The search has its own type for constraints, in ids; the two share no code, so that a mistake in
//! one shows. References: [Si-FCS'14] for the notions, [Sun-ICFEM'08] for annotations, [EmersonLei-TR'84] for formulas.

use std::fmt;

/// A notion of fairness that speaks of all events, all processes or all steps.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Notion {
    /// Process weak: a process enabled from some point on always is engaged infinitely often.
    Pwf,
    /// Event weak: the same for events.
    Ewf,
    /// Process strong: a process enabled infinitely often is engaged infinitely often.
    Psf,
    /// Event strong: the same for events.
    Esf,
    /// Strong global: a step whose source is met infinitely often is taken infinitely often.
    Sgf,
}

impl Notion {
    /// All of them, no notion before a weaker one.
    pub const ALL: [Notion; 5] = [Notion::Pwf, Notion::Ewf, Notion::Psf, Notion::Esf, Notion::Sgf];

    /// Whether processes are owed something, not events or steps.
    pub fn is_about_processes(self) -> bool {
        matches!(self, Notion::Pwf | Notion::Psf)
    }

    /// The word in text and JSON.
    pub fn word(self) -> &'static str {
        match self {
            Notion::Pwf => "pwf",
            Notion::Ewf => "ewf",
            Notion::Psf => "psf",
            Notion::Esf => "esf",
            Notion::Sgf => "sgf",
        }
    }

    /// The notion with this word.
    pub fn from_word(word: &str) -> Option<Notion> {
        Notion::ALL.into_iter().find(|n| n.word() == word)
    }

    /// Whether every loop that `other` allows is allowed by this notion, and not the other way round.
    pub fn is_weaker_than(self, other: Notion) -> bool {
        matches!(
            (self, other),
            (Notion::Pwf, Notion::Psf) | (Notion::Ewf, Notion::Esf)
        ) || (other == Notion::Sgf && self != Notion::Sgf)
    }
}

/// What an annotation of an event asks for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum AnnotationKind {
    /// Enabled from some point on always: engaged infinitely often.
    Wf,
    /// Enabled infinitely often: engaged infinitely often.
    Sf,
    /// Ready from some point on always: engaged infinitely often.
    Wl,
    /// Ready infinitely often: engaged infinitely often.
    Sl,
}

impl AnnotationKind {
    /// All of them.
    pub const ALL: [AnnotationKind; 4] = [
        AnnotationKind::Wf,
        AnnotationKind::Sf,
        AnnotationKind::Wl,
        AnnotationKind::Sl,
    ];

    /// The word in a model, in text and in JSON.
    pub fn word(self) -> &'static str {
        match self {
            AnnotationKind::Wf => "wf",
            AnnotationKind::Sf => "sf",
            AnnotationKind::Wl => "wl",
            AnnotationKind::Sl => "sl",
        }
    }

    /// The annotation with this word.
    pub fn from_word(word: &str) -> Option<AnnotationKind> {
        AnnotationKind::ALL.into_iter().find(|k| k.word() == word)
    }

    /// Whether it speaks of ready rather than enabled events.
    pub(crate) fn is_live(self) -> bool {
        matches!(self, AnnotationKind::Wl | AnnotationKind::Sl)
    }
}

/// One fairness constraint; several combine by conjunction.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Constraint {
    /// For all events, processes or steps.
    Notion(Notion),
    /// For the event with this name.
    Annotation(AnnotationKind, String),
    /// As written.
    Formula(Formula),
}

impl Constraint {
    /// Whether it speaks of ready events.
    pub(crate) fn needs_ready(&self) -> bool {
        match self {
            Constraint::Notion(_) => false,
            Constraint::Annotation(kind, _) => kind.is_live(),
            Constraint::Formula(formula) => formula.needs_ready(),
        }
    }
}

/// A boolean combination of what happens infinitely often and what is true from some point on.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Formula {
    /// `GF a`
    InfinitelyOften(Predicate),
    /// `FG a`
    EventuallyAlways(Predicate),
    /// Not.
    Not(Box<Formula>),
    /// All; none is true.
    And(Vec<Formula>),
    /// Any; none is false.
    Or(Vec<Formula>),
}

impl Formula {
    fn needs_ready(&self) -> bool {
        match self {
            Formula::InfinitelyOften(a) | Formula::EventuallyAlways(a) => a.needs_ready(),
            Formula::Not(f) => f.needs_ready(),
            Formula::And(parts) | Formula::Or(parts) => parts.iter().any(Formula::needs_ready),
        }
    }
}

/// A condition on a step: what it engages, and what is true in the state it enters.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Predicate {
    /// A truth value.
    Const(bool),
    /// A condition on the state, by a number that the caller knows, and as written.
    State(usize, String),
    /// The event is enabled in the state.
    Enabled(String),
    /// The event is ready in the state.
    Ready(String),
    /// The step is this event.
    Engaged(String),
    /// The process takes part in some step from the state.
    EnabledProcess(u32),
    /// The process takes part in the step.
    EngagedProcess(u32),
    /// Not.
    Not(Box<Predicate>),
    /// All; none is true.
    And(Vec<Predicate>),
    /// Any; none is false.
    Or(Vec<Predicate>),
}

impl Predicate {
    /// The opposite.
    pub(crate) fn negated(&self) -> Predicate {
        match self {
            Predicate::Const(b) => Predicate::Const(!b),
            Predicate::Not(a) => (**a).clone(),
            a => Predicate::Not(Box::new(a.clone())),
        }
    }

    fn needs_ready(&self) -> bool {
        match self {
            Predicate::Ready(_) => true,
            Predicate::Not(a) => a.needs_ready(),
            Predicate::And(parts) | Predicate::Or(parts) => parts.iter().any(Predicate::needs_ready),
            _ => false,
        }
    }
}

impl fmt::Display for Formula {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Formula::InfinitelyOften(a) => write!(f, "GF {}", Operand(a, a.binds_loosely())),
            Formula::EventuallyAlways(a) => write!(f, "FG {}", Operand(a, a.binds_loosely())),
            Formula::Not(part) => write!(f, "!{}", Operand(part, true)),
            Formula::And(parts) => joined(f, parts, " && ", "true", Formula::binds_loosely),
            Formula::Or(parts) => joined(f, parts, " || ", "false", Formula::binds_loosely),
        }
    }
}

impl Formula {
    fn binds_loosely(&self) -> bool {
        match self {
            Formula::And(parts) | Formula::Or(parts) => match &parts[..] {
                [one] => one.binds_loosely(),
                parts => !parts.is_empty(),
            },
            _ => false,
        }
    }
}

impl fmt::Display for Predicate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Predicate::Const(b) => write!(f, "{b}"),
            Predicate::State(_, text) => f.write_str(text),
            Predicate::Enabled(e) => write!(f, "enabled({e})"),
            Predicate::Ready(e) => write!(f, "ready({e})"),
            Predicate::Engaged(e) => write!(f, "engaged({e})"),
            Predicate::EnabledProcess(i) => write!(f, "enabled(process {i})"),
            Predicate::EngagedProcess(i) => write!(f, "engaged(process {i})"),
            Predicate::Not(a) => write!(f, "!{}", Operand(&**a, a.binds_loosely())),
            Predicate::And(parts) => joined(f, parts, " && ", "true", Predicate::binds_loosely),
            Predicate::Or(parts) => joined(f, parts, " || ", "false", Predicate::binds_loosely),
        }
    }
}

impl Predicate {
    /// Whether it needs parentheses as an operand. What is written on the state may have operators of its own.
    fn binds_loosely(&self) -> bool {
        match self {
            Predicate::And(parts) | Predicate::Or(parts) => match &parts[..] {
                [one] => one.binds_loosely(),
                parts => !parts.is_empty(),
            },
            Predicate::State(_, text) => text.contains(' '),
            _ => false,
        }
    }
}

/// Something shown in parentheses if so said.
struct Operand<T>(T, bool);

impl<T: fmt::Display> fmt::Display for Operand<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Operand(what, parenthesised) = self;
        if *parenthesised {
            write!(f, "({what})")
        } else {
            what.fmt(f)
        }
    }
}

fn joined<T: fmt::Display>(
    f: &mut fmt::Formatter<'_>,
    parts: &[T],
    operator: &str,
    none: &str,
    loose: fn(&T) -> bool,
) -> fmt::Result {
    match parts {
        [] => f.write_str(none),
        [one] => one.fmt(f),
        _ => {
            for (i, part) in parts.iter().enumerate() {
                f.write_str(if i > 0 { operator } else { "" })?;
                write!(f, "{}", Operand(part, loose(part)))?;
            }
            Ok(())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_read_back() {
        for notion in Notion::ALL {
            assert_eq!(Notion::from_word(notion.word()), Some(notion));
        }
        for kind in AnnotationKind::ALL {
            assert_eq!(AnnotationKind::from_word(kind.word()), Some(kind));
        }
        assert_eq!(Notion::from_word("none"), None);
    }

    #[test]
    fn strength_is_a_partial_order() {
        let weaker = |a, b| Notion::is_weaker_than(a, b);
        assert!(weaker(Notion::Pwf, Notion::Psf) && weaker(Notion::Ewf, Notion::Sgf));
        assert!(!weaker(Notion::Pwf, Notion::Esf) && !weaker(Notion::Ewf, Notion::Psf));
        assert!(!weaker(Notion::Sgf, Notion::Sgf) && !weaker(Notion::Sgf, Notion::Esf));
    }

    #[test]
    fn formulas_are_shown_as_written() {
        let engaged = |e: &str| Predicate::Engaged(e.into());
        let busy = Predicate::State(0, "x > 0".into());
        let either = Predicate::Or(vec![engaged("a"), Predicate::EngagedProcess(1)]);
        let formula = Formula::Or(vec![
            Formula::EventuallyAlways(Predicate::Not(Box::new(busy))),
            Formula::And(vec![
                Formula::InfinitelyOften(either),
                Formula::Not(Box::new(Formula::InfinitelyOften(Predicate::Ready("b".into())))),
            ]),
        ]);
        assert_eq!(
            formula.to_string(),
            "FG !(x > 0) || (GF (engaged(a) || engaged(process 1)) && !(GF ready(b)))"
        );
        assert_eq!(Formula::And(Vec::new()).to_string(), "true");
    }
}
