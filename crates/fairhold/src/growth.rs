//! What keeps growing: a hint for a search that ran into a limit.
//!
//! A search that gives up keeps a few states, first to last. A variable that only rises or only falls over them, a
//! channel that only fills, a process that gets ever more deeply nested: that is where to look for a missing bound. It
//! is a hint, not a proof.

use fairhold_system::{Fields, Value};
use std::collections::HashMap;

/// At most so many names are given.
const NAMED: usize = 3;

/// A phrase such as `x keeps growing (0, 812, 1930)`; none if nothing does, or there are fewer than three samples.
pub(crate) fn hint(samples: &[Fields]) -> Option<String> {
    if samples.len() < 3 {
        return None;
    }
    let first = measures(&samples[0]);
    let later: Vec<HashMap<String, i64>> = samples[1..]
        .iter()
        .map(|fields| measures(fields).into_iter().collect())
        .collect();
    let mut parts = Vec::new();
    for (name, start) in first {
        let rest: Option<Vec<i64>> = later.iter().map(|s| s.get(&name).copied()).collect();
        let Some(rest) = rest else { continue };
        let values = [&[start], rest.as_slice()].concat();
        let grows = values.is_sorted_by(|a, b| a < b);
        // A channel that empties bounds itself.
        let falls = start <= 0 && !name.ends_with(LENGTH) && values.is_sorted_by(|a, b| a > b);
        if grows || falls {
            let listed: Vec<String> = values.iter().map(i64::to_string).collect();
            let verb = if grows { "growing" } else { "falling" };
            parts.push(format!("{name} keeps {verb} ({})", listed.join(", ")));
        }
    }
    parts.extend(samples[0].iter().filter_map(|(name, _)| counting(name, samples)));
    parts.extend(nesting(&samples[0], &samples[samples.len() - 1]));
    parts.truncate(NAMED);
    (!parts.is_empty()).then(|| parts.join(", "))
}

/// A process whose text stays the same but for a number that only rises: `P(0)`, `P(812)`, `P(1930)`.
fn counting(name: &str, samples: &[Fields]) -> Option<String> {
    let texts: Option<Vec<&str>> = samples
        .iter()
        .map(|fields| match fields.iter().find(|(n, _)| n == name) {
            Some((_, Value::Text(text))) => Some(text.as_str()),
            _ => None,
        })
        .collect();
    let texts = texts?;
    let (words, first) = numbers(texts[0]);
    let all: Vec<Vec<i64>> = texts
        .iter()
        .map(|text| numbers(text))
        .filter_map(|(w, n)| (w == words).then_some(n))
        .collect();
    let rises = |k: usize| all.is_sorted_by(|a, b| a[k] < b[k]);
    (all.len() == texts.len() && (0..first.len()).any(rises))
        .then(|| format!("{name} keeps counting ({})", texts.join(", ")))
}

/// A text without its numbers, and the numbers.
fn numbers(text: &str) -> (Vec<&str>, Vec<i64>) {
    let words = text.split(|c: char| c.is_ascii_digit()).filter(|w| !w.is_empty());
    let numbers = text
        .split(|c: char| !c.is_ascii_digit())
        .filter_map(|n| n.parse().ok());
    (words.collect(), numbers.collect())
}

/// So many levels more than at first are taken for growth; what a model unfolds to on its way is rarely deeper.
const LEVELS: usize = 3;
/// So much of a process's text is shown.
const TEXT: usize = 60;

/// The most deeply nested process of the last state, if it is much deeper than any of the first.
fn nesting(first: &Fields, last: &Fields) -> Option<String> {
    let deepest = |fields: &Fields| {
        let texts = fields.iter().filter_map(|(name, value)| match value {
            Value::Text(text) => Some((depth(text), name.clone(), text.clone())),
            _ => None,
        });
        texts.reduce(|a, b| if b.0 > a.0 { b } else { a })
    };
    let (before, ..) = deepest(first)?;
    let (after, name, text) = deepest(last)?;
    let shown: String = text.chars().take(TEXT).collect();
    (after >= before + LEVELS).then(|| format!("{name} keeps growing ({shown} ...)"))
}

/// How deep parentheses nest.
fn depth(text: &str) -> usize {
    let (mut open, mut deepest) = (0usize, 0);
    for c in text.bytes() {
        match c {
            b'(' => open += 1,
            b')' => open = open.saturating_sub(1),
            _ => {}
        }
        deepest = deepest.max(open);
    }
    deepest
}

const LENGTH: &str = " (length)";

/// Numbers that may grow: integers, elements of arrays, lengths of lists.
fn measures(fields: &Fields) -> Vec<(String, i64)> {
    let mut out = Vec::new();
    for (name, value) in fields {
        match value {
            Value::Int(i) => out.push((name.clone(), *i)),
            Value::Bool(_) | Value::Text(_) => {}
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
        assert_eq!(hint(&[]), None);
    }

    #[test]
    fn channels_grow_by_length_and_processes_by_depth() {
        let deep = "((((P ||| P) ||| P) ||| P) ||| P) ||| P";
        let samples = [
            sample(0, 0, 1, "a -> (P ||| P)"),
            sample(0, 0, 2, "P ||| P"),
            sample(0, 0, 4, deep),
        ];
        let expected = format!("c (length) keeps growing (1, 2, 4), process 0 keeps growing ({deep} ...)");
        assert_eq!(hint(&samples).unwrap(), expected);
        let bounded = [
            sample(0, 0, 0, "P"),
            sample(0, 0, 0, "a -> b -> P"),
            sample(0, 0, 0, "a -> (b -> (c -> P))"),
        ];
        assert_eq!(hint(&bounded), None);
    }

    #[test]
    fn an_argument_that_rises_is_shown() {
        let texts = |t: [&str; 3]| t.map(|t| sample(0, 0, 0, t));
        let hinted = hint(&texts(["P(0, 7)", "P(8, 7)", "P(19, 7)"]));
        assert_eq!(
            hinted.unwrap(),
            "process 0 keeps counting (P(0, 7), P(8, 7), P(19, 7))"
        );
        assert_eq!(hint(&texts(["P(0)", "Q(8)", "P(19)"])), None);
        assert_eq!(hint(&texts(["P(3)", "P(8)", "P(5)"])), None);
    }

    #[test]
    fn falling_below_zero_counts() {
        let samples = [sample(0, 0, 0, ""), sample(-4, 0, 0, ""), sample(-9, 0, 0, "")];
        assert_eq!(hint(&samples).unwrap(), "x keeps falling (0, -4, -9)");
    }
}
