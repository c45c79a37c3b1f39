//! Several workers against one, on generated graphs that are large enough to be shared: levels of thousands of states, components above the size from which all workers look at one
//! together, tables that grow and are packed anew while they are filled.
//!
//! What one worker says is tested elsewhere, against definitions; here it is the measure. Paths are judged by `judge`, which knows the graph and the definitions only.

mod graph;
mod judge;
mod limits;
mod liveness;
mod properties;
mod safety;
mod shapes;
mod stress;
mod trouble;
