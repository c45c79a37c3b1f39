//! What each command does, on any front end.

use super::ahead::{self, Way};
use super::command::Command;
use super::goal::{Goal, Seek};
use super::show;
use super::walk::Walk;
use super::{Effect, Simulation};
use crate::check::Bounds;
use crate::load::{Language, Model};
use crate::reason;
use crate::saved::{Origin, SavedTrace, saved_walk};
use fairhold_system::Random;
use fairhold_system::{Control, Fault, Observer, Progress, System};
use fairhold_trace::{Detail, IDLE, Invalid, RunStep, run_to_text};
use serde_json::Value as Json;

/// The observer of a random walk is asked every so many steps.
const ASK_EVERY: usize = 4096;

pub(super) struct Session<'s, F: Seek> {
    model: &'s Model,
    front: &'s F,
    subject: &'s F::Subject,
    walk: Walk<'s, F::System>,
    random: Random,
    bounds: Bounds,
}

impl<'s, F: Seek> Session<'s, F> {
    pub(super) fn new(
        model: &'s Model,
        front: &'s F,
        subject: &'s F::Subject,
        system: &'s F::System,
        bounds: Bounds,
        seed: u64,
    ) -> Result<Session<'s, F>, Fault> {
        Ok(Session {
            model,
            front,
            subject,
            walk: Walk::new(system)?,
            random: Random::new(seed),
            bounds,
        })
    }

    /// The possible steps by names; none where the model goes wrong.
    fn choices(&self) -> Vec<RunStep> {
        let system = self.walk.system;
        let before = system.fields(self.walk.state());
        let step = |(label, target): (_, &[_])| RunStep::new(system, &before, label, system.fields(target));
        let steps = self.walk.possible();
        steps.map_or(Vec::new(), |steps| steps.iter().map(step).collect())
    }

    /// What is possible, or why nothing is.
    fn possible(&self) -> String {
        match self.walk.possible() {
            Err(fault) => format!(
                "  the model goes wrong here: {}\n",
                reason::fault(&self.model.map, fault)
            ),
            Ok(steps) if !steps.is_empty() => {
                show::choices(&self.walk.system.fields(self.walk.state()), &self.choices())
            }
            Ok(_) if self.walk.system.is_ended(self.walk.state()) => {
                "  the end: the model has terminated\n".to_owned()
            }
            Ok(_) => "  deadlock: no step is possible\n".to_owned(),
        }
    }

    fn say_here(&self) -> Effect {
        Effect::Say(self.here())
    }

    fn choose(&mut self, number: usize) -> Result<Effect, String> {
        let count = self.count()?;
        if number == 0 || number > count {
            return Err(match count {
                1 => format!("there is no step {number}: the only one is 1"),
                _ => format!("there is no step {number}: they are 1 to {count}"),
            });
        }
        self.walk.take(number - 1);
        Ok(self.say_here())
    }

    /// How many steps are possible; an error if none is.
    fn count(&self) -> Result<usize, String> {
        match self.walk.possible() {
            Ok(steps) if !steps.is_empty() => Ok(steps.len()),
            Ok(_) => Err("no step is possible here; undo goes back".to_owned()),
            Err(_) => Err("the model goes wrong here; undo goes back".to_owned()),
        }
    }

    /// Takes the step of an event: the one with this name, else the one whose name starts so.
    fn perform(&mut self, event: &str) -> Result<Effect, String> {
        let steps = self.choices();
        let matching = |same: &dyn Fn(&str) -> bool| -> Vec<usize> {
            (0..steps.len()).filter(|&i| same(&steps[i].event)).collect()
        };
        let exact = matching(&|name| name == event);
        let found = match exact.is_empty() {
            true => matching(&|name| name.starts_with(event)),
            false => exact,
        };
        match found.as_slice() {
            [one] => {
                self.walk.take(*one);
                Ok(self.say_here())
            }
            [] if Command::help(Some(event)).is_ok() => Err(format!("no event {event} is possible here")),
            [] => Err(format!(
                "`{event}` is neither a command nor an event possible here; help lists the commands"
            )),
            several => {
                let listed: Vec<String> = several
                    .iter()
                    .map(|&i| format!("{} {}", i + 1, steps[i].event))
                    .collect();
                Err(format!(
                    "`{event}` may be any of {}; choose by number",
                    listed.join(", ")
                ))
            }
        }
    }

    fn jump(&mut self, step: usize) -> Result<Effect, String> {
        if self.walk.jump(step) {
            return Ok(self.say_here());
        }
        let last = self.walk.at() + self.walk.ahead();
        Err(format!("there is no step {step}: the walk has {}", counted(last)))
    }

    fn back(&mut self, steps: usize) -> Result<Effect, String> {
        match self.walk.at().checked_sub(steps) {
            Some(step) => self.jump(step),
            None if self.walk.at() == 0 => Err("this is the start: there is nothing to undo".to_owned()),
            None => Err(format!("only {} can be undone", counted(self.walk.at()))),
        }
    }

    fn next(&mut self, steps: usize) -> Result<Effect, String> {
        match self.walk.ahead() {
            0 => Err("nothing is ahead; next repeats what was undone or goes along a started run".to_owned()),
            ahead if steps > ahead => Err(format!("only {} ahead", counted(ahead))),
            _ => self.jump(self.walk.at() + steps),
        }
    }

    fn random(&mut self, steps: usize, observer: &dyn Observer) -> Effect {
        let start = self.walk.at();
        let mut why = "nothing more is possible";
        for i in 0..steps {
            if i % ASK_EVERY == 0 && observer.progress(&Progress::default()) != Control::Continue {
                why = "interrupted";
                break;
            }
            let Ok(count) = self.count() else { break };
            let choice = self.random.below(count);
            self.walk.take(choice);
        }
        let taken = self.walk.at() - start;
        let mut text = self.here();
        if taken < steps {
            text.push_str(&format!("{} taken, {why}\n", counted(taken)));
        }
        Effect::Say(text)
    }

    /// Takes steps at random until the goal. A walk that comes to an end begins anew where it began.
    fn until(&mut self, most: usize, text: &str, observer: &dyn Observer) -> Result<Effect, String> {
        let goal = self.goal(text)?;
        // An event that led here is past: the next one is meant.
        if !goal.mentions_events() && self.is_met(&goal, text)? {
            return Ok(Effect::Say(format!("`{text}` is so here already\n")));
        }
        let start = self.walk.at();
        let (mut taken, mut ends, mut why) = (0, 0, "");
        while taken < most {
            if taken % ASK_EVERY == 0 && observer.progress(&Progress::default()) != Control::Continue {
                why = "; interrupted";
                break;
            }
            match self.count() {
                Ok(count) => self.walk.take(self.random.below(count)),
                Err(_) if self.walk.at() == start => {
                    why = "; nothing more is possible";
                    break;
                }
                // Another way may not end here.
                Err(_) => {
                    ends += 1;
                    self.walk.jump(start);
                    continue;
                }
            }
            taken += 1;
            if self.is_met(&goal, text)? {
                let ahead = counted(self.walk.at() - start);
                return Ok(Effect::Say(format!("met after {ahead}\n") + &self.here()));
            }
        }
        let anew = match ends {
            0 => String::new(),
            1 => ", begun anew once at an end".to_owned(),
            _ => format!(", begun anew {ends} times at an end"),
        };
        let missed = format!("`{text}` was not met in {}{anew}{why}\n", counted(taken));
        Ok(Effect::Missed(self.here() + &missed))
    }

    /// Reads a goal.
    fn goal(&self, text: &str) -> Result<Goal, String> {
        let (map, system) = (&self.model.map, self.walk.system);
        self.front.goal(map, self.subject, system, text)
    }

    /// Whether the goal is met by the last step, or where the walk stands.
    fn is_met(&mut self, goal: &Goal, text: &str) -> Result<bool, String> {
        let (system, event) = (self.walk.system, self.walk.last().map(|label| label.event));
        let state = self.walk.state().to_vec();
        let met = goal.holds(system, self.walk.stepper(), event, &state);
        met.map_err(|fault| self.not_evaluated(text, &fault))
    }

    fn not_evaluated(&self, text: &str, fault: &Fault) -> String {
        let why = reason::fault(&self.model.map, fault);
        format!("`{text}` cannot be evaluated: {why}")
    }

    fn find(&mut self, text: &str, observer: &dyn Observer) -> Result<Effect, String> {
        let system = self.walk.system;
        let goal = self.goal(text)?;
        if !goal.mentions_events() {
            let state = self.walk.state().to_vec();
            let here = goal.holds(system, self.walk.stepper(), None, &state);
            if here.map_err(|fault| self.not_evaluated(text, &fault))? {
                return Ok(Effect::Say(format!("`{text}` is so here already\n")));
            }
        }
        match ahead::find(system, self.walk.state(), &goal, &self.bounds, observer) {
            Way::Found(path) => {
                let steps = path.labels.len();
                self.walk.follow(path);
                Ok(Effect::Say(
                    format!("found after {}\n", counted(steps)) + &self.here(),
                ))
            }
            Way::None(states) => Err(format!(
                "`{text}` cannot be reached from here ({states} states looked at)"
            )),
            Way::Stopped(why, states) => {
                // What grows is no news to somebody who walks: no samples.
                let why = reason::stopped(why, &self.bounds, states, system, &[]);
                Err(format!("`{text}` was not found: {why}"))
            }
            Way::Wrong(fault) => Err(self.not_evaluated(text, &fault)),
        }
    }

    /// Why a trace cannot belong to this walk, if its head says so.
    fn foreign(&self, trace: &SavedTrace) -> Option<String> {
        let own = self.front.defines();
        let differs = |(name, value): &&(String, i32)| own.iter().any(|(n, v)| n == name && v != value);
        if let Some((name, value)) = trace.defines.iter().find(differs) {
            return Some(format!(
                "it was made with {name} = {value}; walk with -D {name}={value}"
            ));
        }
        let name = self.front.name(self.subject);
        match &trace.origin {
            Origin::Walk(Some(process)) if *process != name => Some(format!(
                "it is a walk through {process}, and this is {name}; walk with -P '{process}'"
            )),
            _ => None,
        }
    }
}

