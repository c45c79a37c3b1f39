//! Systems that start everywhere: strong global fairness by terminal components, and by what can still happen, against the search for fair loops.

use fairhold_logic::{Automaton, parse, translate};
use fairhold_search::{Atom, FairAnswer, FairQuestion, Fairness, check_fair};
use fairhold_source::FileId;
use fairhold_system::{
    EventId, Fault, Fields, Label, Limits, ObjectiveId, PredicateId, ProcessesId, Silent, Stepper, Steps,
    System, Verdict, Word,
};
use fairhold_testkit::Rng;

const STATES: u32 = 300_000;
/// Every state is initial. Steps stay in a block of a few states or lead to a later one.
struct Scattered {
    seed: u32,
    block: u32,
    /// Whether there are ways out of blocks.
    leads_on: bool,
    /// Of how many states one satisfies the predicate, and from which one on.
    rare: u32,
    from: u32,
    /// Initial states handed out at a time.
    at_once: u64,
}

impl Scattered {
    fn random(&self, state: u32, number: u32) -> u32 {
        let mut x = u64::from(state) << 32 | u64::from(self.seed ^ number.wrapping_mul(0x9e37_79b9));
        x = (x ^ x >> 31).wrapping_mul(0x7fb5_d329_728e_a185);
        x = (x ^ x >> 27).wrapping_mul(0x81da_def4_bc2d_d44d);
        (x >> 33) as u32
    }
}

impl System for Scattered {
    type Stepper<'a> = &'a Scattered;

    fn width(&self) -> usize {
        1
    }

    fn stepper(&self) -> &Scattered {
        self
    }

    fn event_name(&self, event: EventId) -> String {
        event.0.to_string()
    }

    fn processes(&self, _: ProcessesId) -> Vec<u32> {
        Vec::new()
    }

    fn is_ended(&self, _: &[Word]) -> bool {
        false
    }

    fn fields(&self, _: &[Word]) -> Fields {
        Vec::new()
    }
}

fn label(event: u32) -> Label {
    Label {
        event: EventId(event),
        processes: ProcessesId::NONE,
    }
}

impl Stepper for &Scattered {
    fn initial(&mut self, out: &mut Steps) -> Result<(), Fault> {
        (0..STATES).for_each(|state| {
            out.push(label(0), &[state]);
        });
        Ok(())
    }

    fn initial_from(&mut self, cursor: u64, out: &mut Steps) -> Result<Option<u64>, Fault> {
        let end = (cursor + self.at_once).min(STATES.into());
        (cursor..end).for_each(|state| {
            out.push(label(0), &[state as Word]);
        });
        Ok((end < STATES.into()).then_some(end))
    }

    fn steps(&mut self, state: &[Word], out: &mut Steps) -> Result<(), Fault> {
        let state = state[0];
        let first = state / self.block * self.block;
        let size = self.block.min(STATES - first);
        for number in 0..self.random(state, 0) % 4 {
            let drawn = self.random(state, 1 + number);
            let to = match drawn % 8 {
                // A way out of the block.
                0 if drawn.is_multiple_of(5) && self.leads_on => first + drawn / 64 % (STATES - first),
                _ => first + drawn / 64 % size,
            };
            out.push(label(2 + number), &[to]);
        }
        Ok(())
    }

    fn holds(&mut self, _: PredicateId, state: &[Word]) -> Result<bool, Fault> {
        Ok(state[0] >= self.from && self.random(state[0], 99).is_multiple_of(self.rare))
    }

    fn measure(&mut self, _: ObjectiveId, _: &[Word]) -> Result<i64, Fault> {
        Ok(0)
    }
}

fn violations(formula: &str) -> Automaton {
    let parsed = parse(FileId(0), &format!("!({formula})"));
    let formula = parsed.formula.expect("a formula");
    assert!(formula.is_recurrence());
    translate(&formula, &|_| "p".to_owned())
        .expect("a small formula")
        .automaton
}

