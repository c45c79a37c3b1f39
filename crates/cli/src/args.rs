//! The command line: one field an option, its sentence is its help.

use clap::{Args, Parser, Subcommand, ValueEnum};
use fairhold::{
    AutomatonFormat, Bounds, Detail, Ends, Fairness, GraphFormat, Hidden, Language, LoadOptions,
    SampleOptions, Selector, SizeRange, Target, parse_fairness,
};
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

const EXAMPLES: &str = "\
Examples:
  fairhold check dp.csp                     check every assertion in the file
  fairhold check dp.csp -a deadlockfree     only those with this in their text
  fairhold check dp.csp -a 0 -D N=7         the first one, with #define N changed to 7
  fairhold check dp.csp -p 'P reaches x == 2'
  fairhold check dp.csp --automaton p.hoa   every execution is accepted by this automaton
  fairhold check dp.csp --format json --timeout 60 --max-memory 2G
  fairhold check big.csp --random 1000      random walks, where no search comes to an end
  fairhold explore dp.csp -P 'College()'    count the reachable states

Exit status:
  0  every result is as expected (without an expectation: holds)
  1  some result is not, and is fails, error or an unexpected holds
  2  the input or the command line is wrong
  3  some result is unknown: out of time, memory or states, interrupted, not supported";

const WALKS: &str = "\
Examples:
  fairhold simulate dp.csp                  walk by hand; help explains the commands
  fairhold simulate dp.csp -P 'Phil(1)'     through another process
  fairhold simulate dp.csp --random 20 --seed 7
  fairhold simulate dp.csp --until eat.1 --seed 7
                                            at random until philosopher 1 eats
  fairhold simulate dp.csp --script walk.txt --format json > run.json
  fairhold simulate leader.pp --runs 1000 --plot steps.svg
                                            how soon a protocol converges
A script holds the commands of the terminal, one a line; empty lines and lines that start with // are skipped.

Exit status:
  0  every command was obeyed
  2  the input, the command line or a command of the script is wrong
  3  what --until waits for was not met, or interrupted";

const GRAPHS: &str = "\
Examples:
  fairhold graph dp.csp --to svg -o dp.svg  a picture
  fairhold graph dp.csp | dot -Tpdf         a picture by Graphviz
  fairhold graph dp.csp --to aut            for other tools, and for fairhold check again
  fairhold graph dp.csp --to svg --highlight out/0-none.json
Pictures show at most 500 states, unless --max-states says otherwise. States with further steps are dashed.

Exit status:
  0  the graph is written, all of it or up to a bound on states
  2  the input or the command line is wrong
  3  the graph is cut: out of time or memory, or interrupted";

const CONVERSIONS: &str = "\
Examples:
  fairhold convert leader.pp --to csp       a protocol as a model in CSP#, its configuration chosen first
  fairhold convert leader.pp --to csp -D N=5 -o leader.csp
  fairhold convert dp.csp --to aut          the reachable graph, as fairhold graph --to aut

Exit status:
  0  the model is written
  2  the input or the command line is wrong, or there is no way to write this as that
  3  the graph is cut: out of time or memory, or interrupted";

const FORMULAS: &str = "\
Examples:
  fairhold ltl '[](request -> <>reply)'     an automaton for other tools
  fairhold ltl '[]<>p' --negate --to text   what a check looks for, to be read
  fairhold ltl 'p U q' --to dot | dot -Tpdf

Exit status:
  0  the automaton is written
  2  the formula or the command line is wrong";

const REPLAYS: &str = "\
Examples:
  fairhold check dp.csp --save-trace out    save every counterexample and witness
  fairhold replay out/0-none.json           validate one of them, and print it
  fairhold replay out/0-esf.json --svg run.svg
                                            and draw it: a run of a protocol

Exit status:
  0  the run is one of the model, and shows what it is said to
  1  it is not, or does not; the first step that is wrong is named
  2  the input or the command line is wrong";

