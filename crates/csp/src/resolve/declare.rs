//! Variables and channels.
//!
//! Sizes are checked before anything is allocated: a slip in a dimension is a message, not a crash.

use super::Resolver;
use super::expression::count;
use super::names::Meaning;
use super::tree;
use crate::library::Collections;
use crate::model::{Channel, ChannelId, Type, Value, VarId, Variable};
use crate::syntax::{SyntaxKind as K, SyntaxNode};
use fairhold_source::{Diagnostic, Span};

/// Elements all variables together may have.
const MAX_ELEMENTS: u64 = 1_000_000;
/// Messages a channel may hold.
const MAX_CAPACITY: i32 = 10_000;

impl Resolver {
    /// `var x[3]:{0..5} = ...` of a global variable whose name is declared. Variables come in source order, so that
    /// those before have values.
    pub(super) fn variable_decl(&mut self, node: &SyntaxNode, hidden: bool) {
        let Some(name) = tree::ident(node) else { return };
        let span = self.origin.token(&name);
        let name = name.text().to_owned();
        let variable = self.variable_shape(node, &name, hidden, span);
        let id = VarId(self.variables.len() as u32);
        let id = variable.map(|v| {
            self.variables.push(v);
            id
        });
        if let Some(symbol) = self.names.symbols.get_mut(&name) {
            symbol.meaning = Meaning::Variable(id);
        }
    }

    fn variable_shape(
        &mut self,
        node: &SyntaxNode,
        name: &str,
        hidden: bool,
        span: Span,
    ) -> Option<Variable> {
        let dims: Option<Vec<u32>> = tree::children_of(node, K::ArraySize)
            .map(|d| self.dimension(&d))
            .collect();
        let bounds = self.range(node);
        let (mut dims, (lower, upper)) = (dims?, bounds?);
        let record = tree::child(node, K::Record);
        let total = dims.iter().map(|&d| u64::from(d)).fold(1, u64::saturating_mul);
        self.elements = self.elements.saturating_add(total);
        if self.elements > MAX_ELEMENTS {
            let message = format!("with `{name}` the state has more than {MAX_ELEMENTS} elements");
            self.report
                .once("", Diagnostic::error("array-too-large", span, message));
            return None;
        }
        let fill = |ty, word| (ty, vec![word; usize::try_from(total).unwrap_or(0)]);
        let class = self.class_of_variable(node)?;
        if let Some(class) = class
            && (!dims.is_empty() || record.is_some())
        {
            let message = format!("`{name}` is one {}, and no array", class.name());
            let help = format!("write `var<{}> {name} = new {}();`", class.name(), class.name());
            self.report
                .push(Diagnostic::error("wrong-initial-value", span, message).help(help));
            return None;
        }
        let (ty, init) = if tree::token(node, K::Star).is_some() {
            let message = "`= *` (any value) is not supported";
            let help =
                "give an initial value, or choose one by a first event: `[] i:{0..3} @ start.i{x = i} -> P`";
            self.report
                .push(Diagnostic::error("not-supported", self.span(node), message).help(help));
            return None;
        } else if let Some(record) = record {
            let expected = (!dims.is_empty()).then_some(total);
            self.initialising = true;
            let values = self.record(&record, expected, name);
            self.initialising = false;
            let values = values?;
            if dims.is_empty() {
                dims.push(values.1.len() as u32);
                self.elements += values.1.len() as u64 - 1;
            }
            values
        } else if let Some(value) = tree::expr(node) {
            if !dims.is_empty() {
                let message = format!("`{name}` is an array; its initial values stand in brackets");
                let help = format!("write `= [..]`, such as `[0({total})]`");
                let error = Diagnostic::error("wrong-initial-value", self.span(&value), message).help(help);
                self.report.push(error);
                return None;
            }
            self.initialising = true;
            let value = self.constant(&value);
            self.initialising = false;
            let value = self.initial_collection(name, class, value?, span)?;
            let (ty, word) = self.collections.word(&value)?;
            (ty, vec![word])
        } else if let Some(class) = class {
            let ty = self.collection_type(name, class);
            fill(Type::Collection(ty), Collections::empty(ty))
        } else {
            fill(Type::Int, 0)
        };
        let outside = init
            .iter()
            .find(|&&v| lower.is_some_and(|l| v < l) || upper.is_some_and(|u| v > u));
        if let Some(value) = outside {
            let bound = |b: Option<i32>| b.map_or_else(String::new, |b| b.to_string());
            let message = format!(
                "the initial value {value} of `{name}` is outside its range {}..{}",
                bound(lower),
                bound(upper)
            );
            self.report.push(Diagnostic::error("out-of-range", span, message));
            return None;
        }
        Some(Variable {
            name: name.to_owned(),
            hidden,
            ty,
            dims,
            lower,
            upper,
            init,
            span,
        })
    }

