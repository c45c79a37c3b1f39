//! A run as text, in columns: step, event, processes, changes. Where nothing has processes, their column is left out.
//!
//! ```text
//!   step  event    processes  changes
//!      0  (init)              x = 0, board = [1, 1]
//!      1  get.0.1  0          x = 1, board[1] = 0
//!         the loop starts here
//!      2  put      0, 1       x = 0
//! ```

use crate::ledger::ledger_to_text;
use crate::run::{IDLE, Run, RunStep};
use fairhold_system::{Fields, Value, tells_process};

/// How much of a run is printed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Detail {
    /// Nothing.
    None,
    /// Steps and changes; the middle of a run of more than 200 steps is folded.
    #[default]
    Short,
    /// Every step, with the state it leads to in full.
    Full,
}

/// A run of more steps than this is folded.
const FOLD_OVER: usize = 200;
/// So many steps remain at either end of a folded run.
const KEPT: usize = 20;
/// Lists of more elements than this are cut in a short run.
const ELEMENTS: usize = 32;
/// The event column grows no wider than this.
const EVENT_WIDTH: usize = 40;

/// The run under a header line that starts with `title`; empty if the detail is none.
pub fn run_to_text(run: &Run, title: &str, detail: Detail) -> String {
    if detail == Detail::None {
        return String::new();
    }
    let mut out = header(run, title);
    out.push_str(&table(run, "(init)", detail));
    branches(run, detail, &mut out);
    out
}

/// The runs that grow out of a run, each under the claim that it shows.
fn branches(run: &Run, detail: Detail, out: &mut String) {
    for branch in &run.branches {
        let word = if branch.holds { "holds" } else { "does not hold" };
        let place = match (branch.at, run.is_empty()) {
            (_, true) => "there".to_owned(),
            (0, false) => "in the first state".to_owned(),
            (n, false) => format!("after step {n}"),
        };
        let claim = format!("{place} `{}` {word}", branch.formula);
        let inner = &branch.run;
        let mut text = match inner.is_empty() && inner.branches.is_empty() {
            true => format!("{claim}\n"),
            false if inner.is_empty() => format!("{claim}:\n"),
            false => format!("{}{}", header(inner, &claim), table(inner, "(there)", detail)),
        };
        branches(inner, detail, &mut text);
        text.lines().for_each(|line| out.push_str(&format!("  {line}\n")));
    }
}

/// Whether some process takes part in some step, here or in a branch.
fn has_processes(run: &Run) -> bool {
    let mut steps = run.prefix.iter().chain(&run.loop_);
    steps.any(|step| !step.processes.is_empty())
        || run.branches.iter().any(|branch| has_processes(&branch.run))
}

/// The steps in columns, and the ledger. `first` stands for the event that led to the first state.
fn table(run: &Run, first: &str, detail: Detail) -> String {
    let mut out = String::new();
    let rows = rows(run, first, detail);
    let event_width = rows
        .iter()
        .filter_map(Row::event)
        .map(|e| e.chars().count())
        .fold("event".len(), usize::max)
        .min(EVENT_WIDTH);
    let process_width = rows
        .iter()
        .filter_map(Row::processes)
        .map(str::len)
        .fold("processes".len(), usize::max);
    let mut steps = run.prefix.iter().chain(&run.loop_);
    let some_step = steps.any(|step| step.event != IDLE);
    let without_processes = some_step && !has_processes(run);
    let mut line = |step: &str, event: &str, processes: &str, rest: &str| {
        let text = match without_processes {
            true => format!("  {step:>4}  {event:<event_width$}  {rest}"),
            false => format!("  {step:>4}  {event:<event_width$}  {processes:<process_width$}  {rest}"),
        };
        out.push_str(text.trim_end());
        out.push('\n');
    };
    line("step", "event", "processes", "changes");
    for row in &rows {
        match row {
            Row::Step(number, event, processes, changes) => {
                line(&number.to_string(), event, processes, changes);
            }
            Row::Remark(text) => line("", text, "", ""),
        }
    }
    out.push_str(&ledger_to_text(run, detail));
    out
}

/// `x = 1, board = [0, 1]`: all fields, or without the processes.
pub fn fields_to_text(fields: &Fields, processes: bool) -> String {
    let shown = fields
        .iter()
        .filter(|(name, value)| processes || !tells_process(name, value));
    let parts: Vec<String> = shown
        .map(|(name, value)| format!("{name} = {}", value_to_text(value, usize::MAX)))
        .collect();
    parts.join(", ")
}

enum Row {
    Step(usize, String, String, String),
    Remark(String),
}

impl Row {
    fn event(&self) -> Option<&String> {
        match self {
            Row::Step(_, event, ..) => Some(event),
            Row::Remark(_) => None,
        }
    }

    fn processes(&self) -> Option<&str> {
        match self {
            Row::Step(_, _, processes, _) => Some(processes),
            Row::Remark(_) => None,
        }
    }
}

fn header(run: &Run, title: &str) -> String {
    let steps = |n: usize| format!("{n} step{}", if n == 1 { "" } else { "s" });
    match (run.prefix.len(), run.loop_.len()) {
        (0, 0) => format!("{title}: the initial state\n"),
        (n, 0) => format!("{title}: {}\n", steps(n)),
        (0, m) => format!("{title}: a loop of {}\n", steps(m)),
        (n, m) => format!("{title}: {}, then a loop of {}\n", steps(n), steps(m)),
    }
}

