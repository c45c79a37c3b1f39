//! Words that mean something by themselves.

use fairhold_logic::Quantifier;

/// Words that begin a declaration.
pub(crate) const DECLARATIONS: [&str; 10] = [
    "size",
    "const",
    "topology",
    "field",
    "input",
    "detector",
    "predicate",
    "schedule",
    "initial",
    "assert",
];

/// Words that no expression begins with.
const CONNECTIVES: [&str; 6] = ["when", "where", "by", "and", "or", "xor"];

/// Words that mean something in expressions, formulas or assertions.
const MEANINGS: [&str; 26] = [
    "node",
    "i",
    "r",
    "true",
    "false",
    "bool",
    "all",
    "some",
    "not",
    "forall",
    "exists",
    "correct",
    "guessT",
    "guessF",
    "pass",
    "deadlock",
    "enabled",
    "ready",
    "engaged",
    "process",
    "impartial",
    "deadlockfree",
    "reaches",
    "stable",
    "computes",
    "self",
];

/// Operators of time.
const OPERATORS: [&str; 9] = ["X", "F", "G", "U", "R", "V", "W", "GF", "FG"];

/// Whether this word is an operator of time: outside formulas, it has no meaning.
pub(crate) fn is_operator(word: &str) -> bool {
    OPERATORS.contains(&word)
}

/// Whether this word begins a declaration.
pub(crate) fn is_declaration(word: &str) -> bool {
    DECLARATIONS.contains(&word)
}

/// Whether no expression can begin with this word.
pub(crate) fn is_keyword(word: &str) -> bool {
    is_declaration(word) || CONNECTIVES.contains(&word)
}

/// Whether nothing may be named so. Values of fields may be called `A` and `E`: no formula goes wrong by it.
pub(crate) fn is_reserved(word: &str, value: bool) -> bool {
    is_keyword(word)
        || MEANINGS.contains(&word)
        || OPERATORS.contains(&word)
        || Quantifier::of_word(word).is_some()
        || (!value && matches!(word, "A" | "E"))
}
