//! A look ahead, so that a large table is packed anew but once.
//!
//! A table learns the ranges of words from the states it is given, and where one does not fit, everything is packed anew. While there are few states that costs nothing; once there
//! are many, ranges that show one after the other cost a packing each. So before a large table is widened for some states, a walk from there shows others that may come.

use fairhold_system::{Stepper, Steps, Word};

/// Steps of the walk.
const STEPS: u64 = 512;

/// States on a walk that starts in `from`, always the same one; it starts anew where it cannot go on.
pub(crate) fn walk(stepper: &mut impl Stepper, from: &[Word]) -> Vec<Vec<Word>> {
    let mut steps = Steps::new(from.len());
    let mut seen: Vec<Vec<Word>> = Vec::new();
    let mut state = from.to_vec();
    for turn in 0..STEPS {
        steps.clear();
        // What goes wrong here goes wrong again in its turn, if it has one.
        let stepped = stepper.steps(&state, &mut steps);
        if stepped.is_err() || steps.is_empty() {
            state = from.to_vec();
            continue;
        }
        let choice = turn.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32;
        let target = steps.target((choice % steps.len() as u64) as usize);
        seen.push(target.to_vec());
        state = target.to_vec();
    }
    seen
}
