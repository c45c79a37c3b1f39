//! Counting: a complete network of anonymous nodes as a multiset of node states.
//!
//! Where everyone meets everyone and nothing tells nodes apart, configurations that differ by a permutation of the nodes behave alike. So
//! a state is how many nodes are in each node state, then the detector's word. Four node states make 1.3 million
//! multisets of 200 nodes, and 10^120 configurations.
//!
//! The quotient knows no nodes, so its events are the rules: `rule1` for `rule1.0.3` and all others. It is exact for what a finite
//! path decides, and under strong global fairness for boolean combinations of `GF` and `FG` of conditions that do not tell nodes
//! apart: a fair execution visits exactly one of the terminal components of the graph, all of it, and the terminal components of the quotient
//! are the images of those. It is not for fairness to actions, which it cannot name. [Angluin-DISTCOMP'07]
//!
//! A state costs a look at every pair of node states that occur. Only node states that rules can lead to have a word.

use crate::bounds::Reads;
use crate::code::{CORRECT, Code, Kept, Scene};
use crate::coding::Coding;
use crate::counted_judge::{shown, shows_all};
use crate::model::{Action, Expr, FieldId, Place, Protocol, Schedule, Shape};
use crate::rows::{AllCompiled, Rows, compile_all};
use crate::start::Start;
use fairhold_system::{
    Changed, EventId, Fault, Fields, Label, ObjectiveId, PredicateId, ProcessesId, Stepper, Steps, System,
    Value, Word,
};
use std::sync::Arc;

/// The first event that is not reserved.
const FIRST_EVENT: u32 = 2;
/// With more node states than this, a state would be too wide.
const MANY_STATES: usize = 64;
/// How many multisets are looked at, or handed out, at once.
const AT_ONCE: u64 = 1 << 10;

/// Why the nodes of a protocol cannot be counted, as a phrase; these are the conditions that are asked about.
pub fn tells_nodes_apart(protocol: &Protocol, asked: &[Expr]) -> Option<String> {
    let is_complete = protocol.topology.shape == Shape::Complete;
    if !is_complete {
        return Some("the network is not complete".to_owned());
    }
    if protocol.schedule != Schedule::Free {
        return Some("the edges act on a schedule".to_owned());
    }
    if let Some(rule) = protocol.rules.iter().find(|rule| {
        let values = rule.alternatives.iter().flatten().map(|a| &a.value);
        names_nodes(&rule.guard) || values.into_iter().any(names_nodes)
    }) {
        return Some(format!(
            "the rule `{}` speaks of nodes by their numbers",
            rule.name
        ));
    }
    let global = |e: &Expr| Reads::of(e).configuration;
    if let Some(rule) = protocol.rules.iter().find(|rule| {
        let mut values = rule.alternatives.iter().flatten();
        values.any(|a| global(&a.value))
    }) {
        return Some(format!(
            "what the rule `{}` leads to depends on the whole configuration",
            rule.name
        ));
    }
    if protocol.detector.as_ref().is_some_and(|d| names_nodes(&d.truth)) {
        return Some("the detector speaks of nodes by their numbers".to_owned());
    }
    let inputs = protocol
        .fields
        .iter()
        .filter_map(|f| Some((f, f.value.as_ref()?)));
    let said = protocol.initial.values.iter();
    let said = said.map(|(id, value)| (&protocol.fields[id.index()], value));
    if let Some((field, _)) = inputs.chain(said).find(|(_, value)| names_nodes(value)) {
        return Some(format!("`{}` starts differently at different nodes", field.name));
    }
    if protocol.initial.condition.as_ref().is_some_and(names_nodes) {
        return Some("the initial condition speaks of nodes by their numbers".to_owned());
    }
    if asked.iter().any(names_nodes) {
        return Some("the assertion speaks of nodes by their numbers".to_owned());
    }
    None
}

/// Whether an expression reads the number of a node, or a node by its number.
fn names_nodes(expr: &Expr) -> bool {
    match expr {
        Expr::Const(_) | Expr::Detector | Expr::Correct => false,
        Expr::Field(place, _) => matches!(place, Place::At(_)),
        Expr::Node(_) => true,
        Expr::Count(e) | Expr::Not(e) | Expr::Minus(e) => names_nodes(e),
        Expr::Binary(_, a, b, _) => names_nodes(a) || names_nodes(b),
    }
}

