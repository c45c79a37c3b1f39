//! Runs that grow out of runs: what a formula with path quantifiers claims of the states on a run, shown by runs of their own.
//!
//! A run that shows `E[p U q]` or breaks `AG p` claims something of its states, and where that is again about paths, a [`Branch`] says what is claimed, of which position, and
//! gives the run that shows it, from that position on. A claim that no run can show (that all paths do something, or none) has a run of no steps, unless idling
//! is the only path there.
//!
//! [`judge_branches`] judges such a tree by what the operators mean, on names. Confirmed for every run in it: it starts in the state it is said to start in, all its steps are steps of
//! the model, its loop closes and is fair, and along it the path formula of its claim is true as far as conditions on states and claims of branches decide that.
//! Not confirmed: that a claim without a run is true, that a claim for which no branch is given is true (the search leaves some out), and that a finite run goes on fairly.

use crate::constraint::Constraint;
use crate::differ::differences;
use crate::fair::{Holds, judge_fairness, loop_of};
use crate::judge::Judge;
use crate::property::AtomHolds;
use crate::replay::{Invalid, trail};
use crate::run::{IDLE, Run, RunStep};
use fairhold_logic::{AtomId, Ctl, Quantifier};
use fairhold_system::Fault;

/// A claim about a state on a run, and the run that shows it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Branch {
    /// The formula, as it could be typed.
    pub formula: String,
    /// Whether it is claimed to hold, or not to.
    pub holds: bool,
    /// The state's position on the run: after so many steps of the prefix and the loop.
    pub at: usize,
    /// The run from there; of no steps where no run can show the claim.
    pub run: Run,
}

/// What a tree of runs is judged by.
pub struct Claims<'c, J: Judge> {
    /// The semantics.
    pub judge: &'c J,
    /// Names of fields that are no part of a state's identity.
    pub hidden: &'c [String],
    /// What every loop must meet.
    pub constraints: &'c [Constraint],
    /// Whether a state condition of the constraints is true.
    pub condition: &'c Holds<'c, J::State>,
    /// Whether an atom of the formula is true of a state.
    pub atom: &'c AtomHolds<'c, J::State>,
    /// The name of an atom.
    pub name: &'c dyn Fn(AtomId) -> String,
    /// Whether a state without steps may idle.
    pub idles: bool,
}

/// Judges that a run, with its branches, shows that a formula holds or that it does not. The ledgers of its loops are filled in.
pub fn judge_branches<J: Judge>(
    claims: &Claims<'_, J>,
    formula: &Ctl,
    holds: bool,
    run: &mut Run,
) -> Result<(), Invalid> {
    let start = Run {
        initial: run.initial.clone(),
        ..Run::default()
    };
    claims.run(&start, formula, holds, run)
}

/// A run whose states are known, with what is claimed of them.
struct Judged<'j, 'f, State> {
    states: Vec<State>,
    /// Whether it goes on forever.
    looping: bool,
    events: Vec<String>,
    /// Position, formula, and whether it is claimed to hold.
    claimed: Vec<(usize, &'f Ctl, bool)>,
    atom: &'j AtomHolds<'j, State>,
    name: &'j dyn Fn(AtomId) -> String,
}

impl<J: Judge> Claims<'_, J> {
    /// Judges one run, which starts where `way` ends, and its branches.
    fn run(&self, way: &Run, formula: &Ctl, holds: bool, run: &mut Run) -> Result<(), Invalid> {
        let whole = Run {
            initial: way.initial.clone(),
            prefix: [&way.prefix[..], &run.prefix[..]].concat(),
            loop_: run.loop_.clone(),
            ..Run::default()
        };
        let refuse = |step: usize, message: String| Invalid {
            step,
            field: None,
            message,
        };
        let shown = formula.display(self.name).to_string();
        let states = trail(self.judge, &whole, self.hidden)?;
        let here = self.judge.fields(&states[way.prefix.len()]);
        if !differences(&here, &run.initial, &[], self.hidden).is_empty() {
            let message = format!("the run for `{shown}` does not start in the state it is about");
            return Err(refuse(way.prefix.len(), message));
        }
        let end = whole.len();
        if !run.loop_.is_empty() {
            if !self.idles && run.loop_.iter().any(|step| step.event == IDLE) {
                return Err(refuse(end, "it idles where there are no steps".to_owned()));
            }
            let (loop_states, loop_steps) = loop_of(&whole, &states);
            let judged = judge_fairness(
                self.judge,
                loop_states,
                &loop_steps,
                self.constraints,
                self.condition,
            );
            run.ledger = judged.map_err(|unfair| refuse(end, unfair.to_string()))?;
        }
        let mut branches = std::mem::take(&mut run.branches);
        let mut claimed = Vec::new();
        for branch in &mut branches {
            let part = part(formula, &branch.formula, self.name);
            let part = part.ok_or_else(|| {
                let message = format!("`{}` is no part of `{shown}`", branch.formula);
                refuse(end, message)
            })?;
            if branch.at > run.len() {
                return Err(refuse(
                    end,
                    format!("there is no position {} on the run", branch.at),
                ));
            }
            let steps: Vec<RunStep> = run
                .prefix
                .iter()
                .chain(&run.loop_)
                .take(branch.at)
                .cloned()
                .collect();
            let way = Run {
                initial: way.initial.clone(),
                prefix: [way.prefix.clone(), steps].concat(),
                ..Run::default()
            };
            self.run(&way, part, branch.holds, &mut branch.run)?;
            claimed.push((branch.at, part, branch.holds));
        }
        run.branches = branches;
        let judged = Judged {
            states: states[way.prefix.len()..].to_vec(),
            looping: !run.loop_.is_empty(),
            events: run
                .prefix
                .iter()
                .chain(&run.loop_)
                .map(|s| s.event.clone())
                .collect(),
            claimed,
            atom: self.atom,
            name: self.name,
        };
        match judged.shows(formula, holds) {
            Err(fault) => Err(refuse(end, fault.message)),
            Ok(true) => Ok(()),
            Ok(false) => {
                let word = if holds { "holds" } else { "does not hold" };
                Err(refuse(
                    end,
                    format!("the run does not show that `{shown}` {word}"),
                ))
            }
        }
    }
}

