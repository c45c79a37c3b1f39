//! One walk after the other, within bounds.

use super::Errand;
use super::trail::Trail;
use crate::check::verdict_of;
use crate::front::{Asks, FrontEnd};
use crate::reason;
use crate::report::CheckResult;
use crate::simulate::wander::{ASK_EVERY, Wanderer};
use crate::watch::Watch;
use fairhold_source::SourceMap;
use fairhold_system::Random;
use fairhold_system::{Control, Fault, Limits, Observer, Progress, Steps, StopReason, Verdict, Word};
use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};

/// Steps of the first walk; the next ones take twice as many each, up to [`LONGEST`].
const SHORTEST: u64 = 1_000;
/// Steps of the longest walks.
const LONGEST: u64 = 100_000;

/// What a look at a walk comes to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Next {
    /// The walk goes on.
    On,
    /// This walk can show nothing any more.
    Leave,
    /// All is decided.
    Done,
}

/// What looks at walks.
pub(super) trait Hunter<F: FrontEnd> {
    /// Looks at the state where the walk has arrived; `before` is the last position at which it was there before. At
    /// the start of a walk, whatever is known of the walk before is to be forgotten.
    fn arrive(
        &mut self,
        walk: &mut Wanderer<'_, F>,
        trail: &Trail,
        before: Option<usize>,
    ) -> Result<Next, Fault>;

    /// Looks at the steps that are possible there. There may be none: then the walk ends in any case.
    fn look(&mut self, system: &F::System, steps: &Steps, state: &[Word], trail: &Trail) -> Next;

    /// Looks at a walk that is over because it is long enough.
    fn over(&mut self, trail: &Trail) -> Next {
        let _ = trail;
        Next::On
    }
}

/// Why the last walk ended.
#[derive(Debug)]
pub(super) enum Halt {
    /// The hunter has decided all.
    Done,
    /// As many walks were taken as were asked for.
    Exhausted,
    /// At a bound.
    Stopped(StopReason),
    /// The model has gone wrong where the trail ends.
    Wrong(Fault),
    /// No initial state was found at random.
    Nowhere,
}

/// What walks have seen.
#[derive(Default)]
pub(super) struct Tally {
    /// Walks that were begun.
    walks: u64,
    /// Steps of the longest.
    longest: u64,
    /// Steps of all.
    taken: u64,
    /// The hashes of the distinct states: a collision makes the count one too small, and no verdict depends on it.
    seen: HashSet<u64>,
    /// Distinct steps of visited states.
    steps: u64,
}

/// Takes walks until the hunter has decided all, or there is no going on.
pub(super) fn hunt<F: FrontEnd>(
    front: &F,
    system: &F::System,
    errand: Errand<'_>,
    hunter: &mut dyn Hunter<F>,
    trail: &mut Trail,
) -> (Halt, Tally) {
    let bounds = &errand.options.bounds;
    let limits = bounds.limits();
    let mut party = Party {
        watch: Watch::new(errand.observer, bounds.timeout, limits.bytes),
        limits,
        system,
        walk: Wanderer::new(front, system),
        tally: Tally::default(),
    };
    let mut seeds = Random::new(errand.walks.seed);
    let mut most = SHORTEST;
    let mut halt = Halt::Exhausted;
    for _ in 0..errand.walks.walks {
        // Every walk has a seed of its own, so that it does not depend on how long those before it were.
        let mut random = Random::new(seeds.word());
        let ended = party.walk(hunter, trail, &mut random, most);
        party.tally.longest = party.tally.longest.max(trail.end() as u64);
        party.tally.taken += trail.end() as u64;
        match ended {
            Ok(None) => {}
            Ok(Some(why)) => {
                halt = why;
                break;
            }
            Err(fault) => {
                halt = Halt::Wrong(fault);
                break;
            }
        }
        most = match most {
            LONGEST.. => SHORTEST,
            _ => LONGEST.min(most * 2),
        };
    }
    (halt, party.tally)
}

/// What all walks share.
struct Party<'a, F: FrontEnd>
where
    F::System: 'a,
{
    watch: Watch<'a>,
    limits: Limits,
    system: &'a F::System,
    walk: Wanderer<'a, F>,
    tally: Tally,
}

