//! Reading the tree: children by class, places, and text.
//!
//! The tree is lossless and may lack any child (the parser has reported that), so everything here answers with an
//! `Option` or an iterator. A macro's body is kept as a detached subtree; its [`Origin`] turns offsets in it back
//! into places of the file it was written in.

use crate::syntax::{SyntaxKind, SyntaxNode, SyntaxToken};
use fairhold_source::{FileId, Span};
use rowan::{NodeOrToken, TextRange};

/// Where a tree comes from: a file, and the offset in it of the tree's first byte.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Origin {
    pub(super) file: FileId,
    pub(super) base: u32,
}

impl Origin {
    /// A range of the tree as a place of the file.
    pub(super) fn range(self, range: TextRange) -> Span {
        Span {
            file: self.file,
            start: self.base + u32::from(range.start()),
            end: self.base + u32::from(range.end()),
        }
    }

    /// The place of a node, without blanks and comments at its ends.
    pub(super) fn span(self, node: &SyntaxNode) -> Span {
        self.range(trimmed(node))
    }

    /// The place of a token.
    pub(super) fn token(self, token: &SyntaxToken) -> Span {
        self.range(token.text_range())
    }
}

/// A node's range without blanks and comments at its ends.
pub(super) fn trimmed(node: &SyntaxNode) -> TextRange {
    let range = node.text_range();
    let mut tokens = tokens(node);
    let Some(first) = tokens.next() else {
        return range;
    };
    let mut last = node.last_token();
    while let Some(token) = &last {
        if !token.kind().is_trivia() || token.text_range().start() <= first.text_range().start() {
            break;
        }
        last = token.prev_token();
    }
    let end = last.map_or(range.end(), |t| t.text_range().end());
    TextRange::new(first.text_range().start(), end)
}

/// All tokens below a node that are neither blank nor comment.
pub(super) fn tokens(node: &SyntaxNode) -> impl Iterator<Item = SyntaxToken> {
    node.descendants_with_tokens()
        .filter_map(NodeOrToken::into_token)
        .filter(|t| !t.kind().is_trivia())
}

/// The first child of a kind.
pub(super) fn child(node: &SyntaxNode, kind: SyntaxKind) -> Option<SyntaxNode> {
    node.children().find(|n| n.kind() == kind)
}

/// All children of a kind.
pub(super) fn children_of(node: &SyntaxNode, kind: SyntaxKind) -> impl Iterator<Item = SyntaxNode> {
    node.children().filter(move |n| n.kind() == kind)
}

/// The first token of a kind directly below a node.
pub(super) fn token(node: &SyntaxNode, kind: SyntaxKind) -> Option<SyntaxToken> {
    own_tokens(node).find(|t| t.kind() == kind)
}

/// The tokens directly below a node, without blanks and comments.
pub(super) fn own_tokens(node: &SyntaxNode) -> impl Iterator<Item = SyntaxToken> {
    node.children_with_tokens()
        .filter_map(NodeOrToken::into_token)
        .filter(|t| !t.kind().is_trivia())
}

/// The first identifier directly below a node.
pub(super) fn ident(node: &SyntaxNode) -> Option<SyntaxToken> {
    token(node, SyntaxKind::Ident)
}

/// The first expression directly below a node.
pub(super) fn expr(node: &SyntaxNode) -> Option<SyntaxNode> {
    node.children().find(|n| is_expr(n.kind()))
}

/// The expressions directly below a node.
pub(super) fn exprs(node: &SyntaxNode) -> Vec<SyntaxNode> {
    node.children().filter(|n| is_expr(n.kind())).collect()
}

/// The processes directly below a node.
pub(super) fn processes(node: &SyntaxNode) -> impl Iterator<Item = SyntaxNode> {
    node.children().filter(|n| is_process(n.kind()))
}

/// Whether nodes of this kind are expressions.
pub(super) fn is_expr(kind: SyntaxKind) -> bool {
    use SyntaxKind as K;
    matches!(
        kind,
        K::Literal
            | K::NameRef
            | K::ElementRef
            | K::Unary
            | K::Postfix
            | K::Binary
            | K::ParenExpr
            | K::CallExpr
            | K::NewExpr
            | K::MethodCall
            | K::ForeignExpr
            | K::Quantified
            | K::Assign
    )
}

/// Whether nodes of this kind are processes.
pub(super) fn is_process(kind: SyntaxKind) -> bool {
    use SyntaxKind as K;
    matches!(
        kind,
        K::Interleave
            | K::Parallel
            | K::Choice
            | K::InternalChoice
            | K::ExternalChoice
            | K::Interrupt
            | K::Hiding
            | K::Sequence
            | K::Guard
            | K::Prefix
            | K::CaseProcess
            | K::IfProcess
            | K::AtomicProcess
            | K::Call
            | K::SkipProcess
            | K::StopProcess
            | K::AssertProcess
            | K::ParenProcess
            | K::Indexed
    )
}

/// Whether nodes of this kind are statements.
pub(super) fn is_stmt(kind: SyntaxKind) -> bool {
    use SyntaxKind as K;
    matches!(
        kind,
        K::Block | K::LocalVar | K::IfStmt | K::WhileStmt | K::ExprStmt | K::EmptyStmt
    )
}

/// Whether nodes of this kind are formulas.
pub(super) fn is_formula(kind: SyntaxKind) -> bool {
    use SyntaxKind as K;
    matches!(
        kind,
        K::FChain
            | K::FTemporal
            | K::FUnary
            | K::FPath
            | K::FParen
            | K::FQuantified
            | K::FAtom
            | K::FStep
            | K::FConstraint
    )
}

/// What is written between the quotes of a string token.
pub(super) fn unquoted(token: &SyntaxToken) -> String {
    token.text().trim_matches('"').to_owned()
}

/// The text of some elements, blanks and comments collapsed to one blank, identifiers as `rename` says.
pub(super) fn collapsed(
    tokens: impl Iterator<Item = SyntaxToken>,
    rename: impl Fn(&str) -> Option<String>,
) -> String {
    let mut out = String::new();
    let mut blank = false;
    for token in tokens {
        if token.kind().is_trivia() {
            blank = true;
            continue;
        }
        if blank && !out.is_empty() {
            out.push(' ');
        }
        blank = false;
        match (token.kind() == SyntaxKind::Ident)
            .then(|| rename(token.text()))
            .flatten()
        {
            Some(name) => out.push_str(&name),
            None => out.push_str(token.text()),
        }
    }
    out
}

/// The text of a node, blanks and comments collapsed.
pub(super) fn text(node: &SyntaxNode) -> String {
    collapsed(
        node.descendants_with_tokens().filter_map(NodeOrToken::into_token),
        |_| None,
    )
}
