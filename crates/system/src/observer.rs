//! Progress, cancellation and limits: one channel between a search and whoever started it.
//!
//! A search knows no clock and no terminal. It calls [`Observer::progress`] every few thousand states and obeys
//! the answer; time limits and Ctrl-C come in that way.

/// How far a search has come.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Progress {
    /// Distinct states visited.
    pub states: u64,
    /// Distinct steps of visited states.
    pub steps: u64,
    /// States met and not yet expanded.
    pub waiting: u64,
    /// Steps from an initial state to the deepest state met.
    pub depth: u64,
    /// Bytes held by the search.
    pub bytes: u64,
}

/// Why a search gave up.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum StopReason {
    /// Out of time.
    Time,
    /// Out of memory.
    Memory,
    /// At the bound on states.
    States,
    /// The user said so.
    Interrupted,
}

/// What a search is told when it reports progress.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Control {
    /// Go on.
    Continue,
    /// Stop, and report what was explored.
    Stop(StopReason),
}

/// Who watches a search.
pub trait Observer: Sync {
    /// Called now and then.
    fn progress(&self, progress: &Progress) -> Control;
}

/// An observer that lets everything pass.
#[derive(Clone, Copy, Debug, Default)]
pub struct Silent;

impl Observer for Silent {
    fn progress(&self, _: &Progress) -> Control {
        Control::Continue
    }
}

/// Bounds a search keeps by itself.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Limits {
    /// At most this many states.
    pub states: Option<u64>,
    /// At most this many bytes held by the search.
    pub bytes: Option<u64>,
    /// Whether to take time rather than memory to keep states.
    pub compact: bool,
    /// At most this many workers; none and one are the same.
    pub threads: usize,
    /// Whether what is found is to be what one worker finds.
    pub reproducible: bool,
    /// Whether a path is to be a shortest one there is, however long that takes to find.
    pub shortest: bool,
}
