//! From what is written to what is meant: [`Protocol`].
//!
//! | file | what it does |
//! |---|---|
//! | `names` | what names mean |
//! | `expr`, `lookup` | expressions: names looked up, letters and predicates put in |
//! | `fold` | expressions whose value is known |
//! | `declare` | constants, fields, detector, predicates |
//! | `network` | topologies as edges |
//! | `rules` | patterns and right sides as guards and assignments |
//! | `formula`, `event` | assertions and fairness formulas |
//!
//! Declarations come in any order. One that is wrong is reported, and nothing more is said about what depends on it.

mod declare;
mod event;
mod expr;
mod fold;
mod formula;
mod lookup;
#[cfg(test)]
mod mistakes;
mod names;
mod network;
mod rules;
#[cfg(test)]
mod tests;

use crate::model::{Assertion, Atom, Expr, Initial, Protocol, Schedule, Shape, Topology};
use crate::syntax::lexer::{self, Token};
use crate::syntax::{self, tree::Items};
use expr::{Resolver, Scope, text_of};
use fairhold_logic::{Logic, Ltl};
use fairhold_source::{Diagnostic, FileId, SourceMap, Span};
use fairhold_system::{Remarks, directives_with};
use formula::Formulas;
use names::{Meaning, Names, Report};
use std::collections::HashSet;

/// What the literature on protocols calls the notions of fairness.
const ALIASES: [(&str, &str); 3] = [("weak", "ewf"), ("local", "esf"), ("global", "sgf")];

/// Notions of fairness that are about processes.
const OF_PROCESSES: [&str; 3] = ["pwf", "psf", "impartial"];

/// Reads the protocol in a file of the map. It is there if no diagnostic is an error. Each of `defines` overrides a constant, the last of a name
/// counts.
pub fn read_protocol(
    map: &SourceMap,
    file: FileId,
    defines: &[(String, i32)],
) -> (Option<Protocol>, Vec<Diagnostic>) {
    let source = map.file(file);
    let place = whole(file, source.text());
    let mut lexed = lexer::tokens(place, source.text());
    let mut report = Report::default();
    report.diagnostics.append(&mut lexed.diagnostics);
    let items = syntax::items(&lexed, place, &mut report.diagnostics);
    let protocol = protocol(&items, &lexed.tokens, defines, &mut report);

    let mut remarks = vec![Remarks::default(); items.assertions.len()];
    let mut ends: Vec<(Span, Option<usize>)> = items.failed_assertions.iter().map(|s| (*s, None)).collect();
    ends.extend(
        items
            .assertions
            .iter()
            .enumerate()
            .map(|(k, a)| (a.span, Some(k))),
    );
    ends.sort_by_key(|(span, _)| span.start);
    let comments = lexed.directives.iter().copied();
    let wrong = directives_with(&ALIASES, source, comments, &ends, &mut remarks);
    report.diagnostics.extend(wrong);
    for (assertion, remarks) in items.assertions.iter().zip(&remarks) {
        let said = remarks
            .fairness
            .as_ref()
            .filter(|(f, _)| OF_PROCESSES.contains(&f.as_str()));
        let mut notions = remarks.expect.iter().filter_map(|e| e.notion.as_deref());
        let expected = notions.find(|n| OF_PROCESSES.contains(n)).map(|_| assertion.span);
        if let Some(span) = said.map(|(_, span)| *span).or(expected) {
            report.diagnostics.push(formula::no_processes(span));
        }
    }
    let mut diagnostics = report.diagnostics;
    unique(&mut diagnostics);
    let errors = diagnostics.iter().any(Diagnostic::is_error);
    let protocol = protocol.filter(|_| !errors).map(|mut protocol| {
        for (assertion, remarks) in protocol.assertions.iter_mut().zip(remarks) {
            assertion.remarks = remarks;
        }
        protocol
    });
    (protocol, diagnostics)
}

/// The name of the constant that is the number of nodes, for those who override it.
pub fn size_name(map: &SourceMap, file: FileId) -> Option<String> {
    let text = map.file(file).text();
    let place = whole(file, text);
    let items = syntax::items(&lexer::tokens(place, text), place, &mut Vec::new());
    let size = items.constants.iter().find(|c| c.size);
    size.map(|c| c.name.0.to_owned())
}

