//! Fairhold, a model checker that takes fairness seriously, as a library.
//!
//! Load a model, ask what there is to check, check it:
//!
//! ```
//! use fairhold::{CheckOptions, Language, LoadOptions, Silent, Verdict, load_text};
//!
//! let text = "
//!     var x = 0;
//!     P = [x < 3] up{x = x + 1} -> P;
//!     #assert P deadlockfree;
//!     #assert P reaches x == 2;
//! ";
//! let loaded = load_text("counter.csp", text, Language::Csp, &LoadOptions::default());
//! let model = loaded.model.expect("the text has no errors");
//! let mut verdicts = Vec::new();
//! for tasks in model.tasks(&[]) {
//!     for result in model.check(tasks, &CheckOptions::default(), &Silent) {
//!         verdicts.push(result.verdict);
//!     }
//! }
//! assert_eq!(verdicts, [Verdict::Fails, Verdict::Holds]);
//! ```
//!
//! | file | what it does |
//! |---|---|
//! | `load` | files and texts to models; the only place that reads files |
//! | `front`, `csp`, `explicit`, `protocol` | what a language must offer to be checked, and the languages that do |
//! | `automata`, `temporal` | automata as properties; what is said of infinite executions, by a formula or an automaton |
//! | `select`, `fairness` | which assertions, under which constraints, with which expectations |
//! | `check`, `explore` | one question, from the model to the result |
//! | `live`, `constraint`, `feasible`, `shorten` | formulas under fairness: the search and the judge, constraints in their words, constraints that cannot be met, lassos without detours |
//! | `convergence` | how far a protocol that stabilises is from safety |
//! | `random` | random walks instead of a search |
//! | `counted` | protocols whose nodes are counted instead of told apart |
//! | `graph` | the reachable graph as a picture and as data |
//! | `convert` | a model in another language |
//! | `sizes` | one protocol at several sizes |
//! | `simulate` | a walk through a model, one command after the other |
//! | `saved`, `replay` | runs in files, and whether they are runs of the model |
//! | `diagram` | a run of a protocol as a space-time diagram |
//! | `confirm` | every run is replayed on the reference semantics before it is reported |
//! | `reason`, `growth` | why, in plain words; what grows when a limit is hit |
//! | `watch`, `memory` | limits that need a clock or the operating system |
//! | `report`, `status` | results, and what they mean to a script |
//! | `json`, `junit`, `sarif` | a report in the formats that other programs read |
//! | `ltl` | a formula alone, as an automaton |
//! | `examples` | the models that ship with Fairhold |
//!
//! Nothing here prints. Deeply nested processes recurse: run checks of models you do not know on a thread with a
//! large stack, as the command line does.

mod automata;
mod branching;
mod check;
mod confirm;
mod constraint;
mod convergence;
mod convert;
mod counted;
mod csp;
mod diagram;
mod examples;
mod explicit;
mod explore;
mod fairness;
mod feasible;
mod front;
mod graph;
mod growth;
mod hidden;
mod include;
mod json;
mod junit;
mod lettered;
mod live;
mod load;
mod ltl;
mod memory;
mod protocol;
mod random;
mod reason;
mod replay;
mod report;
mod sarif;
mod saved;
mod select;
mod shorten;
mod simulate;
mod sizes;
mod status;
mod temporal;
mod watch;

pub use check::{Bounds, CheckOptions, Reduction, Task};
pub use convergence::Convergence;
pub use convert::Target;
pub use examples::{EXAMPLES, Example, example};
pub use fairhold_protocol::Diagram;
pub use fairhold_source::{Diagnostic, Severity, SourceMap, render, render_all};
pub use fairhold_system::{Control, Observer, Progress, Silent, StopReason, Verdict};
pub use fairhold_trace::{Detail, Notion, Run, WhyNot, fields_to_text, run_to_text};
pub use fairness::{Fairness, NOTIONS, parse_fairness};
pub use graph::{Drawing, GraphFormat};
pub use hidden::Hidden;
pub use json::{exploration_to_json, messages_to_json, replay_to_json, report_to_json, sample_to_json};
pub use junit::report_to_junit;
pub use load::{
    Language, LoadOptions, Loaded, Model, decode, load_automaton, load_file, load_script, load_text,
    load_trace, read_limited,
};
pub use ltl::{AutomatonFormat, TranslatedFormula, translate_formula};
pub use memory::{default_limit, peak_mb};
pub use random::RandomWalks;
pub use replay::Replayed;
pub use report::{CheckResult, ExploreResult, LabelledState, Labelling, Message, Place, Report};
pub use sarif::report_to_sarif;
pub use saved::{Origin, SavedTrace, saved_trace};
pub use select::Selector;
pub use simulate::{
    COMMANDS, Command, CommandHelp, Effect, QUANTILES, Sample, SampleOptions, Simulation, Statistics,
    sample_to_svg,
};
pub use sizes::{SizeRange, Sweep, SweptAssertion, SweptFairness, load_sizes};
pub use status::{Status, passes, status};
pub use temporal::Ends;
