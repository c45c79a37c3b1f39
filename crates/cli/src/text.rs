//! Results as text for people.

use crate::labels::labels;
use crate::output::{Style, paint};
use fairhold::{CheckResult, Detail, ExploreResult, Model, Notion, Run, Verdict, run_to_text};

/// One result: the verdict and the assertion with its numbers, why, and the run.
pub(crate) fn result(result: &CheckResult, model: &Model, detail: Detail, file: bool, color: bool) -> String {
    let style = match (result.passes(), result.verdict) {
        (true, _) => Style::Good,
        (false, Verdict::Unknown) => Style::Unsure,
        (false, _) => Style::Bad,
    };
    let mut out = paint(&format!("{:<8}", result.verdict.word()), style, color);
    if file {
        out.push_str(&format!("{}: ", result.file));
    }
    out.push_str(&result.assertion);
    if let Some(fairness) = &result.fairness {
        out.push_str(&format!(" under {fairness}"));
    }
    let numbers = format!(
        "   ({}, {}, {:.2} s)",
        counted(result.states, "state"),
        counted(result.steps, "step"),
        result.seconds
    );
    out.push_str(&paint(&numbers, Style::Faint, color));
    match result.expected {
        Some(expected) if result.passes() => {
            out.push_str(&format!("  {} was expected", expected.word()));
        }
        Some(expected) => {
            let text = format!("  UNEXPECTED: {} was expected", expected.word());
            out.push_str(&paint(&text, style, color));
        }
        None => {}
    }
    out.push('\n');
    let mut line = |label: &str, text: &str| out.push_str(&format!("        {label}{text}\n"));
    if let Some(reason) = &result.reason {
        line("", reason);
    }
    if let Some(value) = result.value {
        line("value: ", &value.to_string());
    }
    if !result.annotations.is_empty() {
        line("annotations: ", &result.annotations.join(", "));
    }
    if !result.reductions.is_empty() {
        let which = result.reductions.join(", ");
        line("", &format!("reduced by {which}: {}", result.reduction_note));
    }
    if result.feasible == Some(false) {
        let unmet: Vec<String> = result.unmet.iter().map(|part| format!("`{part}`")).collect();
        let which = match &unmet[..] {
            [] => String::new(),
            [one] => format!("; {one} cannot be met"),
            several => format!("; {} cannot be met together", several.join(" and ")),
        };
        let so = match result.verdict {
            Verdict::Holds => "it holds for want of one",
            _ => "there is no path that it could speak of",
        };
        line("", &format!("no execution is fair: {so}{which}"));
    }
    match result.vacuous.as_deref() {
        None => {}
        Some([]) => line("", "every part of the formula has influence"),
        Some(parts) => {
            let parts: Vec<String> = parts.iter().map(|part| format!("`{part}`")).collect();
            line("without influence: ", &parts.join(", "));
        }
    }
    if let Some(found) = &result.labels {
        out.push_str(&indented(&labels(found)));
    }
    if let Some((title, run)) = result.run() {
        out.push_str(&indented(&run_to_text(run, title, detail)));
        out.push_str(&indented(&diagram(model, run, detail, INDENT)));
    }
    if let Some(why) = result.why_not.as_ref().filter(|_| detail != Detail::None) {
        out.push_str(&indented(&format!(
            "  why not?\n{}",
            indented_by(4, &why.to_string())
        )));
    }
    out
}

/// Several results about one assertion: which notions suffice.
pub(crate) fn table(results: &[CheckResult]) -> String {
    let name = |r: &CheckResult| r.fairness.clone().unwrap_or_default();
    let widths = results.iter().map(|r| name(r).chars().count());
    let width = widths.fold("fairness".len(), usize::max);
    let mut out = format!("\n        {:<width$}  verdict\n", "fairness");
    for result in results {
        let empty = match result.feasible {
            Some(false) => " (no execution is fair)",
            _ => "",
        };
        let verdict = result.verdict.word();
        out.push_str(&format!("        {:<width$}  {verdict}{empty}\n", name(result)));
    }
    // A constraint that no execution meets suffices for everything, and says nothing.
    let suffices = |r: &&CheckResult| r.verdict == Verdict::Holds && r.feasible != Some(false);
    let holding: Vec<&CheckResult> = results.iter().filter(suffices).collect();
    let weaker = |a: &CheckResult, b: &CheckResult| is_weaker(&name(a), &name(b));
    let weakest = holding
        .iter()
        .filter(|r| !holding.iter().any(|other| weaker(other, r)));
    let weakest: Vec<String> = weakest.map(|r| name(r)).collect();
    let is_formula = |name: &String| name != "none" && Notion::from_word(name).is_none();
    let decided = |r: &CheckResult| matches!(r.verdict, Verdict::Holds | Verdict::Fails);
    let text = match &weakest[..] {
        [] if !results.iter().all(decided) => "whether any of these suffices is not known".to_owned(),
        [] => "none of these suffices".to_owned(),
        [none] if none == "none" && !results[0].annotations.is_empty() => {
            "it holds with the annotations alone".to_owned()
        }
        [none] if none == "none" => "it holds without fairness".to_owned(),
        several if several.iter().any(is_formula) && several.len() > 1 => {
            format!(
                "these suffice: {} (formulas are not compared)",
                several.join(", ")
            )
        }
        several if !results.iter().all(decided) => format!("known to suffice: {}", several.join(", ")),
        [one] => format!("the weakest that suffices: {one}"),
        several => format!("the weakest that suffice: {}", several.join(", ")),
    };
    out.push_str(&format!("        {text}\n"));
    out
}