impl<F: Seek> Simulation for Session<'_, F> {
    fn execute(&mut self, command: &Command, observer: &dyn Observer) -> Result<Effect, String> {
        match command {
            Command::Choose(number) => self.choose(*number),
            Command::Do(event) => self.perform(event),
            Command::Back(steps) => self.back(*steps),
            Command::Next(steps) => self.next(*steps),
            Command::Jump(step) => self.jump(*step),
            Command::Find(text) => self.find(text, observer),
            Command::Random(steps, seed) => {
                if let Some(seed) = seed {
                    self.random = Random::new(*seed);
                }
                Ok(self.random(*steps, observer))
            }
            Command::Until(most, text) => self.until(*most, text, observer),
            Command::Path(full) => {
                let detail = if *full { Detail::Full } else { Detail::Short };
                Ok(Effect::Say(run_to_text(&self.walk.run(), "walk", detail)))
            }
            Command::State => Ok(Effect::Say(show::state(
                &self.walk.system.fields(self.walk.state()),
                true,
            ))),
            Command::List => Ok(Effect::Say(self.possible())),
            Command::Save(path) => Ok(Effect::Save(path.clone())),
            Command::Load(path) => Ok(Effect::Open {
                path: path.clone(),
                to_end: true,
            }),
            Command::Start(path) => Ok(Effect::Open {
                path: path.clone(),
                to_end: false,
            }),
            Command::Help(topic) => Command::help(topic.as_deref()).map(Effect::Say),
            Command::Quit => Ok(Effect::Quit),
        }
    }

    fn open(&mut self, trace: &SavedTrace, to_end: bool) -> Result<String, String> {
        if let Some(why) = self.foreign(trace) {
            return Err(why);
        }
        let mut run = trace.run.clone();
        // Idling is no step of the model.
        run.loop_.retain(|step| step.event != IDLE);
        let adopted = self.walk.adopt(&run, to_end);
        adopted.map_err(|invalid: Invalid| format!("it is no run of this model: {invalid}"))?;
        Ok(self.here())
    }

    fn trace(&self) -> Json {
        // A graph has no processes to choose from.
        let process = (self.model.language == Language::Csp).then(|| self.front.name(self.subject));
        saved_walk(
            &self.model.file,
            process.as_deref(),
            &self.front.defines(),
            &self.walk.run(),
            &self.model.sha256,
        )
    }

    fn path(&self) -> String {
        run_to_text(&self.walk.run(), "walk", Detail::Short)
    }

    fn here(&self) -> String {
        let system = self.walk.system;
        let event = self.walk.last().map(|label| system.event_name(label.event));
        let title = show::title(self.walk.at(), event.as_deref(), self.walk.ahead());
        title + &show::state(&system.fields(self.walk.state()), false) + &self.possible()
    }

    fn position(&self) -> usize {
        self.walk.at()
    }

    fn events(&self) -> Vec<String> {
        let mut events: Vec<String> = self.choices().into_iter().map(|step| step.event).collect();
        events.sort();
        events.dedup();
        events
    }
}

fn counted(steps: usize) -> String {
    format!("{steps} step{}", if steps == 1 { "" } else { "s" })
}
