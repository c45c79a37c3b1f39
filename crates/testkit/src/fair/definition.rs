//! Constraints on executions, and when an execution meets one.
//!
//! Every definition is a sentence about what an execution does infinitely often ([`Forever`]). "From some point on always enabled" means: enabled in all states met
//! infinitely often, for the others are left behind; "infinitely often enabled" means: in some of them, for there are finitely many.

use super::graph::{Graph, Set, Step, TAU, TERMINATE, members, set_of};

/// The states and steps of the system that an execution meets infinitely often.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Forever {
    /// The states.
    pub states: Set,
    /// The steps, by their numbers in the graph.
    pub steps: Set,
}

impl Forever {
    /// What an execution does that takes exactly these steps infinitely often.
    pub fn of(graph: &Graph, steps: Set) -> Forever {
        Forever {
            states: graph.sources(steps),
            steps,
        }
    }
}

/// Who may be enabled and engaged.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Party {
    /// An event.
    Event(u32),
    /// A process.
    Process(u32),
}

impl Party {
    /// Whether the step engages it.
    pub fn takes(self, step: &Step) -> bool {
        match self {
            Party::Event(e) => step.event == e,
            Party::Process(p) => step.processes >> p & 1 == 1,
        }
    }

    /// The states in which it is enabled.
    pub fn enabled(self, graph: &Graph) -> Set {
        graph.sources(graph.steps_where(|s| self.takes(s)))
    }
}

/// The states in which an event is ready: enabled, or offered. `tau` and `terminate` never are.
fn ready(graph: &Graph, event: u32) -> Set {
    if event == TAU || event == TERMINATE {
        return 0;
    }
    let offered = (0..graph.offered.len()).filter(|&s| graph.offered[s] >> event & 1 == 1);
    Party::Event(event).enabled(graph) | set_of(offered)
}

/// How often one must be there to be owed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Strength {
    /// From some point on always.
    Weak,
    /// Infinitely often.
    Strong,
}

/// What counts as being there.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum When {
    /// Some step from the state engages the party.
    Enabled,
    /// The event is offered, perhaps by one participant only.
    Ready,
}

/// A constraint on executions.
#[derive(Clone, PartialEq, Debug)]
pub enum Constraint {
    /// Whoever is there often enough is engaged infinitely often.
    Obligation {
        /// How often is often enough.
        strength: Strength,
        /// What counts as being there.
        when: When,
        /// Who.
        party: Party,
    },
    /// Strong global fairness: every step whose source is met infinitely often is itself taken infinitely often.
    Global,
    /// A fairness formula.
    Formula(Formula),
    /// All of these; of none, no constraint.
    All(Vec<Constraint>),
}

/// A boolean combination of `GF a` and `FG a`.
#[derive(Clone, PartialEq, Debug)]
pub enum Formula {
    /// `GF a`: infinitely often.
    Often(Proposition),
    /// `FG a`: from some point on always.
    Always(Proposition),
    /// Not.
    Not(Box<Formula>),
    /// All.
    And(Vec<Formula>),
    /// Any.
    Or(Vec<Formula>),
}

/// A sentence about a step: what it engages, and what is true in the state it enters.
#[derive(Clone, PartialEq, Debug)]
pub enum Proposition {
    /// A predicate on the state.
    State(u32),
    /// The party is enabled in the state.
    Enabled(Party),
    /// The event is ready in the state.
    Ready(u32),
    /// The step engages the party.
    Engaged(Party),
    /// Not.
    Not(Box<Proposition>),
    /// All.
    And(Vec<Proposition>),
    /// Any.
    Or(Vec<Proposition>),
}

impl Constraint {
    /// Whether an execution that does this infinitely often, and nothing else, meets the constraint.
    pub fn is_met(&self, graph: &Graph, forever: Forever) -> bool {
        match self {
            Constraint::Obligation {
                strength,
                when,
                party,
            } => {
                let there = match (when, party) {
                    (When::Ready, Party::Event(e)) => ready(graph, *e),
                    _ => party.enabled(graph),
                };
                let owed = match strength {
                    Strength::Weak => forever.states & !there == 0,
                    Strength::Strong => forever.states & there != 0,
                };
                let engaged = members(forever.steps).any(|i| party.takes(&graph.steps[i]));
                !owed || engaged
            }
            Constraint::Global => {
                let possible = graph.steps_where(|s| forever.states >> s.from & 1 == 1);
                possible & !forever.steps == 0
            }
            Constraint::Formula(formula) => formula.holds(graph, forever.steps),
            Constraint::All(parts) => parts.iter().all(|c| c.is_met(graph, forever)),
        }
    }
}

impl Formula {
    /// Its value on an execution that takes these steps infinitely often.
    fn holds(&self, graph: &Graph, steps: Set) -> bool {
        match self {
            Formula::Often(a) => members(steps).any(|i| a.holds(graph, &graph.steps[i])),
            Formula::Always(a) => members(steps).all(|i| a.holds(graph, &graph.steps[i])),
            Formula::Not(f) => !f.holds(graph, steps),
            Formula::And(all) => all.iter().all(|f| f.holds(graph, steps)),
            Formula::Or(any) => any.iter().any(|f| f.holds(graph, steps)),
        }
    }
}

impl Proposition {
    /// Its value on a step.
    pub fn holds(&self, graph: &Graph, step: &Step) -> bool {
        match self {
            Proposition::State(p) => graph.predicates[step.to] >> p & 1 == 1,
            Proposition::Enabled(party) => party.enabled(graph) >> step.to & 1 == 1,
            Proposition::Ready(e) => ready(graph, *e) >> step.to & 1 == 1,
            Proposition::Engaged(party) => party.takes(step),
            Proposition::Not(a) => !a.holds(graph, step),
            Proposition::And(all) => all.iter().all(|a| a.holds(graph, step)),
            Proposition::Or(any) => any.iter().any(|a| a.holds(graph, step)),
        }
    }
}
