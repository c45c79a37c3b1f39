//! What two nodes in given states may do: rows, computed when the states first meet.
//!
//! Of a guard, the conjuncts that read nothing but the two nodes' fields decide whether there is a row; what reads counts,
//! other nodes, node numbers or the detector stays with the row and is evaluated in the configuration. Likewise, a row holds the new
//! states of the two nodes if they depend on nothing else. So an action of most protocols is two table look-ups.
//!
//! A conjunct is decided before its turn only if none before it can go wrong, and whatever goes wrong while rows are made is
//! left to the configuration: a fault is met exactly where evaluating the rule as written meets it.
//!
//! Memory: 8 bytes for each pair of node states of protocols with few of them; of others, pairs that were met.

use crate::bounds::{Reads, bounds};
use crate::code::{Code, Compiler, Kept, Scene};
use crate::coding::Coding;
use crate::fault;
use crate::model::{Assign, Expr, FieldId, Operator, Place, Protocol, Rule};
use fairhold_source::Span;
use fairhold_system::{Fault, Word};
use rustc_hash::FxHashMap;

/// Up to this many node states, there is a place for every pair.
const DENSE: usize = 1024;

/// Marks a row whose outcome is computed in the configuration.
const COMPUTED: Word = Word::MAX;

/// A rule, compiled.
#[derive(Clone, Debug)]
pub(crate) struct Compiled {
    /// Conjuncts of the guard that the states of the nodes decide.
    local: Vec<Code>,
    /// What the configuration decides, if there is something.
    rest: Option<Code>,
    /// The guard as written.
    whole: Code,
    alternatives: Vec<Alternative>,
}

/// What may happen.
#[derive(Clone, Debug)]
struct Alternative {
    assigns: Vec<(bool, FieldId, Code, Span)>,
    /// Whether it depends on the states of the nodes alone.
    local: bool,
}

/// Something that two nodes may do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Row {
    /// The rule, by its place among the rules for as many nodes.
    pub(crate) rule: u32,
    /// What is still to be asked.
    pub(crate) guard: Guard,
    /// The new state of the initiator; [`COMPUTED`] if it is not known.
    initiator: Word,
    /// The new state of the responder; or the number of the alternative.
    responder: Word,
    /// Whether another alternative may come to the same, which only the configuration tells.
    pub(crate) may_repeat: bool,
}

impl Row {
    /// The new states of the two nodes, if they depend on nothing else.
    pub(crate) fn known(self) -> Option<[Word; 2]> {
        (self.initiator != COMPUTED).then_some([self.initiator, self.responder])
    }
}

/// What is still to be asked before a row is taken.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Guard {
    Nothing,
    /// What the configuration decides.
    Rest,
    /// All, as written.
    Whole,
}

/// The rows of a pair: a stretch of the list of rows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Entry {
    first: u32,
    end: u32,
}

impl Entry {
    const UNKNOWN: Entry = Entry { first: 1, end: 0 };

    #[inline]
    pub(crate) fn is_empty(self) -> bool {
        self.first == self.end
    }

    #[inline]
    pub(crate) fn rows(self) -> std::ops::Range<usize> {
        self.first as usize..self.end as usize
    }
}

/// The rules of a protocol, ready to be looked up by node states.
#[derive(Clone, Debug)]
pub(crate) struct AllCompiled {
    /// Rules for two nodes and for one: their numbers in the protocol, in the order of the file.
    pub(crate) pair_rules: Vec<u32>,
    pub(crate) single_rules: Vec<u32>,
    /// The same rules, compiled.
    pub(crate) pairs: Vec<Compiled>,
    pub(crate) singles: Vec<Compiled>,
    /// Parts of rules that are the same for all edges.
    pub(crate) kept: Vec<Code>,
}

/// Compiles all rules.
pub(crate) fn compile_all(protocol: &Protocol, coding: &Coding) -> AllCompiled {
    let mut kept = Vec::new();
    let numbered = |pair: bool| {
        let rules = (0..).zip(&protocol.rules).filter(move |(_, r)| r.pair == pair);
        rules.map(|(number, _)| number).collect::<Vec<u32>>()
    };
    let (pair_rules, single_rules) = (numbered(true), numbered(false));
    let mut compiled = |numbers: &[u32]| -> Vec<Compiled> {
        let rules = numbers.iter().map(|&n| &protocol.rules[n as usize]);
        rules
            .map(|rule| compile(protocol, coding, &mut kept, rule))
            .collect()
    };
    let (pairs, singles) = (compiled(&pair_rules), compiled(&single_rules));
    AllCompiled {
        pair_rules,
        single_rules,
        pairs,
        singles,
        kept,
    }
}

