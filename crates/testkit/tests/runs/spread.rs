//! What a suite has seen: it must not pass because its models are tame.

use fairhold::{CheckResult, Run};
use fairhold_testkit::describe;
use std::collections::BTreeMap;

#[derive(Default)]
pub(crate) struct Spread {
    pub(crate) models: usize,
    pub(crate) invalid: usize,
    pub(crate) results: usize,
    pub(crate) infeasible: usize,
    pub(crate) runs: usize,
    /// Runs through some process whose text is cut.
    pub(crate) long_texts: usize,
    lassos: usize,
    trees: usize,
    lengths: Vec<usize>,
    verdicts: BTreeMap<(String, &'static str), usize>,
    /// By kind of corruption, how many were accepted, and how many there were.
    corrupted: BTreeMap<&'static str, (usize, usize)>,
}

impl Spread {
    pub(crate) fn verdict(&mut self, result: &CheckResult) {
        self.results += 1;
        self.infeasible += usize::from(result.feasible == Some(false));
        let fairness = result.fairness.clone().unwrap_or_else(|| "-".to_owned());
        let fairness = if fairness.contains("F ") || fairness.contains("G ") {
            "a formula".to_owned()
        } else {
            fairness
        };
        *self
            .verdicts
            .entry((fairness, result.verdict.word()))
            .or_default() += 1;
    }

    pub(crate) fn run(&mut self, run: &Run) {
        self.runs += 1;
        self.lassos += usize::from(!run.loop_.is_empty());
        self.trees += usize::from(!run.branches.is_empty());
        self.lengths.push(run.len());
        let cut = |value: &fairhold_system::Value| match value {
            fairhold_system::Value::Text(text) => text.ends_with("..."),
            _ => false,
        };
        self.long_texts += usize::from(run.last_state().iter().any(|(_, value)| cut(value)));
    }

    pub(crate) fn corrupted(&mut self, what: &'static str, accepted: bool) {
        let (yes, all) = self.corrupted.entry(what).or_default();
        *yes += usize::from(accepted);
        *all += 1;
    }

    /// Whether each of these verdicts is one of twenty, or of a hundred for errors, and there are lassos, trees and rejected runs.
    pub(crate) fn is_varied(&self, verdicts: &[&str]) -> bool {
        let count = |word: &&str| {
            let own = self.verdicts.iter().filter(|((_, w), _)| w == word);
            own.map(|(_, count)| count).sum::<usize>()
        };
        let enough = |word: &&str| count(word) * if *word == "error" { 200 } else { 20 } >= self.results;
        let rejected: usize = self.corrupted.values().map(|(yes, all)| all - yes).sum();
        let accepted: usize = self.corrupted.values().map(|(yes, _)| yes).sum();
        let (part, whole) = (self.lassos, self.runs);
        let few = self.models < 20;
        few || verdicts.iter().all(enough)
            && part * 10 >= whole
            && self.trees > 0
            && rejected > accepted
            && accepted > 0
            && self.invalid * 2 < self.models
    }

    pub(crate) fn print(&self) {
        println!(
            "{} models ({} invalid), {} results, {} without a fair path, {} runs: {} lassos, {} trees, {} with a text that is cut",
            self.models,
            self.invalid,
            self.results,
            self.infeasible,
            self.runs,
            self.lassos,
            self.trees,
            self.long_texts
        );
        if !self.lengths.is_empty() {
            describe("steps by quarters", &mut self.lengths.clone());
        }
        for ((fairness, verdict), count) in &self.verdicts {
            println!("{count:6}  {verdict} under {fairness}");
        }
        for (what, (accepted, all)) in &self.corrupted {
            println!("{all:6}  {what}: {accepted} true all the same");
        }
    }
}
