//! How a state differs from the one a run gives.

use crate::text::value_to_text;
use fairhold_system::{Fields, Value};

/// One field that is not as the run gives it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Difference {
    /// The field's name, with the index of the element in question for a list: `board[2]`.
    pub(crate) field: String,
    /// What is wrong, as a phrase: `x is 2, not 3`.
    pub(crate) message: String,
}

/// Lists in messages are cut after so many elements.
const ELEMENTS: usize = 8;

/// Compares a state with the one `given` (empty if the run gives none) and with the `changes` said to lead to it.
/// Usual states have their fields in the same order, which costs one pass.
pub(crate) fn differences(state: &Fields, given: &Fields, changes: &[(String, Value)]) -> Vec<Difference> {
    let mut out = Vec::new();
    if !given.is_empty() {
        for (i, (name, value)) in state.iter().enumerate() {
            match find(given, i, name) {
                Some(other) if other == value => {}
                Some(other) => out.push(unequal(name, value, other)),
                None => out.push(Difference {
                    field: name.clone(),
                    message: format!("the run gives no {name}"),
                }),
            }
        }
        let unknown = |i: usize, name: &str| find(state, i, name).is_none();
        for (i, (name, _)) in given.iter().enumerate() {
            if unknown(i, name) {
                out.push(absent(name));
            }
        }
    }
    for (i, (name, other)) in changes.iter().enumerate() {
        match find(state, i, name) {
            Some(value) if other == value => {}
            Some(value) => out.push(unequal(name, value, other)),
            None => out.push(absent(name)),
        }
    }
    out
}

/// The field with this name, most likely at this place.
fn find<'a>(fields: &'a Fields, likely: usize, name: &str) -> Option<&'a Value> {
    let there = fields.get(likely).filter(|(n, _)| n == name);
    there
        .or_else(|| fields.iter().find(|(n, _)| n == name))
        .map(|(_, v)| v)
}

fn absent(name: &str) -> Difference {
    Difference {
        field: name.to_owned(),
        message: format!("the state has no {name}"),
    }
}

/// Of lists of one length, the first element that differs.
fn unequal(name: &str, value: &Value, given: &Value) -> Difference {
    if let (Value::List(values), Value::List(others)) = (value, given)
        && values.len() == others.len()
        && let Some(i) = (0..values.len()).find(|&i| values[i] != others[i])
    {
        return unequal(&format!("{name}[{i}]"), &values[i], &others[i]);
    }
    let text = |value: &Value| match value {
        Value::Text(text) => format!("`{text}`"),
        other => value_to_text(other, ELEMENTS),
    };
    Difference {
        field: name.to_owned(),
        message: format!("{name} is {}, not {}", text(value), text(given)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fields(x: i64, board: [i64; 2], process: &str) -> Fields {
        vec![
            ("x".into(), Value::Int(x)),
            ("board".into(), Value::List(board.map(Value::Int).into())),
            ("process 0".into(), Value::Text(process.into())),
        ]
    }

    fn messages(given: &Fields, changes: &Fields) -> Vec<String> {
        let state = fields(1, [2, 3], "P");
        differences(&state, given, changes)
            .into_iter()
            .map(|d| d.message)
            .collect()
    }

    #[test]
    fn every_field_is_compared_in_any_order() {
        let mut given = fields(1, [2, 3], "P");
        given.reverse();
        assert!(messages(&given, &Fields::new()).is_empty());
        assert_eq!(
            messages(&fields(1, [2, 4], "Q"), &Fields::new()),
            ["board[1] is 3, not 4", "process 0 is `P`, not `Q`"]
        );
        given.truncate(2);
        given.push(("y".into(), Value::Bool(true)));
        assert_eq!(
            messages(&given, &Fields::new()),
            ["the run gives no x", "the state has no y"]
        );
    }

    #[test]
    fn changes_are_compared_even_without_a_state() {
        let changes = vec![("x".into(), Value::Int(1)), ("z".into(), Value::Int(1))];
        assert_eq!(messages(&Fields::new(), &changes), ["the state has no z"]);
        let changes = vec![("board".into(), Value::List(vec![Value::Int(2)]))];
        assert_eq!(messages(&Fields::new(), &changes), ["board is [2, 3], not [2]"]);
    }
}
