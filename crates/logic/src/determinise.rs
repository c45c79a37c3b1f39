//! Safra's construction: a deterministic Rabin automaton with the language of a Büchi automaton.
//!
//! The idea [Safra-FOCS'88]: run all runs at once, in a tree. The root holds every state that some run has reached. Runs that take an accepting edge branch off into a new child of
//! the node they are in. Once all runs of a node are in its children, each of them has met an accepting edge since the children were made: the node *flashes*, its children
//! dissolve into it, and the game starts again. A word is accepted iff some node, from some position on, is never removed and flashes infinitely often.
//!
//! - A state is kept in one place only, the deepest node it is in. If several runs reach it in different places, older branches win: at the first node where the two ways
//!   from the root part, the one with the smaller number, and a way that goes deeper before one that ends. (Without this, trees would grow without end. Any other order would be wrong: a
//!   run that changes to a younger branch forgets what it has met.)
//! - Nodes are numbered by age, without gaps: when one goes, all younger ones get smaller numbers [Piterman-LICS'06]. For the condition, a node that gets another number is
//!   removed. So a parent has a smaller number than its children, there are at most as many nodes as states, and the numbers need no search.
//!
//! Marks: `2 i` on an edge where node `i` goes or is renamed, `2 i + 1` where it flashes; the condition is Rabin's, some `Fin(2 i) & Inf(2 i + 1)`. Its negation, a conjunction of
//! pairs, is what a search decides without a branch.
//!
//! Differs from the paper: acceptance is on edges; only a node's own runs branch off into its new child, not those of its descendants, who have children for that
//! [Redziejowski-FI'12].
//!
//! Cost: up to `2^O(n log n)` trees for `n` states, as it must be. Only reachable trees are made, and letters are told apart only where the guards of a tree's states do.

use crate::buchi::EDGE_LIMIT;
use crate::simulation::merge_parallel;
use crate::{
    Acceptance, Automaton, Cube, Edge, Guard, MAX_MARKS, MarkId, MarkSet, State, StateIndex, TooLarge,
};
use std::collections::{BTreeMap, HashMap};

/// The most cubes of letters that are looked at to tell apart what the states of a tree tell apart.
const CUBE_LIMIT: usize = 1 << 13;

/// A node of a tree, by its number: older ones have smaller numbers.
type Node = u32;

/// A Safra tree.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct Tree {
    /// The parent of each node; a smaller number, but for the root, which is node 0 and its own.
    parents: Vec<Node>,
    /// The states that runs have reached, ascending, each with the deepest node it is in.
    places: Vec<(StateIndex, Node)>,
}

/// An edge of the Büchi automaton that a run in a tree may take.
struct Move {
    from: Node,
    accepting: bool,
    target: StateIndex,
    /// Its guard, by its number among those of the tree.
    guard: usize,
}

/// A deterministic automaton with the same language, from one with a single mark and the condition `Inf(0)`, or none and `t`. It need not be complete.
pub(crate) fn determinise(buchi: &Automaton) -> Result<Automaton, TooLarge> {
    let mut automaton = Automaton::empty(buchi.atoms.clone());
    automaton.acceptance = Acceptance::False;
    let mut starts = buchi.initial.clone();
    starts.sort_unstable();
    starts.dedup();
    if starts.is_empty() {
        return Ok(automaton);
    }
    let mut trees = vec![Tree {
        parents: vec![0],
        places: starts.into_iter().map(|s| (s, 0)).collect(),
    }];
    let mut numbers: HashMap<Tree, StateIndex> = HashMap::from([(trees[0].clone(), StateIndex(0))]);
    let (mut nodes, mut edges) = (1, 0);
    while let Some(tree) = trees.get(automaton.states.len()) {
        let (guards, moves) = tree.moves(buchi);
        let mut state = State::default();
        for (letters, holding) in classes(&guards)? {
            let taken: Vec<&Move> = moves.iter().filter(|m| holding.contains(&m.guard)).collect();
            let Some((next, marks)) = trees[automaton.states.len()].after(&taken) else {
                continue;
            };
            nodes = nodes.max(next.parents.len());
            if nodes as u32 > MAX_MARKS / 2 {
                return Err(TooLarge::Marks(2 * nodes));
            }
            let target = *numbers.entry(next).or_insert_with_key(|tree| {
                trees.push(tree.clone());
                StateIndex(trees.len() as u32 - 1)
            });
            state.edges.push(Edge {
                guard: letters,
                marks,
                target,
            });
        }
        merge_parallel(&mut state);
        edges += state.edges.len();
        if edges > EDGE_LIMIT {
            return Err(TooLarge::Size(EDGE_LIMIT));
        }
        automaton.states.push(state);
    }
    automaton.initial = vec![StateIndex(0)];
    automaton.marks = 2 * nodes as u32;
    let pair = |node| Acceptance::and([Acceptance::Fin(goes(node)), Acceptance::Inf(flashes(node))]);
    automaton.acceptance = Acceptance::or((0..nodes as Node).map(pair));
    Ok(automaton)
}

fn goes(node: Node) -> MarkId {
    MarkId(2 * node)
}

fn flashes(node: Node) -> MarkId {
    MarkId(2 * node + 1)
}

