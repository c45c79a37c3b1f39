//! What is measured: `bench/suite.toml`.

use anyhow::{Context, Result, ensure};
use serde::Deserialize;

/// All entries, in the order of the file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Suite {
    /// How many bytes per state, beyond the packed state, any exploration may hold.
    overhead: f64,
    entry: Vec<Entry>,
}

/// One measurement.
#[derive(Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Entry {
    /// The name of its file of results.
    pub(super) name: String,
    /// What `fairhold` does with the model.
    pub(super) command: Task,
    /// The model, from the root of the repository.
    pub(super) model: String,
    /// Further arguments of the command.
    pub(super) arguments: Vec<String>,
    /// Measured only when named, or with `--all`.
    #[serde(default)]
    pub(super) long: bool,
    /// How many steps a second it has to take.
    pub(super) rate: Option<u64>,
    /// How many bytes per state it may hold, all told.
    pub(super) bytes: Option<f64>,
    /// How many bytes per state it may hold beyond the packed state; that of the suite if there is none.
    pub(super) overhead: Option<f64>,
    /// How many seconds it may take.
    pub(super) seconds: Option<f64>,
    /// How many megabytes it may hold at once.
    pub(super) megabytes: Option<f64>,
    /// The entry that explores the same graph.
    pub(super) explore: Option<Base>,
    /// SPIN on a Promela model of the same system.
    pub(super) spin: Option<Twin>,
}

/// A command of `fairhold` that can be measured.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Task {
    /// The whole reachable graph.
    Explore,
    /// One property, which holds: a search that stops at a counterexample measures luck.
    Check,
}

/// Another entry as a peer.
#[derive(Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Base {
    /// Its name.
    pub(super) entry: String,
    /// How many times as fast as that one an entry has to be; less than 1 allows it to be slower.
    pub(super) times: Option<f64>,
}

/// SPIN as a peer: a Promela model, and how SPIN is built and run on it.
#[derive(Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Twin {
    /// The model, from the root of the repository.
    pub(super) twin: String,
    /// Constants of the model: `N=4`.
    pub(super) defines: Vec<String>,
    /// Options of the compiler, beside `-O3`.
    pub(super) compiler: Vec<String>,
    /// Options of the verifier.
    pub(super) options: Vec<String>,
    /// How many times as fast as SPIN an entry has to be.
    pub(super) times: Option<f64>,
}

impl Twin {
    /// Whether a claim is checked: then SPIN counts states of the product, and states again for its fairness.
    pub(super) fn has_claim(&self) -> bool {
        self.options.iter().any(|option| option == "-N")
    }
}

impl Suite {
    /// Reads the text of the file.
    pub(super) fn parse(text: &str) -> Result<Suite> {
        let mut suite: Suite = toml::from_str(text).context("bench/suite.toml")?;
        for entry in &mut suite.entry {
            if entry.command == Task::Explore {
                entry.overhead.get_or_insert(suite.overhead);
            }
        }
        for (i, entry) in suite.entry.iter().enumerate() {
            let name = &entry.name;
            let again = suite.entry[..i].iter().any(|other| other.name == *name);
            ensure!(!again, "bench/suite.toml: two entries are named `{name}`");
            ensure!(
                entry.command == Task::Explore || entry.bytes.or(entry.overhead).is_none(),
                "bench/suite.toml: `{name}` bounds bytes per state, which only `explore` reports"
            );
            if let Some(Base { entry: peer, .. }) = &entry.explore {
                let explored = suite.find(peer).is_some_and(|peer| {
                    peer.command == Task::Explore && peer.model == entry.model && peer.name != *name
                });
                ensure!(
                    explored,
                    "bench/suite.toml: `{name}` is compared with `{peer}`, which does not explore its model"
                );
            }
        }
        Ok(suite)
    }

    /// The entries.
    pub(super) fn entries(&self) -> impl Iterator<Item = &Entry> {
        self.entry.iter()
    }

    /// The entry of this name.
    pub(super) fn find(&self, name: &str) -> Option<&Entry> {
        self.entries().find(|entry| entry.name == name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::command::root;

    #[test]
    fn the_shipped_suite_can_be_read() {
        let suite = Suite::parse(include_str!("../../../bench/suite.toml")).unwrap();
        for entry in suite.entries() {
            assert!(root().join(&entry.model).exists(), "{}", entry.model);
            if let Some(twin) = &entry.spin {
                assert!(root().join(&twin.twin).exists(), "{}", twin.twin);
            }
            // Every check is held to the pace of an exploration or of SPIN; what is long for its size alone need not be.
            let peer = entry.explore.is_some() || entry.spin.is_some();
            assert!(
                entry.command == Task::Explore || peer || entry.long,
                "{}",
                entry.name
            );
        }
    }

    /// A suite of one entry `a` for each text, with further lines.
    fn suite(entries: &[&str]) -> Result<Suite> {
        let entry = |lines| format!("[[entry]]\nmodel = \"x\"\narguments = []\n{lines}\n");
        let entries: Vec<String> = entries.iter().map(entry).collect();
        Suite::parse(&format!("overhead = 16.0\n{}", entries.concat()))
    }

    const GRAPH: &str = "name = \"a\"\ncommand = \"explore\"";

    #[test]
    fn two_entries_of_one_name_are_refused() {
        assert!(suite(&[GRAPH]).is_ok());
        assert!(suite(&[GRAPH, GRAPH]).is_err());
    }

    #[test]
    fn a_peer_must_explore_the_same_model() {
        let check = |peer| {
            format!("name = \"b\"\ncommand = \"check\"\nexplore = {{ entry = \"{peer}\", times = 0.5 }}")
        };
        assert!(suite(&[GRAPH, &check("a")]).is_ok());
        assert!(suite(&[GRAPH, &check("b")]).is_err());
        assert!(suite(&[GRAPH, &check("c")]).is_err());
    }

    #[test]
    fn bytes_are_bounded_where_they_are_reported() {
        let read = suite(&[GRAPH, "name = \"b\"\ncommand = \"check\""]).unwrap();
        let bounds: Vec<Option<f64>> = read.entries().map(|entry| entry.overhead).collect();
        assert_eq!(bounds, [Some(16.0), None]);
        assert!(suite(&["name = \"b\"\ncommand = \"check\"\nbytes = 12.0"]).is_err());
    }
}
