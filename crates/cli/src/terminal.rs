//! A walk by hand: lines with editing, history and completion.
//!
//! Ctrl-C clears the line, and stops a command that takes long; Ctrl-D on an empty line stops the walk. A command that
//! cannot be obeyed changes nothing and says why.

use crate::output::{complain, print};
use crate::progress::forget_interrupt;
use crate::simulate::obey;
use fairhold::{COMMANDS, Diagnostic, Simulation};
use rustyline::completion::Completer;
use rustyline::error::ReadlineError;
use rustyline::highlight::Highlighter;
use rustyline::hint::Hinter;
use rustyline::history::MemHistory;
use rustyline::validate::Validator;
use rustyline::{CompletionType, Config, Context, Editor, Helper};

/// Asks for commands until there are no more.
pub(crate) fn converse(walk: &mut dyn Simulation) -> Result<(), Diagnostic> {
    let config = Config::builder()
        .completion_type(CompletionType::List)
        .auto_add_history(true)
        .build();
    let history = MemHistory::with_config(&config);
    let broken = |e: &ReadlineError| {
        Diagnostic::bare("cannot-read", format!("cannot read from the terminal: {e}"))
            .help("give --script FILE or --random N")
    };
    let mut editor = Editor::<Words, MemHistory>::with_history(config, history).map_err(|e| broken(&e))?;
    print("help explains the commands, Ctrl-D stops\n");
    print(&walk.here());
    loop {
        editor.set_helper(Some(Words::at(walk)));
        let line = match editor.readline(&format!("{}> ", walk.position())) {
            Ok(line) => line,
            Err(ReadlineError::Interrupted) => continue,
            Err(ReadlineError::Eof) => return Ok(()),
            Err(e) => return Err(broken(&e)),
        };
        if line.trim().is_empty() {
            continue;
        }
        // A Ctrl-C from before this command is not meant for it.
        forget_interrupt();
        match obey(walk, &line) {
            Ok(Some(said)) => print(&said),
            Ok(None) => return Ok(()),
            Err(why) => complain(&format!("{why}\n")),
        }
        forget_interrupt();
    }
}

/// The words that a line can start with: commands, and the events that are possible.
struct Words(Vec<String>);

impl Words {
    fn at(walk: &dyn Simulation) -> Words {
        let mut words = walk.events();
        words.extend(COMMANDS.iter().map(|row| row.name.to_owned()));
        Words(words)
    }
}

impl Completer for Words {
    type Candidate = String;

    fn complete(&self, line: &str, at: usize, _: &Context<'_>) -> rustyline::Result<(usize, Vec<String>)> {
        let before = &line[..at];
        // Events also follow `do` and `find`.
        let start = before.rfind(' ').map_or(0, |blank| blank + 1);
        let words = self.0.iter().filter(|word| word.starts_with(&before[start..]));
        Ok((start, words.cloned().collect()))
    }
}

impl Hinter for Words {
    type Hint = String;
}

impl Highlighter for Words {}

impl Validator for Words {}

impl Helper for Words {}
