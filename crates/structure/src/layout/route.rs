//! Arrows as curves through the places of their items.
//!
//! An arrow that leads up or down runs through every layer between its ends once, so its x is a function of its y. The
//! curve is the monotone cubic of [Fritsch-SINUM'80] through the points given: smooth, and without waves between points.
//! Beside states it is vertical. Arrows leave and enter a state at places of their own along its lower or upper side, in
//! the order of where they go.

use super::layers::{Kind, LOOP, Layers};
use super::place::Placed;
use super::{Layout, Link, Place, Route, Size};

/// Distance between the places where arrows meet a state.
const PORT: f64 = 14.0;

type Point = (f64, f64);

/// The finished layout.
pub(crate) fn route(layers: &Layers, placed: &Placed, sizes: &[Size], links: &[Link]) -> Layout {
    let node = |i: usize| Place {
        x: placed.x[i],
        y: placed.y[i],
        size: sizes[i],
    };
    let nodes: Vec<Place> = (0..sizes.len()).map(node).collect();
    let router = Router {
        layers,
        placed,
        nodes: &nodes,
    };
    let routes = links
        .iter()
        .zip(&layers.ways)
        .map(|(link, way)| match way.as_slice() {
            [] => router.round(link),
            way => router.along(link, way),
        })
        .collect();
    Layout {
        size: Size {
            width: placed.width,
            height: placed.height,
        },
        nodes,
        routes,
    }
}

struct Router<'a> {
    layers: &'a Layers,
    placed: &'a Placed,
    nodes: &'a [Place],
}

impl Router<'_> {
    /// A loop at the right side of its state.
    fn round(&self, link: &Link) -> Route {
        let node = self.nodes[link.from];
        let side = node.x + node.size.width / 2.0;
        let reach = side + LOOP * 1.1;
        Route {
            start: (side, node.y - 5.0),
            curves: vec![[
                (reach, node.y - 20.0),
                (reach, node.y + 20.0),
                (side, node.y + 5.0),
            ]],
            label: Place {
                x: side + LOOP - 2.0 + link.label.width / 2.0,
                y: node.y,
                size: link.label,
            },
        }
    }

    fn along(&self, link: &Link, way: &[usize]) -> Route {
        let label = Place {
            x: self.placed.x[way[0]],
            y: self.placed.y[way[0]],
            size: link.label,
        };
        let start = self.port(link.from, way[0]);
        let end = self.port(link.to, way[way.len() - 1]);
        let (from, to) = (
            self.layers.items[link.from].layer,
            self.layers.items[link.to].layer,
        );
        let curves = if from == to {
            let middle = (label.x, label.y);
            let mut curves = corner(start, (start.0, label.y), middle);
            curves.extend(corner(middle, (end.0, label.y), end));
            curves
        } else {
            let mut points = vec![start];
            for &item in way {
                let layer = self.layers.items[item].layer;
                let (x, y) = (self.placed.x[item], self.placed.y[item]);
                if self.layers.items[item].kind == Kind::Track && layer.is_multiple_of(2) {
                    let half = self.placed.heights[layer] / 2.0;
                    let half = if to < from { -half } else { half };
                    points.extend([(x, y - half), (x, y + half)]);
                } else {
                    points.push((x, y));
                }
            }
            points.push(end);
            monotone(&points)
        };
        Route { start, curves, label }
    }

    /// Where the arrows by way of `next` meet a state.
    fn port(&self, node: usize, next: usize) -> Point {
        let below = self.layers.items[next].layer > self.layers.items[node].layer;
        let near = if below {
            &self.layers.below[node]
        } else {
            &self.layers.above[node]
        };
        let mut sorted: Vec<usize> = near.clone();
        sorted.sort_by(|&a, &b| self.placed.x[a].total_cmp(&self.placed.x[b]).then(a.cmp(&b)));
        let at = sorted.iter().position(|&n| n == next);
        let at = at.expect("an arrow's items are linked") as f64;
        let last = (sorted.len() - 1) as f64;
        let place = self.nodes[node];
        let spread = (place.size.width * 0.7).min(PORT * last);
        let offset = if last > 0.0 { at / last - 0.5 } else { 0.0 };
        let half = place.size.height / 2.0;
        let y = if below { place.y + half } else { place.y - half };
        (place.x + offset * spread, y)
    }
}

/// From `a` to `b` by two straight lines with a round corner between them.
fn corner(a: Point, corner: Point, b: Point) -> Vec<[Point; 3]> {
    const ROUND: f64 = 10.0;
    let towards = |end: Point| {
        let (dx, dy) = (end.0 - corner.0, end.1 - corner.1);
        let length = dx.hypot(dy);
        let part = ROUND.min(length / 2.0) / length.max(1.0);
        (corner.0 + dx * part, corner.1 + dy * part)
    };
    let (before, after) = (towards(a), towards(b));
    vec![[a, before, before], [corner, corner, after], [after, b, b]]
}

/// The steepest sideways slant with which an arrow leaves or enters a state.
const SLANT: f64 = 1.0;

/// A smooth curve through points whose y only rises or only falls.
fn monotone(points: &[Point]) -> Vec<[Point; 3]> {
    let secants: Vec<f64> = points
        .windows(2)
        .map(|p| (p[1].0 - p[0].0) / nonzero(p[1].1 - p[0].1))
        .collect();
    let slope = |i: usize| {
        if i == 0 {
            return secants[0].clamp(-SLANT, SLANT);
        }
        if i == points.len() - 1 {
            return secants[i - 1].clamp(-SLANT, SLANT);
        }
        let (before, after) = (secants[i - 1], secants[i]);
        if before * after <= 0.0 {
            return 0.0;
        }
        // The harmonic mean never overshoots.
        2.0 * before * after / (before + after)
    };
    let curve = |i: usize| {
        let (a, b) = (points[i], points[i + 1]);
        let third = (b.1 - a.1) / 3.0;
        [
            (a.0 + slope(i) * third, a.1 + third),
            (b.0 - slope(i + 1) * third, b.1 - third),
            b,
        ]
    };
    (0..points.len() - 1).map(curve).collect()
}

/// A layer without height puts two points on one spot.
fn nonzero(y: f64) -> f64 {
    if y.abs() < 0.1 { 0.1_f64.copysign(y) } else { y }
}