/// Checks models of concurrent systems: deadlock, reachability, determinism, divergence.
#[derive(Parser, Debug)]
#[command(name = "fairhold", version, after_help = EXAMPLES, max_term_width = 110)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Subcommand, Debug)]
pub(crate) enum Command {
    /// Check the assertions of models.
    #[command(after_help = EXAMPLES)]
    Check(CheckArgs),
    /// Count what a process can reach: states, steps, depth, deadlocks, bytes per state.
    #[command(after_help = EXAMPLES)]
    Explore(ExploreArgs),
    /// Write the reachable graph, as a picture or for other programs.
    #[command(after_help = GRAPHS)]
    Graph(GraphArgs),
    /// Write a model in another language.
    #[command(after_help = CONVERSIONS)]
    Convert(ConvertArgs),
    /// Walk through a model: by hand on a terminal, by a script, or at random.
    #[command(after_help = WALKS)]
    Simulate(SimulateArgs),
    /// Validate a saved run on the reference semantics, and print it.
    #[command(after_help = REPLAYS)]
    Replay(ReplayArgs),
    /// Translate a formula of LTL to an automaton.
    #[command(after_help = FORMULAS)]
    Ltl(LtlArgs),
    /// List the models that ship inside the binary, or print one.
    Examples(ExamplesArgs),
    /// Print a script that completes commands and options in a shell.
    Completions(CompletionsArgs),
    /// Print the manual: of the program, or of one command.
    Man(ManArgs),
}

#[derive(Args, Debug)]
pub(crate) struct CheckArgs {
    /// Models to check (.csp, .kts, .aut); - is standard input, with --lang.
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<String>,

    /// Only these assertions: an index from 0, a range 2..4 (both ends included), or a part of the text.
    #[arg(short, long = "assert", value_name = "SEL", value_parser = selector, allow_hyphen_values = true)]
    pub(crate) assert: Vec<Selector>,

    /// Check this instead of the file's assertions; written as after #assert: 'P deadlockfree'.
    #[arg(short, long = "property", value_name = "ASSERTION")]
    pub(crate) property: Vec<String>,

    /// Check that this automaton (HOA) accepts every execution, instead of the file's assertions; its atoms are names in the model.
    #[arg(long, value_name = "FILE")]
    pub(crate) automaton: Vec<String>,

    /// Fairness for LTL and CTL: none, pwf, ewf, psf, esf, sgf, impartial, a comma list, all, or a formula in GF and FG. May be given several times.
    #[arg(short, long, value_name = "F", value_parser = fairness)]
    pub(crate) fairness: Vec<FairnessList>,

    /// What becomes of an execution where there are no steps: idle, it idles forever; none, it does not count. Default: none for .kts, idle for all else.
    #[arg(long, value_name = "ENDS")]
    pub(crate) ends: Option<EndsChoice>,

    /// Of a formula that holds, name the parts that have no influence on that.
    #[arg(long)]
    pub(crate) vacuity: bool,

    /// Of a formula in CTL, tell which states satisfy which part of it.
    #[arg(long)]
    pub(crate) states: bool,

    /// Check a protocol (.pp) at each of these sizes, such as 3..9, and name the smallest at which each notion fails.
    #[arg(long, value_name = "SIZES", value_parser = SizeRange::parse)]
    pub(crate) sizes: Option<SizeRange>,

    /// Take so many random walks of 1,000 to 100,000 steps instead of a search: fails with a run, or unknown; never that a claim about all runs holds.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..), conflicts_with_all = ["vacuity", "states"])]
    pub(crate) random: Option<u64>,

    /// With --random: the seed of the walks; the same seed takes the same walks.
    #[arg(long, value_name = "S", default_value_t = 0, requires = "random")]
    pub(crate) seed: u64,

    /// Partial-order and symmetry reduction: auto takes what is proven sound, and says so.
    #[arg(long, value_name = "REDUCTION", default_value = "auto")]
    pub(crate) reduce: Reduce,

    /// Give the counterexample that -j 1 gives, whatever the number of threads.
    #[arg(long)]
    pub(crate) reproducible: bool,

    /// Show a run of the fewest steps there are. Without it, a search beyond a few hundred thousand states may show a longer
    /// one that was found sooner, made short within what was visited.
    #[arg(long)]
    pub(crate) shortest: bool,

    /// Output format.
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub(crate) format: Format,

    /// How much of a run to print; short folds the middle of runs of more than 200 steps.
    #[arg(long, value_name = "DETAIL", default_value = "short")]
    pub(crate) trace: TraceDetail,

    /// Save each counterexample and witness as DIR/<index>-<notion>.json.
    #[arg(long, value_name = "DIR")]
    pub(crate) save_trace: Option<PathBuf>,

    /// Hidden variables (hvar): exact, they are part of a state wherever their value matters, so no verdict depends on the word;
    /// merge, as in PAT, the value met first stays, and an answer that this cannot support is unknown.
    #[arg(long, value_name = "READING", default_value = "exact")]
    pub(crate) hidden: HiddenReading,