/// Reads an assertion about `protocol`, alone in its file, with or without the word `assert` or the sign `|=` first.
pub fn read_assertion(protocol: &Protocol, file: FileId, text: &str) -> Result<Assertion, Vec<Diagnostic>> {
    let place = whole(file, text);
    let lexed = lexer::tokens(place, text);
    if !lexed.diagnostics.is_empty() {
        return Err(lexed.diagnostics);
    }
    let written = syntax::assertion(&lexed.tokens, place).map_err(|wrong| vec![*wrong])?;
    let (names, mut report) = (Names::of(protocol), Report::default());
    let reader = Resolver::new(&names, &mut report, &lexed.tokens, Scope::Configuration);
    let question = Formulas::new(protocol, reader, Logic::Linear).question(&written.question);
    match question {
        Some(question) if report.errors() == 0 => Ok(Assertion {
            text: text_of(between(&lexed.tokens, written.span), &|_| None),
            question,
            remarks: Remarks::default(),
            span: written.span,
        }),
        _ => {
            unique(&mut report.diagnostics);
            Err(report.diagnostics)
        }
    }
}

/// Reads a fairness formula about `protocol` that stands at `place`, with its atoms: a formula that may speak of what is enabled and engaged. Its
/// shape is not looked at here.
pub fn read_fairness(protocol: &Protocol, place: Span, text: &str) -> Result<(Ltl, Vec<Atom>), Diagnostic> {
    let (formula, atoms) = read_formula(protocol, place, text, Logic::Fairness)?;
    if let Some(at) = formula.first_quantifier() {
        let message = "a fairness formula speaks of one execution, so it has no path quantifiers";
        let help = "it joins `GF a` and `FG a` by `! && || -> <->`";
        return Err(Diagnostic::error("fairness-shape", at, message).help(help));
    }
    let formula = formula.into_ltl().map_err(|mixed| *mixed)?;
    Ok((formula, atoms))
}

/// Reads a single atom of a formula about `protocol`, which stands at `place`: a condition on the configuration, or an event, with or without quotes.
pub fn read_atom(protocol: &Protocol, place: Span, text: &str) -> Result<Atom, Diagnostic> {
    let (formula, mut atoms) = read_formula(protocol, place, text, Logic::Linear)?;
    match formula {
        fairhold_logic::Written::Const(value) => {
            Ok(Atom::State(Expr::Const(i32::from(value)), text.to_owned()))
        }
        fairhold_logic::Written::Atom(_) => Ok(atoms.swap_remove(0)),
        _ => {
            let message = format!("`{text}` is no atom");
            let help = "an atom is an event, or a condition such as `#leader == 1`";
            Err(Diagnostic::error("not-an-atom", place, message).help(help))
        }
    }
}

fn read_formula(
    protocol: &Protocol,
    place: Span,
    text: &str,
    logic: Logic,
) -> Result<(fairhold_logic::Written, Vec<Atom>), Diagnostic> {
    let mut lexed = lexer::tokens(place, text);
    if !lexed.diagnostics.is_empty() {
        return Err(lexed.diagnostics.swap_remove(0));
    }
    let tree = syntax::formula(&lexed.tokens, place).map_err(|wrong| *wrong)?;
    let (names, mut report) = (Names::of(protocol), Report::default());
    let reader = Resolver::new(&names, &mut report, &lexed.tokens, Scope::Configuration);
    let mut formulas = Formulas::new(protocol, reader, logic);
    let read = formulas.formula(&tree);
    let atoms = std::mem::take(&mut formulas.atoms);
    match read {
        Some(formula) => Ok((formula, atoms)),
        None => {
            let wrong = report.diagnostics.into_iter().find(Diagnostic::is_error);
            Err(wrong.expect("a formula that is not understood is reported"))
        }
    }
}

