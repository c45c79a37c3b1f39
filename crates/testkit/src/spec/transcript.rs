//! Expected output against printed output: match, show the difference, carry wildcards over.
//!
//! Two wildcards: `[..]` stands for any text within its line, a line `...` for any lines. Matching is the usual
//! backtracking to the last wildcard, linear in practice. Difference and blessing come from one alignment of least
//! edit distance, quadratic in the lines of one command's output.

const ANY_TEXT: &str = "[..]";
const ANY_LINES: &str = "...";

/// Whether the printed lines are what was expected.
pub(super) fn matches(expected: &[String], printed: &[String]) -> bool {
    wildcard(expected, printed, |e| e == ANY_LINES, |e, p| line_matches(e, p))
}

/// Glob matching over slices: `any` items stand for any run, others match one item by `one`.
fn wildcard<E, P>(
    expected: &[E],
    printed: &[P],
    any: impl Fn(&E) -> bool,
    one: impl Fn(&E, &P) -> bool,
) -> bool {
    let (mut e, mut p) = (0, 0);
    let mut last: Option<(usize, usize)> = None;
    while p < printed.len() {
        if e < expected.len() && any(&expected[e]) {
            last = Some((e, p));
            e += 1;
        } else if e < expected.len() && one(&expected[e], &printed[p]) {
            e += 1;
            p += 1;
        } else if let Some((from, upto)) = last {
            // The last wildcard takes one item more.
            last = Some((from, upto + 1));
            e = from + 1;
            p = upto + 1;
        } else {
            return false;
        }
    }
    expected[e..].iter().all(any)
}

fn line_matches(expected: &str, printed: &str) -> bool {
    // `None` is the wildcard; a line without one is compared as a whole.
    let mut pattern: Vec<Option<char>> = Vec::new();
    for (i, part) in expected.split(ANY_TEXT).enumerate() {
        if i > 0 {
            pattern.push(None);
        }
        pattern.extend(part.chars().map(Some));
    }
    let printed: Vec<char> = printed.chars().collect();
    wildcard(&pattern, &printed, Option::is_none, |e, p| *e == Some(*p))
}

