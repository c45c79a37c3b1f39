//! What the search says about a structure, in the words of the oracle.

use crate::system::Structure;
use fairhold_logic::{AtomId, Ctl, Quantifier};
use fairhold_search::{BranchingAnswer, BranchingQuestion, BranchingSearch, Ends, Fairness, Proposition};
use fairhold_store::StateId;
use fairhold_system::{EventId, Limits, PredicateId, Silent, Verdict};
use fairhold_testkit::ctl::{self, Atom, PathFormula, StateFormula};
use fairhold_testkit::fair::{Graph, Party};

/// Atoms are numbered by kind: predicates, events that are enabled, processes that are, ends.
const ENABLED: u32 = 1_000;
const ENABLED_PROCESS: u32 = 2_000;
const DEADLOCK: u32 = 3_000;
const TERMINATED: u32 = 3_001;

/// What the search answers under one constraint.
pub(crate) struct Said {
    /// Whether all initial states satisfy the formula.
    pub(crate) holds: bool,
    /// Whether some initial state has a fair path.
    pub(crate) feasible: bool,
    /// By state: whether it satisfies the formula; none if it cannot be reached.
    pub(crate) label: Vec<Option<bool>>,
    /// The same of having a fair path.
    pub(crate) fair: Vec<Option<bool>>,
    /// The parts of the formula, and the same of each.
    pub(crate) parts: Vec<(Ctl, Vec<Option<bool>>)>,
    /// The answer itself.
    pub(crate) answer: BranchingAnswer,
}

/// The formula as the search takes it.
pub(crate) fn formula(property: &StateFormula) -> Ctl {
    let part = |p: &StateFormula| Box::new(formula(p));
    match property {
        StateFormula::Const(true) => Ctl::True,
        StateFormula::Const(false) => Ctl::False,
        StateFormula::Atom(atom) => Ctl::Atom(AtomId(match atom {
            Atom::Predicate(p) => *p,
            Atom::Enabled(Party::Event(e)) => ENABLED + e,
            Atom::Enabled(Party::Process(p)) => ENABLED_PROCESS + p,
            Atom::Deadlock => DEADLOCK,
            Atom::Terminated => TERMINATED,
        })),
        StateFormula::Not(p) => Ctl::Not(part(p)),
        StateFormula::And(p, q) => Ctl::And(part(p), part(q)),
        StateFormula::Or(p, q) => Ctl::Or(part(p), part(q)),
        StateFormula::Implies(p, q) => Ctl::Implies(part(p), part(q)),
        StateFormula::Iff(p, q) => Ctl::Iff(part(p), part(q)),
        StateFormula::Paths(quantifier, path) => {
            let quantifier = match quantifier {
                ctl::Quantifier::All => Quantifier::All,
                ctl::Quantifier::Exists => Quantifier::Exists,
            };
            match path.as_ref() {
                PathFormula::Next(events, p) => {
                    let events = events
                        .as_ref()
                        .map(|all| all.iter().map(|&e| AtomId(e)).collect());
                    Ctl::Next(quantifier, events, part(p))
                }
                PathFormula::Finally(p) => Ctl::Finally(quantifier, part(p)),
                PathFormula::Globally(p) => Ctl::Globally(quantifier, part(p)),
                PathFormula::Until(p, q) => Ctl::Until(quantifier, part(p), part(q)),
                PathFormula::Release(p, q) => Ctl::Release(quantifier, part(p), part(q)),
                PathFormula::WeakUntil(p, q) => Ctl::WeakUntil(quantifier, part(p), part(q)),
            }
        }
    }
}

/// What an atom of such a formula says.
pub(crate) fn proposition(AtomId(atom): AtomId) -> Proposition {
    match atom {
        DEADLOCK => Proposition::Deadlock,
        TERMINATED => Proposition::Terminated,
        ENABLED_PROCESS.. => Proposition::EnabledProcess(atom - ENABLED_PROCESS),
        ENABLED.. => Proposition::Enabled(EventId(atom - ENABLED)),
        _ => Proposition::State(PredicateId(atom)),
    }
}

/// The atoms of a formula.
fn atoms(formula: &Ctl, all: &mut Vec<Proposition>) {
    formula.visit(&mut |part| {
        if let Ctl::Atom(atom) = part {
            all.push(proposition(*atom));
        }
    });
}

/// Asks about each formula under each constraint, from one exploration: answers by formula, then by constraint.
pub(crate) fn ask(
    graph: &Graph,
    ends: ctl::Ends,
    formulas: &[StateFormula],
    constraints: &[Fairness],
) -> Vec<Vec<Said>> {
    let system = Structure::new(graph);
    let formulas: Vec<Ctl> = formulas.iter().map(formula).collect();
    let mut propositions = Vec::new();
    formulas.iter().for_each(|f| atoms(f, &mut propositions));
    let ends = match ends {
        ctl::Ends::Idle => Ends::Idle,
        ctl::Ends::None => Ends::None,
    };
    let limits = Limits::default();
    let mut search = BranchingSearch::new(&system, &propositions, constraints, ends, &limits, &Silent);
    let mut all = Vec::new();
    for formula in &formulas {
        let question = BranchingQuestion {
            formula,
            proposition: &proposition,
            event: &|AtomId(event)| EventId(event),
            constraints,
        };
        let mut answers: Vec<Option<BranchingAnswer>> = vec![None; constraints.len()];
        search.check(&question, &mut |i, answer| answers[i] = Some(answer));
        let numbers: Vec<usize> = (0..search.states())
            .map(|id| search.state(StateId(id as u32))[0] as usize)
            .collect();
        let said = |answer: Option<BranchingAnswer>| {
            let answer = answer.expect("every constraint is answered");
            Said::new(answer, &numbers, graph.predicates.len())
        };
        all.push(answers.into_iter().map(said).collect());
    }
    all
}

impl Said {
    /// The answer, where `numbers` are the states of the structure by the search's numbers.
    fn new(answer: BranchingAnswer, numbers: &[usize], states: usize) -> Said {
        let labels = answer.labels.as_ref().expect("nothing stops the search");
        let by_state = |holds: &dyn Fn(usize) -> bool| {
            let mut by_state = vec![None; states];
            for (id, &state) in numbers.iter().enumerate() {
                by_state[state] = Some(holds(id));
            }
            by_state
        };
        let formulas = labels.formulas().iter().cloned().enumerate();
        let parts: Vec<(Ctl, Vec<Option<bool>>)> = formulas
            .map(|(i, formula)| {
                let label = by_state(&|id| labels.holds(i, StateId(id as u32)));
                (formula, label)
            })
            .collect();
        Said {
            holds: match answer.verdict {
                Verdict::Holds => true,
                Verdict::Fails => false,
                other => panic!("{other:?}: nothing stops the search"),
            },
            feasible: answer.feasible.expect("nothing stops the search"),
            label: parts.last().expect("the formula itself").1.clone(),
            fair: by_state(&|id| labels.fair().contains(id)),
            parts,
            answer,
        }
    }
}
