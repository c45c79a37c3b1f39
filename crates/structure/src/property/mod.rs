//! What can be asked of a graph.
//!
//! ```text
//! deadlockfree   nonterminating   divergencefree   deterministic
//! reaches state == 3   never state == 3   always state != 3
//! |= [](coin -> <> "cup !small")
//! |= AG (busy -> EF EX{coin} true)
//! ```
//!
//! The syntax is that of assertions in CSP#, without a process in front. A condition compares `state` with a number, or is a
//! proposition if the graph has some; an atom of a formula is a condition or a label, in quotes if it is not a plain word. Two
//! different operators never meet without parentheses: CSP# as PAT reads it and the textbooks disagree on which binds tighter, so
//! neither is guessed.

mod atom;
mod condition;
mod lexer;
mod parser;
#[cfg(test)]
mod tests;

pub use condition::{Comparison, Condition};

use crate::lts::Lts;
use fairhold_logic::{Automaton, Ctl, Logic, Ltl};
use fairhold_source::{Diagnostic, FileId, Span};
use fairhold_system::{EventId, Remarks};
use parser::Parser;

/// A property of a graph.
#[derive(Clone, PartialEq, Debug)]
pub struct Property {
    /// As written, blanks collapsed.
    pub text: String,
    /// What it asks.
    pub question: Question,
    /// What the comments on it say.
    pub remarks: Remarks,
    /// Where it stands.
    pub span: Span,
}

/// What a property asks.
#[derive(Clone, PartialEq, Debug)]
pub enum Question {
    /// `deadlockfree`
    DeadlockFree,
    /// `nonterminating`
    NonTerminating,
    /// `divergencefree`
    DivergenceFree,
    /// `deterministic`
    Deterministic,
    /// `reaches c`
    Reaches(Condition),
    /// `never c`
    Never(Condition),
    /// `always c`. What is kept is `!c`, which no reachable state may satisfy.
    Always(Condition),
    /// `|= phi`
    Ltl(Ltl, Vec<Atom>),
    /// `|= phi` with path quantifiers
    Ctl(Ctl, Vec<Atom>),
    /// `|= automaton`: every execution is accepted. Atom `i` of the automaton is the `i`th of these.
    Automaton(Automaton, Vec<Atom>),
}

impl Question {
    /// The condition that a search looks for, if the question is about one.
    pub fn sought(&self) -> Option<&Condition> {
        match self {
            Question::Reaches(condition) | Question::Never(condition) | Question::Always(condition) => {
                Some(condition)
            }
            _ => None,
        }
    }
}

/// An atom of a formula; [`AtomId`](fairhold_logic::AtomId) is its index.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Atom {
    /// A condition on the state.
    State(Condition),
    /// The event led here; in CTL, an event of `EX{e}`.
    Event(EventId),
    /// The event is enabled. In CTL and in fairness formulas.
    Enabled(EventId),
    /// The process is enabled. In CTL and in fairness formulas.
    EnabledProcess(u32),
    /// There are no steps, and the state is not the end of a successful termination. In CTL only.
    Deadlock,
    /// The state is the end of a successful termination. In CTL only.
    Terminated,
    /// The event is ready. In fairness formulas only.
    Ready(EventId),
    /// The process took part in the step that led here. In fairness formulas only.
    EngagedProcess(u32),
}

/// Reads a property of `lts`, alone in its file.
pub fn read_property(lts: &Lts, file: FileId, text: &str) -> Result<Property, Diagnostic> {
    let place = Span {
        file,
        start: 0,
        end: text.len() as u32,
    };
    read_property_at(lts, place, text)
}

/// Reads a property of `lts` that stands at `place`.
pub fn read_property_at(lts: &Lts, place: Span, text: &str) -> Result<Property, Diagnostic> {
    let mut logic = Logic::Linear;
    let tokens = lexer::tokens(place, text)?;
    if parser::is_branching(&tokens) {
        logic = Logic::Branching;
    }
    let mut parser = Parser::new(lts, &tokens, place, text, logic);
    let question = parser.question()?;
    parser.finish()?;
    Ok(Property {
        text: text.split_whitespace().collect::<Vec<_>>().join(" "),
        question,
        remarks: Remarks::default(),
        span: place,
    })
}

/// Reads a fairness formula about `lts` that stands at `place`, with its atoms: a formula that may speak of what is enabled, ready and engaged.
/// Its shape is not looked at here.
pub fn read_fairness(lts: &Lts, place: Span, text: &str) -> Result<(Ltl, Vec<Atom>), Diagnostic> {
    let tokens = lexer::tokens(place, text)?;
    let mut parser = Parser::new(lts, &tokens, place, text, Logic::Fairness);
    let formula = parser.formula(0)?;
    parser.finish()?;
    if let Some(at) = formula.first_quantifier() {
        let message = "a fairness formula speaks of one execution, so it has no path quantifiers";
        let help = "it joins `GF a` and `FG a` by `! && || -> <->`";
        return Err(Diagnostic::error("fairness-shape", at, message).help(help));
    }
    let formula = formula.into_ltl().map_err(|mixed| *mixed)?;
    Ok((formula, parser.atoms))
}

/// Reads a single atom of a formula about `lts`, which stands at `place`: a label, without quotes, or a condition such as `state == 3`. A
/// constant counts.
pub fn read_atom(lts: &Lts, place: Span, text: &str) -> Result<Atom, Diagnostic> {
    if let Some(event) = lts.alphabet().find_event(text) {
        return Ok(Atom::Event(event));
    }
    let (formula, atoms) = read_formula(lts, place, text)?;
    match formula {
        Ltl::Atom(id) => Ok(atoms[id.0 as usize].clone()),
        Ltl::True => Ok(Atom::State(Condition::Const(true))),
        Ltl::False => Ok(Atom::State(Condition::Const(false))),
        _ => {
            let message = format!("`{text}` is no atom");
            let help = "an atom is a label, or a condition such as `state == 3`";
            Err(Diagnostic::error("not-an-atom", place, message).help(help))
        }
    }
}

/// Reads a formula of linear time about `lts` that stands at `place`, with its atoms.
pub fn read_formula(lts: &Lts, place: Span, text: &str) -> Result<(Ltl, Vec<Atom>), Diagnostic> {
    let tokens = lexer::tokens(place, text)?;
    let mut parser = Parser::new(lts, &tokens, place, text, Logic::Linear);
    let formula = parser.formula(0)?;
    parser.finish()?;
    let formula = formula.into_ltl().map_err(|mixed| *mixed)?;
    Ok((formula, parser.atoms))
}