    /// A dimension or array size.
    fn dimension(&mut self, node: &SyntaxNode) -> Option<u32> {
        let size = tree::expr(node)?;
        let value = self.constant_int(&size)?;
        match u32::try_from(value) {
            Ok(value) if value >= 1 => Some(value),
            _ => {
                let message = format!("an array has at least one element, not {value}");
                let error = Diagnostic::error("array-too-small", self.span(&size), message);
                self.report.once(&tree::text(&size), error);
                None
            }
        }
    }

    /// The bounds that a declaration states; none if they are wrong.
    pub(super) fn range(&mut self, node: &SyntaxNode) -> Option<(Option<i32>, Option<i32>)> {
        let Some(range) = tree::child(node, K::Range) else {
            return Some((None, None));
        };
        let lower = tree::child(&range, K::RangeLower).and_then(|n| tree::expr(&n));
        let upper = tree::child(&range, K::RangeUpper).and_then(|n| tree::expr(&n));
        let lower = lower.map(|e| self.constant_int(&e));
        let upper = upper.map(|e| self.constant_int(&e));
        let (lower, upper) = (
            lower.map_or(Some(None), |v| v.map(Some)),
            upper.map_or(Some(None), |v| v.map(Some)),
        );
        let (lower, upper) = (lower?, upper?);
        if let (Some(a), Some(b)) = (lower, upper)
            && a > b
        {
            let message = format!("the range {a}..{b} is empty");
            let help = "the lower bound must not be larger than the upper bound";
            let error = Diagnostic::error("empty-range", self.span(&range), message).help(help);
            self.report.once(&tree::text(&range), error);
            return None;
        }
        Some((lower, upper))
    }

    /// The values of `[1, 2(3), 4..6]`: exactly `expected` of them, if that is known.
    fn record(&mut self, node: &SyntaxNode, expected: Option<u64>, name: &str) -> Option<(Type, Vec<i32>)> {
        let limit = expected.unwrap_or(MAX_ELEMENTS - self.elements + 1);
        let mut found = Elements {
            limit,
            ty: None,
            words: Vec::new(),
            count: 0,
            mixed: false,
        };
        self.elements_of(node, &mut found)?;
        let span = self.span(node);
        if found.mixed {
            let message = format!("the initial values of `{name}` are of two types");
            let help = "write integers only, or `true` and `false` only";
            self.report
                .push(Diagnostic::error("wrong-initial-value", span, message).help(help));
            return None;
        }
        match expected {
            Some(expected) if found.count != expected => {
                let message = format!(
                    "`{name}` has {}, but {} given",
                    count(usize::try_from(expected).unwrap_or(usize::MAX), "element"),
                    super::expression::given(
                        usize::try_from(found.count).unwrap_or(usize::MAX),
                        "initial value",
                        "initial values"
                    ),
                );
                self.report
                    .push(Diagnostic::error("wrong-initial-value", span, message));
                None
            }
            None if found.count > limit => {
                let message = format!("with `{name}` the state has more than {MAX_ELEMENTS} elements");
                self.report
                    .once("", Diagnostic::error("array-too-large", span, message));
                None
            }
            _ => Some((found.ty.unwrap_or(Type::Int), found.words)),
        }
    }

