//! Many random runs of a protocol, and how long each takes to converge.
//!
//! A run starts in an initial configuration, all of them equally likely, and at every step takes one of the possible steps, all of them equally
//! likely: the random scheduler. Steps of the detector count as any other, and so do steps that change nothing.
//!
//! Whether a predicate holds *forever* cannot be seen in a finite run. What is measured is this: a run has converged after `t` steps if the
//! predicate holds after `t` steps and after each of the `hold` steps that follow, and `t` is the least such number. A run that can take no step
//! stays where it is. A run that has not converged after `most` steps is given up.

use super::statistics::Statistics;
use super::wander::{ASK_EVERY, Wanderer};
use crate::front::{FrontEnd, Kind};
use crate::load::Model;
use crate::protocol::ProtocolModel;
use crate::reason;
use fairhold_logic::Ltl;
use fairhold_protocol::{Atom, Expr, Protocol, ProtocolSystem, Question, read_assertion};
use fairhold_source::{Diagnostic, FileId};
use fairhold_system::{Control, Fault, Observer, PredicateId, Progress, Random};
use std::sync::Arc;

/// What to sample.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SampleOptions {
    /// How many runs.
    pub runs: u64,
    /// The predicate, in the protocol's language; without it, that of the first assertion of the form `<>[] p`.
    pub until: Option<String>,
    /// A run that has not converged after so many steps is given up.
    pub most: u64,
    /// For so many steps the predicate has to go on holding.
    pub hold: u64,
    /// The same seed gives the same runs.
    pub seed: u64,
}

impl Default for SampleOptions {
    fn default() -> SampleOptions {
        SampleOptions {
            runs: 1000,
            until: None,
            most: 100_000,
            hold: 1000,
            seed: 0,
        }
    }
}

/// What became of the runs.
#[derive(Clone, PartialEq, Debug)]
pub struct Sample {
    /// The model's file.
    pub file: String,
    /// Integer constants in force.
    pub defines: Vec<(String, i32)>,
    /// The predicate as written.
    pub until: String,
    /// What was asked for.
    pub options: SampleOptions,
    /// By run: after how many steps it converged, none if it did not. Fewer than were asked for if interrupted.
    pub steps: Vec<Option<u64>>,
    /// What that comes to.
    pub statistics: Statistics,
}

impl Model {
    /// Runs a protocol many times at random. The error says why there is nothing to run, or where a run went wrong.
    pub fn sample(&self, options: &SampleOptions, observer: &dyn Observer) -> Result<Sample, Diagnostic> {
        let Kind::Protocol(front) = &self.kind else {
            let message = format!(
                "{} is no protocol: only those are run many times at random",
                self.file
            );
            let help = "--random N takes N steps at random through any model";
            return Err(Diagnostic::bare("usage", message).help(help));
        };
        let (until, condition) = match &options.until {
            Some(text) => (text.clone(), read_predicate(front.protocol(), text)?),
            None => self.stable_predicate()?,
        };
        let fault = |f: Fault| Diagnostic::bare("run-time-error", reason::fault(&self.map, &f));
        let system = ProtocolSystem::new(Arc::clone(front.protocol()), &[condition]).map_err(fault)?;
        let mut runner = Runner::new(front, &system, options);
        // Every run has a seed of its own, so that it does not depend on how long those before it were.
        let mut seeds = Random::new(options.seed);
        let mut steps = Vec::new();
        for run in 0..options.runs {
            let mut random = Random::new(seeds.word());
            if !runner.start(&mut random).map_err(fault)? {
                let message = "no initial configuration was found at random";
                let help = "the condition after `initial where` is met too rarely, or never";
                return Err(Diagnostic::bare("no-initial-state", message).help(help));
            }
            match runner.run(&mut random, observer) {
                Ok(Some(converged)) => steps.push(converged),
                Ok(None) => break,
                Err(wrong) => {
                    let wrong = fault(wrong);
                    let message = format!("run {}, after {} steps: {}", run + 1, runner.taken, wrong.message);
                    return Err(Diagnostic { message, ..wrong });
                }
            }
        }
        Ok(Sample {
            file: self.file.clone(),
            defines: front.defines(),
            until,
            options: options.clone(),
            statistics: Statistics::new(&steps),
            steps,
        })
    }

    /// The predicate of the first assertion that it holds forever in the end.
    fn stable_predicate(&self) -> Result<(String, Expr), Diagnostic> {
        let Kind::Protocol(front) = &self.kind else {
            unreachable!("only protocols are asked for a predicate")
        };
        let stable = |question: &Question| match question {
            Question::Ltl(Ltl::Finally(inside), atoms) => match &**inside {
                Ltl::Globally(p) => match &**p {
                    Ltl::Atom(id) => match &atoms[id.0 as usize] {
                        Atom::State(condition, text) => Some((text.clone(), condition.clone())),
                        _ => None,
                    },
                    _ => None,
                },
                _ => None,
            },
            _ => None,
        };
        let whole = front.whole();
        let found = whole.assertions.iter().find_map(|a| stable(&a.question));
        found.ok_or_else(|| {
            let message = format!(
                "{} asserts of no predicate that it holds forever in the end",
                self.file
            );
            Diagnostic::bare("no-predicate", message).help("say what to wait for: --until '#leader == 1'")
        })
    }
}

