//! States of a CSP# model: a process term and the values of variables and channels.
//!
//! This is the plain form that `reference` steps on and that people see; `compile` packs the same into words and unpacks it for display.

use crate::library::Class;
use crate::model::{ChannelId, Model, Value};
use crate::term::{Event, Term, TermId};
use fairhold_system::{Fields, Value as Shown};
use std::fmt::Write;

/// Values of all variables and channels.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Valuation {
    /// For each variable its elements, truth values as 0 and 1.
    pub variables: Vec<Vec<i32>>,
    /// For each single channel its messages, the first to be received first. Arrays of channels lie one element after the other, see [`slot`].
    pub channels: Vec<Vec<Vec<Value>>>,
}

/// A state.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct State {
    /// What all processes are about to do.
    pub root: TermId,
    /// Variables and channels.
    pub values: Valuation,
}

/// The number of the first single channel of a channel or channel array.
pub fn slot(model: &Model, channel: ChannelId) -> usize {
    model.channels[..channel.0 as usize]
        .iter()
        .map(|c| c.len.unwrap_or(1) as usize)
        .sum()
}

impl Valuation {
    /// The initial values.
    pub fn initial(model: &Model) -> Valuation {
        let channels = model.channels.iter().map(|c| c.len.unwrap_or(1) as usize).sum();
        Valuation {
            variables: model.variables.iter().map(|v| v.init.clone()).collect(),
            channels: vec![Vec::new(); channels],
        }
    }
}

/// The name of one channel of a channel or channel array.
pub(crate) fn channel_name(model: &Model, channel: ChannelId, element: usize) -> String {
    let decl = &model.channels[channel.0 as usize];
    match decl.len {
        Some(_) => format!("{}[{element}]", decl.name),
        None => decl.name.clone(),
    }
}

/// `1.2`
pub(crate) fn dotted(values: &[Value]) -> String {
    let mut text = String::new();
    for (i, value) in values.iter().enumerate() {
        let dot = if i > 0 { "." } else { "" };
        write!(text, "{dot}{value}").expect("writing to a string succeeds");
    }
    text
}

impl std::fmt::Display for Event {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.name)?;
        for index in &self.indices {
            write!(f, ".{index}")?;
        }
        Ok(())
    }
}

/// The state by names: variables, channels, processes.
pub fn fields(model: &Model, state: &State) -> Fields {
    let mut fields = Fields::new();
    for (variable, elements) in model.variables.iter().zip(&state.values.variables) {
        let shown = |&word: &i32| show(&model.collections.value(variable.ty, word));
        let value = match variable.dims.as_slice() {
            [] => shown(&elements[0]),
            dims => nest(elements.iter().map(shown).collect(), dims),
        };
        fields.push((variable.name.clone(), value));
    }
    for (id, channel) in model.channels.iter().enumerate().filter(|(_, c)| c.capacity > 0) {
        let first = slot(model, ChannelId(id as u32));
        for element in 0..channel.len.unwrap_or(1) as usize {
            let messages = state.values.channels[first + element].iter().map(|m| message(m));
            fields.push((
                channel_name(model, ChannelId(id as u32), element),
                Shown::List(messages.collect()),
            ));
        }
    }
    processes(model, state.root, &mut fields);
    fields
}

fn show(value: &Value) -> Shown {
    match value {
        Value::Int(i) => Shown::Int(i64::from(*i)),
        Value::Bool(b) => Shown::Bool(*b),
        Value::Array(values) => Shown::List(values.iter().map(show).collect()),
        Value::Collection(collection) => match collection.ty.class {
            Class::Set | Class::HashTable => Shown::Text(collection.to_string()),
            _ => {
                let item = collection.ty.item();
                let items = collection.items.iter().map(|&word| Value::of_word(item, word));
                Shown::List(items.map(|value| show(&value)).collect())
            }
        },
    }
}

fn message(fields: &[Value]) -> Shown {
    match fields {
        [one] => show(one),
        many => Shown::List(many.iter().map(show).collect()),
    }
}

/// A flat array as nested lists, innermost dimension last.
fn nest(mut flat: Vec<Shown>, dims: &[u32]) -> Shown {
    for &dim in dims[1..].iter().rev() {
        let mut rows = Vec::new();
        let mut elements = flat.into_iter().peekable();
        while elements.peek().is_some() {
            rows.push(Shown::List(elements.by_ref().take(dim as usize).collect()));
        }
        flat = rows;
    }
    Shown::List(flat)
}

/// What every process is about to do; before the processes start and after they end, what the whole is about to do.
fn processes(model: &Model, root: TermId, fields: &mut Fields) {
    let text = |p: TermId| Shown::Text(model.display(p));
    let node = model.terms.get(root);
    match &node.term {
        Term::Hide(p, _) => return processes(model, *p, fields),
        Term::Process(n, p) => return fields.push((format!("process {n}"), text(*p))),
        Term::Interleave(operands) | Term::Synchronised(operands, _) => {
            let numbered = operands
                .iter()
                .all(|&p| matches!(model.terms.get(p).term, Term::Process(..)));
            if numbered {
                return operands.iter().for_each(|&p| processes(model, p, fields));
            }
        }
        _ => {}
    }
    fields.push(("process".to_owned(), text(root)));
}