    fn elements_of(&mut self, node: &SyntaxNode, found: &mut Elements) -> Option<()> {
        for element in tree::children_of(node, K::RecordElement) {
            if let Some(nested) = tree::child(&element, K::Record) {
                self.elements_of(&nested, found)?;
                continue;
            }
            let values = tree::exprs(&element);
            if tree::token(&element, K::Dot2).is_some() {
                let [from, to] = values.as_slice() else {
                    return None;
                };
                let (from, to) = (self.constant_int(from)?, self.constant_int(to)?);
                found.run(from, to);
                continue;
            }
            let value = self.constant(values.first()?)?;
            let repeat = match tree::child(&element, K::Repeat).map(|r| tree::expr(&r)) {
                None => 1,
                Some(repeat) => {
                    let repeat = repeat?;
                    let times = self.constant_int(&repeat)?;
                    let Ok(times) = u64::try_from(times) else {
                        let message = format!("a value cannot be repeated {times} times");
                        let error = Diagnostic::error("wrong-initial-value", self.span(&repeat), message);
                        self.report.push(error);
                        return None;
                    };
                    times
                }
            };
            found.repeat(&value, repeat);
        }
        Some(())
    }

    /// `channel c[3] 5;` whose name is declared.
    pub(super) fn channel_decl(&mut self, node: &SyntaxNode) {
        let Some(name) = tree::ident(node) else { return };
        let span = self.origin.token(&name);
        let name = name.text().to_owned();
        let channel = self.channel_shape(node, &name, span);
        let id = ChannelId(self.channels.len() as u32);
        let id = channel.map(|c| {
            self.channels.push(c);
            id
        });
        if let Some(symbol) = self.names.symbols.get_mut(&name) {
            symbol.meaning = Meaning::Channel(id);
        }
    }

    fn channel_shape(&mut self, node: &SyntaxNode, name: &str, span: Span) -> Option<Channel> {
        let len = tree::child(node, K::ArraySize).map(|size| self.dimension(&size));
        let capacity = tree::expr(node)?;
        let value = self.constant_int(&capacity)?;
        let Some(capacity) = u32::try_from(value).ok().filter(|_| value <= MAX_CAPACITY) else {
            let message = format!("a channel holds 0 to {MAX_CAPACITY} messages, not {value}");
            let help = "0 makes it synchronous";
            let error = Diagnostic::error("wrong-capacity", self.span(&capacity), message).help(help);
            self.report.once(&tree::text(&capacity), error);
            return None;
        };
        let len = match len {
            Some(len) => Some(len?),
            None => None,
        };
        self.elements = self.elements.saturating_add(u64::from(len.unwrap_or(1)));
        if self.elements > MAX_ELEMENTS {
            let message = format!("with `{name}` the state has more than {MAX_ELEMENTS} elements");
            self.report
                .once("", Diagnostic::error("array-too-large", span, message));
            return None;
        }
        Some(Channel {
            name: name.to_owned(),
            len,
            capacity,
            arity: 0,
            span,
        })
    }
}

/// Initial values as they are read. More than `limit` are counted and not kept.
struct Elements {
    limit: u64,
    ty: Option<Type>,
    words: Vec<i32>,
    count: u64,
    mixed: bool,
}

impl Elements {
    fn repeat(&mut self, value: &Value, times: u64) {
        let Some((ty, word)) = value.word() else {
            self.mixed = true;
            return;
        };
        self.mixed |= *self.ty.get_or_insert(ty) != ty;
        self.count = self.count.saturating_add(times);
        if self.count <= self.limit {
            self.words.extend(std::iter::repeat_n(word, times as usize));
        }
    }

    fn run(&mut self, from: i32, to: i32) {
        self.mixed |= *self.ty.get_or_insert(Type::Int) != Type::Int;
        let length = u64::from(from.abs_diff(to)) + 1;
        self.count = self.count.saturating_add(length);
        if self.count > self.limit {
            return;
        }
        if from <= to {
            self.words.extend(from..=to);
        } else {
            self.words.extend((to..=from).rev());
        }
    }
}
