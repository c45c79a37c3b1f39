//! The union-find used by one thread: every operation against plain sets, in random order.
#![cfg(not(loom))]

use fairhold_store::{Claim, MAX_WORKERS, UnionFind};
use fairhold_testkit::{Rng, cases};
use std::collections::BTreeSet;

/// A set as one would write it down.
#[derive(Clone, Default)]
struct Plain {
    members: BTreeSet<u32>,
    live: BTreeSet<u32>,
    workers: BTreeSet<u32>,
    dead: bool,
}

/// The sets of all nodes; a node's is found by looking.
struct Model(Vec<Plain>);

impl Model {
    fn new(nodes: u32) -> Model {
        Model((0..nodes).map(Model::fresh).collect())
    }

    fn fresh(node: u32) -> Plain {
        Plain {
            members: BTreeSet::from([node]),
            live: BTreeSet::from([node]),
            ..Plain::default()
        }
    }

    fn position(&self, node: u32) -> usize {
        let position = self.0.iter().position(|set| set.members.contains(&node));
        position.expect("every node is in a set")
    }

    fn of(&mut self, node: u32) -> &mut Plain {
        let position = self.position(node);
        &mut self.0[position]
    }

    fn unite(&mut self, a: u32, b: u32) {
        if self.position(a) != self.position(b) {
            let position = self.position(b);
            let other = self.0.swap_remove(position);
            let set = self.of(a);
            set.members.extend(other.members);
            set.live.extend(other.live);
            set.workers.extend(other.workers);
        }
    }
}

fn members(sets: &UnionFind, node: u32) -> Vec<u32> {
    sets.members(node).collect()
}

/// One random operation on both. Sets without a live node are united too, which the search never does.
fn step(sets: &UnionFind, model: &mut Model, nodes: u32, rng: &mut Rng) {
    let mut node = || rng.below(nodes as usize) as u32;
    let (a, b) = (node(), node());
    let set = model.of(a);
    match rng.below(12) {
        0..3 => {
            let worker = rng.below(MAX_WORKERS as usize) as u32;
            let expected = match (set.dead, set.workers.contains(&worker)) {
                (true, _) => Claim::Dead,
                (false, true) => Claim::Found,
                (false, false) => Claim::Entered,
            };
            assert_eq!(sets.claim(a, worker), expected);
            if !set.dead {
                set.workers.insert(worker);
            }
        }
        3..6 => {
            if !set.dead && !model.of(b).dead {
                sets.unite(a, b);
                model.unite(a, b);
            }
        }
        6..8 => {
            sets.done(a);
            set.live.remove(&a);
        }
        8 => match sets.pick(a) {
            Some(picked) => assert!(set.live.contains(&picked)),
            None => assert!(set.live.is_empty()),
        },
        9 => {
            if set.live.is_empty() {
                assert_eq!(sets.kill(a), !set.dead);
                set.dead = true;
            }
        }
        10 => {
            let mut found = members(sets, a);
            found.sort_unstable();
            assert!(found.iter().eq(&set.members));
        }
        _ => {
            let expected = model.position(a) == model.position(b);
            assert_eq!(sets.same_set(a, b), expected);
            assert_eq!(sets.find(a) == sets.find(b), expected);
            assert_eq!(sets.is_dead(a), model.of(a).dead);
            assert_eq!(sets.is_done(a), !model.of(a).live.contains(&a));
        }
    }
}

#[test]
fn like_plain_sets() {
    for case in 0..cases(1000) {
        let mut rng = Rng::new(case as u64);
        let nodes = 2 + rng.below(12) as u32;
        let mut sets = UnionFind::new();
        sets.grow(nodes as usize);
        let mut model = Model::new(nodes);
        for _ in 0..200 {
            step(&sets, &mut model, nodes, &mut rng);
            if rng.chance(1, 100) {
                // A whole set becomes fresh.
                let position = model.position(rng.below(nodes as usize) as u32);
                for node in model.0.swap_remove(position).members {
                    sets.reset(node);
                    model.0.push(Model::fresh(node));
                }
            }
        }
    }
}

#[test]
fn room_grows_by_chunks_and_keeps_what_is_there() {
    let mut sets = UnionFind::new();
    assert_eq!((sets.capacity(), sets.bytes()), (0, 0));
    sets.grow(1);
    let chunk = sets.capacity();
    sets.unite(0, chunk as u32 - 1);
    assert_eq!(sets.growth(chunk).taken, 0);
    assert_eq!(sets.growth(3 * chunk).taken, 2 * 16 * chunk as u64);
    let before = sets.bytes();
    sets.grow(2 * chunk + 1);
    assert_eq!(sets.capacity(), 3 * chunk);
    assert!(sets.bytes() - before >= 2 * 16 * chunk as u64);
    let last = 3 * chunk as u32 - 1;
    assert_eq!(members(&sets, last), [last]);
    sets.unite(0, last);
    assert!(sets.same_set(chunk as u32 - 1, last));
    assert_eq!(members(&sets, 0).len(), 3);
}

#[test]
#[should_panic(expected = "index out of bounds")]
fn a_node_without_room_is_a_fault() {
    UnionFind::new().find(0);
}
