//! A protocol as the judge of runs: its meaning, transcribed from [`Protocol`] and nothing else.
//!
//! A configuration is a list of values for every node; rules are evaluated as they stand, on every edge, every time. Slow, obvious, and
//! independent of [`crate::ProtocolSystem`], which must come to the same.

use crate::fault;
use crate::model::{Assign, Expr, FieldId, Operator, Place, Protocol, Schedule};
use fairhold_system::{Fault, FaultKind, Fields, Value};
use fairhold_trace::{Judge, JudgedStep};
use std::sync::Arc;

/// More initial configurations than this are not listed.
const MANY: usize = 1 << 20;

/// Judges runs of a protocol.
#[derive(Clone, Debug)]
pub struct ProtocolJudge(pub Arc<Protocol>);

/// A configuration, written out.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Configuration {
    /// By node and field.
    pub nodes: Vec<Vec<i32>>,
    /// The detector, if there is one.
    pub detector: Option<Oracle>,
    /// The edge whose turn it is, on a schedule.
    pub turn: Option<usize>,
}

/// What a detector answers by.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Oracle {
    /// It guesses.
    Guess(bool),
    /// It tells the truth.
    Correct,
}

impl Oracle {
    /// All that it can be.
    const ALL: [Oracle; 3] = [Oracle::Guess(false), Oracle::Guess(true), Oracle::Correct];

    /// The event that makes it so.
    fn event(self) -> &'static str {
        match self {
            Oracle::Guess(false) => "guessF",
            Oracle::Guess(true) => "guessT",
            Oracle::Correct => "correct",
        }
    }
}

/// Who is meant by the places of an expression.
#[derive(Clone, Copy)]
pub(crate) struct Meant {
    pub(crate) initiator: Option<usize>,
    pub(crate) responder: Option<usize>,
    pub(crate) each: Option<usize>,
}

impl Meant {
    pub(crate) const NOBODY: Meant = Meant {
        initiator: None,
        responder: None,
        each: None,
    };
}

impl ProtocolJudge {
    /// Whether a condition holds in a configuration.
    pub fn holds(&self, state: &Configuration, condition: &Expr) -> Result<bool, Fault> {
        Ok(self.value(condition, state, Meant::NOBODY)? != 0)
    }

    /// Whether a protocol can start here.
    pub(crate) fn is_initial(&self, state: &Configuration) -> Result<bool, Fault> {
        if state.detector == Some(Oracle::Correct) || state.turn.is_some_and(|edge| edge != 0) {
            return Ok(false);
        }
        for (node, values) in state.nodes.iter().enumerate() {
            for (field, value) in values.iter().enumerate() {
                let said = self.start_value(FieldId(field as u32), node, state)?;
                if said.is_some_and(|said| said != *value) {
                    return Ok(false);
                }
            }
        }
        match &self.0.initial.condition {
            Some(condition) => self.holds(state, condition),
            None => Ok(true),
        }
    }

    /// The value that a field must start with at a node, if there is one. Expressions for it read no configuration.
    fn start_value(&self, field: FieldId, node: usize, any: &Configuration) -> Result<Option<i32>, Fault> {
        let declared = &self.0.fields[field.index()];
        let said = self.0.initial.values.iter().find(|(id, _)| *id == field);
        let Some(said) = declared.value.as_ref().or(said.map(|(_, value)| value)) else {
            return Ok(None);
        };
        let meant = Meant {
            each: Some(node),
            ..Meant::NOBODY
        };
        let value = self.value(said, any, meant)?;
        if value < declared.low || value > declared.high {
            return Err(fault::outside(declared, value, declared.span));
        }
        Ok(Some(value))
    }

