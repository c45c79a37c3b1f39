//! Constants, fields, the detector and predicates: what names come to mean, in whatever order they are declared.

use super::expr::{Resolver, Scope, values};
use super::fold;
use super::names::{Meaning, Names, Report};
use crate::model::{Detector, Expr, Field, FieldId};
use crate::syntax::lexer::Token;
use crate::syntax::tree::{Domain, Items, Name, Named, Node, Tree};
use crate::syntax::words::is_reserved;
use fairhold_source::{Diagnostic, Span, did_you_mean};
use std::collections::HashMap;

/// No network is larger.
const MOST_NODES: i32 = 10_000;
/// A node has no more states: tables have a row for each.
const MOST_STATES: u64 = 65_536;
/// Expressions are nested no deeper once predicates are put in: they are walked by recursion.
const MAX_DEPTH: u32 = 500;

/// Declares a name that must be new.
pub(super) fn declare(names: &mut Names, report: &mut Report, (name, span): Name<'_>) -> Option<()> {
    if is_reserved(name, false) {
        return reserved(report, name, span);
    }
    match names.declare(name, span) {
        None => Some(()),
        Some(first) => twice(report, name, span, first),
    }
}

fn twice(report: &mut Report, name: &str, span: Span, first: Span) -> Option<()> {
    let message = format!("`{name}` is declared twice");
    let twice = Diagnostic::error("duplicate-name", span, message);
    report.error(twice.also(first, "the first"))
}

fn reserved(report: &mut Report, name: &str, span: Span) -> Option<()> {
    let message = format!("nothing can be named `{name}`: the word has a meaning");
    report.error(Diagnostic::error("reserved-name", span, message).help("take another name"))
}

/// The constants in the order of the file.
pub(super) fn constants<'t>(
    items: &Items<'t>,
    tokens: &[Token<'t>],
    defines: &[(String, i32)],
    names: &mut Names,
    report: &mut Report,
) -> Vec<(String, i32)> {
    let overridden = |name: &str| defines.iter().rev().find(|(n, _)| n == name).map(|d| d.1);
    let predicates = items.predicates.iter().chain(&items.detector).map(|p| p.name.0);
    for name in items.fields.iter().map(|f| f.name.0).chain(predicates) {
        names.expect(name);
    }
    let mut new = Vec::new();
    for (k, constant) in items.constants.iter().enumerate() {
        match declare(names, report, constant.name) {
            Some(()) => new.push(k),
            None if names.meaning(constant.name.0).is_none() => names.give_up(constant.name.0),
            None => {}
        }
    }
    let named: Vec<(Name<'t>, Option<&Tree<'t>>)> = new
        .iter()
        .map(|&k| &items.constants[k])
        .map(|c| (c.name, overridden(c.name.0).is_none().then_some(&c.value)))
        .collect();
    let (order, cycle) = order(&named);
    report_cycle("cyclic-constants", "constant", &named, &cycle, names, report);
    for k in order {
        let (name, value) = named[k];
        let value = match value {
            None => overridden(name.0),
            Some(tree) => constant(names, report, tokens, tree),
        };
        match value {
            Some(value) => names.mean(name.0, Meaning::Constant(value)),
            None => names.give_up(name.0),
        }
    }
    for (name, _) in defines {
        let known = items.constants.iter().any(|c| c.name.0 == name);
        if !known && !items.broken.contains(&name.as_str()) {
            let message = format!("there is no integer constant `{name}` to override");
            let help = did_you_mean(name, items.constants.iter().map(|c| c.name.0));
            let _: Option<()> = report.error(Diagnostic::bare("unknown-define", message).help(help));
        }
    }
    let value = |k: &usize| {
        let name = items.constants[*k].name.0;
        match names.meaning(name) {
            Some(Meaning::Constant(value)) => Some((name.to_owned(), *value)),
            _ => None,
        }
    };
    new.iter().filter_map(value).collect()
}

