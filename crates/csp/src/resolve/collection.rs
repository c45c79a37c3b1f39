//! Collections of PAT's library: `var<List> l = new List();`, `l.Add(x)`, `call(Max, x, y)`, and which libraries there are.

use super::Resolver;
use super::expression::{Ty, Typed, given};
use super::include::Item;
use super::tree;
use crate::expr::Env;
use crate::library::{Class, Collection, CollectionType, Function, MAX_ITEMS, Method};
use crate::model::{At, Expr, Holder, Type, Value};
use crate::syntax::{SyntaxKind as K, SyntaxNode};
use fairhold_source::{Diagnostic, Span, did_you_mean};
use rustc_hash::FxHashSet;

/// Variables to which the text adds truth values, which makes them collections of truth values.
///
/// A collection is declared without saying what it holds, so that is read off what the text puts in: a truth value
/// written as such, or a condition.
pub(super) fn truthful(items: &[Item]) -> FxHashSet<String> {
    let mut names = FxHashSet::default();
    for call in items.iter().flat_map(|item| item.node.descendants()) {
        if call.kind() != K::MethodCall {
            continue;
        }
        let added = arguments(&call).pop();
        let receiver = call.children().next().and_then(|receiver| tree::ident(&receiver));
        if let (Some(added), Some(receiver)) = (added, receiver)
            && is_condition(&added)
        {
            names.insert(receiver.text().to_owned());
        }
    }
    names
}

/// Whether an expression is a truth value by its form.
fn is_condition(node: &SyntaxNode) -> bool {
    let has = |kinds: &[K]| tree::own_tokens(node).any(|t| kinds.contains(&t.kind()));
    match node.kind() {
        K::Literal => has(&[K::TrueKw, K::FalseKw]),
        K::Unary => has(&[K::Bang]),
        K::Quantified => true,
        K::Binary => has(&[
            K::Eq2,
            K::Neq,
            K::Lt,
            K::Gt,
            K::Le,
            K::Ge,
            K::Amp2,
            K::Bar2,
            K::XorKw,
        ]),
        K::ParenExpr => tree::expr(node).is_some_and(|e| is_condition(&e)),
        _ => false,
    }
}

/// A new collection takes the type of the variable that it is assigned to.
pub(super) fn fitting(value: Typed, variable: Ty) -> Typed {
    match (&value.expr, variable) {
        (Expr::Const(Value::Collection(new)), Ty::Scalar(Type::Collection(ty)))
            if new.ty.class == ty.class && new.items.iter().all(|&item| item == 0) =>
        {
            let items = new.items.clone();
            Typed::value(Value::Collection(Collection { ty, items }))
        }
        _ => value,
    }
}

/// The classes, for a help.
fn classes() -> String {
    let names: Vec<&str> = Class::ALL.iter().map(|class| class.name()).collect();
    names.join(", ")
}

impl Resolver {
    /// `#import "PAT.Lib.List";`
    pub(super) fn import(&mut self, node: &SyntaxNode) {
        let Some(token) = tree::token(node, K::Str) else {
            return;
        };
        let name = tree::unquoted(&token);
        let built_in = match name.strip_prefix("PAT.") {
            Some("Math" | "Lib.Math") => true,
            Some(rest) => rest
                .strip_prefix("Lib.")
                .is_some_and(|c| Class::by_name(c).is_some()),
            None => false,
        };
        if !built_in {
            let message = format!("the C# library \"{name}\" is not available");
            let help = format!(
                "built in are PAT.Math and, as PAT.Lib.List and the like, {}; for the rest write the data as \
                 variables and arrays, and the operations as program blocks or `#define` macros",
                classes()
            );
            let error = Diagnostic::error("csharp", self.origin.token(&token), message);
            self.report.once("", error.help(help));
        }
    }

    /// The class that `var<List> l` names, if it names one; none if there is no such class.
    pub(super) fn class_of_variable(&mut self, declarator: &SyntaxNode) -> Option<Option<Class>> {
        let written = declarator
            .parent()
            .and_then(|decl| tree::child(&decl, K::TypeArg));
        match written.as_ref().and_then(tree::ident) {
            None => Some(None),
            Some(name) => {
                let span = self.origin.token(&name);
                self.class(name.text(), span).map(Some)
            }
        }
    }

