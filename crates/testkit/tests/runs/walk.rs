//! Is this a run of the model? A walk over sets of states of the reference semantics, for whatever the judge accepts.

use fairhold::Run;
use fairhold_csp::model::Model;
use fairhold_csp::reference::Reference;
use fairhold_csp::resolve::{self, Options};
use fairhold_csp::state::{self, State};
use fairhold_system::Fields;
use std::collections::HashSet;
use std::sync::Arc;

/// What may lie under a run at one position: the state where the loop started, if it has, and the state now.
type Places = HashSet<(Option<State>, State)>;

/// Whether some execution of `System` looks like the run, and its loop comes back to where it started.
pub(crate) fn is_run(text: &str, run: &Run) -> bool {
    let no_includes = |_: &str, path: &str| Err(format!("{path} is not there"));
    let options = Options {
        defines: &[],
        read: &no_includes,
    };
    let model = Arc::new(
        resolve::load("m.csp", text, &options)
            .model
            .expect("it was loaded before"),
    );
    let process = model.definition("System").expect("the process of every model");
    let reference = Reference::new(Arc::clone(&model), process, &[]).expect("it was checked before");
    let looks = |state: &State, given: &Fields| {
        let fields = state::fields(&model, state);
        given.is_empty() || fields.len() == given.len() && includes(&model, &fields, given)
    };
    let initial = reference.initial_state();
    let mut places = Places::new();
    if looks(&initial, &run.initial) {
        places.insert((None, initial));
    }
    let steps = run.prefix.iter().chain(&run.loop_);
    for (number, step) in steps.enumerate() {
        if number == run.prefix.len() {
            places = places.into_iter().map(|(_, s)| (Some(s.clone()), s)).collect();
        }
        let mut next = Places::new();
        for (start, state) in places {
            let possible = reference.steps_from(&state).unwrap_or_default();
            if step.event == "(idle)" && possible.is_empty() {
                next.insert((start.clone(), state.clone()));
            }
            let fitting = possible.into_iter().filter(|s| {
                s.event == step.event && s.processes.iter().copied().eq(step.processes.iter().copied())
            });
            next.extend(fitting.map(|s| (start.clone(), s.target)));
        }
        next.retain(|(_, state)| {
            let fields = state::fields(&model, state);
            looks(state, &step.state) && includes(&model, &fields, &step.changes)
        });
        places = next;
    }
    match run.loop_.is_empty() {
        true => !places.is_empty(),
        false => places.into_iter().any(|(start, state)| {
            let start = start.expect("the loop has started");
            start.root == state.root && visible(&model, &start) == visible(&model, &state)
        }),
    }
}

/// Whether a state has all of these fields, hidden variables aside.
fn includes(model: &Model, fields: &Fields, given: &Fields) -> bool {
    let is_hidden = |name: &str| model.variables.iter().any(|v| v.hidden && v.name == name);
    let mut given = given.iter().filter(|(name, _)| !is_hidden(name));
    given.all(|field| fields.contains(field))
}

/// A state's values without hidden variables.
fn visible(model: &Model, state: &State) -> state::Valuation {
    let mut values = state.values.clone();
    for (variable, elements) in model.variables.iter().zip(&mut values.variables) {
        if variable.hidden {
            elements.clear();
        }
    }
    values
}
