//! `fairhold examples`: the models inside the binary, listed or printed.

use crate::args::ExamplesArgs;
use crate::input::Messages;
use crate::output::{Colors, print};
use fairhold::{Diagnostic, EXAMPLES, Language, Status, example};

const HINT: &str = "
fairhold examples NAME               prints one of them
fairhold examples NAME > NAME.csp    saves it, to be checked and changed (a structure as NAME.kts, a protocol as NAME.pp)
";

/// Lists all, or prints one exactly as it is in the repository.
pub(crate) fn examples(args: &ExamplesArgs) -> Status {
    let Some(name) = &args.name else {
        print(&(list() + HINT));
        return Status::Passed;
    };
    match example(name) {
        Some(example) => {
            print(example.text);
            Status::Passed
        }
        None => {
            let colors = Colors::choose(crate::args::Color::Auto);
            let unknown = Diagnostic::bare("unknown-example", format!("there is no example `{name}`"));
            Messages::new(colors.stderr).add_bare(&unknown.help("`fairhold examples` lists them all"));
            Status::BadInput
        }
    }
}

fn list() -> String {
    let shown = |e: &fairhold::Example| match e.language {
        Language::Csp => e.name.to_owned(),
        _ => e.file(),
    };
    let width = EXAMPLES.iter().map(|e| shown(e).len()).max().unwrap_or(0);
    let line = |e: &fairhold::Example| format!("{:<width$}  {}\n", shown(e), e.about());
    EXAMPLES.iter().map(line).collect()
}