/// One step of an alignment.
enum Edit<'a> {
    /// Expected and printed agree.
    Same(&'a str),
    /// A line of wildcard, and the lines it took.
    Any(Vec<&'a str>),
    /// Expected and not printed.
    Missing(&'a str),
    /// Printed and not expected.
    New(&'a str),
}

/// An alignment with as few missing and new lines as can be.
fn align<'a>(expected: &'a [String], printed: &'a [String]) -> Vec<Edit<'a>> {
    let (rows, columns) = (expected.len(), printed.len());
    // cost[e][p]: for what is left from expected line e and printed line p.
    let mut cost = vec![vec![0usize; columns + 1]; rows + 1];
    for e in (0..=rows).rev() {
        for p in (0..=columns).rev() {
            let mut best = usize::MAX;
            if e < rows && expected[e] == ANY_LINES {
                best = cost[e + 1][p];
                if p < columns {
                    best = best.min(cost[e][p + 1]);
                }
            } else if e < rows {
                best = cost[e + 1][p] + 1;
                if p < columns && line_matches(&expected[e], &printed[p]) {
                    best = best.min(cost[e + 1][p + 1]);
                }
            }
            if p < columns {
                best = best.min(cost[e][p + 1] + 1);
            }
            cost[e][p] = if e == rows && p == columns { 0 } else { best };
        }
    }
    let mut edits = Vec::new();
    let (mut e, mut p) = (0, 0);
    while e < rows || p < columns {
        let here = cost[e][p];
        let any = e < rows && expected[e] == ANY_LINES;
        if any && cost[e + 1][p] == here {
            edits.push(Edit::Any(Vec::new()));
            e += 1;
        } else if any && p < columns && cost[e][p + 1] == here {
            let mut taken = Vec::new();
            while cost[e + 1][p] != here {
                taken.push(printed[p].as_str());
                p += 1;
            }
            edits.push(Edit::Any(taken));
            e += 1;
        } else if e < rows
            && p < columns
            && !any
            && line_matches(&expected[e], &printed[p])
            && cost[e + 1][p + 1] == here
        {
            edits.push(Edit::Same(&expected[e]));
            e += 1;
            p += 1;
        } else if e < rows && !any && cost[e + 1][p] + 1 == here {
            edits.push(Edit::Missing(&expected[e]));
            e += 1;
        } else {
            edits.push(Edit::New(&printed[p]));
            p += 1;
        }
    }
    edits
}

/// Both outputs side by side: `-` expected, `+` printed, two blanks where they agree.
pub(super) fn difference(expected: &[String], printed: &[String]) -> String {
    let mut text = String::new();
    for edit in align(expected, printed) {
        let (mark, line) = match edit {
            Edit::Same(line) => (' ', line),
            Edit::Any(_) => (' ', ANY_LINES),
            Edit::Missing(line) => ('-', line),
            Edit::New(line) => ('+', line),
        };
        text.push_str(&format!("{mark} {line}\n"));
    }
    text
}

/// What to expect from now on: the old lines where they match, the printed ones elsewhere.
pub(super) fn bless(expected: &[String], printed: &[String]) -> Vec<String> {
    if matches(expected, printed) {
        return expected.to_vec();
    }
    align(expected, printed)
        .into_iter()
        .filter_map(|edit| match edit {
            Edit::Same(line) => Some(line.to_owned()),
            // A wildcard that takes nothing any more says nothing any more.
            Edit::Any(taken) => (!taken.is_empty()).then(|| ANY_LINES.to_owned()),
            Edit::Missing(_) => None,
            Edit::New(line) => Some(mask(line)),
        })
        .collect()
}

/// Units after a number that differs from run to run.
const UNITS: &[&str] = &[
    "s",
    "ms",
    "us",
    "µs",
    "ns",
    "min",
    "KB",
    "MB",
    "GB",
    "KiB",
    "MiB",
    "GiB",
    "states/s",
    "steps/s",
    "M states/s",
    "M steps/s",
    "k states/s",
    "k steps/s",
];

/// What stands before such a number in JSON and JUnit.
const KEYS: &[&str] = &["\"seconds\":", "\"peak_mb\":", "time=\""];

/// What stands before such a number in a table; the blanks between depend on the number.
const LABELS: &[&str] = &["seconds", "peak MB", "bytes per state"];

/// The line with times and memory sizes replaced by `[..]`.
fn mask(line: &str) -> String {
    let mut out = String::new();
    let mut rest = line;
    while let Some(start) = rest.find(|c: char| c.is_ascii_digit()) {
        let (before, number) = rest.split_at(start);
        out.push_str(before);
        let end = number
            .find(|c: char| !c.is_ascii_digit() && c != '.')
            .unwrap_or(number.len());
        // A full stop that ends a sentence is no part of the number.
        let end = number[..end].trim_end_matches('.').len();
        let (number, after) = number.split_at(end);
        let in_word = out.ends_with(|c: char| c.is_alphanumeric() || c == '_' || c == '.');
        let keyed = KEYS.iter().any(|key| out.trim_end().ends_with(key));
        if LABELS.contains(&out.trim()) {
            out.truncate(out.trim_end().len());
            out.push_str(ANY_TEXT);
        } else if !in_word && (keyed || has_unit(after)) {
            out.push_str(ANY_TEXT);
        } else {
            out.push_str(number);
        }
        rest = after;
    }
    out + rest
}

fn has_unit(after: &str) -> bool {
    let after = after.strip_prefix(' ').unwrap_or(after);
    UNITS.iter().any(|unit| {
        after
            .strip_prefix(unit)
            .is_some_and(|rest| !rest.starts_with(|c: char| c.is_alphanumeric() || c == '_' || c == '/'))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(text: &str) -> Vec<String> {
        text.split('|').map(str::to_owned).collect()
    }

    fn matches(expected: &str, printed: &str) -> bool {
        super::matches(&lines(expected), &lines(printed))
    }

    #[test]
    fn exact_lines() {
        assert!(matches("a|b", "a|b"));
        assert!(!matches("a|b", "a"));
        assert!(!matches("a", "a|b"));
        assert!(!matches("a|b", "b|a"));
        assert!(!matches("a", "a "));
    }

    #[test]
    fn wildcards_within_a_line() {
        assert!(matches("[..] s, [..] MB", "0.1 s, 3 MB"));
        assert!(matches("x[..]", "x"));
        assert!(!matches("[..] s", "0.1 ms, 3"));
        assert!(!matches("[..]", "a|b"));
        assert!(matches("a[..]b[..]b", "abcbdb"));
        assert!(!matches("a[..]b[..]b", "ab"));
    }

    #[test]
    fn wildcards_for_lines() {
        assert!(matches("a|...|z", "a|z"));
        assert!(matches("a|...|z", "a|b|c|z"));
        assert!(!matches("a|...|z", "a|b|c"));
        assert!(matches("...", "a|b"));
        assert!(matches("...|m|...|z", "m|x|m|z"));
        assert!(!matches("...|m|...|z", "x|z"));
    }

    #[test]
    fn blessing_keeps_what_matches() {
        let bless = |expected, printed| super::bless(&lines(expected), &lines(printed)).join("|");
        assert_eq!(bless("took [..] s|a", "took 3 s|a"), "took [..] s|a");
        assert_eq!(bless("took [..] s|a", "took 3 s|b"), "took [..] s|b");
        assert_eq!(bless("a|...|z", "a|b|z|y"), "a|...|z|y");
        assert_eq!(bless("a|b", "took 0.25 s"), "took [..] s");
        assert_eq!(bless("old", "new|[exit 1]"), "new|[exit 1]");
    }

    #[test]
    fn the_difference_names_both_sides() {
        let text = difference(&lines("same|old"), &lines("same|new"));
        assert_eq!(text, "  same\n- old\n+ new\n");
    }

    #[test]
    fn masks_times_and_memory_only() {
        for (line, masked) in [
            (
                "holds  1,234 states, 0.12 s, 34.5 MB",
                "holds  1,234 states, [..] s, [..] MB",
            ),
            ("explored in 12ms", "explored in [..]ms"),
            ("2.35M states/s", "[..]M states/s"),
            ("2.35 M states/s", "[..] M states/s"),
            (
                "  \"seconds\": 0.5, \"peak_mb\": 12.0,",
                "  \"seconds\": [..], \"peak_mb\": [..],",
            ),
            ("get.0.1 5 states s3 s", "get.0.1 5 states s3 s"),
            ("took 3 s.", "took [..] s."),
            ("  peak MB               12.5", "  peak MB[..]"),
            ("  bytes per state      105.4", "  bytes per state[..]"),
            ("  states                12", "  states                12"),
        ] {
            assert_eq!(mask(line), masked);
        }
    }
}
