//! The rules of the naive labelling: what breaking each of them would mean, and which of them a case needed.

/// A rule broken on purpose.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Slip {
    /// `EX p`: the successor need not have a fair path.
    NextToUnfair,
    /// `EX{e} p`: a step of any event will do.
    NextByAny,
    /// `AX p`: some fair path must start with a step.
    NextMustBe,
    /// `E(p U q)`: the state with `q` need not have a fair path.
    UntilToUnfair,
    /// `A` of anything fails in a state without fair paths.
    VacuityFails,
    /// `EG p`: any loop inside `p` will do.
    GloballyUnfair,
    /// `EG p`: any loop inside `p` will do whose states lie in fair components of the whole structure.
    GloballyInFair,
    /// `EG p`: the way to the fair loop need not stay inside `p`.
    GloballyByAnyWay,
    /// `EG p`: enabled is what can happen inside `p`.
    RestrictedEnabled,
    /// `EG p` under strong global fairness: a step that leaves `p` is not missed.
    RestrictedGlobal,
    /// `EG p`: a state idles that has no steps inside `p`.
    RestrictedIdles,
    /// A state by itself is a loop, even without a step to itself.
    TrivialLoops,
    /// Ends idle where they should not, and the other way round.
    OtherEnds,
    /// Strong: what is left after dropping states is split, and its parts must pass as they are.
    SplitOnce,
    /// Strong: what is left after dropping states is split, and its parts are fair.
    SplitUnchecked,
    /// Strong: a component that fails is discarded whole.
    SplitNever,
    /// For a mark to be avoided, the states entered with it are dropped instead of the steps.
    StatesForSteps,
    /// `E(p R q)`: `q` need not hold together with `p`.
    ReleaseAfter,
    /// `W` is read as `U`.
    WeakUntilStrong,
    /// It holds if some initial state satisfies it.
    AnyInitial,
}

impl Slip {
    pub(crate) const ALL: [Slip; 20] = [
        Slip::NextToUnfair,
        Slip::NextByAny,
        Slip::NextMustBe,
        Slip::UntilToUnfair,
        Slip::VacuityFails,
        Slip::GloballyUnfair,
        Slip::GloballyInFair,
        Slip::GloballyByAnyWay,
        Slip::RestrictedEnabled,
        Slip::RestrictedGlobal,
        Slip::RestrictedIdles,
        Slip::TrivialLoops,
        Slip::OtherEnds,
        Slip::SplitOnce,
        Slip::SplitUnchecked,
        Slip::SplitNever,
        Slip::StatesForSteps,
        Slip::ReleaseAfter,
        Slip::WeakUntilStrong,
        Slip::AnyInitial,
    ];
}

/// Which rules were needed.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Used {
    pub(crate) weak: bool,
    pub(crate) dropped: bool,
    pub(crate) again: bool,
    pub(crate) global: bool,
    pub(crate) avoided: bool,
    pub(crate) left_out: bool,
}

impl Used {
    /// The rules that either took.
    pub(crate) fn or(self, other: Used) -> Used {
        Used {
            weak: self.weak || other.weak,
            dropped: self.dropped || other.dropped,
            again: self.again || other.again,
            global: self.global || other.global,
            avoided: self.avoided || other.avoided,
            left_out: self.left_out || other.left_out,
        }
    }

    /// The rules by name.
    pub(crate) fn named(self) -> [(&'static str, bool); 6] {
        [
            ("a component that fails a weak obligation", self.weak),
            ("states dropped for a strong obligation", self.dropped),
            ("states dropped for a strong obligation again", self.again),
            ("a component that is not globally fair", self.global),
            ("a mark that must be avoided", self.avoided),
            ("a component cut by `EG`", self.left_out),
        ]
    }
}