fn rows(run: &Run, first: &str, detail: Detail) -> Vec<Row> {
    let total = run.len();
    let folds = detail == Detail::Short && total > FOLD_OVER;
    let folded = |number: usize| folds && number > KEPT && number <= total - KEPT;
    let limit = if detail == Detail::Full {
        usize::MAX
    } else {
        ELEMENTS
    };

    let mut rows = Vec::new();
    let initial = run
        .initial
        .iter()
        .filter(|(name, value)| detail == Detail::Full || !tells_process(name, value));
    let initial: Vec<String> = initial
        .map(|(name, value)| format!("{name} = {}", value_to_text(value, limit)))
        .collect();
    rows.push(Row::Step(0, first.into(), String::new(), initial.join(", ")));

    let mut before = &run.initial;
    for (number, step) in (1..).zip(run.prefix.iter().chain(&run.loop_)) {
        if number == run.prefix.len() + 1 {
            rows.push(Row::Remark("the loop starts here".into()));
        }
        if !folded(number) {
            let changes = if detail == Detail::Full && !step.state.is_empty() {
                fields_to_text(&step.state, true)
            } else {
                changed(before, step, limit)
            };
            let processes: Vec<String> = step.processes.iter().map(u32::to_string).collect();
            rows.push(Row::Step(
                number,
                step.event.clone(),
                processes.join(", "),
                changes,
            ));
        } else if number == KEPT + 1 {
            let hidden = total - 2 * KEPT;
            rows.push(Row::Remark(format!(
                "... {hidden} steps left out (--trace full shows them)"
            )));
        }
        before = &step.state;
    }
    rows
}

/// What a step from the state `before` changes: `x = 1, board[3] = 0`. Of an array that keeps its length, the elements
/// that are new.
pub fn changes_to_text(before: &Fields, step: &RunStep) -> String {
    changed(before, step, ELEMENTS)
}

fn changed(before: &Fields, step: &RunStep, limit: usize) -> String {
    let mut parts = Vec::new();
    for (name, new) in &step.changes {
        let old = before.iter().find(|(n, _)| n == name).map(|(_, v)| v);
        push_changes(name, old, new, limit, &mut parts);
    }
    parts.join(", ")
}

fn push_changes(name: &str, old: Option<&Value>, new: &Value, limit: usize, parts: &mut Vec<String>) {
    match (old, new) {
        (Some(Value::List(old)), Value::List(items)) if old.len() == items.len() && !new.is_names() => {
            for (i, (old, new)) in old.iter().zip(items).enumerate() {
                if old != new {
                    push_changes(&format!("{name}[{i}]"), Some(old), new, limit, parts);
                }
            }
        }
        _ => parts.push(format!("{name} = {}", value_to_text(new, limit))),
    }
}

pub(crate) fn value_to_text(value: &Value, limit: usize) -> String {
    match value {
        Value::Int(i) => i.to_string(),
        Value::Bool(b) => b.to_string(),
        Value::Text(t) => t.clone(),
        Value::List(items) => {
            let shown = items.iter().take(limit);
            let mut parts: Vec<String> = shown.map(|v| value_to_text(v, limit)).collect();
            if items.len() > limit {
                parts.push(format!("... {} more", items.len() - limit));
            }
            format!("[{}]", parts.join(", "))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::counter::lasso;

    #[test]
    fn a_lasso_in_columns() {
        let expected = "\
counterexample: 1 step, then a loop of 2 steps
  step  event  processes  changes
     0  (init)             x = 0, flags = [0, 0]
     1  inc     0          x = 1
        the loop starts here
     2  inc     0          x = 2
     3  dec     0          x = 1
"
        .replace("event  processes", "event   processes");
        assert_eq!(run_to_text(&lasso(), "counterexample", Detail::Short), expected);
    }

    #[test]
    fn arrays_show_the_elements_that_changed() {
        let mut run = lasso();
        run.loop_.clear();
        let flags = Value::List(vec![Value::Int(0), Value::Int(5)]);
        run.prefix[0].changes.push(("flags".into(), flags));
        assert!(run_to_text(&run, "run", Detail::Short).contains("x = 1, flags[1] = 5\n"));
    }

    #[test]
    fn long_runs_fold_unless_full() {
        let mut run = lasso();
        let step = run.prefix[0].clone();
        run.prefix = vec![step; 250];
        run.loop_.clear();
        let short = run_to_text(&run, "run", Detail::Short);
        assert_eq!(short.lines().count(), 2 + 1 + 40 + 1);
        assert!(short.contains("... 210 steps left out"));
        assert!(short.contains("\n    20  inc") && !short.contains("\n    21  inc"));
        assert!(!short.contains("\n   230  inc") && short.contains("\n   231  inc"));
        let full = run_to_text(&run, "run", Detail::Full);
        assert_eq!(full.lines().count(), 2 + 1 + 250);
        assert!(full.contains("process 0 = count"));
        assert_eq!(run_to_text(&run, "run", Detail::None), "");
    }

    #[test]
    fn long_lists_are_cut() {
        let long = Value::List(vec![Value::Bool(true); 40]);
        assert!(value_to_text(&long, 32).ends_with("true, ... 8 more]"));
    }
}
