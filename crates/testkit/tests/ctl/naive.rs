//! A naive labelling by components, and wrong versions of it.
//!
//! It does what a model checker for fair computation tree logic must do, without any economy: `EX`, `EU` and `EG` from fair states and fair components, the other operators by the
//! usual laws, components by transitive closure, every set of marks to avoid tried. Each [`Slip`] breaks one of its rules. The right version must agree with
//! the oracle on all cases, and every slip must not: then the cases are such that a checker with that mistake would be found out.

use crate::constraint::Fair;
use crate::slip::{Slip, Used};
use fairhold_logic::{Acceptance, MarkId};
use fairhold_testkit::ctl::{PathFormula, Quantifier, StateFormula, without_idling};
use fairhold_testkit::fair::{
    Constraint, Graph, IDLE, Move, Party, Product, Set, Step, Strength, TAU, TERMINATE, When, set_of,
};
use std::cell::Cell;

/// A structure under a constraint.
pub(crate) struct Decider<'a> {
    graph: Graph,
    fairness: &'a Fair,
    slip: Option<Slip>,
    states: Set,
    fair: Set,
    used: Cell<Used>,
}

/// A structure restricted to some states.
struct Part {
    steps: Vec<Step>,
    /// As a product with an automaton of one state: node is state.
    product: Product,
    /// By step: the formula's marks.
    marks: Vec<u64>,
    owed: Vec<Owed>,
}

/// An obligation, with the states where its party is there.
struct Owed {
    strength: Strength,
    party: Party,
    there: Set,
}