/// Compiles a rule; what is the same for all edges goes into `keep`.
fn compile(protocol: &Protocol, coding: &Coding, keep: &mut Vec<Code>, rule: &Rule) -> Compiled {
    let mut compiler = Compiler {
        protocol,
        coding,
        keep: Some(keep),
    };
    let mut conjuncts = Vec::new();
    flatten(&rule.guard, &mut conjuncts);
    let (mut local, mut rest): (Vec<&Expr>, Option<Expr>) = (Vec::new(), None);
    let mut may_move = true;
    for conjunct in conjuncts {
        if may_move && Reads::of(conjunct).is_local() {
            local.push(conjunct);
            continue;
        }
        may_move &= bounds(protocol, conjunct).is_some();
        rest = Some(match rest {
            None => conjunct.clone(),
            Some(before) => {
                let both = (Box::new(before), Box::new(conjunct.clone()));
                Expr::Binary(Operator::And, both.0, both.1, rule.span)
            }
        });
    }
    let mut alternative = |assigns: &Vec<Assign>| Alternative {
        local: assigns.iter().all(|a| Reads::of(&a.value).is_local()),
        assigns: assigns
            .iter()
            .map(|a| {
                let first = a.place == Place::Initiator;
                (first, a.field, compiler.compile(&a.value), a.span)
            })
            .collect(),
    };
    let alternatives = rule.alternatives.iter().map(&mut alternative).collect();
    Compiled {
        alternatives,
        local: local.into_iter().map(|e| compiler.compile(e)).collect(),
        rest: rest.as_ref().map(|e| compiler.compile(e)),
        whole: compiler.compile(&rule.guard),
    }
}

fn flatten<'a>(guard: &'a Expr, conjuncts: &mut Vec<&'a Expr>) {
    match guard {
        Expr::Binary(Operator::And, a, b, _) => {
            flatten(a, conjuncts);
            flatten(b, conjuncts);
        }
        other => conjuncts.push(other),
    }
}

/// The rows of one worker, for rules that all take as many nodes.
#[derive(Clone, Debug)]
pub(crate) struct Rows<'a> {
    protocol: &'a Protocol,
    coding: &'a Coding,
    rules: &'a [Compiled],
    /// How many states a responder has: one if the rules have none.
    responders: usize,
    /// By initiator's and responder's state, if there are few.
    dense: Vec<Entry>,
    sparse: FxHashMap<(Word, Word), Entry>,
    rows: Vec<Row>,
}

