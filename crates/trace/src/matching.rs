//! All executions that a run may stand for.
//!
//! A run is given by names and by pictures of states, and several executions may look like that: two steps of one
//! event and the same processes lead to different states, and different states may have one picture (a long process is
//! cut when it is shown, a run read from a file need not give states at all). So what matches a run is a
//! graph: at each position the states that the run may be in, and which leads to which. [`Matching`] is that graph. It
//! compares states with one another by what they are, and with the run by the picture that the run gives.
//!
//! A loop comes back to the very state that it started in, so the executions of a lasso fall apart by the state in
//! which the loop starts: a [`Bundle`] holds those of one. Whatever way they take through a lap, the next lap may take
//! another: any infinite walk through the laps of a bundle looks like the run. Of a finite run there is one bundle.
//!
//! If the run knows its states exactly, because it comes from a search and not from a file, then the one of several
//! matching states that is meant is followed and no other: a [`Guide`] tells which. It only chooses
//! among what the judge itself has found, so nothing is taken on trust.
//!
//! Cost: the steps of every state of every position, and one comparison for each target that a step of the run may
//! lead to. Where several states match, their steps and pictures are kept for the next time.

use crate::differ::differences;
use crate::judge::{Judge, JudgedStep};
use crate::offers::{Nearest, Offers};
use crate::replay::{Invalid, Replay, went_wrong};
use crate::run::{IDLE, Run, RunStep};
use fairhold_system::{Fields, Word};
use std::collections::HashMap;
use std::rc::Rc;

/// The judge's state that some words of the searched system stand for; none if nobody knows.
pub type Guide<'a, State> = dyn Fn(&[Word]) -> Option<State> + 'a;

/// A [`Guide`] for runs of which only the pictures are known.
pub fn unguided<State>(_: &[Word]) -> Option<State> {
    None
}

/// The states that the run may be in at one position.
struct Layer {
    /// Their numbers, each once.
    states: Vec<usize>,
    /// For each of them the places, in the next layer, of the states it leads to; empty in the last layer.
    next: Vec<Vec<usize>>,
    /// Whether it may still be visited: see [`Matching::restrict`].
    allowed: Vec<bool>,
}

/// The steps of one state, shared by all positions where it matches.
type StepsOf<J> = Rc<Vec<JudgedStep<<J as Judge>::State>>>;

/// The graph of all positions of a run and the states it may be in there.
pub(crate) struct Matching<'a, J: Judge> {
    replay: &'a Replay<'a, J>,
    /// The states that match somewhere, by number.
    states: Vec<J::State>,
    numbers: HashMap<J::State, usize>,
    layers: Vec<Layer>,
    /// The position where the loop starts; none for a finite run.
    loop_from: Option<usize>,
    known: HashMap<usize, StepsOf<J>>,
    pictures: HashMap<usize, Rc<Fields>>,
}

/// The executions of a [`Matching`] whose loop starts in one state: at each position which states lie on some of them.
pub(crate) struct Bundle {
    alive: Vec<Vec<bool>>,
}

impl<'a, J: Judge> Matching<'a, J> {
    /// All executions that match a run from its start.
    pub(crate) fn new(replay: &'a Replay<'a, J>, run: &Run) -> Result<Self, Invalid> {
        let initial = replay.judge.initial_like(&run.initial);
        let initial = initial.map_err(|f| went_wrong(0, &f))?;
        let refuse = |(field, why): (Option<String>, String)| Invalid {
            step: 0,
            field,
            message: format!("no initial state of the model is the run's{why}"),
        };
        Matching::from(replay, initial, run, 0, &refuse)
    }

