//! Graphs read, written, drawn: hand-made ones and random ones.

mod aut;
mod draw;
mod picture;
mod random;
