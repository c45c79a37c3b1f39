//! Which states satisfy which part of a formula, as a table.
//!
//! ```text
//! parts of the formula, and in how many of 3 states they hold:
//!   0  EG true      3
//!   1  x == 0       1
//!   2  EF x == 0    3
//! states:
//!       0 1 2
//!   0   + + +  x = 0
//!   1   + . +  x = 1
//! ```

use crate::text::thousands;
use fairhold::{LabelledState, Labelling, fields_to_text};

/// So many states are listed.
const LISTED: usize = 200;

/// The table.
pub(crate) fn labels(labels: &Labelling) -> String {
    let mut out = format!(
        "parts of the formula, and in how many of {} states they hold:\n",
        thousands(labels.total as u64)
    );
    let width = labels
        .formulas
        .iter()
        .map(|f| f.chars().count())
        .max()
        .unwrap_or(0);
    let last = labels.formulas.len().saturating_sub(1).to_string().len();
    for (i, (formula, count)) in labels.formulas.iter().zip(&labels.counts).enumerate() {
        let count = thousands(*count as u64);
        out.push_str(&format!("  {i:>last$}  {formula:<width$}  {count}\n"));
    }
    let shown = labels.states.len().min(LISTED);
    let digits = shown.saturating_sub(1).to_string().len();
    let column = |text: &str| format!(" {text:>last$}");
    let heads: String = (0..labels.formulas.len())
        .map(|i| column(&i.to_string()))
        .collect();
    out.push_str(&format!("states:\n  {:digits$}  {heads}\n", ""));
    for (number, state) in labels.states.iter().take(shown).enumerate() {
        let marks: String = (0..labels.formulas.len())
            .map(|i| column(if state.satisfies.contains(&i) { "+" } else { "." }))
            .collect();
        let start = if state.initial { ">" } else { " " };
        let line = format!("  {number:>digits$} {start}{marks}  {}", described(state));
        out.push_str(line.trim_end());
        out.push('\n');
    }
    if labels.total > shown {
        let more = thousands((labels.total - shown) as u64);
        out.push_str(&format!("  ... {more} more (--format json lists up to 10,000)\n"));
    }
    out
}

/// The state in one line.
fn described(state: &LabelledState) -> String {
    fields_to_text(&state.state, true)
}
