//! Every production of the grammar has an example that is accepted and one that is not.
//!
//! The table at the end of `spec/README.md` names them. Here the table is held against the documents: each link leads to
//! one heading, the commands there exit as they should, and no production is forgotten. The exit statuses are those the
//! documents show; that the program agrees with them is what the test of `spec/` itself finds out.

use fairhold_testkit::spec::{self, Example};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The productions of the grammar, in its order. A row of the table may narrow one down after a comma.
const PRODUCTIONS: &[&str] = &[
    "spec",
    "import",
    "include",
    "channel",
    "enum",
    "define",
    "dstatement",
    "vardecl",
    "range",
    "record",
    "element",
    "alphabet",
    "evlist",
    "definition",
    "param",
    "interleave",
    "parallel",
    "choice",
    "internal",
    "external",
    "interrupt",
    "hiding",
    "sequence",
    "guard",
    "prefixed",
    "caseproc",
    "ifproc",
    "atomicproc",
    "atom",
    "eventM",
    "eventname",
    "paradef",
    "expression",
    "boolor",
    "booland",
    "boolxor",
    "bit",
    "eq",
    "rel",
    "additive",
    "mul",
    "unary",
    "primary",
    "arrayref",
    "arg",
    "block",
    "stmt",
    "assertion",
    "ltl",
    "ctl",
    "directive",
    "annotation",
];

/// A row of the table: a production, and where its examples are.
struct Row {
    production: String,
    accepted: Option<String>,
    broken: String,
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../spec")
}

/// The rows below the heading `Productions`; a row of one bold cell only divides the table.
fn rows() -> Vec<Row> {
    let text = std::fs::read_to_string(folder().join("README.md")).expect("spec/README.md can be read");
    let (_, table) = text
        .split_once("\n## Productions\n")
        .expect("spec/README.md has the heading `Productions`");
    let rows: Vec<Row> = table
        .lines()
        .filter(|line| line.starts_with('|'))
        .skip(2)
        .filter_map(row)
        .collect();
    assert!(rows.len() > 50, "the table of productions was not found");
    rows
}

fn row(line: &str) -> Option<Row> {
    let cells: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
    let &[production, accepted, broken] = cells.as_slice() else {
        panic!("not three cells: {line}");
    };
    if production.starts_with("**") {
        return None;
    }
    Some(Row {
        production: production.to_owned(),
        accepted: target(accepted),
        broken: target(broken).unwrap_or_else(|| panic!("no link to a broken example: {line}")),
    })
}

/// Where a cell's link leads.
fn target(cell: &str) -> Option<String> {
    let (_, rest) = cell.split_once("](")?;
    Some(rest.strip_suffix(')')?.to_owned())
}

/// The anchor of a heading, as code hosts make it.
fn anchor(heading: &str) -> String {
    let kept = |c: &char| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_');
    heading
        .to_lowercase()
        .chars()
        .filter(kept)
        .collect::<String>()
        .replace(' ', "-")
}

/// The exit statuses under each `document.md#heading`; a heading that stands twice has several entries.
fn examples<'a>(targets: impl Iterator<Item = &'a str>) -> BTreeMap<String, Vec<Example>> {
    let mut found: BTreeMap<String, Vec<Example>> = BTreeMap::new();
    let mut documents: Vec<&str> = targets.filter_map(|t| Some(t.split_once('#')?.0)).collect();
    documents.sort_unstable();
    documents.dedup();
    for document in documents {
        for example in spec::examples(&folder().join(document)).expect("the document can be read") {
            let key = format!("{document}#{}", anchor(&example.heading));
            found.entry(key).or_default().push(example);
        }
    }
    found
}

#[test]
fn the_examples_of_each_production_are_there_and_exit_as_they_should() {
    let rows = rows();
    let targets = rows
        .iter()
        .flat_map(|row| [row.accepted.as_deref(), Some(&row.broken)]);
    let examples = examples(targets.flatten());
    let mut complaints = Vec::new();
    for row in &rows {
        let wanted: [(Option<&String>, &[i32]); 2] =
            [(row.accepted.as_ref(), &[0, 1, 3]), (Some(&row.broken), &[2])];
        for (target, allowed) in wanted
            .into_iter()
            .filter_map(|(target, allowed)| Some((target?, allowed)))
        {
            match examples.get(target).map(Vec::as_slice) {
                None => complaints.push(format!("{}: there is no example {target}", row.production)),
                Some([example]) => {
                    if !example.statuses.iter().all(|status| allowed.contains(status)) {
                        complaints.push(format!(
                            "{}: {target} exits with {:?}",
                            row.production, example.statuses
                        ));
                    }
                }
                Some(_) => complaints.push(format!("{}: {target} is not one heading", row.production)),
            }
        }
    }
    assert!(complaints.is_empty(), "\n{}\n", complaints.join("\n"));
}

#[test]
fn no_production_is_forgotten() {
    let rows = rows();
    let named = |row: &Row, production: &str| row.production.split(", ").any(|name| name == production);
    for production in PRODUCTIONS {
        let mut own = rows.iter().filter(|row| named(row, production)).peekable();
        assert!(own.peek().is_some(), "`{production}` is not in the table");
        assert!(
            own.any(|row| row.accepted.is_some()),
            "no accepted example of `{production}`"
        );
    }
    for row in &rows {
        let first = row.production.split(", ").next().unwrap_or_default();
        assert!(PRODUCTIONS.contains(&first), "`{first}` is no production");
    }
}

#[test]
fn anchors_are_those_of_code_hosts() {
    assert_eq!(anchor("And, or"), "and-or");
    assert_eq!(anchor("An `ifb` with `else`"), "an-ifb-with-else");
}
