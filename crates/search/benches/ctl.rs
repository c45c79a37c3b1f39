//! How long it takes to label a generated structure with `AG (p -> AF q)`: `cargo bench -p fairhold-search --bench ctl -- SHAPE KIND PAIRS STATES`.
//!
//! A state is a number `k`, spread over a word; five steps lead from it. Four go anywhere, by the event `move`. The fifth is an event that has an obligation of strong fairness, and where it
//! leads depends on the shape:
//!
//! - `cascade`: states are of one kind more than there are pairs; those of the last kind have `q`. In a state of kind `i` the event `e_i` is possible, and leads to kind `i - 1`, from kind 0 to
//!   `q`. Without `q`, `e_0` is possible and never taken, so states of kind 0 go; then `e_1` is never taken, and so on: as many rounds as pairs, until nothing is left and the formula holds.
//! - `steady`: the fifth step goes anywhere too, by any of the events. All obligations are met at once.
//!
//! With the kind `events` the pairs are obligations of events, with `predicates` a formula `/\ (FG !red_i or GF green_i)` over marks. Prints one line: states, steps, seconds of the
//! processor, seconds on the clock, peak memory in MB, verdict. Without arguments it runs once on a small structure.

use fairhold_logic::{Acceptance, AtomId, Ctl, MarkId, Quantifier};
use fairhold_search::{
    BranchingQuestion, Ends, Fairness, Obligations, Proposition, StepPredicate, Strength, When, Whose,
    check_branching,
};
use fairhold_system::{
    Changed, EventId, Fault, Fields, Label, Limits, ObjectiveId, PredicateId, ProcessesId, Silent, Stepper,
    Steps, System, Word,
};
use std::time::Instant;

/// What the command line allocates with.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// The event without an obligation; those with one come after it.
const MOVE: u32 = 2;
/// Steps from a state.
const STEPS: u64 = 5;
/// Predicates: the requests and the answers, then the kinds.
const P: u32 = 0;
const Q: u32 = 1;
const KIND: u32 = 2;

struct Generated {
    states: u32,
    pairs: u32,
    cascade: bool,
}

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

