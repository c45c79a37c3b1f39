//! Layouts: nothing covers anything, ranks lie below each other.

use crate::random::{cases, graph, lts};
use fairhold_structure::{Graph, Layout, Link, Place, Size, layout};
use proptest::prelude::*;

fn sized(graph: &Graph) -> (Vec<u32>, Vec<Size>, Vec<Link>) {
    let ranks = graph.nodes.iter().map(|n| n.depth).collect();
    let size = |i: usize| Size {
        width: 30.0 + (i * 37 % 70) as f64,
        height: 20.0 + (i * 13 % 40) as f64,
    };
    let links = graph.arrows().into_iter().map(|arrow| Link {
        from: arrow.from.index(),
        to: arrow.to.index(),
        label: Size {
            width: 10.0 + 20.0 * arrow.labels.len() as f64,
            height: 12.0 * arrow.labels.len() as f64,
        },
    });
    (ranks, (0..graph.nodes.len()).map(size).collect(), links.collect())
}

fn apart(a: &Place, b: &Place) -> bool {
    let across = (a.x - b.x).abs() + 0.01 >= (a.size.width + b.size.width) / 2.0;
    let along = (a.y - b.y).abs() + 0.01 >= (a.size.height + b.size.height) / 2.0;
    across || along
}

fn inside(layout: &Layout, place: &Place) -> bool {
    let (w, h) = (place.size.width / 2.0, place.size.height / 2.0);
    place.x - w >= 0.0
        && place.y - h >= 0.0
        && place.x + w <= layout.size.width
        && place.y + h <= layout.size.height
}

/// Nothing overlaps, everything is in the picture, ranks are in order, arrows start and end at their states.
fn check(ranks: &[u32], links: &[Link], layout: &Layout) {
    let labels: Vec<Place> = layout.routes.iter().map(|r| r.label).collect();
    let all: Vec<Place> = layout.nodes.iter().chain(&labels).copied().collect();
    for (i, a) in all.iter().enumerate() {
        assert!(inside(layout, a), "{a:?} is outside {:?}", layout.size);
        for b in &all[..i] {
            assert!(apart(a, b), "{a:?} and {b:?} overlap");
        }
    }
    for (i, a) in layout.nodes.iter().enumerate() {
        for (j, b) in layout.nodes.iter().enumerate() {
            if ranks[i] < ranks[j] {
                assert!(
                    a.y + a.size.height / 2.0 < b.y - b.size.height / 2.0,
                    "ranks are in order"
                );
            }
            if ranks[i] == ranks[j] {
                assert!((a.y - b.y).abs() < 0.01, "a rank is a row");
            }
        }
    }
    let touches = |place: &Place, (x, y): (f64, f64)| {
        (x - place.x).abs() <= place.size.width / 2.0 + 0.01
            && (y - place.y).abs() <= place.size.height / 2.0 + 0.01
    };
    for (link, route) in links.iter().zip(&layout.routes) {
        assert!(
            touches(&layout.nodes[link.from], route.start),
            "an arrow starts at its state"
        );
        let end = route.curves.last().expect("an arrow has a curve")[2];
        assert!(touches(&layout.nodes[link.to], end), "an arrow ends at its state");
        for (x, y) in route.curves.iter().flatten() {
            assert!(x.is_finite() && y.is_finite());
        }
    }
}

#[test]
fn no_state_at_all() {
    let empty = layout(&[], &[], &[]);
    assert!(empty.nodes.is_empty() && empty.size.width.is_finite() && empty.size.height.is_finite());
}

#[test]
fn a_chain_is_straight() {
    let size = Size {
        width: 30.0,
        height: 20.0,
    };
    let link = |from, to| Link {
        from,
        to,
        label: size,
    };
    let links = [link(0, 1), link(1, 2)];
    let layout = layout(&[0, 1, 2], &[size; 3], &links);
    check(&[0, 1, 2], &links, &layout);
    for place in &layout.nodes {
        assert!((place.x - layout.nodes[0].x).abs() < 0.5, "{:?}", layout.nodes);
    }
}

#[test]
fn crossings_are_removed() {
    // Two states below each of two; drawn in the order given, all arrows of one would cross those of the other.
    let size = Size {
        width: 30.0,
        height: 20.0,
    };
    let links: Vec<Link> = [(0, 1), (0, 2), (1, 4), (1, 6), (2, 3), (2, 5)]
        .map(|(from, to)| Link {
            from,
            to,
            label: size,
        })
        .into();
    let ranks = [0, 1, 1, 2, 2, 2, 2];
    let layout = layout(&ranks, &[size; 7], &links);
    check(&ranks, &links, &layout);
    let x = |i: usize| layout.nodes[i].x;
    let left = x(1) < x(2);
    for (a, b) in [(4, 3), (4, 5), (6, 3), (6, 5)] {
        assert_eq!(x(a) < x(b), left, "{:?}", layout.nodes);
    }
}

proptest! {
    #![proptest_config(cases(128))]

    #[test]
    fn nothing_covers_anything(lts in lts(25)) {
        let (ranks, sizes, links) = sized(&graph(&lts));
        let placed = layout(&ranks, &sizes, &links);
        check(&ranks, &links, &placed);
        prop_assert_eq!(placed, layout(&ranks, &sizes, &links));
    }
}