/// A protocol whose nodes are counted, with the predicates that are asked of it.
#[derive(Clone, Debug)]
pub struct CountedSystem {
    pub(crate) protocol: Arc<Protocol>,
    coding: Coding,
    pub(crate) rules: AllCompiled,
    predicates: Vec<Code>,
    condition: Option<Code>,
    /// The node states that have a word: those to start with, then those that rules lead to.
    pub(crate) states: Vec<Word>,
    /// How many of these a node may start in.
    starts: usize,
    /// By node state: the place of its word.
    place: Vec<u32>,
    /// All node states in the order of their fields' values.
    in_order: Vec<Word>,
}

/// What an event of the quotient stands for.
pub(crate) enum Meaning {
    /// A rule for two nodes, by its place among those.
    Pair(u32),
    /// A rule for one node, by its place among those.
    Single(u32),
    /// A step of the detector.
    Detector(Action),
}

impl CountedSystem {
    /// The system; [`PredicateId`] is an index into `predicates`. None if there are too many node states.
    ///
    /// # Panics
    /// If something tells nodes apart: ask [`tells_nodes_apart`] first.
    pub fn new(protocol: Arc<Protocol>, predicates: &[Expr]) -> Result<Option<CountedSystem>, Fault> {
        assert_eq!(
            tells_nodes_apart(&protocol, predicates),
            None,
            "only anonymous nodes are counted"
        );
        let coding = Coding::new(&protocol);
        let code = |e: &Expr| Code::of(&protocol, &coding, e);
        let mut states = Start::new(&protocol, &coding)?.of_node(0).to_vec();
        let starts = states.len();
        let mut made = CountedSystem {
            condition: protocol.initial.condition.as_ref().map(code),
            predicates: predicates.iter().map(code).collect(),
            place: Vec::new(),
            in_order: Vec::new(),
            states: Vec::new(),
            starts,
            rules: compile_all(&protocol, &coding),
            coding,
            protocol,
        };
        if !made.close(&mut states) {
            return Ok(None);
        }
        made.place = vec![u32::MAX; made.coding.states];
        for (place, &state) in (0..).zip(&states) {
            made.place[state as usize] = place;
        }
        made.states = states;
        made.in_order = (0..made.coding.states as Word).collect();
        let coding = &made.coding;
        made.in_order.sort_by_key(|&code| {
            let fields = 0..made.protocol.fields.len() as u32;
            fields
                .map(|f| coding.value(FieldId(f), code))
                .collect::<Vec<i32>>()
        });
        Ok(Some(made))
    }

    /// Adds the node states that rules lead to, whatever the rest of the configuration; false if they are too many.
    fn close(&self, states: &mut Vec<Word>) -> bool {
        let mut pairs = Rows::new(&self.protocol, &self.coding, &self.rules.pairs, true);
        let mut singles = Rows::new(&self.protocol, &self.coding, &self.rules.singles, false);
        let mut done = 0;
        while done < states.len() && states.len() <= MANY_STATES {
            let new = states[done];
            let mut found = Vec::new();
            let known = singles.entry(new, 0).rows();
            let known = known.filter_map(|at| singles.row(at).known());
            found.extend(known.map(|[state, _]| state));
            for &other in &states[..=done] {
                for (a, b) in [(new, other), (other, new)] {
                    let rows = pairs.entry(a, b).rows();
                    found.extend(rows.filter_map(|at| pairs.row(at).known()).flatten());
                }
            }
            for state in found {
                if !states.contains(&state) {
                    states.push(state);
                }
            }
            done += 1;
        }
        states.len() <= MANY_STATES
    }

    pub(crate) fn detector_at(&self) -> Option<usize> {
        self.protocol.detector.as_ref().map(|_| self.states.len())
    }

    fn scene<'a>(&'a self, state: &'a [Word]) -> Scene<'a> {
        let detector = self.detector_at().map_or(0, |at| state[at]);
        Scene {
            weights: Some(&state[..self.states.len()]),
            ..Scene::new(&self.coding, &self.states, detector)
        }
    }

    /// What an event stands for.
    pub(crate) fn meaning(&self, event: EventId) -> Meaning {
        if event.0 < self.first_single() {
            Meaning::Pair(event.0 - FIRST_EVENT)
        } else if event.0 < self.first_of_detector() {
            Meaning::Single(event.0 - self.first_single())
        } else {
            Meaning::Detector(match event.0 - self.first_of_detector() {
                2 => Action::Correct,
                guess => Action::Guess(guess == 1),
            })
        }
    }

    fn first_single(&self) -> u32 {
        FIRST_EVENT + self.rules.pairs.len() as u32
    }

    fn first_of_detector(&self) -> u32 {
        self.first_single() + self.rules.singles.len() as u32
    }

