//! The searches against hand-drawn graphs and naive oracles on random ones.

mod explicit;
mod hand_drawn;
mod judge;
mod limits;
mod random;
