//! What steps carry, as labels of states: two encodings of [EmersonLei-TR'84], section 4.2.
//!
//! There a structure has labels on its states only, and what happens on an arc must be put somewhere. Either a state is copied for every label of a step that enters it
//! ([`node_copies`]), or every step gets a state in its middle ([`arc_nodes`]), and formulas are rewritten to look past those. In both, whatever a constraint or a
//! formula says of events, processes, enabledness and ends is a predicate. Who asks about the encoded structure and looks at nothing but predicates must
//! give the answers of the structure itself. A step has the same event and no process throughout, so a mistake cannot go unnoticed by reading them.
//!
//! Differs from the paper: a copy stands for the whole label of a step, not for one of its processes. With one copy a process, a path may count a joint step for
//! one of them only; that is the paper's reading, in which a label says who *can* cause the step. Here all of them take part. And a middle state also
//! carries what is true of the state entered, since a proposition in a constraint may speak of both.

use super::formula::{Atom, PathFormula, Quantifier, StateFormula};
use crate::fair::{
    Constraint, EVENTS, Formula, Graph, PROCESSES, Party, Proposition, Step, Strength, TAU, TERMINATE, When,
};

/// The predicates of the encoded structure: those of the structure itself, then these.
const NODE: u32 = 2;
const DEADLOCK: u32 = 3;
const TERMINATED: u32 = 4;
const ENABLED: u32 = 5;
const ENABLED_PROCESS: u32 = ENABLED + EVENTS;
const READY: u32 = ENABLED_PROCESS + PROCESSES;
const ENGAGED: u32 = READY + EVENTS;
const ENGAGED_PROCESS: u32 = ENGAGED + EVENTS;

