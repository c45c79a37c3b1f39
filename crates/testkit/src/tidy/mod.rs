//! The rules of tidiness: what holds of every file of the repository, checked by an ordinary test.
//!
//! A rule is a function from text to [`Complaint`]s and reads nothing by itself, so each has a test that it can fail.
//! [`Tree`] collects the files; `tests/tidy.rs` puts the two together. Cost: one pass over the sources.
//!
//! | rules | module |
//! |---|---|
//! | header, length, unfinished code, `unsafe`, absolute paths | [`text`] |
//! | which crate may depend on which | [`arrows`] |
//! | citations, commands and links in prose, the change log | [`prose`] |

pub mod arrows;
pub mod prose;
pub mod text;
mod tree;

pub use tree::Tree;

/// Something that breaks a rule.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Complaint {
    /// The file, from the root of the repository.
    pub path: String,
    /// The line, from 1; 0 for the file as a whole.
    pub line: usize,
    /// What is wrong, and what to do instead.
    pub message: String,
}

impl Complaint {
    /// About a line, numbered from 1.
    pub fn at(path: &str, line: usize, message: impl Into<String>) -> Complaint {
        Complaint {
            path: path.to_owned(),
            line,
            message: message.into(),
        }
    }

    /// About a file as a whole.
    pub fn of(path: &str, message: impl Into<String>) -> Complaint {
        Complaint::at(path, 0, message)
    }
}

impl std::fmt::Display for Complaint {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.line {
            0 => write!(f, "{}: {}", self.path, self.message),
            line => write!(f, "{}:{line}: {}", self.path, self.message),
        }
    }
}
