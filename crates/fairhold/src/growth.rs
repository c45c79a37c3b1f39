//! What keeps growing: a hint for a search that ran into a limit.
//!
//! A search that gives up keeps a few states, first to last. A variable that only rises or only falls over them, a
//! channel that only fills, a process whose text only lengthens: that is where to look for a missing bound. It is a
//! hint, not a proof.

use fairhold_system::{Fields, Value};

/// At most so many names are given.
const NAMED: usize = 3;

/// A phrase such as `x keeps growing (0, 812, 1930)`; none if nothing does, or there are fewer than three samples.
pub(crate) fn hint(samples: &[Fields]) -> Option<String> {
    if samples.len() < 3 {
        return None;
    }
    let series: Vec<Vec<(String, i64)>> = samples.iter().map(measures).collect();
    let mut parts = Vec::new();
    for (name, first) in &series[0] {
        let values: Vec<i64> = series
            .iter()
            .filter_map(|s| s.iter().find(|(n, _)| n == name).map(|(_, v)| *v))
            .collect();
        let grows = values.len() == samples.len() && values.is_sorted_by(|a, b| a < b);
        let falls = values.len() == samples.len() && values.is_sorted_by(|a, b| a > b);
        // Lengths only count when they grow: a channel that empties bounds itself.
        let is_length = name.ends_with(LENGTH);
        if grows || (falls && !is_length && *first <= 0) {
            let listed: Vec<String> = values.iter().map(i64::to_string).collect();
            let verb = if grows { "growing" } else { "falling" };
            parts.push(format!("{name} keeps {verb} ({})", listed.join(", ")));
        }
    }
    parts.truncate(NAMED);
    (!parts.is_empty()).then(|| parts.join(", "))
}

const LENGTH: &str = " (length)";

/// Numbers that may grow: integers, elements of arrays, lengths of lists and of process texts.
fn measures(fields: &Fields) -> Vec<(String, i64)> {
    let mut out = Vec::new();
    for (name, value) in fields {
        match value {
            Value::Int(i) => out.push((name.clone(), *i)),
            Value::Bool(_) => {}
            Value::Text(text) => out.push((format!("{name}{LENGTH}"), text.len() as i64)),
            Value::List(items) => {
                out.push((format!("{name}{LENGTH}"), items.len() as i64));
                let elements = items.iter().enumerate();
                out.extend(elements.filter_map(|(i, item)| match item {
                    Value::Int(v) => Some((format!("{name}[{i}]"), *v)),
                    _ => None,
                }));
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample(x: i64, y: i64, messages: usize, text: &str) -> Fields {
        vec![
            ("x".into(), Value::Int(x)),
            ("y".into(), Value::Int(y)),
            ("c".into(), Value::List(vec![Value::Int(1); messages])),
            ("process 0".into(), Value::Text(text.into())),
        ]
    }

    #[test]
    fn a_counter_is_named() {
        let samples = [sample(0, 1, 0, "P"), sample(5, 0, 1, "P"), sample(9, 1, 1, "P")];
        assert_eq!(hint(&samples).unwrap(), "x keeps growing (0, 5, 9)");
        assert_eq!(hint(&samples[..2]), None);
    }

    #[test]
    fn channels_and_terms_grow_by_length() {
        let samples = [
            sample(0, 0, 1, "P"),
            sample(0, 0, 2, "P ||| P"),
            sample(0, 0, 4, "P ||| P ||| P"),
        ];
        assert_eq!(
            hint(&samples).unwrap(),
            "c (length) keeps growing (1, 2, 4), process 0 (length) keeps growing (1, 7, 13)"
        );
    }

    #[test]
    fn falling_below_zero_counts() {
        let samples = [sample(0, 0, 0, ""), sample(-4, 0, 0, ""), sample(-9, 0, 0, "")];
        assert_eq!(hint(&samples).unwrap(), "x keeps falling (0, -4, -9)");
    }
}
