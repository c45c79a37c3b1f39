//! Fair liveness by one worker and by several, on generated systems: `cargo bench -p fairhold-search --bench together -- SHAPE NOTION BLOCKS SIZE RUNS`.
//!
//! States are numbered block by block. A block is a lead-in without loops and a component: a ring with chords. A step from a block's first state leads to two other blocks. Shapes:
//!
//! - `giant`, `large`, `many`: all in components; how large they are is for BLOCKS and SIZE to say;
//! - `trivial`: nothing but lead-ins;
//! - `par1`, `par2`, `par3`: as described for three models of [Liu-ICFEM'09], with SIZE states in every component: four times as many states before each of them; as many; none, but every
//!   state has an event of its own, so that under strong fairness one state falls after the other.
//!
//! The property is `[]<>p`, and holds: from a component only an event with an obligation leads to `p`. Under `ewf` every state has it; under `esf` and `sgf` states are of four kinds, and it is possible in those
//! of the lowest, while in the others an event of its own leads to the kind below. Without fairness the property is `<>[]!q`, where `q` holds nowhere.
//!
//! Prints one line: states, steps, verdict, then the best seconds of RUNS runs of the sequential search and of the parallel one with one, two and eight workers, then the most that others had of
//! a processor in one of those. Without arguments it
//! runs once on small systems of all shapes.

use fairhold_logic::{AtomId, Automaton, Ltl, translate};
use fairhold_search::{
    Atom, FairAnswer, FairQuestion, Fairness, Obligations, Strength, When, Whose, check_fair,
    check_fair_together,
};
use fairhold_system::{
    Changed, EventId, Fault, Fields, Label, Limits, ObjectiveId, PredicateId, ProcessesId, Silent, Stepper,
    Steps, System, Word,
};
use fairhold_testkit::undisturbed;
use std::convert::Infallible;
use std::time::Instant;

/// What the command line allocates with.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// The event without an obligation; those with one come after it.
const MOVE: u32 = 2;
/// Random steps from a state.
const CHORDS: u64 = 3;
/// Kinds of states, where not every state is one.
const KINDS: u32 = 4;
const P: PredicateId = PredicateId(0);
const Q: PredicateId = PredicateId(1);
/// An odd number, so that multiplication by it is one-to-one, and its inverse.
const SPREAD: u32 = 0x9e37_79b1;
const GATHER: u32 = inverse(SPREAD);

const fn inverse(odd: u32) -> u32 {
    // Each round of Newton's iteration doubles the number of right bits.
    let mut x = odd;
    let mut round = 0;
    while round < 5 {
        x = x.wrapping_mul(2u32.wrapping_sub(odd.wrapping_mul(x)));
        round += 1;
    }
    x
}

struct Generated {
    blocks: u32,
    /// States of a block before its component, and in it.
    lead: u32,
    ring: u32,
    /// Kinds of states in a component.
    kinds: u32,
    /// Whether the event that leads to `p` is possible everywhere.
    everywhere: bool,
}

