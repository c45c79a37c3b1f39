//! Runs that grow out of runs: what a formula with path quantifiers claims of the states on a run, shown by runs of their own.
//!
//! A run that shows `E[p U q]` or breaks `AG p` claims something of its states, and where that is again about paths, a [`Branch`] says what is claimed, of which position, and
//! gives the run that shows it, from that position on. A claim that no run can show (that all paths do something, or none) has a run of no steps, unless idling
//! is the only path there.
//!
//! [`judge_branches`] judges such a tree by what the operators mean, on names. Confirmed for every run in it: it starts in the very state that it is said to start in, all its steps are
//! steps of the model, its loop closes and is fair, and along it the path formula of its claim is true as far as conditions on states and claims of branches decide that.
//! Not confirmed: that a claim without a run is true, that a claim for which no branch is given is true (the search leaves some out), and that a finite run goes on fairly.
//!
//! Where a run stands for several executions, some one of them must show the claim, its branches starting in its own states. So what is judged is a
//! [`Matching`]: the states of a position from which a branch does not show its claim are struck out, then those that the path formula
//! forbids, and a loop must be fair that goes through the rest. All of that is asked of states, so what remains is exactly the executions that show everything.
//!
//! Path quantifiers range over fair paths: where no fair path starts, `A..` holds and `E..` does not, whatever is true there. So
//! a claim about all paths, or about none, says something of the positions of a run only if a fair path goes on from them.

use crate::constraint::Constraint;
use crate::fair::{Execution, Holds, Unfair, fair_among, judge_fairness, loop_of};
use crate::judge::Judge;
use crate::matching::{Bundle, Matching};
use crate::property::AtomHolds;
use crate::replay::{Invalid, Replay, went_wrong};
use crate::run::{IDLE, Run};
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
    /// What its runs are walked on.
    pub replay: &'c Replay<'c, J>,
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
    /// Whether some fair path starts in every state of the model, as is known of most constraints.
    pub is_feasible: bool,
}

/// Judges that a run, with its branches, shows that a formula holds or that it does not. The ledgers of its loops are filled in.
pub fn judge_branches<J: Judge>(
    claims: &Claims<'_, J>,
    formula: &Ctl,
    holds: bool,
    run: &mut Run,
) -> Result<(), Invalid> {
    let matching = Matching::new(claims.replay, run)?;
    claims.tree(matching, 0, formula, holds, run).map(|_| ())
}

