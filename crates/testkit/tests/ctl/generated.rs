//! Structures of any size whose steps are computed: a row of blocks, each strongly connected, that lead to later ones or to none.

use fairhold_system::{
    EventId, Fault, Fields, Label, ObjectiveId, PredicateId, ProcessesId, Stepper, Steps, System, Word,
};

/// States of a block.
const BLOCK: u64 = 50;
/// How many processes take steps.
const PROCESSES: u64 = 4;

/// A structure of about this many states. Predicate 0 holds somewhere in every block but a few, predicate 1 throughout every block that has no way out but a few, predicate 2 in all states but a few.
pub(crate) struct Generated {
    blocks: u64,
    seed: u64,
}

impl Generated {
    pub(crate) fn new(states: u64, seed: u64) -> Generated {
        Generated {
            blocks: states.div_ceil(BLOCK),
            seed,
        }
    }

    /// 64 bits that depend on everything: the mixing of SplitMix64.
    fn mix(&self, what: u64, of: u64) -> u64 {
        let mut z =
            self.seed ^ what.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ of.wrapping_mul(0xd1b5_4a32_d192_ed03);
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Whether nothing leads out of a block: of the end of the row, and of some of those with an odd number.
    fn is_last(&self, block: u64) -> bool {
        block + 1 >= self.blocks || block % 2 == 1 && self.mix(1, block).is_multiple_of(4)
    }

    /// About one of the blocks without a way out, where a predicate is not what it is elsewhere: so both verdicts are common at every size.
    fn is_odd(&self, predicate: u32, block: u64) -> bool {
        let last = self.blocks.div_ceil(8);
        self.is_last(block) && self.mix(2 + u64::from(predicate), block).is_multiple_of(last)
    }

    fn holds(&self, predicate: u32, state: u64) -> bool {
        let block = state / BLOCK;
        let sometimes = self.mix(4 + u64::from(predicate), state).is_multiple_of(3);
        match predicate {
            2 => !self.mix(20, state).is_multiple_of(2 * self.blocks * BLOCK),
            0 => !self.is_odd(0, block) && (sometimes || state % BLOCK == BLOCK - 1),
            _ if self.is_odd(1, block) => sometimes,
            _ => self.is_last(block) || sometimes,
        }
    }

    /// The steps: label and target.
    fn steps(&self, state: u64) -> impl Iterator<Item = (Label, u64)> {
        let block = state / BLOCK;
        let first = block * BLOCK;
        let around = first + (state + 1 - first) % BLOCK;
        let across = first + self.mix(6, state) % BLOCK;
        let out = !self.is_last(block) && self.mix(7, state).is_multiple_of(5);
        let beyond = || {
            let later = self.blocks - block - 1;
            (block + 1 + self.mix(8, state) % later) * BLOCK + self.mix(9, state) % BLOCK
        };
        // To the next block, and to the one after it: so all can be reached.
        let next = (!self.is_last(block) && state == first).then(|| first + BLOCK);
        let after = next.filter(|_| block + 2 < self.blocks).map(|next| next + BLOCK);
        let targets = [Some(around), Some(across), out.then(beyond), next, after];
        targets.into_iter().enumerate().filter_map(move |(i, to)| {
            let choice = self.mix(10 + i as u64, state);
            let label = Label {
                // Each place in the list has its own events, so no two steps are equal.
                event: EventId((2 + i as u64 * 3 + choice % 3) as u32),
                processes: ProcessesId((choice >> 32) as u32 % PROCESSES as u32),
            };
            to.map(|to| (label, to))
        })
    }
}

/// Steps through a generated structure.
pub(crate) struct Walker<'g>(&'g Generated);

impl System for Generated {
    type Stepper<'a> = Walker<'a>;

    fn width(&self) -> usize {
        1
    }

    fn stepper(&self) -> Walker<'_> {
        Walker(self)
    }

    fn event_name(&self, event: EventId) -> String {
        format!("e{}", event.0)
    }

    fn processes(&self, set: ProcessesId) -> Vec<u32> {
        vec![set.0]
    }

    fn is_ended(&self, _: &[Word]) -> bool {
        false
    }

    fn fields(&self, _: &[Word]) -> Fields {
        Vec::new()
    }
}

impl Stepper for Walker<'_> {
    fn initial(&mut self, out: &mut Steps) -> Result<(), Fault> {
        let label = Label {
            event: EventId::TAU,
            processes: ProcessesId::NONE,
        };
        out.push(label, &[0]);
        Ok(())
    }

    fn steps(&mut self, state: &[Word], out: &mut Steps) -> Result<(), Fault> {
        for (label, to) in self.0.steps(u64::from(state[0])) {
            out.push(label, &[to as Word]);
        }
        Ok(())
    }

    fn holds(&mut self, predicate: PredicateId, state: &[Word]) -> Result<bool, Fault> {
        Ok(self.0.holds(predicate.0, u64::from(state[0])))
    }

    fn measure(&mut self, _: ObjectiveId, _: &[Word]) -> Result<i64, Fault> {
        Ok(0)
    }
}
