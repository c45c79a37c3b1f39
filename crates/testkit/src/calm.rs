//! Measurements that were left alone.
//!
//! A measurement shares its machine with other programs, and a virtual machine shares its host. Whatever they take makes
//! a run slower, and a ratio of two runs wrong in either direction. So a run during which others had the processor is made
//! again: the reason is what others did, never what the run showed.
//!
//! Memory that nobody has used for seconds goes back to the host. To have it again costs up to two milliseconds a
//! megabyte, which falls on whoever comes first after a pause. So every run starts with memory that was just in use.

use memmap2::MmapMut;
use std::time::{Duration, Instant};

/// The share of one processor that others may have.
const TOLERATED: f64 = 0.02;
/// How often a run is made, and for how long, before the one that was disturbed least counts.
const ATTEMPTS: usize = 3;
const PATIENCE: Duration = Duration::from_secs(10);
/// As much memory as nearly all runs hold at most, in bytes.
const BACKED: usize = 1 << 30;
/// The unit of `/proc`, whatever the clock of the kernel.
const TICK: Duration = Duration::from_millis(10);

/// Makes a run until others had nearly nothing of the machine meanwhile, a few times at most. With what it gave comes the share of one processor that others had.
pub fn undisturbed<T, E>(mut run: impl FnMut() -> Result<T, E>) -> Result<(T, f64), E> {
    least_disturbed(|| watched(&mut run))
}

fn least_disturbed<T, E>(mut run: impl FnMut() -> Result<(T, f64), E>) -> Result<(T, f64), E> {
    let start = Instant::now();
    let mut best = run()?;
    for _ in 1..ATTEMPTS {
        if best.1 <= TOLERATED || start.elapsed() >= PATIENCE {
            break;
        }
        let again = run()?;
        if again.1 < best.1 {
            best = again;
        }
    }
    Ok(best)
}

fn watched<T, E>(run: &mut impl FnMut() -> Result<T, E>) -> Result<(T, f64), E> {
    back();
    let (start, before) = (Instant::now(), others());
    let result = run()?;
    let (elapsed, after) = (start.elapsed(), others());
    // Two counters that advance by ticks differ by a tick or two without meaning it.
    let lost = after.saturating_sub(before).saturating_sub(2) as f64 * TICK.as_secs_f64();
    Ok((result, lost / elapsed.as_secs_f64().max(1e-9)))
}

/// Uses memory, and leaves it. Without that much of it there is nothing to prepare.
fn back() {
    let Ok(mut memory) = MmapMut::map_anon(BACKED) else {
        return;
    };
    // The host gives back, and takes back, large pages; without them a run is slower, not wrong.
    #[cfg(target_os = "linux")]
    let _ = memory.advise(memmap2::Advice::HugePage);
    for page in memory.chunks_mut(4096) {
        page[0] = 1;
    }
}

/// Ticks so far that the processors spent on other programs, or that the host took. Where nothing tells, none.
fn others() -> u64 {
    let read = |path| std::fs::read_to_string(path).unwrap_or_default();
    taken(&read("/proc/stat")).saturating_sub(own(&read("/proc/self/stat")))
}

/// The ticks of all processors but the idle ones, from `/proc/stat`.
fn taken(text: &str) -> u64 {
    let line = text.lines().next().unwrap_or_default();
    let ticks: Vec<u64> = line
        .split_whitespace()
        .filter_map(|word| word.parse().ok())
        .collect();
    // User, nice, system, idle, waiting for a device, two kinds of interrupts, taken by the host; what follows is part of these.
    let [user, nice, system, _, _, interrupts, soft, host, ..] = ticks[..] else {
        return 0;
    };
    user + nice + system + interrupts + soft + host
}

/// The ticks of this program and of those that it started and that have ended, from `/proc/self/stat`.
fn own(text: &str) -> u64 {
    // The name of the program, in parentheses, may contain anything.
    let after_name = text.rsplit(')').next().unwrap_or_default();
    let fields = after_name.split_whitespace().skip(11).take(4);
    fields.filter_map(|word| word.parse::<u64>().ok()).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::convert::Infallible;

    #[test]
    fn ticks_are_read() {
        let text = "cpu  10 2 3 1000 50 1 4 7 0 0\ncpu0 5 1 1 500 25 0 2 3 0 0\n";
        assert_eq!(taken(text), 10 + 2 + 3 + 1 + 4 + 7);
        let text = "17 (a) b) S 1 2 3 4 5 6 7 8 9 10 100 20 3 4 20 0";
        assert_eq!(own(text), 100 + 20 + 3 + 4);
        assert_eq!((taken(""), own("")), (0, 0));
    }

    /// How many runs it takes, and which counts, where others have these shares one after the other.
    fn made(shares: &[f64]) -> (usize, usize) {
        let mut runs = 0;
        let counted = least_disturbed(|| {
            runs += 1;
            Ok::<_, Infallible>((runs, shares[runs - 1]))
        });
        (runs, counted.unwrap().0)
    }

    #[test]
    fn a_disturbed_run_is_made_again() {
        assert_eq!(made(&[0.0]), (1, 1));
        assert_eq!(made(&[0.5, 0.01]), (2, 2));
        assert_eq!(made(&[0.5, 0.3, 0.4]), (3, 2));
        assert!(least_disturbed(|| Err::<((), f64), _>("wrong")).is_err());
    }
}
