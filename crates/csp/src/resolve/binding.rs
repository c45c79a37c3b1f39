//! Index variables: `x:{0..N-1}; y:{1,2,5}`.
//!
//! Their values must be known once parameters and outer index variables are, so they may not mention variables.
//! Ranges that are constant are checked here; the others when they are closed.

use super::Resolver;
use super::expression::Ty;
use super::tree;
use crate::expr::{Empty, Env, MAX_COMBINATIONS};
use crate::model::{At, Base, Binding, Expr, Holder, Target, Type, Value, Values, VarId};
use crate::syntax::{SyntaxKind as K, SyntaxNode};
use fairhold_source::{Diagnostic, Span};

impl Resolver {
    /// The bindings below a node, which stay in scope until the caller leaves it; none if an error was reported.
    pub(super) fn bindings(&mut self, node: &SyntaxNode, empty: Empty) -> Option<Vec<Binding>> {
        let mut bindings = Vec::new();
        let mut combinations = 1usize;
        let mut complete = true;
        for binding in tree::children_of(node, K::Binding) {
            let values = self.values(&binding, empty);
            let Some(name) = tree::ident(&binding) else {
                complete = false;
                continue;
            };
            let bound = self.scope.bind(name.text());
            match values {
                Some((values, count)) => {
                    combinations = combinations.saturating_mul(count.unwrap_or(1));
                    let at = At(self.span(&binding));
                    bindings.push(Binding { bound, values, at });
                }
                None => complete = false,
            }
        }
        if combinations > MAX_COMBINATIONS {
            self.too_many(self.span(node), &tree::text(node));
            complete = false;
        }
        (complete && !bindings.is_empty()).then_some(bindings)
    }

    /// The values of one binding, and how many they are if that is known.
    fn values(&mut self, node: &SyntaxNode, empty: Empty) -> Option<(Values, Option<usize>)> {
        let mut values = Vec::new();
        let mut complete = true;
        for value in tree::exprs(node) {
            let typed = self.expr(&value);
            self.want(&value, typed.ty, Type::Int);
            match state_name(&typed.expr) {
                _ if typed.ty == Ty::Wrong => complete = false,
                Some(what) => {
                    self.depends_on_state(self.span(&value), what);
                    complete = false;
                }
                None => values.push(typed.expr),
            }
        }
        if !complete || values.is_empty() {
            return None;
        }
        if tree::token(node, K::Dot2).is_none() {
            let count = values.len();
            return Some((Values::List(values), Some(count)));
        }
        let [lower, upper]: [Expr; 2] = values.try_into().ok()?;
        let count = match (lower.close(&Env::default()), upper.close(&Env::default())) {
            (Expr::Const(Value::Int(a)), Expr::Const(Value::Int(b))) => {
                Some(self.range_length(node, a, b, empty)?)
            }
            _ => None,
        };
        Some((Values::Range(Box::new(lower), Box::new(upper)), count))
    }

    /// How many values a range has; reports one that is empty or too long. Only `Empty::Fault` makes an empty one an error.
    fn range_length(&mut self, node: &SyntaxNode, lower: i32, upper: i32, empty: Empty) -> Option<usize> {
        let (span, text) = (self.span(node), tree::text(node));
        let text = text
            .split_once(':')
            .map_or(text.as_str(), |(_, values)| values.trim());
        let length = i64::from(upper) - i64::from(lower) + 1;
        if length <= 0 {
            let message = format!("the range {lower}..{upper} is empty");
            if empty == Empty::Nothing {
                let help = "an indexed process without operands is `Skip`, an indexed choice `Stop`";
                self.report
                    .once(text, Diagnostic::warning("empty-range", span, message).help(help));
                return Some(0);
            }
            let help = "the lower bound must not be larger than the upper bound";
            self.report
                .once(text, Diagnostic::error("empty-range", span, message).help(help));
            return None;
        }
        match usize::try_from(length) {
            Ok(length) if length <= MAX_COMBINATIONS => Some(length),
            _ => {
                self.too_many(span, text);
                None
            }
        }
    }

    fn too_many(&mut self, span: Span, subject: &str) {
        let message = format!("more than {MAX_COMBINATIONS} combinations of index values");
        self.report
            .once(subject, Diagnostic::error("too-many-values", span, message));
    }

    /// Reports an index value or count that depends on the state.
    pub(super) fn depends_on_state(&mut self, span: Span, what: StateName) {
        let name = match what {
            StateName::Variable(v) => format!("`{}`", self.variables[v.0 as usize].name),
            StateName::Local => "a local variable".to_owned(),
            StateName::Channel => "a channel".to_owned(),
        };
        let message = format!("this must be known before the model runs, but it depends on {name}");
        let help = "use constants, parameters and outer index variables";
        self.report
            .once(&name, Diagnostic::error("not-constant", span, message).help(help));
    }

    /// Calls `f` once for every combination of constant values, with the names standing for them.
    pub(super) fn for_each_value(
        &mut self,
        bindings: &[SyntaxNode],
        left: &mut usize,
        f: &mut dyn FnMut(&mut Resolver),
    ) {
        let Some((binding, rest)) = bindings.split_first() else {
            f(self);
            return;
        };
        let Some(name) = tree::ident(binding) else { return };
        let span = self.span(binding);
        for value in self.constant_values(binding) {
            if *left == 0 {
                self.too_many(span, &tree::text(binding));
                return;
            }
            if rest.is_empty() {
                *left -= 1;
            }
            let mark = self.scope.mark();
            self.scope
                .substitute(name.text(), super::expression::Typed::value(Value::Int(value)));
            self.for_each_value(rest, left, f);
            self.scope.leave(mark);
        }
    }

    /// The values of a binding that must be constant.
    fn constant_values(&mut self, node: &SyntaxNode) -> Vec<i32> {
        let known: Option<Vec<i32>> = tree::exprs(node).iter().map(|e| self.constant_int(e)).collect();
        match known.as_deref() {
            Some([lower, upper]) if tree::token(node, K::Dot2).is_some() => {
                let (lower, upper) = (*lower, *upper);
                match self.range_length(node, lower, upper, Empty::Fault) {
                    Some(_) => (lower..=upper).collect(),
                    None => Vec::new(),
                }
            }
            _ => known.unwrap_or_default(),
        }
    }
}

/// What makes an expression depend on the state.
#[derive(Clone, Copy, Debug)]
pub(super) enum StateName {
    Variable(VarId),
    Local,
    Channel,
}

/// The first thing of the state that an expression mentions.
pub(super) fn state_name(expr: &Expr) -> Option<StateName> {
    let mut first = None;
    expr.walk(&mut |e| {
        let name = match e {
            Expr::Var(v, _)
            | Expr::Element(Base::Var(v), ..)
            | Expr::Change(Holder::Var(v), ..)
            | Expr::Assign(Target::Var(v) | Target::Element(v, _), ..) => Some(StateName::Variable(*v)),
            Expr::Local(_)
            | Expr::Element(Base::Local(_), ..)
            | Expr::Program(..)
            | Expr::Change(Holder::Local(_), ..)
            | Expr::Assign(Target::Local(_) | Target::LocalElement(..), ..) => Some(StateName::Local),
            Expr::Channel(..) => Some(StateName::Channel),
            _ => None,
        };
        first = first.or(name);
    });
    first
}
