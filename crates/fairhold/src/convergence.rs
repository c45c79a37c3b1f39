//! How a protocol that stabilises gets there: how many configurations are safe, and how far the others are from safety.
//!
//! A configuration is *safe* if the condition holds in all that can follow. A way to safety is a path to a safe configuration; the number given is the length of
//! the shortest one, from the configuration where it is longest. So it is a lower bound for every scheduler, kind ones included.
//!
//! One pass writes down the graph, two passes against its steps mark what is not safe and measure the rest: linear time, 8 bytes a step. So it is done
//! for graphs of moderate size only, whose size is known from the search before.

use crate::check::Task;
use crate::counted::CountedModel;
use crate::front::{Asks, FrontEnd, Kind};
use crate::load::Model;
use crate::report::CheckResult;
use crate::temporal::Temporal;
use fairhold_logic::Ltl;
use fairhold_search::Atom;
use fairhold_store::{StateId, StateTable};
use fairhold_system::{Control, Keep, Observer, PredicateId, Progress, Stepper, Steps, System, Verdict};

/// Graphs with more states are not measured.
const MANY_STATES: u64 = 5_000_000;
/// Nor are graphs with more steps.
const MANY_STEPS: u64 = 10_000_000;
/// How many states are stepped between two calls of the observer.
const POLL_EVERY: usize = 4096;

/// How a protocol gets to safety.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Convergence {
    /// Reachable configurations; multisets of node states, if nodes are counted.
    pub configurations: u64,
    /// Those from which the condition holds forever.
    pub safe: u64,
    /// The greatest number of steps that a shortest way to a safe one takes; none if there is no way from somewhere.
    pub steps: Option<u64>,
}

impl Model {
    /// Measures how a protocol stabilises, if it was found to, and puts that into all results that say so.
    pub(crate) fn measure_convergence(
        &self,
        tasks: &[Task],
        observer: &dyn Observer,
        results: &mut [CheckResult],
    ) {
        let Kind::Protocol(model) = &self.kind else {
            return;
        };
        let index = tasks[0].index;
        if self.assertions[index].asks != Asks::Ltl {
            return;
        }
        let fits = |r: &CheckResult| r.states <= MANY_STATES && r.steps <= MANY_STEPS;
        for counted in [false, true] {
            let says_so = |r: &CheckResult| r.verdict == Verdict::Holds && r.reductions.is_empty() != counted;
            if results.iter().any(|r| says_so(r) && fits(r)) {
                let found = match counted {
                    false => measured(model, index, observer),
                    true => measured(&CountedModel(model), index, observer),
                };
                // The numbers are the same under every notion.
                let all = results.iter_mut().filter(|r| says_so(r));
                all.for_each(|r| r.convergence = found);
            }
        }
    }
}

/// What there is to say of an assertion that something holds forever in the end.
fn measured<F: FrontEnd>(front: &F, index: usize, observer: &dyn Observer) -> Option<Convergence> {
    let Temporal::Formula(Ltl::Finally(inner)) = front.temporal(index) else {
        return None;
    };
    let Ltl::Globally(condition) = &**inner else {
        return None;
    };
    let Ltl::Atom(atom) = **condition else { return None };
    let system = front.system(&front.asserted(index), Keep::Everything).ok()?;
    match front.atom(&system, index, atom) {
        Atom::State(predicate) => measure(&system, predicate, observer),
        _ => None,
    }
}