    /// The class with this name; reports that there is none.
    fn class(&mut self, name: &str, span: Span) -> Option<Class> {
        let class = Class::by_name(name);
        if class.is_none() {
            let message = format!("there is no class `{name}`: C# classes of your own are not available");
            let help = match did_you_mean(name, Class::ALL.map(Class::name)) {
                none if none.is_empty() => format!("built in are {}", classes()),
                help => help,
            };
            self.report
                .once("", Diagnostic::error("csharp", span, message).help(help));
        }
        class
    }

    /// The type of a variable that is declared with a class.
    pub(super) fn collection_type(&self, name: &str, class: Class) -> CollectionType {
        CollectionType {
            class,
            truth: self.truthful.contains(name),
        }
    }

    /// The initial value of a variable of this class, if it is declared with one.
    pub(super) fn initial_collection(
        &mut self,
        name: &str,
        class: Option<Class>,
        value: Value,
        span: Span,
    ) -> Option<Value> {
        match (class, value) {
            (declared, Value::Collection(new)) if declared.is_none_or(|class| class == new.ty.class) => {
                let ty = self.collection_type(name, new.ty.class);
                Some(Value::Collection(Collection { ty, ..new }))
            }
            (None, value) => Some(value),
            (Some(class), value) => {
                let (class, what) = (class.name(), value.to_string());
                let message = format!("`{name}` is a {class}, and {what} is none");
                let help = format!("write `var<{class}> {name} = new {class}();`");
                self.report
                    .push(Diagnostic::error("wrong-initial-value", span, message).help(help));
                None
            }
        }
    }

    /// `new List()`, `new Array(5)`
    pub(super) fn new_collection(&mut self, node: &SyntaxNode) -> Typed {
        let Some(name) = tree::ident(node) else {
            return Typed::wrong();
        };
        let span = self.span(node);
        let Some(class) = self.class(name.text(), self.origin.token(&name)) else {
            return Typed::wrong();
        };
        let args = arguments(node);
        let items = match (class, args.as_slice()) {
            (Class::Array, [size]) => match self.constant_int(size) {
                Some(size) if (0..=MAX_ITEMS as i32).contains(&size) => vec![0; size as usize],
                Some(size) => {
                    let message = format!("an Array has 0 to {MAX_ITEMS} items, not {size}");
                    self.report
                        .push(Diagnostic::error("array-too-large", span, message));
                    return Typed::wrong();
                }
                None => return Typed::wrong(),
            },
            (Class::Array, _) | (_, [_, ..]) => {
                let takes = match class {
                    Class::Array => "takes its number of items",
                    _ => "takes nothing: it begins empty",
                };
                let message = format!(
                    "`new {}` {takes}, but {} given",
                    class.name(),
                    given(args.len(), "argument", "arguments")
                );
                self.report
                    .push(Diagnostic::error("wrong-arguments", span, message));
                return Typed::wrong();
            }
            _ => Vec::new(),
        };
        let ty = CollectionType { class, truth: false };
        Typed::value(Value::Collection(Collection {
            ty,
            items: items.into(),
        }))
    }

