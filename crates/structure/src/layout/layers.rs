//! Items in layers: states in the even ones, labels in the odd ones, and tracks in both.

use super::{Link, Size};
use std::collections::BTreeMap;

/// How far a loop at a state sticks out.
pub(crate) const LOOP: f64 = 26.0;

/// What takes room in a layer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    /// A state, by number.
    Node,
    /// The label of an arrow.
    Label,
    /// Where arrows pass.
    Track,
}

/// Something in a layer.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Item {
    pub(crate) kind: Kind,
    pub(crate) layer: usize,
    /// Room to the left of its middle.
    pub(crate) left: f64,
    /// Room to the right of its middle.
    pub(crate) right: f64,
    pub(crate) height: f64,
}

/// All items, their order in each layer, and which are linked. The first items are the states.
pub(crate) struct Layers {
    pub(crate) items: Vec<Item>,
    /// The items of a layer from left to right.
    pub(crate) order: Vec<Vec<usize>>,
    /// Linked items in the layer above, each once.
    pub(crate) above: Vec<Vec<usize>>,
    /// Linked items in the layer below, each once.
    pub(crate) below: Vec<Vec<usize>>,
    /// For each arrow, the items between its ends; the first is its label. Empty for a loop.
    pub(crate) ways: Vec<Vec<usize>>,
    /// Arrows within a rank: start, label, end.
    pub(crate) level: Vec<[usize; 3]>,
}

impl Layers {
    pub(crate) fn new(ranks: &[u32], sizes: &[Size], links: &[Link]) -> Layers {
        let deepest = ranks.iter().max().copied().unwrap_or(0) as usize;
        let mut layers = Layers {
            items: Vec::new(),
            order: vec![Vec::new(); 2 * deepest + 2],
            above: Vec::new(),
            below: Vec::new(),
            ways: Vec::new(),
            level: Vec::new(),
        };
        for (&rank, size) in ranks.iter().zip(sizes) {
            layers.add(Kind::Node, 2 * rank as usize, *size);
        }
        let mut tracks: BTreeMap<(usize, usize), usize> = BTreeMap::new();
        for link in links {
            let way = if link.from == link.to {
                let node = &mut layers.items[link.from];
                node.right += LOOP + link.label.width;
                node.height = node.height.max(link.label.height);
                Vec::new()
            } else {
                layers.way(link, &mut tracks)
            };
            layers.ways.push(way);
        }
        layers
    }

    fn add(&mut self, kind: Kind, layer: usize, size: Size) -> usize {
        let item = self.items.len();
        self.items.push(Item {
            kind,
            layer,
            left: size.width / 2.0,
            right: size.width / 2.0,
            height: size.height,
        });
        self.order[layer].push(item);
        self.above.push(Vec::new());
        self.below.push(Vec::new());
        item
    }

    /// The items an arrow passes, its label first, linked one to the next.
    fn way(&mut self, link: &Link, tracks: &mut BTreeMap<(usize, usize), usize>) -> Vec<usize> {
        let (start, end) = (self.items[link.from].layer, self.items[link.to].layer);
        let up = end < start;
        let layer = if up { start - 1 } else { start + 1 };
        let label = self.add(Kind::Label, layer, link.label);
        self.link(link.from, label);
        if start == end {
            self.link(link.to, label);
            self.level.push([link.from, label, link.to]);
            return vec![label];
        }
        let mut way = vec![label];
        let mut last = label;
        let between: Vec<usize> = if up {
            (end + 1..layer).rev().collect()
        } else {
            (layer + 1..end).collect()
        };
        for layer in between {
            let track = match tracks.get(&(link.to, layer)) {
                Some(&track) => track,
                None => {
                    let track = self.add(Kind::Track, layer, Size::default());
                    tracks.insert((link.to, layer), track);
                    track
                }
            };
            self.link(last, track);
            way.push(track);
            last = track;
        }
        self.link(last, link.to);
        way
    }

    fn link(&mut self, a: usize, b: usize) {
        let (upper, lower) = if self.items[a].layer < self.items[b].layer {
            (a, b)
        } else {
            (b, a)
        };
        debug_assert_eq!(
            self.items[upper].layer + 1,
            self.items[lower].layer,
            "links join neighbouring layers"
        );
        if !self.below[upper].contains(&lower) {
            self.below[upper].push(lower);
            self.above[lower].push(upper);
        }
    }
}
