//! `--save-trace DIR`: every counterexample and witness in a file of its own.

use crate::sizes::size;
use fairhold::{CheckResult, Diagnostic, Model, NOTIONS, Severity, Sweep, saved_trace};
use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};

/// Where runs are saved, and the names that are taken.
pub(crate) struct Saver<'a> {
    directory: &'a Path,
    /// Whether runs of several models are saved: then the model's name comes first.
    several: bool,
    /// Whether runs of one model at several sizes are saved: then the size comes first.
    sweep: Option<&'a Sweep>,
    taken: HashSet<PathBuf>,
}

impl<'a> Saver<'a> {
    pub(crate) fn new(directory: &'a Path, several: bool, sweep: Option<&'a Sweep>) -> Saver<'a> {
        Saver {
            directory,
            several,
            sweep,
            taken: HashSet::new(),
        }
    }

    /// Writes the run of a result, if it has one. A file that cannot be written is a warning: the verdict stands.
    pub(crate) fn save(&mut self, model: &Model, result: &CheckResult) -> Option<Diagnostic> {
        result.run()?;
        let path = self.path(model, result);
        let text = saved_trace(result, &model.sha256).to_string() + "\n";
        let written = fs::create_dir_all(self.directory).and_then(|()| fs::write(&path, text));
        let error = written.err()?;
        let message = format!("cannot write {}: {error}", path.display());
        Some(Diagnostic {
            severity: Severity::Warning,
            ..Diagnostic::bare("cannot-write", message)
        })
    }

    /// `DIR/<index>-<notion>.json`. The notion is `none` where fairness does not apply and `formula` for a written one; a
    /// name that is taken (two formulas, two models of one name) gets a number. In a sweep the size comes first: `N4-0-ewf.json`.
    fn path(&mut self, model: &Model, result: &CheckResult) -> PathBuf {
        let notion = match &result.fairness {
            None => "none",
            Some(word) if NOTIONS.contains(&word.as_str()) => word,
            Some(_) => "formula",
        };
        let stem = Path::new(&model.file).file_stem().map(|s| s.to_string_lossy());
        let stem = stem
            .filter(|_| self.several)
            .map_or(String::new(), |s| format!("{s}-"));
        let size = self
            .sweep
            .and_then(|sweep| Some((&sweep.name, size(sweep, result)?)));
        let size = size.map_or(String::new(), |(name, size)| format!("{name}{size}-"));
        let name = format!("{stem}{size}{}-{notion}", result.index);
        let mut path = self.directory.join(format!("{name}.json"));
        let mut number = 2;
        while !self.taken.insert(path.clone()) {
            path = self.directory.join(format!("{name}-{number}.json"));
            number += 1;
        }
        path
    }
}
