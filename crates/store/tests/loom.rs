//! The union-find, and the table's find-or-put, under every schedule of a few threads, and every value a load may return, as `loom` tries them.
//!
//! `cargo xtask test --all` runs these models; by hand it is
//! `RUSTFLAGS="--cfg loom" cargo test -p fairhold-store --release --test loom`, best with a target folder of its own.
//!
//! Two things about loom (0.7) shape them. It finds a race only with the last access to a word, so a load that comes first is
//! overlooked if the other thread loads before it writes: hence each model runs once for each thread to come first.
//! And it lets two threads that wait yield to each other for ever: hence at most one thread of a model waits.
//!
//! Under loom all states have the same home and the same tag, so that every search meets all states before its own.
#![cfg(loom)]

use fairhold_store::{Batch, Claim, Inserted, Lease, StateId, StateTable, UnionFind};
use fairhold_system::{EventId, Label, ProcessesId, Steps};
use loom::model::Builder;
use loom::sync::Arc;
use loom::sync::atomic::{AtomicU32, Ordering::Relaxed};

/// Actions side by side on something shared.
struct Race<S> {
    /// How often a schedule may take the processor from a thread that could go on.
    preemptions: usize,
    set_up: Box<dyn Fn() -> S + Send + Sync>,
    actions: Vec<Box<dyn Fn(&S) + Send + Sync>>,
}

fn race<S>(preemptions: usize, set_up: impl Fn() -> S + Send + Sync + 'static) -> Race<S> {
    Race {
        preemptions,
        set_up: Box::new(set_up),
        actions: Vec::new(),
    }
}

impl<S: 'static> Race<S> {
    /// One more thread.
    fn by(mut self, action: impl Fn(&S) + Send + Sync + 'static) -> Race<S> {
        self.actions.push(Box::new(action));
        self
    }

    /// Runs all schedules, each with this at its end.
    fn then(self, after: fn(&S)) {
        let race = std::sync::Arc::new(self);
        for first in 0..race.actions.len() {
            let race = race.clone();
            let mut builder = Builder::new();
            builder.preemption_bound = Some(race.preemptions);
            // Filling a table takes some thousands before anyone races.
            builder.max_branches = 20_000;
            builder.check(move || {
                let shared = Arc::new((race.set_up)());
                let beside = (1..race.actions.len()).map(|i| {
                    let (race, shared) = (race.clone(), shared.clone());
                    loom::thread::spawn(move || race.actions[(first + i) % race.actions.len()](&shared))
                });
                let beside: Vec<_> = beside.collect();
                race.actions[first](&shared);
                beside.into_iter().for_each(|thread| thread.join().unwrap());
                after(&shared);
            });
        }
    }
}

/// Four nodes, some of them united.
fn sets(united: &[(u32, u32)]) -> UnionFind {
    let mut sets = UnionFind::new();
    sets.grow(4);
    united.iter().for_each(|&(a, b)| sets.unite(a, b));
    sets
}

fn members(sets: &UnionFind, node: u32) -> Vec<u32> {
    let mut members: Vec<u32> = sets.members(node).collect();
    members.sort_unstable();
    members
}

/// These nodes are one set, and those of them in `live` are what can be picked, from anywhere. Takes them from the list.
fn is_one_set(sets: &UnionFind, nodes: &[u32], live: &[u32]) {
    for &node in nodes {
        assert_eq!(members(sets, node), nodes);
        assert!(nodes.iter().all(|&other| sets.same_set(node, other)));
        assert!(live.contains(&sets.pick(node).expect("one is live")));
    }
    let mut picked = Vec::new();
    while let Some(node) = sets.pick(nodes[0]) {
        sets.done(node);
        picked.push(node);
    }
    picked.sort_unstable();
    assert_eq!(picked, live);
    assert!(nodes.iter().all(|&node| sets.pick(node).is_none()));
}

