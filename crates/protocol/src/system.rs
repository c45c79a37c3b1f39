//! A protocol as a system to search.
//!
//! A configuration is one word a node, the [code](crate::coding) of its state; then a word for the detector, if there is
//! one (its guess, or 2 once it is correct); then, on a schedule, the number of the edge whose turn it is.
//!
//! Stepping walks the edges in order and looks up what their two nodes may do ([`crate::rows`]). In a complete network of up
//! to 64 nodes only those meet that have something to do: nodes in the same state form a class, and for each class
//! those it can act on are a set of bits. So a configuration costs the square of the number of different node states, and its steps.
//!
//! Events are numbered edge by edge, and within an edge by rule.

use crate::code::{CORRECT, Code, Kept, Scene};
use crate::coding::Coding;
use crate::model::{Action, Expr, Protocol, Schedule};
use crate::rows::{AllCompiled, Rows, compile_all};
use crate::start::Start;
use fairhold_system::{
    Changed, EventId, Fault, Fields, Label, ObjectiveId, PredicateId, ProcessesId, Stepper, Steps, System,
    Value, Word,
};
use std::sync::Arc;

/// The first event that is not reserved.
const FIRST_EVENT: u32 = 2;

/// Up to this many nodes of a complete network, sets of nodes are one machine word.
const FEW_NODES: usize = 64;

/// A protocol with the predicates that are asked of it.
#[derive(Clone, Debug)]
pub struct ProtocolSystem {
    protocol: Arc<Protocol>,
    coding: Coding,
    rules: AllCompiled,
    predicates: Vec<Code>,
    start: Start,
    /// Whether every ordered pair meets, in order, and there are few nodes.
    everyone_meets: bool,
}

impl ProtocolSystem {
    /// The system; [`PredicateId`] is an index into `predicates`. The error is a value to start with that a field cannot have.
    pub fn new(protocol: Arc<Protocol>, predicates: &[Expr]) -> Result<ProtocolSystem, Fault> {
        let coding = Coding::new(&protocol);
        let predicate = |e: &Expr| Code::of(&protocol, &coding, e);
        let nodes = protocol.nodes as usize;
        let ordered = (0..protocol.nodes).flat_map(|i| (0..protocol.nodes).map(move |r| (i, r)));
        let everyone_meets = nodes <= FEW_NODES
            && protocol.schedule == Schedule::Free
            && ordered
                .filter(|(i, r)| i != r)
                .eq(protocol.topology.edges.iter().copied());
        Ok(ProtocolSystem {
            start: Start::new(&protocol, &coding)?,
            predicates: predicates.iter().map(predicate).collect(),
            rules: compile_all(&protocol, &coding),
            everyone_meets,
            coding,
            protocol,
        })
    }

    /// An event's number.
    pub fn event(&self, action: Action) -> EventId {
        let place = |rules: &[u32], rule: u32| {
            let place = rules.iter().position(|&r| r == rule);
            place.expect("an action names a rule for as many nodes as it has") as u32
        };
        EventId(match action {
            Action::Pair(rule, edge) => {
                FIRST_EVENT + edge * self.rules.pairs.len() as u32 + place(&self.rules.pair_rules, rule)
            }
            Action::Single(rule, node) => {
                self.first_single() + place(&self.rules.single_rules, rule) * self.protocol.nodes + node
            }
            Action::Pass(edge) => self.first_pass() + edge,
            Action::Guess(guess) => self.first_of_detector() + u32::from(guess),
            Action::Correct => self.first_of_detector() + 2,
        })
    }

    /// An initial state, all of them equally likely if choices below a bound are. None if there is none, or the condition on them is met too rarely: then they can be listed.
    pub fn random_initial(&self, below: &mut dyn FnMut(usize) -> usize) -> Result<Option<Vec<Word>>, Fault> {
        let found = self.start.random(&self.coding, below)?;
        Ok(found.map(|words| {
            let mut state = vec![0; self.width()];
            let shown = self.node_count() + usize::from(self.protocol.detector.is_some());
            state[..shown].copy_from_slice(&words[..shown]);
            state
        }))
    }