/// The reachable graph, and where the condition holds. None if it is too large after all, or the user has had enough.
fn measure<S: System>(system: &S, condition: PredicateId, observer: &dyn Observer) -> Option<Convergence> {
    let mut table = StateTable::new(system.width(), system.key_width());
    let mut stepper = system.stepper();
    let mut steps = Steps::new(system.width());
    let mut cursor = Some(0);
    while let Some(at) = cursor {
        steps.clear();
        cursor = stepper.initial_from(at, &mut steps).ok()?;
        for (_, state) in steps.iter() {
            table.insert(state).ok()?;
        }
        if table.len() as u64 > MANY_STATES {
            return None;
        }
    }
    let mut state = vec![0; system.width()];
    let mut holds = Vec::new();
    // Steps as pairs of numbers; all of one state stand together.
    let (mut ends, mut targets): (Vec<u32>, Vec<u32>) = (Vec::new(), Vec::new());
    let mut next = 0;
    while next < table.len() {
        if next.is_multiple_of(POLL_EVERY) {
            let progress = Progress {
                states: table.len() as u64,
                steps: targets.len() as u64,
                waiting: (table.len() - next) as u64,
                depth: 0,
                bytes: table.bytes() + 8 * targets.len() as u64,
            };
            if let Control::Stop(_) = observer.progress(&progress) {
                return None;
            }
        }
        table.read(StateId(next as u32), &mut state);
        holds.push(stepper.holds(condition, &state).ok()?);
        steps.clear();
        stepper.steps(&state, &mut steps).ok()?;
        for (_, target) in steps.iter() {
            targets.push(table.insert(target).ok()?.id.0);
        }
        ends.push(targets.len() as u32);
        if targets.len() as u64 > MANY_STEPS || table.len() as u64 > MANY_STATES {
            return None;
        }
        next += 1;
    }
    let back = Backwards::new(&ends, &targets);
    // Whatever can come to where the condition does not hold is not safe.
    let wrong = back.distances(|state| !holds[state]);
    let safe = wrong.iter().filter(|d| d.is_none()).count() as u64;
    let ways = back.distances(|state| wrong[state].is_none());
    let farthest = ways
        .iter()
        .try_fold(0, |most, way| way.map(|way| most.max(u64::from(way))));
    Some(Convergence {
        configurations: holds.len() as u64,
        safe,
        steps: farthest,
    })
}

/// A graph, against its steps.
struct Backwards {
    /// By state: where its sources end in `sources`; they start where those of the state before end.
    ends: Vec<u32>,
    sources: Vec<u32>,
}

impl Backwards {
    /// From where the steps of each state end in `targets`.
    fn new(ends: &[u32], targets: &[u32]) -> Backwards {
        let mut places = vec![0; ends.len() + 1];
        for &target in targets {
            places[target as usize + 1] += 1;
        }
        for i in 1..places.len() {
            places[i] += places[i - 1];
        }
        let mut sources = vec![0; targets.len()];
        let mut start = 0;
        for (source, &end) in (0..).zip(ends) {
            for &target in &targets[start..end as usize] {
                let place = &mut places[target as usize];
                sources[*place as usize] = source;
                *place += 1;
            }
            start = end as usize;
        }
        // Every place has moved on to the end of its stretch.
        places.pop();
        Backwards {
            ends: places,
            sources,
        }
    }

    /// How many steps each state is away from those that `is_goal` says; none if there is no way.
    fn distances(&self, is_goal: impl Fn(usize) -> bool) -> Vec<Option<u32>> {
        let count = self.ends.len();
        let mut distances: Vec<Option<u32>> = (0..count).map(|s| is_goal(s).then_some(0)).collect();
        let mut queue: Vec<u32> = (0..count as u32).filter(|&s| is_goal(s as usize)).collect();
        let mut first = 0;
        while first < queue.len() {
            let state = queue[first] as usize;
            first += 1;
            let farther = distances[state].map(|d| d + 1);
            let start = state
                .checked_sub(1)
                .map_or(0, |before| self.ends[before] as usize);
            for &source in &self.sources[start..self.ends[state] as usize] {
                let distance = &mut distances[source as usize];
                if distance.is_none() {
                    *distance = farther;
                    queue.push(source);
                }
            }
        }
        distances
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 0 -> 1 -> 2 -> 2, 3 -> 0, 4 -> 4.
    #[test]
    fn distances_go_against_the_steps() {
        let back = Backwards::new(&[1, 2, 3, 4, 5], &[1, 2, 2, 0, 4]);
        let to_2 = back.distances(|state| state == 2);
        assert_eq!(to_2, [Some(2), Some(1), Some(0), Some(3), None]);
        let to_0 = back.distances(|state| state == 0);
        assert_eq!(to_0, [Some(0), None, None, Some(1), None]);
    }
}
