//! The two kinds of boolean expressions in HOA: labels over atoms, and acceptance conditions over marks.
//!
//! Both have the same grammar, `|` looser than `&` looser than `!`, and differ in their leaves. They are read into one tree with
//! negations at the leaves, which then becomes a [`Guard`] or an [`Acceptance`].

use super::lexer::{Cursor, Token};
use super::{Result, error};
use crate::{Acceptance, Cube, Guard, MarkId};
use fairhold_source::Span;
use std::collections::HashMap;

/// Parentheses deeper than this are refused.
const MAX_DEPTH: u32 = 200;

/// Labels with more cubes than this are refused.
const MAX_CUBES: usize = 1 << 10;

/// A boolean expression with leaves `L`.
#[derive(Clone, Debug)]
pub(super) enum Expression<L> {
    Constant(bool),
    Leaf(L),
    And(Vec<Expression<L>>),
    Or(Vec<Expression<L>>),
}

/// A leaf of a condition: `Inf(mark)`, `Fin(!mark)`, ...
#[derive(Clone, Copy, Debug)]
pub(super) struct Condition {
    infinitely: bool,
    complemented: bool,
    mark: MarkId,
    span: Span,
}

/// What an alias stands for, and the negation of that.
pub(super) struct Alias {
    pub(super) meaning: Guard,
    pub(super) negation: Guard,
}

/// The aliases read so far.
pub(super) type Aliases = HashMap<String, Alias>;

/// A label, or its negation, up to what cannot belong to it.
pub(super) fn label(cursor: &mut Cursor<'_>, negated: bool, atoms: u32, aliases: &Aliases) -> Result<Guard> {
    let start = cursor.span();
    let expression = disjunction(cursor, 0, negated, &|cursor, negated| {
        let span = cursor.span();
        match cursor.next() {
            Some(&Token::Number(atom)) if atom < atoms => {
                Ok(Expression::Leaf(Guard::from(Cube::literal(atom, !negated))))
            }
            Some(&Token::Number(atom)) => Err(error(
                span,
                format!("there is no atom {atom}, `AP:` names {atoms}"),
            )),
            Some(Token::Alias(name)) => match aliases.get(name) {
                Some(known) if negated => Ok(Expression::Leaf(known.negation.clone())),
                Some(known) => Ok(Expression::Leaf(known.meaning.clone())),
                None => Err(error(span, format!("there is no alias `@{name}` before this"))),
            },
            _ => Err(error(span, "expected an atom's number, an alias, `t` or `f`")),
        }
    })?;
    expression
        .guard()
        .ok_or_else(|| error(start, "the label is too large"))
}

/// An acceptance condition over marks below `marks`.
pub(super) fn acceptance(cursor: &mut Cursor<'_>, marks: u32) -> Result<Expression<Condition>> {
    disjunction(cursor, 0, false, &|cursor, negated| {
        let span = cursor.span();
        let infinitely = match cursor.next() {
            Some(Token::Name(name)) if name == "Inf" => true,
            Some(Token::Name(name)) if name == "Fin" => false,
            _ => return Err(error(span, "expected `Inf(..)`, `Fin(..)`, `t` or `f`")),
        };
        if negated {
            return Err(error(span, "`!` stands before a set's number only"));
        }
        cursor.expect('(')?;
        let complemented = cursor.take('!');
        let place = cursor.span();
        let mark = cursor.number("a set's number")?;
        if mark >= marks {
            return Err(error(
                place,
                format!("there is no set {mark}, `Acceptance:` announces {marks}"),
            ));
        }
        cursor.expect(')')?;
        Ok(Expression::Leaf(Condition {
            infinitely,
            complemented,
            mark: MarkId(mark),
            span,
        }))
    })
}

