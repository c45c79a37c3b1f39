//! The reachable graph of a process, in numbers.

use crate::check::{Bounds, verdict_of};
use crate::confirm::{Claim, confirm};
use crate::front::{FrontEnd, with_front};
use crate::hidden::{Hidden, mixed};
use crate::load::Model;
use crate::memory;
use crate::reason;
use crate::report::ExploreResult;
use crate::watch::Watch;
use fairhold_search::ExploreOptions;
use fairhold_source::Diagnostic;
use fairhold_system::{Keep, Observer, System, Verdict};
use fairhold_trace::{Replay, Run};
use std::time::Instant;

impl Model {
    /// Explores all states of the process asked for when the model was loaded, else of the process of the first
    /// assertion, else of the only process without parameters. `sccs`: also counts strongly connected components. `hidden`: how hidden variables are read.
    pub fn explore(
        &self,
        sccs: bool,
        hidden: Hidden,
        bounds: &Bounds,
        observer: &dyn Observer,
    ) -> Result<ExploreResult, Diagnostic> {
        with_front!(&self.kind, front => self.explore_with(front, sccs, hidden, bounds, observer))
    }

    fn explore_with<F: FrontEnd>(
        &self,
        front: &F,
        sccs: bool,
        hidden: Hidden,
        bounds: &Bounds,
        observer: &dyn Observer,
    ) -> Result<ExploreResult, Diagnostic> {
        let start = Instant::now();
        let subject = front.explored()?;
        let mut result = self.unexplored(front.name(&subject), front.defines());
        let limits = bounds.limits();
        let watch = Watch::new(observer, bounds.timeout, limits.bytes);
        match front.system(&subject, hidden.keep(Keep::Visible)) {
            Err(fault) => {
                result.verdict = verdict_of(&fault);
                result.reason = Some(reason::fault(&self.map, &fault));
            }
            Ok(system) => {
                let options = ExploreOptions {
                    sccs,
                    ..ExploreOptions::default()
                };
                let seen = fairhold_search::explore(&system, &options, &limits, &watch);
                let numbers = &seen.statistics;
                result.states = numbers.states;
                result.threads = numbers.workers.max(1);
                result.steps = numbers.steps;
                result.depth = numbers.depth;
                result.deadlocks = numbers.deadlocks;
                result.terminated = numbers.terminated;
                result.sccs = numbers.sccs;
                result.state_bytes = numbers.state_bytes as usize;
                if numbers.states > 0 {
                    result.bytes_per_state = numbers.stored_bytes as f64 / numbers.states as f64;
                }
                if let Some(why) = seen.stop {
                    let text = reason::stopped(why, bounds, numbers.states, &system, &seen.samples);
                    result.verdict = Verdict::Unknown;
                    result.reason = Some(text);
                }
                if let Some(fault) = &seen.fault {
                    result.verdict = verdict_of(fault);
                    result.reason = Some(reason::fault(&self.map, fault));
                }
                let disagreements = front.hidden_disagreements(&system);
                result.notes = hidden.notes(&disagreements);
                let run = seen.path.map(|path| Run::new(&system, &system.lift(path)));
                if let Some(run) = run {
                    let judge = front.judge(&subject).map_err(|f| f.message);
                    let confirmed = judge.and_then(|j| {
                        let replay = Replay {
                            judge: &j,
                            guide: &|words| front.judged_state(&system, words),
                        };
                        let confirmed = confirm(&replay, &run, Claim::Fault);
                        confirmed.map_err(|invalid| invalid.to_string())
                    });
                    match confirmed {
                        Ok(_) => result.counterexample = Some(run),
                        Err(_) if hidden == Hidden::Merge && !disagreements.is_empty() => {
                            result.verdict = Verdict::Unknown;
                            result.reason = Some(mixed(&disagreements));
                        }
                        Err(why) => {
                            let bug = format!(
                                "internal: the exploration meets a fault, and the reference semantics rejects its run: {why}"
                            );
                            result.verdict = Verdict::Unknown;
                            result.reason = Some(bug.clone());
                            result.bug = Some(bug);
                        }
                    }
                }
            }
        }
        result.seconds = (self.loading + start.elapsed()).as_secs_f64();
        result.peak_mb = memory::peak_mb();
        Ok(result)
    }

    fn unexplored(&self, process: String, defines: Vec<(String, i32)>) -> ExploreResult {
        ExploreResult {
            file: self.file.clone(),
            process,
            defines,
            verdict: Verdict::Holds,
            reason: None,
            states: 0,
            steps: 0,
            depth: 0,
            deadlocks: 0,
            terminated: 0,
            sccs: None,
            bytes_per_state: 0.0,
            state_bytes: 0,
            seconds: 0.0,
            peak_mb: 0.0,
            threads: 1,
            counterexample: None,
            bug: None,
            notes: Vec::new(),
        }
    }
}
