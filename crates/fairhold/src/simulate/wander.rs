//! A random walk through a system, which keeps no record of where it has been.
//!
//! It starts in an initial state and takes one possible step after the other, all of them equally likely: the random
//! scheduler. An initial state is drawn where the language knows how to draw one; else all of them are listed once.

use crate::front::FrontEnd;
use fairhold_system::Random;
use fairhold_system::{Fault, Label, PredicateId, Stepper, Steps, System, Word};

/// The observer of a random walk is asked every so many steps.
pub(crate) const ASK_EVERY: u64 = 1 << 12;

/// Initial states are listed in at most so many stretches: some millions.
const STRETCHES: u32 = 256;

/// One walk after the other, in memory that is used again.
pub(crate) struct Wanderer<'s, F: FrontEnd>
where
    F::System: 's,
{
    front: &'s F,
    system: &'s F::System,
    stepper: <F::System as System>::Stepper<'s>,
    /// All initial states, once they had to be listed.
    listed: Steps,
    steps: Steps,
    state: Vec<Word>,
}

impl<'s, F: FrontEnd> Wanderer<'s, F> {
    pub(crate) fn new(front: &'s F, system: &'s F::System) -> Wanderer<'s, F> {
        Wanderer {
            front,
            system,
            stepper: system.stepper(),
            listed: Steps::new(system.width()),
            steps: Steps::new(system.width()),
            state: Vec::new(),
        }
    }

    /// Goes to a random initial state; false if none is found.
    pub(crate) fn start(&mut self, random: &mut Random) -> Result<bool, Fault> {
        if self.listed.is_empty() {
            let mut below = |bound| random.below(bound);
            if let Some(state) = self.front.random_initial(self.system, &mut below)? {
                self.state = state;
                return Ok(true);
            }
            self.list()?;
        }
        if self.listed.is_empty() {
            return Ok(false);
        }
        let choice = random.below(self.listed.len());
        self.state = self.listed.target(choice).to_vec();
        Ok(true)
    }

    /// Lists all initial states: none could be drawn. None are listed if there are too many to look at.
    fn list(&mut self) -> Result<(), Fault> {
        let mut cursor = Some(0);
        for _ in 0..STRETCHES {
            let Some(at) = cursor else { break };
            cursor = self.stepper.initial_from(at, &mut self.listed)?;
        }
        if cursor.is_some() {
            self.listed.clear();
        }
        Ok(())
    }

    /// The state where the walk stands.
    pub(crate) fn state(&self) -> &[Word] {
        &self.state
    }

    /// Whether the predicate holds where the walk stands.
    pub(crate) fn holds(&mut self, predicate: PredicateId) -> Result<bool, Fault> {
        self.stepper.holds(predicate, &self.state)
    }

    /// Computes the steps that are possible where the walk stands.
    pub(crate) fn look(&mut self) -> Result<&Steps, Fault> {
        self.steps.clear();
        self.stepper.steps(&self.state, &mut self.steps)?;
        Ok(&self.steps)
    }

    /// Takes one of the steps that [`Wanderer::look`] has just computed; there must be one.
    pub(crate) fn take(&mut self, random: &mut Random) -> Label {
        let choice = random.below(self.steps.len());
        self.state.copy_from_slice(self.steps.target(choice));
        self.steps.label(choice)
    }

    /// About how many bytes the stepper and the system's own tables hold.
    pub(crate) fn bytes(&self) -> u64 {
        self.stepper.bytes()
    }
}
