//! What follows the first word of a declaration; rules are in `rule`.

use super::lexer::Kind;
use super::parser::{Parser, Result, once};
use super::tree::{
    Assertion, Constant, Domain, Edge, Field, Initial, Named, Node, Question, Shape, Topology,
};
use super::words::{is_keyword, is_operator};
use fairhold_source::{Span, nearest};

const SHAPES: [&str; 7] = ["complete", "ring", "line", "star", "tree", "grid", "graph"];

impl<'t> Parser<'_, 't> {
    /// `N = 4`, or `4`, which names it `N`.
    pub(super) fn size(&mut self) -> Result<()> {
        let here = self.here();
        let named = self.peek().is_some_and(|t| t.kind == Kind::Word);
        let (name, value) = match named {
            true => {
                let name = self.name("the name of the size, and its value")?;
                if !self.at("=") {
                    let missing = self.expected("`=` and the number of nodes");
                    return Err(Box::new(missing.help(format!("write `size {} = 4`", name.0))));
                }
                (name, self.defined("the number of nodes")?)
            }
            false => (("N", here), self.expression()?),
        };
        let first = self.items.constants.iter().find(|c| c.size).map(|c| c.name.1);
        once("size", first, name.1)?;
        let size = true;
        self.items.constants.push(Constant { name, value, size });
        Ok(())
    }

    pub(super) fn topology(&mut self, start: Span) -> Result<Topology<'t>> {
        let undirected = self.at("undirected");
        if undirected || self.at("directed") {
            self.skip();
        }
        let word = self.sign();
        let opened = self.here();
        if !SHAPES.contains(&word) {
            let help = match nearest(word, SHAPES) {
                Some(shape) => format!("did you mean `{shape}`?"),
                None => format!(
                    "the shapes are {}; `undirected ring` has edges both ways",
                    SHAPES.join(", ")
                ),
            };
            return Err(Box::new(self.expected("the shape of the network").help(help)));
        }
        self.skip();
        let shape = match word {
            "complete" => Shape::Complete,
            "ring" => Shape::Ring,
            "line" => Shape::Line,
            "star" => Shape::Star,
            "tree" => Shape::Tree,
            "grid" => match self.peek() {
                Some(t) if t.kind == Kind::Number || self.at("(") => Shape::Grid(self.sum()?),
                Some(t) if t.kind == Kind::Word && !is_keyword(t.text) && !self.is(1, ":") => {
                    Shape::Grid(self.sum()?)
                }
                _ => {
                    let missing = self.expected("the number of columns");
                    return Err(Box::new(missing.help("write `topology grid 3`")));
                }
            },
            _ => {
                self.expect("{", "`{` and the edges")?;
                let mut edges = Vec::new();
                while !self.at("}") {
                    edges.push(self.edge(opened)?);
                    self.eat(",");
                }
                self.skip();
                Shape::Graph(edges)
            }
        };
        Ok(Topology {
            shape,
            undirected,
            span: start.to(self.last()),
        })
    }

    /// `0->1`, `2--3`
    pub(super) fn edge(&mut self, opened: Span) -> Result<Edge<'t>> {
        if !self.starts_expression() {
            let missing = self.expected("an edge such as `0->1`, or `}`");
            return Err(Box::new(missing.also(opened, "opened here")));
        }
        let from = self.edge_end()?;
        let undirected = self.at("-") && self.is(1, "-");
        if undirected {
            self.skip();
            self.skip();
        } else {
            self.expect("->", "`->` or `--` and a node")?;
        }
        let to = self.edge_end()?;
        let span = from.span.to(to.span);
        Ok(Edge {
            from,
            to,
            undirected,
            span,
        })
    }

    /// `a, b: domain`, and a value for inputs.
    pub(super) fn fields(&mut self, input: bool) -> Result<()> {
        let mut names = vec![self.name("a name")?];
        while self.eat(",") {
            names.push(self.name("a name")?);
        }
        self.expect(
            ":",
            "`:` and the values, such as `bool`, `0..3` or `{red, green}`",
        )?;
        let domain = self.domain()?;
        let value = match (input, self.at("=")) {
            (true, true) => Some(self.defined("its value")?),
            (false, true) => {
                let message = "a field has no fixed value: that is an input";
                let help = "where it starts is said by `initial f = 0`; `input` declares what never changes";
                return Err(Box::new(self.wrong(self.here(), message).help(help)));
            }
            _ => None,
        };
        self.items.domains.push(domain);
        let domain = self.items.domains.len() - 1;
        let value = value.map(|value| {
            self.items.values.push(value);
            self.items.values.len() - 1
        });
        for name in names {
            self.items.fields.push(Field {
                name,
                domain,
                input,
                value,
            });
        }
        Ok(())
    }

    pub(super) fn domain(&mut self) -> Result<Domain<'t>> {
        if self.eat("bool") {
            return Ok(Domain::Bool);
        }
        let opened = self.here();
        if self.eat("{") {
            let mut names = Vec::new();
            while !self.at("}") {
                names.push(self.name("the name of a value")?);
                if !self.eat(",") {
                    break;
                }
            }
            let end = self.close("}", opened)?;
            return Ok(Domain::Names(names, opened.to(end)));
        }
        if !self.peek().is_some_and(|t| t.kind == Kind::Number) && !self.starts_expression() {
            return Err(self.expected("`bool`, a range such as `0..3`, or names such as `{red, green}`"));
        }
        let low = self.sum()?;
        if let Node::Name(word @ ("boolean" | "Bool" | "int" | "integer")) = low.node
            && !self.at("..")
        {
            let message = format!("`{word}` means nothing here");
            let help = "write `bool`, a range such as `0..3`, or names such as `{red, green}`";
            return Err(Box::new(self.wrong(low.span, message).help(help)));
        }
        if !self.at("..") {
            let missing = self.expected("`..` and the greatest value");
            let help = match low.node {
                Node::Name(word) if nearest(word, ["bool"]).is_some() => "did you mean `bool`?",
                _ => "write `bool`, a range such as `0..3`, or names such as `{red, green}`",
            };
            return Err(Box::new(missing.help(help)));
        }
        self.skip();
        let high = self.sum()?;
        let span = low.span.to(high.span);
        Ok(Domain::Range(low, high, span))
    }

    pub(super) fn initial(&mut self, start: Span) -> Result<Initial<'t>> {
        let mut values = Vec::new();
        if !self.eat("all") && !self.at("where") {
            loop {
                let name = self.name("`all`, `where` and a condition, or a field and its value")?;
                let value = self.defined("its value")?;
                values.push(Named { name, value });
                if !self.eat(",") {
                    break;
                }
            }
        }
        let condition = match self.eat("where") {
            true => Some(self.expression()?),
            false => None,
        };
        Ok(Initial {
            values,
            condition,
            span: start.to(self.last()),
        })
    }

    /// What follows `assert`.
    pub(super) fn assertion(&mut self) -> Result<Assertion<'t>> {
        let start = self.here();
        let question = match self.sign() {
            "deadlockfree" => {
                self.skip();
                Question::DeadlockFree
            }
            "reaches" => {
                self.skip();
                Question::Reaches(self.expression()?)
            }
            "never" if self.is_question() => {
                self.skip();
                Question::Never(self.expression()?)
            }
            "always" if self.is_question() => {
                self.skip();
                Question::Always(self.expression()?)
            }
            "stable" => {
                self.skip();
                Question::Stable(self.expression()?)
            }
            "computes" => {
                self.skip();
                let value = self.expression()?;
                self.expect("by", "`by` and the field that gives the answer")?;
                Question::Computes(value, self.name("the field that gives the answer")?)
            }
            "self" => {
                let (hyphen, word) = (self.is(1, "-"), self.token(2).map_or("", |t| t.text));
                if !hyphen || !matches!(word, "stabilising" | "stabilizing") {
                    let message = "`self` alone means nothing";
                    let help = "write `self-stabilising to P`";
                    return Err(Box::new(self.wrong(start, message).help(help)));
                }
                for _ in 0..3 {
                    self.skip();
                }
                let template = start.to(self.last());
                self.expect("to", "`to` and a condition")?;
                Question::SelfStabilising(self.expression()?, template)
            }
            _ => {
                self.eat("|=");
                Question::Formula(self.whole_formula()?)
            }
        };
        Ok(Assertion {
            question,
            span: start.to(self.last()),
        })
    }

    /// Whether `never` or `always` is the word of a question here. Neither is a reserved word, so it may also be the
    /// name of a predicate, and then a formula begins with it. After a name comes an operator, the next declaration
    /// (which may be a rule: a name and a colon), or nothing; after the word of a question comes an operand.
    fn is_question(&self) -> bool {
        let Some(next) = self.token(1) else {
            return false;
        };
        match next.kind {
            Kind::Word => !is_keyword(next.text) && !is_operator(next.text) && !self.is(2, ":"),
            Kind::Sign => matches!(next.text, "(" | "!" | "#" | "{"),
            _ => true,
        }
    }
}