#[test]
fn two_unite_the_same() {
    race(4, || {
        let sets = sets(&[]);
        assert_eq!(sets.claim(0, 0), Claim::Entered);
        assert_eq!(sets.claim(1, 1), Claim::Entered);
        sets
    })
    .by(|sets| {
        sets.unite(0, 1);
        assert!(sets.same_set(0, 1));
    })
    .by(|sets| {
        sets.unite(1, 0);
        assert!(sets.same_set(1, 0));
    })
    .then(|sets| {
        for node in [0, 1] {
            assert_eq!([0, 1].map(|worker| sets.claim(node, worker)), [Claim::Found; 2]);
        }
        is_one_set(sets, &[0, 1], &[0, 1]);
    });
}

#[test]
fn two_unite_crosswise() {
    race(3, || sets(&[(0, 1), (2, 3)]))
        .by(|sets| {
            sets.unite(1, 2);
            assert!(sets.same_set(0, 3));
        })
        .by(|sets| sets.unite(3, 0))
        .then(|sets| is_one_set(sets, &[0, 1, 2, 3], &[0, 1, 2, 3]));
}

#[test]
fn three_sets_become_one() {
    race(3, || {
        let sets = sets(&[]);
        assert_eq!(sets.claim(0, 0), Claim::Entered);
        assert_eq!(sets.claim(2, 1), Claim::Entered);
        sets
    })
    .by(|sets| sets.unite(0, 1))
    .by(|sets| sets.unite(2, 1))
    .then(|sets| {
        assert_eq!(sets.claim(2, 0), Claim::Found);
        assert_eq!(sets.claim(0, 1), Claim::Found);
        is_one_set(sets, &[0, 1, 2], &[0, 1, 2]);
    });
}

#[test]
fn no_claim_is_lost() {
    for node in [0, 1] {
        race(4, || sets(&[]))
            .by(|sets| sets.unite(0, 1))
            .by(move |sets| {
                assert_eq!(sets.claim(node, 7), Claim::Entered);
                match sets.claim(1 - node, 7) {
                    Claim::Dead => unreachable!("nobody kills"),
                    Claim::Found => assert!(sets.same_set(0, 1)),
                    Claim::Entered => {}
                }
            })
            .then(|sets| assert_eq!([0, 1].map(|node| sets.claim(node, 7)), [Claim::Found; 2]));
    }
}

/// A worker that comes to its own set again learns by that how it became its own: `same_set` must say yes.
#[test]
fn who_finds_itself_knows_why() {
    // In every order of the three: which root goes under which depends on that.
    for [a, b, c] in [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
        race(2, || sets(&[]))
            .by(move |sets| {
                sets.unite(a, b);
                sets.unite(b, c);
            })
            .by(move |sets| {
                assert_eq!(sets.claim(a, 0), Claim::Entered);
                if sets.claim(c, 0) == Claim::Found {
                    assert!(sets.same_set(a, c) && sets.same_set(c, a));
                }
            })
            .then(|sets| assert!(sets.same_set(0, 1) && sets.same_set(1, 2)));
    }
}

/// The same where nothing but the lock of the root tells of the link: the node that joins two lists is another.
#[test]
fn who_finds_itself_in_a_root_knows_why() {
    for [a, b, c] in [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
        let set_up = move || {
            let sets = sets(&[(b, c)]);
            sets.done(sets.find(b));
            sets
        };
        race(3, set_up)
            .by(move |sets| sets.unite(a, b))
            .by(move |sets| {
                assert_eq!(sets.claim(a, 0), Claim::Entered);
                if sets.claim(b, 0) == Claim::Found {
                    assert!(sets.same_set(a, b) && sets.same_set(b, a));
                }
            })
            .then(|sets| assert_eq!(members(sets, 0), [0, 1, 2]));
    }
}

