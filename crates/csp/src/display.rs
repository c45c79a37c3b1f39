//! Terms and expressions as text, for people who look at a state.

use crate::library::Method;
use crate::model::{
    At, Base, BinaryOp, Binding, ChannelRef, DefId, EventExpr, Expr, Holder, Model, Pattern, Program, Query,
    Stmt, Target, UnaryOp, Values,
};
use crate::state::channel_name;
use crate::term::{EventSet, Operator, Term, TermId};

/// A process longer than this is cut: a state is looked at, not parsed.
const MAX_LEN: usize = 160;

impl Model {
    /// The process as text, cut if it is long.
    pub fn display(&self, id: TermId) -> String {
        let mut text = String::new();
        self.write(id, false, &mut text);
        if text.len() > MAX_LEN {
            let end = (0..=MAX_LEN)
                .rev()
                .find(|&i| text.is_char_boundary(i))
                .unwrap_or(0);
            text.truncate(end);
            text.push_str("...");
        }
        text
    }

    /// Writes a term; `tight` asks for parentheses around an operator.
    fn write(&self, id: TermId, tight: bool, out: &mut String) {
        if out.len() > MAX_LEN {
            return;
        }
        if let Some((def, args)) = self.name_of(id) {
            let args: Vec<Expr> = args.iter().cloned().map(Expr::Const).collect();
            return self.write_call(def, &args, out);
        }
        let node = self.terms.get(id);
        let open = tight && is_operator(&node.term);
        if open {
            out.push('(');
        }
        self.write_term(&node.term, out);
        if open {
            out.push(')');
        }
    }

    fn write_call(&self, DefId(def): DefId, args: &[Expr], out: &mut String) {
        out.push_str(&self.definitions[def as usize].name);
        if !args.is_empty() {
            out.push('(');
            self.write_list(args, ", ", out);
            out.push(')');
        }
    }

    fn write_term(&self, term: &Term, out: &mut String) {
        match term {
            Term::Ended => out.push_str("terminated"),
            Term::Stop => out.push_str("Stop"),
            Term::Skip => out.push_str("Skip"),
            Term::Fault(_) => out.push_str("error"),
            Term::Prefix(event, program, then) => {
                self.write_event(event, out);
                self.write_then(program.as_deref(), *then, out);
            }
            Term::Silent(program, then) => {
                if program.is_none() {
                    out.push_str("tau");
                }
                self.write_then(program.as_deref(), *then, out);
            }
            Term::Send(channel, values, program, then) => {
                self.write_channel(channel, out);
                out.push('!');
                self.write_list(values, ".", out);
                self.write_then(program.as_deref(), *then, out);
            }
            Term::Receive(channel, guard, patterns, program, then) => {
                self.write_channel(channel, out);
                out.push('?');
                if let Some(guard) = guard {
                    out.push('[');
                    self.write_expr(guard, out);
                    out.push(']');
                }
                for (i, pattern) in patterns.iter().enumerate() {
                    if i > 0 {
                        out.push('.');
                    }
                    match pattern {
                        Pattern::Bind(b) => self.write_expr(&Expr::Bound(*b), out),
                        Pattern::Match(e) => self.write_expr(e, out),
                    }
                }
                self.write_then(program.as_deref(), *then, out);
            }
            Term::Guard(c, p) => {
                out.push('[');
                self.write_expr(c, out);
                out.push_str("] ");
                self.write(*p, true, out);
            }
            Term::If(c, p, q) => self.write_if("if", c, *p, Some(*q), out),
            Term::IfAtomic(c, p, q) => self.write_if("ifa", c, *p, Some(*q), out),
            Term::IfBlocking(c, p) => self.write_if("ifb", c, *p, None, out),
            Term::Case(branches, otherwise) => {
                out.push_str("case {");
                for (c, p) in branches {
                    self.write_expr(c, out);
                    out.push_str(": ");
                    self.write(*p, false, out);
                    out.push(' ');
                }
                out.push_str("default: ");
                self.write(*otherwise, false, out);
                out.push('}');
            }
            Term::Choice(v) => self.write_operands(v, " [] ", out),
            Term::Internal(v) => self.write_operands(v, " <> ", out),
            Term::External(v) => self.write_operands(v, " [*] ", out),
            Term::Interleave(v) => self.write_operands(v, " ||| ", out),
            Term::Parallel(v) | Term::Synchronised(v, _) => self.write_operands(v, " || ", out),
            Term::Interrupt(p, q) => self.write_operands(&[*p, *q], " interrupt ", out),
            Term::Sequence(p, q) => self.write_operands(&[*p, *q], "; ", out),
            Term::Hide(p, set) => {
                self.write(*p, true, out);
                write_set(set, out);
            }
            Term::HideOpen(p, _) => {
                self.write(*p, true, out);
                out.push_str(" \\ {...}");
            }
            Term::Atomic(p) => {
                out.push_str("atomic{");
                self.write(*p, false, out);
                out.push('}');
            }
            Term::Assert(c, _) => {
                out.push_str("assert(");
                self.write_expr(c, out);
                out.push(')');
            }
            Term::Call(def, args, _) => self.write_call(*def, args, out),
            Term::Indexed(operator, bindings, body) => {
                out.push_str(match operator {
                    Operator::Interleave => "|||",
                    Operator::Parallel => "||",
                    Operator::Choice => "[]",
                    Operator::Internal => "<>",
                    Operator::External => "[*]",
                });
                out.push(' ');
                self.write_bindings(bindings, out);
                self.write(*body, true, out);
            }
            Term::Copies(count, body, _) => {
                out.push_str("|||{");
                self.write_expr(count, out);
                out.push_str("} @ ");
                self.write(*body, true, out);
            }
            Term::Process(_, p) => self.write(*p, true, out),
        }
    }

