//! Constants: which `#define`s are constants, their values, and evaluation where a constant is needed.
//!
//! `#define N 5;` is a constant in PAT, and so is here every expression over constants alone: `#define M N * 2;`. The
//! defines form a graph by mention; a depth-first walk with its own stack (texts can be long) finds cycles and an
//! order in which each is evaluated after those it mentions. What mentions anything else is a macro.

use super::Resolver;
use super::binding::state_name;
use super::expression::Typed;
use super::names::{Macro, MacroId, Meaning};
use super::tree::{self, Origin};
use crate::expr::Env;
use crate::model::{Expr, Value};
use crate::syntax::{SyntaxKind as K, SyntaxNode};
use fairhold_source::{Diagnostic, Span, did_you_mean};
use rustc_hash::FxHashMap;

/// A `#define`.
pub(super) struct Define {
    pub(super) name: String,
    pub(super) span: Span,
    pub(super) node: SyntaxNode,
    pub(super) origin: Origin,
}

/// What is known about a define during the walk.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Mark {
    Unseen,
    Open,
    Constant,
    Macro,
}

impl Resolver {
    /// Gives every define its meaning. `overrides` are the values from the command line. Answers the integer
    /// constants with the values in force.
    pub(super) fn define_all(
        &mut self,
        defines: &[Define],
        overrides: &[(String, i32)],
    ) -> Vec<(String, i32)> {
        let numbers: FxHashMap<&str, usize> = defines
            .iter()
            .enumerate()
            .map(|(i, d)| (d.name.as_str(), i))
            .collect();
        let mut marks = vec![Mark::Unseen; defines.len()];
        for root in 0..defines.len() {
            // Each entry: a define, the names it mentions, and how many of those were looked at.
            let mut path: Vec<(usize, Vec<String>, usize)> = Vec::new();
            if marks[root] == Mark::Unseen {
                path.push((root, Vec::new(), 0));
            }
            while let Some((define, mentions, next)) = path.last_mut() {
                let define = *define;
                if marks[define] == Mark::Unseen {
                    marks[define] = Mark::Open;
                    match constant_names(&defines[define].node) {
                        Some(names) => *mentions = names,
                        None => marks[define] = Mark::Macro,
                    }
                }
                if marks[define] == Mark::Open && *next < mentions.len() {
                    let name = mentions[*next].clone();
                    *next += 1;
                    match numbers.get(name.as_str()) {
                        Some(&other) if marks[other] == Mark::Unseen => path.push((other, Vec::new(), 0)),
                        Some(&other) if marks[other] == Mark::Open => {
                            let from = path.iter().position(|(d, ..)| *d == other).unwrap_or(0);
                            let cycle: Vec<usize> = path[from..].iter().map(|(d, ..)| *d).collect();
                            self.constant_cycle(defines, &cycle);
                            for d in cycle {
                                marks[d] = Mark::Constant;
                            }
                        }
                        Some(&other) if marks[other] == Mark::Constant => {}
                        None if matches!(
                            self.names.symbols.get(&name).map(|s| &s.meaning),
                            Some(Meaning::Constant(_))
                        ) => {}
                        _ => marks[define] = Mark::Macro,
                    }
                    continue;
                }
                if marks[define] == Mark::Open {
                    marks[define] = Mark::Constant;
                    self.define_constant(&defines[define], overrides);
                }
                path.pop();
            }
        }
        self.finish_defines(defines, &marks, overrides)
    }

    fn define_constant(&mut self, define: &Define, overrides: &[(String, i32)]) {
        self.origin = define.origin;
        let value = match tree::expr(&define.node) {
            // `#define DEBUG;` says no value.
            None => None,
            Some(body) => self.constant(&body),
        };
        let given = overrides.iter().rev().find(|(name, _)| *name == define.name);
        let value = match (value, given) {
            (Some(Value::Int(_)), Some((_, given))) => Some(Value::Int(*given)),
            (value, _) => value,
        };
        self.mean(define, Meaning::Constant(value));
    }

    fn mean(&mut self, define: &Define, meaning: Meaning) {
        if let Some(symbol) = self.names.symbols.get_mut(&define.name) {
            symbol.meaning = meaning;
        }
    }

