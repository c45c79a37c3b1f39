//! Rules: `name: (f=1, *), (f=x) when x > 0 -> (f=0), * | *, *`.

use super::lexer::Kind;
use super::parser::{Parser, Result};
use super::tree::{Item, Pattern, Rule, Test};
use super::words::is_keyword;
use crate::model::Operator;

impl<'t> Parser<'_, 't> {
    /// A rule, from its name on.
    pub(super) fn rule(&mut self) -> Result<Rule<'t>> {
        let name = self.name("the name of a rule")?;
        self.expect(":", "`:` and the rule")?;
        let mut patterns = vec![self.pattern(true)?];
        if self.eat(",") {
            patterns.push(self.pattern(true)?);
        }
        if self.at(",") {
            let message = "a rule is about one node or two";
            return Err(self.wrong(self.here(), message));
        }
        let guard = match self.eat("when") {
            true => Some(self.expression()?),
            false => None,
        };
        if self.at("=") && self.is(1, ">") {
            let message = "the arrow is written `->`";
            return Err(self.wrong(self.here(), message));
        }
        let what = match (patterns.len(), &guard) {
            (1, None) => "`,` and the other node, `when` and a guard, or `->`",
            (_, None) => "`when` and a guard, or `->`",
            _ => "`->`",
        };
        self.expect("->", what)?;
        let mut alternatives = vec![self.right_side(patterns.len())?];
        while self.eat("|") {
            alternatives.push(self.right_side(patterns.len())?);
        }
        Ok(Rule {
            name,
            patterns,
            guard,
            alternatives,
            span: name.1.to(self.last()),
        })
    }

    /// What becomes of the nodes of a rule.
    fn right_side(&mut self, nodes: usize) -> Result<Vec<Pattern<'t>>> {
        let start = self.here();
        let mut sides = vec![self.pattern(false)?];
        while self.eat(",") {
            sides.push(self.pattern(false)?);
        }
        if sides.len() == nodes {
            return Ok(sides);
        }
        let message = match nodes {
            1 => "the rule is about one node, and says what becomes of more",
            _ => "the rule is about two nodes, and must say what becomes of each",
        };
        let help = "`*` leaves a node as it is";
        let wrong = self.wrong(start.to(self.last()), message);
        Err(Box::new(wrong.help(help)))
    }

    /// `*`, or what is said of some fields in parentheses. On the left (`left`), values are sums and operators compare.
    fn pattern(&mut self, left: bool) -> Result<Pattern<'t>> {
        let start = self.here();
        let mut items = Vec::new();
        if self.eat("*") {
            return Ok(Pattern { items, span: start });
        }
        let what = match left {
            true => "a pattern such as `(leader=1, *)`",
            false => "`*` or what becomes of the node, such as `(leader=0)`",
        };
        self.expect("(", what)?;
        while !self.at(")") {
            if !self.eat("*") {
                items.push(self.pattern_item(left)?);
            }
            if !self.eat(",") {
                break;
            }
        }
        let end = self.close(")", start)?;
        Ok(Pattern {
            items,
            span: start.to(end),
        })
    }

    fn pattern_item(&mut self, left: bool) -> Result<Item<'t>> {
        let start = self.here();
        let negated = self.eat("!") || self.eat("not");
        let field = match self.peek() {
            Some(t) if t.kind == Kind::Word && !is_keyword(t.text) => (t.text, self.skip()),
            _ => return Err(self.expected("a field")),
        };
        if self.at(":") && self.is(1, "=") {
            return Err(self.wrong(self.here(), "a value is given by `=`"));
        }
        let test = match self.take_comparator() {
            None => Test::Is(!negated),
            Some((_, at)) if negated => {
                let wrong = self.wrong(start.to(at), "`!` stands before a boolean field alone");
                let help = format!("write `{}!=..`, or `{}=!x`", field.0, field.0);
                return Err(Box::new(wrong.help(help)));
            }
            Some((operator, at)) if left => Test::Compare(operator, self.sum()?, at),
            Some((Operator::Equal, at)) => Test::Compare(Operator::Equal, self.expression()?, at),
            Some((_, at)) => {
                let wrong = self.wrong(at, "right of the arrow, fields are given values");
                return Err(Box::new(wrong.help(format!("write `{}=..`", field.0))));
            }
        };
        Ok(Item {
            field,
            test,
            span: start.to(self.last()),
        })
    }
}
