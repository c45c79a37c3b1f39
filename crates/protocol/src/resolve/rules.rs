//! Rules: patterns become conditions, letters become the fields that they stand for.
//!
//! A letter is bound by the first `field=letter` from the left, and every other occurrence, wherever it is, means that field's old
//! value.

use super::declare::not_too_deep;
use super::expr::{Letter, Resolver, Scope, values};
use super::fold::{binary, evaluate, joined, not, visit};
use super::names::{Names, Report};
use crate::model::{Assign, Expr, Field, FieldId, Operator, Place, Rule};
use crate::syntax::lexer::Token;
use crate::syntax::tree::{self, Item, Node, Pattern, Test, Tree};
use crate::syntax::words::{is_operator, is_reserved};
use fairhold_source::{Diagnostic, Span};

/// Whether a pattern can match is found out by trying so many values at most.
const MOST_TRIED: u64 = 100_000;

const PLACES: [Place; 2] = [Place::Initiator, Place::Responder];

/// The meaning of a rule.
pub(super) fn rule<'t>(
    written: &tree::Rule<'t>,
    tokens: &[Token<'t>],
    names: &Names,
    report: &mut Report,
) -> Option<Rule> {
    let pair = written.patterns.len() == 2;
    let before = report.errors();
    let mut reader = Resolver::new(names, report, tokens, Scope::Rule { pair });
    let mut binders = Vec::new();
    for (pattern, place) in written.patterns.iter().zip(&PLACES) {
        for item in &pattern.items {
            binders.push(bind(&mut reader, item, place));
        }
    }
    let mut binders = binders.into_iter();
    let mut conditions: Vec<Vec<Expr>> = Vec::new();
    for (pattern, place) in written.patterns.iter().zip(&PLACES) {
        let tests = pattern
            .items
            .iter()
            .zip(binders.by_ref())
            .filter(|(_, binds)| !binds);
        let tests: Vec<Expr> = tests
            .filter_map(|(item, _)| test(&mut reader, item, place))
            .collect();
        conditions.push(tests);
    }
    let guard = written.guard.as_ref().map(|guard| reader.expr(guard));
    let mut alternatives = Vec::new();
    for sides in &written.alternatives {
        let mut assigns = Vec::new();
        for (side, place) in sides.iter().zip(&PLACES) {
            assigns.extend(assignments(&mut reader, side, place));
        }
        alternatives.push(assigns);
    }
    if report.errors() > before {
        return None;
    }
    possible(written, &conditions, names, report)?;
    let patterns = conditions.into_iter().flatten();
    let parts: Vec<Expr> = patterns.chain(guard.into_iter().flatten()).collect();
    let guard = not_too_deep(joined(Operator::And, parts, written.span), written.span, report)?;
    Some(Rule {
        name: written.name.0.to_owned(),
        pair,
        guard,
        alternatives,
        span: written.span,
    })
}

/// Whether an item binds a letter; if so, the letter is known from now on.
fn bind<'t>(reader: &mut Resolver<'_, 't>, item: &Item<'t>, place: &Place) -> bool {
    let Test::Compare(Operator::Equal, value, _) = &item.test else {
        return false;
    };
    let (name, negated) = match &value.node {
        Node::Name(name) => (*name, false),
        Node::Not(inner) => match inner.node {
            Node::Name(name) => (name, true),
            _ => return false,
        },
        _ => return false,
    };
    let names = reader.names;
    let reserved = is_reserved(name, true) && !is_operator(name);
    let known = names.meaning(name).is_some() || names.is_broken(name) || reserved;
    if known || reader.letters.iter().any(|l| l.name == name) {
        return false;
    }
    // An unknown field is reported when the item is read as a test.
    let Some(super::names::Meaning::Field(id)) = names.meaning(item.field.0) else {
        reader.lost.push(name);
        return false;
    };
    let id = *id;
    let field = Expr::Field(place.clone(), id);
    if negated
        && reader
            .boolean(id, item.span, "only boolean values are negated")
            .is_none()
    {
        reader.lost.push(name);
        return true;
    }
    reader.letters.push(Letter {
        name,
        expr: if negated { not(field) } else { field },
        domain: Some(id),
    });
    true
}

/// What an item of a pattern asks of a node.
fn test<'t>(reader: &mut Resolver<'_, 't>, item: &Item<'t>, place: &Place) -> Option<Expr> {
    let id = reader.field(item.field)?;
    let field = Expr::Field(place.clone(), id);
    let (operator, value, at) = match &item.test {
        Test::Is(wanted) => {
            reader.boolean(id, item.span, "it cannot stand alone")?;
            return Some(if *wanted { field } else { not(field) });
        }
        Test::Compare(operator, value, at) => (*operator, value, *at),
    };
    negation(reader, id, value)?;
    let value = reader.typed(value, Some(id))?.expr;
    if let Expr::Const(number) = value {
        let declared = reader.names.field(id);
        let outside = !(declared.low..=declared.high).contains(&number);
        if outside && matches!(operator, Operator::Equal | Operator::Unequal) {
            let message = format!("`{}` is never {number}", declared.name);
            let wrong = Diagnostic::error("impossible-pattern", item.span, message).help(values(declared));
            return reader.report.error(wrong);
        }
    }
    Some(binary(operator, field, value, at))
}

