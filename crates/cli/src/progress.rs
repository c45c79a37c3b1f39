//! What a search is told from outside while it runs, and what it shows: Ctrl-C, and a line of progress.
//!
//! The line appears on a terminal only, and only after two seconds: most checks are done by then.

use crate::text::thousands;
use fairhold::{Control, Observer, Progress, StopReason};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::IsTerminal;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// The line appears after so long.
const PATIENCE: Duration = Duration::from_secs(2);
/// And changes so often.
const REFRESH: Duration = Duration::from_millis(100);

static INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// Whether Ctrl-C was pressed.
pub(crate) fn interrupted() -> bool {
    // Relaxed: the flag carries no other data, and a late look costs nothing.
    INTERRUPTED.load(Ordering::Relaxed)
}

/// Forgets a Ctrl-C that has done its work: it ended one command of several.
pub(crate) fn forget_interrupt() {
    INTERRUPTED.store(false, Ordering::Relaxed);
}

/// From now on the first Ctrl-C asks the search to stop, and the second ends the program at once.
pub(crate) fn catch_interrupts() {
    const ENDED_BY_INTERRUPT: i32 = 130;
    let handler = || {
        if INTERRUPTED.swap(true, Ordering::Relaxed) {
            std::process::exit(ENDED_BY_INTERRUPT);
        }
    };
    // It fails only if a handler is already set or the system has no signals: then Ctrl-C just ends the program.
    let _ = ctrlc::set_handler(handler);
}

/// Watches the search for one assertion.
pub(crate) struct Watcher {
    title: String,
    start: Instant,
    line: Option<Mutex<Line>>,
}

struct Line {
    bar: Option<ProgressBar>,
    next: Instant,
}

impl Watcher {
    pub(crate) fn new(title: &str) -> Watcher {
        let start = Instant::now();
        let line = Line {
            bar: None,
            next: start + PATIENCE,
        };
        Watcher {
            title: title.to_owned(),
            start,
            line: std::io::stderr().is_terminal().then(|| Mutex::new(line)),
        }
    }

    fn show(&self, line: &mut Line, progress: &Progress, now: Instant) {
        let bar = line.bar.get_or_insert_with(|| {
            let style = ProgressStyle::with_template("{spinner} {wide_msg}");
            ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr())
                .with_style(style.expect("the template is well-formed"))
        });
        let seconds = (now - self.start).as_secs_f64();
        bar.set_message(format!(
            "{}: {} states, {}/s, {} waiting, depth {}, {} MB, {seconds:.0} s",
            self.title,
            thousands(progress.states),
            thousands((progress.states as f64 / seconds) as u64),
            thousands(progress.waiting),
            thousands(progress.depth),
            thousands(progress.bytes >> 20),
        ));
        bar.tick();
    }
}

impl Observer for Watcher {
    fn progress(&self, progress: &Progress) -> Control {
        if interrupted() {
            return Control::Stop(StopReason::Interrupted);
        }
        if let Some(line) = &self.line {
            let now = Instant::now();
            let mut line = line.lock().expect("no thread panics while it holds this lock");
            if now >= line.next {
                line.next = now + REFRESH;
                self.show(&mut line, progress, now);
            }
        }
        Control::Continue
    }
}

impl Drop for Watcher {
    fn drop(&mut self) {
        let line = self.line.take().and_then(|line| line.into_inner().ok());
        if let Some(bar) = line.and_then(|line| line.bar) {
            bar.finish_and_clear();
        }
    }
}
