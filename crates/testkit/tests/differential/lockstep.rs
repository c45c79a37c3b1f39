//! Two semantics, walked side by side.
//!
//! [`walk`] holds `compile` to `reference` on one model: both share the model's table of terms, so whole states are
//! compared. [`difference`] walks two semantics of two models, which share no terms: states are paired through
//! the steps that lead to them, and compared by events, processes and values.

use fairhold_csp::compile::CspSystem;
use fairhold_csp::model::{BinaryOp, Expr, Model, Question, Value};
use fairhold_csp::reference::Reference;
use fairhold_csp::resolve::{self, Options};
use fairhold_csp::state::State;
use fairhold_system::{Fault, Keep, Stepper, Steps, System, Word};
use std::collections::{HashMap, HashSet, VecDeque};
use std::fmt::Debug;
use std::hash::Hash;
use std::sync::Arc;

/// A step as both semantics see it: event, processes, state entered.
pub(crate) type Move = (String, Vec<u32>, State);

/// What a state does.
pub(crate) type Moves = Result<Vec<Move>, Fault>;

/// What a walk went through.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Walk {
    /// States visited.
    pub(crate) states: usize,
    /// Of them, those whose steps could not be computed.
    pub(crate) faults: usize,
}

/// The model of a text; the errors if it is not valid.
pub(crate) fn load(text: &str) -> Result<Arc<Model>, String> {
    let no_includes = |_: &str, path: &str| Err(format!("{path} is not there"));
    let loaded = resolve::load(
        "model.csp",
        text,
        &Options {
            defines: &[],
            read: &no_includes,
        },
    );
    loaded
        .model
        .map(Arc::new)
        .ok_or_else(|| fairhold_source::render_all(&loaded.map, &loaded.diagnostics, false))
}

/// The slow semantics of `System`.
pub(crate) fn reference(model: &Arc<Model>) -> Result<Reference, Fault> {
    let process = model
        .definition("System")
        .expect("every generated model defines System");
    Reference::new(Arc::clone(model), process, &[])
}

/// The semantics of `System` to run.
pub(crate) fn compiled(model: &Arc<Model>) -> Result<CspSystem, Fault> {
    let process = model
        .definition("System")
        .expect("every generated model defines System");
    CspSystem::new(Arc::clone(model), process, &[], Keep::Everything)
}

/// The steps of the slow semantics.
pub(crate) fn slow_moves(reference: &Reference, state: &State) -> Moves {
    let steps = reference.steps_from(state)?.into_iter();
    Ok(steps
        .map(|s| (s.event, s.processes.into_iter().collect(), s.target))
        .collect())
}

/// The steps of the fast semantics.
pub(crate) fn fast_moves<S: Stepper>(system: &CspSystem, stepper: &mut S, state: &[Word]) -> Moves {
    let mut steps = Steps::new(system.width());
    stepper.steps(state, &mut steps)?;
    let decoded = steps.iter().map(|(label, target)| {
        (
            system.event_name(label.event),
            system.processes(label.processes),
            system.decode(target),
        )
    });
    Ok(decoded.collect())
}

/// What only one of two answers has; nothing if they agree. Of faults only the kind is compared.
pub(crate) fn compare<T: Eq + Hash + Debug>(
    slow: Result<&[T], &Fault>,
    fast: Result<&[T], &Fault>,
) -> Result<(), String> {
    match (slow, fast) {
        (Err(a), Err(b)) if a.kind == b.kind => Ok(()),
        (Ok(slow), Ok(fast)) => {
            let (a, b): (HashSet<&T>, HashSet<&T>) = (slow.iter().collect(), fast.iter().collect());
            if a == b {
                return Ok(());
            }
            let missing: Vec<_> = slow.iter().filter(|t| !b.contains(t)).collect();
            let extra: Vec<_> = fast.iter().filter(|t| !a.contains(t)).collect();
            Err(format!("missing: {missing:#?}\nextra: {extra:#?}"))
        }
        (slow, fast) => {
            let words = |r: Result<&[T], &Fault>| match r {
                Ok(steps) => format!("{} steps", steps.len()),
                Err(f) => format!("{:?}: {}", f.kind, f.message),
            };
            Err(format!("reference: {}\ncompile: {}", words(slow), words(fast)))
        }
    }
}