/// The part of a formula that is written like this.
fn part<'f>(formula: &'f Ctl, text: &str, name: &dyn Fn(AtomId) -> String) -> Option<&'f Ctl> {
    let mut found = None;
    formula.visit(&mut |part| {
        if found.is_none() && part.display(name).to_string() == text {
            found = Some(part);
        }
    });
    found
}

impl<State> Judged<'_, '_, State> {
    /// Whether nothing on the run speaks against what it is to show.
    fn shows(&self, formula: &Ctl, holds: bool) -> Result<bool, Fault> {
        let exists = if holds {
            Quantifier::Exists
        } else {
            Quantifier::All
        };
        // Whether an operand can have the value that the claim is about at a position.
        let can = |p: &Ctl, at: usize| Ok(self.truth(p, at)? != Some(!holds));
        let always = |p: &Ctl| Ok(self.looping && self.all(&|i| can(p, i))?);
        let until = |p: &Ctl, r: &Ctl| self.reaches(&|i| can(r, i), &|i| can(p, i));
        let both = |p: &Ctl, r: &Ctl| self.reaches(&|i| Ok(can(p, i)? && can(r, i)?), &|i| can(r, i));
        match formula {
            Ctl::Next(q, events, p) if *q == exists => {
                let Some(event) = self.events.first() else {
                    return Ok(false);
                };
                let among = |list: &Vec<AtomId>| list.iter().any(|e| (self.name)(*e) == *event);
                Ok(events.as_ref().is_none_or(among) && can(p, 1)?)
            }
            Ctl::Finally(q, p) if *q == exists && holds => until(&Ctl::True, p),
            Ctl::Globally(q, p) if *q == exists && !holds => until(&Ctl::False, p),
            Ctl::Finally(q, p) | Ctl::Globally(q, p) if *q == exists => always(p),
            Ctl::Until(q, p, r) if *q == exists && holds => until(p, r),
            Ctl::Release(q, p, r) if *q == exists && !holds => until(p, r),
            Ctl::WeakUntil(q, p, r) if *q == exists && holds => Ok(until(p, r)? || always(p)?),
            Ctl::WeakUntil(q, p, r) if *q == exists => both(p, r),
            Ctl::Until(q, p, r) | Ctl::Release(q, p, r) if *q == exists => Ok(both(p, r)? || always(r)?),
            // What holds of all paths, or of none, holds of this one.
            Ctl::Globally(_, p) if holds => self.all(&|i| Ok(self.truth(p, i)? != Some(false))),
            Ctl::Finally(_, p) if !holds => self.all(&|i| Ok(self.truth(p, i)? != Some(true))),
            _ => Ok(self.truth(formula, 0)? != Some(!holds)),
        }
    }

    /// Whether some position is good and all before it are.
    fn reaches(
        &self,
        good: &dyn Fn(usize) -> Result<bool, Fault>,
        before: &dyn Fn(usize) -> Result<bool, Fault>,
    ) -> Result<bool, Fault> {
        for i in 0..self.states.len() {
            if good(i)? {
                return Ok(true);
            }
            if !before(i)? {
                return Ok(false);
            }
        }
        Ok(false)
    }

