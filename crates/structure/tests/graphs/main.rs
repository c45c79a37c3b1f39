//! Graphs read, written, drawn: hand-made ones and random ones.

mod aut;
mod draw;
mod kts;
mod picture;
mod random;
