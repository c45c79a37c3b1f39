//! Fairness constraints, as a search sees them.
//!
//! A constraint is a conjunction of three parts: obligations by the handful or by the hundred (a notion's "for every event", annotations), each of one of two kinds;
//! an Emerson-Lei formula over marks on steps; and strong global fairness, which is not of that class. All are read on executions of the system.

use fairhold_logic::Acceptance;
use fairhold_system::{EventId, Label, PredicateId};

/// A fairness constraint.
#[derive(Clone, PartialEq, Debug)]
pub struct Fairness {
    /// All of these must be met.
    pub obligations: Vec<Obligations>,
    /// Over marks `0..marks.len()`.
    pub formula: Acceptance,
    /// What the formula's marks are.
    pub marks: Vec<StepPredicate>,
    /// Strong global fairness: every step from a state met infinitely often is taken infinitely often.
    pub global: bool,
}

impl Fairness {
    /// No constraint.
    pub fn none() -> Fairness {
        Fairness {
            obligations: Vec::new(),
            formula: Acceptance::True,
            marks: Vec::new(),
            global: false,
        }
    }

    /// Whether every execution is fair.
    pub(crate) fn is_none(&self) -> bool {
        self.obligations.is_empty() && self.formula == Acceptance::True && !self.global
    }

    /// Whether from every state of a finite system without ends some execution is known to be fair. One that takes every step again and again that it comes past again and
    /// again engages whoever is enabled again and again, so it meets all but what speaks of ready events, and formulas.
    pub(crate) fn is_met_from_everywhere(&self) -> bool {
        self.formula == Acceptance::True && self.obligations.iter().all(|o| o.when == When::Enabled)
    }

    /// Whether it speaks of ready events.
    pub(crate) fn needs_ready(&self) -> bool {
        self.obligations.iter().any(|o| o.when == When::Ready)
            || self.marks.iter().any(StepPredicate::needs_ready)
    }
}

/// Obligations of one kind: whoever is enabled often enough is engaged infinitely often.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Obligations {
    /// How often is often enough.
    pub strength: Strength,
    /// Enabled, or only ready.
    pub when: When,
    /// Whose obligations.
    pub whose: Whose,
}

/// How often one must be enabled to be owed.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Strength {
    /// From some point on always.
    Weak,
    /// Infinitely often.
    Strong,
}

/// What counts as being there.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum When {
    /// The event, or a step of the process, is possible.
    Enabled,
    /// The event is offered by one participant.
    Ready,
}

/// Who has obligations.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Whose {
    /// Every event but `tau`.
    AllEvents,
    /// Every process.
    AllProcesses,
    /// These events, ascending.
    Events(Vec<EventId>),
}

/// A predicate on a step: what it engages, and what is true in the state it enters.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum StepPredicate {
    /// A truth value.
    Const(bool),
    /// A predicate on the state.
    State(PredicateId),
    /// The event is enabled in the state.
    Enabled(EventId),
    /// The event is ready in the state.
    Ready(EventId),
    /// The process takes part in some step from the state.
    EnabledProcess(u32),
    /// The step is this event.
    Engaged(EventId),
    /// The process takes part in the step.
    EngagedProcess(u32),
    /// Not.
    Not(Box<StepPredicate>),
    /// All.
    And(Vec<StepPredicate>),
    /// Any.
    Or(Vec<StepPredicate>),
}

/// What a step predicate asks for.
pub(crate) trait StepFacts {
    /// Whether a predicate holds in the state entered.
    fn state(&self, predicate: PredicateId) -> bool;
    /// Whether an event is enabled there.
    fn enabled(&self, event: EventId) -> bool;
    /// Whether an event is ready there.
    fn ready(&self, event: EventId) -> bool;
    /// Whether a process is enabled there.
    fn enabled_process(&self, process: u32) -> bool;
    /// The step's label.
    fn label(&self) -> Label;
    /// Whether a process takes part in the step.
    fn engaged_process(&self, process: u32) -> bool;
}

impl StepPredicate {
    /// Its value.
    pub(crate) fn holds(&self, facts: &impl StepFacts) -> bool {
        match self {
            StepPredicate::Const(b) => *b,
            StepPredicate::State(p) => facts.state(*p),
            StepPredicate::Enabled(e) => facts.enabled(*e),
            StepPredicate::Ready(e) => facts.ready(*e),
            StepPredicate::EnabledProcess(p) => facts.enabled_process(*p),
            StepPredicate::Engaged(e) => facts.label().event == *e,
            StepPredicate::EngagedProcess(p) => facts.engaged_process(*p),
            StepPredicate::Not(p) => !p.holds(facts),
            StepPredicate::And(all) => all.iter().all(|p| p.holds(facts)),
            StepPredicate::Or(any) => any.iter().any(|p| p.holds(facts)),
        }
    }

    /// Calls `f` with every part.
    pub fn visit(&self, f: &mut dyn FnMut(&StepPredicate)) {
        f(self);
        match self {
            StepPredicate::Not(p) => p.visit(f),
            StepPredicate::And(parts) | StepPredicate::Or(parts) => parts.iter().for_each(|p| p.visit(f)),
            _ => {}
        }
    }

    fn needs_ready(&self) -> bool {
        let mut needs = false;
        self.visit(&mut |p| needs |= matches!(p, StepPredicate::Ready(_)));
        needs
    }
}
