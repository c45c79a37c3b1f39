//! Limits that need a clock or the operating system, imposed from outside on a search.
//!
//! A search bounds its own states and bytes. This observer adds wall time, and the memory of the whole process:
//! what a model's own tables take is not the search's to count.

use crate::memory::resident_bytes;
use fairhold_system::{Control, Observer, Progress, StopReason};
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// How often the operating system is asked.
const PROBE_EVERY: Duration = Duration::from_millis(20);

/// An observer that passes everything on to another, and stops the search out of time or memory.
pub(crate) struct Watch<'a> {
    inner: &'a dyn Observer,
    deadline: Option<Instant>,
    /// Most bytes the process may hold.
    ceiling: Option<u64>,
    next_probe: Mutex<Instant>,
}

impl<'a> Watch<'a> {
    /// Starts the clock. `bytes` more than the process holds now are allowed.
    pub(crate) fn new(inner: &'a dyn Observer, timeout: Option<Duration>, bytes: Option<u64>) -> Watch<'a> {
        let now = Instant::now();
        let ceiling = bytes.zip(resident_bytes());
        Watch {
            inner,
            deadline: timeout.and_then(|t| now.checked_add(t)),
            ceiling: ceiling.map(|(bytes, resident)| bytes.saturating_add(resident)),
            next_probe: Mutex::new(now),
        }
    }

    fn too_much(&self, now: Instant) -> bool {
        let Some(ceiling) = self.ceiling else {
            return false;
        };
        let mut next = self
            .next_probe
            .lock()
            .expect("no thread panics while it holds this lock");
        if now < *next {
            return false;
        }
        *next = now + PROBE_EVERY;
        resident_bytes().is_some_and(|bytes| bytes > ceiling)
    }
}

impl Observer for Watch<'_> {
    fn progress(&self, progress: &Progress) -> Control {
        let now = Instant::now();
        if self.deadline.is_some_and(|deadline| now >= deadline) {
            return Control::Stop(StopReason::Time);
        }
        if self.too_much(now) {
            return Control::Stop(StopReason::Memory);
        }
        self.inner.progress(progress)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fairhold_system::Silent;

    #[test]
    fn time_runs_out() {
        let watch = Watch::new(&Silent, Some(Duration::ZERO), None);
        let control = watch.progress(&Progress::default());
        assert_eq!(control, Control::Stop(StopReason::Time));
    }

    #[test]
    fn without_limits_it_goes_on() {
        let watch = Watch::new(&Silent, None, None);
        assert_eq!(watch.progress(&Progress::default()), Control::Continue);
        let watch = Watch::new(&Silent, Some(Duration::MAX), Some(u64::MAX));
        assert_eq!(watch.progress(&Progress::default()), Control::Continue);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn memory_runs_out() {
        let watch = Watch::new(&Silent, None, Some(1 << 20));
        let held = vec![1u8; 64 << 20];
        std::hint::black_box(&held);
        let control = watch.progress(&Progress::default());
        assert_eq!(control, Control::Stop(StopReason::Memory));
    }
}