    /// All executions that match a run from one of these states on, the first `before` steps of a longer run aside. `refuse` makes the
    /// complaint if none of the states is the run's, from the field that differs and the end of a sentence.
    pub(crate) fn from(
        replay: &'a Replay<'a, J>,
        starts: Vec<J::State>,
        run: &Run,
        before: usize,
        refuse: &dyn Fn((Option<String>, String)) -> Invalid,
    ) -> Result<Self, Invalid> {
        let mut matching = Matching {
            replay,
            states: Vec::new(),
            numbers: HashMap::new(),
            layers: Vec::new(),
            loop_from: (!run.loop_.is_empty()).then_some(run.prefix.len()),
            known: HashMap::new(),
            pictures: HashMap::new(),
        };
        let mut nearest = Nearest::default();
        let mut first: Vec<usize> = Vec::new();
        for state in starts {
            let picture = replay.judge.fields(&state);
            let differences = differences(&picture, &run.initial, &[]);
            if differences.is_empty() {
                let number = matching.number(state);
                if !first.contains(&number) {
                    first.push(number);
                }
            } else {
                nearest.offer(differences);
            }
        }
        if first.is_empty() {
            return Err(refuse(nearest.place()));
        }
        if let Some(meant) = matching.meant(run, 0) {
            let meant = matching.numbers.get(&meant).copied();
            if let Some(number) = meant.filter(|number| first.contains(number)) {
                first = vec![number];
            }
        }
        matching.push(first);
        for (position, step) in (1..).zip(run.prefix.iter().chain(&run.loop_)) {
            let meant = matching.meant(run, position);
            matching.follow(step, before + position, meant.as_ref())?;
        }
        matching.close(before + run.len())?;
        Ok(matching)
    }

    /// The state that the run is in at a position, if that is known exactly.
    fn meant(&self, run: &Run, position: usize) -> Option<J::State> {
        (self.replay.guide)(run.words.get(position)?)
    }

    fn number(&mut self, state: J::State) -> usize {
        if let Some(&number) = self.numbers.get(&state) {
            return number;
        }
        let number = self.states.len();
        self.states.push(state.clone());
        self.numbers.insert(state, number);
        number
    }

    fn push(&mut self, states: Vec<usize>) {
        self.layers.push(Layer {
            next: Vec::new(),
            allowed: vec![true; states.len()],
            states,
        });
    }

    /// Adds the layer of the states that a step of the run may lead to.
    fn follow(&mut self, step: &RunStep, number: usize, meant: Option<&J::State>) -> Result<(), Invalid> {
        let here = self.layers.last().expect("there is a layer from the start on");
        let here = here.states.clone();
        let mut targets: Vec<usize> = Vec::new();
        let mut places: HashMap<usize, usize> = HashMap::new();
        let mut next: Vec<Vec<usize>> = Vec::with_capacity(here.len());
        let mut fault = None;
        for &state in &here {
            // Where the model goes wrong no step follows; another state that matches may have one.
            let possible = match self.steps(state, here.len() > 1, number) {
                Ok(possible) => possible,
                Err(wrong) => {
                    fault = fault.or(Some(wrong));
                    next.push(Vec::new());
                    continue;
                }
            };
            let mut fitting: Vec<&J::State> = Vec::new();
            for (event, processes, target) in possible.iter() {
                if *event == step.event && *processes == step.processes && !fitting.contains(&target) {
                    fitting.push(target);
                }
            }
            let own = self.states[state].clone();
            if step.event == IDLE && possible.is_empty() {
                fitting.push(&own);
            }
            if let Some(meant) = meant
                && fitting.contains(&meant)
            {
                fitting = vec![meant];
            }
            let several = here.len() > 1 || fitting.len() > 1;
            let mut led: Vec<usize> = Vec::with_capacity(fitting.len());
            for target in fitting {
                let target = self.number(target.clone());
                if self.is_as_given(target, step, several) {
                    led.push(*places.entry(target).or_insert_with(|| {
                        targets.push(target);
                        targets.len() - 1
                    }));
                }
            }
            next.push(led);
        }
        if targets.is_empty() {
            return Err(fault.unwrap_or_else(|| self.complaint(&here, step, number)));
        }
        self.layers.last_mut().expect("there is a layer").next = next;
        self.push(targets);
        Ok(())
    }

