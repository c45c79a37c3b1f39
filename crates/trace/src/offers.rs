//! What a model offers where a run does something else: the complaint about a step that cannot be taken.

use crate::differ::Difference;
use crate::replay::Invalid;
use crate::run::{IDLE, RunStep};

/// Of the states that were refused, how the one that is most like the run's differs.
#[derive(Default)]
pub(crate) struct Nearest(Option<Vec<Difference>>);

impl Nearest {
    pub(crate) fn offer(&mut self, differences: Vec<Difference>) {
        if self.0.as_ref().is_none_or(|old| differences.len() < old.len()) {
            self.0 = Some(differences);
        }
    }

    /// The field to look at, and what is wrong with it as the end of a sentence.
    pub(crate) fn place(self) -> (Option<String>, String) {
        let first = self.0.and_then(|differences| differences.into_iter().next());
        match first {
            Some(Difference { field, message }) => (Some(field), format!(": {message}")),
            None => (None, String::new()),
        }
    }
}

/// What the judge offered in place of the step looked for.
#[derive(Default)]
pub(crate) struct Offers {
    pub(crate) nearest: Nearest,
    processes: Vec<Vec<u32>>,
    events: Vec<String>,
}

impl Offers {
    pub(crate) fn event(&mut self, event: String) {
        if !self.events.contains(&event) {
            self.events.push(event);
        }
    }

    pub(crate) fn processes(&mut self, processes: Vec<u32>) {
        if !self.processes.contains(&processes) {
            self.processes.push(processes);
        }
    }

    pub(crate) fn complaint(self, number: usize, step: &RunStep) -> Invalid {
        let event = &step.event;
        let mut field = None;
        let message = if self.nearest.0.is_some() {
            let (place, why) = self.nearest.place();
            field = place;
            format!("{event} does not lead to the state the run gives{why}")
        } else if event == IDLE {
            format!(
                "the state has steps ({}), so it does not idle",
                listed(&self.events)
            )
        } else if !self.processes.is_empty() {
            let possible: Vec<String> = self.processes.iter().map(|p| participants(p)).collect();
            let claimed = participants(&step.processes);
            format!(
                "{event} is possible with {}, not with {claimed}",
                possible.join(" or with ")
            )
        } else if self.events.is_empty() {
            format!("{event} is not possible: the state has no steps")
        } else {
            format!("{event} is not possible here, only {}", listed(&self.events))
        };
        Invalid {
            step: number,
            field,
            message,
        }
    }
}

fn listed(events: &[String]) -> String {
    const SHOWN: usize = 5;
    let mut text = events[..events.len().min(SHOWN)].join(", ");
    if events.len() > SHOWN {
        text.push_str(", ...");
    }
    text
}

/// `process 0`, `processes 0, 1`
pub(crate) fn participants(processes: &[u32]) -> String {
    let numbers: Vec<String> = processes.iter().map(u32::to_string).collect();
    match processes {
        [] => "no process".to_owned(),
        [one] => format!("process {one}"),
        _ => format!("processes {}", numbers.join(", ")),
    }
}
