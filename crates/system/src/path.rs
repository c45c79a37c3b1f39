//! A finite or lasso-shaped walk through a system, in its own ids.

use crate::{Label, Word};

/// States and the labels between them: `states[i] -labels[i]-> states[i + 1]`.
///
/// Where `loop_from` is set, the last state equals `states[loop_from]` and the labels from there on repeat forever.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Path {
    /// At least one state; one more than there are labels.
    pub states: Vec<Vec<Word>>,
    /// The labels of the steps taken.
    pub labels: Vec<Label>,
    /// Where the loop starts, for a lasso.
    pub loop_from: Option<usize>,
}