/// What must be true along a run for it to show a claim.
enum Shape<'f> {
    /// The first state satisfies this, or does not.
    Start(&'f Ctl),
    /// The state after the first step does.
    Next(&'f Ctl),
    /// Every state does.
    Throughout(&'f Ctl),
    /// The loop is forever in states that do, and so is the way there.
    Forever(&'f Ctl),
    /// Some state satisfies all of the second, and each one before it the first.
    Until(&'f Ctl, Vec<&'f Ctl>),
    /// This is so, or not so, of the path that idles in the first state: the only one from there.
    Idling(&'f Ctl),
    /// Nothing.
    Anything,
}

/// What is claimed of the states of a run.
struct Claimed<'f> {
    /// Position, formula, and whether it is claimed to hold.
    parts: Vec<(usize, &'f Ctl, bool)>,
}

/// What was found out about the loop of a run.
#[derive(Default)]
struct Loops {
    /// The run with the ledger of a loop that is fair, and with as many laps as that takes.
    fair: Option<Run>,
    /// Why another is not.
    unfair: Option<String>,
}

impl<J: Judge> Claims<'_, J> {
    /// Judges a run with its branches, of which this is what matches, and which is the end of a longer one after `before` steps. Comes back with the states that it may
    /// start in.
    fn tree(
        &self,
        mut matching: Matching<'_, J>,
        before: usize,
        formula: &Ctl,
        holds: bool,
        run: &mut Run,
    ) -> Result<Vec<J::State>, Invalid> {
        let end = before + run.len();
        let shown = formula.display(self.name).to_string();
        if !self.idles && run.loop_.iter().any(|step| step.event == IDLE) {
            return Err(Invalid::new(end, "it idles where there are no steps"));
        }
        let mut claimed = Claimed { parts: Vec::new() };
        let mut branches = std::mem::take(&mut run.branches);
        for branch in &mut branches {
            let part = part(formula, &branch.formula, self.name);
            let part = part.ok_or_else(|| {
                let message = format!("`{}` is no part of `{shown}`", branch.formula);
                Invalid::new(end, message)
            })?;
            if branch.at > run.len() {
                let message = format!("there is no position {} on the run", branch.at);
                return Err(Invalid::new(end, message));
            }
            let starts = self.branch(&matching, before, part, branch)?;
            let is_start = |state: &J::State| Ok::<bool, Fault>(starts.contains(state));
            let restricted = matching.restrict(branch.at, &is_start);
            restricted.map_err(|fault| went_wrong(end, &fault))?;
            claimed.parts.push((branch.at, part, branch.holds));
        }
        run.branches = branches;
        let mut starts: Vec<J::State> = Vec::new();
        let mut loops = Loops::default();
        for shape in self.shapes(formula, holds, run) {
            let found = self.shaped(&mut matching, &shape, holds, &claimed, run, &mut loops);
            for place in found.map_err(|fault| went_wrong(end, &fault))? {
                let state = matching.at(0, place);
                if !starts.contains(state) {
                    starts.push(state.clone());
                }
            }
        }
        if starts.is_empty() {
            let word = if holds { "holds" } else { "does not hold" };
            let message = match loops.unfair {
                Some(unfair) => unfair,
                None => format!("the run does not show that `{shown}` {word}"),
            };
            return Err(Invalid::new(end, message));
        }
        if let Some(fair) = loops.fair {
            *run = fair;
        }
        Ok(starts)
    }

    /// The states, of those that match where a branch starts, in which it may start.
    fn branch(
        &self,
        matching: &Matching<'_, J>,
        before: usize,
        part: &Ctl,
        branch: &mut Branch,
    ) -> Result<Vec<J::State>, Invalid> {
        let mut candidates: Vec<J::State> = Vec::new();
        for bundle in matching.bundles() {
            for place in bundle.places(branch.at) {
                let state = matching.at(branch.at, place);
                if !candidates.contains(state) {
                    candidates.push(state.clone());
                }
            }
        }
        let before = before + branch.at;
        let shown = part.display(self.name).to_string();
        let refuse = |(field, _)| Invalid {
            step: before,
            field,
            message: format!("the run for `{shown}` does not start in the state it is about"),
        };
        let own = Matching::from(self.replay, candidates, &branch.run, before, &refuse)?;
        self.tree(own, before, part, branch.holds, &mut branch.run)
    }

    /// What a run may be like to show a claim: one of these.
    fn shapes<'f>(&self, formula: &'f Ctl, holds: bool, run: &Run) -> Vec<Shape<'f>> {
        let exists = if holds {
            Quantifier::Exists
        } else {
            Quantifier::All
        };
        // Whatever comes before has the value that is claimed.
        let anything: &Ctl = if holds { &Ctl::True } else { &Ctl::False };
        let eventually = |p: &'f Ctl| Shape::Until(anything, vec![p]);
        // Whether a fair path goes on from the positions of the run: a run of some steps is part of one, or shows nothing.
        let goes_on = !run.is_empty() || self.is_feasible;
        match formula {
            Ctl::Next(q, events, p) if *q == exists => {
                let among = |list: &Vec<AtomId>| {
                    let first = run.prefix.iter().chain(&run.loop_).next();
                    first.is_some_and(|step| list.iter().any(|e| (self.name)(*e) == step.event))
                };
                match events.as_ref().is_none_or(among) && !run.is_empty() {
                    true => vec![Shape::Next(p)],
                    false => Vec::new(),
                }
            }
            Ctl::Finally(q, p) if *q == exists && holds => vec![eventually(p)],
            Ctl::Globally(q, p) if *q == exists && !holds => vec![eventually(p)],
            Ctl::Finally(q, p) | Ctl::Globally(q, p) if *q == exists => vec![Shape::Forever(p)],
            Ctl::Until(q, p, r) if *q == exists && holds => vec![Shape::Until(p, vec![r])],
            Ctl::Release(q, p, r) if *q == exists && !holds => vec![Shape::Until(p, vec![r])],
            Ctl::WeakUntil(q, p, r) if *q == exists && holds => {
                vec![Shape::Until(p, vec![r]), Shape::Forever(p)]
            }
            Ctl::WeakUntil(q, p, r) if *q == exists => vec![Shape::Until(r, vec![p, r])],
            Ctl::Until(q, p, r) | Ctl::Release(q, p, r) if *q == exists => {
                vec![Shape::Until(r, vec![p, r]), Shape::Forever(r)]
            }
            // What holds of all paths, or of none, holds of this one, if it is one.
            Ctl::Globally(_, p) if holds && goes_on => vec![Shape::Throughout(p)],
            Ctl::Finally(_, p) if !holds && goes_on => vec![Shape::Throughout(p)],
            // No other claim about all paths is told by way of an example.
            Ctl::Next(..)
            | Ctl::Finally(..)
            | Ctl::Globally(..)
            | Ctl::Until(..)
            | Ctl::Release(..)
            | Ctl::WeakUntil(..) => {
                let is_idle = run.prefix.iter().chain(&run.loop_).all(|step| step.event == IDLE);
                match is_idle {
                    true if run.is_empty() => vec![Shape::Anything],
                    true => vec![Shape::Idling(formula)],
                    false => Vec::new(),
                }
            }
            _ => vec![Shape::Start(formula)],
        }
    }

    /// The places where executions start that have a shape, whose operands have the value that is claimed wherever that is known, and whose loop is fair.
    fn shaped(
        &self,
        matching: &mut Matching<'_, J>,
        shape: &Shape<'_>,
        holds: bool,
        claimed: &Claimed<'_>,
        run: &Run,
        loops: &mut Loops,
    ) -> Result<Vec<usize>, Fault> {
        let can =
            |p: &Ctl, at: usize, state: &J::State| Ok(self.truth(p, at, state, claimed)? != Some(!holds));
        let before = matching.allowed();
        match shape {
            Shape::Forever(_) if run.loop_.is_empty() => return Ok(Vec::new()),
            Shape::Start(p) => matching.restrict(0, &|state| can(p, 0, state))?,
            Shape::Next(p) => matching.restrict(1, &|state| can(p, 1, state))?,
            Shape::Idling(p) => {
                let value = |state: &J::State| self.idling(p, state, claimed);
                matching.restrict(0, &|state| Ok::<bool, Fault>(value(state)? != Some(!holds)))?;
            }
            Shape::Throughout(p) | Shape::Forever(p) => {
                for position in 0..matching.len() {
                    matching.restrict(position, &|state| can(p, position, state))?;
                }
            }
            Shape::Until(..) | Shape::Anything => {}
        }
        let mut starts = vec![false; matching.width(0)];
        for bundle in matching.bundles() {
            let mut own: Vec<usize> = bundle.places(0).collect();
            if let Shape::Until(p, all) = shape {
                let good = |at: usize, state: &J::State| {
                    for r in all {
                        if !can(r, at, state)? {
                            return Ok(false);
                        }
                    }
                    Ok::<bool, Fault>(true)
                };
                own = reaching(matching, &bundle, &good, &|at, state| can(p, at, state))?;
            }
            // A loop is looked at only if it tells of a start that is not known to be good.
            let is_news = own.iter().any(|&place| !starts[place]);
            if is_news && self.is_fair(matching, &bundle, run, loops)? {
                own.into_iter().for_each(|place| starts[place] = true);
            }
        }
        matching.allow(before);
        Ok((0..starts.len()).filter(|&place| starts[place]).collect())
    }

    /// Whether some loop of a bundle is fair, if the run has one.
    fn is_fair(
        &self,
        matching: &Matching<'_, J>,
        bundle: &Bundle,
        run: &Run,
        loops: &mut Loops,
    ) -> Result<bool, Fault> {
        if run.loop_.is_empty() {
            return Ok(true);
        }
        let first = Execution {
            run: run.clone(),
            states: matching.trail(bundle),
        };
        if self.judged(first, loops)? {
            return Ok(true);
        }
        if matching.is_single() {
            return Ok(false);
        }
        match fair_among(matching, bundle, run, self.constraints, self.condition, None)? {
            Some(found) => self.judged(found, loops),
            None => Ok(false),
        }
    }

    /// Whether the loop of one execution is fair, by the definitions.
    fn judged(&self, execution: Execution<J::State>, loops: &mut Loops) -> Result<bool, Fault> {
        let Execution { run, states } = execution;
        let (loop_states, loop_steps) = loop_of(&run, &states);
        let (judge, constraints) = (self.replay.judge, self.constraints);
        match judge_fairness(judge, loop_states, &loop_steps, constraints, self.condition) {
            Ok(ledger) => {
                loops.fair.get_or_insert(Run { ledger, ..run });
                Ok(true)
            }
            Err(Unfair::Fault(fault)) => Err(fault),
            Err(unfair) => {
                loops.unfair.get_or_insert(unfair.to_string());
                Ok(false)
            }
        }
    }

    /// What follows a path quantifier, of the path that idles in a state: what is true there stays so.
    fn idling(&self, formula: &Ctl, state: &J::State, claimed: &Claimed<'_>) -> Result<Option<bool>, Fault> {
        let of = |p: &Ctl| self.truth(p, 0, state, claimed);
        Ok(match formula {
            Ctl::Next(_, None, p) | Ctl::Finally(_, p) | Ctl::Globally(_, p) => of(p)?,
            Ctl::Until(_, _, r) | Ctl::Release(_, _, r) => of(r)?,
            Ctl::WeakUntil(_, p, r) => match (of(p)?, of(r)?) {
                (Some(true), _) | (_, Some(true)) => Some(true),
                (Some(false), Some(false)) => Some(false),
                _ => None,
            },
            _ => None,
        })
    }

    /// Whether a formula is true of a state at a position; none if it is about paths and nothing is claimed.
    fn truth(
        &self,
        formula: &Ctl,
        at: usize,
        state: &J::State,
        claimed: &Claimed<'_>,
    ) -> Result<Option<bool>, Fault> {
        let both = |p: Option<bool>, q: Option<bool>| match (p, q) {
            (Some(false), _) | (_, Some(false)) => Some(false),
            (Some(true), Some(true)) => Some(true),
            _ => None,
        };
        let not = |p: Option<bool>| p.map(|p| !p);
        let of = |p: &Ctl| self.truth(p, at, state, claimed);
        Ok(match formula {
            Ctl::True => Some(true),
            Ctl::False => Some(false),
            Ctl::Atom(atom) => Some((self.atom)(*atom, None, state)?),
            Ctl::Not(p) => not(of(p)?),
            // What the first operand decides, the second is not asked: it may go wrong there.
            Ctl::And(p, q) => match of(p)? {
                Some(false) => Some(false),
                p => both(p, of(q)?),
            },
            Ctl::Or(p, q) => match of(p)? {
                Some(true) => Some(true),
                p => not(both(not(p), not(of(q)?))),
            },
            Ctl::Implies(p, q) => match of(p)? {
                Some(false) => Some(true),
                p => not(both(p, not(of(q)?))),
            },
            Ctl::Iff(p, q) => match (of(p)?, of(q)?) {
                (Some(p), Some(q)) => Some(p == q),
                _ => None,
            },
            _ => {
                let mut claims = claimed.parts.iter();
                let claim = claims.find(|(position, p, _)| *position == at && *p == formula);
                claim.map(|(.., holds)| *holds)
            }
        })
    }
}

/// A condition on a position and the state there.
type AtPosition<'a, State> = dyn Fn(usize, &State) -> Result<bool, Fault> + 'a;

/// The places where executions of a bundle start that come to a good state through others that are as is asked of them before.
fn reaching<J: Judge>(
    matching: &Matching<'_, J>,
    bundle: &Bundle,
    good: &AtPosition<'_, J::State>,
    before: &AtPosition<'_, J::State>,
) -> Result<Vec<usize>, Fault> {
    let mut reaches: Vec<usize> = Vec::new();
    for position in (0..matching.len()).rev() {
        let mut own = Vec::new();
        for place in bundle.places(position) {
            let state = matching.at(position, place);
            let leads = |to: &usize| reaches.contains(to);
            let leads = matching.next(position, place).iter().any(leads);
            if good(position, state)? || leads && before(position, state)? {
                own.push(place);
            }
        }
        reaches = own;
    }
    Ok(reaches)
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::counter::{Counter, lasso};
    use crate::{run_from_json, run_to_json, unguided};
    use fairhold_system::{Fields, Value};

    /// Atoms 0: `x == 0`; 1: `x == 2`; 2: the event `inc`.
    fn name(AtomId(atom): AtomId) -> String {
        ["zero", "two", "inc"][atom as usize].to_owned()
    }

    fn judged(formula: &Ctl, holds: bool, run: &Run) -> Result<Run, Invalid> {
        let claims = Claims {
            replay: &Replay {
                judge: &Counter,
                guide: &unguided,
            },
            constraints: &[],
            condition: &|_, _| unreachable!("no constraint has a condition"),
            atom: &|AtomId(atom), _, &(x, _): &(i64, i64)| Ok(x == i64::from(2 * atom)),
            name: &name,
            idles: true,
            is_feasible: true,
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
            "does not start in the state it is about",
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