/// A number that looks random, from a state and the number of a step [Steele-OOPSLA'14].
fn random(state: u32, step: u64) -> u32 {
    let mut z = (u64::from(state) * STEPS + step + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    ((z ^ z >> 31) >> 32) as u32
}

impl Generated {
    /// A number below a bound.
    fn below(random: u32, bound: u32) -> u32 {
        ((u64::from(random) * u64::from(bound)) >> 32) as u32
    }

    fn kinds(&self) -> u32 {
        self.pairs + 1
    }

    fn kind(&self, state: u32) -> u32 {
        state % self.kinds()
    }

    /// Some state of a kind.
    fn of_kind(&self, kind: u32, random: u32) -> u32 {
        Generated::below(random, self.states / self.kinds()) * self.kinds() + kind
    }

    /// The step with an obligation: its event and where it leads. From `q` it is a step like others.
    fn fifth(&self, state: u32) -> (u32, u32) {
        let number = random(state, STEPS - 1);
        let anywhere = Generated::below(number, self.states);
        match (self.cascade, self.kind(state)) {
            (false, _) => (MOVE + 1 + number % self.pairs, anywhere),
            (true, kind) if kind == self.pairs => (MOVE, anywhere),
            (true, 0) => (MOVE + 1, self.of_kind(self.pairs, number)),
            (true, kind) => (MOVE + 1 + kind, self.of_kind(kind - 1, number)),
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
        let mut push = |event: u32, target: u32| {
            let words = out.push_changing(label(event), state, Changed::word(0));
            words[0] = target.wrapping_mul(SPREAD);
        };
        // One step round the ring, so that every state is reachable.
        push(MOVE, (number + 1) % self.states);
        for step in 1..STEPS - 1 {
            push(MOVE, Generated::below(random(number, step), self.states));
        }
        let (event, target) = self.fifth(number);
        push(event, target);
        out.dedup_from(0);
        Ok(())
    }

    fn holds(&mut self, predicate: PredicateId, state: &[Word]) -> Result<bool, Fault> {
        let number = state[0].wrapping_mul(GATHER);
        Ok(match predicate.0 {
            P => number.is_multiple_of(3),
            Q => self.kind(number) == self.pairs,
            kind => self.kind(number) == kind - KIND,
        })
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

/// So many pairs of strong fairness, one for each event after `move`.
fn constraint(pairs: u32, predicates: bool) -> Fairness {
    let mut fairness = Fairness::none();
    if !predicates {
        fairness.obligations.push(Obligations {
            strength: Strength::Strong,
            when: When::Enabled,
            whose: Whose::Events((0..pairs).map(|i| EventId(MOVE + 1 + i)).collect()),
        });
        return fairness;
    }
    for i in 0..pairs {
        fairness.marks.push(StepPredicate::State(PredicateId(KIND + i)));
        fairness.marks.push(StepPredicate::Engaged(EventId(MOVE + 1 + i)));
    }
    let pair = |i| Acceptance::or([Acceptance::Fin(MarkId(2 * i)), Acceptance::Inf(MarkId(2 * i + 1))]);
    fairness.formula = Acceptance::and((0..pairs).map(pair));
    fairness
}

/// Seconds of the processor that this process has used, and its peak memory in MB, as Linux tells them.
fn used() -> (f64, f64) {
    let read = |file: &str| std::fs::read_to_string(file).unwrap_or_default();
    let stat = read("/proc/self/stat");
    // After the name in parentheses, user time is field 12, in ticks of which there are 100 a second.
    let after = stat.rsplit(')').next().unwrap_or_default();
    let ticks = after
        .split_whitespace()
        .nth(11)
        .and_then(|t| t.parse::<f64>().ok());
    let status = read("/proc/self/status");
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kilobytes = peak.and_then(|text| text.split_whitespace().next()?.parse::<f64>().ok());
    (ticks.unwrap_or(0.0) / 100.0, kilobytes.unwrap_or(0.0) / 1024.0)
}

fn main() {
    let arguments: Vec<String> = std::env::args()
        .skip(1)
        .filter(|a| !a.starts_with("--"))
        .collect();
    let word = |i: usize, default: &str| arguments.get(i).cloned().unwrap_or_else(|| default.to_owned());
    let number = |i: usize, default: &str| word(i, default).parse::<u32>().expect("a number");
    let (shape, kind, pairs) = (word(0, "cascade"), word(1, "events"), number(2, "10"));
    let graph = Generated {
        // The last state of the last kind is the last of all.
        states: number(3, "11000") / (pairs + 1) * (pairs + 1),
        pairs,
        cascade: shape == "cascade",
    };
    let atom = |a| Box::new(Ctl::Atom(AtomId(a)));
    let answered = Ctl::Finally(Quantifier::All, atom(Q));
    let formula = Ctl::Globally(
        Quantifier::All,
        Box::new(Ctl::Implies(atom(P), Box::new(answered))),
    );
    let question = BranchingQuestion {
        formula: &formula,
        proposition: &|AtomId(a)| Proposition::State(PredicateId(a)),
        event: &|AtomId(e)| EventId(e),
        constraints: &[constraint(pairs, kind == "predicates")],
    };
    let start = Instant::now();
    let answer = check_branching(&graph, &question, Ends::Idle, &Limits::default(), &Silent).remove(0);
    let clock = start.elapsed().as_secs_f64();
    let (processor, peak) = used();
    let (states, steps, verdict) = (
        answer.statistics.states,
        answer.statistics.steps,
        answer.verdict.word(),
    );
    println!("{states} {steps} {processor:.2} {clock:.2} {peak:.0} {verdict}");
}
