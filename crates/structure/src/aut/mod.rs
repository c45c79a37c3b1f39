//! The Aldebaran format: a labelled transition system, one step a line.
//!
//! ```text
//! des (0, 3, 3)
//! (0, coin, 1)
//! (1, "cup !small", 2)
//! (2, i, 0)
//! ```
//!
//! The header gives the initial state, the number of steps and the number of states; states are numbers from 0. A label
//! is quoted or not. What the format leaves open is settled so that a system survives being written and read:
//!
//! - `tau`, quoted or not, is the silent event, and so is `i` without quotes, as CADP writes it. `"i"` is an event `i`.
//! - A state without steps that a step labelled `terminate` leads to is the end of a successful termination. Any other
//!   state without steps is a deadlock.
//! - In quotes, `\"` stands for a quote and `\\` for a backslash. Elsewhere a backslash is a backslash.
//! - Blank lines, and lines that start with `//` or `#`, mean nothing. A repeated step is one step.

mod read;
mod write;

pub use read::read_aut;
pub use write::{graph_to_aut, write_aut};
