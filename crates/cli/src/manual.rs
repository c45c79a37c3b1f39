//! `fairhold man` and `fairhold completions`: the option table as manual pages, as a page of the book, and as scripts
//! for shells.
//!
//! All of them are read off clap's definitions in `args`, so none can say something else than `--help` does.

use crate::args::{Cli, Color, CompletionsArgs, ManArgs, ManualFormat};
use crate::input::Messages;
use crate::output::{Colors, print};
use clap::{Arg, Command, CommandFactory};
use fairhold::{Diagnostic, Status};

/// Prints a completion script.
pub(crate) fn completions(args: &CompletionsArgs) -> Status {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "fairhold", &mut script);
    print(&String::from_utf8_lossy(&script));
    Status::Passed
}

/// Prints a page of the manual.
pub(crate) fn man(args: &ManArgs) -> Status {
    let program = program();
    let command = match &args.of {
        None => &program,
        Some(name) => match program.find_subcommand(name) {
            Some(command) => command,
            None => {
                let unknown = Diagnostic::bare("unknown-command", format!("there is no command `{name}`"));
                let colors = Colors::choose(Color::Auto);
                Messages::new(colors.stderr).add_bare(&unknown.help("`fairhold --help` lists them all"));
                return Status::BadInput;
            }
        },
    };
    print(&match (args.to, &args.of) {
        (ManualFormat::Roff, _) => roff(command),
        (ManualFormat::Markdown, None) => page(command),
        (ManualFormat::Markdown, Some(_)) => section(command, None),
    });
    Status::Passed
}

/// The whole command line. The command `help` that clap adds has no page: `--help` says the same.
fn program() -> Command {
    let mut program = Cli::command().disable_help_subcommand(true);
    program.build();
    program
}

fn roff(command: &Command) -> String {
    let mut page = Vec::new();
    clap_mangen::Man::new(command.clone())
        .manual("Fairhold")
        .render(&mut page)
        .expect("writing to memory does not fail");
    String::from_utf8_lossy(&page).into_owned()
}

const HEAD: &str = "\
# Commands

Written by `cargo xtask docs` from the definitions that `--help` prints; do not edit. How each command behaves, with
examples that run, is in the chapters on behaviour.
";

/// The page of the book: the program, then every command.
fn page(program: &Command) -> String {
    let mut text = format!("{HEAD}\n```text\n");
    let commands: Vec<&Command> = program.get_subcommands().filter(|c| !c.is_hide_set()).collect();
    let width = commands.iter().map(|c| c.get_name().len()).max().unwrap_or(0);
    for command in &commands {
        let line = format!("fairhold {:<width$}  {}", command.get_name(), about(command));
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text.push_str("```\n");
    let shared = after(program);
    text.push_str(&block(shared.as_deref()));
    for command in commands {
        text.push('\n');
        text.push_str(&section(command, shared.as_deref()));
    }
    text
}

/// One command: what it does, how it is called, its arguments and options, and its last words unless they are `said`
/// already.
fn section(command: &Command, said: Option<&str>) -> String {
    let mut text = format!(
        "## {}\n\n{}\n",
        command.get_bin_name().unwrap_or_else(|| command.get_name()),
        escaped(&about(command))
    );
    let usage = command.clone().render_usage().to_string();
    let usage = usage.strip_prefix("Usage: ").unwrap_or(&usage);
    text.push_str(&format!("\n```text\n{usage}\n```\n"));
    let shown = |arg: &&Arg| !arg.is_hide_set() && arg.get_id() != "help";
    let rows: Vec<&Arg> = command.get_arguments().filter(shown).collect();
    if !rows.is_empty() {
        text.push_str("\n| argument | meaning |\n|---|---|\n");
    }
    for arg in rows {
        text.push_str(&format!("| {} | {} |\n", spelling(arg), meaning(arg)));
    }
    let after = after(command);
    text.push_str(&block(after.as_deref().filter(|after| Some(*after) != said)));
    text
}

/// Examples and exit status, as `--help` ends with them.
fn after(command: &Command) -> Option<String> {
    let text = command.get_after_help()?.to_string();
    Some(text.trim_end().to_owned())
}

fn block(text: Option<&str>) -> String {
    text.map_or(String::new(), |text| format!("\n```text\n{text}\n```\n"))
}

fn about(command: &Command) -> String {
    command.get_about().map(ToString::to_string).unwrap_or_default()
}

/// How it is written: `-j, --threads <N>`.
fn spelling(arg: &Arg) -> String {
    let mut names = Vec::new();
    names.extend(arg.get_short().map(|c| format!("-{c}")));
    names.extend(arg.get_long().map(|name| format!("--{name}")));
    let value = arg.get_value_names().and_then(|names| names.first());
    let value = value.filter(|_| arg.get_action().takes_values());
    let mut text = names.join(", ");
    match value {
        Some(value) if text.is_empty() => text = value.to_string(),
        Some(value) => text.push_str(&format!(" {value}")),
        None => {}
    }
    format!("`{text}`")
}

/// What it means, the values it takes, and what it is when it is not given.
fn meaning(arg: &Arg) -> String {
    let mut text = arg
        .get_help()
        .map(|help| escaped(&help.to_string()))
        .unwrap_or_default();
    if arg.get_action().takes_values() {
        for value in arg.get_possible_values().iter().filter(|v| !v.is_hide_set()) {
            text.push_str(&format!("<br>`{}`", value.get_name()));
            if let Some(help) = value.get_help() {
                text.push_str(&format!(": {}", escaped(&help.to_string())));
            }
        }
    }
    let default: Vec<String> = arg
        .get_default_values()
        .iter()
        .map(|v| v.to_string_lossy().into_owned())
        .collect();
    if arg.get_action().takes_values() && !default.is_empty() {
        text.push_str(&format!("<br>Default: `{}`.", default.join(" ")));
    }
    text
}

/// Fit for a cell of a Markdown table.
fn escaped(text: &str) -> String {
    text.replace('|', "\\|").replace('<', "&lt;").replace('\n', " ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_command_has_a_page_and_a_section() {
        let program = program();
        let page = page(&program);
        for command in program.get_subcommands() {
            let name = command.get_name();
            assert!(page.contains(&format!("\n## fairhold {name}\n")), "{name}");
            assert!(
                roff(command).contains(&format!(".TH fairhold-{name} 1")),
                "{name}"
            );
        }
    }

    #[test]
    fn options_show_values_and_defaults() {
        let program = program();
        let check = section(
            program.find_subcommand("check").expect("check is a command"),
            None,
        );
        let row = check
            .lines()
            .find(|line| line.contains("--format FORMAT"))
            .expect("check has a format");
        assert!(
            row.contains("`junit`") && row.ends_with("Default: `text`. |"),
            "{row}"
        );
        assert!(check.contains("`-j, --threads N`") && check.contains("DIR/&lt;index>"));
    }
}
