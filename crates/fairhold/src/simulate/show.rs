//! The place where a walk stands, as text.
//!
//! ```text
//! step 2, after get.0.1
//!   x = 1, board = [0, 1]
//!   process 0  eat.0 -> Phil(0)
//!   process 1  Phil(1)
//!     1  eat.0    0  x = 2
//!     2  get.1.0  1
//! ```

use super::command::{COMMANDS, written};
use fairhold_system::{Fields, Value, tells_process};
use fairhold_trace::{RunStep, changes_to_text, fields_to_text};

/// Texts of processes are cut after so many characters, except where the state is shown in full.
const PROCESS_TEXT: usize = 100;
/// The event column grows no wider than this.
const EVENT_WIDTH: usize = 40;

/// `step 2, after get.0.1`
pub(super) fn title(at: usize, event: Option<&str>, ahead: usize) -> String {
    let mut text = match event {
        None => format!("step {at}, the start"),
        Some(event) => format!("step {at}, after {event}"),
    };
    if ahead > 0 {
        text.push_str(&format!(", {ahead} ahead"));
    }
    text.push('\n');
    text
}

/// The state: variables and channels on one line, then a line a process. In full, a line for every field.
pub(super) fn state(fields: &Fields, full: bool) -> String {
    let alone = |(name, value): &(String, Value)| full || tells_process(name, value);
    let width = fields
        .iter()
        .filter(|field| alone(field))
        .map(|(n, _)| n.chars().count());
    let width = width.max().unwrap_or(0);
    let mut out = String::new();
    let mut line = |text: &str| out.push_str(&format!("  {}\n", text.trim_end()));
    let shared: Fields = fields.iter().filter(|field| !alone(field)).cloned().collect();
    if !shared.is_empty() {
        line(&fields_to_text(&shared, true));
    }
    for field in fields.iter().filter(|field| alone(field)) {
        let text = fields_to_text(&vec![field.clone()], true);
        let value = text.strip_prefix(&format!("{} = ", field.0)).unwrap_or(&text);
        line(&format!("{:<width$}  {}", field.0, shortened(value, full)));
    }
    out
}

fn shortened(text: &str, full: bool) -> String {
    if full || text.chars().count() <= PROCESS_TEXT {
        return text.to_owned();
    }
    let start: String = text.chars().take(PROCESS_TEXT).collect();
    format!("{start} ...")
}

/// The steps that are possible, numbered from 1: event, processes, changes.
pub(super) fn choices(before: &Fields, steps: &[RunStep]) -> String {
    let participants = |step: &RunStep| -> String {
        let numbers: Vec<String> = step.processes.iter().map(u32::to_string).collect();
        numbers.join(", ")
    };
    let events = steps.iter().map(|s| s.event.chars().count()).max().unwrap_or(0);
    let events = events.min(EVENT_WIDTH);
    let processes = steps.iter().map(|s| participants(s).len()).max().unwrap_or(0);
    let mut out = String::new();
    for (number, step) in (1..).zip(steps) {
        let line = format!(
            "  {number:>4}  {:<events$}  {:<processes$}  {}",
            step.event,
            participants(step),
            changes_to_text(before, step)
        );
        out.push_str(line.trim_end());
        out.push('\n');
    }
    out
}

/// What a walk is, and all commands.
pub(super) fn help() -> String {
    let chosen = [
        ("3", "take step 3 of the list"),
        (
            "get.0.1",
            "take the step of this event; the start of its name will do if no other starts so",
        ),
    ];
    let commands = COMMANDS.iter().map(|row| (written(row), row.sentence));
    let chosen = chosen
        .into_iter()
        .map(|(word, sentence)| (word.to_owned(), sentence));
    let rows: Vec<(String, &str)> = chosen.chain(commands).collect();
    let width = rows.iter().map(|(words, _)| words.len()).max().unwrap_or(0);
    let mut out = "\
A walk goes through the model one step at a time. It shows the state, then the steps that are
possible: number, event, the processes that take part, and what would change.

"
    .to_owned();
    for (words, sentence) in &rows {
        out.push_str(&format!("  {words:<width$}  {sentence}\n"));
    }
    out.push_str("\nExamples: find eat.0    find x == 2 && !busy    random 20 7    save run.json\n");
    out
}