    /// What an event stands for.
    fn action(&self, event: EventId) -> Action {
        let id = event.0;
        if id < self.first_single() {
            let (rules, at) = (self.rules.pairs.len() as u32, id - FIRST_EVENT);
            Action::Pair(self.rules.pair_rules[(at % rules) as usize], at / rules)
        } else if id < self.first_pass() {
            let at = id - self.first_single();
            let rule = self.rules.single_rules[(at / self.protocol.nodes) as usize];
            Action::Single(rule, at % self.protocol.nodes)
        } else if id < self.first_of_detector() {
            Action::Pass(id - self.first_pass())
        } else {
            match id - self.first_of_detector() {
                2 => Action::Correct,
                guess => Action::Guess(guess == 1),
            }
        }
    }

    fn edge_count(&self) -> u32 {
        self.protocol.topology.edges.len() as u32
    }

    fn first_single(&self) -> u32 {
        FIRST_EVENT + self.edge_count() * self.rules.pairs.len() as u32
    }

    fn first_pass(&self) -> u32 {
        self.first_single() + self.protocol.nodes * self.rules.singles.len() as u32
    }

    fn first_of_detector(&self) -> u32 {
        let passes = match self.protocol.schedule {
            Schedule::Free => 0,
            Schedule::Cyclic => self.edge_count(),
        };
        self.first_pass() + passes
    }

    fn node_count(&self) -> usize {
        self.protocol.nodes as usize
    }

    /// The place of the detector's word, if there is a detector.
    fn detector_at(&self) -> Option<usize> {
        self.protocol.detector.as_ref().map(|_| self.node_count())
    }

    /// The place of the word that tells whose turn it is, if there is a schedule.
    fn turn_at(&self) -> Option<usize> {
        let at = self.node_count() + usize::from(self.protocol.detector.is_some());
        (self.protocol.schedule == Schedule::Cyclic).then_some(at)
    }

    fn scene<'a>(&'a self, state: &'a [Word]) -> Scene<'a> {
        let detector = self.detector_at().map_or(0, |at| state[at]);
        Scene::new(&self.coding, &state[..self.node_count()], detector)
    }
}

impl System for ProtocolSystem {
    type Stepper<'a> = ProtocolStepper<'a>;

    fn width(&self) -> usize {
        let turn = usize::from(self.turn_at().is_some());
        self.node_count() + usize::from(self.protocol.detector.is_some()) + turn
    }

    fn stepper(&self) -> ProtocolStepper<'_> {
        ProtocolStepper {
            system: self,
            pairs: Rows::new(&self.protocol, &self.coding, &self.rules.pairs, true),
            singles: Rows::new(&self.protocol, &self.coding, &self.rules.singles, false),
            kept: Kept::new(&self.rules.kept),
            classes: Vec::new(),
            class_of: Vec::new(),
            acts_on: Vec::new(),
        }
    }

    fn event_name(&self, event: EventId) -> String {
        self.protocol.action_name(self.action(event))
    }

    fn processes(&self, _: ProcessesId) -> Vec<u32> {
        Vec::new()
    }

    fn is_ended(&self, _: &[Word]) -> bool {
        false
    }

    fn fields(&self, state: &[Word]) -> Fields {
        let mut fields = Fields::new();
        for (id, field) in (0..).map(crate::model::FieldId).zip(&self.protocol.fields) {
            let shown = |code: &Word| {
                let value = self.coding.value(id, *code);
                match field
                    .names
                    .get((i64::from(value) - i64::from(field.low)) as usize)
                {
                    Some(name) => Value::Text(name.clone()),
                    None => Value::Int(i64::from(value)),
                }
            };
            let values = state[..self.node_count()].iter().map(shown).collect();
            fields.push((field.name.clone(), Value::List(values)));
        }
        if let Some(at) = self.detector_at() {
            let word = match state[at] {
                CORRECT => "correct",
                1 => "guessT",
                _ => "guessF",
            };
            fields.push(("detector".to_owned(), Value::Text(word.to_owned())));
        }
        if let Some(at) = self.turn_at() {
            let (i, r) = self.protocol.topology.edges[state[at] as usize];
            fields.push(("next edge".to_owned(), Value::Text(format!("{i}.{r}"))));
        }
        fields
    }
}