/// Enough stack for terms as deep as they may get.
const STACK: usize = 64 << 20;

/// Compares both semantics of a model in the first `cap` states.
pub(crate) fn walk(model: &Arc<Model>, cap: usize) -> Result<Walk, String> {
    std::thread::scope(|scope| {
        let deep = std::thread::Builder::new().stack_size(STACK);
        let walking = deep.spawn_scoped(scope, || walk_here(model, cap));
        let walked = walking.expect("a thread can be started").join();
        walked.unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    })
}

fn walk_here(model: &Arc<Model>, cap: usize) -> Result<Walk, String> {
    let (reference, system) = match (reference(model), compiled(model)) {
        (Ok(slow), Ok(fast)) => (slow, fast),
        (slow, fast) => {
            compare::<()>(slow.as_ref().map(|_| &[][..]), fast.as_ref().map(|_| &[][..]))?;
            return Ok(Walk { states: 0, faults: 1 });
        }
    };
    let questions = questions(model);
    let predicate = system.predicate(&questions.0);
    let objective = system.objective(&questions.1);
    let mut stepper = system.stepper();
    let mut initial = Steps::new(system.width());
    stepper
        .initial(&mut initial)
        .map_err(|f| format!("no initial state: {}", f.message))?;
    let decoded: Vec<State> = initial.iter().map(|(_, s)| system.decode(s)).collect();
    if decoded != [reference.initial_state()] {
        return Err(format!(
            "initial states: {decoded:#?}\nreference: {:#?}",
            reference.initial_state()
        ));
    }
    let key = system.key_width();
    let mut seen: HashSet<Vec<Word>> = initial.iter().map(|(_, s)| s[..key].to_vec()).collect();
    let mut waiting: VecDeque<Vec<Word>> = initial.iter().map(|(_, s)| s.to_vec()).collect();
    let mut walk = Walk::default();
    while let Some(words) = waiting.pop_front() {
        let state = system.decode(&words);
        let at = |message: String| format!("in {}\n{message}", shown(model, &state));
        if system.encode(&state) != words {
            return Err(at(format!(
                "decoded and encoded {words:?} is {:?}",
                system.encode(&state)
            )));
        }
        walk.states += 1;
        let slow = slow_moves(&reference, &state);
        let fast = fast_moves(&system, &mut stepper, &words);
        compare(slow.as_deref(), fast.as_deref()).map_err(at)?;
        if let Ok(fast) = &fast
            && fast.iter().collect::<HashSet<_>>().len() < fast.len()
        {
            return Err(at(format!("a step is given twice: {fast:#?}")));
        }
        let ended = model.terms.get(state.root).term == fairhold_csp::term::Term::Ended;
        if system.is_ended(&words) != ended {
            return Err(at("the two disagree on whether this is Ended".to_owned()));
        }
        let slow_ready = reference.ready(&state);
        let mut events = Vec::new();
        let fast_ready = stepper.ready(&words, &mut events).map(|()| {
            let names = events.iter().map(|&e| system.event_name(e));
            names.collect::<std::collections::BTreeSet<String>>()
        });
        answers(&slow_ready, &fast_ready).map_err(|m| at(format!("what is ready: {m}")))?;
        let slow_holds = reference.holds(&state, &questions.0);
        let fast_holds = stepper.holds(predicate, &words);
        answers(&slow_holds, &fast_holds).map_err(|m| at(format!("the goal: {m}")))?;
        measured(
            &reference,
            &state,
            &questions.1,
            &stepper.measure(objective, &words),
        )
        .map_err(at)?;
        if fast.is_err() {
            walk.faults += 1;
            continue;
        }
        let mut steps = Steps::new(system.width());
        stepper
            .steps(&words, &mut steps)
            .map_err(|f| at(format!("a second look goes wrong: {}", f.message)))?;
        for (_, target) in steps.iter() {
            if seen.len() < cap && seen.insert(target[..key].to_vec()) {
                waiting.push_back(target.to_vec());
            }
        }
    }
    Ok(walk)
}

