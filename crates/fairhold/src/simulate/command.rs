//! Commands of a walk: one table for help and completion, one function that reads them.
//!
//! A line is a number, a command with its arguments, or the name of an event. A command's word wins over an event of
//! the same name; `do` takes the event.

use super::show;

/// Something to do on a walk.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Command {
    /// Take the step with this number in the list.
    Choose(usize),
    /// Take the step of this event, or of the one event that starts so.
    Do(String),
    /// Go so many steps back.
    Back(usize),
    /// Take so many of the steps ahead: those undone, or those of a run that was started.
    Next(usize),
    /// Go to this step of the walk, behind or ahead.
    Jump(usize),
    /// Go the shortest way to a step or state as described.
    Find(String),
    /// Take so many steps at random, with a new seed if one is given.
    Random(usize, Option<u64>),
    /// Take at most so many steps at random, until a step or state as described.
    Until(usize, String),
    /// Show the steps so far; in full with the states.
    Path(bool),
    /// Show the state in full.
    State,
    /// Show what is possible.
    List,
    /// Save the steps so far.
    Save(String),
    /// Take over a saved run and go to its end.
    Load(String),
    /// Take over a saved run and stand at its start.
    Start(String),
    /// Explain a command, or all.
    Help(Option<String>),
    /// Stop.
    Quit,
}

/// `until` takes at most so many steps.
const MANY: usize = 100_000;

/// A row of the table of commands.
#[derive(Clone, Copy, Debug)]
pub struct CommandHelp {
    /// The word.
    pub name: &'static str,
    /// What follows it.
    pub arguments: &'static str,
    /// What it does.
    pub sentence: &'static str,
}

const fn row(name: &'static str, arguments: &'static str, sentence: &'static str) -> CommandHelp {
    CommandHelp {
        name,
        arguments,
        sentence,
    }
}

/// All commands that are words.
pub const COMMANDS: &[CommandHelp] = &[
    row(
        "do",
        "EVENT",
        "take the step of an event, even if its name is a command",
    ),
    row("undo", "[N]", "take back the last step, or the last N"),
    row("back", "[N]", "the same as undo"),
    row(
        "next",
        "[N]",
        "take a step ahead again: one undone, or one of a started run",
    ),
    row(
        "jump",
        "N",
        "go to step N of the walk, behind or ahead; 0 is the start",
    ),
    row(
        "find",
        "EVENT|CONDITION",
        "go the shortest way to the event or to a state with the condition",
    ),
    row(
        "random",
        "[N] [SEED]",
        "take N steps at random; the same seed takes the same",
    ),
    row(
        "until",
        "EVENT|CONDITION",
        "take steps at random until the event, or a state with the condition",
    ),
    row("path", "[full]", "show the steps so far; full: with every state"),
    row("state", "", "show the state in full"),
    row("list", "", "show the steps that are possible"),
    row(
        "save",
        "FILE",
        "save the steps so far; fairhold replay FILE validates them",
    ),
    row("load", "FILE", "go along a saved run to its end"),
    row(
        "start",
        "FILE",
        "stand at the start of a saved run; next goes along it",
    ),
    row("help", "[COMMAND]", "explain all commands, or one"),
    row("quit", "", "stop; so does Ctrl-D"),
];

impl Command {
    /// Reads a line. The error is a sentence without a final full stop.
    pub fn parse(line: &str) -> Result<Command, String> {
        let line = line.trim();
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        let count = |default: Option<usize>| match (rest, default) {
            ("", Some(default)) => Ok(default),
            ("", None) => Err(format!("{word} what? {}", usage(word))),
            (text, _) => number(text).map_err(|e| format!("{e}; {}", usage(word))),
        };
        let text = || match rest {
            "" => Err(format!("{word} what? {}", usage(word))),
            text => Ok(text.to_owned()),
        };
        let alone = |command: Command| match rest {
            "" => Ok(command),
            _ => Err(format!("`{rest}` is one word too many; {}", usage(word))),
        };
        match word {
            "" => Err("there is no command here".to_owned()),
            "do" => text().map(Command::Do),
            "undo" | "back" => count(Some(1)).map(Command::Back),
            "next" => count(Some(1)).map(Command::Next),
            "jump" => count(None).map(Command::Jump),
            "find" => text().map(Command::Find),
            "until" => text().map(|goal| Command::Until(MANY, goal)),
            "random" => random(rest).map_err(|e| format!("{e}; {}", usage(word))),
            "path" if rest == "full" => Ok(Command::Path(true)),
            "path" => alone(Command::Path(false)),
            "state" => alone(Command::State),
            "list" => alone(Command::List),
            "save" => text().map(Command::Save),
            "load" => text().map(Command::Load),
            "start" => text().map(Command::Start),
            "help" | "?" => Ok(Command::Help((!rest.is_empty()).then(|| rest.to_owned()))),
            "quit" => alone(Command::Quit),
            _ if line.bytes().all(|b| b.is_ascii_digit()) => number(line).map(Command::Choose),
            _ => Ok(Command::Do(line.to_owned())),
        }
    }