    #[command(flatten)]
    pub(crate) common: Common,
}

#[derive(Args, Debug)]
pub(crate) struct ExploreArgs {
    /// The model to explore (.csp, .kts, .aut); - is standard input, with --lang.
    pub(crate) file: String,

    /// The process to explore, such as 'P(3)'; without it, that of the first assertion.
    #[arg(short = 'P', long, value_name = "PROCESS")]
    pub(crate) process: Option<String>,

    /// Also count the strongly connected components.
    #[arg(long)]
    pub(crate) sccs: bool,

    /// Output format.
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub(crate) format: ExploreFormat,

    /// Hidden variables (hvar): exact, they are part of a state wherever their value matters; merge, as in PAT, the value met
    /// first stays, and what follows from others is not counted.
    #[arg(long, value_name = "READING", default_value = "exact")]
    pub(crate) hidden: HiddenReading,

    #[command(flatten)]
    pub(crate) common: Common,
}

#[derive(Args, Debug)]
pub(crate) struct LtlArgs {
    /// The formula, with the operators [] <> X U R W ! && || -> <-> xor and names or quoted strings as atoms.
    #[arg(allow_hyphen_values = true)]
    pub(crate) formula: String,

    /// What to write.
    #[arg(long, value_name = "FORMAT", default_value = "hoa")]
    pub(crate) to: LtlTo,

    /// Translate the negation of the formula.
    #[arg(long)]
    pub(crate) negate: bool,

    /// Colours in the output.
    #[arg(long, value_name = "WHEN", default_value = "auto")]
    pub(crate) color: Color,
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum LtlTo {
    /// The Hanoi Omega-Automata format, for other tools.
    Hoa,
    /// For Graphviz.
    Dot,
    /// To be read.
    Text,
}

impl From<LtlTo> for AutomatonFormat {
    fn from(to: LtlTo) -> AutomatonFormat {
        match to {
            LtlTo::Hoa => AutomatonFormat::Hoa,
            LtlTo::Dot => AutomatonFormat::Dot,
            LtlTo::Text => AutomatonFormat::Text,
        }
    }
}

#[derive(Args, Debug)]
pub(crate) struct GraphArgs {
    /// The model to draw (.csp, .kts, .aut); - is standard input, with --lang.
    pub(crate) file: String,

    /// What to write.
    #[arg(long, value_name = "FORMAT", default_value = "dot")]
    pub(crate) to: GraphTo,

    /// Write to this file; without it, to standard output.
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,

    /// The process to draw, such as 'P(3)'; without it, that of the first assertion.
    #[arg(short = 'P', long, value_name = "PROCESS")]
    pub(crate) process: Option<String>,

    /// Draw the run of this saved trace bold; its process and constants are taken over.
    #[arg(long, value_name = "TRACE")]
    pub(crate) highlight: Option<String>,

    /// Colour the states that satisfy this formula: a condition, or CTL, such as 'AG EF x == 0'.
    #[arg(long, value_name = "FORMULA")]
    pub(crate) label: Option<String>,

    /// Fairness of the paths that --label speaks of: none, pwf, ewf, psf, esf, sgf, or a formula in GF and FG.
    #[arg(short, long, value_name = "F", value_parser = one_fairness, requires = "label")]
    pub(crate) fairness: Option<Fairness>,

    #[command(flatten)]
    pub(crate) common: Common,
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum GraphTo {
    /// For Graphviz.
    Dot,
    /// Aldebaran: numbered states and labelled steps.
    Aut,
    /// One JSON object, see docs/schema/graph.schema.json.
    Json,
    /// A picture.
    Svg,
}

impl From<GraphTo> for GraphFormat {
    fn from(to: GraphTo) -> GraphFormat {
        match to {
            GraphTo::Dot => GraphFormat::Dot,
            GraphTo::Aut => GraphFormat::Aut,
            GraphTo::Json => GraphFormat::Json,
            GraphTo::Svg => GraphFormat::Svg,
        }
    }
}

#[derive(Args, Debug)]
pub(crate) struct ConvertArgs {
    /// The model to convert; - is standard input, with --lang.
    pub(crate) file: String,

    /// What to write.
    #[arg(long, value_name = "LANGUAGE")]
    pub(crate) to: ConvertTo,

    /// Write to this file; without it, to standard output.
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,

