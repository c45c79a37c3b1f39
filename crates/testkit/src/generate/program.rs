//! Random programs, as text with braces. Loops have a counter, so they end.

use super::{Generator, Name};

impl Generator<'_> {
    /// A program block.
    pub(super) fn program(&mut self, names: &[Name], depth: usize) -> String {
        let mut names = names.to_vec();
        let statements: Vec<String> = (0..1 + self.rng.below(2))
            .map(|_| self.statement(&mut names, depth))
            .collect();
        format!("{{{}}}", statements.join(" "))
    }

    /// A statement with its semicolon; a declaration adds to the names.
    fn statement(&mut self, names: &mut Vec<Name>, depth: usize) -> String {
        if depth == 0 {
            return self.assignment(names);
        }
        match self.rng.below(12) {
            0 => {
                self.uses("if in a program");
                let condition = self.condition(names, 1);
                let (then, otherwise) = (self.program(names, depth - 1), self.program(names, depth - 1));
                if self.rng.chance(1, 2) {
                    format!("if ({condition}) {then} else {otherwise}")
                } else {
                    format!("if ({condition}) {then}")
                }
            }
            1 => self.repeat(names),
            2 => {
                self.uses("local variable");
                let local = self.fresh("l");
                let value = self.below(names, 3, 2);
                names.push(Name::number(local.clone(), 3, false));
                format!("var {local} = {value}; {}", self.assignment(names))
            }
            3 => {
                self.uses("local array");
                let local = self.fresh("l");
                let (variable, bound) = self.rng.pick(&self.data.ints).clone();
                let (value, index) = (self.below(names, 3, 1), self.below(names, 2, 1));
                format!("var {local} = [2, {value}]; {variable} = {local}[{index}] % {bound};")
            }
            4 if !self.data.programs.is_empty() => {
                self.uses("macro that is a program");
                format!("{};", self.rng.pick(&self.data.programs))
            }
            5 => {
                let (variable, bound) = self.rng.pick(&self.data.ints).clone();
                format!("if ({variable} < {}) {{{variable}++;}}", bound - 1)
            }
            _ => self.assignment(names),
        }
    }

    fn repeat(&mut self, names: &[Name]) -> String {
        self.uses("while");
        let counter = self.fresh("l");
        let mut inner = names.to_vec();
        inner.push(Name::number(counter.clone(), 3, false));
        let body = self.assignment(&inner);
        format!(
            "var {counter} = 0; while ({counter} < {}) {{{body} {counter}++;}}",
            1 + self.rng.below(3)
        )
    }

    /// A collection gets an item, or loses one.
    fn change(&mut self, names: &[Name]) -> String {
        let collection = *self.rng.pick(&self.data.collections);
        let name = collection.name;
        if let Some(take) = collection.take
            && self.rng.chance(1, 2)
        {
            let (variable, bound) = self.rng.pick(&self.data.ints).clone();
            let taken = format!("{variable} = {name}.{take}() % {bound};");
            if self.faulty {
                self.uses("taking from what may be empty");
                return taken;
            }
            return format!("if (!{name}.IsEmpty()) {{{taken}}}");
        }
        match self.rng.below(6) {
            0 => format!("{name}.Clear();"),
            1 if collection.take.is_none() => format!("{name}.Remove({});", self.below(names, 3, 1)),
            _ => {
                let put = format!("{name}.{}({});", collection.put, self.below(names, 3, 1));
                format!("if ({name}.Count() < {}) {{{put}}}", 1 + self.rng.below(3))
            }
        }
    }

    fn assignment(&mut self, names: &[Name]) -> String {
        if !self.data.collections.is_empty() && self.rng.chance(1, 3) {
            return self.change(names);
        }
        if !self.data.arrays.is_empty() && self.rng.chance(1, 10) {
            self.uses("whole array assigned");
            let (array, len, bound) = self.rng.pick(&self.data.arrays).clone();
            let elements: Vec<String> = (0..len).map(|_| self.below(names, bound, 1)).collect();
            return format!("{array} = [{}];", elements.join(", "));
        }
        match self.rng.below(10) {
            0 | 1 if !self.data.bools.is_empty() => {
                let variable = self.rng.pick(&self.data.bools).clone();
                if self.faulty && !names.is_empty() && self.rng.chance(1, 8) {
                    self.uses("integer for a truth value");
                    return format!("{variable} = {};", self.rng.pick(names).text);
                }
                match self.rng.below(2) {
                    0 => format!("{variable} = !{variable};"),
                    _ => format!("{variable} = {};", self.condition(names, 1)),
                }
            }
            2 if !self.data.arrays.is_empty() => {
                let bound = self.data.arrays[0].2;
                format!("{} = {};", self.element(names), self.below(names, bound, 1))
            }
            3 if !self.data.grids.is_empty() => {
                let bound = self.data.grids[0].2;
                format!("{} = {};", self.cell(names), self.below(names, bound, 1))
            }
            4 if !self.data.flags.is_empty() => {
                let (flags, len) = self.rng.pick(&self.data.flags).clone();
                format!(
                    "{flags}[{}] = {};",
                    self.below(names, len, 1),
                    self.condition(names, 1)
                )
            }
            5 if self.data.ints.len() > 1 => {
                let (first, second) = (self.data.ints[0].clone(), self.data.ints[1].clone());
                let value = self.below(names, first.1.min(second.1), 1);
                self.uses("assignment as a value");
                format!("{} = {} = {value};", first.0, second.0)
            }
            6 | 7 => {
                let (variable, bound) = self.rng.pick(&self.data.ints).clone();
                format!("{variable} = ({variable} + 1) % {bound};")
            }
            _ => {
                let (variable, bound) = self.rng.pick(&self.data.ints).clone();
                format!("{variable} = {};", self.below(names, bound, 2))
            }
        }
    }
}
