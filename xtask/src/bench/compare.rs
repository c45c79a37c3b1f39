//! `cargo xtask bench --compare A B`: saved rows of two commits side by side.
//!
//! Of each commit the last row of an entry counts. Rows of other sizes are other measurements and are not compared.

use super::results::{COLUMNS, described, path};
use super::suite::Entry;
use crate::table::Table;

/// What is read of a row.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Row {
    seconds: f64,
    peak_mb: f64,
}

/// A table of all entries: seconds and memory at both commits, and which are slower at the second.
pub(super) fn table<'a>(entries: impl Iterator<Item = &'a Entry>, from: &str, to: &str) -> String {
    let mut table = Table::new(&["entry", from, to, "times as fast", "MB", "MB", "times the memory"]);
    let (mut slower, mut absent) = (Vec::new(), Vec::new());
    for entry in entries {
        // An entry without a file has no rows.
        let text = std::fs::read_to_string(path(entry)).unwrap_or_default();
        let name = described(entry);
        let (Some(before), Some(after)) = (last(&text, &name, from), last(&text, &name, to)) else {
            absent.push(entry.name.as_str());
            continue;
        };
        let times = before.seconds / after.seconds.max(1e-9);
        if times < 1.0 {
            slower.push(entry.name.as_str());
        }
        table.row(vec![
            entry.name.clone(),
            format!("{:.3} s", before.seconds),
            format!("{:.3} s", after.seconds),
            format!("{times:.2}"),
            format!("{:.1}", before.peak_mb),
            format!("{:.1}", after.peak_mb),
            format!("{:.2}", after.peak_mb / before.peak_mb.max(1e-9)),
        ]);
    }
    let list = |names: &[&str]| match names {
        [] => "none".to_owned(),
        names => names.join(", "),
    };
    format!(
        "{}\nslower at {to}: {}\nwithout a row for both: {}\n",
        table.text(),
        list(&slower),
        list(&absent)
    )
}

/// The last row of this entry at this commit, with or without changes.
fn last(text: &str, entry: &str, commit: &str) -> Option<Row> {
    let column = |name: &str| COLUMNS.split(',').position(|column| column == name);
    let (seconds, peak_mb) = (column("seconds")?, column("peak_mb")?);
    let mut rows = text
        .lines()
        .map(|line| line.split(',').collect::<Vec<&str>>())
        .filter(|cells| {
            let [_, at, name, ..] = cells[..] else {
                return false;
            };
            at.trim_end_matches("+changes") == commit && name == entry
        });
    let cells = rows.next_back()?;
    Some(Row {
        seconds: cells.get(seconds)?.parse().ok()?,
        peak_mb: cells.get(peak_mb)?.parse().ok()?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_row_of_an_entry_at_a_commit_counts() {
        let row =
            |commit, name, seconds| format!("d,{commit},{name},10,20,{seconds},9,8.0,4.0,1.5,1,,,,,,,\n");
        let text = format!("{COLUMNS}\n")
            + &row("a", "dp N=3", "2.0")
            + &row("a+changes", "dp N=3", "1.0")
            + &row("a", "dp N=4", "9.0")
            + &row("b", "dp N=3", "3.0");
        let found = Row {
            seconds: 1.0,
            peak_mb: 1.5,
        };
        assert_eq!(last(&text, "dp N=3", "a"), Some(found));
        assert_eq!(last(&text, "dp N=3", "c"), None);
        assert_eq!(last("", "dp N=3", "a"), None);
    }

    #[test]
    fn what_is_slower_or_absent_is_named() {
        let text = table(std::iter::empty(), "a", "b");
        assert!(
            text.ends_with("slower at b: none\nwithout a row for both: none\n"),
            "{text}"
        );
    }
}
