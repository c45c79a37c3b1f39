//! Random expressions, as text. Integers stay small because whoever stores one takes it modulo something.

use super::{Generator, Name};
use crate::generate::data::Channel;

impl Generator<'_> {
    /// An integer expression that is known before the run, from 0 up to and without `bound`.
    pub(super) fn fixed(&mut self, names: &[Name], bound: usize) -> String {
        let fixed: Vec<&Name> = names.iter().filter(|n| n.fixed && n.len.is_none()).collect();
        if fixed.is_empty() || self.rng.chance(1, 3) {
            return self.constant(bound);
        }
        let name = *self.rng.pick(&fixed);
        match self.rng.below(3) {
            0 => format!("({} + {}) % {bound}", name.text, 1 + self.rng.below(bound)),
            _ if name.bound > bound => format!("{} % {bound}", name.text),
            _ => name.text.clone(),
        }
    }

    /// A constant below `bound`.
    fn constant(&mut self, bound: usize) -> String {
        let named: Vec<&'static str> = self
            .data
            .constants
            .iter()
            .filter(|(_, v)| *v < bound)
            .map(|(n, _)| *n)
            .collect();
        if !named.is_empty() && self.rng.chance(1, 3) {
            return (*self.rng.pick(&named)).to_owned();
        }
        self.rng.below(bound).to_string()
    }

    /// An integer expression from 0 up to and without `bound`, unless the model is a faulty one.
    pub(super) fn below(&mut self, names: &[Name], bound: usize, depth: usize) -> String {
        if self.faulty && self.rng.chance(1, 25) {
            self.uses("value without bounds");
            return format!("{} + 1", self.int(names, depth));
        }
        if self.rng.chance(1, 4) {
            return self.constant(bound);
        }
        format!("({}) % {bound}", self.int(names, depth))
    }

    /// An integer expression.
    pub(super) fn int(&mut self, names: &[Name], depth: usize) -> String {
        if depth == 0 || self.rng.chance(1, 3) {
            return self.int_leaf(names);
        }
        if self.faulty && self.rng.chance(1, 20) {
            self.uses("division by a variable");
            let operator = *self.rng.pick(&["/", "%"]);
            return format!("(3 {operator} {})", self.int_leaf(names));
        }
        if self.data.twice && self.rng.chance(1, 6) {
            self.uses("macro with a parameter");
            return format!("call(twice, {})", self.int(names, depth - 1));
        }
        let operator = *self
            .rng
            .pick(&["+", "+", "-", "*", "&", "|", "^", "/ 2 +", "% 3 -"]);
        let (left, right) = (self.int(names, depth - 1), self.int(names, depth - 1));
        if self.rng.chance(1, 10) {
            return format!("(-{left} {operator} {right})");
        }
        format!("({left} {operator} {right})")
    }

    fn int_leaf(&mut self, names: &[Name]) -> String {
        if !self.data.collections.is_empty() && self.rng.chance(1, 8) {
            return format!("{}.Count()", self.rng.pick(&self.data.collections).name);
        }
        let scope = names.len();
        let choice = self.weighted(&[(3, 0), (scope.min(3), 1), (2, 2), (2, 3), (1, 4), (1, 5)]);
        match choice {
            0 => self.rng.pick(&self.data.ints).0.clone(),
            1 => self.name(names),
            2 if !self.data.arrays.is_empty() => self.element(names),
            3 if !self.data.grids.is_empty() => self.cell(names),
            4 => self.count(names),
            _ => self.constant(4),
        }
    }

    /// A name in scope, or an element of it.
    fn name(&mut self, names: &[Name]) -> String {
        let name = self.rng.pick(names).clone();
        match name.len {
            Some(len) => format!("{}[{}]", name.text, self.below(&[], len, 1)),
            None => name.text,
        }
    }

    /// An element of an array.
    pub(super) fn element(&mut self, names: &[Name]) -> String {
        let (array, len, _) = self.rng.pick(&self.data.arrays).clone();
        format!("{array}[{}]", self.below(names, len, 1))
    }

    /// An element of an array of two dimensions.
    pub(super) fn cell(&mut self, names: &[Name]) -> String {
        let (grid, [rows, columns], _) = self.rng.pick(&self.data.grids).clone();
        format!(
            "{grid}[{}][{}]",
            self.below(names, rows, 1),
            self.below(names, columns, 0)
        )
    }

    /// How many messages a channel has, or has room for.
    fn count(&mut self, names: &[Name]) -> String {
        self.uses("channel query");
        let question = *self.rng.pick(&["ccount", "ccount", "csize"]);
        let channel = self.rng.pick(&self.data.channels).clone();
        format!("call({question}, {})", self.channel_name(&channel, names))
    }

    /// A channel, with an index if it is one of an array.
    pub(super) fn channel_name(&mut self, channel: &Channel, names: &[Name]) -> String {
        match channel.len {
            Some(len) => format!("{}[{}]", channel.name, self.below(names, len, 1)),
            None => channel.name.clone(),
        }
    }

    /// A condition.
    pub(super) fn condition(&mut self, names: &[Name], depth: usize) -> String {
        if !self.data.collections.is_empty() && self.rng.chance(1, 8) {
            let name = self.rng.pick(&self.data.collections).name;
            return format!("!{name}.Contains({})", self.below(names, 3, 1));
        }
        if depth == 0 {
            return self.comparison(names);
        }
        match self.rng.below(12) {
            0 => format!("!({})", self.condition(names, depth - 1)),
            1 => self.both("&&", names, depth),
            2 | 3 => self.both("||", names, depth),
            4 => self.both("xor", names, depth),
            5 => self.quantified(names),
            6 if !self.data.bools.is_empty() => self.rng.pick(&self.data.bools).clone(),
            7 if !self.data.flags.is_empty() => {
                let (flags, len) = self.rng.pick(&self.data.flags).clone();
                format!("{flags}[{}]", self.below(names, len, 1))
            }
            8 => self.question(names),
            9 if !self.data.conditions.is_empty() => {
                self.uses("macro that is a condition");
                (*self.rng.pick(&self.data.conditions)).to_owned()
            }
            _ => self.comparison(names),
        }
    }

    fn both(&mut self, operator: &str, names: &[Name], depth: usize) -> String {
        let (left, right) = (self.condition(names, depth - 1), self.condition(names, depth - 1));
        format!("(({left}) {operator} ({right}))")
    }

    /// A comparison that is true more often than not.
    fn comparison(&mut self, names: &[Name]) -> String {
        let (variable, bound) = self.rng.pick(&self.data.ints).clone();
        match self.rng.below(4) {
            0 => format!("{variable} != {}", self.below(names, bound, 1)),
            1 => format!("{variable} < {}", 1 + self.rng.below(bound)),
            2 => format!("{} >= {variable}", self.rng.below(bound)),
            _ => format!("{} <= {}", self.int(names, 1), self.int(names, 1)),
        }
    }

    fn quantified(&mut self, names: &[Name]) -> String {
        self.uses("quantified condition");
        let index = self.fresh("q");
        let operator = *self.rng.pick(&["&&", "||", "xor"]);
        let mut inner = names.to_vec();
        inner.push(Name::number(index.clone(), 3, false));
        let values = *self.rng.pick(&["{0..2}", "{0, 2}", "{1..1}"]);
        format!("({operator} {index}:{values} @ {})", self.comparison(&inner))
    }

    /// A question about a channel.
    fn question(&mut self, names: &[Name]) -> String {
        self.uses("channel query");
        let channel = self.rng.pick(&self.data.channels).clone();
        let name = self.channel_name(&channel, names);
        match self.rng.below(3) {
            0 => format!("call(cempty, {name})"),
            1 => format!("!call(cfull, {name})"),
            // The index is evaluated twice in one state, so it is the same channel.
            _ if channel.fields.len() == 1 => {
                self.uses("cpeek");
                let peek = format!("call(cpeek, {name}) > 0");
                if self.faulty {
                    peek
                } else {
                    format!("(call(cempty, {name}) || {peek})")
                }
            }
            _ => format!("call(ccount, {name}) < 1"),
        }
    }
}
