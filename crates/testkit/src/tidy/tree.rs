//! The files of the repository, with their texts.

use std::io;
use std::path::Path;

/// Folders that hold nothing written by hand.
const SKIPPED: &[&str] = &[
    "target",
    ".git",
    "node_modules",
    "results",
    "corpus",
    "proptest-regressions",
];

/// Kinds of files that are read: text written by hand. A lock file is written by a tool.
const KINDS: &[&str] = &["rs", "md", "toml", "csp", "bib", "sh", "yml", "yaml"];

/// Texts by path from the root, sorted.
#[derive(Clone, Debug, Default)]
pub struct Tree {
    files: Vec<(String, String)>,
}

impl Tree {
    /// Reads the repository under `root`.
    pub fn read(root: &Path) -> io::Result<Tree> {
        let mut tree = Tree::default();
        tree.folder(root, "")?;
        tree.files.sort();
        Ok(tree)
    }

    fn folder(&mut self, root: &Path, under: &str) -> io::Result<()> {
        for entry in std::fs::read_dir(root.join(under))? {
            let entry = entry?;
            let name = entry.file_name().to_string_lossy().into_owned();
            let path = if under.is_empty() {
                name.clone()
            } else {
                format!("{under}/{name}")
            };
            if entry.file_type()?.is_dir() {
                if !SKIPPED.contains(&name.as_str()) && !name.starts_with("target-") {
                    self.folder(root, &path)?;
                }
            } else if KINDS.iter().any(|kind| name.ends_with(&format!(".{kind}"))) || path == ".ci/run" {
                self.files.push((path, std::fs::read_to_string(entry.path())?));
            }
        }
        Ok(())
    }

    /// All files.
    pub fn files(&self) -> impl Iterator<Item = (&str, &str)> {
        self.files
            .iter()
            .map(|(path, text)| (path.as_str(), text.as_str()))
    }

    /// The Rust sources.
    pub fn rust(&self) -> impl Iterator<Item = (&str, &str)> {
        self.files().filter(|(path, _)| path.ends_with(".rs"))
    }

    /// The text of one file.
    pub fn text(&self, path: &str) -> Option<&str> {
        self.files().find(|&(p, _)| p == path).map(|(_, text)| text)
    }
}
