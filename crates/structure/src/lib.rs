//! Explicit graphs: read them, check them, draw them.
//!
//! ```text
//! .aut ──read──▶ Lts ──▶ LtsSystem (to search), LtsJudge (to trust)
//! any System ──unfold──▶ Graph ──┬─▶ .aut, JSON
//!                                ├─▶ DOT
//!                                └─▶ layout ─▶ SVG
//! ```
//!
//! | file | what it does |
//! |---|---|
//! | `lts` | [`Lts`]: a labelled transition system as a table |
//! | `aut` | [`read_aut`], [`write_aut`]: the Aldebaran format |
//! | `system`, `judge` | an [`Lts`] as a system that is searched, and as the judge of what was found |
//! | `property` | [`read_fairness, read_property`]: what can be asked of an [`Lts`] |
//! | `graph` | [`Graph`]: the reachable part of any system, written down |
//! | `highlight` | a run, found again in a graph |
//! | `caption` | what is written on states and arrows |
//! | `layout`, `svg`, `dot`, `json` | a graph as a picture and as data |
//!
//! Nothing here does I/O.

mod alphabet;
mod aut;
mod caption;
mod dot;
mod graph;
mod highlight;
mod json;
mod judge;
mod kts;
mod layout;
mod lts;
mod property;
mod svg;
mod system;

pub use alphabet::{Alphabet, LabelId};
pub use aut::{graph_to_aut, read_aut, write_aut};
pub use dot::graph_to_dot;
pub use graph::{Arrow, Graph, GraphLabel, GraphStep, Node, unfold};
pub use highlight::NotInGraph;
pub use json::graph_to_json;
pub use judge::LtsJudge;
pub use kts::{Structure, read_kts};
pub use layout::{Layout, Link, Place, Route, Size, layout};
pub use lts::{Description, Lts, LtsStep, Owner, StateSet};
pub use property::{
    Atom, Comparison, Condition, Property, Question, read_atom, read_fairness, read_formula, read_property,
    read_property_at,
};
pub use svg::graph_to_svg;
pub use system::LtsSystem;
