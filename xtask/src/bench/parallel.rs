//! What more workers are worth: `cargo xtask bench --parallel`.
//!
//! Generated systems (`crates/search/benches/together.rs`), by the shape of their components and by notion of fairness: the sequential search, and the parallel one with one, two and eight
//! workers. Then the entries of the suite, with `-j 1`, `-j 2` and `-j 8`. The best of several runs counts, and they go by turns. `PAR1` to `PAR3` stand beside the figures published for models of
//! that description [Liu-ICFEM'09], which were had on four cores.

use super::measure;
use super::results;
use super::suite::{Entry, Suite, Task};
use crate::binary::Binary;
use crate::command::{cargo, output, root};
use crate::table::{Table, grouped};
use anyhow::{Context, Result, ensure};
use std::fs::OpenOptions;
use std::io::Write;
use std::process::Command;

/// A generated system: shape, notion, blocks, states of a component.
type Generated = (&'static str, &'static str, u32, u32);

const NOTIONS: [&str; 4] = ["none", "ewf", "esf", "sgf"];
/// Shapes by blocks and states of each, so that each takes over two seconds on one thread.
const SHAPES: [(&str, u32, u32); 4] = [
    ("giant", 1, 3_000_000),
    ("large", 16, 400_000),
    ("many", 120_000, 50),
    ("trivial", 6, 1_200_000),
];
type Published = (&'static str, u32, u32, Option<[f64; 2]>, [f64; 2]);
/// Shape, number of components, states of each; seconds published for one thread and for several, under esf and sgf.
const PUBLISHED: [Published; 15] = [
    ("par1", 5, 10_001, Some([22.50, 12.03]), [11.33, 6.97]),
    ("par1", 6, 10_001, Some([27.10, 14.81]), [13.59, 8.13]),
    ("par1", 7, 10_001, Some([31.22, 16.66]), [15.89, 9.14]),
    ("par1", 8, 10_001, Some([36.08, 18.04]), [18.09, 10.60]),
    ("par1", 9, 10_001, Some([40.59, 20.85]), [20.40, 11.90]),
    ("par1", 10, 10_001, Some([45.29, 22.63]), [22.81, 13.07]),
    // Out of memory under esf.
    ("par2", 5, 20_000, None, [8.87, 5.52]),
    ("par2", 6, 20_000, None, [18.32, 8.64]),
    ("par2", 7, 20_000, None, [21.37, 9.32]),
    ("par2", 8, 20_000, None, [24.50, 9.69]),
    ("par2", 9, 20_000, None, [27.86, 11.82]),
    ("par2", 10, 20_000, None, [30.89, 13.68]),
    ("par3", 8, 2_000, Some([411.5, 117.6]), [0.41, 0.28]),
    ("par3", 9, 2_000, Some([463.1, 135.7]), [0.45, 0.29]),
    ("par3", 10, 2_000, Some([515.7, 155.8]), [0.49, 0.31]),
];

/// What is to be done.
pub(super) struct Plan<'p> {
    pub(super) runs: u32,
    /// Sizes that only show that everything works.
    pub(super) tiny: bool,
    /// Whose figures they are, if they are to be saved.
    pub(super) commit: Option<String>,
    /// Only what has a name with one of these in it.
    pub(super) names: &'p [String],
}

/// A row. What was not measured is none.
#[derive(Clone, PartialEq, Debug)]
struct Row {
    name: String,
    /// Which mean it counts for.
    group: &'static str,
    states: u64,
    steps: u64,
    /// One thread; one worker of the parallel search; two; eight.
    seconds: [Option<f64>; 4],
    /// The most that others had of a processor in one of the best runs.
    others: f64,
    published: Option<f64>,
}

impl Row {
    fn ratio(&self, of: usize, to: usize) -> Option<f64> {
        Some(self.seconds[of]? / self.seconds[to]?.max(1e-9))
    }