impl Tree {
    /// The edges that leave the states of the tree, and their guards, each once.
    fn moves<'a>(&self, buchi: &'a Automaton) -> (Vec<&'a Guard>, Vec<Move>) {
        let all = MarkSet::all(buchi.marks);
        let leaving = || {
            let edges =
                |&(state, from): &(StateIndex, Node)| buchi.edges(state).iter().map(move |e| (from, e));
            self.places.iter().flat_map(edges)
        };
        let mut guards: Vec<&Guard> = leaving().map(|(_, edge)| &edge.guard).collect();
        guards.sort_unstable();
        guards.dedup();
        let taken = leaving().map(|(from, edge)| Move {
            from,
            accepting: edge.marks == all,
            target: edge.target,
            guard: guards
                .binary_search(&&edge.guard)
                .expect("the guards of all edges are listed"),
        });
        let moves = taken.collect();
        (guards, moves)
    }

    /// The tree after a letter with which these edges can be taken, and what happens to the nodes; none if no run goes on.
    fn after(&self, taken: &[&Move]) -> Option<(Tree, MarkSet)> {
        let old = self.parents.len();
        let mut parents = self.parents.clone();
        // Runs that take an accepting edge branch off.
        let mut branches = vec![None; old];
        for (node, branch) in (0..).zip(&mut branches) {
            if taken.iter().any(|m| m.accepting && m.from == node) {
                *branch = Some(parents.len() as Node);
                parents.push(node);
            }
        }
        // A state stays in one place.
        let ways: Vec<Vec<Node>> = (0..parents.len() as Node)
            .map(|node| way(&parents, node))
            .collect();
        let mut places: BTreeMap<StateIndex, Node> = BTreeMap::new();
        for m in taken {
            let branch = branches[m.from as usize].filter(|_| m.accepting);
            let node = branch.unwrap_or(m.from);
            let place = places.entry(m.target).or_insert(node);
            if ways[node as usize] < ways[*place as usize] {
                *place = node;
            }
        }
        let mut own = vec![false; parents.len()];
        places.values().for_each(|&node| own[node as usize] = true);
        let mut inhabited = own.clone();
        for node in (1..parents.len()).rev() {
            inhabited[parents[node] as usize] |= inhabited[node];
        }
        if !inhabited[0] {
            return None;
        }
        // Empty nodes go, and so do those below a node that flashes; the others move up.
        let mut next = Vec::new();
        let mut number: Vec<Node> = vec![0; parents.len()];
        let mut dissolves = vec![false; parents.len()];
        let mut flashing = Vec::new();
        let mut first_gone = old;
        for node in 0..parents.len() {
            let parent = parents[node] as usize;
            if !inhabited[node] || (node > 0 && dissolves[parent]) {
                number[node] = number[parent];
                dissolves[node] = true;
                first_gone = first_gone.min(node);
                continue;
            }
            number[node] = next.len() as Node;
            next.push(number[parent]);
            if !own[node] {
                dissolves[node] = true;
                flashing.push(node);
            }
        }
        let renamed = (first_gone..old).map(|node| goes(node as Node));
        let lasting = flashing.into_iter().filter(|&node| node < first_gone);
        let marks = renamed.chain(lasting.map(|node| flashes(node as Node))).collect();
        let places = places.into_iter().map(|(s, node)| (s, number[node as usize]));
        let tree = Tree {
            parents: next,
            places: places.collect(),
        };
        Some((tree, marks))
    }
}

/// The nodes from the root to this one, and an end that comes after every node: so the better of two ways is the smaller.
fn way(parents: &[Node], node: Node) -> Vec<Node> {
    let up = std::iter::successors(Some(node), |&n| (n > 0).then(|| parents[n as usize]));
    let mut way: Vec<Node> = up.collect();
    way.reverse();
    way.push(Node::MAX);
    way
}

/// The letters that satisfy some of the guards, in classes that no guard tells apart; with each, the guards that hold.
///
/// A cube of letters is split at an atom for as long as some guard holds for a part of it only.
fn classes(guards: &[&Guard]) -> Result<Vec<(Guard, Vec<usize>)>, TooLarge> {
    let mut classes: BTreeMap<Vec<usize>, Vec<Cube>> = BTreeMap::new();
    let mut todo = vec![(Cube::TRUE, Vec::new(), (0..guards.len()).collect::<Vec<usize>>())];
    let mut cubes = 0;
    while let Some((letters, mut holding, open)) = todo.pop() {
        let mut still_open = Vec::new();
        let mut atom = None;
        for number in open {
            let parts = guards[number].cubes();
            if parts.iter().any(|part| letters.implies(*part)) {
                holding.push(number);
            } else if let Some(part) = parts.iter().find(|part| letters.and(**part).is_some()) {
                let new = |&(atom, _): &(u32, bool)| (letters.positive | letters.negative) >> atom & 1 == 0;
                atom = atom.or_else(|| part.literals().find(new));
                still_open.push(number);
            }
        }
        if let Some((atom, _)) = atom {
            for sign in [false, true] {
                let half = letters
                    .and(Cube::literal(atom, sign))
                    .expect("an atom that the letters leave open can be given either value");
                todo.push((half, holding.clone(), still_open.clone()));
            }
        } else if !holding.is_empty() {
            holding.sort_unstable();
            classes.entry(holding).or_default().push(letters);
        }
        cubes += 1;
        if cubes > CUBE_LIMIT {
            return Err(TooLarge::Size(CUBE_LIMIT));
        }
    }
    let united = classes
        .into_iter()
        .map(|(holding, cubes)| (Guard::new(cubes), holding));
    Ok(united.collect())
}