impl<F: FrontEnd> Party<'_, F> {
    /// Takes one walk of at most so many steps. None: the next may follow.
    fn walk(
        &mut self,
        hunter: &mut dyn Hunter<F>,
        trail: &mut Trail,
        random: &mut Random,
        most: u64,
    ) -> Result<Option<Halt>, Fault> {
        *trail = Trail::default();
        if let Some(why) = self.stops(trail) {
            return Ok(Some(Halt::Stopped(why)));
        }
        if !self.walk.start(random)? {
            return Ok(Some(Halt::Nowhere));
        }
        self.tally.walks += 1;
        trail.start(self.walk.state());
        let mut before = None;
        loop {
            match hunter.arrive(&mut self.walk, trail, before)? {
                Next::On => {}
                Next::Leave => return Ok(None),
                Next::Done => return Ok(Some(Halt::Done)),
            }
            let is_new = self.tally.seen.insert(hash(self.walk.state()));
            let state = self.walk.state().to_vec();
            let steps = self.walk.look()?;
            if is_new {
                self.tally.steps += steps.len() as u64;
            }
            let is_last = steps.is_empty();
            match hunter.look(self.system, steps, &state, trail) {
                Next::Done => return Ok(Some(Halt::Done)),
                Next::Leave => return Ok(None),
                Next::On if is_last => return Ok(None),
                Next::On => {}
            }
            if trail.end() as u64 >= most {
                return Ok((hunter.over(trail) == Next::Done).then_some(Halt::Done));
            }
            let at_bound = |bound: u64| self.tally.seen.len() as u64 >= bound;
            if self.limits.states.is_some_and(at_bound) {
                return Ok(Some(Halt::Stopped(StopReason::States)));
            }
            if (trail.end() as u64 + 1).is_multiple_of(ASK_EVERY)
                && let Some(why) = self.stops(trail)
            {
                return Ok(Some(Halt::Stopped(why)));
            }
            let label = self.walk.take(random);
            before = trail.go(label, self.walk.state());
        }
    }

    /// Asks whether to stop, and why.
    fn stops(&self, trail: &Trail) -> Option<StopReason> {
        let progress = Progress {
            states: self.tally.seen.len() as u64,
            steps: self.tally.steps,
            waiting: 0,
            depth: trail.end() as u64,
            bytes: trail.bytes() + self.walk.bytes() + 16 * self.tally.seen.len() as u64,
        };
        if self.limits.bytes.is_some_and(|most| progress.bytes > most) {
            return Some(StopReason::Memory);
        }
        match self.watch.progress(&progress) {
            Control::Continue => None,
            Control::Stop(why) => Some(why),
        }
    }
}

fn hash(state: &[Word]) -> u64 {
    // Of fixed keys, so that the same walks give the same count.
    let mut hasher = DefaultHasher::new();
    state.hash(&mut hasher);
    hasher.finish()
}

impl Tally {
    /// Puts the numbers into a result.
    pub(super) fn fill(&self, result: &mut CheckResult) {
        result.states = self.seen.len() as u64;
        result.steps = self.steps;
    }

    /// Says in a result that is not decided why it is not.
    pub(super) fn undecided(
        &self,
        map: &SourceMap,
        errand: Errand<'_>,
        halt: &Halt,
        result: &mut CheckResult,
    ) {
        result.verdict = Verdict::Unknown;
        let saw = self.saw(errand);
        result.reason = Some(match halt {
            Halt::Done | Halt::Exhausted => saw,
            Halt::Stopped(StopReason::Interrupted) => format!("interrupted: {saw}"),
            Halt::Stopped(StopReason::Time) => format!("out of time: {saw}"),
            Halt::Stopped(StopReason::Memory) => format!("out of memory: {saw}"),
            Halt::Stopped(StopReason::States) => format!("at the bound on states: {saw}"),
            Halt::Nowhere => "no initial state was found at random".to_owned(),
            Halt::Wrong(fault) => {
                result.verdict = verdict_of(fault);
                reason::fault(map, fault)
            }
        });
    }

    /// `100 random walks of up to 64000 steps saw no deadlock`
    fn saw(&self, errand: Errand<'_>) -> String {
        let nothing = match errand.asks {
            Asks::DeadlockFree => "no deadlock",
            Asks::NonTerminating => "no state without steps",
            Asks::DivergenceFree => "no loop of tau steps",
            Asks::Deterministic => "no two steps of one event to different states",
            Asks::Reaches | Asks::Never => "no state where the condition is true",
            Asks::Always => "no state where the condition is false",
            Asks::Ltl | Asks::Ctl | Asks::Refines => "no loop that violates it and is fair",
        };
        format!(
            "{} of up to {} saw {nothing} ({} in all, seed {})",
            reason::count(self.walks, "random walk"),
            reason::count(self.longest, "step"),
            reason::count(self.taken, "step"),
            errand.walks.seed
        )
    }
}