/// `=!b` is for boolean fields.
fn negation<'t>(reader: &mut Resolver<'_, 't>, id: FieldId, value: &Tree<'t>) -> Option<()> {
    match value.node {
        Node::Not(_) => reader.boolean(id, value.span, "only boolean values are negated"),
        _ => Some(()),
    }
}

/// What becomes of a node.
fn assignments<'t>(reader: &mut Resolver<'_, 't>, side: &Pattern<'t>, place: &Place) -> Vec<Assign> {
    let mut assigns: Vec<Assign> = Vec::new();
    for item in &side.items {
        let Some(assign) = assignment(reader, item, place) else {
            continue;
        };
        if let Some(first) = assigns.iter().find(|a| a.field == assign.field) {
            let message = format!("`{}` is given two values", item.field.0);
            let twice = Diagnostic::error("assigned-twice", item.span, message);
            let first = first.span;
            let _: Option<()> = reader.report.error(twice.also(first, "the first"));
            continue;
        }
        assigns.push(assign);
    }
    assigns
}

fn assignment<'t>(reader: &mut Resolver<'_, 't>, item: &Item<'t>, place: &Place) -> Option<Assign> {
    let id = reader.field(item.field)?;
    if reader.names.field(id).input {
        let message = format!("`{}` is an input, which never changes", item.field.0);
        let help = "declare it with `field` if it does";
        let wrong = Diagnostic::error("assigned-input", item.span, message).help(help);
        return reader.report.error(wrong);
    }
    let value = match &item.test {
        Test::Is(value) => {
            reader.boolean(id, item.span, "it cannot stand alone")?;
            Expr::Const(i32::from(*value))
        }
        Test::Compare(_, value, _) => {
            negation(reader, id, value)?;
            reader.typed(value, Some(id))?.expr
        }
    };
    let field = reader.names.field(id);
    if let Expr::Const(number) = value
        && !(field.low..=field.high).contains(&number)
    {
        let message = format!("`{}` cannot become {number}", field.name);
        let wrong = Diagnostic::error("out-of-domain", item.span, message).help(values(field));
        return reader.report.error(wrong);
    }
    let value = not_too_deep(value, item.span, reader.report)?;
    Some(Assign {
        place: place.clone(),
        field: id,
        value,
        span: item.span,
    })
}

/// Reports patterns that no nodes match, whatever their fields are.
fn possible(
    written: &tree::Rule<'_>,
    conditions: &[Vec<Expr>],
    names: &Names,
    report: &mut Report,
) -> Option<()> {
    for (pattern, tests) in written.patterns.iter().zip(conditions) {
        if !satisfiable(tests.iter(), &names.fields) {
            return impossible(report, pattern.span, "no node matches this pattern");
        }
    }
    if satisfiable(conditions.iter().flatten(), &names.fields) {
        return Some(());
    }
    let both = written.patterns[0]
        .span
        .to(written.patterns[conditions.len() - 1].span);
    impossible(report, both, "no two nodes match these patterns")
}

fn impossible(report: &mut Report, span: Span, message: &str) -> Option<()> {
    let help = "what it asks of the fields contradicts itself";
    report.error(Diagnostic::error("impossible-pattern", span, message).help(help))
}

/// Whether some values of the fields satisfy all conditions that speak of nothing else. Too many to try, or a fault on the way, count as yes.
fn satisfiable<'e>(conditions: impl Iterator<Item = &'e Expr>, fields: &[Field]) -> bool {
    let mut variables: Vec<(Place, FieldId)> = Vec::new();
    let mut local = Vec::new();
    for condition in conditions {
        let mut plain = true;
        let mut read = Vec::new();
        visit(condition, &mut |part| match part {
            Expr::Field(place @ (Place::Initiator | Place::Responder), id) => read.push((place.clone(), *id)),
            Expr::Const(_) | Expr::Not(_) | Expr::Minus(_) | Expr::Binary(..) => {}
            _ => plain = false,
        });
        if plain {
            local.push(condition);
            for variable in read {
                if !variables.contains(&variable) {
                    variables.push(variable);
                }
            }
        }
    }
    let size = |v: &(Place, FieldId)| {
        let field = &fields[v.1.index()];
        (i64::from(field.high) - i64::from(field.low) + 1).unsigned_abs()
    };
    let all = variables.iter().map(size).fold(1, u64::saturating_mul);
    if all > MOST_TRIED {
        return true;
    }
    let mut tried: Vec<i32> = variables.iter().map(|(_, id)| fields[id.index()].low).collect();
    loop {
        let leaf = |leaf: &Expr| match leaf {
            Expr::Field(place, id) => {
                let at = variables.iter().position(|(p, v)| p == place && v == id)?;
                Some(tried[at])
            }
            _ => None,
        };
        if local.iter().all(|c| evaluate(c, &leaf) != Some(0)) {
            return true;
        }
        // The next values, as a counter with a digit for each field.
        let mut digit = 0;
        loop {
            let Some((_, id)) = variables.get(digit) else {
                return false;
            };
            let field = &fields[id.index()];
            if tried[digit] < field.high {
                tried[digit] += 1;
                break;
            }
            tried[digit] = field.low;
            digit += 1;
        }
    }
}
