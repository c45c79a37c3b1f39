//! Does a lasso stand for a fair execution that is as it is said to be: against a formula, or not accepted by an automaton?
//!
//! Of all executions that the run may stand for, some one must be. Mostly there is one only, or the first is as good as any. If it is
//! not, all of them are asked at once: [`fair_among`] looks for one that is fair in the graph of positions and states, together with an automaton of
//! what is claimed where the executions differ in what the claim can see. Whatever it proposes is judged like the first: its loop by
//! [`judge_fairness`], the claim by its meaning on the word. So an error in an automaton may lose an execution, and never
//! lets a wrong one pass.

use crate::constraint::Constraint;
use crate::fair::{Execution, Holds, fair_among, judge_fairness, loop_of};
use crate::judge::Judge;
use crate::matching::{Bundle, Matching};
use crate::property::AtomHolds;
use crate::replay::{Invalid, Replay};
use crate::run::{IDLE, LedgerEntry, Run};
use fairhold_logic::Translation;
use fairhold_system::Fault;

/// Whether something is true of one execution: a run and its states.
pub type TrueOf<'a, State> = dyn Fn(&Run, &[State]) -> Result<bool, Fault> + 'a;

/// What a lasso is said to show.
pub struct LassoClaim<'a, State> {
    /// What its loop must meet.
    pub constraints: &'a [Constraint],
    /// Whether a state condition of the constraints is true.
    pub condition: &'a Holds<'a, State>,
    /// Whether one execution is as claimed, its states given as [`trail`](crate::trail) gives them.
    pub is_true_of: &'a TrueOf<'a, State>,
    /// The complaint about an execution that is not.
    pub otherwise: &'a str,
    /// An automaton of the executions that are as claimed; none if it would be too large.
    pub automaton: &'a dyn Fn() -> Option<Translation>,
    /// Whether an atom of the automaton is true at a position.
    pub atom: &'a AtomHolds<'a, State>,
}

impl<J: Judge> Replay<'_, J> {
    /// A fair execution that the lasso stands for and that is as claimed, with the ledger of its loop. Mostly its run is the one given; it has
    /// more laps if no single lap is fair.
    ///
    /// # Panics
    /// If the run has no loop.
    pub fn fair(
        &self,
        run: &Run,
        claim: &LassoClaim<'_, J::State>,
    ) -> Result<(Execution<J::State>, Vec<LedgerEntry>), Invalid> {
        let matching = Matching::new(self, run)?;
        let mut refused = None;
        for bundle in matching.bundles() {
            let first = Execution {
                run: run.clone(),
                states: matching.trail(&bundle),
            };
            match self.judged(first, claim) {
                Ok(judged) => return Ok(judged),
                Err(why) => refused = refused.or(Some(why)),
            }
            if matching.is_single() {
                break;
            }
            let found = self.among(&matching, &bundle, run, claim);
            let found = found.map_err(|fault| Invalid::new(run.len(), fault.message))?;
            if let Some(execution) = found {
                return self.judged(execution, claim);
            }
        }
        Err(refused.expect("some execution matches"))
    }

    /// Judges one execution by the definitions.
    fn judged(
        &self,
        execution: Execution<J::State>,
        claim: &LassoClaim<'_, J::State>,
    ) -> Result<(Execution<J::State>, Vec<LedgerEntry>), Invalid> {
        let Execution { run, states } = &execution;
        let (loop_states, loop_steps) = loop_of(run, states);
        let ledger = judge_fairness(
            self.judge,
            loop_states,
            &loop_steps,
            claim.constraints,
            claim.condition,
        );
        let ledger = ledger.map_err(|unfair| Invalid::new(run.len(), unfair.to_string()))?;
        let wrong = |fault: Fault| Invalid::new(run.len(), fault.message);
        match (claim.is_true_of)(run, states).map_err(wrong)? {
            true => Ok((execution, ledger)),
            false => Err(Invalid::new(run.len(), claim.otherwise)),
        }
    }

    /// A fair execution of a bundle that is as claimed, if there is one.
    fn among(
        &self,
        matching: &Matching<'_, J>,
        bundle: &Bundle,
        run: &Run,
        claim: &LassoClaim<'_, J::State>,
    ) -> Result<Option<Execution<J::State>>, Fault> {
        let fair = |reader| fair_among(matching, bundle, run, claim.constraints, claim.condition, reader);
        let Some(translation) = (claim.automaton)() else {
            return fair(None);
        };
        let steps: Vec<&str> = run
            .prefix
            .iter()
            .chain(&run.loop_)
            .map(|s| s.event.as_str())
            .collect();
        let letter = |position: usize, state: &J::State| {
            let event = position.checked_sub(1).map(|step| steps[step]);
            let event = event.filter(|event| *event != IDLE);
            let mut letter = 0;
            for (bit, &atom) in translation.atoms.iter().enumerate() {
                letter |= u64::from((claim.atom)(atom, event, state)?) << bit;
            }
            Ok(letter)
        };
        for position in 0..matching.len() {
            let mut letters = Vec::new();
            for place in bundle.places(position) {
                letters.push(letter(position, matching.at(position, place))?);
            }
            if letters.iter().any(|other| *other != letters[0]) {
                return fair(Some((&translation.automaton, &letter)));
            }
        }
        // All of them are one word, so one of them speaks for all.
        match (claim.is_true_of)(run, &matching.trail(bundle))? {
            true => fair(None),
            false => Ok(None),
        }
    }
}