/// Reads a predicate on configurations.
fn read_predicate(protocol: &Protocol, text: &str) -> Result<Expr, Diagnostic> {
    let wrong = |why: &str| {
        let message = format!("`{text}` is no condition on configurations{why}");
        Diagnostic::bare("bad-predicate", message)
    };
    match read_assertion(protocol, FileId(0), &format!("reaches ({text})")) {
        Ok(assertion) => match assertion.question {
            Question::Reaches(condition) => Ok(condition),
            _ => Err(wrong("")),
        },
        Err(diagnostics) => {
            let first = diagnostics.iter().find(|d| d.is_error());
            let (why, help) = first.map_or((String::new(), String::new()), |d| {
                (format!(": {}", d.message), d.help.clone())
            });
            Err(wrong(&why).help(help))
        }
    }
}

/// One run after the other.
struct Runner<'s> {
    walk: Wanderer<'s, ProtocolModel>,
    taken: u64,
    most: u64,
    hold: u64,
}

impl<'s> Runner<'s> {
    fn new(front: &'s ProtocolModel, system: &'s ProtocolSystem, options: &SampleOptions) -> Runner<'s> {
        Runner {
            walk: Wanderer::new(front, system),
            taken: 0,
            most: options.most,
            hold: options.hold,
        }
    }

    /// Goes to a random initial configuration; false if none is found.
    fn start(&mut self, random: &mut Random) -> Result<bool, Fault> {
        self.taken = 0;
        self.walk.start(random)
    }

    /// Runs until it has converged or is given up: after how many steps it has converged. The outer none: interrupted.
    fn run(&mut self, random: &mut Random, observer: &dyn Observer) -> Result<Option<Option<u64>>, Fault> {
        // Since when the predicate holds without a break.
        let mut since = None;
        loop {
            if self.taken.is_multiple_of(ASK_EVERY)
                && observer.progress(&Progress::default()) != Control::Continue
            {
                return Ok(None);
            }
            since = match self.walk.holds(PredicateId(0))? {
                true => since.or(Some(self.taken)),
                false => None,
            };
            match since {
                None if self.taken >= self.most => return Ok(Some(None)),
                Some(at) if self.taken - at >= self.hold => return Ok(Some(Some(at))),
                _ => {}
            }
            if self.walk.look()?.is_empty() {
                return Ok(Some(since));
            }
            self.walk.take(random);
            self.taken += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Language, LoadOptions, Silent, load_text};

    fn sample(text: &str, options: &SampleOptions) -> Result<Sample, Diagnostic> {
        let loaded = load_text("p.pp", text, Language::Pp, &LoadOptions::default());
        let model = loaded.model.unwrap_or_else(|| panic!("{:?}", loaded.diagnostics));
        model.sample(options, &Silent)
    }

    const DUEL: &str = "size N = 4 topology complete field leader: bool
        duel: (leader=1), (leader=1) -> *, (leader=0)
        initial leader = 1
        assert stable #leader == 1";

    #[test]
    fn a_protocol_that_cannot_but_converge_does() {
        let options = SampleOptions {
            runs: 50,
            ..SampleOptions::default()
        };
        let sample = sample(DUEL, &options).unwrap();
        assert_eq!(sample.until, "#leader == 1");
        // Four leaders, and every step removes one.
        assert_eq!(sample.steps, vec![Some(3); 50]);
        assert_eq!(sample.statistics.converged, 50);
    }

    #[test]
    fn what_does_not_last_does_not_count() {
        let toggle = "size N = 2 topology ring field a: bool t: (a=b) -> (a=!b)
            initial a = 0 assert stable some{a}";
        let options = SampleOptions {
            runs: 5,
            most: 200,
            hold: 100,
            ..SampleOptions::default()
        };
        let found = sample(toggle, &options).unwrap();
        assert_eq!(found.steps, vec![None; 5]);
        // If it need not last, it is met by the first step.
        let brief = SampleOptions { hold: 0, ..options };
        assert_eq!(sample(toggle, &brief).unwrap().steps, vec![Some(1); 5]);
    }

    #[test]
    fn the_seed_decides() {
        let random = DUEL.replace("initial leader = 1", "initial where #leader > 1");
        let run = |seed| {
            let options = SampleOptions {
                runs: 30,
                seed,
                ..SampleOptions::default()
            };
            sample(&random, &options).unwrap().steps
        };
        assert_eq!(run(1), run(1));
        assert_ne!(run(1), run(2));
        assert!(run(1).iter().all(|s| matches!(s, Some(1..=3))));
        // A run is the same however many follow it.
        let options = SampleOptions {
            runs: 10,
            seed: 1,
            ..SampleOptions::default()
        };
        assert_eq!(sample(&random, &options).unwrap().steps, run(1)[..10]);
    }

    #[test]
    fn faults_are_diagnostics() {
        let code = |text: &str, until: Option<&str>| {
            let options = SampleOptions {
                runs: 1,
                until: until.map(str::to_owned),
                ..SampleOptions::default()
            };
            sample(text, &options).unwrap_err().code
        };
        assert_eq!(code(DUEL, Some("#lead == 1")), "bad-predicate");
        assert_eq!(code(DUEL, Some("<> leader[0]")), "bad-predicate");
        assert_eq!(
            code(&DUEL.replace("assert stable #leader == 1", ""), None),
            "no-predicate"
        );
        let nowhere = DUEL.replace("initial leader = 1", "initial where #leader > 4");
        assert_eq!(code(&nowhere, None), "no-initial-state");
    }
}