/// The value of a constant expression.
pub(super) fn constant<'t>(
    names: &Names,
    report: &mut Report,
    tokens: &[Token<'t>],
    tree: &Tree<'t>,
) -> Option<i32> {
    match Resolver::new(names, report, tokens, Scope::Constant).expr(tree)? {
        Expr::Const(value) => Some(value),
        _ => unreachable!("only constants can be spoken of, and operations on them are worked out"),
    }
}

/// The number of nodes; none if it is wrong or missing.
pub(super) fn size(
    items: &Items<'_>,
    defines: &[(String, i32)],
    names: &Names,
    report: &mut Report,
) -> Option<u32> {
    let Some(size) = items.constants.iter().find(|c| c.size) else {
        return missing(
            items,
            report,
            "size",
            "say how many nodes there are: `size N = 4`",
        );
    };
    let Some(&Meaning::Constant(value)) = names.meaning(size.name.0) else {
        return None;
    };
    if (1..=MOST_NODES).contains(&value) {
        return Some(value as u32);
    }
    let overridden = defines.iter().any(|(name, _)| name == size.name.0);
    let by = if overridden {
        format!(", by -D {}={value}", size.name.0)
    } else {
        String::new()
    };
    let message = format!("a network of {value} nodes{by}");
    let help = format!("it has at least 1 and at most {MOST_NODES}");
    report.error(Diagnostic::error("wrong-size", size.value.span, message).help(help))
}

/// What to say of a declaration that must be there.
pub(super) fn missing<T>(items: &Items<'_>, report: &mut Report, what: &str, help: &str) -> Option<T> {
    if items.broken.contains(&what) {
        return None;
    }
    let message = format!("there is no {what}");
    report.error(Diagnostic::error("missing-declaration", items.start, message).help(help))
}

/// The least and the greatest value of a domain, and its names.
type Values = (i32, i32, Vec<String>);

/// Declares the fields, inputs without their values.
pub(super) fn fields<'t>(items: &Items<'t>, tokens: &[Token<'t>], names: &mut Names, report: &mut Report) {
    let mut domains: HashMap<usize, Option<Values>> = HashMap::new();
    let mut states = 1_u64;
    for field in &items.fields {
        let domain = domains
            .entry(field.domain)
            .or_insert_with(|| values_of(&items.domains[field.domain], tokens, names, report))
            .clone();
        if declare(names, report, field.name).is_none() {
            if names.meaning(field.name.0).is_none() {
                names.give_up(field.name.0);
            }
            continue;
        }
        let Some((low, high, value_names)) = domain else {
            names.give_up(field.name.0);
            continue;
        };
        let count = (i64::from(high) - i64::from(low) + 1).unsigned_abs();
        let before = states;
        states = states.saturating_mul(count);
        if states > MOST_STATES && before <= MOST_STATES {
            let message = format!("a node would have {states} states");
            let help = format!("it can have {MOST_STATES}: the product of the sizes of all fields");
            let wrong = Diagnostic::error("too-many-node-states", field.name.1, message);
            let _: Option<()> = report.error(wrong.help(help));
        }
        names.add_field(Field {
            name: field.name.0.to_owned(),
            low,
            high,
            names: value_names,
            input: field.input,
            value: None,
            span: field.name.1,
        });
    }
    if items.fields.is_empty() && !items.broken.contains(&"input") {
        let help = "say what a node has: `field leader: bool`";
        let _: Option<()> = missing(items, report, "field", help);
    }
}

fn values_of<'t>(
    domain: &Domain<'t>,
    tokens: &[Token<'t>],
    names: &mut Names,
    report: &mut Report,
) -> Option<Values> {
    match domain {
        Domain::Bool => Some((0, 1, Vec::new())),
        Domain::Range(low, high, span) => {
            let low = constant(names, report, tokens, low);
            let high = constant(names, report, tokens, high);
            let (low, high) = (low?, high?);
            if low > high {
                let message = format!("there is no value from {low} to {high}");
                return report.error(Diagnostic::error("empty-domain", *span, message));
            }
            Some((low, high, Vec::new()))
        }
        Domain::Names(list, span) => {
            if list.is_empty() {
                let message = "there is no value in this list";
                return report.error(Diagnostic::error("empty-domain", *span, message));
            }
            let before = report.errors();
            for (k, &(name, span)) in list.iter().enumerate() {
                let again = list[..k].iter().find(|(n, _)| *n == name).map(|(_, span)| *span);
                let shared = matches!(names.meaning(name), Some(Meaning::Value(_)));
                let first = match (again, shared) {
                    (None, false) => names.declare(name, span),
                    (again, _) => again,
                };
                if is_reserved(name, true) {
                    reserved(report, name, span);
                } else if let Some(first) = first {
                    twice(report, name, span, first);
                }
            }
            let names = list.iter().map(|(name, _)| (*name).to_owned()).collect();
            (report.errors() == before).then_some((0, list.len() as i32 - 1, names))
        }
    }
}