    /// The process whose graph is written, such as 'P(3)'; without it, that of the first assertion.
    #[arg(short = 'P', long, value_name = "PROCESS")]
    pub(crate) process: Option<String>,

    #[command(flatten)]
    pub(crate) common: Common,
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ConvertTo {
    /// CSP#; from a protocol.
    Csp,
    /// Aldebaran: the reachable graph, numbered states and labelled steps.
    Aut,
    /// The Hanoi Omega-Automata format; no model has one.
    Hoa,
}

impl From<ConvertTo> for Target {
    fn from(to: ConvertTo) -> Target {
        match to {
            ConvertTo::Csp => Target::Csp,
            ConvertTo::Aut => Target::Aut,
            ConvertTo::Hoa => Target::Hoa,
        }
    }
}

#[derive(Args, Debug)]
pub(crate) struct ExamplesArgs {
    /// The model to print; without it, all are listed.
    pub(crate) name: Option<String>,
}

#[derive(Args, Debug)]
pub(crate) struct CompletionsArgs {
    /// The shell.
    pub(crate) shell: clap_complete::Shell,
}

#[derive(Args, Debug)]
pub(crate) struct ManArgs {
    /// The command whose page is wanted; without it, that of the program.
    #[arg(value_name = "COMMAND")]
    pub(crate) of: Option<String>,

    /// What to write.
    #[arg(long, value_name = "FORMAT", default_value = "roff")]
    pub(crate) to: ManualFormat,
}

#[derive(Args, Debug)]
#[command(group = clap::ArgGroup::new("bounded").args(["runs", "until"]).multiple(true))]
pub(crate) struct SimulateArgs {
    /// The model to walk through; - is standard input, with --lang.
    pub(crate) file: String,

    /// The process to walk through, such as 'P(3)'; without it, that of the first assertion.
    #[arg(short = 'P', long, value_name = "PROCESS")]
    pub(crate) process: Option<String>,

    /// Obey the commands in this file, one a line, instead of asking; - is standard input.
    #[arg(long, value_name = "FILE", conflicts_with = "random")]
    pub(crate) script: Option<String>,

    /// Take so many steps at random, and show them; with --until, at most so many.
    #[arg(long, value_name = "N")]
    pub(crate) random: Option<usize>,

    /// Run a protocol (.pp) so many times at random, each from a random initial configuration, and tell how many steps it takes to converge.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..), conflicts_with_all = ["random", "script"])]
    pub(crate) runs: Option<u64>,

    /// Walk at random until this event or condition, and show the walk. With --runs: the condition to converge to; without it, p of the first assertion <>[] p (stable, self-stabilising to).
    #[arg(long, value_name = "CONDITION", conflicts_with = "script")]
    pub(crate) until: Option<String>,

    /// With --runs: the condition has to go on holding for so many steps.
    #[arg(long, value_name = "N", requires = "runs", default_value_t = SampleOptions::default().hold)]
    pub(crate) hold: u64,

    /// With --until, --runs: give up after so many steps.
    #[arg(long, value_name = "N", requires = "bounded", default_value_t = SampleOptions::default().most)]
    pub(crate) max_steps: u64,

    /// With --runs: draw to this file (SVG) which share of the runs has converged after how many steps.
    #[arg(long, value_name = "FILE", requires = "runs")]
    pub(crate) plot: Option<PathBuf>,

    /// The seed of random steps: the same seed takes the same steps.
    #[arg(long, value_name = "S", default_value_t = 0)]
    pub(crate) seed: u64,

    /// Output format; json prints the walk as a trace that replay reads, with --script or --random.
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub(crate) format: WalkFormat,

    #[command(flatten)]
    pub(crate) common: Common,
}

#[derive(Args, Debug)]
pub(crate) struct ReplayArgs {
    /// The saved run: what check --save-trace, or save on a walk, has written; - is standard input.
    #[arg(value_name = "TRACE")]
    pub(crate) trace_file: String,

    /// The model, if it is no longer where it was.
    #[arg(long, value_name = "FILE")]
    pub(crate) model: Option<String>,

    /// Read the model as this language, whatever it is called.
    #[arg(long, value_name = "LANG")]
    pub(crate) lang: Option<Lang>,

    /// Output format.
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub(crate) format: WalkFormat,

    /// How much of the run to print; short folds the middle of runs of more than 200 steps.
    #[arg(long, value_name = "DETAIL", default_value = "short")]
    pub(crate) trace: TraceDetail,

