//! Coordinates.
//!
//! Within a layer the order and the room of each item are given. The places that come closest to where the neighbours
//! want the items, in the sum of weighted squares, are those of an isotonic regression: subtract from every wish the room
//! that is needed to its left, pool neighbours that are then out of order, and add the room again. It is exact and linear.
//! Layers are placed in turn, sweep after sweep, with the others held.

use super::layers::{Item, Kind, Layers};

/// How often the layers are swept.
const SWEEPS: usize = 60;
/// Least distance between layers.
const GAP: f64 = 15.0;
/// Around the whole picture; room for the arrow into an initial state.
const MARGIN: f64 = 30.0;

/// An arrow within a rank runs below it; that many such arrows side by side get heights of their own.
const LANES: usize = 16;

/// Where the items are.
pub(crate) struct Placed {
    /// The middle of every item.
    pub(crate) x: Vec<f64>,
    /// The middle of every item.
    pub(crate) y: Vec<f64>,
    /// The height of every layer.
    pub(crate) heights: Vec<f64>,
    pub(crate) width: f64,
    pub(crate) height: f64,
}

/// Places all items.
pub(crate) fn place(layers: &Layers) -> Placed {
    let mut x = columns(layers);
    centre_level_labels(layers, &mut x);
    let lanes = lanes(layers, &x);
    let mut y = vec![0.0; layers.items.len()];
    let mut heights = Vec::with_capacity(layers.order.len());
    let mut at = MARGIN;
    for (layer, items) in layers.order.iter().enumerate() {
        let tallest = |in_lane: bool| {
            let own = items.iter().filter(|&&i| lanes[i].is_some() == in_lane);
            own.map(|&i| layers.items[i].height).fold(0.0, f64::max)
        };
        // Lanes lie below everything else.
        let (top, lane) = (tallest(false), tallest(true) + 3.0);
        for &item in items {
            y[item] = match lanes[item] {
                None => at + top / 2.0,
                Some(number) => at + top + (number as f64 + 0.5) * lane,
            };
        }
        let deepest = items.iter().filter_map(|&i| lanes[i]).max();
        let height = top + deepest.map_or(0.0, |number| (number + 1) as f64 * lane);
        heights.push(height);
        at += height;
        if layer + 1 < layers.order.len() && !layers.order[layer + 1].is_empty() {
            at += gap(layers, layer, &x);
        }
    }
    let right = |i: usize| x[i] + layers.items[i].right;
    let width = (0..x.len()).map(right).fold(0.0, f64::max) + MARGIN;
    Placed {
        x,
        y,
        heights,
        width,
        height: at + MARGIN,
    }
}

/// A label in a lane has its height to itself, so it may go where it reads best: between the ends of its arrow.
fn centre_level_labels(layers: &Layers, x: &mut [f64]) {
    const CORNER: f64 = 24.0;
    for &[from, label, to] in &layers.level {
        let (low, high) = (x[from].min(x[to]), x[from].max(x[to]));
        let room = layers.items[label].left + CORNER;
        x[label] = if high - low > 2.0 * room {
            x[label].clamp(low + room, high - room)
        } else {
            f64::midpoint(low, high)
        };
    }
}

/// The lane of every label of an arrow within a rank: arrows side by side do not share one, and short arrows get the upper
/// ones, so that arrows around others do not cross them.
fn lanes(layers: &Layers, x: &[f64]) -> Vec<Option<usize>> {
    let mut found = vec![None; layers.items.len()];
    let span = |items: &[usize; 3]| {
        let label = &layers.items[items[1]];
        let ends = [
            x[items[0]],
            x[items[2]],
            x[items[1]] - label.left,
            x[items[1]] + label.right,
        ];
        let fold = |pick: fn(f64, f64) -> f64| ends.into_iter().reduce(pick).unwrap_or(0.0);
        (fold(f64::min), fold(f64::max))
    };
    let mut spans: Vec<(usize, usize, f64, f64)> = layers
        .level
        .iter()
        .map(|items| (layers.items[items[1]].layer, items[1], span(items)))
        .map(|(layer, label, (from, to))| (layer, label, from, to))
        .collect();
    spans.sort_by(|a, b| {
        a.0.cmp(&b.0)
            .then((a.3 - a.2).total_cmp(&(b.3 - b.2)))
            .then(a.1.cmp(&b.1))
    });
    for (i, &(layer, label, from, to)) in spans.iter().enumerate() {
        let beside = |other: &&(usize, usize, f64, f64)| other.0 == layer && other.2 < to && from < other.3;
        let mut taken = [false; LANES];
        for other in spans[..i].iter().filter(beside) {
            if let Some(lane) = found[other.1] {
                taken[lane] = true;
            }
        }
        let free = taken.iter().position(|t| !t);
        // With all lanes taken, some arrows must run over others.
        found[label] = Some(free.unwrap_or(i % LANES));
    }
    found
}