    /// The value of an expression.
    fn value(&self, expr: &Expr, state: &Configuration, meant: Meant) -> Result<i32, Fault> {
        let value = |e: &Expr| self.value(e, state, meant);
        Ok(match expr {
            Expr::Const(n) => *n,
            Expr::Field(place, field) => state.nodes[self.node(place, state, meant)?][field.index()],
            Expr::Node(place) => self.node(place, state, meant)? as i32,
            Expr::Detector => {
                let detector = self.0.detector.as_ref().expect("an answer needs a detector");
                match state.detector.expect("a protocol with a detector has its state") {
                    Oracle::Guess(guess) => i32::from(guess),
                    Oracle::Correct => i32::from(value(&detector.truth)? != 0),
                }
            }
            Expr::Correct => i32::from(state.detector == Some(Oracle::Correct)),
            Expr::Count(condition) => {
                let mut count = 0;
                for each in 0..state.nodes.len() {
                    let meant = Meant {
                        each: Some(each),
                        ..meant
                    };
                    if self.value(condition, state, meant)? != 0 {
                        count += 1;
                    }
                }
                count
            }
            Expr::Not(e) => i32::from(value(e)? == 0),
            Expr::Minus(e) => {
                let negative = -i64::from(value(e)?);
                i32::try_from(negative).map_err(|_| fault::overflow(None))?
            }
            Expr::Binary(Operator::And, a, b, _) => i32::from(value(a)? != 0 && value(b)? != 0),
            Expr::Binary(Operator::Or, a, b, _) => i32::from(value(a)? != 0 || value(b)? != 0),
            Expr::Binary(operator, a, b, span) => {
                let (a, b) = (i64::from(value(a)?), i64::from(value(b)?));
                let result = match operator {
                    Operator::Equal => i64::from(a == b),
                    Operator::Unequal => i64::from(a != b),
                    Operator::Less => i64::from(a < b),
                    Operator::AtMost => i64::from(a <= b),
                    Operator::Greater => i64::from(a > b),
                    Operator::AtLeast => i64::from(a >= b),
                    Operator::Add => a + b,
                    Operator::Subtract => a - b,
                    Operator::Multiply => a * b,
                    Operator::Divide | Operator::Modulo if b == 0 => return Err(fault::division(*span)),
                    Operator::Divide => a / b,
                    Operator::Modulo => a.rem_euclid(b),
                    Operator::And | Operator::Or => unreachable!("connectives are above"),
                };
                i32::try_from(result).map_err(|_| fault::overflow(Some(*span)))?
            }
        })
    }

    /// The node that a place means.
    fn node(&self, place: &Place, state: &Configuration, meant: Meant) -> Result<usize, Fault> {
        let said = match place {
            Place::Initiator => meant.initiator,
            Place::Responder => meant.responder,
            Place::Each => meant.each,
            Place::At(number) => {
                let number = self.value(number, state, meant)?;
                let node = usize::try_from(number).ok().filter(|&n| n < state.nodes.len());
                return node.ok_or_else(|| fault::no_node(number, self.0.nodes));
            }
        };
        Ok(said.expect("a checked expression names only nodes that are there"))
    }

    /// The configuration after an alternative of a rule.
    fn after(&self, assigns: &[Assign], state: &Configuration, meant: Meant) -> Result<Configuration, Fault> {
        let mut after = state.clone();
        for assign in assigns {
            let value = self.value(&assign.value, state, meant)?;
            let field = &self.0.fields[assign.field.index()];
            if value < field.low || value > field.high {
                return Err(fault::outside(field, value, assign.span));
            }
            let node = self.node(&assign.place, state, meant)?;
            after.nodes[node][assign.field.index()] = value;
        }
        Ok(after)
    }

    /// Adds what the rules for as many nodes do.
    pub(crate) fn act(
        &self,
        pair: bool,
        meant: Meant,
        state: &Configuration,
        steps: &mut Vec<JudgedStep<Configuration>>,
    ) -> Result<(), Fault> {
        for rule in self.0.rules.iter().filter(|rule| rule.pair == pair) {
            if self.value(&rule.guard, state, meant)? == 0 {
                continue;
            }
            let nodes = [meant.initiator, meant.responder].into_iter().flatten();
            let numbers: Vec<String> = nodes.map(|n| n.to_string()).collect();
            let event = format!("{}.{}", rule.name, numbers.join("."));
            for assigns in &rule.alternatives {
                let step = (event.clone(), Vec::new(), self.after(assigns, state, meant)?);
                if !steps.contains(&step) {
                    steps.push(step);
                }
            }
        }
        Ok(())
    }

    /// What the detector does.
    pub(crate) fn oracle_steps(&self, state: &Configuration) -> Vec<JudgedStep<Configuration>> {
        let becomes = |oracle: Oracle| {
            let target = Configuration {
                detector: Some(oracle),
                ..state.clone()
            };
            (oracle.event().to_owned(), Vec::new(), target)
        };
        match state.detector {
            Some(Oracle::Guess(_)) => Oracle::ALL.map(becomes).into(),
            Some(Oracle::Correct) | None => Vec::new(),
        }
    }