    /// How many times as fast as one thread two are: the sequential search, or one worker of the parallel one where that is faster.
    fn two(&self) -> Option<f64> {
        let sequential = self.ratio(0, 2)?;
        Some(
            self.ratio(1, 2)
                .map_or(sequential, |worker| worker.min(sequential)),
        )
    }
}

/// Measures everything, saves it if asked to, and prints it.
pub(super) fn run(plan: &Plan<'_>, suite: &Suite, entries: &[&Entry], binary: &Binary) -> Result<()> {
    let mut rows = Vec::new();
    let mut keep = |row: Row| -> Result<()> {
        if let Some(commit) = &plan.commit {
            save(&row, commit)?;
        }
        rows.push(row);
        Ok(())
    };
    for (system, published) in generated() {
        let name = name_of(&system);
        if plan.names.is_empty() || plan.names.iter().any(|wanted| name.contains(wanted)) {
            keep(measure_generated(&system, published, plan)?)?;
        }
    }
    let mut failed: Vec<&str> = Vec::new();
    for entry in entries.iter().filter(|entry| has_threads(entry)) {
        // One entry that cannot be measured must not cost the figures of all others.
        match measure_entry(entry, suite, binary, plan) {
            Ok(row) => keep(row)?,
            Err(error) => {
                eprintln!("{error:#}");
                failed.push(&entry.name);
            }
        }
    }
    ensure!(
        !rows.is_empty() || !failed.is_empty(),
        "nothing has a name like {}",
        plan.names.join(" or ")
    );
    print!("{}", table(&rows));
    ensure!(failed.is_empty(), "not measured: {}", failed.join(", "));
    Ok(())
}

/// All generated systems, with the published speed-up where there is one.
fn generated() -> Vec<(Generated, Option<f64>)> {
    let mut all = Vec::new();
    for (shape, blocks, size) in SHAPES {
        all.extend(NOTIONS.map(|notion| ((shape, notion, blocks, size), None)));
    }
    for (shape, blocks, size, esf, sgf) in PUBLISHED {
        let times = |[one, several]: [f64; 2]| one / several;
        all.push(((shape, "esf", blocks, size), esf.map(times)));
        all.push(((shape, "sgf", blocks, size), Some(times(sgf))));
    }
    all
}

fn name_of(&(shape, notion, blocks, _): &Generated) -> String {
    if shape.starts_with("par") {
        format!("{shape}_{blocks}_{notion}")
    } else {
        format!("{shape}_{notion}")
    }
}

fn measure_generated(system: &Generated, published: Option<f64>, plan: &Plan<'_>) -> Result<Row> {
    let name = name_of(system);
    eprintln!("== {name}");
    let &(shape, notion, blocks, size) = system;
    let (blocks, size) = if plan.tiny {
        (blocks.min(20), size.min(200))
    } else {
        (blocks, size)
    };
    let mut command = cargo([
        "bench",
        "-q",
        "-p",
        "fairhold-search",
        "--bench",
        "together",
        "--",
    ]);
    // What a run frees stays with the process, for the next one: what `undisturbed` touches before a run that takes seconds has gone back to the host before the run needs all of it.
    command.env("MIMALLOC_PURGE_DELAY", "-1");
    command.args([shape, notion]);
    command.args([blocks, size, plan.runs].map(|n| n.to_string()));
    let (states, steps, seconds, others) = parse(&output(&mut command)?)?;
    let published_model = shape.starts_with("par");
    Ok(Row {
        name,
        group: if published_model {
            "PAR"
        } else {
            "generated liveness"
        },
        states,
        steps,
        seconds: seconds.map(Some),
        others,
        published,
    })
}

/// The line that a run prints.
fn parse(text: &str) -> Result<(u64, u64, [f64; 4], f64)> {
    let line = text.lines().last().unwrap_or_default();
    let words: Vec<&str> = line.split_whitespace().collect();
    let [states, steps, "holds", one, first, second, eighth, others] = words[..] else {
        anyhow::bail!("not the line of a run in which the property holds: {line}");
    };
    let mut seconds = [0.0; 4];
    for (to, text) in seconds.iter_mut().zip([one, first, second, eighth]) {
        *to = text.parse().context("seconds")?;
    }
    Ok((
        states.parse().context("states")?,
        steps.parse().context("steps")?,
        seconds,
        others.parse().context("what others had")?,
    ))
}

