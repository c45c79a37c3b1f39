//! Evidence against the definitions: every run is a path of the structure, its loop is fair, and it shows what it is said to show, given what the oracle says of the states on it.

use crate::case::Case;
use crate::constraint::Fair;
use crate::{ask, parts};
use fairhold_search::Evidence;
use fairhold_system::Path;
use fairhold_testkit::ctl::{PathFormula, Paths, Quantifier, StateFormula};
use fairhold_testkit::fair::{Forever, Step, set_of};

/// Judges evidence about one formula under one constraint.
pub(crate) struct Judge<'j> {
    case: &'j Case,
    fair: &'j Fair,
    paths: &'j Paths<'j>,
    formula: &'j StateFormula,
}

/// What evidence was made of.
#[derive(Clone, Copy, Default)]
pub(crate) struct Seen {
    /// A run with a loop.
    pub(crate) lasso: bool,
    /// A run about a state on another.
    pub(crate) nested: bool,
}

impl<'j> Judge<'j> {
    pub(crate) fn new(
        case: &'j Case,
        fair: &'j Fair,
        paths: &'j Paths<'j>,
        formula: &'j StateFormula,
    ) -> Judge<'j> {
        Judge {
            case,
            fair,
            paths,
            formula,
        }
    }

    /// Whether a run is needed to show that the formula has this value: that some path is as it says, or that not all are. What fails always needs one; what holds
    /// does not where the path formula is decided at the start.
    pub(crate) fn needs_a_run(&self, value: bool) -> bool {
        let (mut formula, mut claim) = (self.formula, value);
        while let StateFormula::Not(p) = formula {
            (formula, claim) = (p, !claim);
        }
        let StateFormula::Paths(quantifier, path) = formula else {
            return false;
        };
        let parts = path.parts();
        let decided = |&s: &usize| path.decision(|part| self.holds(parts[part], s)).is_some();
        let at_once =
            !matches!(path.as_ref(), PathFormula::Next(..)) && self.case.graph.initial.iter().any(decided);
        (*quantifier == Quantifier::Exists) == claim && !(value && at_once)
    }

    /// Evidence about the formula itself starts in an initial state.
    pub(crate) fn judge(&self, evidence: &Evidence) -> Seen {
        let first = evidence.path.states[0][0] as usize;
        let starts = self.case.graph.initial.contains(&first);
        self.check(starts, "it starts at the start", evidence);
        let asked = evidence.formula == ask::formula(self.formula);
        self.check(asked, "it is about the formula", evidence);
        self.judge_part(evidence)
    }

    fn judge_part(&self, evidence: &Evidence) -> Seen {
        let path = &evidence.path;
        let state = |i: usize| path.states[i][0] as usize;
        let mut all = Vec::new();
        parts(self.formula, &mut all);
        let part = all.into_iter().find(|p| ask::formula(p) == evidence.formula);
        let part = part.expect("evidence is about parts of the formula");
        let claim = self.holds(part, state(0)) == evidence.holds;
        self.check(claim, "the claim is true", evidence);
        let steps: Vec<usize> = (0..path.labels.len()).map(|i| self.step(evidence, i)).collect();
        if let Some(loop_from) = path.loop_from {
            let closes = loop_from < steps.len() && state(loop_from) == state(steps.len());
            self.check(closes, "the loop closes", evidence);
            let graph = &self.case.graph;
            let forever = Forever::of(graph, set_of(steps[loop_from..].iter().copied()));
            let is_fair = self.fair.definition.is_met(graph, forever);
            self.check(is_fair, "the loop is fair", evidence);
        }
        if let StateFormula::Paths(quantifier, formula) = part
            && (*quantifier == Quantifier::Exists) == evidence.holds
        {
            self.judge_run(evidence, formula);
        }
        let mut seen = Seen {
            lasso: path.loop_from.is_some(),
            nested: !path.labels.is_empty()
                && evidence.branches.iter().any(|(_, b)| !b.path.labels.is_empty()),
        };
        for (position, branch) in &evidence.branches {
            let starts = branch.path.states[0] == path.states[*position];
            self.check(starts, "a branch starts where it says", evidence);
            let inner = self.judge_part(branch);
            seen = Seen {
                lasso: seen.lasso || inner.lasso,
                nested: seen.nested || inner.nested,
            };
        }
        seen
    }

    /// Of a formula about some path: the run is one.
    fn judge_run(&self, evidence: &Evidence, formula: &PathFormula) {
        let path: &Path = &evidence.path;
        let state = |i: usize| path.states[i][0] as usize;
        let last = state(path.labels.len());
        let goes_on = path.loop_from.is_some() || self.paths.fair() >> last & 1 == 1;
        self.check(goes_on, "a fair path goes on from its end", evidence);
        if let PathFormula::Next(events, p) = formula {
            let first = path.labels.first().expect("a step decides it").event.0;
            let counts = events.as_ref().is_none_or(|events| events.contains(&first));
            self.check(counts, "its first step counts", evidence);
            let decides = self.holds(p, state(1)) == evidence.holds;
            self.check(decides, "its second state decides", evidence);
            return;
        }
        let parts = formula.parts();
        let decision = |i: usize| formula.decision(|part| self.holds(parts[part], state(i)));
        match (0..path.states.len()).find_map(|i| decision(i).map(|way| (i, way))) {
            Some((position, way)) => {
                self.check(way == evidence.holds, "it decides the right way", evidence);
                self.check(position == evidence.end, "it says where it is decided", evidence);
            }
            None => {
                let shows = path.loop_from.is_some() && formula.left_open() == evidence.holds;
                self.check(shows, "it is left open the right way", evidence);
            }
        }
    }

    fn holds(&self, formula: &StateFormula, state: usize) -> bool {
        self.paths.label(formula) >> state & 1 == 1
    }

    /// The number of a step of a run.
    fn step(&self, evidence: &Evidence, i: usize) -> usize {
        let path = &evidence.path;
        let state = |i: usize| path.states[i][0] as usize;
        let here =
            |s: &Step| (s.from, crate::system::label(s), s.to) == (state(i), path.labels[i], state(i + 1));
        let number = self.case.graph.steps.iter().position(here);
        self.check(number.is_some(), "its steps are steps of the structure", evidence);
        number.expect("just checked")
    }

    fn check(&self, condition: bool, what: &str, evidence: &Evidence) {
        assert!(
            condition,
            "not so: {what}: {evidence:#?}\n{}",
            self.case.show(self.fair, self.formula)
        );
    }
}
