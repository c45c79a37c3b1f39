//! The models of `examples/`, carried inside the library, so that a user who has only the binary has them too.
//!
//! One row a file. A test holds the table against the folder, both ways, so a model that is added there must be added
//! here.

use crate::load::Language;

/// A model that ships with Fairhold.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Example {
    /// Its name: that of the file in `examples/`, without the ending.
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

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    #[test]
    fn the_table_and_the_folder_agree() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
        let mut files: Vec<String> = std::fs::read_dir(&folder)
            .expect("examples/ exists")
            .map(|entry| entry.expect("examples/ can be listed").file_name())
            .map(|name| name.to_string_lossy().into_owned())
            .collect();
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
    }
}