/// Whether an entry says how many threads it takes, and is not one that takes time for memory.
fn has_threads(entry: &Entry) -> bool {
    let says = |option: &str| entry.arguments.iter().any(|a| a == option);
    says("-j") && !says("--compact")
}

/// The same entry, with another number of threads.
fn with_threads(entry: &Entry, threads: &str) -> Entry {
    let mut entry = entry.clone();
    // Bars and peers are those of one thread.
    (entry.explore, entry.spin) = (None, None);
    if let Some(at) = entry.arguments.iter().position(|a| a == "-j")
        && let Some(value) = entry.arguments.get_mut(at + 1)
    {
        threads.clone_into(value);
    }
    entry
}

fn measure_entry(entry: &Entry, suite: &Suite, binary: &Binary, plan: &Plan<'_>) -> Result<Row> {
    eprintln!("== {}", entry.name);
    let ways = ["1", "2", "8"].map(|threads| with_threads(entry, threads));
    let mut best: [Option<measure::Measured>; 3] = [const { None }; 3];
    for _ in 0..plan.runs {
        for (way, best) in ways.iter().zip(&mut best) {
            let run = measure::entry(binary, suite, way, 1, false)?;
            let faster = |old: &measure::Measured| run.ours.seconds < old.ours.seconds;
            if best.as_ref().is_none_or(faster) {
                *best = Some(run);
            }
        }
    }
    let [Some(one), Some(two), Some(eight)] = best else {
        anyhow::bail!("there was at least one run");
    };
    let counts = |run: &measure::Measured| (run.ours.states, run.ours.steps);
    for (run, threads) in [(&two, "two"), (&eight, "eight")] {
        ensure!(
            counts(run) == counts(&one),
            "{}: {:?} states and steps by one thread, {:?} by {threads}",
            entry.name,
            counts(&one),
            counts(run)
        );
    }
    Ok(Row {
        name: entry.name.clone(),
        group: match entry.command {
            Task::Explore => "suite, safety",
            Task::Check => "suite, liveness",
        },
        states: one.ours.states,
        steps: one.ours.steps,
        seconds: [
            Some(one.ours.seconds),
            None,
            Some(two.ours.seconds),
            Some(eight.ours.seconds),
        ],
        others: one.others().max(two.others()).max(eight.others()),
        published: None,
    })
}

/// All rows, and the means.
fn table(rows: &[Row]) -> String {
    let mut table = Table::new(&[
        "system",
        "states",
        "steps",
        "one s",
        "1 worker s",
        "2 s",
        "8 s",
        "1 worker x",
        "2 x",
        "8 over 2",
        "published x",
        "others %",
    ]);
    let show = |figure: Option<f64>, digits: usize| {
        figure.map_or_else(|| "-".to_owned(), |figure| format!("{figure:.digits$}"))
    };
    for row in rows {
        let mut cells = vec![row.name.clone(), grouped(row.states), grouped(row.steps)];
        cells.extend(row.seconds.map(|seconds| show(seconds, 3)));
        let ratios = [row.ratio(0, 1), row.two(), row.ratio(3, 2), row.published];
        cells.extend(ratios.map(|ratio| show(ratio, 2)));
        cells.push(format!("{:.0}", 100.0 * row.others));
        table.row(cells);
    }
    let mut text = table.text();
    for group in ["generated liveness", "PAR", "suite, safety", "suite, liveness"] {
        let of = |ratio: &dyn Fn(&Row) -> Option<f64>| {
            let ratios = rows.iter().filter(|row| row.group == group).filter_map(ratio);
            mean(&ratios.collect::<Vec<f64>>())
        };
        if let Some(two) = of(&Row::two) {
            text.push_str(&format!("geometric mean, {group}: two threads {two:.2}x"));
            let others = [
                ("one worker", of(&|row| row.ratio(0, 1))),
                ("published", of(&|row| row.published)),
            ];
            for (name, mean) in others {
                text.push_str(&mean.map_or_else(String::new, |mean| format!(", {name} {mean:.2}x")));
            }
            text.push('\n');
        }
    }
    let slower = rows.iter().filter(|row| row.two().is_some_and(|two| two < 1.0));
    for row in slower {
        text.push_str(&format!("  slower with two threads: {}\n", row.name));
    }
    text
}