/// What is one set stays one for all, while its root changes and a third shortens the path to it.
#[test]
fn what_is_one_set_stays_one() {
    let set_up = || sets(&[(0, 1), (1, 2)]);
    for [a, b] in [[0, 1], [1, 0], [0, 2], [2, 0], [1, 2], [2, 1]] {
        race(2, set_up)
            .by(move |sets| sets.unite(a, 3))
            .by(move |sets| {
                sets.find(b);
            })
            .by(move |sets| assert!(sets.same_set(a, b)))
            .then(|sets| assert!(sets.same_set(0, 3)));
    }
}

#[test]
fn a_node_is_done_while_its_set_is_united() {
    for node in [0, 1] {
        race(3, || sets(&[(0, 1)]))
            .by(|sets| sets.unite(1, 2))
            .by(move |sets| {
                sets.done(node);
                match sets.pick(node).expect("the list has another node") {
                    2 => assert!(sets.same_set(0, 2), "a list leads to nodes of the same set only"),
                    picked => assert_eq!(picked, 1 - node),
                }
                sets.done(1 - node);
                if let Some(picked) = sets.pick(node) {
                    assert_eq!(picked, 2);
                    assert!(
                        sets.same_set(node, 2),
                        "a list leads to nodes of the same set only"
                    );
                }
            })
            .then(|sets| is_one_set(sets, &[0, 1, 2], &[2]));
    }
}

/// The only live node of one side is done before, while or after the two sides are united.
#[test]
fn the_last_node_is_done_while_its_set_is_united() {
    for node in [0, 1] {
        race(4, || sets(&[]))
            .by(|sets| sets.unite(0, 1))
            .by(move |sets| {
                sets.done(node);
                // None before the other side comes.
                if let Some(picked) = sets.pick(node) {
                    assert_eq!(picked, 1 - node);
                    assert!(sets.same_set(0, 1), "a list leads to nodes of the same set only");
                }
            })
            .then(|sets| {
                let live = sets.pick(0).expect("one of them is live");
                is_one_set(sets, &[0, 1], &[live]);
            });
    }
}

#[test]
fn two_shorten_a_list_that_grows() {
    race(2, || sets(&[(0, 1), (1, 2)]))
        .by(|sets| {
            sets.done(0);
            assert!(sets.pick(0).is_some());
        })
        .by(|sets| {
            sets.unite(0, 3);
            sets.done(1);
            assert!(sets.pick(1).is_some());
        })
        .then(|sets| is_one_set(sets, &[0, 1, 2, 3], &[2, 3]));
}

/// Nobody waits here, so there can be three.
#[test]
fn three_shorten_a_list() {
    race(2, || sets(&[(0, 1), (1, 2), (2, 3)]))
        .by(|sets| {
            sets.done(0);
            assert!(sets.pick(0).is_some());
        })
        .by(|sets| {
            sets.done(1);
            assert!(sets.pick(1).is_some());
        })
        .by(|sets| {
            sets.done(2);
            assert!(sets.pick(2).is_some());
        })
        .then(|sets| is_one_set(sets, &[0, 1, 2, 3], &[3]));
}

/// A set that is expanded.
struct Expanded {
    sets: UnionFind,
    /// 1 for each node that was.
    written: [AtomicU32; 2],
    /// How often it was killed.
    killed: AtomicU32,
}

fn to_expand() -> Expanded {
    Expanded {
        sets: sets(&[(0, 1)]),
        written: [AtomicU32::new(0), AtomicU32::new(0)],
        killed: AtomicU32::new(0),
    }
}

impl Expanded {
    /// Expands what can be picked until nothing is left; then the set is dead.
    fn work(&self, start: u32) {
        while let Some(node) = self.sets.pick(start) {
            self.expand(node);
        }
        if self.sets.kill(start) {
            self.killed.fetch_add(1, Relaxed);
            assert_eq!(members(&self.sets, start), [0, 1]);
        }
        assert!(self.sets.is_dead(start));
        self.sees_all();
    }

    fn expand(&self, node: u32) {
        self.written[node as usize].store(1, Relaxed);
        self.sets.done(node);
    }

