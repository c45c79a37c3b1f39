//! A saved run, judged again.
//!
//! The run is walked on the reference semantics of the model, and what it is said to show is looked for where it ends:
//! a deadlock, the end, a loop of `tau`, two steps of one event, a condition, a fault. A lasso is judged by the definitions: its loop must be
//! fair, and it must violate the formula. Of a tree of runs each is judged, by what it claims.

use crate::branching::judge_tree;
use crate::check::{CheckOptions, confirmed};
use crate::confirm::{Claim, confirm};
use crate::counted::CountedModel;
use crate::fairness::{Fairness, parse_fairness};
use crate::front::{Asks, FrontEnd, Kind, with_front};
use crate::live::judge_run;
use crate::load::Model;
use crate::protocol::ProtocolModel;
use crate::saved::{Origin, SavedTrace};
use fairhold_protocol::is_counted;
use fairhold_system::Verdict;
use fairhold_trace::{Detail, Invalid, Replay, run_to_json, unguided};
use serde_json::{Value as Json, json};

/// What a replay comes to.
#[derive(Clone, Debug)]
pub struct Replayed {
    /// Where the run stops being one of the model, or does not show what it is said to; none for a valid run.
    pub refused: Option<Invalid>,
    /// The event of the step that is refused.
    pub event: Option<String>,
    /// Whether the source is the one the run was saved with; none if the trace does not say.
    pub same_source: Option<bool>,
    /// What a valid run shows, as a sentence without a final full stop.
    pub shows: String,
}

impl Replayed {
    /// Whether the run is one of the model and shows what it is said to.
    pub fn valid(&self) -> bool {
        self.refused.is_none()
    }
}

impl Model {
    /// Judges a saved run. The model must have been loaded with the trace's [`SavedTrace::load_options`].
    pub fn replay(&self, trace: &SavedTrace) -> Replayed {
        let judged = match &self.kind {
            Kind::Protocol(model) if is_counted(&trace.run.initial) => self.judge_counted(model, trace),
            kind => with_front!(kind, front => self.judge(front, trace)),
        };
        let refused = judged.err();
        let step = refused.as_ref().map_or(0, |invalid| invalid.step);
        let steps = trace.run.prefix.iter().chain(&trace.run.loop_);
        let event = (1..).zip(steps).find(|(number, _)| *number == step);
        let same = |hash: &String| *hash == self.sha256;
        Replayed {
            refused,
            event: event.map(|(_, step)| step.event.clone()),
            same_source: trace.source_sha256.as_ref().map(same),
            shows: self.shows(trace),
        }
    }

    fn shows(&self, trace: &SavedTrace) -> String {
        let asks = self.assertions.first().map(|assertion| assertion.asks);
        match &trace.origin {
            Origin::Walk(Some(process)) => format!("it is a run of {process}"),
            Origin::Walk(None) => "it is a run of the model".to_owned(),
            Origin::Assertion { text, verdict, .. }
                if asks == Some(Asks::Ctl) && *verdict != Verdict::Error =>
            {
                format!(
                    "each of its runs is one of the model and shows its part in that `{text}` {}",
                    verdict.word()
                )
            }
            Origin::Assertion { text, .. } if asks == Some(Asks::Refines) || asks.is_none() => {
                format!("it is a run of the model; whether it decides `{text}` is not judged")
            }
            Origin::Assertion {
                verdict: Verdict::Error,
                ..
            } => "it ends where the model goes wrong".to_owned(),
            Origin::Assertion { text, verdict, .. } => format!("it shows that `{text}` {}", verdict.word()),
        }
    }