/// The geometric mean.
fn mean(ratios: &[f64]) -> Option<f64> {
    let logs: f64 = ratios.iter().map(|ratio| ratio.ln()).sum();
    (!ratios.is_empty()).then(|| (logs / ratios.len() as f64).exp())
}

const COLUMNS: &str = "date,commit,system,states,steps,one_seconds,worker_seconds,two_seconds,eight_seconds,times_two,published,others_percent";

fn save(row: &Row, commit: &str) -> Result<()> {
    let path = root().join("bench/parallel.csv");
    let new = !path.exists();
    let mut file = OpenOptions::new().create(true).append(true).open(&path)?;
    if new {
        writeln!(file, "{COLUMNS}")?;
    }
    let date = output(Command::new("date").args(["-u", "+%F"]))?;
    writeln!(file, "{}", line(row, &date, commit))?;
    Ok(())
}

fn line(row: &Row, date: &str, commit: &str) -> String {
    let show = |figure: Option<f64>, digits: usize| {
        figure.map_or_else(String::new, |figure| format!("{figure:.digits$}"))
    };
    let mut cells = vec![date.to_owned(), commit.to_owned(), row.name.clone()];
    cells.extend([row.states, row.steps].map(|count| count.to_string()));
    cells.extend(row.seconds.map(|seconds| show(seconds, 4)));
    cells.extend([show(row.two(), 2), show(row.published, 2)]);
    cells.push(format!("{:.0}", 100.0 * row.others));
    cells.join(",")
}

/// Whose figures they are, where they are to be saved.
pub(super) fn commit(save: bool, name: Option<&String>) -> Result<Option<String>> {
    match (save, name) {
        (false, _) => Ok(None),
        (true, Some(name)) => Ok(Some(name.clone())),
        (true, None) => results::commit().map(Some),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row() -> Row {
        Row {
            name: "par1_5_esf".into(),
            group: "PAR",
            states: 250_026,
            steps: 1_000_104,
            seconds: [Some(3.0), Some(3.75), Some(2.0), None],
            others: 0.02,
            published: Some(1.87),
        }
    }

    #[test]
    fn the_line_of_a_run_is_read() {
        let read = parse("901 4487 holds 0.0012 0.0016 0.0024 0.0031 0.02").unwrap();
        assert_eq!(read, (901, 4487, [0.0012, 0.0016, 0.0024, 0.0031], 0.02));
        // What fails was not searched to the end.
        assert!(parse("901 4487 fails 0.0012 0.0016 0.0024 0.0031 0.02").is_err());
        assert!(parse("").is_err());
    }

    #[test]
    fn ratios_and_means_are_those_of_two_threads() {
        let text = table(&[row(), row()]);
        assert!(text.contains("geometric mean, PAR: two threads 1.50x, one worker 0.80x, published 1.87x"));
        assert!(!text.contains("slower"));
        assert_eq!(mean(&[2.0, 8.0]), Some(4.0));
        assert_eq!(mean(&[]), None);
    }

    #[test]
    fn a_saved_row_has_a_cell_a_column() {
        let text = line(&row(), "2026-01-01", "abc");
        assert_eq!(
            text,
            "2026-01-01,abc,par1_5_esf,250026,1000104,3.0000,3.7500,2.0000,,1.50,1.87,2"
        );
        assert_eq!(text.split(',').count(), COLUMNS.split(',').count());
    }

    #[test]
    fn every_system_has_a_name_of_its_own() {
        let mut names: Vec<String> = generated().iter().map(|(system, _)| name_of(system)).collect();
        let all = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), all);
    }
}