    fn write_then(&self, program: Option<&Program>, then: TermId, out: &mut String) {
        if let Some(program) = program {
            out.push('{');
            for (i, stmt) in program.body.iter().enumerate() {
                if i > 0 {
                    out.push_str("; ");
                }
                self.write_stmt(stmt, out);
            }
            out.push('}');
        }
        out.push_str(" -> ");
        self.write(
            then,
            !matches!(self.terms.get(then).term, Term::Prefix(..) | Term::Silent(..)),
            out,
        );
    }

    fn write_if(&self, keyword: &str, c: &Expr, p: TermId, q: Option<TermId>, out: &mut String) {
        out.push_str(keyword);
        out.push_str(" (");
        self.write_expr(c, out);
        out.push_str(") {");
        self.write(p, false, out);
        out.push('}');
        if let Some(q) = q {
            out.push_str(" else {");
            self.write(q, false, out);
            out.push('}');
        }
    }

    fn write_operands(&self, operands: &[TermId], operator: &str, out: &mut String) {
        for (i, &p) in operands.iter().enumerate() {
            if i > 0 {
                out.push_str(operator);
            }
            let prefix = matches!(self.terms.get(p).term, Term::Prefix(..) | Term::Silent(..));
            self.write(p, !prefix, out);
        }
    }

    fn write_event(&self, event: &EventExpr, out: &mut String) {
        out.push_str(&event.name);
        for index in &event.indices {
            out.push('.');
            self.write_tight(index, out);
        }
    }

    fn write_channel(&self, channel: &ChannelRef, out: &mut String) {
        match channel.index.as_deref() {
            None => out.push_str(&channel_name(self, channel.channel, 0)),
            Some(index) => {
                out.push_str(&self.channels[channel.channel.0 as usize].name);
                out.push('[');
                self.write_expr(index, out);
                out.push(']');
            }
        }
    }

    fn write_bindings(&self, bindings: &[Binding], out: &mut String) {
        for (i, binding) in bindings.iter().enumerate() {
            if i > 0 {
                out.push_str("; ");
            }
            self.write_expr(&Expr::Bound(binding.bound), out);
            out.push_str(":{");
            match &binding.values {
                Values::List(list) => self.write_list(list, ", ", out),
                Values::Range(lower, upper) => {
                    self.write_expr(lower, out);
                    out.push_str("..");
                    self.write_expr(upper, out);
                }
            }
            out.push('}');
        }
        out.push_str(" @ ");
    }

    fn write_list(&self, exprs: &[Expr], separator: &str, out: &mut String) {
        for (i, e) in exprs.iter().enumerate() {
            if i > 0 {
                out.push_str(separator);
            }
            self.write_tight(e, out);
        }
    }

    fn write_tight(&self, e: &Expr, out: &mut String) {
        let open = matches!(e, Expr::Binary(..) | Expr::Quantified(..) | Expr::Assign(..));
        if open {
            out.push('(');
        }
        self.write_expr(e, out);
        if open {
            out.push(')');
        }
    }

