//! The model itself went wrong on the way.

use fairhold_source::Span;

/// What kind of end a fault is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum FaultKind {
    /// The model is wrong: index, division, range, type, failed `assert`. The verdict is `error`.
    Error,
    /// The model outgrew what a state can hold (a process term that grows without end). The verdict is `unknown`.
    Unbounded,
}

/// A run-time fault of a model.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Fault {
    /// Wrong, or too big.
    pub kind: FaultKind,
    /// What happened, as a plain phrase: `index 5 is outside board[0..4]`.
    pub message: String,
    /// Where in the text, if known.
    pub span: Option<Span>,
}