    /// Also draw the run of a protocol (.pp) to this file, as a space-time diagram.
    #[arg(long, value_name = "FILE")]
    pub(crate) svg: Option<PathBuf>,

    /// Colours; auto: on a terminal, unless NO_COLOR is set.
    #[arg(long, value_name = "WHEN", default_value = "auto")]
    pub(crate) color: Color,
}

/// Options of all commands that search.
#[derive(Args, Debug)]
pub(crate) struct Common {
    /// Read the files as this language, whatever they are called.
    #[arg(long, value_name = "LANG")]
    pub(crate) lang: Option<Lang>,

    /// Override an integer constant (#define NAME ...).
    #[arg(short = 'D', long = "define", value_name = "NAME=VALUE", value_parser = define)]
    pub(crate) define: Vec<(String, i32)>,

    /// Search with at most this many threads; small searches take one. Default: all cores.
    #[arg(short = 'j', long, value_name = "N", value_parser = threads)]
    pub(crate) threads: Option<NonZeroUsize>,

    /// Give up after so many seconds an assertion.
    #[arg(long, value_name = "S", value_parser = seconds)]
    pub(crate) timeout: Option<Duration>,

    /// Give up after so many states an assertion.
    #[arg(long, value_name = "N")]
    pub(crate) max_states: Option<u64>,

    /// Give up at so many bytes an assertion; takes K, M, G. Default: 80 % of what is free.
    #[arg(long, value_name = "SIZE", value_parser = size)]
    pub(crate) max_memory: Option<u64>,

    /// Take time rather than memory to keep states: for runs that would not fit otherwise.
    #[arg(long)]
    pub(crate) compact: bool,

    /// Colours; auto: on a terminal, unless NO_COLOR is set.
    #[arg(long, value_name = "WHEN", default_value = "auto")]
    pub(crate) color: Color,
}

impl Common {
    pub(crate) fn bounds(&self) -> Bounds {
        Bounds {
            timeout: self.timeout,
            states: self.max_states,
            memory: self.max_memory,
            compact: self.compact,
            threads: self.threads.map_or_else(all_cores, NonZeroUsize::get),
            reproducible: false,
            shortest: false,
        }
    }

    pub(crate) fn language(&self) -> Option<Language> {
        self.lang.map(Lang::language)
    }