    /// Judges a run in which nodes are counted, if they may be.
    fn judge_counted(&self, model: &ProtocolModel, trace: &SavedTrace) -> Result<(), Invalid> {
        let task = self.tasks.first().and_then(|tasks| tasks.first());
        let why = match task {
            Some(task) => self.why_not_counted(task, &CheckOptions::default()),
            None => Some("no assertion asks for it".to_owned()),
        };
        match why {
            None => self.judge(&CountedModel(model), trace),
            Some(why) => Err(Invalid {
                step: 0,
                field: None,
                message: format!("nodes cannot be counted here: {why}"),
            }),
        }
    }

    fn judge<F: FrontEnd>(&self, front: &F, trace: &SavedTrace) -> Result<(), Invalid> {
        let refuse = |message: String| Invalid {
            step: 0,
            field: None,
            message,
        };
        match &trace.origin {
            Origin::Assertion {
                verdict,
                fairness,
                ends,
                ..
            } => {
                let ends = ends.unwrap_or_else(|| self.language.ends());
                let assertion = self.assertions.first();
                let assertion = assertion.ok_or_else(|| refuse("the assertion is missing".into()))?;
                if decided_by_end(assertion.asks) && !can_show(assertion.asks, *verdict) {
                    let message = format!("no run can show that `{}` {}", assertion.text, verdict.word());
                    return Err(refuse(message));
                }
                match (assertion.asks, fairness) {
                    (Asks::Ltl, Some(text)) => {
                        let fairness = one_fairness(text).map_err(refuse)?;
                        judge_run(front, 0, &fairness, ends, *verdict, &trace.run)
                    }
                    (Asks::Ctl, Some(text)) => {
                        let fairness = one_fairness(text).map_err(refuse)?;
                        judge_tree(front, 0, &fairness, ends, *verdict, &trace.run)
                    }
                    _ => confirmed(front, 0, assertion.asks, *verdict, &trace.run, &unguided),
                }
            }
            Origin::Walk(_) => {
                let subject = front.explored().map_err(|d| refuse(d.message))?;
                let judge = front.judge(&subject).map_err(|f| refuse(f.message))?;
                let replay = Replay {
                    judge: &judge,
                    guide: &unguided,
                };
                confirm(&replay, &trace.run, Claim::Run).map(|_| ())
            }
        }
    }
}

/// The fairness that a trace names.
fn one_fairness(text: &str) -> Result<Fairness, String> {
    let mut fairness = parse_fairness(text)?;
    match (fairness.pop(), fairness.is_empty()) {
        (Some(one @ (Fairness::Notion(_) | Fairness::Formula(_))), true) => Ok(one),
        _ => Err(format!("`{text}` is not one fairness constraint")),
    }
}

/// Whether the place where a run ends, or its loop, decides a question.
fn decided_by_end(asks: Asks) -> bool {
    !matches!(asks, Asks::Ctl | Asks::Refines)
}

/// Whether a run can show this verdict.
fn can_show(asks: Asks, verdict: Verdict) -> bool {
    match verdict {
        Verdict::Holds => asks == Asks::Reaches,
        Verdict::Fails => asks != Asks::Reaches,
        Verdict::Error => true,
        Verdict::Unknown => false,
    }
}

/// One replay as JSON, for the results of a report.
pub(crate) fn replayed_to_json(trace: &SavedTrace, replayed: &Replayed, detail: Detail) -> Json {
    let (assertion, verdict, process) = match &trace.origin {
        Origin::Assertion { text, verdict, .. } => (Some(text), Some(verdict.word()), None),
        Origin::Walk(process) => (None, None, process.as_ref()),
    };
    let refused = replayed.refused.as_ref();
    let run = (detail != Detail::None).then(|| run_to_json(&trace.run, detail == Detail::Full));
    json!({
        "file": trace.file,
        "assertion": assertion,
        "process": process,
        "verdict": verdict,
        "valid": replayed.valid(),
        "same_source": replayed.same_source,
        "step": refused.map(|r| r.step),
        "event": replayed.event,
        "field": refused.and_then(|r| r.field.as_ref()),
        "reason": refused.map(|r| &r.message),
        trace.title: run,
    })
}
