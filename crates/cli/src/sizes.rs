//! `fairhold check --sizes 3..9`: the models of a sweep, and its table.

use crate::args::Common;
use crate::input::{Messages, load};
use fairhold::{
    CheckResult, Diagnostic, Language, LoadOptions, Model, SizeRange, Sweep, SweptAssertion, load_sizes,
};

/// The models of a protocol, one for each size. Errors end up in `messages`.
pub(crate) fn prepare(
    files: &[String],
    range: SizeRange,
    common: &Common,
    options: &LoadOptions,
    messages: &mut Messages,
) -> Option<(Sweep, Vec<Model>)> {
    let usage = |message: String, help: &str| Diagnostic::bare("usage", message).help(help);
    let [file] = files else {
        let message = format!("--sizes takes one protocol, and there are {} files", files.len());
        messages.add_bare(&usage(message, "give one .pp file"));
        return None;
    };
    // Of a file whose language is not known, loading says so.
    let language = common.language().or_else(|| Language::of_file(file).ok());
    if language.is_some_and(|language| language != Language::Pp) {
        let message = format!("--sizes is for protocols (.pp), and {file} is none");
        messages.add_bare(&usage(message, "-D NAME=VALUE changes one constant of any model"));
        return None;
    }
    match load_sizes(load(file, common, options), range, options) {
        Ok((sweep, models)) => {
            if models.is_empty() {
                let message = format!("{file} has no size from {} to {}", range.first, range.last);
                messages.add_bare(&usage(message, &left_out(&sweep).join("\n")));
            }
            Some((sweep, models))
        }
        Err(refused) => {
            messages.add(&refused.map, Some(file), &refused.diagnostics);
            None
        }
    }
}

/// The size of one of the models, as a heading for its results.
pub(crate) fn heading(sweep: &Sweep, results: &[CheckResult]) -> String {
    match results.first().and_then(|result| size(sweep, result)) {
        Some(size) => format!("{} = {size}\n", sweep.name),
        None => String::new(),
    }
}

/// The size that a result is about.
pub(crate) fn size(sweep: &Sweep, result: &CheckResult) -> Option<i32> {
    let defined = result.defines.iter().find(|(name, _)| *name == sweep.name);
    defined.map(|(_, value)| *value)
}

/// For every assertion a table of sizes and notions, and a sentence for each notion.
pub(crate) fn summary(sweep: &Sweep, results: &[CheckResult]) -> String {
    let mut out = String::new();
    for swept in sweep.assertions(results) {
        out.push_str(&format!("\n{}\n{}", swept.assertion, table(sweep, &swept)));
        for column in &swept.fairness {
            let sentence = column.sentence();
            match &column.fairness {
                Some(fairness) => out.push_str(&format!("        {fairness}: {sentence}\n")),
                None => out.push_str(&format!("        {sentence}\n")),
            }
        }
    }
    let left_out = left_out(sweep);
    if !left_out.is_empty() {
        out.push('\n');
        left_out
            .iter()
            .for_each(|line| out.push_str(&format!("{line}\n")));
    }
    out
}

fn left_out(sweep: &Sweep) -> Vec<String> {
    let line = |(size, reason): &(i32, String)| format!("{} = {size} is left out: {reason}", sweep.name);
    sweep.left_out.iter().map(line).collect()
}

/// Sizes downwards, notions across.
fn table(sweep: &Sweep, swept: &SweptAssertion) -> String {
    let mut sizes: Vec<i32> = swept
        .fairness
        .iter()
        .flat_map(|c| c.verdicts.iter().map(|v| v.0))
        .collect();
    sizes.sort_unstable();
    sizes.dedup();
    let mut columns = vec![vec![sweep.name.clone()]];
    columns[0].extend(sizes.iter().map(i32::to_string));
    for column in &swept.fairness {
        let mut cells = vec![column.fairness.clone().unwrap_or_else(|| "verdict".to_owned())];
        for size in &sizes {
            let verdict = column.verdicts.iter().find(|(s, _)| s == size);
            cells.push(verdict.map_or(String::new(), |(_, verdict)| verdict.word().to_owned()));
        }
        columns.push(cells);
    }
    let width = |cells: &Vec<String>| cells.iter().map(|c| c.chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = columns.iter().map(width).collect();
    let mut out = String::new();
    for row in 0..=sizes.len() {
        let cells = columns.iter().zip(&widths);
        let cells: Vec<String> = cells
            .map(|(cells, width)| format!("{:<width$}", cells[row]))
            .collect();
        out.push_str(format!("        {}", cells.join("  ")).trim_end());
        out.push('\n');
    }
    out
}