    /// Why a step can be taken from none of these states. What they offer instead is looked at only now: collecting
    /// it on the way took longer than all the rest.
    fn complaint(&mut self, here: &[usize], step: &RunStep, number: usize) -> Invalid {
        let mut offers = Offers::default();
        let judge = self.replay.judge;
        let mut offer = |state: &J::State| {
            let differences = differences(&judge.fields(state), &step.state, &step.changes);
            offers.nearest.offer(differences);
        };
        let mut events = Vec::new();
        let mut participants = Vec::new();
        for &state in here {
            let Ok(possible) = self.steps(state, false, number) else {
                continue;
            };
            if step.event == IDLE && possible.is_empty() {
                offer(&self.states[state]);
            }
            for (event, processes, target) in possible.iter() {
                if *event != step.event {
                    events.push(event.clone());
                } else if *processes != step.processes {
                    participants.push(processes.clone());
                } else {
                    offer(target);
                }
            }
        }
        events.into_iter().for_each(|event| offers.event(event));
        participants.into_iter().for_each(|who| offers.processes(who));
        offers.complaint(number, step)
    }

    /// The steps of a state. Those of one of several states are kept, for it may be among several again.
    fn steps(&mut self, state: usize, several: bool, number: usize) -> Result<StepsOf<J>, Invalid> {
        if let Some(known) = self.known.get(&state) {
            return Ok(Rc::clone(known));
        }
        let steps = self.replay.judge.steps(&self.states[state]);
        let steps = Rc::new(steps.map_err(|f| went_wrong(number, &f))?);
        if several {
            self.known.insert(state, Rc::clone(&steps));
        }
        Ok(steps)
    }

    /// Whether a state looks like what the run gives after a step. The picture of one of several states is kept.
    fn is_as_given(&mut self, state: usize, step: &RunStep, several: bool) -> bool {
        if step.state.is_empty() && step.changes.is_empty() {
            return true;
        }
        let picture = match self.pictures.get(&state) {
            Some(picture) => Rc::clone(picture),
            None => Rc::new(self.replay.judge.fields(&self.states[state])),
        };
        let same = differences(&picture, &step.state, &step.changes).is_empty();
        if several {
            self.pictures.insert(state, picture);
        }
        same
    }

    /// Checks that the loop, if there is one, closes for some state.
    fn close(&mut self, number: usize) -> Result<(), Invalid> {
        // These are needed while the graph is made, and take more room than the graph.
        self.pictures = HashMap::new();
        self.known = HashMap::new();
        let Some(from) = self.loop_from else {
            return Ok(());
        };
        let starts = 0..self.layers[from].states.len();
        let closes = starts.into_iter().any(|start| self.bundle(Some(start)).is_some());
        match closes {
            true => Ok(()),
            false => Err(Invalid {
                step: number,
                field: None,
                message: "the loop does not come back to the state it started in".into(),
            }),
        }
    }

