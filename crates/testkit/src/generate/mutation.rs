//! Models broken on purpose: what a wrong rule of the semantics would make of a text.
//!
//! A semantics that confuses two operators gives a model the graph that the other operator has. So a test that must
//! notice the wrong rule can be shown the right model on one side and the model with the operator exchanged on the
//! other.

use super::tree::{Conditional, Head, Operator, Process, Source};

/// A wrong rule.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mutation {
    /// A `tau` resolves `[*]`.
    ExternalResolvedByTau,
    /// `if` makes no `tau` of its own.
    IfWithoutTau,
    /// Guards are not looked at.
    GuardIgnored,
    /// `atomic` gives no priority.
    AtomicIgnored,
    /// An operand of `||` does not take part in one event of its alphabet.
    ParticipantLost,
    /// Programs of communications do not run.
    CommunicationProgramLost,
    /// `P interrupt Q` does not go on after P's first event.
    InterruptForgotten,
    /// Hiding leaves one event visible.
    HiddenEventSeen,
    /// A synchronising event goes alone, as one with a program does.
    SynchronisationLost,
}

impl Mutation {
    /// All of them.
    pub const ALL: [Mutation; 9] = [
        Mutation::ExternalResolvedByTau,
        Mutation::IfWithoutTau,
        Mutation::GuardIgnored,
        Mutation::AtomicIgnored,
        Mutation::ParticipantLost,
        Mutation::CommunicationProgramLost,
        Mutation::InterruptForgotten,
        Mutation::HiddenEventSeen,
        Mutation::SynchronisationLost,
    ];

    /// The model as the wrong rule sees it; none if the rule has no place in it.
    pub fn apply(self, source: &Source) -> Option<Source> {
        let mut broken = source.clone();
        for definition in &mut broken.definitions {
            definition.body.visit_mut(&mut |p| self.rewrite(p));
            if self == Mutation::ParticipantLost
                && let Some(events) = &mut definition.alphabet
                && events.len() > 1
            {
                events.pop();
            }
        }
        (broken != *source).then_some(broken)
    }

    fn rewrite(self, process: &mut Process) {
        match (self, &mut *process) {
            (
                Mutation::ExternalResolvedByTau,
                Process::Joined(operator, _) | Process::Indexed(operator, ..),
            ) if *operator == Operator::External => {
                *operator = Operator::Choice;
            }
            (Mutation::IfWithoutTau, Process::Conditional(which, ..)) if *which == Conditional::If => {
                *which = Conditional::Ifa;
            }
            (Mutation::GuardIgnored, Process::Guard(_, inside))
            | (Mutation::AtomicIgnored, Process::Atomic(inside)) => {
                *process = std::mem::replace(&mut **inside, Process::Stop);
            }
            (
                Mutation::CommunicationProgramLost,
                Process::Prefix(Head::Send | Head::Receive, _, program, _),
            ) => {
                *program = None;
            }
            (Mutation::InterruptForgotten, Process::Interrupt(p, q)) => {
                let operands = [p, q].map(|operand| std::mem::replace(&mut **operand, Process::Stop));
                *process = Process::Joined(Operator::Choice, operands.into());
            }
            (Mutation::HiddenEventSeen, Process::Hide(inside, events)) => {
                events.pop();
                if events.is_empty() {
                    *process = std::mem::replace(&mut **inside, Process::Stop);
                }
            }
            (
                Mutation::SynchronisationLost,
                Process::Joined(operator, _) | Process::Indexed(operator, ..),
            ) if *operator == Operator::Parallel => {
                *operator = Operator::Interleave;
            }
            _ => {}
        }
    }
}