    /// The explanation of one command, or of all.
    pub(super) fn help(topic: Option<&str>) -> Result<String, String> {
        let Some(topic) = topic else {
            return Ok(show::help());
        };
        let row = COMMANDS.iter().find(|row| row.name == topic);
        row.map(|row| format!("{}\n  {}\n", written(row), row.sentence))
            .ok_or_else(|| format!("`{topic}` is no command; help lists all"))
    }
}

/// `random [N] [SEED]`
pub(super) fn written(row: &CommandHelp) -> String {
    format!("{} {}", row.name, row.arguments).trim_end().to_owned()
}

fn usage(word: &str) -> String {
    let row = COMMANDS.iter().find(|row| row.name == word);
    row.map_or(String::new(), |row| format!("write `{}`", written(row)))
}

fn number<T: std::str::FromStr>(text: &str) -> Result<T, String> {
    text.parse().map_err(|_| format!("`{text}` is not a number"))
}

fn random(rest: &str) -> Result<Command, String> {
    let mut words = rest.split_whitespace();
    let steps = words.next().map_or(Ok(1), number)?;
    let seed = words.next().map(number).transpose()?;
    match words.next() {
        None => Ok(Command::Random(steps, seed)),
        Some(word) => Err(format!("`{word}` is one word too many")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_read() {
        for (line, command) in [
            (" 3 ", Command::Choose(3)),
            ("get.0.1", Command::Do("get.0.1".into())),
            ("c!1", Command::Do("c!1".into())),
            ("do state", Command::Do("state".into())),
            ("undo", Command::Back(1)),
            ("back 4", Command::Back(4)),
            ("next 2", Command::Next(2)),
            ("jump 0", Command::Jump(0)),
            ("find x == 2 && y > 1", Command::Find("x == 2 && y > 1".into())),
            ("random", Command::Random(1, None)),
            ("random 10 7", Command::Random(10, Some(7))),
            ("until x == 2", Command::Until(MANY, "x == 2".into())),
            ("path", Command::Path(false)),
            ("path full", Command::Path(true)),
            ("save a b.json", Command::Save("a b.json".into())),
            ("?", Command::Help(None)),
            ("help find", Command::Help(Some("find".into()))),
            ("quit", Command::Quit),
        ] {
            assert_eq!(Command::parse(line), Ok(command), "{line}");
        }
    }

    #[test]
    fn mistakes_teach() {
        for (line, message) in [
            ("jump", "jump what? write `jump N`"),
            ("undo x", "`x` is not a number; write `undo [N]`"),
            ("random 3 x", "`x` is not a number; write `random [N] [SEED]`"),
            (
                "random 1 2 3",
                "`3` is one word too many; write `random [N] [SEED]`",
            ),
            ("state x", "`x` is one word too many; write `state`"),
            ("99999999999999999999", "`99999999999999999999` is not a number"),
            ("", "there is no command here"),
        ] {
            assert_eq!(Command::parse(line), Err(message.to_owned()), "{line}");
        }
    }

    #[test]
    fn every_row_is_a_command_and_has_help() {
        for row in COMMANDS {
            let read = Command::parse(&format!("{} 1", row.name)).or_else(|_| Command::parse(row.name));
            assert!(
                !matches!(read, Ok(Command::Do(event)) if event.starts_with(row.name)),
                "{}",
                row.name
            );
            assert!(Command::help(Some(row.name)).is_ok());
        }
        assert!(Command::help(Some("dance")).is_err());
    }
}