impl<'a> Decider<'a> {
    pub(crate) fn new(graph: &Graph, fairness: &'a Fair, slip: Option<Slip>) -> Decider<'a> {
        let mut graph = graph.clone();
        if slip == Some(Slip::OtherEnds) {
            graph = if graph.steps.iter().any(|s| s.event == IDLE) {
                without_idling(&graph)
            } else {
                Graph::new(graph.initial, graph.predicates, graph.offered, graph.steps)
            };
        }
        let states = graph.reachable();
        let mut decider = Decider {
            graph,
            fairness,
            slip,
            states,
            fair: 0,
            used: Cell::default(),
        };
        decider.fair = decider.globally(states);
        decider
    }

    /// Whether all initial states satisfy the formula, by its label.
    pub(crate) fn verdict(&self, label: Set) -> bool {
        let mut initial = self.graph.initial.iter();
        let satisfies = |&s: &usize| label >> s & 1 == 1;
        if self.slip == Some(Slip::AnyInitial) {
            initial.any(satisfies)
        } else {
            initial.all(satisfies)
        }
    }

    pub(crate) fn used(&self) -> Used {
        self.used.get()
    }

    /// The states that satisfy the formula.
    pub(crate) fn label(&self, formula: &StateFormula) -> Set {
        let part = |p: &StateFormula| self.label(p);
        let not = |set: Set| self.states & !set;
        match formula {
            StateFormula::Const(value) => {
                if *value {
                    self.states
                } else {
                    0
                }
            }
            StateFormula::Atom(atom) => atom.states(&self.graph) & self.states,
            StateFormula::Not(p) => not(part(p)),
            StateFormula::And(p, q) => part(p) & part(q),
            StateFormula::Or(p, q) => part(p) | part(q),
            StateFormula::Implies(p, q) => not(part(p)) | part(q),
            StateFormula::Iff(p, q) => not(part(p) ^ part(q)),
            StateFormula::Paths(Quantifier::Exists, path) => self.exists(path),
            StateFormula::Paths(Quantifier::All, path) => {
                let all = not(self.fails(path));
                if self.slip == Some(Slip::VacuityFails) {
                    all & self.fair
                } else {
                    all
                }
            }
        }
    }

    /// `E` of the path formula.
    fn exists(&self, path: &PathFormula) -> Set {
        let part = |p: &StateFormula| self.label(p);
        match path {
            PathFormula::Next(events, p) => self.next(events.as_deref(), part(p)),
            PathFormula::Finally(p) => self.until(self.states, part(p)),
            PathFormula::Globally(p) => self.globally(part(p)),
            PathFormula::Until(p, q) => self.until(part(p), part(q)),
            PathFormula::Release(p, q) => {
                let (p, q) = (part(p), part(q));
                let released = if self.slip == Some(Slip::ReleaseAfter) {
                    p
                } else {
                    p & q
                };
                self.until(q, released) | self.globally(q)
            }
            PathFormula::WeakUntil(p, q) => {
                let (p, q) = (part(p), part(q));
                let forever = if self.slip == Some(Slip::WeakUntilStrong) {
                    0
                } else {
                    self.globally(p)
                };
                self.until(p, q) | forever
            }
        }
    }

    /// `E` of the path formula's negation.
    fn fails(&self, path: &PathFormula) -> Set {
        let not = |p: &StateFormula| self.states & !self.label(p);
        match path {
            PathFormula::Next(events, p) => {
                let against = self.next(events.as_deref(), not(p));
                if self.slip == Some(Slip::NextMustBe) {
                    against | self.states & !self.next(None, self.states)
                } else {
                    against
                }
            }
            PathFormula::Finally(p) => self.globally(not(p)),
            PathFormula::Globally(p) => self.until(self.states, not(p)),
            PathFormula::Until(p, q) => self.until(not(q), not(p) & not(q)) | self.globally(not(q)),
            PathFormula::Release(p, q) => self.until(not(p), not(q)),
            PathFormula::WeakUntil(p, q) => {
                let never = if self.slip == Some(Slip::WeakUntilStrong) {
                    self.globally(not(q))
                } else {
                    0
                };
                self.until(not(q), not(p) & not(q)) | never
            }
        }
    }

    fn next(&self, events: Option<&[u32]>, p: Set) -> Set {
        let counts = |event: u32| {
            self.slip == Some(Slip::NextByAny) || events.is_none_or(|events| events.contains(&event))
        };
        let goal = if self.slip == Some(Slip::NextToUnfair) {
            p
        } else {
            p & self.fair
        };
        let steps = self
            .graph
            .steps_where(|s| counts(s.event) && goal >> s.to & 1 == 1);
        self.graph.sources(steps) & self.states
    }

    fn until(&self, p: Set, q: Set) -> Set {
        let goal = if self.slip == Some(Slip::UntilToUnfair) {
            q
        } else {
            q & self.fair
        };
        self.leading_to(p, goal)
    }

    fn globally(&self, p: Set) -> Set {
        let loops = match self.slip {
            Some(Slip::GloballyUnfair) => self.components(p),
            Some(Slip::GloballyInFair) => self.components(p & self.fair_components(self.states)),
            _ => self.fair_components(p),
        };
        match self.slip {
            Some(Slip::GloballyByAnyWay) => self.leading_to(self.states, loops) & p,
            _ => self.leading_to(p, loops),
        }
    }

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

    /// The states on loops inside these.
    fn components(&self, inside: Set) -> Set {
        let part = self.part(inside);
        let components = part.product.components(|_| true);
        components.into_iter().fold(0, |all, c| all | c)
    }

    /// The structure restricted to these states, with what is enabled in the whole of it.
    fn part(&self, inside: Set) -> Part {
        let has = |s: usize| inside >> s & 1 == 1;
        let mut steps = self.graph.steps.clone();
        steps.retain(|s| has(s.from) && has(s.to));
        let idle = |state| Step {
            from: state,
            event: IDLE,
            processes: 0,
            to: state,
        };
        let alone = |&s: &usize| has(s) && !steps.iter().any(|step| step.from == s);
        let stuck: Vec<usize> = (0..self.graph.predicates.len()).filter(alone).collect();
        match self.slip {
            Some(Slip::RestrictedIdles) if inside != self.states => steps.extend(stuck.into_iter().map(idle)),
            Some(Slip::TrivialLoops) => {
                let all = (0..self.graph.predicates.len()).filter(|&s| has(s));
                steps.extend(all.map(idle));
            }
            _ => {}
        }
        let restricted = Graph {
            steps: steps.clone(),
            ..self.graph.clone()
        };
        let judged = if self.slip == Some(Slip::RestrictedEnabled) {
            &restricted
        } else {
            &self.graph
        };
        let marks = |step: &Step| {
            let propositions = self.fairness.marks.iter().enumerate();
            let holding = propositions.filter(|(_, a)| a.holds(judged, step));
            holding.fold(0, |all, (i, _)| all | 1 << i)
        };
        let mut owed = Vec::new();
        obligations(judged, &self.fairness.definition, &mut owed);
        let moves = steps.iter().enumerate().map(|(step, s)| Move {
            from: s.from,
            to: s.to,
            step,
            marks: 0,
        });
        Part {
            marks: steps.iter().map(marks).collect(),
            product: Product {
                nodes: (0..self.graph.predicates.len()).map(|s| (s, 0)).collect(),
                moves: moves.collect(),
            },
            steps,
            owed,
        }
    }

    /// The states of all fair loops inside these.
    fn fair_components(&self, inside: Set) -> Set {
        let part = self.part(inside);
        let fins = fins(&self.fairness.search.formula);
        let (mut all, mut avoided) = (0, 0u64);
        loop {
            let more = self.fair_without(&part, inside, avoided);
            self.use_rule(|used| used.avoided |= avoided != 0 && more & !all != 0);
            all |= more;
            avoided = avoided.wrapping_sub(fins) & fins;
            if avoided == 0 {
                return all;
            }
        }
    }

    fn use_rule(&self, set: impl FnOnce(&mut Used)) {
        let mut used = self.used.get();
        set(&mut used);
        self.used.set(used);
    }

    /// The same among paths that meet none of these marks infinitely often.
    fn fair_without(&self, part: &Part, inside: Set, avoided: u64) -> Set {
        let mut fair = 0;
        let whole = part.components(self.slip, inside, avoided);
        // Components, and how often they were split.
        let mut waiting: Vec<(Set, usize)> = whole.into_iter().map(|c| (c, 0)).collect();
        while let Some((states, splits)) = waiting.pop() {
            let within: Vec<usize> = (0..part.steps.len())
                .filter(|&i| part.is_inside(i, states, avoided))
                .collect();
            let engaged = |party: Party| within.iter().any(|&i| party.takes(&part.steps[i]));
            let leaves = |s: &Step| states >> s.from & 1 == 1 && states >> s.to & 1 == 0;
            let mut steps = self.graph.steps.iter();
            self.use_rule(|used| used.left_out |= steps.any(|s| leaves(s) && inside >> s.to & 1 == 0));
            if self.is_global() && !self.is_closed(part, inside, states, &within) {
                self.use_rule(|used| used.global = true);
                continue;
            }
            let (mut starves, mut bad): (bool, Set) = (false, 0);
            for owed in &part.owed {
                match owed.strength {
                    Strength::Weak => starves |= states & !owed.there == 0 && !engaged(owed.party),
                    Strength::Strong if !engaged(owed.party) => bad |= states & owed.there,
                    Strength::Strong => {}
                }
            }
            if starves {
                self.use_rule(|used| used.weak = true);
                continue;
            }
            if bad != 0 && !(splits > 0 && self.slip == Some(Slip::SplitUnchecked)) {
                self.use_rule(|used| {
                    used.dropped = true;
                    used.again |= splits > 0;
                });
                let stop = match self.slip {
                    Some(Slip::SplitNever) => true,
                    Some(Slip::SplitOnce) => splits > 0,
                    _ => false,
                };
                if !stop {
                    let parts = part.components(self.slip, states & !bad, avoided);
                    waiting.extend(parts.into_iter().map(|c| (c, splits + 1)));
                }
                continue;
            }
            let seen = within.iter().fold(0, |all, &i| all | part.marks[i]);
            let formula = &self.fairness.search.formula;
            if formula.accepts(&|MarkId(m)| seen >> m & 1 == 1) {
                fair |= states;
            }
        }
        fair
    }

    fn is_global(&self) -> bool {
        self.fairness.search.global
    }

    /// Whether every step from these states is one of those within.
    fn is_closed(&self, part: &Part, inside: Set, states: Set, within: &[usize]) -> bool {
        let mut steps = self.graph.steps.iter();
        steps.all(|step| {
            let missed = self.slip != Some(Slip::RestrictedGlobal) || inside >> step.to & 1 == 1;
            states >> step.from & 1 == 0 || !missed || within.iter().any(|&i| part.steps[i] == *step)
        })
    }
}

impl Part {
    fn is_inside(&self, i: usize, states: Set, avoided: u64) -> bool {
        let step = &self.steps[i];
        states >> step.from & 1 == 1 && states >> step.to & 1 == 1 && self.marks[i] & avoided == 0
    }