    /// How many multisets of so many nodes there are over the last `kinds` node states to start with.
    fn multisets(nodes: u64, kinds: u64) -> u64 {
        // The number of ways to choose `kinds - 1` of `nodes + kinds - 1`.
        let mut ways: u128 = 1;
        for k in 1..kinds {
            ways = ways * u128::from(nodes + k) / u128::from(k);
            if ways > u128::from(u64::MAX) {
                return u64::MAX;
            }
        }
        ways as u64
    }

    /// Calls `each` with the words of some initial states, from number `cursor` on. Returns the number to go on from.
    fn some_initial(&self, cursor: u64, each: &mut dyn FnMut(&[Word])) -> Result<Option<u64>, Fault> {
        let nodes = u64::from(self.protocol.nodes);
        let guesses: u64 = if self.protocol.detector.is_some() { 2 } else { 1 };
        let total = Self::multisets(nodes, self.starts as u64).saturating_mul(guesses);
        let end = cursor.saturating_add(AT_ONCE).min(total);
        let mut words = vec![0; self.width()];
        for number in cursor..end {
            let mut rank = number / guesses;
            let mut left = nodes;
            for (after, word) in (0..self.starts as u64).rev().zip(&mut words) {
                let mut count = 0;
                if after == 0 {
                    count = left;
                } else {
                    loop {
                        let ways = Self::multisets(left - count, after);
                        if rank < ways {
                            break;
                        }
                        rank -= ways;
                        count += 1;
                    }
                }
                *word = count as Word;
                left -= count;
            }
            if let Some(at) = self.detector_at() {
                words[at] = (number % guesses) as Word;
            }
            let holds = match &self.condition {
                None => true,
                Some(condition) => {
                    let value = condition.eval(&self.scene(&words), &mut Kept::new(&[]));
                    value.map_err(|f| *f)? != 0
                }
            };
            if holds {
                each(&words);
            }
        }
        Ok((end < total).then_some(end))
    }
}

impl System for CountedSystem {
    type Stepper<'a> = CountedStepper<'a>;

    fn width(&self) -> usize {
        self.states.len() + usize::from(self.protocol.detector.is_some())
    }

    fn stepper(&self) -> CountedStepper<'_> {
        CountedStepper {
            system: self,
            pairs: Rows::new(&self.protocol, &self.coding, &self.rules.pairs, true),
            singles: Rows::new(&self.protocol, &self.coding, &self.rules.singles, false),
            kept: Kept::new(&self.rules.kept),
        }
    }

    fn event_name(&self, event: EventId) -> String {
        let rule = |numbers: &[u32], at: u32| self.protocol.rules[numbers[at as usize] as usize].name.clone();
        match self.meaning(event) {
            Meaning::Pair(at) => rule(&self.rules.pair_rules, at),
            Meaning::Single(at) => rule(&self.rules.single_rules, at),
            Meaning::Detector(action) => self.protocol.action_name(action),
        }
    }

    fn processes(&self, _: ProcessesId) -> Vec<u32> {
        Vec::new()
    }

    fn is_ended(&self, _: &[Word]) -> bool {
        false
    }

    fn fields(&self, state: &[Word]) -> Fields {
        let count = |code: &Word| match self.place[*code as usize] {
            u32::MAX => 0,
            place => i64::from(state[place as usize]),
        };
        let all = shows_all(self.in_order.len());
        let listed = self.in_order.iter().map(|code| (code, count(code)));
        let listed = listed.filter(|(_, count)| all || *count > 0);
        let mut fields: Fields = listed
            .map(|(&code, count)| {
                let values: Vec<i32> = (0..self.protocol.fields.len() as u32)
                    .map(|field| self.coding.value(FieldId(field), code))
                    .collect();
                (shown(&self.protocol.fields, &values), Value::Int(count))
            })
            .collect();
        if let Some(at) = self.detector_at() {
            let word = match state[at] {
                CORRECT => "correct",
                1 => "guessT",
                _ => "guessF",
            };
            fields.push(("detector".to_owned(), Value::Text(word.to_owned())));
        }
        fields
    }
}

/// One worker's stepping through a [`CountedSystem`].
#[derive(Debug)]
pub struct CountedStepper<'a> {
    system: &'a CountedSystem,
    pairs: Rows<'a>,
    singles: Rows<'a>,
    kept: Kept<'a>,
}

/// Who hears of each step: its label and target, the places of the states of those who take it, and their states afterwards.
pub(crate) type Hears<'h> = dyn FnMut(Label, &[Word], [usize; 2], [Word; 2]) + 'h;

