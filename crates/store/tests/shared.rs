//! The table's find-or-put and the union-find, by eight threads at once and much contention.
//!
//! Only atomic words and scoped threads: so that `cargo xtask long --valgrind` can watch every access.

use fairhold_store::{Batch, Claim, Inserted, Lease, StateId, StateTable, UnionFind};
use fairhold_system::{EventId, Label, ProcessesId, Steps};
use fairhold_testkit::{Rng, cases};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Barrier;

const THREADS: usize = 8;

/// Steps to some states, the targets of a state with this id if one is given.
fn steps(states: &[[u32; 3]]) -> Steps {
    let label = Label {
        event: EventId::TAU,
        processes: ProcessesId::NONE,
    };
    let mut steps = Steps::new(3);
    states.iter().for_each(|state| _ = steps.push(label, state));
    steps
}

/// A state of a small space, in words of different ranges.
fn state(number: usize) -> [u32; 3] {
    let number = number as u32;
    [number % 7, number / 7, number.wrapping_mul(77) % 1000]
}

/// Adds random states below `space`, a few at a time. What was said of each, in order.
fn put_some(
    table: &StateTable,
    lease: &mut Lease,
    rng: &mut Rng,
    space: usize,
    most: usize,
) -> Vec<([u32; 3], Inserted)> {
    let mut batch = Batch::new();
    let mut said = Vec::new();
    let mut buffer = [0; 3];
    while said.len() < most {
        let some: Vec<[u32; 3]> = (0..1 + rng.below(8)).map(|_| state(rng.below(space))).collect();
        let prepared = table.prepare_shared(None, &steps(&some), &mut batch);
        prepared.expect("all of the space fits");
        if rng.chance(1, 2) {
            table.approach(&mut batch);
        }
        for (i, state) in some.into_iter().enumerate() {
            let inserted = table.insert_shared(&batch, i, lease);
            // Whoever is told an id can read the state.
            table.read(inserted.id, &mut buffer);
            assert_eq!(buffer, state);
            said.push((state, inserted));
        }
    }
    said
}

#[test]
fn every_state_gets_one_id() {
    let mut rng = Rng::new(0x7ab1e);
    for round in 0..cases(30) {
        let space = 1 + rng.below([5, 30, 400, 4000][round % 4]);
        let mut table = StateTable::new(3, 3);
        let all: Vec<[u32; 3]> = (0..space).map(state).collect();
        let widening = table.widening(all.iter().map(|state| &state[..]));
        table.widen(widening.expect("there are few"));
        let mut ids: BTreeMap<[u32; 3], StateId> = BTreeMap::new();
        let mut met = Vec::new();
        // In rounds, as searches do: the table grows in between.
        for _ in 0..2 {
            let most = 1 + rng.below(2 * space);
            table
                .make_room(StateTable::slack(THREADS, space.min(most + 8)), THREADS)
                .expect("there are few");
            let mut workers: Vec<(u64, Lease)> =
                (0..THREADS).map(|_| (rng.next_u64(), table.lease())).collect();
            let known = ids.len();
            let start = Barrier::new(THREADS);
            let said = std::thread::scope(|scope| {
                let (table, start) = (&table, &start);
                let threads: Vec<_> = workers
                    .iter_mut()
                    .map(|(seed, lease)| {
                        scope.spawn(move || {
                            start.wait();
                            put_some(table, lease, &mut Rng::new(*seed), space, most)
                        })
                    })
                    .collect();
                let said = threads
                    .into_iter()
                    .flat_map(|thread| thread.join().expect("no panic"));
                said.collect::<Vec<_>>()
            });
            for (_, lease) in workers {
                met.extend(table.give_back(lease).flatten());
            }
            let new = said.iter().filter(|(_, inserted)| inserted.new).count();
            for (state, inserted) in said {
                assert_eq!(
                    *ids.entry(state).or_insert(inserted.id),
                    inserted.id,
                    "one id each"
                );
            }
            assert_eq!((known + new, ids.len()), (ids.len(), table.len()), "new once");
        }
        let distinct: BTreeSet<u32> = ids.values().map(|id| id.0).collect();
        assert_eq!(distinct.len(), ids.len(), "an id belongs to one state");
        assert!(
            table.used().flatten().eq(distinct.iter().copied()),
            "the table knows which are used"
        );
        met.sort_unstable();
        assert!(met.into_iter().eq(distinct), "every id was told of once");
        assert!(
            table.bound() - table.len() <= StateTable::slack(THREADS, 0),
            "few are free"
        );
        // What one worker adds, or packs anew, passes over what is free.
        let beyond = [7, 1 << 20, 5];
        let inserted = table.insert(&beyond).expect("there are few");
        assert!(inserted.new && table.find(&beyond) == Some(inserted.id));
        for (state, id) in ids {
            assert_eq!((table.find(&state), table.get(id)), (Some(id), state.to_vec()));
        }
    }
}

#[test]
fn every_component_is_reported_once() {
    let mut rng = Rng::new(0x5e75);
    for _ in 0..cases(30) {
        // Components are ranges of nodes; all threads unite and expand all of them.
        let size = 1 + rng.below(40) as u32;
        let components = 1 + rng.below(20) as u32;
        let mut sets = UnionFind::new();
        sets.grow((size * components) as usize);
        let (sets, start) = (&sets, &Barrier::new(THREADS));
        let work = |worker: u32| {
            start.wait();
            let mut reported = Vec::new();
            for turn in 0..components {
                let first = (turn + worker) % components * size;
                if sets.claim(first, worker) == Claim::Dead {
                    continue;
                }
                // A node is done only when what it leads to is in its set.
                while let Some(node) = sets.pick(first) {
                    let next = first + (node - first + 1) % size;
                    if !sets.is_dead(next) {
                        sets.unite(node, next);
                    }
                    sets.done(node);
                }
                if sets.kill(first) {
                    let mut members: Vec<u32> = sets.members(first).collect();
                    members.sort_unstable();
                    assert!(members.into_iter().eq(first..first + size));
                    reported.push(first / size);
                }
            }
            reported
        };
        let mut reported = std::thread::scope(|scope| {
            let threads: Vec<_> = (0..THREADS as u32)
                .map(|w| scope.spawn(move || work(w)))
                .collect();
            let reported = threads
                .into_iter()
                .flat_map(|thread| thread.join().expect("no panic"));
            reported.collect::<Vec<u32>>()
        });
        reported.sort_unstable();
        assert!(reported.into_iter().eq(0..components));
    }
}
