//! The reachable graph of a process, in numbers.

use crate::check::{Bounds, verdict_of};
use crate::confirm::{Claim, confirm};
use crate::load::Model;
use crate::memory;
use crate::reason;
use crate::report::ExploreResult;
use crate::watch::Watch;
use fairhold_csp::model::{DefId, Value};
use fairhold_search::ExploreOptions;
use fairhold_source::Diagnostic;
use fairhold_system::{Observer, Verdict};
use fairhold_trace::Run;
use std::time::Instant;

impl Model {
    /// Explores all states of the process asked for when the model was loaded, else of the process of the first
    /// assertion, else of the only process without parameters. `sccs`: also counts strongly connected components.
    pub fn explore(
        &self,
        sccs: bool,
        bounds: &Bounds,
        observer: &dyn Observer,
    ) -> Result<ExploreResult, Diagnostic> {
        let start = Instant::now();
        let (process, args) = self.explored()?;
        let mut result = self.unexplored(process, &args);
        let limits = bounds.limits();
        let watch = Watch::new(observer, bounds.timeout, limits.bytes);
        match self.system(process, &args) {
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
                result.steps = numbers.steps;
                result.depth = numbers.depth;
                result.deadlocks = numbers.deadlocks;
                result.terminated = numbers.terminated;
                result.sccs = numbers.sccs;
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
                let run = seen.path.as_ref().map(|path| Run::new(&system, path));
                if let Some(run) = run {
                    let reference = self.reference(process, &args);
                    match reference.and_then(|r| confirm(&r, &run, &self.hidden(), Claim::Fault)) {
                        Ok(_) => result.counterexample = Some(run),
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

    /// The process to explore, with its arguments.
    fn explored(&self) -> Result<(DefId, Vec<Value>), Diagnostic> {
        if let Some(process) = &self.process {
            return Ok(process.clone());
        }
        if let Some(assertion) = self.assertions.first() {
            return Ok((assertion.process, assertion.args.clone()));
        }
        let mut closed = (0..)
            .zip(&self.csp.definitions)
            .filter(|(_, d)| d.params.is_empty());
        match (closed.next(), closed.next()) {
            (Some((id, _)), None) => Ok((DefId(id), Vec::new())),
            _ => {
                let message = "which process to explore? there is no assertion to tell";
                Err(Diagnostic::bare("no-process", message).help("name one: --process 'P(3)'"))
            }
        }
    }

    fn unexplored(&self, process: DefId, args: &[Value]) -> ExploreResult {
        let name = &self.csp.definitions[process.0 as usize].name;
        let listed: Vec<String> = args.iter().map(Value::to_string).collect();
        let process = if args.is_empty() {
            name.clone()
        } else {
            format!("{name}({})", listed.join(", "))
        };
        ExploreResult {
            file: self.file.clone(),
            process,
            defines: self.csp.constants.clone(),
            verdict: Verdict::Holds,
            reason: None,
            states: 0,
            steps: 0,
            depth: 0,
            deadlocks: 0,
            terminated: 0,
            sccs: None,
            bytes_per_state: 0.0,
            seconds: 0.0,
            peak_mb: 0.0,
            threads: 1,
            counterexample: None,
            bug: None,
        }
    }
}
