//! Random systems of several components, and random constraints.
//!
//! A system is a row of clusters, most of them strongly connected, and of single states without a loop; steps lead forward in the row, and back only inside a cluster. So an
//! execution chooses where to stay, a way out that is open now and then is an obligation that staying does not meet, and only what has no way out survives strong
//! global fairness.

use super::definition::{Formula, Party, Proposition};
use super::graph::{Graph, Step, TAU, TERMINATE};
use crate::Rng;

/// Events are the numbers below this: `tau`, `terminate`, and others.
pub const EVENTS: u32 = 6;
/// Processes are the numbers below this.
pub const PROCESSES: u32 = 3;
/// Predicates are the numbers below this.
const PREDICATES: u32 = 2;

/// How large a system is to be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shape {
    /// Single states without a loop.
    pub passing: usize,
    /// At most this many clusters.
    pub clusters: usize,
    /// At most this many states in a cluster.
    pub states: usize,
    /// At most this many steps inside a cluster beyond the ones that connect it, for every two states.
    pub chords: usize,
}

/// A random system.
pub fn random_graph(rng: &mut Rng, shape: Shape) -> Graph {
    let clusters = 1 + rng.below(shape.clusters);
    let mut row: Vec<Vec<usize>> = Vec::new();
    let (mut passing, mut left, mut states) = (shape.passing, clusters, 0);
    while left > 0 {
        let size = if rng.chance(passing, passing + left) {
            passing -= 1;
            1
        } else {
            left -= 1;
            2 + rng.below(shape.states - 1)
        };
        row.push((states..states + size).collect());
        states += size;
    }
    let mut steps = Vec::new();
    for (i, cluster) in row.iter().enumerate() {
        if cluster.len() > 1 {
            inner_steps(rng, cluster, shape.chords, &mut steps);
        }
        let before: Vec<usize> = (0..cluster[0]).collect();
        // All but the first are entered from somewhere, some twice.
        for _ in 0..usize::from(i > 0) + usize::from(i > 0 && rng.chance(1, 3)) {
            let (from, to) = (*rng.pick(&before), *rng.pick(cluster));
            push(&mut steps, random_step(rng, from, to));
        }
    }
    for cluster in row.iter().filter(|c| c.len() == 1) {
        // Few deadlocks.
        let after = cluster[0] + 1;
        if after < states && rng.chance(39, 40) {
            let to = after + rng.below(states - after);
            push(&mut steps, random_step(rng, cluster[0], to));
        }
    }
    if rng.chance(1, 6) {
        // The state after termination, in which all processes took part.
        let from = rng.below(states);
        steps.push(Step {
            from,
            event: TERMINATE,
            processes: (1 << PROCESSES) - 1,
            to: states,
        });
        states += 1;
    }
    let mut initial = vec![*rng.pick(&row[0])];
    if rng.chance(1, 5) {
        initial.push(rng.below(states));
        initial.dedup();
    }
    let mut predicates: Vec<u64> = (0..states).map(|_| rng.below(1 << PREDICATES) as u64).collect();
    for cluster in &row {
        // What holds throughout a cluster makes `<>[]p` true now and then.
        if rng.chance(1, 2) {
            let common = predicates[cluster[0]];
            let which = rng.below(1 << PREDICATES) as u64;
            for &s in cluster {
                predicates[s] = predicates[s] & !which | common & which;
            }
        }
    }
    let offered = (0..states)
        .map(|_| {
            (2..EVENTS)
                .filter(|_| rng.chance(1, 6))
                .fold(0, |set, e| set | 1 << e)
        })
        .collect();
    Graph::new(initial, predicates, offered, steps)
}

/// The steps inside a cluster: a ring through all of its states, usually, and chords, of which few are self-loops.
fn inner_steps(rng: &mut Rng, cluster: &[usize], chords: usize, steps: &mut Vec<Step>) {
    let size = cluster.len();
    let whole = rng.chance(9, 10);
    for i in 0..size {
        if whole || rng.chance(1, 2) {
            push(steps, random_step(rng, cluster[i], cluster[(i + 1) % size]));
        }
    }
    for _ in 0..rng.below(size * chords / 2 + 2) {
        let (from, to) = (*rng.pick(cluster), *rng.pick(cluster));
        if from != to || rng.chance(1, 3) {
            push(steps, random_step(rng, from, to));
        }
    }
}

fn random_step(rng: &mut Rng, from: usize, to: usize) -> Step {
    let event = if rng.chance(1, 6) {
        TAU
    } else {
        2 + rng.below(EVENTS as usize - 2) as u32
    };
    // Most steps belong to one process.
    let one = 1 << rng.below(PROCESSES as usize);
    let processes = if rng.chance(1, 4) {
        1 + rng.below((1 << PROCESSES) - 1) as u32
    } else {
        one
    };
    Step {
        from,
        event,
        processes,
        to,
    }
}

/// No two steps of a system are equal.
fn push(steps: &mut Vec<Step>, step: Step) {
    if !steps.contains(&step) {
        steps.push(step);
    }
}

/// An event, `tau` and `terminate` included, or a process.
pub fn random_party(rng: &mut Rng) -> Party {
    if rng.chance(1, 2) {
        Party::Event(rng.below(EVENTS as usize) as u32)
    } else {
        Party::Process(rng.below(PROCESSES as usize) as u32)
    }
}

/// A random fairness formula, at most `depth` operators above its `GF`s and `FG`s.
pub fn random_formula(rng: &mut Rng, depth: usize) -> Formula {
    if depth == 0 || rng.chance(1, 4) {
        let a = random_proposition(rng, 2);
        return if rng.chance(1, 2) {
            Formula::Often(a)
        } else {
            Formula::Always(a)
        };
    }
    let part = |rng: &mut Rng| random_formula(rng, depth - 1);
    match rng.below(5) {
        0 => Formula::Not(Box::new(part(rng))),
        1 | 2 => Formula::And(vec![part(rng), part(rng)]),
        _ => Formula::Or(vec![part(rng), part(rng)]),
    }
}

fn random_proposition(rng: &mut Rng, depth: usize) -> Proposition {
    let part = |rng: &mut Rng| random_proposition(rng, depth - 1);
    match rng.below(if depth == 0 { 4 } else { 7 }) {
        0 => Proposition::State(rng.below(PREDICATES as usize) as u32),
        1 => Proposition::Enabled(random_party(rng)),
        2 => Proposition::Ready(rng.below(EVENTS as usize) as u32),
        3 => Proposition::Engaged(random_party(rng)),
        4 => Proposition::Not(Box::new(part(rng))),
        5 => Proposition::And(vec![part(rng), part(rng)]),
        _ => Proposition::Or(vec![part(rng), part(rng)]),
    }
}
