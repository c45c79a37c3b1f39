//! Assertions: what is asked of which process.

use super::Resolver;
use super::tree;
use crate::model::{Assertion, At, DefId, Expr, Goal, Question, Refinement, Type, UnaryOp, Value};
use crate::syntax::{SyntaxKind as K, SyntaxNode};
use rowan::NodeOrToken;

impl Resolver {
    /// An assertion; none if something was reported.
    pub(super) fn assertion(&mut self, node: &SyntaxNode) -> Option<Assertion> {
        let process = tree::child(node, K::Call).and_then(|c| self.closed_call(&c));
        let question = self.question_of(node);
        let (process, args) = process?;
        Some(Assertion {
            text: assertion_text(node),
            process,
            args,
            question: question?,
            fairness: None,
            expect: Vec::new(),
            span: self.span(node),
        })
    }

    fn question_of(&mut self, node: &SyntaxNode) -> Option<Question> {
        if let Some(formula) = tree::child(node, K::Formula) {
            return self.temporal(&formula);
        }
        if let Some(reaches) = tree::child(node, K::Reaches) {
            return self.reaches(&reaches);
        }
        if let Some(never) = tree::child(node, K::Never) {
            return Some(Question::Never(self.asserted_condition(&never)?));
        }
        if let Some(always) = tree::child(node, K::Always) {
            let at = At(self.span(&always));
            let condition = self.asserted_condition(&always)?;
            let negated = Expr::Unary(UnaryOp::Not, Box::new(condition), at);
            return Some(Question::Always(negated));
        }
        if let Some(refines) = tree::child(node, K::Refines) {
            let refinement = if tree::token(&refines, K::FailuresRef).is_some() {
                Refinement::Failures
            } else if tree::token(&refines, K::FdRef).is_some() {
                Refinement::FailuresDivergences
            } else {
                Refinement::Traces
            };
            let (process, args) = self.closed_call(&tree::child(&refines, K::Call)?)?;
            return Some(Question::Refines(refinement, process, args));
        }
        tree::own_tokens(node).find_map(|t| match t.kind() {
            K::DeadlockfreeKw => Some(Question::DeadlockFree),
            K::NonterminatingKw => Some(Question::NonTerminating),
            K::DivergencefreeKw => Some(Question::DivergenceFree),
            K::DeterministicKw => Some(Question::Deterministic),
            _ => None,
        })
    }

    fn reaches(&mut self, node: &SyntaxNode) -> Option<Question> {
        let condition = self.asserted_condition(node);
        let objective = tree::child(node, K::Objective);
        let measured: Option<Option<(Goal, Expr)>> = objective
            .map(|objective| {
                let goal = if tree::token(&objective, K::MinKw).is_some() {
                    Goal::Min
                } else {
                    Goal::Max
                };
                let expr = tree::expr(&objective)?;
                let typed = self.expr(&expr);
                self.want(&expr, typed.ty, Type::Int);
                (!typed.is_wrong()).then_some((goal, typed.expr))
            })
            .map_or(Some(None), |o| o.map(Some));
        Some(Question::Reaches {
            condition: condition?,
            objective: measured?,
        })
    }

    /// The condition of `reaches`, `never` or `always`; none if something was reported.
    fn asserted_condition(&mut self, node: &SyntaxNode) -> Option<Expr> {
        let condition = tree::expr(node).map(|e| self.condition(&e))?;
        (!condition.is_wrong()).then_some(condition.expr)
    }

    /// A process with constant arguments.
    pub(super) fn closed_call(&mut self, node: &SyntaxNode) -> Option<(DefId, Vec<Value>)> {
        let id = self.callee_process(node);
        let nodes: Vec<SyntaxNode> = tree::child(node, K::ArgList).map_or_else(Vec::new, |list| {
            list.children()
                .filter(|n| tree::is_expr(n.kind()) || n.kind() == K::Record)
                .collect()
        });
        let args: Option<Vec<Value>> = nodes
            .iter()
            .map(|n| {
                let typed = self.argument(n);
                self.constant_value(n, &typed)
            })
            .collect();
        let id = id?;
        self.fits(node, id, nodes.len()).then_some((id, args?))
    }
}

/// What stands between `#assert` and `;`, blanks collapsed.
fn assertion_text(node: &SyntaxNode) -> String {
    let mut tokens: Vec<_> = node
        .descendants_with_tokens()
        .filter_map(NodeOrToken::into_token)
        .collect();
    if let Some(keyword) = tokens.iter().position(|t| t.kind() == K::AssertKw) {
        tokens.drain(..=keyword);
    }
    if let Some(end) = tokens.iter().rposition(|t| !t.kind().is_trivia())
        && tokens[end].kind() == K::Semi
    {
        tokens.truncate(end);
    }
    tree::collapsed(tokens.into_iter(), |_| None)
}
