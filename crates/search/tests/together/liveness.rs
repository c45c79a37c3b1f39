//! Fair executions, looked for by one worker and by several.

use crate::graph::{FIRST_EVENT, Graph};
use crate::judge::judge;
use crate::properties::{NAMES, Property, constraints};
use crate::shapes::{Drawn, Shape};
use fairhold_search::{FairAnswer, FairQuestion, FairSearch, Fairness, check_fair, check_fair_together};
use fairhold_system::{Limits, Silent, Verdict};
use fairhold_testkit::{Rng, cases};
use std::collections::BTreeMap;

pub(crate) const WORKERS: [usize; 4] = [1, 2, 4, 8];

pub(crate) fn workers(threads: usize) -> Limits {
    Limits {
        threads,
        ..Limits::default()
    }
}

/// A graph, a property, and the constraints to check it under.
pub(crate) struct Case {
    pub(crate) drawn: Drawn,
    property: Property,
    constraints: Vec<Fairness>,
}

/// How often each verdict was given, and how large things were.
#[derive(Default)]
pub(crate) struct Spread {
    verdicts: BTreeMap<(&'static str, String), [usize; 2]>,
    sizes: BTreeMap<usize, usize>,
}

impl Spread {
    fn add(&mut self, case: &Case, answers: &[FairAnswer]) {
        let size = case.drawn.graph.len() / 10_000 * 10_000;
        *self.sizes.entry(size).or_default() += 1;
        for (i, answer) in answers.iter().enumerate() {
            let fails = usize::from(answer.verdict == Verdict::Fails);
            let about = [
                ("constraint", NAMES[i].to_owned()),
                ("property", format!("{:?}", case.property)),
                ("shape", format!("{:?}", case.drawn.shape)),
                ("events", format!("{:?}", case.drawn.events)),
                ("temper", format!("{:?}", case.drawn.temper)),
            ];
            about
                .into_iter()
                .for_each(|key| self.verdicts.entry(key).or_default()[fails] += 1);
        }
    }

    pub(crate) fn print(&self) {
        println!("cases by states, rounded down: {:?}", self.sizes);
        for ((about, which), [holds, fails]) in &self.verdicts {
            println!("{about} {which}: {holds} hold, {fails} fail");
        }
    }

    /// How often the rarer verdict was given under a constraint.
    fn least(&self) -> usize {
        let about = self
            .verdicts
            .iter()
            .filter(|((about, _), _)| *about == "constraint");
        about
            .map(|(_, counts)| counts[0].min(counts[1]))
            .min()
            .unwrap_or(0)
    }
}

impl Case {
    pub(crate) fn random(rng: &mut Rng, shape: Shape, states: usize) -> Case {
        let drawn = Drawn::new(rng, shape, states);
        Case::about(rng, drawn)
    }

    /// One in which large parts are left to all workers, and are split.
    pub(crate) fn hard(rng: &mut Rng) -> Case {
        let shape = *rng.pick(&[Shape::Giant, Shape::Large]);
        let states = match shape {
            Shape::Giant => 6_000 + rng.below(20_000),
            _ => 20_000 + rng.below(20_000),
        };
        let drawn = Drawn::hard(rng, shape, states);
        let case = Case::about(rng, drawn);
        Case {
            property: Property::Recurrence,
            ..case
        }
    }

    /// One with so many steps that a search does not do it alone.
    pub(crate) fn many_steps(rng: &mut Rng, shape: Shape) -> Case {
        let states = 30_000 + rng.below(10_000);
        let drawn = Drawn::with(rng, shape, states, 14);
        Case::about(rng, drawn)
    }

    fn about(rng: &mut Rng, drawn: Drawn) -> Case {
        let constraints = constraints(rng, drawn.count);
        Case {
            drawn,
            property: *rng.pick(&Property::ALL),
            constraints,
        }
    }

