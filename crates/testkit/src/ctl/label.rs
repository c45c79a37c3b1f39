//! The states that satisfy a formula.
//!
//! A path formula is read along a path: each state decides it, for or against, or leaves it open; left open forever, `F` and `U` are false of the path, and `G`, `R` and `W` true. So
//! some fair path from a state decides it in a given way if and only if states that leave it open lead to a state that decides it that way and has a fair
//! path, or, if that is the way of leaving it open, to a fair loop of such states. `E` asks this for true, `A` for false.
//!
//! `AX{e} p` is read as people do: every `e`-step that starts a fair path leads to `p`. So a step of another event decides neither `EX{e}` for nor `AX{e}` against.

use super::formula::{Atom, PathFormula, Quantifier, StateFormula};
use crate::fair::{Constraint, Forever, Graph, IDLE, Recurring, Set, TERMINATE, set_of};

/// The fair paths of a structure. Only reachable states count.
pub struct Paths<'g> {
    graph: &'g Graph,
    states: Set,
    /// What fair paths do infinitely often.
    loops: Vec<Forever>,
    fair: Set,
}

impl<'g> Paths<'g> {
    /// The paths that meet the constraint, among all that `recurring` says of the graph.
    pub fn new(graph: &'g Graph, recurring: &Recurring, constraint: &Constraint) -> Paths<'g> {
        let is_met = |forever: &&Forever| constraint.is_met(graph, **forever);
        let mut paths = Paths {
            graph,
            states: graph.reachable(),
            loops: recurring.possible.iter().filter(is_met).copied().collect(),
            fair: 0,
        };
        let looping = paths.loops.iter().fold(0, |all, l| all | l.states);
        paths.fair = paths.leading_to(paths.states, looping);
        paths
    }

    /// The states with a fair path.
    pub fn fair(&self) -> Set {
        self.fair
    }

    /// The reachable states that satisfy the formula.
    pub fn label(&self, formula: &StateFormula) -> Set {
        let part = |p: &StateFormula| self.label(p);
        let labels = match formula {
            StateFormula::Const(value) => {
                if *value {
                    self.states
                } else {
                    0
                }
            }
            StateFormula::Atom(atom) => atom.states(self.graph),
            StateFormula::Not(p) => !part(p),
            StateFormula::And(p, q) => part(p) & part(q),
            StateFormula::Or(p, q) => part(p) | part(q),
            StateFormula::Implies(p, q) => !part(p) | part(q),
            StateFormula::Iff(p, q) => !(part(p) ^ part(q)),
            StateFormula::Paths(Quantifier::Exists, path) => self.some_path(path, true),
            StateFormula::Paths(Quantifier::All, path) => !self.some_path(path, false),
        };
        labels & self.states
    }

    /// The states from which some fair path decides the formula this way.
    fn some_path(&self, path: &PathFormula, way: bool) -> Set {
        if let PathFormula::Next(events, p) = path {
            let p = self.label(p);
            let decides = |event: u32| events.as_ref().is_none_or(|all| all.contains(&event));
            let steps = self.graph.steps_where(|s| {
                decides(s.event) && self.fair >> s.to & 1 == 1 && (p >> s.to & 1 == 1) == way
            });
            return self.graph.sources(steps);
        }
        let labels: Vec<Set> = path.parts().into_iter().map(|p| self.label(p)).collect();
        let deciding = |what: Option<bool>| {
            let decides = |s: usize| path.decision(|part| labels[part] >> s & 1 == 1) == what;
            self.states & set_of((0..self.graph.predicates.len()).filter(|&s| decides(s)))
        };
        let open = deciding(None);
        let mut decided = deciding(Some(way)) & self.fair;
        if path.left_open() == way {
            let inside = self.loops.iter().filter(|l| l.states & !open == 0);
            decided = inside.fold(decided, |all, l| all | l.states);
        }
        self.leading_to(open, decided)
    }

    /// The `goal`, and the states of `through` that lead to it through such states.
    fn leading_to(&self, through: Set, goal: Set) -> Set {
        let mut reached = goal;
        loop {
            let steps = self.graph.steps_where(|s| reached >> s.to & 1 == 1);
            let more = self.graph.sources(steps) & through & !reached;
            if more == 0 {
                return reached;
            }
            reached |= more;
        }
    }
}

impl PathFormula {
    /// What a state decides that a path has come to, where the parts hold in it or not; none if it leaves the formula open.
    ///
    /// # Panics
    /// Of `X`, which the first step decides.
    pub fn decision(&self, holds: impl Fn(usize) -> bool) -> Option<bool> {
        let decided_if = |condition: bool, way: bool| condition.then_some(way);
        match self {
            PathFormula::Next(..) => unreachable!("is decided by the first step"),
            PathFormula::Finally(_) => decided_if(holds(0), true),
            PathFormula::Globally(_) => decided_if(!holds(0), false),
            PathFormula::Until(..) | PathFormula::WeakUntil(..) => {
                decided_if(holds(1), true).or(decided_if(!holds(0), false))
            }
            PathFormula::Release(..) => decided_if(!holds(1), false).or(decided_if(holds(0), true)),
        }
    }

    /// What it is worth on a path of which no state ever decides it.
    pub fn left_open(&self) -> bool {
        match self {
            PathFormula::Next(..) | PathFormula::Finally(_) | PathFormula::Until(..) => false,
            PathFormula::Globally(_) | PathFormula::Release(..) | PathFormula::WeakUntil(..) => true,
        }
    }
}

impl Atom {
    /// The states where it is true.
    pub fn states(self, graph: &Graph) -> Set {
        let all = 0..graph.predicates.len();
        let own_steps = graph.sources(graph.steps_where(|s| s.event != IDLE));
        let ended = graph.steps.iter().filter(|s| s.event == TERMINATE);
        let ended = set_of(ended.map(|s| s.to));
        match self {
            Atom::Predicate(p) => set_of(all.filter(|&s| graph.predicates[s] >> p & 1 == 1)),
            Atom::Enabled(party) => party.enabled(graph),
            Atom::Deadlock => set_of(all) & !own_steps & !ended,
            Atom::Terminated => ended,
        }
    }
}
