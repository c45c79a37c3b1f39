//! Expectations and the exit status: what a set of verdicts means to a script.

use fairhold_system::Verdict;

/// What a whole run comes to; the number is the exit status of the process.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Status {
    /// Every result passes.
    Passed = 0,
    /// Some result that does not pass is `fails`, `error` or an unexpected `holds`.
    Failed = 1,
    /// The input or the command line is wrong; nothing was checked.
    BadInput = 2,
    /// Some result that does not pass is `unknown`, and none is worse.
    Unknown = 3,
}

/// Whether a verdict is the expected one; without an expectation, `holds` is.
pub fn passes(verdict: Verdict, expected: Option<Verdict>) -> bool {
    verdict == expected.unwrap_or(Verdict::Holds)
}

/// The status of results, each a verdict and its expectation.
pub fn status(results: impl IntoIterator<Item = (Verdict, Option<Verdict>)>) -> Status {
    let mut status = Status::Passed;
    for (verdict, expected) in results {
        if passes(verdict, expected) {
            continue;
        }
        match verdict {
            Verdict::Holds | Verdict::Fails | Verdict::Error => return Status::Failed,
            Verdict::Unknown => status = Status::Unknown,
        }
    }
    status
}

#[cfg(test)]
mod tests {
    use super::*;

    const VERDICTS: [Verdict; 4] = [Verdict::Holds, Verdict::Fails, Verdict::Unknown, Verdict::Error];

    /// All combinations of a verdict and an expectation.
    fn results() -> Vec<(Verdict, Option<Verdict>)> {
        let expectations = || VERDICTS.into_iter().map(Some).chain([None]);
        VERDICTS
            .into_iter()
            .flat_map(|v| expectations().map(move |e| (v, e)))
            .collect()
    }

    /// The table, written out by hand: what a lone result comes to.
    fn alone(verdict: Verdict, expected: Option<Verdict>) -> Status {
        use Verdict::{Error, Fails, Holds, Unknown};
        match (verdict, expected) {
            (Holds, None | Some(Holds)) => Status::Passed,
            (Holds, Some(_)) => Status::Failed,
            (Fails, Some(Fails)) => Status::Passed,
            (Fails, _) => Status::Failed,
            (Error, Some(Error)) => Status::Passed,
            (Error, _) => Status::Failed,
            (Unknown, Some(Unknown)) => Status::Passed,
            (Unknown, _) => Status::Unknown,
        }
    }

    #[test]
    fn no_result_passes() {
        assert_eq!(status([]), Status::Passed);
    }

    #[test]
    fn every_lone_result() {
        for (verdict, expected) in results() {
            assert_eq!(
                status([(verdict, expected)]),
                alone(verdict, expected),
                "{verdict:?} {expected:?}"
            );
        }
    }

    #[test]
    fn every_pair_takes_the_worse() {
        for a in results() {
            for b in results() {
                let both = [alone(a.0, a.1), alone(b.0, b.1)];
                let worst = if both.contains(&Status::Failed) {
                    Status::Failed
                } else if both.contains(&Status::Unknown) {
                    Status::Unknown
                } else {
                    Status::Passed
                };
                assert_eq!(status([a, b]), worst, "{a:?} {b:?}");
            }
        }
    }
}
