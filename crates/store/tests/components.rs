//! The parallel search of [Bloemen-PPoPP'16] over random graphs: each strongly connected component is reported exactly
//! once, with exactly its members, whatever the number of workers.
//!
//! The search is the one the union-find is made for, over adjacency lists; Kosaraju's algorithm, of `petgraph`, is the oracle.
#![cfg(not(loom))]

use fairhold_store::{Claim, UnionFind};
use fairhold_testkit::{Rng, cases};
use petgraph::algo::kosaraju_scc;
use petgraph::graph::DiGraph;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

/// Successors of every node.
type Graph = Vec<Vec<u32>>;

/// A node on a worker's stack.
struct Frame {
    node: u32,
    /// The node of its set that is being expanded, and how many of its successors were seen.
    picked: Option<(u32, usize)>,
}

/// What workers share.
struct Search<'a> {
    graph: &'a Graph,
    sets: UnionFind,
    /// How often each node was expanded.
    expanded: Vec<AtomicU32>,
    components: Mutex<Vec<Vec<u32>>>,
}

impl Search<'_> {
    /// Searches from every node that is not dead yet, in an order of the worker's own.
    fn work(&self, worker: u32) {
        let n = self.graph.len();
        let mut rng = Rng::new(u64::from(worker));
        let start = if worker == 0 { 0 } else { rng.below(n) };
        for i in 0..n {
            let node = ((start + i) % n) as u32;
            match self.sets.claim(node, worker) {
                Claim::Dead => {}
                Claim::Entered => self.search(node, worker, &mut rng),
                Claim::Found => panic!("a worker leaves a set only when it is dead"),
            }
        }
    }

    fn search(&self, start: u32, worker: u32, rng: &mut Rng) {
        let mut frames = vec![Frame {
            node: start,
            picked: None,
        }];
        // One node of each set on the path.
        let mut roots = vec![start];
        while let Some(frame) = frames.last_mut() {
            let Some((picked, seen)) = &mut frame.picked else {
                frame.picked = self.sets.pick(frame.node).map(|node| (node, 0));
                if frame.picked.is_none() {
                    let node = frame.node;
                    self.leave(node);
                    if roots.last() == Some(&node) {
                        roots.pop();
                    }
                    frames.pop();
                }
                continue;
            };
            let (from, successors) = (*picked, &self.graph[*picked as usize]);
            if self.sets.is_done(from) {
                frame.picked = None;
                continue;
            }
            if *seen == successors.len() {
                self.expanded[from as usize].fetch_add(1, Relaxed);
                self.sets.done(from);
                frame.picked = None;
                continue;
            }
            // A rotation of its own for each worker.
            let to = successors[(*seen + worker as usize) % successors.len()];
            *seen += 1;
            match self.sets.claim(to, worker) {
                Claim::Dead => {}
                Claim::Entered => {
                    roots.push(to);
                    frames.push(Frame {
                        node: to,
                        picked: None,
                    });
                }
                Claim::Found => {
                    while !self.sets.same_set(from, to) {
                        let top = roots.pop().expect("a set that is found is on the path");
                        let below = *roots.last().expect("a set that is found is on the path");
                        self.sets.unite(top, below);
                    }
                }
            }
            // Lets workers meet in all places, even on one core.
            if rng.chance(1, 16) {
                std::thread::yield_now();
            }
        }
        assert!(roots.is_empty(), "every set on the path dies");
    }

    /// Nothing is left to expand in the node's set.
    fn leave(&self, node: u32) {
        if self.sets.kill(node) {
            let mut members: Vec<u32> = self.sets.members(node).collect();
            for &member in &members {
                assert!(self.sets.is_dead(member) && self.sets.same_set(member, node));
                assert_ne!(
                    self.expanded[member as usize].load(Relaxed),
                    0,
                    "{member} is not expanded"
                );
            }
            members.sort_unstable();
            self.components.lock().unwrap().push(members);
        }
        assert!(self.sets.is_dead(node) && !self.sets.kill(node));
    }
}

/// The components as `threads` workers find them, sorted.
fn parallel(graph: &Graph, threads: u32) -> Vec<Vec<u32>> {
    let mut sets = UnionFind::new();
    sets.grow(graph.len());
    let search = Search {
        graph,
        sets,
        expanded: graph.iter().map(|_| AtomicU32::new(0)).collect(),
        components: Mutex::default(),
    };
    std::thread::scope(|scope| {
        for worker in 1..threads {
            let search = &search;
            scope.spawn(move || search.work(worker));
        }
        search.work(0);
    });
    if threads == 1 {
        assert!(
            search.expanded.iter().all(|n| n.load(Relaxed) == 1),
            "one worker expands once"
        );
    }
    let mut components = search.components.into_inner().unwrap();
    components.sort();
    components
}

