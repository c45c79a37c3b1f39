//! "Why not?": what a loop starves, and which notion of fairness would rule it out.
//!
//! A counterexample is often an execution that no scheduler would produce. What it never engages though it could,
//! and the weakest notions that forbid it, tell the user which fairness to ask for. One look at every state of the
//! loop for each notion.

use crate::constraint::Notion;
use crate::fair::{Lap, NamedStep, Unfair, often};
use crate::judge::Judge;
use fairhold_system::Fault;
use std::fmt;

/// What a loop starves, and what would rule it out.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WhyNot {
    /// Enabled in the loop and never engaged: processes, then events, the most often enabled first.
    pub starved: Vec<Starved>,
    /// For each notion asked about why it rules the loop out, as a sentence without a final full stop; none if it allows it.
    pub notions: Vec<(Notion, Option<String>)>,
}

/// Something the loop never engages.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Starved {
    /// The event, or `process 1`.
    pub name: String,
    /// In how many states of the loop it is enabled, of `states`; one met twice counts twice.
    pub enabled: usize,
    /// How many states the loop has.
    pub states: usize,
}

/// What the loop starves, and which of the notions would rule it out. The loop is as
/// [`judge_fairness`](crate::judge_fairness) takes it.
pub fn why_not<J: Judge>(
    judge: &J,
    loop_states: &[J::State],
    loop_steps: &[NamedStep],
    notions: &[Notion],
) -> Result<WhyNot, Fault> {
    let lap = Lap::new(judge, loop_states, loop_steps, false)?;
    let starved = |name: String, enabled: usize| Starved {
        name,
        enabled,
        states: lap.len(),
    };
    let processes = lap.processes().into_iter().filter(|(_, t)| t.engaged.is_none());
    let mut list: Vec<Starved> = processes
        .map(|(process, t)| starved(format!("process {process}"), t.enabled))
        .collect();
    list.sort_by_key(|s| std::cmp::Reverse(s.enabled));
    let events = lap.events().into_iter();
    let mut events: Vec<Starved> = events
        .filter(|(event, t)| *event != "tau" && t.engaged.is_none())
        .map(|(event, t)| starved(event.to_owned(), t.enabled))
        .collect();
    events.sort_by_key(|s| std::cmp::Reverse(s.enabled));
    list.append(&mut events);
    let mut verdicts = Vec::with_capacity(notions.len());
    for &notion in notions {
        let why = match lap.notion(notion) {
            Ok(_) => None,
            Err(Unfair::Unmet { message, .. }) => Some(message),
            Err(Unfair::Fault(fault)) => return Err(fault),
        };
        verdicts.push((notion, why));
    }
    Ok(WhyNot {
        starved: list,
        notions: verdicts,
    })
}

impl WhyNot {
    /// The notions that rule the loop out and are not stronger than another that does.
    pub fn weakest(&self) -> Vec<Notion> {
        let ruling = self.ruling_out();
        let weakest = ruling
            .iter()
            .filter(|n| !ruling.iter().any(|m| m.is_weaker_than(**n)));
        weakest.copied().collect()
    }

    /// The notions that rule the loop out.
    pub fn ruling_out(&self) -> Vec<Notion> {
        self.words(true)
    }

    /// The notions that allow it.
    pub fn allowing(&self) -> Vec<Notion> {
        self.words(false)
    }

    fn words(&self, ruled_out: bool) -> Vec<Notion> {
        let notions = self.notions.iter().filter(|(_, why)| why.is_some() == ruled_out);
        notions.map(|(notion, _)| *notion).collect()
    }
}

/// At most so many are named.
const NAMED: usize = 5;

/// Two or three plain lines.
impl fmt::Display for WhyNot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.starved.is_empty() && self.ruling_out().is_empty() {
            return writeln!(f, "no notion of fairness rules this loop out");
        }
        let list = |notions: Vec<Notion>| notions.into_iter().map(Notion::word).collect::<Vec<_>>();
        let mut starved: Vec<String> = self.starved.iter().take(NAMED).map(Starved::to_string).collect();
        if self.starved.len() > NAMED {
            starved.push(format!("{} more", self.starved.len() - NAMED));
        }
        match &starved[..] {
            [] if !self.notions.iter().any(|(n, _)| n.is_about_processes()) => {
                writeln!(f, "the loop starves no event")?;
            }
            [] => writeln!(f, "the loop starves no event and no process")?,
            _ => writeln!(f, "the loop starves {}", starved.join(", "))?,
        }
        let (ruling, allowing) = (list(self.ruling_out()), list(self.allowing()));
        if ruling.is_empty() {
            return match &allowing[..] {
                [] => Ok(()),
                _ => writeln!(f, "it is fair under {}", allowing.join(", ")),
            };
        }
        write!(f, "it is not fair under {}", ruling.join(", "))?;
        match &allowing[..] {
            [] => writeln!(f)?,
            _ => writeln!(f, "; it is fair under {}", allowing.join(", "))?,
        }
        let weakest = self.weakest();
        write!(
            f,
            "the weakest that rules it out: {}",
            list(weakest.clone()).join(" or ")
        )?;
        // Where nothing is starved, only the step left out tells why.
        let why = self.notions.iter().find(|(n, _)| weakest == [*n]);
        match why {
            Some((Notion::Sgf, Some(why))) => writeln!(f, " ({why})"),
            _ => writeln!(f),
        }
    }
}

impl fmt::Display for Starved {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} (enabled {})", self.name, often(self.enabled, self.states))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::figures::Graph;

    fn why(graph: &Graph, walk: &[usize]) -> WhyNot {
        let (states, steps) = graph.walk(walk);
        why_not(graph, &states, &steps, &Notion::ALL).unwrap()
    }

    #[test]
    fn an_unfair_interleaving() {
        // P ||| Q with b forever: a and its process are owed a turn by everything.
        let text = why(&Graph::interleaving(), &[1]).to_string();
        assert_eq!(
            text,
            "the loop starves process 0 (enabled in every state), a (enabled in every state)\n\
             it is not fair under pwf, ewf, psf, esf, sgf\n\
             the weakest that rules it out: pwf or ewf\n"
        );
    }

    #[test]
    fn strong_fairness_is_needed() {
        let why = why(&Graph::alternating(), &[0, 2]);
        assert_eq!(why.weakest(), [Notion::Esf]);
        assert_eq!(
            why.to_string(),
            "the loop starves b (enabled in 1 of 2 states)\n\
             it is not fair under esf, sgf; it is fair under pwf, ewf, psf\n\
             the weakest that rules it out: esf\n"
        );
    }

    #[test]
    fn only_a_step_is_left_out() {
        assert_eq!(
            why(&Graph::ladder(), &[0, 1]).to_string(),
            "the loop starves no event and no process\n\
             it is not fair under sgf; it is fair under pwf, ewf, psf, esf\n\
             the weakest that rules it out: sgf (a of process 0 is possible before step 2 of the loop, leads out of the loop, and is never taken there)\n"
        );
    }

    #[test]
    fn nothing_rules_out_what_is_fair() {
        let graph = Graph::new(&[]);
        let idle = ("(idle)".to_owned(), Vec::new());
        let why = why_not(&graph, &[0], &[idle], &Notion::ALL).unwrap();
        assert!(why.weakest().is_empty());
        assert_eq!(why.to_string(), "no notion of fairness rules this loop out\n");
    }
}
