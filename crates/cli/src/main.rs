//! The `fairhold` command: arguments, rendering, progress, exit status. What is clever lives in the library.

mod args;
mod check;
mod convert;
mod examples;
mod explore;
mod graph;
mod input;
mod labels;
mod ltl;
mod manual;
mod output;
mod progress;
mod replay;
mod sample;
mod save;
mod simulate;
mod sizes;
mod terminal;
mod text;

use args::{Cli, Color, Command, Format};
use clap::Parser;
use fairhold::{Detail, Message, Report, Status};
use output::{Colors, complain};
use std::process::ExitCode;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Process terms are trees, and trees are walked by recursion.
const STACK: usize = 256 << 20;

fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => return usage(&error),
    };
    progress::catch_interrupts();
    let work = move || match &cli.command {
        Command::Check(args) => check::check(args),
        Command::Explore(args) => explore::explore(args),
        Command::Graph(args) => graph::graph(args),
        Command::Convert(args) => convert::convert(args),
        Command::Ltl(args) => ltl::ltl(args),
        Command::Examples(args) => examples::examples(args),
        Command::Completions(args) => manual::completions(args),
        Command::Man(args) => manual::man(args),
        Command::Simulate(args) => simulate::simulate(args),
        Command::Replay(args) => replay::replay(args),
    };
    let worker = std::thread::Builder::new()
        .name("check".into())
        .stack_size(STACK)
        .spawn(work);
    match worker.map(std::thread::JoinHandle::join) {
        Ok(Ok(status)) => ExitCode::from(status as u8),
        // The panic has already said what is wrong; it is ours, and no verdict of any kind.
        Ok(Err(_)) => ExitCode::from(101),
        Err(e) => {
            complain(&format!("error: cannot start a thread: {e}\n"));
            ExitCode::from(Status::BadInput as u8)
        }
    }
}

/// Help and version go to standard output, mistakes to standard error; a script that asked for a format gets it.
fn usage(error: &clap::Error) -> ExitCode {
    if !error.use_stderr() {
        output::print(&error.render().to_string());
        return ExitCode::SUCCESS;
    }
    complain(&error.render().to_string());
    let text = error.to_string();
    let message = text.lines().next().unwrap_or_default();
    let message = message.strip_prefix("error: ").unwrap_or(message);
    let report = Report {
        messages: vec![Message::usage("usage", message)],
        ..Report::default()
    };
    let format = asked_format();
    check::finish(&report, format, Detail::None, Colors::choose(Color::Never));
    ExitCode::from(Status::BadInput as u8)
}

/// The format asked for on a command line that could not be understood as a whole.
fn asked_format() -> Format {
    let mut arguments = std::env::args_os().map(|a| a.to_string_lossy().into_owned());
    while let Some(argument) = arguments.next() {
        let value = match argument.strip_prefix("--format") {
            Some("") => arguments.next(),
            Some(rest) => rest.strip_prefix('=').map(str::to_owned),
            None => None,
        };
        let format = value.and_then(|v| <Format as clap::ValueEnum>::from_str(&v, false).ok());
        if let Some(format) = format {
            return format;
        }
    }
    Format::Text
}