/// One worker's stepping through a [`ProtocolSystem`].
#[derive(Debug)]
pub struct ProtocolStepper<'a> {
    system: &'a ProtocolSystem,
    pairs: Rows<'a>,
    singles: Rows<'a>,
    kept: Kept<'a>,
    /// In a complete network: the different node states, and the nodes that have each.
    classes: Vec<(Word, u64)>,
    /// By node: its class.
    class_of: Vec<usize>,
    /// By class: the nodes that an initiator of it can act on.
    acts_on: Vec<u64>,
}

/// A step of the schedule: the place of the word that tells whose turn it is, and its new value.
type Turn = Option<(usize, Word)>;

impl ProtocolStepper<'_> {
    /// Adds the steps of an edge.
    #[inline]
    fn edge(
        &mut self,
        edge: u32,
        (i, r): (u32, u32),
        turn: Turn,
        state: &[Word],
        out: &mut Steps,
    ) -> Result<(), Fault> {
        let (first, second) = (state[i as usize], state[r as usize]);
        let entry = self.pairs.entry(first, second);
        if entry.is_empty() {
            return Ok(());
        }
        let system = self.system;
        let events = FIRST_EVENT + edge * system.rules.pairs.len() as u32;
        let scene = system.scene(state).on(i, r);
        for place in entry.rows() {
            let row = self.pairs.row(place);
            if !self.pairs.allows(row, &scene, &mut self.kept).map_err(|f| *f)? {
                continue;
            }
            let after = self.pairs.outcome(row, &scene, &mut self.kept);
            let [a, b] = after.map_err(|f| *f)?;
            let mut changed = Changed::NOTHING;
            if a != first {
                changed |= Changed::word(i as usize);
            }
            if b != second {
                changed |= Changed::word(r as usize);
            }
            let event = EventId(events + row.rule);
            let target = out.push_changing(label(event), state, changed);
            target[i as usize] = a;
            target[r as usize] = b;
            if let Some((at, next)) = turn {
                target[at] = next;
                out.also_changes(Changed::word(at));
            }
            if row.may_repeat {
                drop_repeated(out, event);
            }
        }
        Ok(())
    }

    /// Adds the steps of all edges of a complete network.
    fn everyone(&mut self, state: &[Word], out: &mut Steps) -> Result<(), Fault> {
        let nodes = self.system.node_count();
        self.classes.clear();
        self.class_of.clear();
        for (n, &word) in state[..nodes].iter().enumerate() {
            let known = self.classes.iter().position(|(state, _)| *state == word);
            let class = known.unwrap_or(self.classes.len());
            if known.is_none() {
                self.classes.push((word, 0));
            }
            self.classes[class].1 |= 1 << n;
            self.class_of.push(class);
        }
        self.acts_on.clear();
        for &(initiator, _) in &self.classes {
            let mut acts_on = 0;
            for &(responder, nodes) in &self.classes {
                if !self.pairs.entry(initiator, responder).is_empty() {
                    acts_on |= nodes;
                }
            }
            self.acts_on.push(acts_on);
        }
        for i in 0..nodes as u32 {
            let mut others = self.acts_on[self.class_of[i as usize]] & !(1 << i);
            while others != 0 {
                let r = others.trailing_zeros();
                others &= others - 1;
                let edge = i * (nodes as u32 - 1) + r - u32::from(r > i);
                self.edge(edge, (i, r), None, state, out)?;
            }
        }
        Ok(())
    }

    /// Adds the steps of the edge whose turn it is, told by the word at `at`.
    fn scheduled(&mut self, at: usize, state: &[Word], out: &mut Steps) -> Result<(), Fault> {
        let system = self.system;
        let edge = state[at];
        let next = (edge + 1) % system.edge_count();
        let from = out.len();
        let ends = system.protocol.topology.edges[edge as usize];
        self.edge(edge, ends, Some((at, next)), state, out)?;
        if out.len() == from {
            let event = EventId(system.first_pass() + edge);
            out.push_changing(label(event), state, Changed::word(at))[at] = next;
        }
        Ok(())
    }

    /// Adds the steps of rules for one node.
    fn alone(&mut self, state: &[Word], out: &mut Steps) -> Result<(), Fault> {
        let system = self.system;
        for rule in 0..system.rules.singles.len() as u32 {
            for node in 0..system.protocol.nodes {
                let before = state[node as usize];
                let entry = self.singles.entry(before, 0);
                let scene = system.scene(state).on(node, node);
                for place in entry.rows() {
                    let row = self.singles.row(place);
                    if row.rule != rule
                        || !self.singles.allows(row, &scene, &mut self.kept).map_err(|f| *f)?
                    {
                        continue;
                    }
                    let after = self.singles.outcome(row, &scene, &mut self.kept);
                    let [after, _] = after.map_err(|f| *f)?;
                    let changed = match after == before {
                        true => Changed::NOTHING,
                        false => Changed::word(node as usize),
                    };
                    let event = EventId(system.first_single() + rule * system.protocol.nodes + node);
                    out.push_changing(label(event), state, changed)[node as usize] = after;
                    if row.may_repeat {
                        drop_repeated(out, event);
                    }
                }
            }
        }
        Ok(())
    }
}

