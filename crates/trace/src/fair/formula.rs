//! A fairness formula on a loop.
//!
//! A loop repeats forever, so `GF a` is true of it if `a` is true at some step, and `FG a` if it is at every step. A condition is
//! read on a step: `engaged` of the step itself, all else in the state it enters. Negations are pushed down to the
//! conditions on the way, so that the ledger lists only `GF` and `FG` parts that are true: all parts of a conjunction,
//! and the first true part of a disjunction.
//!
//! Cost: one pass over the loop for each part of each condition.

use super::{FORMULA, Holds, Lap, Unfair};
use crate::constraint::{Formula, Predicate};
use crate::judge::Judge;
use crate::run::{Discharged, LedgerEntry};
use fairhold_system::Fault;

/// The parts that make a formula true, or a sentence why it is not.
type Settled = Result<Vec<LedgerEntry>, String>;

impl<J: Judge> Lap<'_, J> {
    /// The ledger of a formula: one entry for each part that makes it true.
    pub(super) fn formula(
        &self,
        formula: &Formula,
        holds: &Holds<'_, J::State>,
    ) -> Result<Vec<LedgerEntry>, Unfair> {
        self.settle(formula, true, holds)?
            .map_err(|message| Unfair::Unmet {
                obligation: formula.to_string(),
                kind: FORMULA,
                message,
            })
    }

    /// The `GF` and `FG` parts that make the formula true, or false if not `wanted`; or else a sentence why it is not so.
    fn settle(&self, formula: &Formula, wanted: bool, holds: &Holds<'_, J::State>) -> Result<Settled, Fault> {
        match (formula, wanted) {
            (Formula::InfinitelyOften(a), true) => self.infinitely_often(a, holds),
            (Formula::InfinitelyOften(a), false) => self.eventually_always(&a.negated(), holds),
            (Formula::EventuallyAlways(a), true) => self.eventually_always(a, holds),
            (Formula::EventuallyAlways(a), false) => self.infinitely_often(&a.negated(), holds),
            (Formula::Not(f), wanted) => self.settle(f, !wanted, holds),
            (Formula::And(parts), true) | (Formula::Or(parts), false) => {
                let mut ledger = Vec::new();
                for part in parts {
                    match self.settle(part, wanted, holds)? {
                        Ok(entries) => ledger.extend(entries),
                        Err(why) => return Ok(Err(why)),
                    }
                }
                Ok(Ok(ledger))
            }
            (Formula::Or(parts), true) | (Formula::And(parts), false) => {
                let mut reasons = Vec::new();
                for part in parts {
                    match self.settle(part, wanted, holds)? {
                        Ok(entries) => return Ok(Ok(entries)),
                        Err(why) => reasons.push(why),
                    }
                }
                if reasons.is_empty() {
                    reasons.push("a part of the formula is false whatever happens".to_owned());
                }
                Ok(Err(reasons.join(", and ")))
            }
        }
    }

    fn infinitely_often(&self, a: &Predicate, holds: &Holds<'_, J::State>) -> Result<Settled, Fault> {
        let at = self.values(a, holds)?.into_iter().position(|value| value);
        if at.is_none() {
            return Ok(Err(format!("{a} is true at no step of the loop")));
        }
        Ok(Ok(vec![LedgerEntry {
            obligation: Formula::InfinitelyOften(a.clone()).to_string(),
            kind: FORMULA.to_owned(),
            discharged: match a {
                Predicate::Not(_) => Discharged::Disabled,
                _ => Discharged::Engaged,
            },
            at,
        }]))
    }

    fn eventually_always(&self, a: &Predicate, holds: &Holds<'_, J::State>) -> Result<Settled, Fault> {
        let exception = self.values(a, holds)?.into_iter().position(|value| !value);
        if let Some(i) = exception {
            return Ok(Err(format!("{a} is not true at step {} of the loop", i + 1)));
        }
        Ok(Ok(vec![LedgerEntry {
            obligation: Formula::EventuallyAlways(a.clone()).to_string(),
            kind: FORMULA.to_owned(),
            discharged: Discharged::NeverEnabled,
            at: None,
        }]))
    }

    /// The value of a condition at every step: `engaged` of the step, all else in the state it enters.
    fn values(&self, a: &Predicate, holds: &Holds<'_, J::State>) -> Result<Vec<bool>, Fault> {
        let entered = |i: usize| (i + 1) % self.len();
        let each = |value: &dyn Fn(usize) -> bool| Ok((0..self.len()).map(value).collect());
        match a {
            Predicate::Const(b) => each(&|_| *b),
            Predicate::State(number, _) => (0..self.len())
                .map(|i| holds(*number, &self.states[entered(i)]))
                .collect(),
            Predicate::Enabled(event) => each(&|i| self.view(entered(i)).enabled.events.contains(event)),
            Predicate::Ready(event) => each(&|i| self.view(entered(i)).ready.contains(event)),
            Predicate::Engaged(event) => each(&|i| self.steps[i].0 == *event),
            Predicate::EnabledProcess(process) => {
                each(&|i| self.view(entered(i)).enabled.processes.contains(process))
            }
            Predicate::EngagedProcess(process) => each(&|i| self.steps[i].1.contains(process)),
            Predicate::Not(a) => {
                let a = self.values(a, holds)?;
                each(&|i| !a[i])
            }
            Predicate::And(parts) => {
                let parts = self.all_values(parts, holds)?;
                each(&|i| parts.iter().all(|a| a[i]))
            }
            Predicate::Or(parts) => {
                let parts = self.all_values(parts, holds)?;
                each(&|i| parts.iter().any(|a| a[i]))
            }
        }
    }

    fn all_values(&self, parts: &[Predicate], holds: &Holds<'_, J::State>) -> Result<Vec<Vec<bool>>, Fault> {
        parts.iter().map(|a| self.values(a, holds)).collect()
    }
}