/// What the declarations mean, assertions without their remarks. It is there if nothing essential is missing.
fn protocol<'t>(
    items: &Items<'t>,
    tokens: &[Token<'t>],
    defines: &[(String, i32)],
    report: &mut Report,
) -> Option<Protocol> {
    let mut names = Names::default();
    for word in &items.broken {
        names.give_up(word);
    }
    let constants = declare::constants(items, tokens, defines, &mut names, report);
    let size = declare::size(items, defines, &names, report);
    names.nodes = size.unwrap_or(0);
    declare::fields(items, tokens, &mut names, report);
    let topology = match (&items.topology, size) {
        (Some(topology), Some(_)) => network::network(topology, tokens, &names, report),
        (Some(_), None) => None,
        (None, _) => {
            let help = "say who meets whom: `topology complete`, `topology ring`";
            declare::missing(items, report, "topology", help)
        }
    };
    declare::inputs(items, tokens, &mut names, report);
    let (detector, predicates) = declare::conditions(items, tokens, &mut names, report);
    declare_rules(items, &mut names, report);
    let rules = items
        .rules
        .iter()
        .map(|rule| rules::rule(rule, tokens, &names, report));
    let rules: Vec<_> = rules.collect();
    let initial = initial(items, tokens, &names, report);
    let cyclic = items.schedule.is_some_and(|(cyclic, _)| cyclic);
    let mut protocol = Protocol {
        constants,
        nodes: names.nodes,
        topology: topology.clone().unwrap_or(Topology {
            shape: Shape::Graph,
            edges: Vec::new(),
        }),
        fields: names.fields.clone(),
        detector,
        rules: rules.into_iter().flatten().collect(),
        schedule: if cyclic { Schedule::Cyclic } else { Schedule::Free },
        initial,
        predicates,
        assertions: Vec::new(),
    };
    // Without a network, nothing can be said of nodes and edges.
    topology?;
    let mut assertions = Vec::new();
    for written in &items.assertions {
        let reader = Resolver::new(&names, report, tokens, Scope::Configuration);
        let question = Formulas::new(&protocol, reader, Logic::Linear).question(&written.question);
        assertions.extend(question.map(|question| Assertion {
            text: text_of(between(tokens, written.span), &|_| None),
            question,
            remarks: Remarks::default(),
            span: written.span,
        }));
    }
    protocol.assertions = assertions;
    Some(protocol)
}

/// Declares the rules; they may be called as anything else is, for their events have dots.
fn declare_rules(items: &Items<'_>, names: &mut Names, report: &mut Report) {
    let mut own = Names::default();
    for (k, rule) in items.rules.iter().enumerate() {
        if declare::declare(&mut own, report, rule.name).is_some() {
            let pair = rule.patterns.len() == 2;
            names.rules.insert(rule.name.0.to_owned(), (k as u32, pair));
        }
    }
    if items.rules.is_empty() && items.broken.is_empty() {
        let help = "say what happens when two nodes meet: `name: (leader=1), (leader=1) -> *, (leader=0)`";
        let _: Option<()> = declare::missing(items, report, "rule", help);
    }
}

fn initial<'t>(items: &Items<'t>, tokens: &[Token<'t>], names: &Names, report: &mut Report) -> Initial {
    let mut initial = Initial {
        values: Vec::new(),
        condition: None,
    };
    let Some(written) = &items.initial else {
        return initial;
    };
    for value in &written.values {
        let field = Resolver::new(names, report, tokens, Scope::Node).field(value.name);
        let Some(id) = field else { continue };
        let (name, span) = value.name;
        if names.field(id).input {
            let message = format!("`{name}` is an input");
            let help = "what it is stands where it is declared: `input x: bool = node == 0`";
            let _: Option<()> = report.error(Diagnostic::error("assigned-input", span, message).help(help));
            continue;
        }
        if initial.values.iter().any(|(known, _)| *known == id) {
            let message = format!("`{name}` is given two values");
            let _: Option<()> = report.error(Diagnostic::error("assigned-twice", span, message));
            continue;
        }
        if let Some(expr) = declare::node_value(&value.value, id, tokens, names, report) {
            initial.values.push((id, expr));
        }
    }
    initial.condition = written.condition.as_ref().and_then(|tree| {
        let condition = declare::condition(tree, tokens, names, report)?;
        declare::without_detector(&condition, tree.span, "where the protocol starts", report)?;
        Some(condition)
    });
    debug_assert!(
        names
            .fields
            .iter()
            .all(|f| matches!(names.meaning(&f.name), Some(Meaning::Field(_))))
    );
    initial
}

fn whole(file: FileId, text: &str) -> Span {
    Span {
        file,
        start: 0,
        end: text.len() as u32,
    }
}

/// The words that a span covers.
fn between<'a, 't>(tokens: &'a [Token<'t>], span: Span) -> &'a [Token<'t>] {
    let from = tokens.partition_point(|t| t.span.start < span.start);
    let to = tokens.partition_point(|t| t.span.start < span.end);
    &tokens[from..to]
}

/// Says nothing twice.
fn unique(diagnostics: &mut Vec<Diagnostic>) {
    let mut seen = HashSet::new();
    diagnostics.retain(|d| seen.insert((d.code, d.span, d.message.clone())));
}
