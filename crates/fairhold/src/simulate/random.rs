//! Seeded random choices: SplitMix64 [Steele-OOPSLA'14]. The same seed makes the same choices on every machine.

#[derive(Clone, Debug)]
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Random {
        Random(seed)
    }

    /// Any number.
    pub(crate) fn word(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number from 0 up to, and without, `bound`.
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        // The high half of the product: no division, and no bias that a walk could show.
        ((u128::from(self.word()) * bound as u128) >> 64) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_choice_is_made_and_repeated() {
        let choices = |seed| {
            let mut random = Random::new(seed);
            (0..100).map(|_| random.below(3)).collect::<Vec<_>>()
        };
        assert_eq!(choices(1), choices(1));
        assert_ne!(choices(1), choices(2));
        for n in 0..3 {
            assert!(choices(1).iter().filter(|&&c| c == n).count() > 15);
        }
    }
}