/// Says what inputs are at each node, where this is given.
pub(super) fn inputs<'t>(items: &Items<'t>, tokens: &[Token<'t>], names: &mut Names, report: &mut Report) {
    for field in &items.fields {
        let Some(value) = field.value else { continue };
        let Some(&Meaning::Field(id)) = names.meaning(field.name.0) else {
            continue;
        };
        if let Some(expr) = node_value(&items.values[value], id, tokens, names, report) {
            names.fields[id.index()].value = Some(expr);
        }
    }
}

/// The value of a field at every node, which must be one of its values there.
pub(super) fn node_value<'t>(
    tree: &Tree<'t>,
    id: FieldId,
    tokens: &[Token<'t>],
    names: &Names,
    report: &mut Report,
) -> Option<Expr> {
    let expr = Resolver::new(names, report, tokens, Scope::Node)
        .typed(tree, Some(id))?
        .expr;
    let field = names.field(id);
    for node in 0..names.nodes {
        let Some(value) = fold::value_at(&expr, node) else {
            let message =
                format!("this has no value at node {node}: it divides by zero, or leaves the 32-bit numbers");
            return report.error(Diagnostic::error("constant-error", tree.span, message));
        };
        if !(field.low..=field.high).contains(&value) {
            let message = match expr {
                Expr::Const(_) => format!("`{}` is never {value}", field.name),
                _ => format!("`{}` would be {value} at node {node}", field.name),
            };
            return report.error(Diagnostic::error("out-of-domain", tree.span, message).help(values(field)));
        }
    }
    Some(expr)
}

/// Declares detector and predicates, and works out what they mean. The predicates come back in the order of the file.
pub(super) fn conditions<'t>(
    items: &Items<'t>,
    tokens: &[Token<'t>],
    names: &mut Names,
    report: &mut Report,
) -> (Option<Detector>, Vec<(String, Expr)>) {
    let detector = items.detector.as_ref().filter(|d| {
        let new = declare(names, report, d.name).is_some();
        if new {
            names.mean(d.name.0, Meaning::Detector);
        }
        new
    });
    let mut new: Vec<&Named<'t>> = Vec::new();
    for predicate in &items.predicates {
        match declare(names, report, predicate.name) {
            Some(()) => {
                names.mean(predicate.name.0, Meaning::Predicate(new.len()));
                new.push(predicate);
            }
            None if names.meaning(predicate.name.0).is_none() => names.give_up(predicate.name.0),
            None => {}
        }
    }
    names.predicates = vec![None; new.len()];
    let named: Vec<(Name<'t>, Option<&Tree<'t>>)> = new.iter().map(|p| (p.name, Some(&p.value))).collect();
    let (order, cycle) = order(&named);
    report_cycle("cyclic-predicates", "predicate", &named, &cycle, names, report);
    for k in order {
        names.predicates[k] =
            condition(&new[k].value, tokens, names, report).map(|expr| (expr.clone(), fold::parts(&expr)));
    }
    let detector = detector.and_then(|d| {
        let truth = condition(&d.value, tokens, names, report)?;
        without_detector(&truth, d.value.span, "what the detector tells", report)?;
        let name = d.name.0.to_owned();
        Some(Detector { name, truth })
    });
    let meaning = |(k, p): (usize, &&Named<'t>)| {
        let (expr, _) = names.predicates[k].clone()?;
        Some((p.name.0.to_owned(), expr))
    };
    let predicates = new.iter().enumerate().filter_map(meaning).collect();
    (detector, predicates)
}

