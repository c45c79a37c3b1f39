//! A layered layout: states in rows by depth, arrows between the rows.
//!
//! The idea is Sugiyama's [Sugiyama-SMC'81]: ranks, an order within each rank, coordinates. Ranks are given (breadth-first
//! depth), so an arrow leads one rank down, stays in its rank, or leads up. Between the ranks of states lie ranks of
//! labels: a label is an item of its own that takes room, so labels cover neither states nor each other. An arrow that
//! passes other ranks does so by narrow items there; all arrows that come from one side to the same state share them, like
//! tracks that meet, which keeps pictures with many arrows back to the start narrow.
//!
//! | file | what it does |
//! |---|---|
//! | `layers` | items and the links between neighbouring layers |
//! | `order` | the order within a layer: barycentre sweeps, fewest crossings kept |
//! | `place` | coordinates: each layer by exact least squares towards its neighbours |
//! | `route` | arrows as curves |
//!
//! Time: a fixed number of sweeps, each linear in items and links but for sorting. Deterministic: no randomness, ties by
//! number. Differs from the paper: shared items for arrows to one target; least squares in place of priorities.

mod layers;
mod order;
mod place;
mod route;

use layers::Layers;

/// The size of something to place.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Size {
    /// From left to right.
    pub width: f64,
    /// From top to bottom.
    pub height: f64,
}

/// An arrow to lay out: its ends, and the size of its label.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Link {
    /// Where it starts.
    pub from: usize,
    /// Where it leads.
    pub to: usize,
    /// The room its label needs.
    pub label: Size,
}

/// A rectangle, by its centre.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Place {
    /// The centre.
    pub x: f64,
    /// The centre.
    pub y: f64,
    /// How large it is.
    pub size: Size,
}

/// The way of an arrow: a start, and pieces that each end where the next starts.
#[derive(Clone, PartialEq, Debug)]
pub struct Route {
    /// Where it leaves its state.
    pub start: (f64, f64),
    /// Cubic curves: two control points and an end.
    pub curves: Vec<[(f64, f64); 3]>,
    /// Where its label goes.
    pub label: Place,
}

/// Where everything goes. The origin is the top left corner.
#[derive(Clone, PartialEq, Debug)]
pub struct Layout {
    /// How large the picture is.
    pub size: Size,
    /// The states, in the order given.
    pub nodes: Vec<Place>,
    /// The arrows, in the order given.
    pub routes: Vec<Route>,
}

/// Places states of these ranks and sizes, and the arrows between them.
///
/// # Panics
/// If there are not as many ranks as sizes, or an arrow's end is no state.
pub fn layout(ranks: &[u32], sizes: &[Size], links: &[Link]) -> Layout {
    assert_eq!(ranks.len(), sizes.len(), "every state has a rank and a size");
    let mut layers = Layers::new(ranks, sizes, links);
    order::order(&mut layers);
    let placed = place::place(&layers);
    route::route(&layers, &placed, sizes, links)
}
