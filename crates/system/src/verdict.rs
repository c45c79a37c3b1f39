//! Answers.

/// The answer to an assertion.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Verdict {
    /// It holds.
    Holds,
    /// It does not, and there is a counterexample where one can exist.
    Fails,
    /// Gave up: time, memory, bound, interrupted, not supported.
    Unknown,
    /// The model itself went wrong on the way.
    Error,
}

impl Verdict {
    /// The word in text and JSON.
    pub fn word(self) -> &'static str {
        match self {
            Verdict::Holds => "holds",
            Verdict::Fails => "fails",
            Verdict::Unknown => "unknown",
            Verdict::Error => "error",
        }
    }

    /// The verdict with this word.
    pub fn from_word(word: &str) -> Option<Verdict> {
        [Verdict::Holds, Verdict::Fails, Verdict::Unknown, Verdict::Error]
            .into_iter()
            .find(|v| v.word() == word)
    }
}
