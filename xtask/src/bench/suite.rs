//! What is measured: `bench/suite.toml`.

use anyhow::{Context, Result, ensure};
use serde::Deserialize;

/// All entries, in the order of the file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Suite {
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
    /// Whom to compare with.
    pub(super) peer: Option<Peer>,
    /// How many times as fast as the peer it has to be.
    pub(super) times: Option<f64>,
    /// How many steps a second it has to take.
    pub(super) rate: Option<u64>,
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

/// Whom an entry is compared with.
#[derive(Clone, Deserialize)]
#[serde(untagged)]
pub(super) enum Peer {
    /// SPIN on a Promela model of the same system.
    Spin(Twin),
    /// Another entry.
    Entry {
        /// Its name.
        entry: String,
    },
}

/// A Promela model, and how SPIN is built and run on it.
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
}

impl Suite {
    /// Reads the text of the file.
    pub(super) fn parse(text: &str) -> Result<Suite> {
        let suite: Suite = toml::from_str(text).context("bench/suite.toml")?;
        for (i, entry) in suite.entry.iter().enumerate() {
            let name = &entry.name;
            let again = suite.entry[..i].iter().any(|other| other.name == *name);
            ensure!(!again, "bench/suite.toml: two entries are named `{name}`");
            if let Some(Peer::Entry { entry: peer }) = &entry.peer {
                ensure!(
                    suite.find(peer).is_some(),
                    "bench/suite.toml: `{name}` is compared with `{peer}`, which is not there"
                );
            }
            ensure!(
                entry.times.is_none() || entry.peer.is_some(),
                "bench/suite.toml: `{name}` has to be faster than a peer and names none"
            );
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
            if let Some(Peer::Spin(twin)) = &entry.peer {
                assert!(root().join(&twin.twin).exists(), "{}", twin.twin);
            }
        }
    }

    const ENTRY: &str = "[[entry]]\nname = \"a\"\ncommand = \"explore\"\nmodel = \"x\"\narguments = []\n";

    #[test]
    fn two_entries_of_one_name_are_refused() {
        assert!(Suite::parse(ENTRY).is_ok());
        assert!(Suite::parse(&format!("{ENTRY}{ENTRY}")).is_err());
    }

    #[test]
    fn a_peer_must_be_there() {
        assert!(Suite::parse(&format!("{ENTRY}peer = {{ entry = \"a\" }}\ntimes = 0.5\n")).is_ok());
        assert!(Suite::parse(&format!("{ENTRY}peer = {{ entry = \"b\" }}\n")).is_err());
        assert!(Suite::parse(&format!("{ENTRY}times = 2.0\n")).is_err());
    }
}
