//! `fairhold ltl`.

use crate::args::LtlArgs;
use crate::input::Messages;
use crate::output::{Colors, print};
use fairhold::{Status, translate_formula};

/// Translates one formula and prints the automaton; says how it went.
pub(crate) fn ltl(args: &LtlArgs) -> Status {
    let colors = Colors::choose(args.color);
    let translated = translate_formula(&args.formula, args.negate, args.to.into());
    Messages::new(colors.stderr).add(&translated.map, None, &translated.diagnostics);
    match translated.text {
        Some(text) => {
            print(&text);
            Status::Passed
        }
        None => Status::BadInput,
    }
}
