//! The models of `examples/`, carried inside the library, so that a user who has only the binary has them too.
//!
//! One row a file. A test holds the table against the folder, both ways, so a model that is added there must be added
//! here.

use crate::load::Language;

/// A model that ships with Fairhold.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Example {
    /// Its name: that of the file in `examples/`, without the ending; a protocol's starts with `protocols/`.
    pub name: &'static str,
    /// The language it is written in.
    pub language: Language,
    /// Its text.
    pub text: &'static str,
}

impl Example {
    /// The name of its file.
    pub fn file(&self) -> String {
        format!("{}.{}", self.name, self.language.extension())
    }

    /// What it is, in one line: the first line of the comment it opens with.
    pub fn about(&self) -> &'static str {
        let first = self.text.lines().next().unwrap_or_default();
        first.trim_start_matches('/').trim()
    }
}

/// All models, by name.
pub const EXAMPLES: &[Example] = &[
    shipped(
        "alternating_bit",
        include_str!("../../../examples/alternating_bit.csp"),
    ),
    shipped("bakery", include_str!("../../../examples/bakery.csp")),
    shipped(
        "bounded_buffer",
        include_str!("../../../examples/bounded_buffer.csp"),
    ),
    shipped("bridge", include_str!("../../../examples/bridge.csp")),
    shipped("cash_machine", include_str!("../../../examples/cash_machine.csp")),
    shipped(
        "dining_philosophers",
        include_str!("../../../examples/dining_philosophers.csp"),
    ),
    shipped(
        "dining_philosophers_dlfree",
        include_str!("../../../examples/dining_philosophers_dlfree.csp"),
    ),
    shipped(
        "dining_philosophers_live",
        include_str!("../../../examples/dining_philosophers_live.csp"),
    ),
    shipped(
        "leader_complete",
        include_str!("../../../examples/leader_complete.csp"),
    ),
    shipped("leader_ring", include_str!("../../../examples/leader_ring.csp")),
    shipped("leader_tree", include_str!("../../../examples/leader_tree.csp")),
    shipped("lift", include_str!("../../../examples/lift.csp")),
    shipped("milner", include_str!("../../../examples/milner.csp")),
    structure("mutex", include_str!("../../../examples/mutex.kts")),
    structure(
        "mutex_enabled",
        include_str!("../../../examples/mutex_enabled.kts"),
    ),
    shipped(
        "needham_schroeder",
        include_str!("../../../examples/needham_schroeder.csp"),
    ),
    shipped(
        "needham_schroeder_lowe",
        include_str!("../../../examples/needham_schroeder_lowe.csp"),
    ),
    shipped("peterson", include_str!("../../../examples/peterson.csp")),
    shipped(
        "peterson_shared",
        include_str!("../../../examples/peterson_shared.csp"),
    ),
    shipped(
        "producer_consumer",
        include_str!("../../../examples/producer_consumer.csp"),
    ),
    protocol(
        "protocols/consensus_crash",
        include_str!("../../../examples/protocols/consensus_crash.pp"),
    ),
    protocol(
        "protocols/flock_of_birds",
        include_str!("../../../examples/protocols/flock_of_birds.pp"),
    ),
    protocol(
        "protocols/leader_complete",
        include_str!("../../../examples/protocols/leader_complete.pp"),
    ),
    protocol(
        "protocols/leader_odd_ring",
        include_str!("../../../examples/protocols/leader_odd_ring.pp"),
    ),
    protocol(
        "protocols/leader_ring",
        include_str!("../../../examples/protocols/leader_ring.pp"),
    ),
    protocol(
        "protocols/leader_tree",
        include_str!("../../../examples/protocols/leader_tree.pp"),
    ),
    protocol(
        "protocols/majority3",
        include_str!("../../../examples/protocols/majority3.pp"),
    ),
    protocol(
        "protocols/majority4",
        include_str!("../../../examples/protocols/majority4.pp"),
    ),
    protocol(
        "protocols/parity",
        include_str!("../../../examples/protocols/parity.pp"),
    ),
    protocol(
        "protocols/ring_orientation",
        include_str!("../../../examples/protocols/ring_orientation.pp"),
    ),
    protocol(
        "protocols/token_ring",
        include_str!("../../../examples/protocols/token_ring.pp"),
    ),
    protocol(
        "protocols/token_ring_safe",
        include_str!("../../../examples/protocols/token_ring_safe.pp"),
    ),
    protocol(
        "protocols/token_ring_scheduled",
        include_str!("../../../examples/protocols/token_ring_scheduled.pp"),
    ),
    protocol(
        "protocols/two_hop_colouring",
        include_str!("../../../examples/protocols/two_hop_colouring.pp"),
    ),
    structure(
        "random_number",
        include_str!("../../../examples/random_number.kts"),
    ),
    shipped(
        "readers_writers",
        include_str!("../../../examples/readers_writers.csp"),
    ),
    shipped(
        "sliding_puzzle",
        include_str!("../../../examples/sliding_puzzle.csp"),
    ),
    shipped("token_ring", include_str!("../../../examples/token_ring.csp")),
    shipped(
        "two_phase_commit",
        include_str!("../../../examples/two_phase_commit.csp"),
    ),
];

/// The model of this name, with or without the ending of its file.
pub fn example(name: &str) -> Option<&'static Example> {
    EXAMPLES.iter().find(|e| e.name == name || e.file() == name)
}

const fn shipped(name: &'static str, text: &'static str) -> Example {
    Example {
        name,
        language: Language::Csp,
        text,
    }
}

const fn structure(name: &'static str, text: &'static str) -> Example {
    Example {
        name,
        language: Language::Kts,
        text,
    }
}

const fn protocol(name: &'static str, text: &'static str) -> Example {
    Example {
        name,
        language: Language::Pp,
        text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    #[test]
    fn the_table_and_the_folder_agree() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
        let listed = |within: &str| -> Vec<String> {
            let entries = std::fs::read_dir(folder.join(within)).expect("the folder exists");
            let entries = entries.map(|entry| entry.expect("it can be listed"));
            let files = entries.filter(|entry| entry.path().is_file());
            files
                .map(|file| format!("{within}{}", file.file_name().to_string_lossy()))
                .collect()
        };
        let mut files = [listed(""), listed("protocols/")].concat();
        files.sort();
        let table: Vec<String> = EXAMPLES.iter().map(Example::file).collect();
        assert_eq!(table, files);
        for example in EXAMPLES {
            let file = folder.join(example.file());
            assert_eq!(
                std::fs::read_to_string(file).expect("it was listed"),
                example.text
            );
        }
    }

    #[test]
    fn every_model_says_what_it_is() {
        for example in EXAMPLES {
            let about = example.about();
            assert!(
                !about.is_empty() && about.len() <= 90,
                "{}: `{about}`",
                example.name
            );
        }
    }

    #[test]
    fn names_are_found_with_and_without_ending() {
        assert_eq!(example("milner"), example("milner.csp"));
        assert_eq!(example("mutex"), example("mutex.kts"));
        assert_eq!(example("mutex.csp"), None);
        assert!(example("milner").is_some() && example("mil").is_none());
        assert_eq!(example("protocols/parity"), example("protocols/parity.pp"));
    }
}