    fn components(&self, slip: Option<Slip>, states: Set, avoided: u64) -> Vec<Set> {
        let mut states = states;
        if slip == Some(Slip::StatesForSteps) {
            let marked = (0..self.steps.len()).filter(|&i| self.marks[i] & avoided != 0);
            states &= !set_of(marked.map(|i| self.steps[i].to));
        }
        self.product.components(|i| self.is_inside(i, states, avoided))
    }
}

/// The obligations of a constraint, with what is there in this graph.
fn obligations(graph: &Graph, constraint: &Constraint, all: &mut Vec<Owed>) {
    match constraint {
        Constraint::All(parts) => parts.iter().for_each(|c| obligations(graph, c, all)),
        // The condition and the flag of the constraint for the search say these.
        Constraint::Global | Constraint::Formula(_) => {}
        Constraint::Obligation {
            strength,
            when,
            party,
        } => {
            let mut there = party.enabled(graph);
            if let (When::Ready, Party::Event(e)) = (when, party) {
                let offered = |&s: &usize| graph.offered[s] >> e & 1 == 1;
                there |= set_of((0..graph.offered.len()).filter(offered));
                if *e == TAU || *e == TERMINATE {
                    there = 0;
                }
            }
            all.push(Owed {
                strength: *strength,
                party: *party,
                there,
            });
        }
    }
}

/// The marks that a condition may ask to be avoided.
fn fins(acceptance: &Acceptance) -> u64 {
    match acceptance {
        Acceptance::Fin(MarkId(m)) => 1 << m,
        Acceptance::And(parts) | Acceptance::Or(parts) => parts.iter().fold(0, |all, a| all | fins(a)),
        Acceptance::True | Acceptance::False | Acceptance::Inf(_) => 0,
    }
}