impl<'a> Rows<'a> {
    /// Of rules for two nodes, or (`pair` is false) for one.
    pub(crate) fn new(
        protocol: &'a Protocol,
        coding: &'a Coding,
        rules: &'a [Compiled],
        pair: bool,
    ) -> Rows<'a> {
        let responders = if pair { coding.states } else { 1 };
        let dense = match coding.states {
            few if few <= DENSE => few * responders,
            _ => 0,
        };
        Rows {
            protocol,
            coding,
            rules,
            responders,
            dense: vec![Entry::UNKNOWN; dense],
            sparse: FxHashMap::default(),
            rows: Vec::new(),
        }
    }

    /// What two nodes in these states may do.
    #[inline(always)]
    pub(crate) fn entry(&mut self, initiator: Word, responder: Word) -> Entry {
        let place = initiator as usize * self.responders + responder as usize;
        match self.dense.get(place) {
            Some(&entry) if entry != Entry::UNKNOWN => entry,
            _ => self.find(initiator, responder),
        }
    }

    /// The row at a place of an entry.
    #[inline]
    pub(crate) fn row(&self, place: usize) -> Row {
        self.rows[place]
    }

    #[cold]
    fn find(&mut self, initiator: Word, responder: Word) -> Entry {
        if let Some(&entry) = self.sparse.get(&(initiator, responder)) {
            return entry;
        }
        let first = self.rows.len() as u32;
        for (number, rule) in (0..).zip(self.rules) {
            make(
                self.coding,
                self.protocol,
                number,
                rule,
                [initiator, responder],
                &mut self.rows,
            );
        }
        let entry = Entry {
            first,
            end: self.rows.len() as u32,
        };
        if self.dense.is_empty() {
            self.sparse.insert((initiator, responder), entry);
        } else {
            self.dense[initiator as usize * self.responders + responder as usize] = entry;
        }
        entry
    }

    /// Whether a row can be taken in a configuration.
    #[inline]
    pub(crate) fn allows(
        &self,
        row: Row,
        scene: &Scene<'_>,
        kept: &mut Kept<'_>,
    ) -> Result<bool, Box<Fault>> {
        let rule = &self.rules[row.rule as usize];
        match (row.guard, &rule.rest) {
            (Guard::Nothing, _) | (Guard::Rest, None) => Ok(true),
            (Guard::Rest, Some(rest)) => Ok(rest.eval(scene, kept)? != 0),
            (Guard::Whole, _) => Ok(rule.whole.eval(scene, kept)? != 0),
        }
    }

    /// The states of the two nodes after a row is taken.
    #[inline]
    pub(crate) fn outcome(
        &self,
        row: Row,
        scene: &Scene<'_>,
        kept: &mut Kept<'_>,
    ) -> Result<[Word; 2], Box<Fault>> {
        if row.initiator != COMPUTED {
            return Ok([row.initiator, row.responder]);
        }
        let alternative = &self.rules[row.rule as usize].alternatives[row.responder as usize];
        let states = [scene.initiator, scene.responder].map(|n| scene.nodes[n as usize]);
        assign(self.coding, self.protocol, alternative, states, scene, kept)
    }

    /// About how many bytes these tables take.
    pub(crate) fn bytes(&self) -> u64 {
        let sparse = self.sparse.capacity() * (size_of::<(Word, Word)>() + size_of::<Entry>() + 1);
        let rows = self.rows.capacity() * size_of::<Row>();
        (size_of_val(&*self.dense) + sparse + rows) as u64
    }
}

/// Adds the rows of a rule for two nodes in these states.
fn make(
    coding: &Coding,
    protocol: &Protocol,
    number: u32,
    rule: &Compiled,
    states: [Word; 2],
    rows: &mut Vec<Row>,
) {
    // Nothing local reads a node's number or another node, so these two are the whole network.
    let scene = Scene::new(coding, &states, 0).on(0, 1);
    let kept = &mut Kept::new(&[]);
    let mut guard = match rule.rest {
        None => Guard::Nothing,
        Some(_) => Guard::Rest,
    };
    for conjunct in &rule.local {
        match conjunct.eval(&scene, kept) {
            Ok(0) => return,
            Ok(_) => {}
            Err(_) => {
                guard = Guard::Whole;
                break;
            }
        }
    }
    let first = rows.len();
    for (alternative, choice) in (0..).zip(&rule.alternatives) {
        let known = choice
            .local
            .then(|| assign(coding, protocol, choice, states, &scene, kept).ok())
            .flatten();
        let [initiator, responder] = known.unwrap_or([COMPUTED, alternative]);
        let row = Row {
            rule: number,
            guard,
            initiator,
            responder,
            may_repeat: false,
        };
        if !rows[first..].contains(&row) {
            rows.push(row);
        }
    }
    let added = &mut rows[first..];
    if added.len() > 1 && added.iter().any(|row| row.initiator == COMPUTED) {
        added.iter_mut().for_each(|row| row.may_repeat = true);
    }
}

/// The states of two nodes after an alternative; all values are those before.
fn assign(
    coding: &Coding,
    protocol: &Protocol,
    alternative: &Alternative,
    mut states: [Word; 2],
    scene: &Scene<'_>,
    kept: &mut Kept<'_>,
) -> Result<[Word; 2], Box<Fault>> {
    for (first, field, value, span) in &alternative.assigns {
        let value = value.eval(scene, kept)?;
        let declared = &protocol.fields[field.index()];
        if value < declared.low || value > declared.high {
            return Err(Box::new(fault::outside(declared, value, *span)));
        }
        let state = &mut states[usize::from(!*first)];
        *state = coding.with(*state, *field, value);
    }
    Ok(states)
}