impl Stepper for ProtocolStepper<'_> {
    fn initial(&mut self, out: &mut Steps) -> Result<(), Fault> {
        let mut cursor = Some(0);
        while let Some(at) = cursor {
            cursor = self.initial_from(at, out)?;
        }
        Ok(())
    }

    fn initial_from(&mut self, cursor: u64, out: &mut Steps) -> Result<Option<u64>, Fault> {
        let system = self.system;
        let mut state = vec![0; system.width()];
        let shown = system.node_count() + usize::from(system.detector_at().is_some());
        system.start.some(&system.coding, cursor, &mut |words| {
            state[..shown].copy_from_slice(&words[..shown]);
            out.push(label(EventId::TAU), &state);
        })
    }

    fn steps(&mut self, state: &[Word], out: &mut Steps) -> Result<(), Fault> {
        let system = self.system;
        self.kept.clear();
        if let Some(at) = system.turn_at() {
            self.scheduled(at, state, out)?;
        } else if system.everyone_meets {
            self.everyone(state, out)?;
        } else {
            for (edge, &ends) in (0..).zip(&system.protocol.topology.edges) {
                self.edge(edge, ends, None, state, out)?;
            }
        }
        self.alone(state, out)?;
        if let Some(at) = system.detector_at().filter(|&at| state[at] != CORRECT) {
            let steps = [
                (Action::Guess(true), 1),
                (Action::Guess(false), 0),
                (Action::Correct, CORRECT),
            ];
            for (action, word) in steps {
                let event = system.event(action);
                out.push_changing(label(event), state, Changed::word(at))[at] = word;
            }
        }
        Ok(())
    }

    fn holds(&mut self, predicate: PredicateId, state: &[Word]) -> Result<bool, Fault> {
        let system = self.system;
        let code = &system.predicates[predicate.0 as usize];
        let value = code.eval(&system.scene(state), &mut Kept::new(&[]));
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
#[inline]
fn label(event: EventId) -> Label {
    Label {
        event,
        processes: ProcessesId::NONE,
    }
}

/// Drops the last step if one just before it has the same event and target. Steps of an event stand together.
fn drop_repeated(out: &mut Steps, event: EventId) {
    let mut from = out.len() - 1;
    while from > 0 && out.label(from - 1).event == event {
        from -= 1;
    }
    out.drop_repeated(from);
}
