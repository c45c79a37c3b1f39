//! Source files, spans, diagnostics and their rendering.
//!
//! A front end never fails: it returns what it understood and a list of [`Diagnostic`]s. Whoever talks to
//! the user renders them. This crate does no I/O; texts are handed in.

mod diagnostic;
mod file;
mod render;
mod suggest;

pub use diagnostic::{Diagnostic, Severity};
pub use file::{FileId, Position, SourceFile, SourceMap, Span};
pub use render::{render, render_all};
pub use suggest::{did_you_mean, nearest};
