//! The semantics to trust: the structural operational rules of CSP#, one function a rule.
//!
//! An `Offer` is what a process can do first: an action, the programs that run with it, who takes part, and what the process is afterwards.
//! The rules compute the offers of a term from the offers of its parts. At the top, offers that found no partner (half of a
//! synchronous communication) are dropped, `atomic` offers take priority, and what remains are the steps.
//!
//! Nothing here is fast: terms are walked anew for every state. Counterexamples are replayed on this semantics, and `compile` is tested against it.

mod eval;
mod ready;
mod rules;

pub(crate) use eval::{MAX_ROUNDS, place};

use crate::expr::{Env, fault};
use crate::model::{At, DefId, Expr, Model, Program, Value};
use crate::root;
use crate::state::{self, State, Valuation};
use crate::term::{Event, TermId};
use crate::unfolding::Unfolding;
use fairhold_system::{Fault, FaultKind, Fields};
use fairhold_trace::Judge;
use rules::Rules;
use std::collections::BTreeSet;
use std::sync::Arc;

/// The asserted process of a model, stepped by the rules.
#[derive(Debug)]
pub struct Reference {
    model: Arc<Model>,
    root: TermId,
}

/// A step.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Step {
    /// The event's name.
    pub event: String,
    /// Who takes part.
    pub processes: BTreeSet<u32>,
    /// The state entered.
    pub target: State,
}

/// What an offer does.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Action {
    Tau,
    Terminate,
    /// An event that may synchronise.
    Event(Event),
    /// An event that does not: it carries a program, or is a finished synchronous communication.
    Solo(Event),
    /// A message put into a buffer.
    Push {
        channel: usize,
        name: String,
        message: Vec<Value>,
    },
    /// A message taken from a buffer.
    Pop {
        channel: usize,
        name: String,
    },
    /// A sender looking for a receiver.
    Send {
        channel: usize,
        name: Arc<str>,
        message: Vec<Value>,
    },
    /// A receiver looking for a sender: what it takes, with names yet to be bound in programs and in what follows.
    Receive {
        channel: usize,
        guard: Option<Expr>,
        patterns: Vec<Taken>,
    },
}

/// One field of an input.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Taken {
    Any(crate::model::BoundId),
    Only(Value),
}

/// What a process can do first.
#[derive(Clone, Debug)]
struct Offer {
    action: Action,
    /// Run in this order after the channels have changed.
    programs: Vec<Arc<Program>>,
    processes: BTreeSet<u32>,
    atomic: bool,
    next: TermId,
}

/// A process nested deeper than this is taken to grow without end.
pub(crate) const MAX_DEPTH: u32 = 1_000;

/// The same for a whole term, with what stands around its processes.
pub(crate) const MAX_WHOLE_DEPTH: u32 = MAX_DEPTH + 500;

/// A process that unfolds more different calls than this, one inside the other, before its first event never gets there.
pub(crate) const MAX_CALLS: usize = 500;

/// What a model is told whose calls go on and on, each different from all before.
pub(crate) fn endless(name: &str, at: At) -> Fault {
    let message = format!("`{name}` calls itself without an event in between, with ever new arguments");
    fault(at, message)
}

/// What a model whose terms outgrow [`MAX_DEPTH`] is told.
pub(crate) fn too_deep() -> Fault {
    Fault {
        kind: FaultKind::Unbounded,
        message: format!(
            "a process term is nested more than {MAX_DEPTH} levels deep: some recursion adds an operator every time round"
        ),
        span: None,
    }
}

impl Reference {
    /// The process `P(args)` of a model.
    pub fn new(model: Arc<Model>, process: DefId, args: &[Value]) -> Result<Reference, Fault> {
        let root = model.normal(root::root(&model, process, args)?);
        Ok(Reference { model, root })
    }

    /// The initial state.
    pub fn initial_state(&self) -> State {
        State {
            root: self.root,
            values: Valuation::initial(&self.model),
        }
    }

    /// The steps from a state, each once.
    pub fn steps_from(&self, state: &State) -> Result<Vec<Step>, Fault> {
        let rules = Rules {
            model: &self.model,
            values: &state.values,
        };
        let mut offers = rules.offers(state.root, &mut Unfolding::new())?;
        offers.retain(|o| !matches!(o.action, Action::Send { .. } | Action::Receive { .. }));
        if offers.iter().any(|o| o.atomic) {
            offers.retain(|o| o.atomic);
        }
        let mut steps = Vec::new();
        for offer in offers {
            let step = self.perform(state, offer)?;
            if !steps.contains(&step) {
                steps.push(step);
            }
        }
        Ok(steps)
    }

    fn perform(&self, state: &State, offer: Offer) -> Result<Step, Fault> {
        let mut values = state.values.clone();
        let event = match offer.action {
            Action::Tau => "tau".to_owned(),
            Action::Terminate => "terminate".to_owned(),
            Action::Event(event) | Action::Solo(event) => event.to_string(),
            Action::Push {
                channel,
                name,
                message,
            } => {
                let event = format!("{name}!{}", state::dotted(&message));
                values.channels[channel].push(message);
                event
            }
            Action::Pop { channel, name } => {
                let message = values.channels[channel].remove(0);
                format!("{name}?{}", state::dotted(&message))
            }
            Action::Send { .. } | Action::Receive { .. } => {
                unreachable!("halves of a communication are no steps")
            }
        };
        for program in &offer.programs {
            eval::run(&self.model, &mut values, program)?;
        }
        let target = State {
            root: self.model.normal(offer.next),
            values,
        };
        Ok(Step {
            event,
            processes: offer.processes,
            target,
        })
    }

    /// The names of the events enabled in a state.
    pub fn enabled(&self, state: &State) -> Result<BTreeSet<String>, Fault> {
        Ok(self.steps_from(state)?.into_iter().map(|s| s.event).collect())
    }

    /// The names of the events ready in a state: as enabled, but a synchronised event as soon as one participant offers it, and internal choice and
    /// conditionals looked through; never `tau` or `terminate`.
    pub fn ready(&self, state: &State) -> Result<BTreeSet<String>, Fault> {
        ready::ready(&self.model, state)
    }

    /// Whether this is the state after successful termination.
    pub fn is_ended(&self, state: &State) -> bool {
        state.root == TermId::ENDED
    }

    /// Whether a closed condition holds in a state.
    pub fn holds(&self, state: &State, condition: &Expr) -> Result<bool, Fault> {
        eval::test(&self.model, &state.values, &condition.close(&Env::default()))
    }
}

impl Judge for Reference {
    type State = State;

    fn initial(&self) -> Result<Vec<State>, Fault> {
        Ok(vec![self.initial_state()])
    }

    fn steps(&self, state: &State) -> Result<Vec<(String, Vec<u32>, State)>, Fault> {
        let steps = self.steps_from(state)?.into_iter();
        Ok(steps
            .map(|s| (s.event, s.processes.into_iter().collect(), s.target))
            .collect())
    }

    fn ready(&self, state: &State) -> Result<BTreeSet<String>, Fault> {
        Reference::ready(self, state)
    }

    fn fields(&self, state: &State) -> Fields {
        state::fields(&self.model, state)
    }
}