    /// How to load a model of which a process is walked through.
    pub(crate) fn load_options(&self, process: Option<&str>) -> LoadOptions {
        LoadOptions {
            defines: self.define.clone(),
            process: process.map(str::to_owned),
            ..LoadOptions::default()
        }
    }
}

/// Several constraints from one option.
#[derive(Clone, Debug)]
pub(crate) struct FairnessList(pub(crate) Vec<Fairness>);

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Lang {
    /// CSP#, the language of PAT.
    Csp,
    /// An explicit graph in the Aldebaran format.
    Aut,
    /// A Kripke structure.
    Kts,
    /// A population protocol.
    Pp,
}

/// How hidden variables are read.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum HiddenReading {
    /// They are part of a state wherever their value matters.
    Exact,
    /// They tell no states apart: the value met first stays.
    Merge,
}

impl From<HiddenReading> for Hidden {
    fn from(reading: HiddenReading) -> Hidden {
        match reading {
            HiddenReading::Exact => Hidden::Exact,
            HiddenReading::Merge => Hidden::Merge,
        }
    }
}

/// What becomes of executions where there are no steps.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum EndsChoice {
    /// They idle forever.
    Idle,
    /// They do not count.
    None,
}

impl From<EndsChoice> for Ends {
    fn from(choice: EndsChoice) -> Ends {
        match choice {
            EndsChoice::Idle => Ends::Idle,
            EndsChoice::None => Ends::None,
        }
    }
}

impl Lang {
    pub(crate) fn language(self) -> Language {
        match self {
            Lang::Csp => Language::Csp,
            Lang::Aut => Language::Aut,
            Lang::Kts => Language::Kts,
            Lang::Pp => Language::Pp,
        }
    }
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Reduce {
    /// What is proven sound here.
    Auto,
    /// Explore in full.
    None,
    /// Partial order; not available yet, so it is refused.
    Por,
    /// Symmetry: the anonymous nodes of a complete network are counted; refused where that is not proven sound.
    Symmetry,
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Format {
    /// For people.
    Text,
    /// One JSON object, see docs/schema/check.schema.json.
    Json,
    /// JUnit XML, for CI.
    Junit,
    /// SARIF 2.1.0, for code hosts.
    Sarif,
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ExploreFormat {
    /// For people.
    Text,
    /// One JSON object, see docs/schema/explore.schema.json.
    Json,
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ManualFormat {
    /// For the program man.
    Roff,
    /// For the book: all commands on one page, or the section of one.
    Markdown,
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum WalkFormat {
    /// For people.
    Text,
    /// One JSON object.
    Json,
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum TraceDetail {
    /// Steps and changes, long runs folded.
    Short,
    /// Every step with its whole state.
    Full,
    /// Nothing.
    None,
}

impl From<TraceDetail> for Detail {
    fn from(detail: TraceDetail) -> Detail {
        match detail {
            TraceDetail::Short => Detail::Short,
            TraceDetail::Full => Detail::Full,
            TraceDetail::None => Detail::None,
        }
    }
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Color {
    /// On a terminal, unless NO_COLOR is set.
    Auto,
    /// Even into a file.
    Always,
    /// Not at all.
    Never,
}

fn selector(text: &str) -> Result<Selector, std::convert::Infallible> {
    Ok(Selector::parse(text))
}

fn fairness(text: &str) -> Result<FairnessList, String> {
    parse_fairness(text)
        .map(FairnessList)
        .map_err(|e| format!("{e}; those are none, pwf, ewf, psf, esf, sgf, and all for all of them"))
}

fn one_fairness(text: &str) -> Result<Fairness, String> {
    let FairnessList(mut list) = fairness(text)?;
    match (list.pop(), list.is_empty()) {
        (Some(one), true) if one.text() != "all" => Ok(one),
        _ => Err("states are labelled under one constraint".to_owned()),
    }
}

fn define(text: &str) -> Result<(String, i32), String> {
    let (name, value) = text.split_once('=').ok_or("write NAME=VALUE, such as N=5")?;
    let (name, value) = (name.trim(), value.trim());
    if name.is_empty() {
        return Err("the name is missing: write NAME=VALUE, such as N=5".into());
    }
    let value = value
        .parse()
        .map_err(|_| format!("`{value}` is not a 32-bit integer"))?;
    Ok((name.to_owned(), value))
}

/// How many threads can run at once.
fn all_cores() -> usize {
    std::thread::available_parallelism().map_or(1, NonZeroUsize::get)
}

fn threads(text: &str) -> Result<NonZeroUsize, String> {
    text.parse()
        .map_err(|_| format!("`{text}` is not a number of threads, 1 or more"))
}

fn seconds(text: &str) -> Result<Duration, String> {
    let seconds = text.parse::<f64>().ok().filter(|s| *s >= 0.0);
    let duration = seconds.and_then(|s| Duration::try_from_secs_f64(s).ok());
    duration.ok_or_else(|| format!("`{text}` is not a number of seconds"))
}

fn size(text: &str) -> Result<u64, String> {
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let factor: Option<u64> = match text[digits.len()..].to_ascii_uppercase().as_str() {
        "" | "B" => Some(1),
        "K" | "KB" | "KIB" => Some(1 << 10),
        "M" | "MB" | "MIB" => Some(1 << 20),
        "G" | "GB" | "GIB" => Some(1 << 30),
        _ => None,
    };
    let bytes = digits
        .parse::<u64>()
        .ok()
        .zip(factor)
        .and_then(|(n, f)| n.checked_mul(f));
    bytes.ok_or_else(|| format!("`{text}` is not a size such as 512M or 2G"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_table_of_options_is_consistent() {
        Cli::command().debug_assert();
    }

    #[test]
    fn values_are_read() {
        assert_eq!(size("512"), Ok(512));
        assert_eq!(size("64K"), Ok(64 << 10));
        assert_eq!(size("2g"), Ok(2 << 30));
        assert_eq!(size("1MiB"), Ok(1 << 20));
        assert!(size("").is_err() && size("2T").is_err() && size("-1").is_err() && size("1.5G").is_err());
        assert!(size("99999999999G").is_err());
        assert_eq!(seconds("0.5"), Ok(Duration::from_millis(500)));
        assert!(seconds("-1").is_err() && seconds("nan").is_err() && seconds("inf").is_err());
        assert_eq!(define("N=-3"), Ok(("N".into(), -3)));
        assert!(define("N").is_err() && define("=3").is_err() && define("N=x").is_err());
    }
}
