//! Networks: who meets whom.

use super::declare::constant;
use super::names::{Names, Report};
use crate::model::{Shape, Topology};
use crate::syntax::lexer::Token;
use crate::syntax::tree::{self, Edge, Tree};
use fairhold_source::{Diagnostic, Span};
use std::collections::HashMap;

/// A network has no more edges: every one makes an event of every rule.
const MOST_EDGES: u64 = 10_000_000;

/// The network of `names.nodes` nodes.
pub(super) fn network<'t>(
    written: &tree::Topology<'t>,
    tokens: &[Token<'t>],
    names: &Names,
    report: &mut Report,
) -> Option<Topology> {
    let n = names.nodes;
    let directed = !written.undirected;
    let edges = match &written.shape {
        tree::Shape::Graph(edges) => return graph(written, edges, tokens, names, report),
        _ if n < 2 => {
            let message = "a network of one node has no edges";
            return report.error(Diagnostic::error("empty-topology", written.span, message));
        }
        tree::Shape::Complete => {
            let count = u64::from(n) * u64::from(n - 1);
            if count > MOST_EDGES {
                let message = format!("a network with {count} edges");
                let help = format!("it has at most {MOST_EDGES}");
                return report.error(Diagnostic::error("wrong-size", written.span, message).help(help));
            }
            let pairs = (0..n).flat_map(|i| (0..n).filter(move |&r| r != i).map(move |r| (i, r)));
            let (shape, edges) = (Shape::Complete, pairs.collect());
            return Some(Topology { shape, edges });
        }
        tree::Shape::Ring => {
            // Two nodes meet both ways in any case.
            let edges: Vec<_> = (0..n).map(|k| (k, (k + 1) % n)).collect();
            if n == 2 {
                let shape = Shape::Ring { directed };
                return Some(Topology { shape, edges });
            }
            (Shape::Ring { directed }, edges)
        }
        tree::Shape::Line => (Shape::Line { directed }, (1..n).map(|k| (k - 1, k)).collect()),
        tree::Shape::Star => (Shape::Star { directed }, (1..n).map(|k| (0, k)).collect()),
        tree::Shape::Tree => (
            Shape::Tree { directed },
            (1..n).map(|k| ((k - 1) / 2, k)).collect(),
        ),
        tree::Shape::Grid(columns) => {
            let columns = grid_columns(columns, tokens, names, report)?;
            let right = |k: u32| (k % columns + 1 < columns).then_some((k, k + 1));
            let below = |k: u32| (k + columns < n).then_some((k, k + columns));
            let edges = (0..n).flat_map(|k| right(k).into_iter().chain(below(k)));
            (Shape::Grid { columns, directed }, edges.collect())
        }
    };
    let (shape, edges): (Shape, Vec<(u32, u32)>) = edges;
    let edges = match directed {
        true => edges,
        false => edges.into_iter().flat_map(|(i, r)| [(i, r), (r, i)]).collect(),
    };
    Some(Topology { shape, edges })
}

fn grid_columns<'t>(
    columns: &Tree<'t>,
    tokens: &[Token<'t>],
    names: &Names,
    report: &mut Report,
) -> Option<u32> {
    let span = columns.span;
    let columns = constant(names, report, tokens, columns)?;
    let whole = u32::try_from(columns)
        .ok()
        .filter(|&c| c > 0 && names.nodes.is_multiple_of(c));
    if whole.is_none() {
        let message = format!("{} nodes do not fill rows of {columns}", names.nodes);
        let help = "the size must be a multiple of the number of columns";
        return report.error(Diagnostic::error("wrong-grid", span, message).help(help));
    }
    whole
}

fn graph<'t>(
    written: &tree::Topology<'t>,
    edges: &[Edge<'t>],
    tokens: &[Token<'t>],
    names: &Names,
    report: &mut Report,
) -> Option<Topology> {
    if edges.is_empty() {
        let message = "a network without edges: nobody ever meets";
        let help = "list the edges: `graph { 0->1, 1--2 }`";
        return report.error(Diagnostic::error("empty-topology", written.span, message).help(help));
    }
    let before = report.errors();
    let mut known: HashMap<(u32, u32), Span> = HashMap::new();
    let mut list = Vec::new();
    for edge in edges {
        let from = node(&edge.from, tokens, names, report);
        let to = node(&edge.to, tokens, names, report);
        let (Some(from), Some(to)) = (from, to) else {
            continue;
        };
        if from == to {
            let message = format!("node {from} cannot meet itself");
            let _: Option<()> = report.error(Diagnostic::error("self-edge", edge.span, message));
            continue;
        }
        let both = edge.undirected || written.undirected;
        for pair in [(from, to), (to, from)].into_iter().take(1 + usize::from(both)) {
            if let Some(&first) = known.get(&pair) {
                let message = format!("the edge {}->{} is there twice", pair.0, pair.1);
                let twice = Diagnostic::error("duplicate-edge", edge.span, message);
                let _: Option<()> = report.error(twice.also(first, "the first"));
                break;
            }
            known.insert(pair, edge.span);
            list.push(pair);
        }
    }
    (report.errors() == before).then_some(Topology {
        shape: Shape::Graph,
        edges: list,
    })
}

/// A node at the end of an edge.
fn node<'t>(tree: &Tree<'t>, tokens: &[Token<'t>], names: &Names, report: &mut Report) -> Option<u32> {
    let value = constant(names, report, tokens, tree)?;
    let node = u32::try_from(value).ok().filter(|&k| k < names.nodes);
    if node.is_none() {
        let message = format!("there is no node {value}: they are 0 to {}", names.nodes - 1);
        return report.error(Diagnostic::error("unknown-node", tree.span, message));
    }
    node
}
