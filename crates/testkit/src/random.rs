//! Seeded random choices for generators in tests.
//!
//! A test that fails must fail again, so nothing here reads a clock: the same seed gives the same choices on every
//! machine. The generator is SplitMix64 [Steele-OOPSLA'14]: one addition and three mixing steps a number, every
//! seed a good one.

use std::time::Duration;

/// How many random cases a test runs: the value of `FAIRHOLD_CASES`, or `default` where it is not set.
///
/// # Panics
/// If the variable is set to something that is no number: a long run must not quietly turn into a short one.
pub fn cases(default: usize) -> usize {
    match std::env::var("FAIRHOLD_CASES") {
        Ok(text) => parse_cases(&text),
        Err(_) => default,
    }
}

/// How long a test that goes on until its time is up runs: the value of `FAIRHOLD_MINUTES`, or `default` where it is not set.
///
/// # Panics
/// If the variable is set to something that is no number: a long run must not quietly turn into a short one.
pub fn time(default: Duration) -> Duration {
    match std::env::var("FAIRHOLD_MINUTES") {
        Ok(text) => parse_minutes(&text),
        Err(_) => default,
    }
}

fn parse_minutes(text: &str) -> Duration {
    let minutes: Option<u64> = text.trim().parse().ok();
    let minutes =
        minutes.unwrap_or_else(|| panic!("FAIRHOLD_MINUTES must be a number of minutes, not `{text}`"));
    Duration::from_secs(60 * minutes)
}

fn parse_cases(text: &str) -> usize {
    text.trim()
        .parse()
        .unwrap_or_else(|_| panic!("FAIRHOLD_CASES must be a number of cases, not `{text}`"))
}

/// A small random number generator with a seed.
#[derive(Clone, Debug)]
pub struct Rng {
    state: u64,
}

impl Rng {
    /// A generator that makes the same choices for the same seed.
    pub fn new(seed: u64) -> Rng {
        Rng { state: seed }
    }

    /// 64 random bits.
    pub fn next_u64(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number from 0 up to, and without, `bound`.
    ///
    /// # Panics
    /// If `bound` is 0.
    pub fn below(&mut self, bound: usize) -> usize {
        assert!(bound > 0, "a choice needs at least one alternative");
        // The high half of a 128-bit product: no division, and a bias below 2^-40 for the bounds of tests.
        ((u128::from(self.next_u64()) * bound as u128) >> 64) as usize
    }

    /// True `numerator` times out of `denominator`.
    pub fn chance(&mut self, numerator: usize, denominator: usize) -> bool {
        self.below(denominator) < numerator
    }

    /// One of `items`.
    ///
    /// # Panics
    /// If there are none.
    pub fn pick<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        &items[self.below(items.len())]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn same_seed_same_choices() {
        let numbers = |seed| {
            let mut rng = Rng::new(seed);
            [(); 4].map(|()| rng.next_u64())
        };
        assert_eq!(numbers(1), numbers(1));
        assert_ne!(numbers(1), numbers(2));
        // The first output for seed 0 as published with the algorithm.
        assert_eq!(Rng::new(0).next_u64(), 0xe220_a839_7b1d_cdaf);
    }

    #[test]
    fn below_reaches_every_number_and_no_other() {
        let mut rng = Rng::new(7);
        let mut seen = [0usize; 5];
        for _ in 0..1000 {
            seen[rng.below(5)] += 1;
        }
        assert!(seen.iter().all(|&n| n > 120), "{seen:?}");
    }

    #[test]
    fn chance_is_about_right() {
        let mut rng = Rng::new(7);
        let hits = (0..1000).filter(|_| rng.chance(1, 4)).count();
        assert!((150..350).contains(&hits), "{hits}");
        assert!(!(0..100).any(|_| rng.chance(0, 3)));
        assert!((0..100).all(|_| rng.chance(3, 3)));
    }

    #[test]
    #[should_panic(expected = "FAIRHOLD_CASES must be a number")]
    fn a_typo_in_the_number_of_cases_is_no_default() {
        parse_cases("10k");
    }

    #[test]
    #[should_panic(expected = "FAIRHOLD_MINUTES must be a number")]
    fn a_typo_in_the_number_of_minutes_is_no_default() {
        assert_eq!(parse_minutes("2"), Duration::from_secs(120));
        parse_minutes("2m");
    }
}