impl CountedStepper<'_> {
    /// Adds the steps of nodes; no two are the same.
    pub(crate) fn steps_by(
        &mut self,
        state: &[Word],
        out: &mut Steps,
        hears: &mut Hears<'_>,
    ) -> Result<(), Fault> {
        let kinds = self.system.states.len();
        let from = out.len();
        self.kept.clear();
        for a in (0..kinds).filter(|&a| state[a] > 0) {
            for b in (0..kinds).filter(|&b| state[b] > u32::from(a == b)) {
                self.meet(a, b, state, out, hears)?;
            }
        }
        for a in (0..kinds).filter(|&a| state[a] > 0) {
            self.alone(a, state, out, hears)?;
        }
        out.dedup_from(from);
        Ok(())
    }

    /// Adds what nodes in these two states do together.
    fn meet(
        &mut self,
        a: usize,
        b: usize,
        state: &[Word],
        out: &mut Steps,
        hears: &mut Hears<'_>,
    ) -> Result<(), Fault> {
        let system = self.system;
        let entry = self.pairs.entry(system.states[a], system.states[b]);
        let scene = system.scene(state).on(a as u32, b as u32);
        for at in entry.rows() {
            let row = self.pairs.row(at);
            if !self.pairs.allows(row, &scene, &mut self.kept).map_err(|f| *f)? {
                continue;
            }
            let after = self.pairs.outcome(row, &scene, &mut self.kept).map_err(|f| *f)?;
            let [c, d] = after.map(|code| system.place[code as usize] as usize);
            let changed = [a, b, c, d].into_iter().map(Changed::word).collect();
            let label = label(EventId(FIRST_EVENT + row.rule));
            let target = out.push_changing(label, state, changed);
            target[a] -= 1;
            target[b] -= 1;
            target[c] += 1;
            target[d] += 1;
            hears(label, target, [a, b], after);
        }
        Ok(())
    }

    /// Adds what a node in this state does alone.
    fn alone(
        &mut self,
        a: usize,
        state: &[Word],
        out: &mut Steps,
        hears: &mut Hears<'_>,
    ) -> Result<(), Fault> {
        let system = self.system;
        let entry = self.singles.entry(system.states[a], 0);
        let scene = system.scene(state).on(a as u32, a as u32);
        for at in entry.rows() {
            let row = self.singles.row(at);
            if !self.singles.allows(row, &scene, &mut self.kept).map_err(|f| *f)? {
                continue;
            }
            let after = self
                .singles
                .outcome(row, &scene, &mut self.kept)
                .map_err(|f| *f)?;
            let c = system.place[after[0] as usize] as usize;
            let label = label(EventId(system.first_single() + row.rule));
            let target = out.push_changing(label, state, Changed::word(a) | Changed::word(c));
            target[a] -= 1;
            target[c] += 1;
            hears(label, target, [a, a], after);
        }
        Ok(())
    }
}

impl Stepper for CountedStepper<'_> {
    fn initial(&mut self, out: &mut Steps) -> Result<(), Fault> {
        let mut cursor = Some(0);
        while let Some(at) = cursor {
            cursor = self.initial_from(at, out)?;
        }
        Ok(())
    }

    fn initial_from(&mut self, cursor: u64, out: &mut Steps) -> Result<Option<u64>, Fault> {
        self.system.some_initial(cursor, &mut |words| {
            out.push(label(EventId::TAU), words);
        })
    }

    fn steps(&mut self, state: &[Word], out: &mut Steps) -> Result<(), Fault> {
        self.steps_by(state, out, &mut |_, _, _, _| {})?;
        let system = self.system;
        if let Some(at) = system.detector_at().filter(|&at| state[at] != CORRECT) {
            let first = system.first_of_detector();
            for (event, word) in [(first + 1, 1), (first, 0), (first + 2, CORRECT)] {
                out.push_changing(label(EventId(event)), state, Changed::word(at))[at] = word;
            }
        }
        Ok(())
    }

    fn holds(&mut self, predicate: PredicateId, state: &[Word]) -> Result<bool, Fault> {
        let code = &self.system.predicates[predicate.0 as usize];
        let value = code.eval(&self.system.scene(state), &mut Kept::new(&[]));
        value.map(|value| value != 0).map_err(|f| *f)
    }

    fn measure(&mut self, _: ObjectiveId, _: &[Word]) -> Result<i64, Fault> {
        unreachable!("no property of a protocol has an objective")
    }

    fn bytes(&self) -> u64 {
        self.pairs.bytes() + self.singles.bytes()
    }
}

/// The label of a step: no processes take part in anything.
fn label(event: EventId) -> Label {
    Label {
        event,
        processes: ProcessesId::NONE,
    }
}
