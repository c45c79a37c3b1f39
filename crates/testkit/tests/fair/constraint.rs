//! Constraints twice: as a search takes them, and as the definitions state them.

use fairhold_logic::{Acceptance, MarkId};
use fairhold_search::{self as search, Fairness, Obligations, StepPredicate, Whose};
use fairhold_system::{EventId, PredicateId};
use fairhold_testkit::Rng;
use fairhold_testkit::fair::{
    Constraint, EVENTS, Formula, PROCESSES, Party, Proposition, Strength, TAU, When, random_formula,
};

/// A constraint.
#[derive(Clone, Debug)]
pub(crate) struct Fair {
    pub(crate) name: &'static str,
    /// For the search.
    pub(crate) search: Fairness,
    /// For the oracle.
    pub(crate) definition: Constraint,
    /// What the marks of `search.formula` are, in the oracle's words.
    pub(crate) marks: Vec<Proposition>,
}

/// The names of all constraints that a case is checked under, in the order of [`constraints`].
pub(crate) const NAMES: [&str; 12] = [
    "none",
    "pwf",
    "ewf",
    "psf",
    "esf",
    "sgf",
    "wf",
    "sf",
    "wl",
    "sl",
    "formula",
    "conjunction",
];

/// What holds under the first holds under the second.
pub(crate) const STRENGTH: [(&str, &str); 6] = [
    ("none", "pwf"),
    ("none", "ewf"),
    ("pwf", "psf"),
    ("ewf", "esf"),
    ("psf", "sgf"),
    ("esf", "sgf"),
];

/// One constraint of every name, random where a name leaves a choice.
pub(crate) fn constraints(rng: &mut Rng) -> Vec<Fair> {
    NAMES.iter().map(|name| constraint(rng, name)).collect()
}

fn constraint(rng: &mut Rng, name: &'static str) -> Fair {
    let (weak, strong) = (Strength::Weak, Strength::Strong);
    let (enabled, ready) = (When::Enabled, When::Ready);
    match name {
        "none" => all_of(name, &[]),
        "pwf" => obligations(name, weak, enabled, Whose::AllProcesses),
        "ewf" => obligations(name, weak, enabled, Whose::AllEvents),
        "psf" => obligations(name, strong, enabled, Whose::AllProcesses),
        "esf" => obligations(name, strong, enabled, Whose::AllEvents),
        "sgf" => Fair {
            search: Fairness {
                global: true,
                ..Fairness::none()
            },
            definition: Constraint::Global,
            ..all_of(name, &[])
        },
        "wf" => obligations(name, weak, enabled, annotated(rng)),
        "sf" => obligations(name, strong, enabled, annotated(rng)),
        "wl" => obligations(name, weak, ready, annotated(rng)),
        "sl" => obligations(name, strong, ready, annotated(rng)),
        "formula" => of_formula(name, random_formula(rng, 2)),
        _ => {
            let parts: Vec<Fair> = (0..2 + rng.below(2))
                .map(|_| {
                    let part = *rng.pick(&NAMES[1..NAMES.len() - 1]);
                    constraint(rng, part)
                })
                .collect();
            all_of(name, &parts)
        }
    }
}

/// One or two events with names.
fn annotated(rng: &mut Rng) -> Whose {
    let event = |rng: &mut Rng| EventId(2 + rng.below(EVENTS as usize - 2) as u32);
    let mut events = vec![event(rng), event(rng)];
    events.sort_unstable();
    events.dedup();
    Whose::Events(events)
}

