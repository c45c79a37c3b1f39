//! Shorter lassos: detours that a run does not need are cut out.
//!
//! A walk that comes back to a state it has been in can leave out what it did between. Whether the rest still shows what it is meant to show is for the judge to say, so the
//! cuts are tried one by one, the longest first. (The shortest lasso is NP-hard to find, even approximately.)

use fairhold_system::{Path, Word};
use std::collections::HashMap;

/// Steps that the judge may be asked to look at, all tries together: runs of twenty steps get all cuts tried, long ones a few.
const STEPS: usize = 4_000;

/// The lasso without detours that `good` says it can do without.
pub(crate) fn shorten(mut path: Path, good: &dyn Fn(&Path) -> bool) -> Path {
    let mut left = STEPS;
    'again: loop {
        for (from, to) in detours(&path, left) {
            let shorter = cut(&path, from, to);
            match left.checked_sub(shorter.labels.len()) {
                Some(rest) => left = rest,
                None => return path,
            }
            if good(&shorter) {
                path = shorter;
                continue 'again;
            }
        }
        return path;
    }
}

/// Pairs of positions with the same state, both in the prefix or both in the loop, the farthest apart first, such that at most `left` steps are left without those between. The
/// whole loop is no detour.
fn detours(path: &Path, left: usize) -> Vec<(usize, usize)> {
    let (end, start) = (path.labels.len(), path.loop_from.unwrap_or(path.labels.len()));
    let mut pairs = Vec::new();
    for (first, last) in [(0, start), (start, end)] {
        let mut places: HashMap<&[Word], Vec<usize>> = HashMap::new();
        for to in first..=last {
            let far = |from: usize| end - (to - from) <= left;
            let known = places.entry(&path.states[to]).or_default();
            let before = known.iter().copied().take_while(|&from| far(from));
            pairs.extend(before.map(|from| (from, to)).filter(|&pair| pair != (start, end)));
            if to <= first + left {
                known.push(to);
            }
        }
    }
    pairs.sort_by_key(|(from, to)| (std::cmp::Reverse(to - from), *from));
    pairs
}

/// The path without the steps between two positions.
fn cut(path: &Path, from: usize, to: usize) -> Path {
    let loop_from = path.loop_from.map(|start| match to <= start {
        true => start - (to - from),
        false => start,
    });
    Path {
        states: [&path.states[..=from], &path.states[to + 1..]].concat(),
        labels: [&path.labels[..from], &path.labels[to..]].concat(),
        loop_from,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fairhold_system::{EventId, Label, ProcessesId};

    /// A path whose step `i` is event `events[i]`; states by number.
    fn path(states: &[u32], events: &[u32], loop_from: usize) -> Path {
        let label = |&event: &u32| Label {
            event: EventId(event),
            processes: ProcessesId::NONE,
        };
        Path {
            states: states.iter().map(|&s| vec![s]).collect(),
            labels: events.iter().map(label).collect(),
            loop_from: Some(loop_from),
        }
    }

    #[test]
    fn detours_go_and_what_is_needed_stays() {
        let long = path(&[0, 1, 0, 2, 3, 2, 4, 2], &[1, 2, 3, 4, 5, 6, 7], 3);
        let all = shorten(long.clone(), &|_| true);
        assert_eq!(all, path(&[0, 2, 4, 2], &[3, 6, 7], 1));
        let needs = |event: u32| move |p: &Path| p.labels.iter().any(|l| l.event == EventId(event));
        assert_eq!(
            shorten(long.clone(), &needs(4)),
            path(&[0, 2, 3, 2], &[3, 4, 5], 1)
        );
        assert_eq!(shorten(long.clone(), &|_| false), long);
    }

    #[test]
    fn a_loop_of_one_state_keeps_a_step() {
        let spin = path(&[0, 0, 0, 0], &[1, 2, 1], 0);
        assert_eq!(shorten(spin, &|_| true).labels.len(), 1);
    }

    #[test]
    fn of_a_very_long_loop_only_what_leaves_a_short_one_is_tried() {
        let there_and_back: Vec<u32> = (0..=200_000).map(|i| i % 2).collect();
        let long = path(&there_and_back, &there_and_back[1..], 0);
        let most = std::cell::Cell::new(0);
        let same = shorten(long.clone(), &|p| {
            most.set(most.get().max(p.labels.len()));
            false
        });
        assert_eq!(same, long);
        assert!((2..=STEPS).contains(&most.get()), "{}", most.get());
        assert_eq!(shorten(long, &|p| p.labels.len() >= 10).labels.len(), 10);
    }
}
