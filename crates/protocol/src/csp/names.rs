//! Names in CSP# for what a protocol has.
//!
//! Variables, events and processes share their names there, and more words are taken. Events keep theirs, so that runs and
//! formulas read the same; whatever clashes gets a `_` at its end.

use crate::model::{Field, Protocol, Question};
use std::collections::BTreeSet;

/// Words of CSP#, of its formulas, and what conditions on states may be called there.
const TAKEN: &[&str] = &[
    "A",
    "AF",
    "AG",
    "AX",
    "E",
    "EF",
    "EG",
    "EX",
    "F",
    "G",
    "R",
    "Skip",
    "Stop",
    "U",
    "V",
    "W",
    "X",
    "alphabet",
    "assert",
    "atomic",
    "call",
    "case",
    "ccount",
    "cempty",
    "cfull",
    "channel",
    "cpeek",
    "csize",
    "deadlock",
    "deadlockfree",
    "default",
    "define",
    "deterministic",
    "divergencefree",
    "else",
    "enabled",
    "engaged",
    "enum",
    "false",
    "hvar",
    "if",
    "ifa",
    "ifb",
    "import",
    "include",
    "interrupt",
    "max",
    "min",
    "new",
    "nonterminating",
    "process",
    "reaches",
    "ready",
    "refines",
    "sf",
    "sl",
    "tau",
    "terminate",
    "terminated",
    "true",
    "var",
    "wf",
    "while",
    "with",
    "wl",
    "xor",
];

/// Names in CSP#, each used once.
pub(super) struct Names {
    pub(super) rules: Vec<String>,
    pub(super) fields: Vec<String>,
    pub(super) predicates: Vec<String>,
    pub(super) detector: String,
    /// The detector's variables and process.
    pub(super) guess: String,
    pub(super) right: String,
    pub(super) oracle: String,
    /// The edge whose turn it is.
    pub(super) turn: String,
    /// Whether the start is over.
    pub(super) running: String,
    /// The events of the start.
    pub(super) choose: String,
    pub(super) set: String,
    pub(super) set_guess: String,
    pub(super) start: String,
    /// Processes.
    pub(super) constrained: String,
    pub(super) free: String,
    pub(super) meet: String,
    pub(super) act: String,
    pub(super) system: String,
    /// Parameters: the nodes of a rule, an edge, and nodes that are counted, by how deep the count is nested.
    pub(super) initiator: String,
    pub(super) responder: String,
    pub(super) edge: String,
    pub(super) nodes: Vec<String>,
    /// By field and node: its value, while it is chosen.
    pub(super) chosen: Vec<Vec<String>>,
    /// Temporary variables, as many as the longest list of assignments.
    pub(super) temporary: Vec<String>,
    /// By assertion and atom: its name.
    pub(super) atoms: Vec<Vec<String>>,
}

impl Names {
    pub(super) fn new(protocol: &Protocol) -> Names {
        let mut taken: BTreeSet<String> = TAKEN.iter().map(|&word| word.to_owned()).collect();
        if protocol.detector.is_some() {
            taken.extend(["guessT", "guessF", "correct"].map(str::to_owned));
        }
        taken.insert("pass".to_owned());
        let mut fresh = |name: &str| fresh(&mut taken, name);
        Names {
            rules: protocol.rules.iter().map(|rule| fresh(&rule.name)).collect(),
            fields: protocol.fields.iter().map(|field| fresh(&field.name)).collect(),
            predicates: protocol.predicates.iter().map(|(name, _)| fresh(name)).collect(),
            detector: fresh(protocol.detector.as_ref().map_or("told", |d| &d.name)),
            guess: fresh("guess"),
            right: fresh("right"),
            oracle: fresh("Detector"),
            turn: fresh("turn"),
            running: fresh("running"),
            choose: fresh("choose"),
            set: fresh("set"),
            set_guess: fresh("set_guess"),
            start: fresh("start"),
            constrained: fresh("Constrained"),
            free: fresh("Choose"),
            meet: fresh("Meet"),
            act: fresh("Act"),
            system: fresh("Protocol"),
            initiator: fresh("i"),
            responder: fresh("r"),
            edge: fresh("e"),
            nodes: ["k", "l", "m", "n"].map(&mut fresh).into(),
            chosen: chosen(protocol, &mut fresh),
            temporary: (0..most_assignments(protocol))
                .map(|number| fresh(&format!("new{number}")))
                .collect(),
            atoms: atoms(protocol, &mut fresh),
        }
    }
}

fn chosen(protocol: &Protocol, fresh: &mut dyn FnMut(&str) -> String) -> Vec<Vec<String>> {
    let of_field = |field: &Field| {
        let at = |node: u32| fresh(&format!("{}{node}", field.name));
        (0..protocol.nodes).map(at).collect()
    };
    protocol.fields.iter().map(of_field).collect()
}

fn most_assignments(protocol: &Protocol) -> usize {
    let alternatives = protocol.rules.iter().flat_map(|rule| &rule.alternatives);
    alternatives.map(Vec::len).max().unwrap_or(0)
}

fn atoms(protocol: &Protocol, fresh: &mut dyn FnMut(&str) -> String) -> Vec<Vec<String>> {
    let mut all = Vec::new();
    for (number, assertion) in protocol.assertions.iter().enumerate() {
        let count = match &assertion.question {
            Question::DeadlockFree => 0,
            Question::Reaches(_) | Question::Never(_) | Question::Always(_) => 1,
            Question::Ltl(_, atoms) | Question::Ctl(_, atoms) => atoms.len(),
        };
        let name = |atom: usize| fresh(&format!("p{number}_{atom}"));
        all.push((0..count).map(name).collect());
    }
    all
}

fn fresh(taken: &mut BTreeSet<String>, name: &str) -> String {
    let mut name = name.to_owned();
    while !taken.insert(name.clone()) {
        name.push('_');
    }
    name
}
