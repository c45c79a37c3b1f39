//! Random walks instead of a search: `check --random N`.
//!
//! For models that no search can exhaust. A walk starts in an initial state and takes one possible step after the
//! other, all of them equally likely, until it shows what was asked for, comes to a state without steps, or is long
//! enough. The lengths double from walk to walk, from 1,000 to 100,000 steps, and then begin anew: short walks look
//! near the start often, long ones far away. What is found is a run, cut short to the fewest steps among those walked,
//! and judged like any other; what is not found is `unknown`, with the number of walks, and never `holds`.
//!
//! | file | what it does |
//! |---|---|
//! | `hunt` | one walk after the other, within bounds; what there is to say of walks that saw nothing |
//! | `trail` | where a walk has been, and the fewest of its steps that lead to a place |
//! | `finite` | questions that one finite path settles |
//! | `lasso` | formulas of linear time: loops of a walk that violate them and are fair |
//! | `owed` | what a loop owes under a named notion, before the judge is asked |
//!
//! The seed decides all of it: the same seed takes the same walks on every machine. One worker walks.
//!
//! Time: a step of the system and a look-up per step walked; memory: the distinct states of one walk, and eight bytes
//! for every distinct state of all walks.

mod finite;
mod hunt;
mod lasso;
mod owed;
mod trail;

use crate::check::{CheckOptions, Task};
use crate::front::{Asks, FrontEnd, with_front};
use crate::load::Model;
use crate::report::CheckResult;
use fairhold_system::Observer;
use std::time::Instant;

/// Random walks instead of a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RandomWalks {
    /// How many.
    pub walks: u64,
    /// The same seed takes the same walks.
    pub seed: u64,
}

/// One question, and how to walk for it.
#[derive(Clone, Copy)]
struct Errand<'a> {
    tasks: &'a [Task],
    asks: Asks,
    options: &'a CheckOptions,
    walks: RandomWalks,
    observer: &'a dyn Observer,
}

impl Errand<'_> {
    fn index(&self) -> usize {
        self.tasks[0].index
    }
}

impl Model {
    /// Takes random walks for tasks about one assertion. The results come in blank, one for each task.
    pub(crate) fn check_at_random(
        &self,
        tasks: &[Task],
        options: &CheckOptions,
        walks: RandomWalks,
        observer: &dyn Observer,
        results: &mut [CheckResult],
    ) {
        let start = Instant::now();
        let errand = Errand {
            tasks,
            asks: self.assertions[tasks[0].index].asks,
            options,
            walks,
            observer,
        };
        with_front!(&self.kind, front => self.walk_for(front, errand, results));
        let seconds = start.elapsed().as_secs_f64();
        results.iter_mut().for_each(|result| result.seconds = seconds);
    }

    fn walk_for<F: FrontEnd>(&self, front: &F, errand: Errand<'_>, results: &mut [CheckResult]) {
        let unsupported = match errand.asks {
            Asks::Ctl => "formulas with path quantifiers",
            Asks::Refines => "refinement",
            Asks::Ltl => return self.walk_for_lassos(front, errand, results),
            _ => return self.walk_for_end(front, errand, &mut results[0]),
        };
        let reason = not_decided(unsupported);
        results.iter_mut().for_each(|r| r.reason = Some(reason.clone()));
    }
}

/// Why walks are not taken for a question about this.
fn not_decided(about: &str) -> String {
    format!("not supported: random walks do not decide {about}")
}
