//! CSP#: the language PAT speaks, from text to systems that step.
//!
//! ```text
//! text ─syntax─▶ tree ─resolve─▶ Model ─┬─reference─▶ steps, slow and obvious
//!                                       └─compile───▶ System, the one to run
//! ```
//!
//! [`model`] and [`term`] are what the front end produces. [`mod@reference`] transcribes the structural operational rules,
//! one function a rule; [`compile`] must produce the same graph and is tested against it.

mod alphabet;
mod annotation;
mod close;
pub mod compile;
mod display;
mod expr;
pub mod library;
mod live;
pub mod model;
mod naming;
mod normal;
pub mod reference;
pub mod resolve;
mod root;
pub mod state;
pub mod syntax;
pub mod term;
mod unfolding;
mod value;

pub use root::process_count;