    fn sees_all(&self) {
        assert!(self.written.iter().all(|word| word.load(Relaxed) == 1));
    }
}

#[test]
fn one_kills_and_sees_all() {
    race(2, to_expand)
        .by(|shared| shared.work(0))
        .by(|shared| shared.work(1))
        .then(|shared| {
            assert_eq!(shared.killed.load(Relaxed), 1);
            assert_eq!([0, 1].map(|node| shared.sets.claim(node, 0)), [Claim::Dead; 2]);
        });
}

/// A third who finds the set dead sees all that was written, too.
#[test]
fn who_finds_it_dead_sees_all() {
    let ways: [fn(&UnionFind) -> bool; 2] = [|sets| sets.claim(0, 0) == Claim::Dead, |sets| sets.is_dead(1)];
    for is_dead in ways {
        race(2, to_expand)
            .by(|shared| shared.expand(0))
            .by(|shared| shared.work(1))
            .by(move |shared| {
                if is_dead(&shared.sets) {
                    shared.sees_all();
                }
            })
            .then(|shared| assert_eq!(shared.killed.load(Relaxed), 1));
    }
}

/// Who finds nodes skipped that are done sees what was written before, like who skipped them.
#[test]
fn who_skips_sees_all() {
    for last in [0, 1] {
        let set_up = move || {
            let shared = to_expand();
            shared.expand(1 - last);
            shared
        };
        race(3, set_up)
            .by(move |shared| shared.expand(last))
            .by(move |shared| _ = shared.sets.pick(1 - last))
            .by(move |shared| {
                if shared.sets.pick(1 - last).is_none() {
                    shared.sees_all();
                }
            })
            .then(Expanded::sees_all);
    }
}

#[test]
fn members_while_others_unite() {
    for node in 0..4 {
        race(3, || sets(&[(0, 1), (2, 3)]))
            .by(|sets| sets.unite(1, 2))
            .by(move |sets| {
                let before = if node < 2 { [0, 1] } else { [2, 3] };
                let found = members(sets, node);
                assert!(found == before || found == [0, 1, 2, 3], "{found:?}");
            })
            .then(|sets| assert_eq!(members(sets, 0), [0, 1, 2, 3]));
    }
}

#[test]
fn members_while_a_chain_grows() {
    race(3, || sets(&[]))
        .by(|sets| sets.unite(0, 1))
        .by(|sets| {
            sets.unite(1, 2);
            let found = members(sets, 1);
            assert!(found == [1, 2] || found == [0, 1, 2], "{found:?}");
        })
        .then(|sets| assert_eq!(members(sets, 0), [0, 1, 2]));
}

/// Slots of a bucket.
const SLOTS: u32 = 12;

/// A table of the states `0..states` and room for a few more below 16. States have two words in a row of their own each.
fn table(states: u32) -> StateTable {
    let mut table = StateTable::new(2, 2);
    // Once everything fits, rows are as wide as they get.
    let widest = [words(0), words(15)];
    let widening = table.widening(widest.iter().map(|state| &state[..])).unwrap();
    table.widen(widening);
    table
        .make_room(states as usize + StateTable::slack(2, 4), 1)
        .unwrap();
    for state in 0..states {
        table.insert(&words(state)).expect("there are few");
    }
    table
}

fn words(state: u32) -> [u32; 2] {
    [state, 1_000_003 * state]
}

/// Puts a state; whoever knows its id can read it.
fn put(table: &StateTable, state: u32, lease: &mut Lease) -> Inserted {
    let mut steps = Steps::new(2);
    let label = Label {
        event: EventId::TAU,
        processes: ProcessesId::NONE,
    };
    steps.push(label, &words(state));
    let mut batch = Batch::new();
    table.prepare_shared(None, &steps, &mut batch).expect("it fits");
    table.approach(&mut batch);
    let inserted = table.insert_shared(&batch, 0, lease);
    assert_eq!(table.get(inserted.id), words(state));
    inserted
}