    pub(crate) fn judge(&self) -> &'a J {
        self.replay.judge
    }

    /// How many positions there are: one more than steps.
    pub(crate) fn len(&self) -> usize {
        self.layers.len()
    }

    /// The position where the loop starts.
    pub(crate) fn loop_from(&self) -> Option<usize> {
        self.loop_from
    }

    /// Whether exactly one execution matches.
    pub(crate) fn is_single(&self) -> bool {
        self.layers.iter().all(|layer| layer.states.len() == 1)
    }

    /// How many states match at a position.
    pub(crate) fn width(&self, position: usize) -> usize {
        self.layers[position].states.len()
    }

    /// The number of a state, given by its place at a position.
    pub(crate) fn number_at(&self, position: usize, place: usize) -> usize {
        self.layers[position].states[place]
    }

    /// The state with a number.
    pub(crate) fn state(&self, number: usize) -> &J::State {
        &self.states[number]
    }

    /// The number of a state, if it matches somewhere.
    pub(crate) fn number_of(&self, state: &J::State) -> Option<usize> {
        self.numbers.get(state).copied()
    }

    /// The places, at the next position, that one leads to.
    pub(crate) fn next(&self, position: usize, place: usize) -> &[usize] {
        let next = &self.layers[position].next;
        next.get(place).map_or(&[], Vec::as_slice)
    }

    /// The state at a place of a position.
    pub(crate) fn at(&self, position: usize, place: usize) -> &J::State {
        self.state(self.number_at(position, place))
    }

    /// Which places of each position may still be visited.
    pub(crate) fn allowed(&self) -> Vec<Vec<bool>> {
        self.layers.iter().map(|layer| layer.allowed.clone()).collect()
    }

    /// Forbids, or allows again, what may be visited at each position.
    pub(crate) fn allow(&mut self, allowed: Vec<Vec<bool>>) {
        for (layer, allowed) in self.layers.iter_mut().zip(allowed) {
            layer.allowed = allowed;
        }
    }

    /// Forbids the states of a position of which `good` is not true.
    pub(crate) fn restrict<E>(
        &mut self,
        position: usize,
        good: &dyn Fn(&J::State) -> Result<bool, E>,
    ) -> Result<(), E> {
        for place in 0..self.width(position) {
            if self.layers[position].allowed[place] {
                let good = good(self.at(position, place))?;
                self.layers[position].allowed[place] = good;
            }
        }
        Ok(())
    }

    /// The executions that are still allowed, by the state where the loop starts; those of a finite run together.
    pub(crate) fn bundles(&self) -> impl Iterator<Item = Bundle> {
        let starts: Vec<Option<usize>> = match self.loop_from {
            None => vec![None],
            Some(from) => (0..self.width(from)).map(Some).collect(),
        };
        starts.into_iter().filter_map(|start| self.bundle(start))
    }

    /// The executions whose loop starts at this place; none if there are none.
    fn bundle(&self, start: Option<usize>) -> Option<Bundle> {
        let mut alive = self.allowed();
        if let (Some(from), Some(start)) = (self.loop_from, start) {
            let last = self.len() - 1;
            let start_number = self.number_at(from, start);
            for (place, alive) in alive[from].iter_mut().enumerate() {
                *alive &= place == start;
            }
            for (place, alive) in alive[last].iter_mut().enumerate() {
                *alive &= self.number_at(last, place) == start_number;
            }
        }
        for position in 1..self.len() {
            let mut reached = vec![false; self.width(position)];
            for (place, next) in self.layers[position - 1].next.iter().enumerate() {
                if alive[position - 1][place] {
                    next.iter().for_each(|&to| reached[to] = true);
                }
            }
            for (alive, reached) in alive[position].iter_mut().zip(reached) {
                *alive &= reached;
            }
        }
        for position in (0..self.len() - 1).rev() {
            for place in 0..self.width(position) {
                let goes_on = self
                    .next(position, place)
                    .iter()
                    .any(|&to| alive[position + 1][to]);
                alive[position][place] &= goes_on;
            }
        }
        alive[0].contains(&true).then_some(Bundle { alive })
    }

    /// One execution of a bundle: its states, one more than the run has steps.
    pub(crate) fn trail(&self, bundle: &Bundle) -> Vec<J::State> {
        let first = bundle.places(0).next().expect("a bundle has an execution");
        let path = self.path(bundle, (0, first), self.len() - 1);
        let places = path.into_iter().enumerate();
        places
            .map(|(position, place)| self.at(position, place).clone())
            .collect()
    }

    /// The places of one execution of a bundle from a place on up to a position.
    pub(crate) fn path(&self, bundle: &Bundle, from: (usize, usize), to: usize) -> Vec<usize> {
        let (start, mut place) = from;
        let mut path = vec![place];
        for position in start..to {
            let mut next = self.next(position, place).iter();
            let alive = next.find(|&&to| bundle.alive[position + 1][to]);
            place = *alive.expect("every place of a bundle leads on");
            path.push(place);
        }
        path
    }
}

impl Bundle {
    /// The places of a position.
    pub(crate) fn places(&self, position: usize) -> impl Iterator<Item = usize> {
        let alive = self.alive[position].iter().enumerate();
        alive.filter(|(_, alive)| **alive).map(|(place, _)| place)
    }

    /// Whether some execution comes by here.
    pub(crate) fn contains(&self, position: usize, place: usize) -> bool {
        self.alive[position][place]
    }
}