    fn write_expr(&self, e: &Expr, out: &mut String) {
        if out.len() > MAX_LEN {
            return;
        }
        match e {
            Expr::Const(v) => out.push_str(&v.to_string()),
            Expr::Bound(b) => out.push_str(&format!("v{}", b.0)),
            Expr::Local(l) => out.push_str(&format!("local{}", l.0)),
            Expr::Var(v, _) => out.push_str(&self.variables[v.0 as usize].name),
            Expr::Element(base, indices, _) => {
                match base {
                    Base::Var(v) => out.push_str(&self.variables[v.0 as usize].name),
                    Base::Bound(b) => self.write_expr(&Expr::Bound(*b), out),
                    Base::Local(l) => self.write_expr(&Expr::Local(*l), out),
                    Base::Const(values) => {
                        out.push_str(&crate::model::Value::Array(values.clone()).to_string());
                    }
                }
                for index in indices {
                    out.push('[');
                    self.write_expr(index, out);
                    out.push(']');
                }
            }
            Expr::Unary(op, e, _) => {
                out.push_str(match op {
                    UnaryOp::Neg => "-",
                    UnaryOp::Not => "!",
                });
                self.write_tight(e, out);
            }
            Expr::Binary(op, a, b, _) => {
                self.write_tight(a, out);
                out.push_str(&format!(" {} ", op.symbol()));
                self.write_tight(b, out);
            }
            Expr::Quantified(op, bindings, body) => {
                debug_assert!(matches!(op, BinaryOp::And | BinaryOp::Or | BinaryOp::Xor));
                out.push_str(op.symbol());
                out.push(' ');
                self.write_bindings(bindings, out);
                self.write_tight(body, out);
            }
            Expr::Channel(query, channel) => {
                out.push_str(match query {
                    Query::Full => "call(cfull, ",
                    Query::Empty => "call(cempty, ",
                    Query::Count => "call(ccount, ",
                    Query::Size => "call(csize, ",
                    Query::Peek => "call(cpeek, ",
                });
                self.write_channel(channel, out);
                out.push(')');
            }
            Expr::Ask(method, operands, _) => {
                self.write_tight(&operands[0], out);
                self.write_method(*method, &operands[1..], out);
            }
            Expr::Change(holder, method, args, _) => {
                match holder {
                    Holder::Var(v) => self.write_expr(&Expr::Var(*v, At::default()), out),
                    Holder::Local(l) => self.write_expr(&Expr::Local(*l), out),
                }
                self.write_method(*method, args, out);
            }
            Expr::Call(function, args, _) => {
                out.push_str(&format!("call({}, ", function.name()));
                self.write_list(args, ", ", out);
                out.push(')');
            }
            Expr::Array(elements, _) => {
                out.push('[');
                self.write_list(elements, ", ", out);
                out.push(']');
            }
            Expr::Program(body, _) => self.write_block(body, out),
            Expr::Assign(target, e, _) => {
                match target {
                    Target::Var(v) => self.write_expr(&Expr::Var(*v, At::default()), out),
                    Target::Local(l) => self.write_expr(&Expr::Local(*l), out),
                    Target::Element(v, indices) => {
                        self.write_expr(&Expr::Element(Base::Var(*v), indices.clone(), At::default()), out);
                    }
                    Target::LocalElement(l, index) => {
                        let indices = vec![(**index).clone()];
                        self.write_expr(&Expr::Element(Base::Local(*l), indices, At::default()), out);
                    }
                }
                out.push_str(" = ");
                self.write_expr(e, out);
            }
            Expr::Fault(_) => out.push_str("error"),
        }
    }

    fn write_stmt(&self, stmt: &Stmt, out: &mut String) {
        match stmt {
            Stmt::Expr(e) => self.write_expr(e, out),
            Stmt::Local(l, e) => {
                out.push_str(&format!("var local{} = ", l.0));
                self.write_expr(e, out);
            }
            Stmt::LocalArray(l, values) => {
                out.push_str(&format!("var local{} = [", l.0));
                self.write_list(values, ", ", out);
                out.push(']');
            }
            Stmt::If(c, ..) => {
                out.push_str("if (");
                self.write_expr(c, out);
                out.push_str(") ...");
            }
            Stmt::While(c, ..) => {
                out.push_str("while (");
                self.write_expr(c, out);
                out.push_str(") ...");
            }
            Stmt::Block(body) => self.write_block(body, out),
        }
    }

    fn write_block(&self, body: &[Stmt], out: &mut String) {
        for (i, stmt) in body.iter().enumerate() {
            if i > 0 {
                out.push_str("; ");
            }
            self.write_stmt(stmt, out);
        }
    }

    fn write_method(&self, method: Method, args: &[Expr], out: &mut String) {
        out.push_str(&format!(".{}(", method.name()));
        self.write_list(args, ", ", out);
        out.push(')');
    }
}

fn write_set(set: &EventSet, out: &mut String) {
    out.push_str(" \\ {");
    for (i, event) in set.iter().enumerate() {
        if out.len() > MAX_LEN {
            break;
        }
        if i > 0 {
            out.push_str(", ");
        }
        out.push_str(&event.to_string());
    }
    out.push('}');
}

fn is_operator(term: &Term) -> bool {
    matches!(
        term,
        Term::Prefix(..)
            | Term::Silent(..)
            | Term::Send(..)
            | Term::Receive(..)
            | Term::Guard(..)
            | Term::Choice(_)
            | Term::Internal(_)
            | Term::External(_)
            | Term::Interleave(_)
            | Term::Parallel(_)
            | Term::Synchronised(..)
            | Term::Interrupt(..)
            | Term::Sequence(..)
            | Term::Hide(..)
            | Term::HideOpen(..)
            | Term::Indexed(..)
            | Term::Copies(..)
    )
}
