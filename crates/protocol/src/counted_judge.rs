//! The judge of runs of multisets: the meaning of a protocol, up to who is who.
//!
//! A state is a configuration with its nodes in order, so that permuted ones are equal. Its steps are those of the protocol's own judge, taken by
//! one representative of every kind of node, and put in order again. Nothing is shared with [`crate::CountedSystem`].

use crate::judge::{Configuration, Meant, ProtocolJudge};
use crate::model::{Field, Protocol};
use fairhold_system::{Fault, Fields, Value};
use fairhold_trace::{Judge, JudgedStep};
use std::sync::Arc;

/// Of more node states than this, only those that occur are shown.
const ALL_SHOWN: usize = 16;

/// Judges runs of a protocol whose nodes are counted.
#[derive(Clone, Debug)]
pub struct CountedJudge {
    judge: ProtocolJudge,
    /// All node states, in order.
    states: Vec<Vec<i32>>,
}

/// How a node state is shown, in the language of protocols: `#{leader=1 & label=0}`.
pub(crate) fn shown(fields: &[Field], values: &[i32]) -> String {
    let field = |(field, value): (&Field, &i32)| {
        let name = field
            .names
            .get((i64::from(*value) - i64::from(field.low)) as usize);
        let value = name.cloned().unwrap_or_else(|| value.to_string());
        format!("{}={value}", field.name)
    };
    let parts: Vec<String> = fields.iter().zip(values).map(field).collect();
    format!("#{{{}}}", parts.join(" & "))
}

/// Whether all node states are shown, or only those that occur.
pub(crate) fn shows_all(states: usize) -> bool {
    states <= ALL_SHOWN
}

/// Whether a state with these fields is one of a protocol whose nodes are counted.
pub fn is_counted(fields: &Fields) -> bool {
    fields.first().is_some_and(|(name, _)| name.starts_with("#{"))
}

impl CountedJudge {
    /// The judge of a protocol whose nodes nothing tells apart.
    pub fn new(protocol: Arc<Protocol>) -> CountedJudge {
        let mut states = vec![Vec::new()];
        for field in &protocol.fields {
            let with = |state: &Vec<i32>, value| [state.as_slice(), &[value]].concat();
            let values = || field.low..=field.high;
            let more = states
                .iter()
                .flat_map(|state| values().map(move |v| with(state, v)));
            states = more.collect();
        }
        CountedJudge {
            judge: ProtocolJudge(protocol),
            states,
        }
    }

    /// The judge of the protocol itself, to which conditions on configurations mean the same.
    pub fn full(&self) -> &ProtocolJudge {
        &self.judge
    }
}

/// The configuration with its nodes in order.
fn in_order(mut state: Configuration) -> Configuration {
    state.nodes.sort();
    state
}

impl Judge for CountedJudge {
    type State = Configuration;

    fn initial(&self) -> Result<Vec<Configuration>, Fault> {
        let mut all: Vec<Configuration> = Vec::new();
        for state in self.judge.initial()?.into_iter().map(in_order) {
            if !all.contains(&state) {
                all.push(state);
            }
        }
        Ok(all)
    }

    fn initial_like(&self, fields: &Fields) -> Result<Vec<Configuration>, Fault> {
        if fields.is_empty() {
            return self.initial();
        }
        let protocol = &self.judge.0;
        let mut nodes = Vec::new();
        for values in &self.states {
            let name = shown(&protocol.fields, values);
            let count = fields.iter().find(|(n, _)| *n == name);
            if let Some((_, Value::Int(count))) = count {
                let room = protocol.nodes as usize - nodes.len();
                let count = usize::try_from(*count).unwrap_or(0).min(room);
                nodes.extend(std::iter::repeat_n(values.clone(), count));
            }
        }
        if nodes.len() < protocol.nodes as usize {
            return Ok(Vec::new());
        }
        let described = Configuration {
            nodes,
            ..self.judge.described(fields)
        };
        Ok(match self.judge.is_initial(&described)? {
            true => vec![in_order(described)],
            false => Vec::new(),
        })
    }

    fn steps(&self, state: &Configuration) -> Result<Vec<JudgedStep<Configuration>>, Fault> {
        let nodes = &state.nodes;
        // The first node of each kind, and the second if there is one.
        let kinds: Vec<(usize, Option<usize>)> = (0..nodes.len())
            .filter(|&n| n == 0 || nodes[n] != nodes[n - 1])
            .map(|n| (n, (nodes.get(n + 1) == Some(&nodes[n])).then_some(n + 1)))
            .collect();
        let mut all = Vec::new();
        for &(i, twin) in &kinds {
            let others = kinds.iter().map(|(r, _)| *r).filter(|r| *r != i);
            for r in others.chain(twin) {
                let meant = Meant {
                    initiator: Some(i),
                    responder: Some(r),
                    each: None,
                };
                self.judge.act(true, meant, state, &mut all)?;
            }
            let meant = Meant {
                initiator: Some(i),
                ..Meant::NOBODY
            };
            self.judge.act(false, meant, state, &mut all)?;
        }
        let mut steps: Vec<JudgedStep<Configuration>> = Vec::new();
        for (event, _, target) in all {
            let rule = event.split('.').next().expect("a split text has a first part");
            let step = (rule.to_owned(), Vec::new(), in_order(target));
            if !steps.contains(&step) {
                steps.push(step);
            }
        }
        steps.extend(self.judge.oracle_steps(state));
        Ok(steps)
    }

    fn fields(&self, state: &Configuration) -> Fields {
        let protocol = &self.judge.0;
        let mut fields = Fields::new();
        let mut field = |values: &Vec<i32>, count: usize| {
            fields.push((shown(&protocol.fields, values), Value::Int(count as i64)));
        };
        if shows_all(self.states.len()) {
            for values in &self.states {
                field(values, state.nodes.iter().filter(|n| *n == values).count());
            }
        } else {
            let mut nodes = state.nodes.clone();
            nodes.sort();
            for alike in nodes.chunk_by(|a, b| a == b) {
                field(&alike[0], alike.len());
            }
        }
        fields.extend(
            self.judge
                .fields(state)
                .into_iter()
                .filter(|(name, _)| name == "detector"),
        );
        fields
    }
}