    fn constant_cycle(&mut self, defines: &[Define], cycle: &[usize]) {
        let names: Vec<&str> = cycle
            .iter()
            .chain(&cycle[..1])
            .map(|&d| defines[d].name.as_str())
            .collect();
        let message = format!("`{}` is defined by itself: {}", names[0], names.join(", "));
        let span = defines[cycle[0]].span;
        self.report.push(Diagnostic::error("define-cycle", span, message));
        for &d in cycle {
            self.mean(&defines[d], Meaning::Constant(None));
        }
    }

    /// Makes macros of the rest, lists the integer constants, and reports overrides of anything else.
    fn finish_defines(
        &mut self,
        defines: &[Define],
        marks: &[Mark],
        overrides: &[(String, i32)],
    ) -> Vec<(String, i32)> {
        let mut constants = Vec::new();
        for (define, mark) in defines.iter().zip(marks) {
            if *mark == Mark::Macro {
                self.define_macro(define);
            } else if let Some(Meaning::Constant(Some(Value::Int(value)))) =
                self.names.symbols.get(&define.name).map(|s| &s.meaning)
            {
                constants.push((define.name.clone(), *value));
            }
        }
        for (name, _) in overrides {
            if !constants.iter().any(|(n, _)| n == name) {
                let message = format!("there is no integer constant `{name}` to override");
                let help = did_you_mean(name, constants.iter().map(|(n, _)| n.as_str()));
                self.report
                    .once(name, Diagnostic::bare("unknown-define", message).help(help));
            }
        }
        constants
    }

    fn define_macro(&mut self, define: &Define) {
        let body = define
            .node
            .children()
            .find(|n| tree::is_expr(n.kind()) || tree::is_stmt(n.kind()));
        let Some(body) = body else {
            self.mean(define, Meaning::Constant(None));
            return;
        };
        let params = tree::child(&define.node, K::ParamList).map_or_else(Vec::new, |list| {
            tree::children_of(&list, K::Param)
                .filter_map(|p| Some(tree::ident(&p)?.text().to_owned()))
                .collect()
        });
        let origin = Origin {
            file: define.origin.file,
            base: define.origin.base + u32::from(body.text_range().start()),
        };
        let id = MacroId(self.names.macros.len() as u32);
        self.names.macros.push(Macro {
            name: define.name.clone(),
            params,
            body: body.green().to_owned(),
            origin,
            span: define.span,
        });
        self.mean(define, Meaning::Macro(id));
    }

    /// The value of an expression that must be constant; reports one that is not.
    pub(super) fn constant(&mut self, node: &SyntaxNode) -> Option<Value> {
        let typed = self.expr(node);
        self.constant_value(node, &typed)
    }

    /// The value of a resolved expression that must be constant.
    pub(super) fn constant_value(&mut self, node: &SyntaxNode, typed: &Typed) -> Option<Value> {
        if typed.is_wrong() {
            return None;
        }
        let span = self.span(node);
        match typed.expr.close(&Env::default()) {
            Expr::Const(value) => Some(value),
            Expr::Fault(fault) => {
                let error = Diagnostic::error("constant-error", span, fault.message.clone());
                self.report.once(&tree::text(node), error);
                None
            }
            _ => {
                match state_name(&typed.expr) {
                    Some(what) => self.depends_on_state(span, what),
                    None => {
                        let message =
                            "this must be known before the model runs, but it depends on a parameter";
                        self.report.once(
                            &tree::text(node),
                            Diagnostic::error("not-constant", span, message),
                        );
                    }
                }
                None
            }
        }
    }

    /// The value of an expression that must be a constant integer.
    pub(super) fn constant_int(&mut self, node: &SyntaxNode) -> Option<i32> {
        match self.constant(node)? {
            Value::Int(value) => Some(value),
            other => {
                let message = format!("an integer is needed here, not {other}");
                let error = Diagnostic::error("constant-error", self.span(node), message);
                self.report.once(&tree::text(node), error);
                None
            }
        }
    }
}

/// The names a define mentions, if it has the form of a constant: no parameters, operators only.
fn constant_names(define: &SyntaxNode) -> Option<Vec<String>> {
    if tree::child(define, K::ParamList).is_some() {
        return None;
    }
    let body = define
        .children()
        .find(|n| tree::is_expr(n.kind()) || tree::is_stmt(n.kind()));
    let Some(body) = body else {
        return Some(Vec::new());
    };
    let mut names = Vec::new();
    for node in body.descendants() {
        match node.kind() {
            K::Literal | K::Unary | K::Binary | K::ParenExpr => {}
            K::NameRef => names.push(tree::ident(&node)?.text().to_owned()),
            _ => return None,
        }
    }
    Some(names)
}