    fn all(&self, good: &dyn Fn(usize) -> Result<bool, Fault>) -> Result<bool, Fault> {
        for i in 0..self.states.len() {
            if !good(i)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Whether a formula is true at a position; none if it is about paths and nothing is claimed.
    fn truth(&self, formula: &Ctl, at: usize) -> Result<Option<bool>, Fault> {
        let both = |p: Option<bool>, q: Option<bool>| match (p, q) {
            (Some(false), _) | (_, Some(false)) => Some(false),
            (Some(true), Some(true)) => Some(true),
            _ => None,
        };
        let not = |p: Option<bool>| p.map(|p| !p);
        let of = |p: &Ctl| self.truth(p, at);
        Ok(match formula {
            Ctl::True => Some(true),
            Ctl::False => Some(false),
            Ctl::Atom(atom) => Some((self.atom)(*atom, None, &self.states[at])?),
            Ctl::Not(p) => not(of(p)?),
            Ctl::And(p, q) => both(of(p)?, of(q)?),
            Ctl::Or(p, q) => not(both(not(of(p)?), not(of(q)?))),
            Ctl::Implies(p, q) => not(both(of(p)?, not(of(q)?))),
            Ctl::Iff(p, q) => match (of(p)?, of(q)?) {
                (Some(p), Some(q)) => Some(p == q),
                _ => None,
            },
            _ => {
                let mut claimed = self.claimed.iter();
                let claim = claimed.find(|(position, p, _)| *position == at && *p == formula);
                claim.map(|(.., holds)| *holds)
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::counter::{Counter, lasso};
    use crate::{run_from_json, run_to_json};
    use fairhold_system::{Fields, Value};

    /// Atoms 0: `x == 0`; 1: `x == 2`; 2: the event `inc`.
    fn name(AtomId(atom): AtomId) -> String {
        ["zero", "two", "inc"][atom as usize].to_owned()
    }

    fn judged(formula: &Ctl, holds: bool, run: &Run) -> Result<Run, Invalid> {
        let claims = Claims {
            judge: &Counter,
            hidden: &[],
            constraints: &[],
            condition: &|_, _| unreachable!("no constraint has a condition"),
            atom: &|AtomId(atom), _, &(x, _): &(i64, i64)| Ok(x == i64::from(2 * atom)),
            name: &name,
            idles: true,
        };
        let mut run = run.clone();
        judge_branches(&claims, formula, holds, &mut run).map(|()| run)
    }

    fn atom(number: u32) -> Box<Ctl> {
        Box::new(Ctl::Atom(AtomId(number)))
    }

    fn exists(p: Box<Ctl>) -> Ctl {
        Ctl::Finally(Quantifier::Exists, p)
    }

    /// `inc` from 0 to 1, and from there `EF two` by another `inc`.
    fn tree() -> Run {
        let [first, second] = [&lasso().prefix[0], &lasso().loop_[0]].map(Clone::clone);
        let state: Fields = first.state.clone();
        let run = Run {
            initial: state,
            prefix: vec![second],
            ..Run::default()
        };
        Run {
            prefix: vec![first],
            loop_: Vec::new(),
            branches: vec![Branch {
                formula: "EF two".to_owned(),
                holds: true,
                at: 1,
                run,
            }],
            ..lasso()
        }
    }

    #[test]
    fn a_tree_that_shows_its_claims_is_accepted() {
        let next = Ctl::Next(
            Quantifier::Exists,
            Some(vec![AtomId(2)]),
            Box::new(exists(atom(1))),
        );
        assert!(judged(&next, true, &tree()).is_ok());
        // 0, 1, then 2, 1 forever: `zero` is left for good, `two` is reached, and not `zero` all the time.
        assert!(judged(&exists(atom(1)), true, &lasso()).is_ok());
        assert!(judged(&Ctl::Globally(Quantifier::All, atom(0)), false, &lasso()).is_ok());
    }

    #[test]
    fn a_tree_that_does_not_is_refused() {
        let next = Ctl::Next(
            Quantifier::Exists,
            Some(vec![AtomId(2)]),
            Box::new(exists(atom(1))),
        );
        let mut cases: Vec<(Run, &str)> = Vec::new();
        let mut change = |changed: &dyn Fn(&mut Run), why: &'static str| {
            let mut run = tree();
            changed(&mut run);
            cases.push((run, why));
        };
        change(
            &|run| run.branches[0].holds = false,
            "does not show that `EF two` does not hold",
        );
        change(
            &|run| run.branches[0].at = 0,
            "does not lead to the state the run gives",
        );
        change(&|run| run.branches[0].at = 7, "there is no position 7");
        change(
            &|run| run.branches[0].formula = "EF one".to_owned(),
            "`EF one` is no part",
        );
        change(
            &|run| run.branches[0].run.prefix.clear(),
            "does not show that `EF two` holds",
        );
        change(
            &|run| run.branches[0].run.initial[0].1 = Value::Int(0),
            "does not start in the state it is about",
        );
        change(&|run| run.prefix.clear(), "there is no position 1");
        for (run, why) in cases {
            let refused = judged(&next, true, &run).unwrap_err();
            assert!(refused.message.contains(why), "{} for {why}", refused.message);
        }
        // A run without a loop does not stay anywhere forever.
        let stays = Ctl::Globally(Quantifier::Exists, Box::new(Ctl::Not(atom(1))));
        let mut finite = tree();
        finite.branches.clear();
        assert!(judged(&stays, true, &finite).is_err());
    }

    #[test]
    fn what_was_written_is_read() {
        assert_eq!(run_from_json(&run_to_json(&tree(), true)), Ok(tree()));
        let mut json = run_to_json(&tree(), true);
        json["branches"][0]["run"]["prefix"] = "x".into();
        let fault = run_from_json(&json).unwrap_err().to_string();
        assert_eq!(fault, "branches[0].run.prefix must be a list of steps");
    }
}
