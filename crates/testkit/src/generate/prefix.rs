//! What stands before `->`: events, programs and communications.

use super::process::Context;
use super::tree::{Head, Process};
use super::{Generator, Name};

impl Generator<'_> {
    /// Any prefix, and what `then` makes of the place behind it.
    pub(super) fn prefixed(
        &mut self,
        context: &Context,
        then: impl FnOnce(&mut Self, &Context) -> Process,
    ) -> Process {
        let heads = [
            Head::Event,
            Head::EventProgram,
            Head::Events,
            Head::Tau,
            Head::Program,
            Head::Send,
        ];
        let head = *self.rng.pick(&heads);
        self.prefix(head, context, then)
    }

    /// A prefix of one kind, and what `then` makes of the place behind it.
    pub(super) fn prefix(
        &mut self,
        head: Head,
        context: &Context,
        then: impl FnOnce(&mut Self, &Context) -> Process,
    ) -> Process {
        let mut visible = true;
        let mut after = context.clone();
        let (text, program) = match head {
            Head::Event => (self.event(context), None),
            Head::EventProgram => (self.event(context), Some(self.program(&context.names, 2))),
            Head::Events => {
                let mut events = vec![self.event(context), self.event(context)];
                if self.rng.chance(1, 6) {
                    events.push("tau".to_owned());
                    visible = false;
                }
                (format!("({})", events.join(", ")), None)
            }
            Head::Tau => {
                visible = false;
                let program = self.rng.chance(1, 4).then(|| self.program(&context.names, 1));
                ("tau".to_owned(), program)
            }
            Head::Program => {
                visible = false;
                (String::new(), Some(self.program(&context.names, 2)))
            }
            Head::Send => {
                let program = self.rng.chance(1, 3).then(|| self.program(&context.names, 1));
                (self.send(context), program)
            }
            Head::Receive => {
                let text = self.receive(context, &mut after);
                let program = self.rng.chance(1, 3).then(|| self.program(&after.names, 1));
                (text, program)
            }
        };
        if program.is_some() {
            self.uses(match head {
                Head::Send => "program of a send",
                Head::Receive => "program of a receive",
                _ => "program",
            });
        }
        let then = then(self, &after.after(visible));
        Process::Prefix(head, text, program, Box::new(then))
    }

    fn send(&mut self, context: &Context) -> String {
        let channel = self.rng.pick(&self.data.channels).clone();
        let name = self.channel_name(&channel, &context.names);
        let fields: Vec<String> = channel
            .fields
            .iter()
            .map(|&b| self.below(&context.names, b, 1))
            .collect();
        format!("{name}!{}", fields.join("."))
    }

    /// An input; the names it binds are added to the place behind it.
    fn receive(&mut self, context: &Context, after: &mut Context) -> String {
        let channel = self.rng.pick(&self.data.channels).clone();
        let name = self.channel_name(&channel, &context.names);
        let mut fields = Vec::new();
        for &bound in &channel.fields {
            if self.rng.chance(3, 4) {
                let input = self.fresh("v");
                after.names.push(Name::number(input.clone(), bound, false));
                fields.push(input);
            } else {
                self.uses("constant in a pattern");
                fields.push(self.below(&context.names, bound, 0));
            }
        }
        if self.rng.chance(1, 25) {
            self.uses("pattern of the wrong length");
            fields.push("0".to_owned());
        }
        let guard = if self.rng.chance(1, 4) {
            self.uses("guarded input");
            format!("[{}]", self.condition(&after.names, 1))
        } else {
            String::new()
        };
        format!("{name}?{guard}{}", fields.join("."))
    }

    /// An event with its indices.
    fn event(&mut self, context: &Context) -> String {
        let known = context.indices();
        match self.rng.below(10) {
            0..=2 => (*self.rng.pick(&["a", "b", "c"])).to_owned(),
            3 | 4 => format!("e.{}", self.index(context, &known)),
            5 => format!("f.{}.{}", self.index(context, &known), self.fixed(&known, 2)),
            6 | 7 if context.layer > 0 => format!("own{}.{}", context.number, self.index(context, &known)),
            _ if context.layer > 0 => format!("go{}", context.number),
            _ => "start".to_owned(),
        }
    }

    fn index(&mut self, context: &Context, known: &[Name]) -> String {
        if !context.fixed && self.rng.chance(1, 3) {
            self.uses("event index that depends on a variable");
            return self.below(&context.names, 3, 1);
        }
        self.fixed(known, 3)
    }

    /// Events to hide.
    pub(super) fn event_set(&mut self, context: &Context) -> Vec<String> {
        let known = context.indices();
        let mut events = Vec::new();
        for _ in 0..1 + self.rng.below(2) {
            events.push(match self.rng.below(4) {
                0 => format!("e.{}", self.fixed(&known, 3)),
                1 => "k:{0..2} @ e.k".to_owned(),
                _ => (*self.rng.pick(&["a", "b", "c", "start"])).to_owned(),
            });
        }
        events
    }
}