/// The states are those below `states`, each with an id of its own.
fn has_exactly(table: &StateTable, states: u32) {
    let find = |state: u32| table.find(&words(state));
    let mut ids: Vec<StateId> = (0..states)
        .map(|state| find(state).expect("it is there"))
        .collect();
    assert!((0..states).all(|state| table.get(ids[state as usize]) == words(state)));
    assert!((states..16).all(|state| find(state).is_none()));
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), states as usize);
}

/// What two threads share: the table, and who has found a state new.
struct Putting {
    table: StateTable,
    new: AtomicU32,
}

fn putting(states: u32) -> Putting {
    Putting {
        table: table(states),
        new: AtomicU32::new(0),
    }
}

impl Putting {
    /// Puts a state, as a worker that puts no other. Its id.
    fn put(&self, state: u32) -> u32 {
        self.put_in_order([state])[0]
    }

    /// Puts some states, as one worker.
    fn put_in_order<const STATES: usize>(&self, states: [u32; STATES]) -> [u32; STATES] {
        let mut lease = Lease::default();
        states.map(|state| {
            let inserted = put(&self.table, state, &mut lease);
            self.new.fetch_add(u32::from(inserted.new), Relaxed);
            inserted.id.0
        })
    }

    fn has_exactly(&self, states: u32, new: u32) {
        assert_eq!(self.new.load(Relaxed), new);
        has_exactly(&self.table, states);
    }
}

#[test]
fn two_put_the_same_state() {
    race(4, || putting(1))
        .by(|shared| assert_eq!(shared.put(1), 1))
        .by(|shared| assert_eq!(shared.put(1), 1))
        .then(|shared| shared.has_exactly(2, 1));
}

#[test]
fn two_put_different_states() {
    race(3, || putting(1))
        .by(|shared| _ = shared.put(1))
        .by(|shared| _ = shared.put(2))
        .then(|shared| shared.has_exactly(3, 2));
}

#[test]
fn two_put_the_same_states_in_another_order() {
    race(2, || putting(0))
        .by(|shared| _ = shared.put_in_order([0, 1]))
        .by(|shared| _ = shared.put_in_order([1, 0]))
        .then(|shared| shared.has_exactly(2, 2));
}

/// One more than a lease has numbers for.
#[test]
fn leases_are_apart() {
    race(2, || putting(0))
        .by(|shared| _ = shared.put_in_order([0, 1, 2]))
        .by(|shared| _ = shared.put(3))
        .then(|shared| shared.has_exactly(4, 4));
}

/// The last slot of a word of tags, or of a bucket, goes while another looks for room: what it holds must not be missed.
#[test]
fn two_put_the_same_state_where_room_ends() {
    for taken in [7, 8, SLOTS - 1, SLOTS] {
        race(2, move || putting(taken))
            .by(move |shared| assert_eq!(shared.put(taken), taken))
            .by(move |shared| assert_eq!(shared.put(taken), taken))
            .then(|shared| {
                let states = (0..).take_while(|&state| shared.table.find(&words(state)).is_some());
                let states = states.count() as u32;
                shared.has_exactly(states, 1);
                assert!([8, 9, SLOTS, SLOTS + 1].contains(&states));
            });
    }
}

#[test]
fn two_put_different_states_where_room_ends() {
    race(2, || putting(SLOTS - 1))
        .by(|shared| _ = shared.put(SLOTS - 1))
        .by(|shared| _ = shared.put(SLOTS))
        .then(|shared| shared.has_exactly(SLOTS + 1, 2));
}

/// A third who looks for what was there finds it, whatever is put beside it.
#[test]
fn what_is_there_is_found() {
    race(2, || putting(1))
        .by(|shared| assert_eq!(shared.put(1), 1))
        .by(|shared| assert_eq!(shared.put(1), 1))
        .by(|shared| assert_eq!(shared.table.find(&words(0)), Some(StateId(0))))
        .then(|shared| shared.has_exactly(2, 1));
}