/// A structure with labels on its states only.
#[derive(Clone, Debug)]
pub struct Encoding {
    /// The encoded structure. It never idles.
    pub graph: Graph,
    /// By state of it: the state it stands for. None for the middle of a step.
    pub of: Vec<Option<usize>>,
    way: Way,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Way {
    Copies,
    Arcs,
}

/// A copy of a state for every label of a step that enters it, and one for an initial state.
pub fn node_copies(graph: &Graph) -> Encoding {
    let mut copies: Vec<(usize, Option<(u32, u32)>)> = graph.initial.iter().map(|&s| (s, None)).collect();
    let initial = (0..copies.len()).collect();
    let mut steps = Vec::new();
    let mut from = 0;
    while let Some(&(state, _)) = copies.get(from) {
        for step in graph.steps.iter().filter(|s| s.from == state) {
            let entered = (step.to, Some((step.event, step.processes)));
            let to = copies.iter().position(|c| *c == entered).unwrap_or_else(|| {
                copies.push(entered);
                copies.len() - 1
            });
            steps.push(plain_step(from, to));
        }
        from += 1;
    }
    let facts = |&(state, label): &(usize, Option<(u32, u32)>)| {
        facts(graph, state) | label.map_or(0, |(event, processes)| engaged(event, processes))
    };
    Encoding {
        graph: Graph {
            initial,
            predicates: copies.iter().map(facts).collect(),
            offered: vec![0; copies.len()],
            steps,
        },
        of: copies.iter().map(|c| Some(c.0)).collect(),
        way: Way::Copies,
    }
}

/// A state in the middle of every step.
pub fn arc_nodes(graph: &Graph) -> Encoding {
    let states = graph.predicates.len();
    let mut predicates: Vec<u64> = (0..states).map(|s| facts(graph, s) | 1 << NODE).collect();
    let mut of: Vec<Option<usize>> = (0..states).map(Some).collect();
    let mut steps = Vec::new();
    for step in &graph.steps {
        let middle = predicates.len();
        predicates.push(facts(graph, step.to) | engaged(step.event, step.processes));
        of.push(None);
        steps.extend([plain_step(step.from, middle), plain_step(middle, step.to)]);
    }
    Encoding {
        graph: Graph {
            initial: graph.initial.clone(),
            offered: vec![0; predicates.len()],
            predicates,
            steps,
        },
        of,
        way: Way::Arcs,
    }
}

fn plain_step(from: usize, to: usize) -> Step {
    Step {
        from,
        event: 2,
        processes: 0,
        to,
    }
}

/// All that is true of a state.
fn facts(graph: &Graph, state: usize) -> u64 {
    let own = || graph.steps.iter().filter(|s| s.from == state);
    let mut facts = graph.predicates[state] & 0b11;
    for (atom, bit) in [(Atom::Deadlock, DEADLOCK), (Atom::Terminated, TERMINATED)] {
        facts |= u64::from(atom.states(graph) >> state & 1 == 1) << bit;
    }
    for event in 0..EVENTS {
        let enabled = own().any(|s| s.event == event);
        let offered = enabled || graph.offered[state] >> event & 1 == 1;
        let ready = offered && event != TAU && event != TERMINATE;
        facts |= u64::from(enabled) << (ENABLED + event) | u64::from(ready) << (READY + event);
    }
    for process in 0..PROCESSES {
        let enabled = own().any(|s| s.processes >> process & 1 == 1);
        facts |= u64::from(enabled) << (ENABLED_PROCESS + process);
    }
    facts
}

/// What a step engages.
fn engaged(event: u32, processes: u32) -> u64 {
    let event = if event < EVENTS { 1 << (ENGAGED + event) } else { 0 };
    event | u64::from(processes) << ENGAGED_PROCESS
}

/// The predicate for "enabled".
fn enabled(party: Party) -> u32 {
    match party {
        Party::Event(e) => ENABLED + e,
        Party::Process(p) => ENABLED_PROCESS + p,
    }
}

/// The predicate for "engaged".
fn taken(party: Party) -> u32 {
    match party {
        Party::Event(e) => ENGAGED + e,
        Party::Process(p) => ENGAGED_PROCESS + p,
    }
}

impl Encoding {
    /// The constraint, as one on predicates; strong global fairness stays what it is.
    pub fn constraint(&self, constraint: &Constraint) -> Constraint {
        match constraint {
            Constraint::Global => Constraint::Global,
            Constraint::All(parts) => Constraint::All(parts.iter().map(|c| self.constraint(c)).collect()),
            Constraint::Formula(formula) => Constraint::Formula(self.formula(formula)),
            Constraint::Obligation {
                strength,
                when,
                party,
            } => {
                let there = Proposition::State(match (when, party) {
                    (When::Ready, Party::Event(e)) => READY + e,
                    _ => enabled(*party),
                });
                let away = Proposition::Not(Box::new(there));
                // In the middle of a step nothing is there or not.
                let away = match (self.way, strength) {
                    (Way::Copies, Strength::Weak) => Formula::Often(away),
                    (Way::Copies, Strength::Strong) => Formula::Always(away),
                    (Way::Arcs, Strength::Weak) => Formula::Often(at_node(away)),
                    (Way::Arcs, Strength::Strong) => Formula::Always(unless_middle(away)),
                };
                let taken = Formula::Often(Proposition::State(taken(*party)));
                Constraint::Formula(Formula::Or(vec![away, taken]))
            }
        }
    }

    fn formula(&self, formula: &Formula) -> Formula {
        let parts = |all: &[Formula]| all.iter().map(|f| self.formula(f)).collect();
        match (formula, self.way) {
            (Formula::Often(a), Way::Copies) => Formula::Often(on_predicates(a)),
            (Formula::Always(a), Way::Copies) => Formula::Always(on_predicates(a)),
            (Formula::Often(a), Way::Arcs) => Formula::Often(in_the_middle(on_predicates(a))),
            (Formula::Always(a), Way::Arcs) => Formula::Always(unless_node(on_predicates(a))),
            (Formula::Not(f), _) => Formula::Not(Box::new(self.formula(f))),
            (Formula::And(all), _) => Formula::And(parts(all)),
            (Formula::Or(any), _) => Formula::Or(parts(any)),
        }
    }