    /// `l.Add(x)`
    pub(super) fn method_call(&mut self, node: &SyntaxNode) -> Typed {
        let receiver = node.children().find(|n| tree::is_expr(n.kind()));
        let name = tree::own_tokens(node).find(|t| t.kind() == K::Ident);
        let (Some(receiver_node), Some(name)) = (receiver, name) else {
            return Typed::wrong();
        };
        let receiver = self.expr(&receiver_node);
        let args: Vec<Typed> = arguments(node).iter().map(|e| self.expr(e)).collect();
        if receiver.is_wrong() || args.iter().any(Typed::is_wrong) {
            return Typed::wrong();
        }
        let (span, at) = (self.origin.token(&name), At(self.span(node)));
        let Some(method) = Method::by_name(name.text()) else {
            self.no_method(name.text(), receiver.ty, span);
            return Typed::wrong();
        };
        let ty = match receiver.ty {
            Ty::Scalar(Type::Collection(of)) => {
                let Some(signature) = method.signature(of.class, args.len()) else {
                    self.no_method(name.text(), receiver.ty, span);
                    return Typed::wrong();
                };
                for ((takes, arg), node) in signature.takes.iter().zip(&args).zip(arguments(node)) {
                    self.want(&node, arg.ty, takes.of(of));
                }
                Ty::Scalar(signature.gives.of(of))
            }
            Ty::Any => Ty::Any,
            Ty::Scalar(_) | Ty::Array(..) | Ty::Wrong => {
                let message = format!(
                    "`{}` is no collection and has no methods",
                    tree::text(&receiver_node)
                );
                self.report
                    .once(name.text(), Diagnostic::error("no-method", span, message));
                return Typed::wrong();
            }
        };
        let below: Vec<(u32, usize)> = std::iter::once(&receiver)
            .chain(&args)
            .map(|t| (t.depth, t.size))
            .collect();
        let exprs = args.into_iter().map(|t| t.expr);
        let expr = match (method.may_change(), receiver.expr) {
            (false, receiver) => Expr::Ask(method, std::iter::once(receiver).chain(exprs).collect(), at),
            (true, _) if !self.scope.in_program => {
                let message = format!(
                    "`{}` changes a collection, which is not allowed here",
                    name.text()
                );
                let help = "only the program of an event changes variables: `e{l.Add(1)} -> P`";
                let error = Diagnostic::error("assignment-outside-program", at.0, message);
                self.report.push(error.help(help));
                return Typed::wrong();
            }
            (true, Expr::Var(v, _)) => Expr::Change(Holder::Var(v), method, exprs.collect(), at),
            (true, Expr::Local(l)) => Expr::Change(Holder::Local(l), method, exprs.collect(), at),
            (true, _) => {
                let message = format!("`{}` cannot be changed", tree::text(&receiver_node));
                let help =
                    "it is a parameter, an input or a constant: its value is fixed; keep it in a variable";
                self.report
                    .push(Diagnostic::error("cannot-assign", at.0, message).help(help));
                return Typed::wrong();
            }
        };
        self.built(at.0, expr, ty, &below)
    }

    fn no_method(&mut self, name: &str, receiver: Ty, span: Span) {
        let Ty::Scalar(Type::Collection(of)) = receiver else {
            let message = format!("there is no method `{name}`");
            let help = did_you_mean(name, Method::ALL.map(Method::name).iter().map(String::as_str));
            self.report
                .once(name, Diagnostic::error("no-method", span, message).help(help));
            return;
        };
        let has = |method: &Method| (0..=2).any(|args| method.signature(of.class, args).is_some());
        let methods: Vec<String> = Method::ALL.into_iter().filter(has).map(Method::name).collect();
        let message = format!("a {} has no method `{name}` that takes this", of.class.name());
        let help = format!("it has {}", methods.join(", "));
        self.report
            .once(name, Diagnostic::error("no-method", span, message).help(help));
    }

    /// `call(Max, x, y)`
    pub(super) fn function(&mut self, node: &SyntaxNode, function: Function) -> Typed {
        let span = self.span(node);
        let nodes = tree::exprs(node);
        if nodes.len() != function.arity() {
            let message = format!(
                "`{}` takes {}, but {} given",
                function.name(),
                super::expression::count(function.arity(), "argument"),
                given(nodes.len(), "argument", "arguments")
            );
            self.report
                .push(Diagnostic::error("wrong-arguments", span, message));
            return Typed::wrong();
        }
        let mut args = Vec::new();
        let mut below = Vec::new();
        for node in &nodes {
            let typed = self.expr(node);
            self.want(node, typed.ty, Type::Int);
            if typed.is_wrong() {
                return typed;
            }
            below.push((typed.depth, typed.size));
            args.push(typed.expr);
        }
        self.built(span, Expr::Call(function, args, At(span)), Ty::INT, &below)
    }

    /// `[x, y + 1]`, where a whole array is assigned.
    pub(super) fn array(&mut self, node: &SyntaxNode) -> Typed {
        let Some((elements, ty)) = self.record_exprs(node) else {
            return Typed::wrong();
        };
        let expr = Expr::Array(elements, At(self.span(node))).close(&Env::default());
        let (depth, size) = super::size::measure(&expr);
        Typed {
            expr,
            ty: Ty::Array(ty, 1),
            depth,
            size,
        }
    }
}

/// The arguments of a method or of `new`.
fn arguments(call: &SyntaxNode) -> Vec<SyntaxNode> {
    tree::child(call, K::ArgList).map_or_else(Vec::new, |list| tree::exprs(&list))
}
