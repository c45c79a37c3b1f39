//! Population protocols: finite-state nodes that meet in pairs, on a network of a given shape.
//!
//! A text (`.pp`) is read and checked into a [`Protocol`]; from there on everything is separate.

mod bounds;
mod code;
mod coding;
mod counted_judge;
mod counting;
mod csp;
mod diagram;
mod fault;
mod judge;
mod lift;
mod model;
mod resolve;
mod rows;
mod start;
mod syntax;
mod system;

pub use counted_judge::{CountedJudge, is_counted};
pub use counting::{CountedStepper, CountedSystem, tells_nodes_apart};
pub use csp::to_csp;
pub use diagram::Diagram;
pub use judge::{Configuration, Oracle, ProtocolJudge};
pub use lift::lift;
pub use model::{
    Action, Assertion, Assign, Atom, Detector, Expr, Field, FieldId, Initial, Operator, Place, Protocol,
    Question, Rule, Schedule, Shape, Topology,
};
pub use resolve::{read_assertion, read_atom, read_fairness, read_protocol, size_name};
pub use system::{ProtocolStepper, ProtocolSystem};
