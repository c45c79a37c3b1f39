//! What many numbers of steps come to.

/// The quantiles that are told.
pub const QUANTILES: [f64; 7] = [0.05, 0.25, 0.5, 0.75, 0.9, 0.95, 0.99];

/// Statistics of runs that converged after some number of steps, or did not.
///
/// The mean and the deviation are of the runs that converged. Quantiles are of all runs, one that did not converge being longer than any other; so
/// they do not get better if hard runs are given up sooner.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Statistics {
    /// How many runs there are.
    pub runs: usize,
    /// How many of them converged.
    pub converged: usize,
    /// The mean number of steps.
    pub mean: Option<f64>,
    /// The standard deviation from it, of a sample: with one run less in the denominator.
    pub deviation: Option<f64>,
    /// The least number of steps.
    pub least: Option<u64>,
    /// The greatest number of steps.
    pub greatest: Option<u64>,
    /// For each of [`QUANTILES`] the least number of steps within which at least that share of all runs converged; none if no number is.
    pub quantiles: Vec<Option<u64>>,
}

impl Statistics {
    /// Of these runs: steps until each converged, none if it did not.
    pub fn new(steps: &[Option<u64>]) -> Statistics {
        let mut sorted: Vec<u64> = steps.iter().copied().flatten().collect();
        sorted.sort_unstable();
        let count = sorted.len() as f64;
        let mean = sorted.iter().map(|&s| s as f64).sum::<f64>() / count;
        let squares = sorted.iter().map(|&s| (s as f64 - mean).powi(2)).sum::<f64>();
        let quantile = |share: f64| {
            let rank = (share * steps.len() as f64).ceil() as usize;
            sorted.get(rank.max(1) - 1).copied()
        };
        Statistics {
            runs: steps.len(),
            converged: sorted.len(),
            mean: (!sorted.is_empty()).then_some(mean),
            deviation: (sorted.len() > 1).then(|| (squares / (count - 1.0)).sqrt()),
            least: sorted.first().copied(),
            greatest: sorted.last().copied(),
            quantiles: QUANTILES.map(quantile).to_vec(),
        }
    }

    /// The share of runs that converged; none without runs.
    pub fn share(&self) -> Option<f64> {
        (self.runs > 0).then(|| self.converged as f64 / self.runs as f64)
    }

    /// The median number of steps.
    pub fn median(&self) -> Option<u64> {
        let place = QUANTILES.iter().position(|q| *q == 0.5)?;
        *self.quantiles.get(place)?
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_ten_runs() {
        let steps: Vec<Option<u64>> = (1..=10).map(Some).collect();
        let found = Statistics::new(&steps);
        assert_eq!((found.runs, found.converged, found.share()), (10, 10, Some(1.0)));
        assert_eq!(
            (found.mean, found.least, found.greatest),
            (Some(5.5), Some(1), Some(10))
        );
        assert!((found.deviation.unwrap() - 3.0276).abs() < 1e-3);
        let quantiles = [1, 3, 5, 8, 9, 10, 10].map(Some);
        assert_eq!(found.quantiles, quantiles);
        assert_eq!(found.median(), Some(5));
    }

    #[test]
    fn runs_that_did_not_converge_are_longest() {
        let found = Statistics::new(&[Some(4), None, Some(2), None]);
        assert_eq!(
            (found.converged, found.mean, found.median()),
            (2, Some(3.0), Some(4))
        );
        assert_eq!(found.quantiles[3..], [None; 4]);
        let none = Statistics::new(&[None, None]);
        assert_eq!((none.mean, none.deviation, none.median()), (None, None, None));
        assert_eq!(Statistics::new(&[]).share(), None);
    }
}
