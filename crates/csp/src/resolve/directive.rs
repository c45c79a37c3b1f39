//! Comments that say something about an assertion: `//@ fairness: esf`, `//@ expect: holds`.

use super::Resolver;
use super::tree::Origin;
use crate::model::Assertion;
use crate::syntax::{SyntaxKind as K, SyntaxNode};
use fairhold_source::{SourceMap, Span};
use fairhold_system::{DIRECTIVE, Remarks, directives};
use rowan::NodeOrToken;

impl Resolver {
    /// Hands the directives of one file to their assertions. `ends` are the places of all assertions of the file
    /// in order, each with its number if it was understood.
    pub(super) fn directives(
        &mut self,
        map: &SourceMap,
        (origin, root): &(Origin, SyntaxNode),
        ends: &[(Span, Option<usize>)],
        assertions: &mut [Assertion],
    ) {
        let comments = root
            .descendants_with_tokens()
            .filter_map(NodeOrToken::into_token)
            .filter(|t| t.kind() == K::Comment && t.text().starts_with(DIRECTIVE))
            .map(|t| origin.token(&t));
        let mut remarks = vec![Remarks::default(); assertions.len()];
        for diagnostic in directives(map.file(origin.file), comments, ends, &mut remarks) {
            self.report.push(diagnostic);
        }
        // Assertions of other files have their own remarks.
        for (_, number) in ends {
            if let Some(number) = *number {
                let Remarks { fairness, expect } = std::mem::take(&mut remarks[number]);
                assertions[number].fairness = fairness;
                assertions[number].expect = expect;
            }
        }
    }
}
