//! What is asked of graphs: properties, as automata for what violates them, and constraints.

use crate::graph::{FIRST_EVENT, P, Q};
use fairhold_logic::{AtomId, Automaton, Ltl, translate};
use fairhold_search::{Atom, Fairness, Obligations, Strength, When, Whose};
use fairhold_system::EventId;
use fairhold_testkit::Rng;

/// A property.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Property {
    /// `[]<>p`
    Recurrence,
    /// `<>[]p`
    Persistence,
    /// `[](p -> <>q)`
    Response,
    /// `[](p -> <>e)` for an event.
    Answer,
    /// None: every execution is looked for.
    Everything,
}

impl Property {
    /// Those whose verdicts depend on fairness most often more than once.
    pub(crate) const ALL: [Property; 9] = [
        Property::Recurrence,
        Property::Recurrence,
        Property::Recurrence,
        Property::Persistence,
        Property::Response,
        Property::Response,
        Property::Answer,
        Property::Answer,
        Property::Everything,
    ];

    /// Whether it depends only on what happens infinitely often.
    pub(crate) fn is_recurrent(self) -> bool {
        matches!(
            self,
            Property::Recurrence | Property::Persistence | Property::Everything
        )
    }

    /// What violates it, and what the automaton's atoms mean.
    pub(crate) fn violations(self) -> (Automaton, Vec<Atom>) {
        let atom = |place| Box::new(Ltl::Atom(AtomId(place)));
        let globally = |f| Box::new(Ltl::Globally(f));
        let finally = |f| Box::new(Ltl::Finally(f));
        let answered = |place| globally(Box::new(Ltl::Implies(atom(0), finally(atom(place)))));
        let property = match self {
            Property::Recurrence => globally(finally(atom(0))),
            Property::Persistence => finally(globally(atom(0))),
            Property::Response => answered(1),
            Property::Answer => answered(2),
            Property::Everything => Box::new(Ltl::False),
        };
        let translation = translate(&Ltl::Not(property), &|a| format!("x{}", a.0)).expect("a small formula");
        let atoms = [Atom::State(P), Atom::State(Q), Atom::Event(EventId(FIRST_EVENT))];
        let read = translation
            .atoms
            .iter()
            .map(|a| atoms[a.0 as usize].clone())
            .collect();
        (translation.automaton, read)
    }
}

/// The names of [`constraints`], in order.
pub(crate) const NAMES: [&str; 9] = [
    "none",
    "pwf",
    "ewf",
    "psf",
    "esf",
    "sgf",
    "some weak",
    "some strong",
    "both",
];

/// All of them; annotations are on some events of those below `FIRST_EVENT + count`.
pub(crate) fn constraints(rng: &mut Rng, count: u32) -> Vec<Fairness> {
    let mut some = || {
        let events = FIRST_EVENT..FIRST_EVENT + count;
        Whose::Events(events.filter(|_| rng.chance(1, 2)).map(EventId).collect())
    };
    let of = |strength, whose| Obligations {
        strength,
        when: When::Enabled,
        whose,
    };
    let with = |obligations: Vec<Obligations>| Fairness {
        obligations,
        ..Fairness::none()
    };
    let (weak, strong) = (Strength::Weak, Strength::Strong);
    vec![
        Fairness::none(),
        with(vec![of(weak, Whose::AllProcesses)]),
        with(vec![of(weak, Whose::AllEvents)]),
        with(vec![of(strong, Whose::AllProcesses)]),
        with(vec![of(strong, Whose::AllEvents)]),
        Fairness {
            global: true,
            ..Fairness::none()
        },
        with(vec![of(weak, some())]),
        with(vec![of(strong, some())]),
        with(vec![of(weak, some()), of(strong, some())]),
    ]
}