/// The components by an algorithm we did not write, sorted.
fn sequential(graph: &Graph) -> Vec<Vec<u32>> {
    let edges = (0u32..)
        .zip(graph)
        .flat_map(|(from, all)| all.iter().map(move |&to| (from, to)));
    let mut other = DiGraph::<(), (), u32>::from_edges(edges);
    while other.node_count() < graph.len() {
        other.add_node(());
    }
    let mut components: Vec<Vec<u32>> = kosaraju_scc(&other)
        .into_iter()
        .map(|component| {
            let mut nodes: Vec<u32> = component.into_iter().map(|node| node.index() as u32).collect();
            nodes.sort_unstable();
            nodes
        })
        .collect();
    components.sort();
    components
}

fn check(graph: &Graph, what: &str) {
    let expected = sequential(graph);
    for threads in [1, 2, 4, 8] {
        let found = parallel(graph, threads);
        if found != expected {
            let wrong = |set: &&Vec<u32>| !expected.contains(set);
            let missed = |set: &&Vec<u32>| !found.contains(set);
            panic!(
                "{what}, {} nodes, {threads} workers: {} components, not {}; the first wrong: {:?}, missed: {:?}",
                graph.len(),
                found.len(),
                expected.len(),
                found.iter().find(wrong),
                expected.iter().find(missed),
            );
        }
    }
}

/// Makes a random graph with so many nodes.
type Shape = fn(usize, &mut Rng) -> Graph;

const SHAPES: &[(&str, Shape)] = &[
    ("sparse", |n, rng| edges(n, n, rng)),
    ("critical", |n, rng| edges(n, 3 * n / 2, rng)),
    ("dense", |n, rng| edges(n, 4 * n, rng)),
    ("cycle", |n, rng| {
        // In a random order, with a few ways across.
        let mut graph = edges(n, n / 8, rng);
        let order = shuffled(n, rng);
        for (i, &node) in order.iter().enumerate() {
            graph[node as usize].push(order[(i + 1) % n]);
        }
        graph
    }),
    ("cycles on a chain", |n, rng| {
        let length = 1 + rng.below(6);
        let mut graph: Graph = vec![Vec::new(); n];
        for (node, successors) in graph.iter_mut().enumerate() {
            if node + 1 < n {
                successors.push(node as u32 + 1);
            }
            if node % length == length - 1 {
                successors.push((node + 1 - length) as u32);
            }
        }
        graph
    }),
    ("one way back", |n, rng| {
        // A chain that is one component only by the last edge of its last node: workers unite everything at the end.
        let mut graph = edges(n, n / 4, rng);
        for (node, successors) in graph.iter_mut().enumerate() {
            successors.retain(|&to| to as usize > node);
            successors.push(((node + 1) % n) as u32);
        }
        graph
    }),
    ("forth and back", |n, rng| {
        let mut graph: Graph = vec![Vec::new(); n];
        for node in 1..n {
            let other = rng.below(node);
            graph[node].push(other as u32);
            if !rng.chance(1, 8) {
                graph[other].push(node as u32);
            }
        }
        graph
    }),
    ("blocks", |n, rng| {
        // Dense parts, with edges between them to higher ones only.
        let size = 1 + rng.below(9);
        let mut graph: Graph = vec![Vec::new(); n];
        for (node, successors) in graph.iter_mut().enumerate() {
            let block = node / size * size;
            for _ in 0..2 {
                successors.push((block + rng.below(size.min(n - block))) as u32);
            }
            if rng.chance(1, 2) {
                successors.push((node + rng.below(n - node)) as u32);
            }
        }
        graph
    }),
];

fn edges(n: usize, count: usize, rng: &mut Rng) -> Graph {
    let mut graph: Graph = vec![Vec::new(); n];
    for _ in 0..count {
        let (from, to) = (rng.below(n), rng.below(n));
        graph[from].push(to as u32);
    }
    graph
}

fn shuffled(n: usize, rng: &mut Rng) -> Vec<u32> {
    let mut order: Vec<u32> = (0..n as u32).collect();
    for i in (1..n).rev() {
        order.swap(i, rng.below(i + 1));
    }
    order
}

#[test]
fn drawn_by_hand() {
    check(&vec![vec![]], "alone");
    check(&vec![vec![0]], "a loop");
    check(&vec![vec![1], vec![0]], "two");
    check(&vec![vec![1, 1], vec![2, 0], vec![2]], "two and one");
    // An eight, which hangs together in its middle only, with a tail at each end.
    let eight = vec![vec![1], vec![2, 3], vec![0], vec![4], vec![1, 5], vec![], vec![0]];
    check(&eight, "an eight");
}

#[test]
fn many_small_graphs() {
    let each = cases(1600) / SHAPES.len();
    for (shape, (name, make)) in SHAPES.iter().enumerate() {
        for case in 0..each {
            let mut rng = Rng::new((shape * 1_000_000 + case) as u64);
            let n = 1 + rng.below(40);
            check(&make(n, &mut rng), name);
        }
    }
}

#[test]
fn some_large_graphs() {
    let each = cases(1600).div_ceil(800);
    for (shape, (name, make)) in SHAPES.iter().enumerate() {
        for case in 0..each {
            let mut rng = Rng::new((shape * 1_000_000 + case) as u64 ^ 0x5eed);
            // More than one chunk of records in some.
            let n = 1000 + rng.below(20_000);
            check(&make(n, &mut rng), name);
        }
    }
}
