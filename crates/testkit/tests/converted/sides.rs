//! The graph of a protocol, and that of a model in CSP# after `start`, in the same words.

use fairhold_csp::compile::CspSystem;
use fairhold_csp::resolve::{self, Options};
use fairhold_protocol::{Configuration, Oracle, Protocol, ProtocolJudge, Schedule};
use fairhold_source::render_all;
use fairhold_system::{Fields, Keep, Stepper, Steps, System, Value, Word};
use fairhold_trace::Judge;
use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::Arc;

/// A configuration: the values of each field at all nodes; then guess and correctness of the detector; then the turn.
pub(crate) type Key = Vec<i64>;

/// A graph.
#[derive(Debug)]
pub(crate) struct Side {
    pub(crate) initial: BTreeSet<Key>,
    pub(crate) steps: BTreeSet<(Key, String, Key)>,
    /// How many states there are; states that look the same are counted each.
    pub(crate) states: usize,
}

/// The graph by the protocol's judge; none if it goes wrong somewhere, or has more than `most` configurations.
pub(crate) fn protocol_side(protocol: &Arc<Protocol>, most: usize) -> Option<Side> {
    let judge = ProtocolJudge(Arc::clone(protocol));
    let initial = judge.initial().ok()?;
    let mut met: HashSet<Configuration> = initial.iter().cloned().collect();
    let mut waiting: Vec<Configuration> = initial.clone();
    let mut steps = BTreeSet::new();
    while let Some(state) = waiting.pop() {
        if met.len() > most {
            return None;
        }
        for (event, _, target) in judge.steps(&state).ok()? {
            steps.insert((
                configuration(protocol, &state),
                event,
                configuration(protocol, &target),
            ));
            if met.insert(target.clone()) {
                waiting.push(target);
            }
        }
    }
    Some(Side {
        initial: initial.iter().map(|s| configuration(protocol, s)).collect(),
        steps,
        states: met.len(),
    })
}

fn configuration(protocol: &Protocol, state: &Configuration) -> Key {
    let field = |f: usize| state.nodes.iter().map(move |node| i64::from(node[f]));
    let mut key: Key = (0..protocol.fields.len()).flat_map(field).collect();
    key.extend(state.detector.iter().flat_map(|oracle| match oracle {
        Oracle::Guess(guess) => [i64::from(*guess), 0],
        Oracle::Correct => [0, 1],
    }));
    key.extend(state.turn.map(|turn| turn as i64));
    key
}

/// The graph of a model in CSP# after `start`.
pub(crate) fn csp_side(protocol: &Protocol, text: &str) -> Side {
    let no_includes = |_: &str, path: &str| Err(format!("{path} is not there"));
    let options = Options {
        defines: &[],
        read: &no_includes,
    };
    let mut loaded = resolve::load("m.csp", text, &options);
    assert!(
        loaded.diagnostics.is_empty(),
        "{text}\n{}",
        render_all(&loaded.map, &loaded.diagnostics, false)
    );
    let (process, arguments) = resolve::process(&mut loaded, "Protocol").expect("the protocol is a process");
    let model = Arc::new(loaded.model.expect("no errors, so a model"));
    let system = CspSystem::new(model, process, &arguments, Keep::Everything).expect("it starts");
    let mut stepper = system.stepper();
    let mut buffer = Steps::new(system.width());
    stepper.initial(&mut buffer).expect("it starts");
    // Whether the start is over is no part of a state; it is asked of the way there.
    let mut waiting: Vec<(Vec<Word>, bool)> = buffer.iter().map(|(_, s)| (s.to_vec(), false)).collect();
    let mut met: HashMap<Vec<Word>, bool> = waiting.iter().cloned().collect();
    let mut side = Side {
        initial: BTreeSet::new(),
        steps: BTreeSet::new(),
        states: 0,
    };
    while let Some((state, started)) = waiting.pop() {
        side.states += usize::from(started);
        buffer.clear();
        stepper
            .steps(&state, &mut buffer)
            .unwrap_or_else(|fault| panic!("{fault:?}\n{text}"));
        let targets: Vec<(String, Vec<Word>)> = buffer
            .iter()
            .map(|(label, target)| (system.event_name(label.event), target.to_vec()))
            .collect();
        for (event, target) in targets {
            let key = values(protocol, &system.fields(&target));
            if started {
                let from = values(protocol, &system.fields(&state));
                side.steps.insert((from, event, key));
            } else if event == "start" {
                side.initial.insert(key);
                if met.insert(target.clone(), true).is_none() {
                    waiting.push((target, true));
                }
                continue;
            }
            match met.insert(target.clone(), started) {
                None => waiting.push((target, started)),
                Some(before) => assert_eq!(
                    before, started,
                    "what comes before the start does not come after it"
                ),
            }
        }
    }
    side
}

fn values(protocol: &Protocol, fields: &Fields) -> Key {
    let value = |name: &str| {
        let found = fields.iter().find(|(n, _)| n == name);
        &found.unwrap_or_else(|| panic!("a state has {name}")).1
    };
    let number = |value: &Value| match value {
        Value::Int(n) => *n,
        other => panic!("{other:?} is no number"),
    };
    let mut key = Key::new();
    for field in &protocol.fields {
        match value(&field.name) {
            Value::List(items) => key.extend(items.iter().map(number)),
            other => key.push(number(other)),
        }
    }
    if protocol.detector.is_some() {
        key.extend([number(value("guess")), number(value("right"))]);
    }
    if protocol.schedule == Schedule::Cyclic {
        key.push(number(value("turn")));
    }
    key
}