/// How a protocol that stabilises gets there, in a line for all results about one assertion; nothing where that is not known.
pub(crate) fn convergence(results: &[CheckResult]) -> String {
    let Some((result, found)) = results.iter().find_map(|r| Some((r, r.convergence.as_ref()?))) else {
        return String::new();
    };
    let what = match result.reductions.is_empty() {
        true => "configuration",
        false => "multiset",
    };
    let all = counted(found.configurations, what);
    let way = match found.steps {
        None => "from some there is no way to safety".to_owned(),
        Some(steps) => format!(
            "the longest shortest way to safety takes {}",
            counted(steps, "step")
        ),
    };
    let safe = thousands(found.safe);
    format!("        {all}, {safe} of them safe (it holds there and ever after); {way}\n")
}

/// Whether every execution that the second allows is allowed by the first, by name alone.
fn is_weaker(a: &str, b: &str) -> bool {
    match (Notion::from_word(a), Notion::from_word(b)) {
        (Some(a), Some(b)) => a.is_weaker_than(b),
        _ => a == "none" && b != "none",
    }
}

/// The last line: how many of each verdict.
pub(crate) fn summary(results: &[CheckResult], color: bool) -> String {
    let number = |verdict| results.iter().filter(|r| r.verdict == verdict).count();
    let parts = [
        (Verdict::Holds, "hold", "holds"),
        (Verdict::Fails, "fail", "fails"),
        (Verdict::Unknown, "unknown", "unknown"),
        (Verdict::Error, "errors", "error"),
    ];
    let parts: Vec<String> = parts
        .into_iter()
        .map(|(verdict, many, one)| (number(verdict), many, one))
        .filter(|(n, ..)| *n > 0)
        .map(|(n, many, one)| format!("{n} {}", if n == 1 { one } else { many }))
        .collect();
    let mut out = format!(
        "\n{}: {}",
        counted(results.len() as u64, "result"),
        parts.join(", ")
    );
    let unexpected = results
        .iter()
        .filter(|r| r.expected.is_some() && !r.passes())
        .count();
    if unexpected > 0 {
        out.push_str("; ");
        out.push_str(&paint(&format!("{unexpected} unexpected"), Style::Bad, color));
    }
    out.push('\n');
    out
}

/// An exploration.
pub(crate) fn exploration(result: &ExploreResult, color: bool) -> String {
    let mut out = format!("{} of {}\n", result.process, result.file);
    let mut line = |label: &str, value: String| out.push_str(&format!("  {label:<16}{value:>15}\n"));
    line("states", thousands(result.states));
    line("steps", thousands(result.steps));
    line("depth", thousands(result.depth));
    line("deadlocks", thousands(result.deadlocks));
    line("terminated", thousands(result.terminated));
    if let Some(sccs) = result.sccs {
        line("components", thousands(sccs));
    }
    line("bytes per state", format!("{:.1}", result.bytes_per_state));
    line("seconds", format!("{:.2}", result.seconds));
    line("peak MB", format!("{:.1}", result.peak_mb));
    if let Some(reason) = &result.reason {
        let style = if result.verdict == Verdict::Error {
            Style::Bad
        } else {
            Style::Unsure
        };
        let text = format!(
            "{}: {reason}\n",
            if result.verdict == Verdict::Error {
                "error"
            } else {
                "incomplete"
            }
        );
        out.push_str(&paint(&text, style, color));
    }
    if let Some(run) = &result.counterexample {
        out.push_str(&run_to_text(run, "counterexample", Detail::Short));
    }
    out
}

/// A run of a protocol as a space-time diagram, if its lines fit after `indent` blanks and there are not too many.
pub(crate) fn diagram(model: &Model, run: &Run, detail: Detail, indent: usize) -> String {
    if detail == Detail::None || (detail == Detail::Short && run.len() > DIAGRAM_STEPS) {
        return String::new();
    }
    let drawn = model.diagram(run);
    let text = drawn.and_then(|diagram| diagram.to_text(DIAGRAM_WIDTH - indent));
    text.map_or(String::new(), |text| format!("diagram\n{text}"))
}

/// What belongs to a result stands so far to the right.
const INDENT: usize = 8;
/// The longest line of a diagram.
const DIAGRAM_WIDTH: usize = 100;
/// A longer run is drawn only in full.
const DIAGRAM_STEPS: usize = 60;

fn indented(text: &str) -> String {
    indented_by(INDENT, text)
}

fn indented_by(blanks: usize, text: &str) -> String {
    let line = |line: &str| format!("{:blanks$}{line}\n", "");
    text.lines().map(line).collect()
}

fn counted(n: u64, what: &str) -> String {
    let s = if n == 1 { "" } else { "s" };
    format!("{} {what}{s}", thousands(n))
}

/// `1234567` as `1,234,567`.
pub(crate) fn thousands(n: u64) -> String {
    let digits = n.to_string();
    let mut out = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_grouped() {
        let grouped: Vec<String> = [0, 999, 1000, 1_234_567].map(thousands).into();
        assert_eq!(grouped, ["0", "999", "1,000", "1,234,567"]);
    }
}
