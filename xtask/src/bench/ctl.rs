//! How labelling with CTL grows: `cargo xtask bench --ctl`.
//!
//! The structures are generated (`crates/search/benches/ctl.rs`), so there is no model to read and nothing to interpret. Each row is a process of its own, so that its memory is its own.
//! Three questions: does a structure of ten million states and fifty million steps under ten pairs of strong fairness stay within two minutes and 4 GB; how does time grow with
//! states; how does it grow with the number of pairs. Time is that of the processor, so that it means something on a machine that has other things to do.

use crate::command::{cargo, output};
use crate::table::{Table, grouped};
use anyhow::{Context, Result};

/// States in millions over which growth is measured.
const MILLIONS: [u64; 4] = [2, 4, 8, 16];
/// Pairs over which growth is measured, all of them met in one round; a formula has at most 64 different conditions, two a pair.
const PAIRS: [u64; 6] = [2, 4, 8, 16, 32, 64];
const MOST_PREDICATES: u64 = 32;

/// What one run comes to.
struct Row {
    states: u64,
    steps: u64,
    seconds: f64,
    peak_mb: f64,
    verdict: String,
}

/// Runs everything and describes it.
pub(super) fn run() -> Result<String> {
    let mut table = Table::new(&[
        "structure",
        "pairs",
        "states",
        "steps",
        "CPU s",
        "ns/step",
        "peak MB",
        "verdict",
    ]);
    let mut text = String::new();
    for kind in ["events", "predicates"] {
        measure(&mut table, "cascade", kind, 10, 10_000_000)?;
        let mut times = Vec::new();
        for millions in MILLIONS {
            let row = measure(&mut table, "cascade", kind, 10, millions * 1_000_000)?;
            times.push((row.states as f64, row.seconds));
        }
        let growth = exponent(&times);
        text.push_str(&format!("time over states, {kind}: exponent {growth:.2}\n"));
        let mut times = Vec::new();
        for pairs in PAIRS {
            if kind == "events" || pairs <= MOST_PREDICATES {
                let row = measure(&mut table, "steady", kind, pairs, 2_000_000)?;
                times.push((pairs as f64, row.seconds));
            }
        }
        let growth = exponent(&times);
        text.push_str(&format!("time over pairs, {kind}: exponent {growth:.2}\n"));
    }
    Ok(table.text() + &text)
}

fn measure(table: &mut Table, shape: &str, kind: &str, pairs: u64, states: u64) -> Result<Row> {
    eprintln!("== {shape} {kind} {pairs} {states}");
    let (pairs_text, states_text) = (pairs.to_string(), states.to_string());
    let mut command = cargo(["bench", "-q", "-p", "fairhold-search", "--bench", "ctl", "--"]);
    command.args([shape, kind, &pairs_text, &states_text]);
    let row = parse(&output(&mut command)?)?;
    table.row(vec![
        format!("{shape}, {kind}"),
        pairs_text,
        grouped(row.states),
        grouped(row.steps),
        format!("{:.1}", row.seconds),
        format!("{:.0}", row.seconds * 1e9 / row.steps as f64),
        format!("{:.0}", row.peak_mb),
        row.verdict.clone(),
    ]);
    Ok(row)
}

/// The line that a run prints.
fn parse(text: &str) -> Result<Row> {
    let line = text.lines().last().unwrap_or_default();
    let words: Vec<&str> = line.split_whitespace().collect();
    let [states, steps, seconds, _, peak_mb, verdict] = words[..] else {
        anyhow::bail!("not the line of a run: {line}");
    };
    Ok(Row {
        states: states.parse().context("states")?,
        steps: steps.parse().context("steps")?,
        seconds: seconds.parse().context("seconds")?,
        peak_mb: peak_mb.parse().context("memory")?,
        verdict: verdict.to_owned(),
    })
}

/// The slope of the line nearest to these points, on logarithmic axes: `y` grows like `x` to this power.
fn exponent(points: &[(f64, f64)]) -> f64 {
    let logs: Vec<(f64, f64)> = points.iter().map(|(x, y)| (x.ln(), y.ln())).collect();
    let n = logs.len() as f64;
    let (mx, my) = (
        logs.iter().map(|p| p.0).sum::<f64>() / n,
        logs.iter().map(|p| p.1).sum::<f64>() / n,
    );
    let over: f64 = logs.iter().map(|p| (p.0 - mx) * (p.1 - my)).sum();
    let under: f64 = logs.iter().map(|p| (p.0 - mx).powi(2)).sum();
    over / under
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_power_has_its_exponent() {
        let points = [2.0, 4.0, 8.0].map(|x: f64| (x, 3.0 * x.powf(1.25)));
        assert!((exponent(&points) - 1.25).abs() < 1e-9);
    }

    #[test]
    fn the_line_of_a_run_is_read() {
        let row = parse("999 4995 0.25 0.30 12 holds").unwrap();
        assert_eq!(
            (row.states, row.steps, row.verdict.as_str()),
            (999, 4995, "holds")
        );
        assert!(parse("error: no such thing").is_err());
    }
}