/// Obligations of one kind: for the oracle, one for each who has it.
pub(crate) fn obligations(name: &'static str, strength: Strength, when: When, whose: Whose) -> Fair {
    let parties: Vec<Party> = match &whose {
        Whose::AllEvents => (0..EVENTS).filter(|&e| e != TAU).map(Party::Event).collect(),
        Whose::AllProcesses => (0..PROCESSES).map(Party::Process).collect(),
        Whose::Events(events) => events.iter().map(|e| Party::Event(e.0)).collect(),
    };
    let owed = |party| Constraint::Obligation {
        strength,
        when,
        party,
    };
    let for_search = Obligations {
        strength: match strength {
            Strength::Weak => search::Strength::Weak,
            Strength::Strong => search::Strength::Strong,
        },
        when: match when {
            When::Enabled => search::When::Enabled,
            When::Ready => search::When::Ready,
        },
        whose,
    };
    Fair {
        search: Fairness {
            obligations: vec![for_search],
            ..Fairness::none()
        },
        definition: Constraint::All(parties.into_iter().map(owed).collect()),
        ..all_of(name, &[])
    }
}

pub(crate) fn of_formula(name: &'static str, formula: Formula) -> Fair {
    let mut marks = Vec::new();
    let condition = condition(&formula, &mut marks);
    Fair {
        search: Fairness {
            formula: condition,
            marks: marks.iter().map(predicate).collect(),
            ..Fairness::none()
        },
        definition: Constraint::Formula(formula),
        marks,
        ..all_of(name, &[])
    }
}

/// The conjunction.
pub(crate) fn all_of(name: &'static str, parts: &[Fair]) -> Fair {
    let mut all = Fair {
        name,
        search: Fairness::none(),
        definition: Constraint::All(parts.iter().map(|p| p.definition.clone()).collect()),
        marks: Vec::new(),
    };
    for part in parts {
        let shift = all.marks.len() as u32;
        let formula = part.search.formula.renumbered(&|MarkId(m)| MarkId(m + shift));
        all.search.formula = Acceptance::and([all.search.formula, formula]);
        all.search.marks.extend(part.search.marks.iter().cloned());
        all.marks.extend(part.marks.iter().cloned());
        all.search
            .obligations
            .extend(part.search.obligations.iter().cloned());
        all.search.global |= part.search.global;
    }
    all
}

/// The formula as a condition: `GF a` is a mark on `a` infinitely often, `FG a` a mark on `!a` finitely often.
fn condition(formula: &Formula, marks: &mut Vec<Proposition>) -> Acceptance {
    let mut mark = |a: Proposition| {
        marks.push(a);
        MarkId(marks.len() as u32 - 1)
    };
    match formula {
        Formula::Often(a) => Acceptance::Inf(mark(a.clone())),
        Formula::Always(a) => Acceptance::Fin(mark(Proposition::Not(Box::new(a.clone())))),
        Formula::Not(f) => condition(f, marks).negated(),
        Formula::And(all) => {
            let parts: Vec<_> = all.iter().map(|f| condition(f, marks)).collect();
            Acceptance::and(parts)
        }
        Formula::Or(any) => {
            let parts: Vec<_> = any.iter().map(|f| condition(f, marks)).collect();
            Acceptance::or(parts)
        }
    }
}

/// The proposition in the words of the search.
fn predicate(a: &Proposition) -> StepPredicate {
    match a {
        Proposition::State(p) => StepPredicate::State(PredicateId(*p)),
        Proposition::Enabled(Party::Event(e)) => StepPredicate::Enabled(EventId(*e)),
        Proposition::Enabled(Party::Process(p)) => StepPredicate::EnabledProcess(*p),
        Proposition::Ready(e) => StepPredicate::Ready(EventId(*e)),
        Proposition::Engaged(Party::Event(e)) => StepPredicate::Engaged(EventId(*e)),
        Proposition::Engaged(Party::Process(p)) => StepPredicate::EngagedProcess(*p),
        Proposition::Not(a) => StepPredicate::Not(Box::new(predicate(a))),
        Proposition::And(all) => StepPredicate::And(all.iter().map(predicate).collect()),
        Proposition::Or(any) => StepPredicate::Or(any.iter().map(predicate).collect()),
    }
}