    /// The formula about the encoded structure.
    pub fn property(&self, formula: &StateFormula) -> StateFormula {
        use StateFormula::{And, Const, Iff, Implies, Not, Or, Paths};
        let part = |p: &StateFormula| Box::new(self.property(p));
        match formula {
            Const(value) => Const(*value),
            StateFormula::Atom(atom) => StateFormula::predicate(match atom {
                Atom::Predicate(p) => *p,
                Atom::Enabled(party) => enabled(*party),
                Atom::Deadlock => DEADLOCK,
                Atom::Terminated => TERMINATED,
            }),
            Not(p) => Not(part(p)),
            And(p, q) => And(part(p), part(q)),
            Or(p, q) => Or(part(p), part(q)),
            Implies(p, q) => Implies(part(p), part(q)),
            Iff(p, q) => Iff(part(p), part(q)),
            Paths(quantifier, path) => {
                if let PathFormula::Next(events, p) = path.as_ref() {
                    return self.next(*quantifier, events.as_deref(), *part(p));
                }
                Paths(*quantifier, Box::new(self.path(path)))
            }
        }
    }

    /// `EX p`: by way of a middle, if there are such.
    fn next(&self, quantifier: Quantifier, events: Option<&[u32]>, p: StateFormula) -> StateFormula {
        let next = |p| StateFormula::Paths(quantifier, Box::new(PathFormula::Next(None, p)));
        let p = match self.way {
            Way::Copies => p,
            Way::Arcs => next(p),
        };
        let engaged = events.map(|events| {
            let each = events.iter().map(|e| StateFormula::predicate(ENGAGED + e));
            each.reduce(StateFormula::or)
                .unwrap_or(StateFormula::Const(false))
        });
        let p = match (engaged, quantifier) {
            (None, _) => p,
            (Some(engaged), Quantifier::Exists) => engaged.and(p),
            (Some(engaged), Quantifier::All) => engaged.implies(p),
        };
        next(p)
    }

    /// The path formula about the encoded structure: what must go on holding need not in the middle of a step, and what is waited for does not come there.
    fn path(&self, path: &PathFormula) -> PathFormula {
        let goes_on = |p: &StateFormula| match self.way {
            Way::Copies => self.property(p),
            Way::Arcs => StateFormula::predicate(NODE).implies(self.property(p)),
        };
        let comes = |p: &StateFormula| match self.way {
            Way::Copies => self.property(p),
            Way::Arcs => StateFormula::predicate(NODE).and(self.property(p)),
        };
        match path {
            PathFormula::Next(..) => unreachable!("two steps stand for one"),
            PathFormula::Finally(p) => PathFormula::Finally(comes(p)),
            PathFormula::Globally(p) => PathFormula::Globally(goes_on(p)),
            PathFormula::Until(p, q) => PathFormula::Until(goes_on(p), comes(q)),
            PathFormula::Release(p, q) => PathFormula::Release(comes(p), goes_on(q)),
            PathFormula::WeakUntil(p, q) => PathFormula::WeakUntil(goes_on(p), comes(q)),
        }
    }
}

/// The proposition about a step, on the state that carries what the step does.
fn on_predicates(a: &Proposition) -> Proposition {
    let parts = |all: &[Proposition]| all.iter().map(on_predicates).collect();
    match a {
        Proposition::State(p) => Proposition::State(*p),
        Proposition::Enabled(party) => Proposition::State(enabled(*party)),
        Proposition::Ready(e) => Proposition::State(READY + e),
        Proposition::Engaged(party) => Proposition::State(taken(*party)),
        Proposition::Not(a) => Proposition::Not(Box::new(on_predicates(a))),
        Proposition::And(all) => Proposition::And(parts(all)),
        Proposition::Or(any) => Proposition::Or(parts(any)),
    }
}

fn node() -> Proposition {
    Proposition::State(NODE)
}

fn middle() -> Proposition {
    Proposition::Not(Box::new(node()))
}

fn at_node(a: Proposition) -> Proposition {
    Proposition::And(vec![node(), a])
}

fn unless_middle(a: Proposition) -> Proposition {
    Proposition::Or(vec![middle(), a])
}

fn in_the_middle(a: Proposition) -> Proposition {
    Proposition::And(vec![middle(), a])
}

fn unless_node(a: Proposition) -> Proposition {
    Proposition::Or(vec![node(), a])
}