/// A number below a bound that looks random, from a state and the number of a step [Steele-OOPSLA'14].
fn random(state: u32, step: u64, bound: u32) -> u32 {
    let mut z = (u64::from(state) * (CHORDS + 1) + step + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    let high = (z ^ z >> 31) >> 32;
    ((high * u64::from(bound)) >> 32) as u32
}

impl Generated {
    fn new(shape: &str, notion: &str, blocks: u32, size: u32) -> Generated {
        let (lead, ring) = match shape {
            "trivial" => (size, 0),
            "par1" => (4 * size, size),
            "par2" => (size, size),
            _ => (0, size),
        };
        Generated {
            blocks,
            lead,
            ring,
            kinds: if shape == "par3" { ring } else { KINDS },
            everywhere: notion == "ewf",
        }
    }

    fn block(&self) -> u32 {
        self.lead + self.ring
    }

    /// The only state with `p`: it comes after all blocks.
    fn end(&self) -> u32 {
        self.blocks * self.block()
    }

    /// Tells of every step from a state: its event and where it leads.
    fn steps(&self, state: u32, mut push: impl FnMut(u32, u32)) {
        if state == self.end() {
            return push(MOVE, state);
        }
        let (block, place) = (state / self.block(), state % self.block());
        let first = state - place;
        if place == 0 {
            let next = [2 * block + 1, 2 * block + 2].map(|next| next * self.block());
            let there = next.into_iter().filter(|&next| next < self.end());
            there.for_each(|next| push(MOVE, next));
        }
        if place < self.lead {
            let left = self.block() - place - 1;
            for step in 0..=CHORDS {
                // The first leads to the next state, so that all are reachable.
                let skipped = if step == 0 || left == 0 {
                    0
                } else {
                    random(state, step, left)
                };
                push(
                    MOVE,
                    if left == 0 {
                        self.end()
                    } else {
                        state + 1 + skipped
                    },
                );
            }
            return;
        }
        let (ring, place) = (first + self.lead, place - self.lead);
        push(MOVE, ring + (place + 1) % self.ring);
        for step in 1..=CHORDS {
            push(MOVE, ring + random(state, step, self.ring));
        }
        let kind = place % self.kinds;
        match kind {
            _ if self.everywhere => push(MOVE + 1, self.end()),
            0 => push(MOVE + 1, self.end()),
            // To a state of the kind below.
            _ => push(MOVE + 1 + kind, ring + place - 1),
        }
    }
}

impl System for Generated {
    type Stepper<'a> = &'a Generated;

    fn width(&self) -> usize {
        1
    }

    fn stepper(&self) -> &Generated {
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

impl Stepper for &Generated {
    fn initial(&mut self, out: &mut Steps) -> Result<(), Fault> {
        out.push(label(MOVE), &[0]);
        Ok(())
    }

    fn steps(&mut self, state: &[Word], out: &mut Steps) -> Result<(), Fault> {
        let number = state[0].wrapping_mul(GATHER);
        Generated::steps(self, number, |event, target| {
            let words = out.push_changing(label(event), state, Changed::word(0));
            words[0] = target.wrapping_mul(SPREAD);
        });
        out.dedup_from(0);
        Ok(())
    }

    fn holds(&mut self, predicate: PredicateId, state: &[Word]) -> Result<bool, Fault> {
        Ok(predicate == P && state[0].wrapping_mul(GATHER) == self.end())
    }

    fn measure(&mut self, _: ObjectiveId, _: &[Word]) -> Result<i64, Fault> {
        Ok(0)
    }
}

fn label(event: u32) -> Label {
    Label {
        event: EventId(event),
        processes: ProcessesId::NONE,
    }
}

fn constraint(notion: &str) -> Fairness {
    let obligations = |strength| {
        vec![Obligations {
            strength,
            when: When::Enabled,
            whose: Whose::AllEvents,
        }]
    };
    Fairness {
        obligations: match notion {
            "ewf" => obligations(Strength::Weak),
            "esf" => obligations(Strength::Strong),
            _ => Vec::new(),
        },
        global: notion == "sgf",
        ..Fairness::none()
    }
}

/// What violates the property, and what its atoms mean.
fn violations(notion: &str) -> (Automaton, Vec<Atom>) {
    let atom = Box::new(Ltl::Atom(AtomId(0)));
    let violated = match notion {
        "none" => Ltl::Globally(Box::new(Ltl::Finally(atom))),
        _ => Ltl::Finally(Box::new(Ltl::Globally(Box::new(Ltl::Not(atom))))),
    };
    let translation = translate(&violated, &|_| "a".to_owned()).expect("a small formula");
    let predicate = if notion == "none" { Q } else { P };
    (translation.automaton, vec![Atom::State(predicate)])
}

/// How a search goes: by itself, or with so many workers.
const WAYS: [Option<usize>; 4] = [None, Some(1), Some(2), Some(8)];

fn measure(shape: &str, notion: &str, blocks: u32, size: u32, runs: u32) {
    let system = Generated::new(shape, notion, blocks, size);
    let (automaton, atoms) = violations(notion);
    let constraints = [constraint(notion)];
    let question = FairQuestion {
        automaton: &automaton,
        atoms: &atoms,
        constraints: &constraints,
        recurrent: false,
    };
    let search = |workers: Option<usize>| -> FairAnswer {
        let limits = Limits {
            threads: workers.unwrap_or(1),
            ..Limits::default()
        };
        let answers = match workers {
            None => Some(check_fair(&system, &question, &limits, &Silent)),
            Some(_) => check_fair_together(&system, &question, &limits, &Silent),
        };
        answers.expect("this is for several workers").remove(0)
    };
    let mut best = [(f64::INFINITY, 0.0); WAYS.len()];
    let mut seen = Vec::new();
    for _ in 0..runs {
        for (way, best) in WAYS.into_iter().zip(&mut best) {
            let run = || {
                let start = Instant::now();
                let answer = search(way);
                Ok::<_, Infallible>((answer, start.elapsed().as_secs_f64()))
            };
            let Ok(((answer, seconds), others)) = undisturbed(run);
            if seconds < best.0 {
                *best = (seconds, others);
            }
            let statistics = answer.statistics;
            seen.push((statistics.states, statistics.steps, answer.verdict));
        }
    }
    assert!(seen.iter().all(|one| *one == seen[0]), "runs differ: {seen:?}");
    let (states, steps, verdict) = seen[0];
    let seconds = best.map(|(seconds, _)| format!("{seconds:.4}")).join(" ");
    let others = best.iter().fold(0.0, |most: f64, one| most.max(one.1));
    println!("{states} {steps} {} {seconds} {others:.2}", verdict.word());
}

fn main() {
    let arguments: Vec<String> = std::env::args()
        .skip(1)
        .filter(|a| !a.starts_with("--"))
        .collect();
    if let [shape, notion, numbers @ ..] = &arguments[..] {
        let numbers: Vec<u32> = numbers.iter().map(|n| n.parse().expect("a number")).collect();
        let [blocks, size, runs] = numbers[..] else {
            panic!("SHAPE NOTION BLOCKS SIZE RUNS");
        };
        return measure(shape, notion, blocks, size, runs);
    }
    for shape in ["giant", "large", "many", "trivial", "par1", "par2", "par3"] {
        for notion in ["none", "ewf", "esf", "sgf"] {
            print!("{shape} {notion}: ");
            measure(shape, notion, 3, 300, 1);
        }
    }
}