/// Reads one leaf; the flag says that it stands under a negation.
type LeafReader<'r, L> = &'r dyn Fn(&mut Cursor<'_>, bool) -> Result<Expression<L>>;

fn disjunction<L>(
    cursor: &mut Cursor<'_>,
    depth: u32,
    negated: bool,
    leaf: LeafReader<'_, L>,
) -> Result<Expression<L>> {
    let mut operands = vec![conjunction(cursor, depth, negated, leaf)?];
    while cursor.take('|') {
        operands.push(conjunction(cursor, depth, negated, leaf)?);
    }
    Ok(Expression::join(operands, negated))
}

fn conjunction<L>(
    cursor: &mut Cursor<'_>,
    depth: u32,
    negated: bool,
    leaf: LeafReader<'_, L>,
) -> Result<Expression<L>> {
    let mut operands = vec![factor(cursor, depth, negated, leaf)?];
    while cursor.take('&') {
        operands.push(factor(cursor, depth, negated, leaf)?);
    }
    Ok(Expression::join(operands, !negated))
}

fn factor<L>(
    cursor: &mut Cursor<'_>,
    depth: u32,
    mut negated: bool,
    leaf: LeafReader<'_, L>,
) -> Result<Expression<L>> {
    while cursor.take('!') {
        negated = !negated;
    }
    let span = cursor.span();
    if cursor.take('(') {
        if depth >= MAX_DEPTH {
            return Err(error(
                span,
                format!("parentheses are nested more than {MAX_DEPTH} deep"),
            ));
        }
        let inner = disjunction(cursor, depth + 1, negated, leaf)?;
        cursor.expect(')')?;
        return Ok(inner);
    }
    let constant = match cursor.peek() {
        Some(Token::Name(name)) if name == "t" => true,
        Some(Token::Name(name)) if name == "f" => false,
        _ => return leaf(cursor, negated),
    };
    cursor.next();
    Ok(Expression::Constant(constant != negated))
}

impl<L> Expression<L> {
    fn join(mut operands: Vec<Expression<L>>, conjunction: bool) -> Expression<L> {
        match operands.len() {
            1 => operands.swap_remove(0),
            _ if conjunction => Expression::And(operands),
            _ => Expression::Or(operands),
        }
    }
}

impl Expression<Guard> {
    /// The label as a guard; none if it has too many cubes.
    fn guard(&self) -> Option<Guard> {
        Some(match self {
            Expression::Constant(true) => Guard::verum(),
            Expression::Constant(false) => Guard::falsum(),
            Expression::Leaf(guard) => guard.clone(),
            Expression::And(list) => {
                let mut all = Guard::verum();
                for operand in list {
                    let operand = operand.guard()?;
                    if all.cubes().len() * operand.cubes().len() > MAX_CUBES {
                        return None;
                    }
                    all = all.and(&operand);
                }
                all
            }
            Expression::Or(list) => {
                let mut cubes = Vec::new();
                for operand in list {
                    cubes.extend_from_slice(operand.guard()?.cubes());
                    if cubes.len() > MAX_CUBES {
                        return None;
                    }
                }
                Guard::new(cubes)
            }
        })
    }
}

impl Expression<Condition> {
    /// Where a complemented set is first used.
    pub(super) fn complemented(&self) -> Option<Span> {
        let mut spans = Vec::new();
        self.each(&mut |c| spans.extend(c.complemented.then_some(c.span)));
        spans.first().copied()
    }

    /// The marks that are used complemented, ascending.
    pub(super) fn complemented_marks(&self) -> Vec<MarkId> {
        let mut marks = Vec::new();
        self.each(&mut |c| marks.extend(c.complemented.then_some(c.mark)));
        marks.sort_unstable();
        marks.dedup();
        marks
    }

    fn each(&self, visit: &mut impl FnMut(&Condition)) {
        match self {
            Expression::Constant(_) => {}
            Expression::Leaf(condition) => visit(condition),
            Expression::And(list) | Expression::Or(list) => list.iter().for_each(|e| e.each(visit)),
        }
    }

    /// The condition, with `complement` naming the marks that stand for complements.
    pub(super) fn acceptance(&self, complement: &impl Fn(MarkId) -> MarkId) -> Acceptance {
        match self {
            Expression::Constant(true) => Acceptance::True,
            Expression::Constant(false) => Acceptance::False,
            Expression::Leaf(c) => {
                let mark = if c.complemented {
                    complement(c.mark)
                } else {
                    c.mark
                };
                if c.infinitely {
                    Acceptance::Inf(mark)
                } else {
                    Acceptance::Fin(mark)
                }
            }
            Expression::And(list) => Acceptance::and(list.iter().map(|e| e.acceptance(complement))),
            Expression::Or(list) => Acceptance::or(list.iter().map(|e| e.acceptance(complement))),
        }
    }
}
