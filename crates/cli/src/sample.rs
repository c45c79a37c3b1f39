//! `fairhold simulate --runs`: many random runs of a protocol, and how soon they converge.

use crate::args::{SimulateArgs, WalkFormat};
use crate::input::{Messages, load};
use crate::output::{Colors, print, write_text};
use crate::progress::{Watcher, interrupted};
use crate::text::thousands;
use fairhold::{QUANTILES, Sample, SampleOptions, Status, messages_to_json, sample_to_json, sample_to_svg};

/// Loads a protocol and runs it; says how it went.
pub(crate) fn sample(args: &SimulateArgs, runs: u64) -> Status {
    let colors = Colors::choose(args.common.color);
    let mut messages = Messages::new(colors.stderr);
    let sample = run(args, runs, &mut messages);
    match (&sample, args.format) {
        (Some(sample), WalkFormat::Json) => {
            print(&(sample_to_json(&messages.list, sample).to_string() + "\n"));
        }
        (None, WalkFormat::Json) => print(&(messages_to_json(&messages.list).to_string() + "\n")),
        (Some(sample), WalkFormat::Text) => print(&text(sample)),
        (None, WalkFormat::Text) => {}
    }
    if sample.is_none() || messages.has_errors() {
        Status::BadInput
    } else if interrupted() {
        Status::Unknown
    } else {
        Status::Passed
    }
}

fn run(args: &SimulateArgs, runs: u64, messages: &mut Messages) -> Option<Sample> {
    let options = args.common.load_options(args.process.as_deref());
    let loaded = load(&args.file, &args.common, &options);
    messages.add(&loaded.map, Some(&args.file), &loaded.diagnostics);
    let model = loaded.model?;
    let options = SampleOptions {
        runs,
        until: args.until.clone(),
        most: args.max_steps,
        hold: args.hold,
        seed: args.seed,
    };
    let watcher = Watcher::new("random runs");
    let sample = model.sample(&options, &watcher);
    drop(watcher);
    let sample = sample.map_err(|wrong| messages.add_bare(&wrong)).ok()?;
    if let Some(path) = &args.plot
        && let Err(wrong) = write_text(Some(path), &sample_to_svg(&sample))
    {
        messages.add_bare(&wrong);
    }
    Some(sample)
}

fn text(sample: &Sample) -> String {
    let found = &sample.statistics;
    let options = &sample.options;
    let share = found
        .share()
        .map_or(String::new(), |share| format!(" ({:.1} %)", share * 100.0));
    let cut = match found.runs as u64 == options.runs {
        true => String::new(),
        false => format!(" of {} asked for: interrupted", thousands(options.runs)),
    };
    let mut out = format!(
        "{} random runs of {}{cut}\n",
        thousands(found.runs as u64),
        sample.file
    );
    let mut line = |label: &str, value: String| out.push_str(&format!("  {label:<12}{value}\n"));
    let until = match options.hold {
        0 => sample.until.clone(),
        hold => format!("{}, for {} more steps", sample.until, thousands(hold)),
    };
    line("until", until);
    line(
        "converged",
        format!("{}{share}", thousands(found.converged as u64)),
    );
    if found.converged < found.runs {
        let given_up = (found.runs - found.converged) as u64;
        line(
            "did not",
            format!("{} within {} steps", thousands(given_up), thousands(options.most)),
        );
    }
    if found.converged == 0 {
        return out;
    }
    let whole = |n: Option<u64>| n.map_or_else(|| "-".to_owned(), thousands);
    let real = |x: Option<f64>| x.map_or_else(|| "-".to_owned(), |x| format!("{x:.1}"));
    out.push_str("  steps until then\n");
    let mut line = |label: &str, value: String| out.push_str(&format!("    {label:<10}{value:>12}\n"));
    line("least", whole(found.least));
    for (share, steps) in QUANTILES.iter().zip(&found.quantiles) {
        match *share == 0.5 {
            true => line("median", whole(*steps)),
            false => line(&format!("{:.0} %", share * 100.0), whole(*steps)),
        }
    }
    line("greatest", whole(found.greatest));
    line("mean", real(found.mean));
    line("deviation", real(found.deviation));
    out
}