    /// The configuration that these fields describe. What they do not give, or give wrongly, is the first that it can be.
    pub fn described(&self, fields: &Fields) -> Configuration {
        let given = |name: &str| fields.iter().find(|(n, _)| n == name).map(|(_, value)| value);
        let mut nodes = vec![Vec::new(); self.0.nodes as usize];
        for field in &self.0.fields {
            for (node, values) in nodes.iter_mut().enumerate() {
                let value = match given(&field.name) {
                    Some(Value::List(items)) => items.get(node),
                    _ => None,
                };
                let value = match value {
                    Some(Value::Int(n)) => i32::try_from(*n).ok(),
                    Some(Value::Text(name)) => {
                        let place = field.names.iter().position(|n| n == name);
                        place.map(|place| field.low + place as i32)
                    }
                    _ => None,
                };
                let value = value.filter(|v| (field.low..=field.high).contains(v));
                values.push(value.unwrap_or(field.low));
            }
        }
        let detector = self.0.detector.as_ref().map(|_| {
            let said = |oracle: &Oracle| given("detector") == Some(&Value::Text(oracle.event().to_owned()));
            Oracle::ALL.into_iter().find(said).unwrap_or(Oracle::ALL[0])
        });
        let turn = (self.0.schedule == Schedule::Cyclic).then(|| {
            let edge = |(i, r): &(u32, u32)| given("next edge") == Some(&Value::Text(format!("{i}.{r}")));
            self.0.topology.edges.iter().position(edge).unwrap_or(0)
        });
        Configuration {
            nodes,
            detector,
            turn,
        }
    }
}

impl Judge for ProtocolJudge {
    type State = Configuration;

    fn initial(&self) -> Result<Vec<Configuration>, Fault> {
        let mut all = vec![self.described(&Fields::new())];
        for node in 0..self.0.nodes as usize {
            for (f, field) in self.0.fields.iter().enumerate() {
                let fixed = self.start_value(FieldId(f as u32), node, &all[0])?;
                let values = match fixed {
                    Some(value) => value..=value,
                    None => field.low..=field.high,
                };
                let count = (i64::from(*values.end()) - i64::from(*values.start()) + 1) as usize;
                if all.len().saturating_mul(count) > MANY {
                    return Err(Fault {
                        kind: FaultKind::Unbounded,
                        message: format!("there are more than {MANY} initial configurations to choose from"),
                        span: None,
                    });
                }
                let with = |state: &Configuration, value| {
                    let mut state = state.clone();
                    state.nodes[node][f] = value;
                    state
                };
                all = all
                    .iter()
                    .flat_map(|state| values.clone().map(move |value| with(state, value)))
                    .collect();
            }
        }
        if self.0.detector.is_some() {
            let guess = |state: &Configuration, oracle| Configuration {
                detector: Some(oracle),
                ..state.clone()
            };
            all = all
                .iter()
                .flat_map(|s| [guess(s, Oracle::Guess(false)), guess(s, Oracle::Guess(true))])
                .collect();
        }
        let mut initial = Vec::new();
        for state in all {
            if self.is_initial(&state)? {
                initial.push(state);
            }
        }
        Ok(initial)
    }

    fn initial_like(&self, fields: &Fields) -> Result<Vec<Configuration>, Fault> {
        if fields.is_empty() {
            return self.initial();
        }
        let described = self.described(fields);
        Ok(match self.is_initial(&described)? {
            true => vec![described],
            false => Vec::new(),
        })
    }

    fn steps(&self, state: &Configuration) -> Result<Vec<JudgedStep<Configuration>>, Fault> {
        let mut steps = Vec::new();
        for (edge, &(i, r)) in self.0.topology.edges.iter().enumerate() {
            if state.turn.is_some_and(|turn| turn != edge) {
                continue;
            }
            let meant = Meant {
                initiator: Some(i as usize),
                responder: Some(r as usize),
                each: None,
            };
            let mut on_edge = Vec::new();
            self.act(true, meant, state, &mut on_edge)?;
            if let Some(turn) = state.turn {
                if on_edge.is_empty() {
                    on_edge.push((format!("pass.{i}.{r}"), Vec::new(), state.clone()));
                }
                for (_, _, target) in &mut on_edge {
                    target.turn = Some((turn + 1) % self.0.topology.edges.len());
                }
            }
            steps.extend(on_edge);
        }
        for node in 0..self.0.nodes as usize {
            let meant = Meant {
                initiator: Some(node),
                ..Meant::NOBODY
            };
            self.act(false, meant, state, &mut steps)?;
        }
        steps.extend(self.oracle_steps(state));
        Ok(steps)
    }

    fn fields(&self, state: &Configuration) -> Fields {
        let mut fields = Fields::new();
        for (f, field) in self.0.fields.iter().enumerate() {
            let shown = |values: &Vec<i32>| {
                if field.names.is_empty() {
                    return Value::Int(i64::from(values[f]));
                }
                Value::Text(field.names[(values[f] - field.low) as usize].clone())
            };
            fields.push((
                field.name.clone(),
                Value::List(state.nodes.iter().map(shown).collect()),
            ));
        }
        if let Some(oracle) = state.detector {
            fields.push(("detector".to_owned(), Value::Text(oracle.event().to_owned())));
        }
        if let Some(edge) = state.turn {
            let (i, r) = self.0.topology.edges[edge];
            fields.push(("next edge".to_owned(), Value::Text(format!("{i}.{r}"))));
        }
        fields
    }
}
