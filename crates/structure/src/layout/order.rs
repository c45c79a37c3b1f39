//! The order within a layer: sweeps down and up, each item to the mean place of its neighbours; the order with the fewest
//! crossings is kept.

use super::layers::Layers;

/// How often the layers are swept, down and up.
const SWEEPS: usize = 16;

/// Orders the items of every layer.
pub(crate) fn order(layers: &mut Layers) {
    let mut places = vec![0.0; layers.items.len()];
    for layer in &layers.order {
        number(layer, &mut places);
    }
    let mut best = (crossings(layers, &places), layers.order.clone());
    for sweep in 0..SWEEPS {
        let count = layers.order.len();
        for i in 0..count {
            let down = sweep % 2 == 0;
            let layer = if down { i } else { count - 1 - i };
            let neighbours = if down { &layers.above } else { &layers.below };
            sort(&mut layers.order[layer], neighbours, &mut places);
        }
        let found = crossings(layers, &places);
        if found < best.0 {
            best = (found, layers.order.clone());
        }
        if best.0 == 0 {
            break;
        }
    }
    layers.order = best.1;
    swap_neighbours(layers, &mut places);
}

fn number(layer: &[usize], places: &mut [f64]) {
    for (place, &item) in layer.iter().enumerate() {
        places[item] = place as f64;
    }
}

/// Sorts a layer by the mean place of neighbours; items without any stay about where they are.
fn sort(layer: &mut [usize], neighbours: &[Vec<usize>], places: &mut [f64]) {
    let mean = |item: usize| {
        let near = &neighbours[item];
        if near.is_empty() {
            return places[item];
        }
        near.iter().map(|&n| places[n]).sum::<f64>() / near.len() as f64
    };
    let mut keyed: Vec<(f64, usize)> = layer.iter().map(|&item| (mean(item), item)).collect();
    // The sort is stable: ties stay in their order.
    keyed.sort_by(|a, b| a.0.total_cmp(&b.0));
    for (slot, (_, item)) in layer.iter_mut().zip(keyed) {
        *slot = item;
    }
    number(layer, places);
}

/// Exchanges neighbours as long as that removes crossings: what means alone do not see.
fn swap_neighbours(layers: &mut Layers, places: &mut [f64]) {
    const ROUNDS: usize = 8;
    for layer in &layers.order {
        number(layer, places);
    }
    for _ in 0..ROUNDS {
        let mut improved = false;
        for layer in &mut layers.order {
            for i in 1..layer.len() {
                let (a, b) = (layer[i - 1], layer[i]);
                let between = |near: &[Vec<usize>]| {
                    let pairs = |p: usize, q: usize| {
                        let crossed = |&x: &usize| near[q].iter().filter(|&&y| places[x] > places[y]).count();
                        near[p].iter().map(crossed).sum::<usize>()
                    };
                    (pairs(a, b), pairs(b, a))
                };
                let (above, below) = (between(&layers.above), between(&layers.below));
                if above.1 + below.1 < above.0 + below.0 {
                    layer.swap(i - 1, i);
                    (places[a], places[b]) = (i as f64, (i - 1) as f64);
                    improved = true;
                }
            }
        }
        if !improved {
            break;
        }
    }
}

/// How many pairs of links cross: inversions between neighbouring layers, counted with a Fenwick tree.
pub(crate) fn crossings(layers: &Layers, places: &[f64]) -> u64 {
    let mut total = 0;
    for pair in layers.order.windows(2) {
        let mut tree = vec![0u64; pair[1].len() + 1];
        let mut links = 0;
        for &upper in &pair[0] {
            let mut ends: Vec<usize> = layers.below[upper].iter().map(|&l| places[l] as usize).collect();
            ends.sort_unstable();
            // Links of one item do not cross each other, so all are counted before any is entered.
            for &end in &ends {
                let mut i = end + 1;
                let mut left = 0;
                while i > 0 {
                    left += tree[i];
                    i &= i - 1;
                }
                total += links - left;
            }
            for &end in &ends {
                let mut i = end + 1;
                while i < tree.len() {
                    tree[i] += 1;
                    i += i & i.wrapping_neg();
                }
            }
            links += ends.len() as u64;
        }
    }
    total
}
