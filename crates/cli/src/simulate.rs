//! `fairhold simulate`: a walk by script or at random; on a terminal, see [`crate::terminal`].

use crate::args::{SimulateArgs, WalkFormat};
use crate::input::{Messages, load, read_trace};
use crate::output::{Colors, print};
use crate::progress::{Watcher, interrupted};
use crate::sample;
use crate::terminal;
use fairhold::{
    Command, Diagnostic, Effect, Language, Simulation, Status, load_script, messages_to_json, read_limited,
};
use std::io::IsTerminal;

/// Where commands come from.
enum Source {
    Terminal,
    Random(usize),
    /// At random until this event or condition, for so many steps at most.
    Until(String, usize),
    /// The script's name and text.
    Script(String, String),
}

/// Loads a model and walks through it; says how it went.
pub(crate) fn simulate(args: &SimulateArgs) -> Status {
    if let Some(runs) = args.runs {
        return sample::sample(args, runs);
    }
    let colors = Colors::choose(args.common.color);
    let mut messages = Messages::new(colors.stderr);
    let walked = walk(args, &mut messages);
    if args.format == WalkFormat::Json {
        let json = match &walked {
            Some((json, _)) if !messages.has_errors() => json.clone(),
            _ => messages_to_json(&messages.list).to_string(),
        };
        print(&(json + "\n"));
    }
    if walked.is_none() || messages.has_errors() {
        Status::BadInput
    } else if interrupted() || walked.is_some_and(|(_, met)| !met) {
        Status::Unknown
    } else {
        Status::Passed
    }
}

/// The walk as a trace in JSON, and whether it met what it was to meet; none if it could not start.
fn walk(args: &SimulateArgs, messages: &mut Messages) -> Option<(String, bool)> {
    let source = match source(args) {
        Ok(source) => source,
        Err(diagnostic) => {
            messages.add_bare(&diagnostic);
            return None;
        }
    };
    let options = args.common.load_options(args.process.as_deref());
    let loaded = load(&args.file, &args.common, &options);
    messages.add(&loaded.map, Some(&args.file), &loaded.diagnostics);
    let text = args.format == WalkFormat::Text;
    let walked = loaded.model?.simulate(args.common.bounds(), args.seed, |walk| {
        let obeyed = match &source {
            Source::Terminal => terminal::converse(walk).map(|()| true),
            Source::Random(steps) => random(walk, &Command::Random(*steps, None), text),
            Source::Until(goal, most) => random(walk, &Command::Until(*most, goal.clone()), text),
            Source::Script(name, script) => obey_all(walk, name, script, text).map(|()| true),
        };
        (walk.trace().to_string(), obeyed)
    });
    match walked {
        Ok((json, Ok(met))) => Some((json, met)),
        Ok((_, Err(diagnostic))) | Err(diagnostic) => {
            messages.add_bare(&diagnostic);
            None
        }
    }
}

fn source(args: &SimulateArgs) -> Result<Source, Diagnostic> {
    let wrong = |message: &str, help: &str| Diagnostic::bare("usage", message).help(help);
    if let Some(goal) = &args.until {
        let most = args.random.map_or(args.max_steps, |steps| steps as u64);
        return Ok(Source::Until(
            goal.clone(),
            usize::try_from(most).unwrap_or(usize::MAX),
        ));
    }
    if let Some(steps) = args.random {
        return Ok(Source::Random(steps));
    }
    if let Some(script) = &args.script {
        if script == "-" && args.file == "-" {
            let message = "standard input cannot be both the model and the script";
            return Err(wrong(message, "put one of them into a file"));
        }
        return read_script(script);
    }
    if args.format == WalkFormat::Json {
        let message = "a walk by hand cannot be printed as JSON";
        return Err(wrong(
            message,
            "give --script or --random, or save the walk: save FILE",
        ));
    }
    if args.file == "-" || !std::io::stdin().is_terminal() || !std::io::stdout().is_terminal() {
        let message = "there is no terminal to walk by hand on";
        return Err(wrong(
            message,
            "give --script FILE (- is standard input) or --random N",
        ));
    }
    Ok(Source::Terminal)
}

/// The script's name and text.
fn read_script(script: &str) -> Result<Source, Diagnostic> {
    let (name, text) = match script {
        "-" => {
            let name = "standard input";
            (name, read_limited(name, std::io::stdin().lock(), Language::Csp)?)
        }
        name => (name, load_script(name)?),
    };
    Ok(Source::Script(name.to_owned(), text))
}

/// Takes steps at random and shows them. Returns whether what they were to meet was met.
fn random(walk: &mut dyn Simulation, command: &Command, text: bool) -> Result<bool, Diagnostic> {
    let watcher = Watcher::new("random");
    let taken = walk.execute(command, &watcher);
    drop(watcher);
    let (here, met) = match taken {
        Ok(Effect::Say(here)) => (here, true),
        Ok(Effect::Missed(here)) => (here, false),
        Ok(_) => return Ok(true),
        Err(why) => return Err(Diagnostic::bare("bad-condition", why)),
    };
    if text {
        print(&(walk.path() + "\n" + &here));
    }
    Ok(met)
}

/// Obeys one command a line. The first that cannot be obeyed ends it.
fn obey_all(walk: &mut dyn Simulation, name: &str, script: &str, text: bool) -> Result<(), Diagnostic> {
    if text {
        print(&walk.here());
    }
    for (number, line) in (1..).zip(script.lines().map(str::trim)) {
        if line.is_empty() || line.starts_with("//") {
            continue;
        }
        if text {
            print(&format!("> {line}\n"));
        }
        match obey(walk, line) {
            Ok(Some(said)) if text => print(&said),
            Ok(Some(_)) => {}
            Ok(None) => return Ok(()),
            Err(why) => {
                let message = format!("{name}, line {number}: {why}");
                return Err(Diagnostic::bare("bad-command", message));
            }
        }
    }
    Ok(())
}

/// Obeys a command, files included. Returns what to show, or none at the end.
pub(crate) fn obey(walk: &mut dyn Simulation, line: &str) -> Result<Option<String>, String> {
    let command = Command::parse(line)?;
    let watcher = Watcher::new(line);
    let effect = walk.execute(&command, &watcher)?;
    drop(watcher);
    match effect {
        Effect::Say(text) | Effect::Missed(text) => Ok(Some(text)),
        Effect::Quit => Ok(None),
        Effect::Save(path) => {
            let text = walk.trace().to_string() + "\n";
            std::fs::write(&path, text).map_err(|e| format!("cannot write {path}: {e}"))?;
            Ok(Some(format!("saved to {path}\n")))
        }
        Effect::Open { path, to_end } => {
            let trace = read_trace(&path).map_err(|diagnostic| diagnostic.message)?;
            let opened = walk.open(&trace, to_end);
            opened.map(Some).map_err(|why| format!("{path}: {why}"))
        }
    }
}