/// The state as a person reads it.
fn shown(model: &Model, state: &State) -> String {
    let fields = fairhold_csp::state::fields(model, state).into_iter();
    fields
        .map(|(name, value)| format!("  {name} = {value:?}\n"))
        .collect()
}

fn answers<T: Eq + Hash + Debug + Clone>(
    slow: &Result<T, Fault>,
    fast: &Result<T, Fault>,
) -> Result<(), String> {
    compare(
        slow.as_ref().map(std::slice::from_ref),
        fast.as_ref().map(std::slice::from_ref),
    )
}

/// The reference cannot measure, but it can tell whether a measure is right.
fn measured(
    reference: &Reference,
    state: &State,
    objective: &Expr,
    measure: &Result<i64, Fault>,
) -> Result<(), String> {
    let value = measure
        .as_ref()
        .map_or(0, |&v| i32::try_from(v).expect("values have 32 bits"));
    let value = Box::new(Expr::Const(Value::Int(value)));
    let equal = Expr::Binary(
        BinaryOp::Eq,
        Box::new(objective.clone()),
        value,
        fairhold_csp::model::At::default(),
    );
    let right = reference.holds(state, &equal);
    let expected = measure.as_ref().map(|_| true).map_err(Clone::clone);
    answers(&right, &expected).map_err(|m| format!("the objective is not {measure:?}: {m}"))
}

/// The goal and the objective of a generated model.
fn questions(model: &Model) -> (Expr, Expr) {
    let found = model.assertions.iter().find_map(|a| match &a.question {
        Question::Reaches {
            condition,
            objective: Some((_, objective)),
        } => Some((condition.clone(), objective.clone())),
        _ => None,
    });
    found.expect("every generated model asks for a goal with an objective")
}

/// The first difference between the graphs of two semantics, given by initial states and step functions, within `cap` pairs of states.
///
/// Two states are paired if steps with the same event, processes and values lead to them, and no other steps from
/// where they come from do. States with faults are left out: they would be a difference too easy to find.
pub(crate) fn difference(
    models: (&Model, &Model),
    initial: (State, State),
    mut left: impl FnMut(&State) -> Moves,
    mut right: impl FnMut(&State) -> Moves,
    cap: usize,
) -> Option<String> {
    let mut seen = HashSet::from([initial.clone()]);
    let mut waiting = VecDeque::from([initial]);
    while let Some((l, r)) = waiting.pop_front() {
        let (Ok(l), Ok(r)) = (left(&l), right(&r)) else {
            continue;
        };
        let (l, r) = (by_label(models.0, l), by_label(models.1, r));
        let labels = |moves: &HashMap<Label, Vec<State>>| moves.keys().cloned().collect::<Vec<_>>();
        if let Err(message) = compare(Ok(&labels(&l)), Ok(&labels(&r))) {
            return Some(message);
        }
        for (label, targets) in &l {
            if let ([a], [b]) = (targets.as_slice(), r[label].as_slice())
                && seen.len() < cap
            {
                let pair = (a.clone(), b.clone());
                if seen.insert(pair.clone()) {
                    waiting.push_back(pair);
                }
            }
        }
    }
    None
}

/// An event, processes, and values as a person reads them: the words of a collection mean nothing to another model.
type Label = (String, Vec<u32>, String);

fn by_label(model: &Model, moves: Vec<Move>) -> HashMap<Label, Vec<State>> {
    let mut map: HashMap<Label, Vec<State>> = HashMap::new();
    for (event, processes, target) in moves {
        let mut values = fairhold_csp::state::fields(model, &target);
        values.retain(|(name, _)| !name.starts_with("process"));
        let label = (event, processes, format!("{values:?}"));
        map.entry(label).or_default().push(target);
    }
    map
}