/// A condition on configurations.
pub(super) fn condition<'t>(
    tree: &Tree<'t>,
    tokens: &[Token<'t>],
    names: &Names,
    report: &mut Report,
) -> Option<Expr> {
    let expr = Resolver::new(names, report, tokens, Scope::Configuration).expr(tree)?;
    not_too_deep(expr, tree.span, report)
}

/// Refuses what predicates within predicates have made too deep.
pub(super) fn not_too_deep(expr: Expr, span: Span, report: &mut Report) -> Option<Expr> {
    if fold::depth(&expr) <= MAX_DEPTH {
        return Some(expr);
    }
    let message = format!("nested more than {MAX_DEPTH} levels deep, with all predicates put in");
    report.error(Diagnostic::error("too-deep", span, message))
}

/// Refuses a condition that asks the detector.
pub(super) fn without_detector(expr: &Expr, span: Span, what: &str, report: &mut Report) -> Option<()> {
    if !fold::asks_detector(expr) {
        return Some(());
    }
    let message = format!("{what} cannot depend on the detector");
    report.error(Diagnostic::error("asks-detector", span, message))
}

/// An order in which everything comes after what it mentions, and a cycle if that leaves something out.
fn order<'t>(named: &[(Name<'t>, Option<&Tree<'t>>)]) -> (Vec<usize>, Vec<usize>) {
    let index: HashMap<&str, usize> = named.iter().enumerate().map(|(k, (n, _))| (n.0, k)).collect();
    let mut users: Vec<Vec<usize>> = vec![Vec::new(); named.len()];
    let mut mentions: Vec<Vec<usize>> = vec![Vec::new(); named.len()];
    for (k, (_, tree)) in named.iter().enumerate() {
        if let Some(tree) = tree {
            mentioned(tree, &mut |name| mentions[k].extend(index.get(name)));
        }
        mentions[k].sort_unstable();
        mentions[k].dedup();
        for &m in &mentions[k] {
            users[m].push(k);
        }
    }
    let mut waits: Vec<usize> = mentions.iter().map(Vec::len).collect();
    let mut order: Vec<usize> = (0..named.len()).filter(|&k| waits[k] == 0).collect();
    let mut next = 0;
    while let Some(&done) = order.get(next) {
        next += 1;
        for &user in &users[done] {
            waits[user] -= 1;
            if waits[user] == 0 {
                order.push(user);
            }
        }
    }
    // Whoever still waits mentions one that does: following those leads into a cycle.
    let mut cycle = Vec::new();
    let mut seen = vec![false; named.len()];
    let mut at = (0..named.len()).find(|&k| waits[k] > 0);
    while let Some(k) = at {
        if seen[k] {
            cycle.drain(..cycle.iter().position(|&c| c == k).unwrap_or(0));
            break;
        }
        seen[k] = true;
        cycle.push(k);
        at = mentions[k].iter().copied().find(|&m| waits[m] > 0);
    }
    (order, cycle)
}

fn report_cycle(
    code: &'static str,
    what: &str,
    named: &[(Name<'_>, Option<&Tree<'_>>)],
    cycle: &[usize],
    names: &mut Names,
    report: &mut Report,
) {
    let Some(&first) = cycle.first() else { return };
    let (name, span) = named[first].0;
    let chain: Vec<&str> = cycle.iter().chain([&first]).map(|&k| named[k].0.0).collect();
    let message = match chain.as_slice() {
        [_, _] => format!("the {what} `{name}` is defined by itself"),
        _ => format!("the {what} `{name}` is defined by itself: {}", chain.join(", ")),
    };
    let _: Option<()> = report.error(Diagnostic::error(code, span, message));
    for &k in cycle {
        names.give_up(named[k].0.0);
    }
}

/// Calls `f` with the names in a tree.
fn mentioned<'t>(tree: &Tree<'t>, f: &mut dyn FnMut(&'t str)) {
    let mut waiting = vec![tree];
    while let Some(tree) = waiting.pop() {
        if let Node::Name(name) = tree.node {
            f(name);
        }
        waiting.extend(tree.children());
    }
}