    fn ask<T>(&self, constraints: &[Fairness], ask: impl FnOnce(&Graph, &FairQuestion<'_>) -> T) -> T {
        let (automaton, atoms) = self.property.violations();
        let question = FairQuestion {
            automaton: &automaton,
            atoms: &atoms,
            constraints,
            recurrent: self.property.is_recurrent(),
        };
        ask(&self.drawn.graph, &question)
    }

    fn show(&self) -> String {
        let Drawn {
            graph,
            shape,
            events,
            temper,
            ..
        } = &self.drawn;
        let states = graph.len();
        format!(
            "{shape:?}, {events:?}, {temper:?}, {states} states, {:?}",
            self.property
        )
    }

    fn compare(&self, i: usize, alone: &FairAnswer, together: &FairAnswer, threads: usize) {
        let about = || format!("{} workers, {}: {}", threads, NAMES[i], self.show());
        assert_eq!(alone.verdict, together.verdict, "{}", about());
        match (&together.path, together.verdict) {
            (Some(path), Verdict::Fails) => {
                judge(&self.drawn.graph, self.property, &self.constraints[i], path);
            }
            (None, Verdict::Holds) => {
                let numbers = |a: &FairAnswer| {
                    let s = &a.statistics;
                    (s.states, s.steps, s.deadlocks, s.terminated)
                };
                assert_eq!(numbers(alone), numbers(together), "{}", about());
                // Where there are many initial states, one worker looks at terminal components only.
                if NAMES[i] != "sgf" || self.property != Property::Recurrence {
                    // Where nothing is searched for components, some count none and some do not count.
                    let sizes = |a: &FairAnswer| (a.product_states, a.statistics.sccs.unwrap_or(0));
                    assert_eq!(sizes(alone), sizes(together), "{}", about());
                }
            }
            other => panic!("{other:?}: {}", about()),
        }
    }

    /// What one worker says, for the spread; several say the same.
    pub(crate) fn check(&self, rng: &mut Rng, crews: &[usize], spread: &mut Spread) {
        let all = &self.constraints;
        let alone = self.ask(all, |graph, q| check_fair(graph, q, &workers(1), &Silent));
        for &threads in crews {
            let limits = workers(threads);
            let ask = |constraints: &[Fairness]| {
                let answers = self.ask(constraints, |graph, q| {
                    check_fair_together(graph, q, &limits, &Silent)
                });
                answers.expect("these are for several workers")
            };
            for (i, together) in ask(all).iter().enumerate() {
                // Some hold and some fail, so what was explored in the end depends on the last to be answered.
                if together.verdict == Verdict::Fails || all.len() == 1 {
                    self.compare(i, &alone[i], together, threads);
                } else {
                    assert_eq!(alone[i].verdict, together.verdict, "{}", self.show());
                }
            }
            // One by itself stops as soon as it is answered.
            let i = rng.below(all.len());
            let one = std::slice::from_ref(&all[i]);
            let by_itself = self.ask(one, |graph, q| check_fair(graph, q, &workers(1), &Silent));
            assert_eq!(by_itself[0].verdict, alone[i].verdict);
            self.compare(i, &by_itself[0], &ask(one)[0], threads);
        }
        spread.add(self, &alone);
    }

    /// A search that begins alone and is shared where it is worth it says the same; if it is to be reproducible, by the very path. How many answers were found together.
    pub(crate) fn check_escalating(&self, threads: usize) -> usize {
        let (automaton, atoms) = self.property.violations();
        let search = |limits: &Limits| {
            let question = FairQuestion {
                automaton: &automaton,
                atoms: &atoms,
                constraints: &self.constraints,
                recurrent: self.property.is_recurrent(),
            };
            let graph = &self.drawn.graph;
            let mut search = FairSearch::new(graph, &atoms, &self.constraints, limits, &Silent);
            // Twice: the second time on what is explored.
            let mut ask = || {
                let mut answers = BTreeMap::new();
                search.check(&question, &mut |i, answer| _ = answers.insert(i, answer));
                answers.into_values().collect::<Vec<FairAnswer>>()
            };
            [ask(), ask()]
        };
        let alone = search(&workers(1));
        let together = search(&workers(threads));
        let reproducible = search(&Limits {
            reproducible: true,
            ..workers(threads)
        });
        for round in 0..2 {
            for i in 0..self.constraints.len() {
                let (alone, together) = (&alone[round][i], &together[round][i]);
                assert_eq!(alone.verdict, together.verdict, "{} {}", NAMES[i], self.show());
                if let Some(path) = &together.path {
                    judge(&self.drawn.graph, self.property, &self.constraints[i], path);
                }
                let again = &reproducible[round][i];
                assert_eq!(alone.verdict, again.verdict);
                assert_eq!(alone.path, again.path, "{} {}", NAMES[i], self.show());
            }
        }
        let shared = |a: &&FairAnswer| a.statistics.workers > 1;
        together.iter().flatten().filter(shared).count()
    }
}

/// Some number of states: mostly just enough for large components.
pub(crate) fn size(rng: &mut Rng) -> usize {
    if rng.chance(1, 6) {
        20_000 + rng.below(20_000)
    } else {
        5_000 + rng.below(6_000)
    }
}

#[test]
fn verdicts_are_those_of_one_worker() {
    let mut rng = Rng::new(0x70_6e7e);
    let mut spread = Spread::default();
    let rounds = cases(16);
    for round in 0..rounds {
        let states = size(&mut rng);
        let case = Case::random(&mut rng, Shape::ALL[round % 4], states);
        // Each crew in turn on every shape.
        let crew = WORKERS[(round / 4) % 4];
        case.check(&mut rng, &[crew], &mut spread);
    }
    spread.print();
    assert!(rounds < 200 || spread.least() > rounds / 50);
}

/// The verdicts that take large parts to be looked at together, again and again, and split.
#[test]
fn large_parts_are_decided_as_by_one_worker() {
    let mut rng = Rng::new(0x1a_76e);
    let mut spread = Spread::default();
    let rounds = cases(10);
    for round in 0..rounds {
        let crew = WORKERS[1 + round % 3];
        Case::hard(&mut rng).check(&mut rng, &[crew], &mut spread);
    }
    spread.print();
    assert!(rounds < 200 || spread.least() > rounds / 50);
}

#[test]
fn a_search_that_is_shared_on_its_way_says_the_same() {
    let mut rng = Rng::new(0xe5_ca1a);
    let mut shared = 0;
    let rounds = cases(3).min(400);
    for round in 0..rounds {
        let case = Case::many_steps(&mut rng, Shape::ALL[round % 3]);
        shared += case.check_escalating([2, 4, 8][round % 3]);
    }
    println!("{rounds} graphs, {shared} answers found together");
    assert!(shared > rounds);
}

/// Under strong global fairness a loop through a component takes each of its steps: were each move compared with all that is owed, this would take hours.
#[test]
fn a_loop_through_very_many_steps_is_walked() {
    let mut rng = Rng::new(0x0_3eed);
    let states = 40_000;
    let arcs = |state: usize| {
        let round = (state + 1) % states;
        let mut targets = vec![round];
        targets.extend((0..5).map(|_| rng.below(states)));
        let arc = |to: usize| (FIRST_EVENT, 1, to as u32);
        targets.into_iter().map(arc).collect()
    };
    let graph = Graph::new(vec![0], (0..states).map(arcs).collect(), vec![0; states]);
    let property = Property::Recurrence;
    let (automaton, atoms) = property.violations();
    let global = Fairness {
        global: true,
        ..Fairness::none()
    };
    let question = FairQuestion {
        automaton: &automaton,
        atoms: &atoms,
        constraints: std::slice::from_ref(&global),
        recurrent: property.is_recurrent(),
    };
    let answers = check_fair(&graph, &question, &workers(1), &Silent);
    let path = answers[0].path.as_ref().expect("no state has the predicate");
    assert!(path.labels.len() > 200_000, "{} steps", path.labels.len());
    judge(&graph, property, &global, path);
}