/// Links that go far sideways need more room to do so.
fn gap(layers: &Layers, layer: usize, x: &[f64]) -> f64 {
    let mut farthest: f64 = 0.0;
    for &upper in &layers.order[layer] {
        for &lower in &layers.below[upper] {
            farthest = farthest.max((x[upper] - x[lower]).abs());
        }
    }
    GAP + (farthest * 0.06).min(60.0)
}

/// The x of every item.
fn columns(layers: &Layers) -> Vec<f64> {
    let mut x = vec![0.0; layers.items.len()];
    for layer in &layers.order {
        let mut at = 0.0;
        for (i, &item) in layer.iter().enumerate() {
            if i > 0 {
                at += distance(&layers.items[layer[i - 1]], &layers.items[item]);
            }
            x[item] = at;
        }
        for &item in layer {
            x[item] -= at / 2.0;
        }
    }
    for sweep in 0..SWEEPS {
        let count = layers.order.len();
        // The first sweeps look one way only, which spreads what is wide; the last look both ways, which settles it.
        let both = sweep >= SWEEPS / 2;
        let down = sweep % 2 == 0;
        for i in 0..count {
            let layer = if down { i } else { count - 1 - i };
            regress(layers, layer, both || down, both || !down, &mut x);
        }
    }
    let left = |i: usize| x[i] - layers.items[i].left;
    let least = (0..x.len()).map(left).fold(f64::INFINITY, f64::min);
    if least.is_finite() {
        x.iter_mut().for_each(|x| *x += MARGIN - least);
    }
    x
}

/// Places one layer, the others held.
fn regress(layers: &Layers, layer: usize, above: bool, below: bool, x: &mut [f64]) {
    struct Pool {
        sum: f64,
        weight: f64,
        count: usize,
    }
    let items = &layers.order[layer];
    let mut pools: Vec<Pool> = Vec::with_capacity(items.len());
    let mut rooms = Vec::with_capacity(items.len());
    let mut room = 0.0;
    for (i, &item) in items.iter().enumerate() {
        if i > 0 {
            room += distance(&layers.items[items[i - 1]], &layers.items[item]);
        }
        rooms.push(room);
        let (wish, weight) = wish(layers, item, above, below, x);
        let mut pool = Pool {
            sum: (wish - room) * weight,
            weight,
            count: 1,
        };
        while let Some(last) = pools.last()
            && last.sum / last.weight > pool.sum / pool.weight
        {
            pool.sum += last.sum;
            pool.weight += last.weight;
            pool.count += last.count;
            pools.pop();
        }
        pools.push(pool);
    }
    let mut i = 0;
    for pool in &pools {
        for _ in 0..pool.count {
            x[items[i]] = pool.sum / pool.weight + rooms[i];
            i += 1;
        }
    }
}

/// Where the neighbours want an item, and how much.
fn wish(layers: &Layers, item: usize, above: bool, below: bool, x: &[f64]) -> (f64, f64) {
    let near = [(above, &layers.above[item]), (below, &layers.below[item])];
    let near = near.into_iter().filter(|(take, _)| *take).flat_map(|(_, n)| n);
    // An item that nobody pulls stays where it is.
    let (mut sum, mut weight) = (0.01 * x[item], 0.01);
    for &other in near {
        let pull = pull(layers.items[item].kind, layers.items[other].kind);
        sum += pull * x[other];
        weight += pull;
    }
    (sum / weight, weight)
}

/// Long arrows should be straight, even if short ones bend for it.
fn pull(a: Kind, b: Kind) -> f64 {
    match (a, b) {
        (Kind::Track, Kind::Track) => 8.0,
        (Kind::Track, _) | (_, Kind::Track) => 0.4,
        _ => 1.0,
    }
}

/// Least distance between the middles of two neighbours.
fn distance(a: &Item, b: &Item) -> f64 {
    let space = match (a.kind, b.kind) {
        (Kind::Node, Kind::Node) => 26.0,
        (Kind::Track, Kind::Track) => 10.0,
        (Kind::Label, Kind::Label) => 10.0,
        _ => 14.0,
    };
    a.right + space + b.left
}