/// The answer about a formula under strong global fairness, by the search for loops or by terminal components.
fn ask(system: &Scattered, formula: &str, recurrent: bool, limits: &Limits) -> FairAnswer {
    let global = Fairness {
        global: true,
        ..Fairness::none()
    };
    let question = FairQuestion {
        automaton: &violations(formula),
        atoms: &[Atom::State(PredicateId(0))],
        constraints: &[global],
        recurrent,
    };
    check_fair(system, &question, limits, &Silent).remove(0)
}

/// Compares the verdicts of the search for loops with those where only what happens infinitely often matters.
fn compare(rounds: usize, at_once: u64, threads: &[usize]) {
    let mut rng = Rng::new(5);
    let (mut holds, mut fails) = (0, 0);
    for round in 0..rounds {
        // Some so rare or so common that the formula holds everywhere, or fails somewhere.
        let system = Scattered {
            seed: rng.below(1 << 30) as u32,
            block: [1, 3, 8, 40][round % 4],
            leads_on: true,
            rare: [1, 2, 30, 1_000_000_000][rng.below(4)],
            from: 0,
            at_once,
        };
        for formula in ["[]<> p", "<>[] p", "<>[] !p", "[]<> p -> <>[] p"] {
            let verdict = |recurrent: bool, threads: usize| {
                let limits = Limits {
                    threads,
                    ..Limits::default()
                };
                let answer = ask(&system, formula, recurrent, &limits);
                if answer.verdict == Verdict::Holds {
                    assert_eq!(answer.statistics.states, u64::from(STATES));
                }
                answer.verdict
            };
            let loops = verdict(false, 1);
            for &threads in threads {
                let other = verdict(true, threads);
                assert_eq!(other, loops, "{formula}, seed {}, {threads} threads", system.seed);
            }
            match loops {
                Verdict::Holds => holds += 1,
                _ => fails += 1,
            }
        }
    }
    println!("{holds} hold, {fails} fail");
    assert!(holds >= rounds / 2 && fails >= rounds / 2);
}

#[test]
fn terminal_components_decide_as_fair_loops_do() {
    compare(6, 1_000, &[1, 2]);
}

#[test]
fn what_can_still_happen_decides_as_fair_loops_do() {
    compare(3, STATES.into(), &[1, 2]);
}

#[test]
fn where_memory_is_short_two_threads_do_what_one_does() {
    let system = Scattered {
        seed: 7,
        block: 40,
        leads_on: true,
        rare: 1,
        from: 0,
        at_once: 1_000,
    };
    let check = |threads, bytes| {
        let limits = Limits {
            threads,
            bytes,
            ..Limits::default()
        };
        let answer = ask(&system, "[]<> p", true, &limits);
        assert_eq!((answer.verdict, answer.stop), (Verdict::Holds, None));
        assert_eq!(answer.statistics.states, u64::from(STATES));
        // Only where components are searched for are they counted.
        (answer.statistics.sccs.is_some(), answer.statistics.peak_bytes)
    };
    let (alone, enough) = check(1, None);
    let (together, more) = check(2, None);
    assert!(
        alone && !together && enough < more,
        "{enough} bytes, {more} by two"
    );
    assert!(check(2, Some(enough * 5 / 4)).0);
}

#[test]
fn two_threads_can_give_the_run_of_one() {
    let mut others = 0;
    for seed in 0..3 {
        // So late that the first look by one worker does not get there.
        let system = Scattered {
            seed,
            block: 40,
            leads_on: false,
            rare: 3,
            from: STATES / 5 * 4,
            at_once: 1_000,
        };
        let run = |threads, reproducible| {
            let limits = Limits {
                threads,
                reproducible,
                ..Limits::default()
            };
            let answer = ask(&system, "[]<> p -> <>[] p", true, &limits);
            assert_eq!(answer.verdict, Verdict::Fails);
            answer.path.map(|path| (path.states, path.labels, path.loop_from))
        };
        let alone = run(1, true);
        assert_eq!(alone, run(2, true));
        others += u32::from(alone != run(2, false));
    }
    println!("{others} of 3 are others if nobody asks");
    assert!(others > 0);
}
