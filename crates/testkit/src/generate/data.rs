//! The declarations of a random model: constants, variables, channels, macros.

use super::Generator;

/// What expressions and programs can speak of.
#[derive(Clone, Default, Debug)]
pub(super) struct Data {
    /// Integer variables and the number of their values.
    pub(super) ints: Vec<(String, usize)>,
    /// Truth values.
    pub(super) bools: Vec<String>,
    /// Arrays: name, length, number of values of an element.
    pub(super) arrays: Vec<(String, usize, usize)>,
    /// Arrays of two dimensions: name, both lengths, number of values of an element.
    pub(super) grids: Vec<(String, [usize; 2], usize)>,
    /// Arrays of truth values: name, length.
    pub(super) flags: Vec<(String, usize)>,
    /// Collections of PAT's library.
    pub(super) collections: Vec<Collection>,
    /// Channels.
    pub(super) channels: Vec<Channel>,
    /// Names of constants with their values.
    pub(super) constants: Vec<(&'static str, usize)>,
    /// Macros that are conditions.
    pub(super) conditions: Vec<&'static str>,
    /// Macros that are programs.
    pub(super) programs: Vec<&'static str>,
    /// Whether `twice(n)` is there.
    pub(super) twice: bool,
}

/// A collection of PAT's library.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Collection {
    pub(super) name: &'static str,
    /// What puts an item in.
    pub(super) put: &'static str,
    /// What takes an item out and gives it, if anything does.
    pub(super) take: Option<&'static str>,
}

/// One of each kind that can be filled by one item at a time.
const COLLECTIONS: [(&str, Collection); 4] = [
    (
        "List",
        Collection {
            name: "items",
            put: "Add",
            take: None,
        },
    ),
    (
        "Set",
        Collection {
            name: "set",
            put: "Add",
            take: None,
        },
    ),
    (
        "Queue",
        Collection {
            name: "queue",
            put: "Enqueue",
            take: Some("Dequeue"),
        },
    ),
    (
        "Stack",
        Collection {
            name: "stack",
            put: "Push",
            take: Some("Pop"),
        },
    ),
];

/// A channel.
#[derive(Clone, Debug)]
pub(super) struct Channel {
    pub(super) name: String,
    pub(super) len: Option<usize>,
    /// For each field of its messages the number of its values.
    pub(super) fields: Vec<usize>,
}

impl Generator<'_> {
    /// The declarations, one a line.
    pub(super) fn declare(&mut self) -> Vec<String> {
        let mut lines = Vec::new();
        self.declare_constants(&mut lines);
        self.declare_variables(&mut lines);
        self.declare_channels(&mut lines);
        self.declare_macros(&mut lines);
        lines
    }

    fn declare_constants(&mut self, lines: &mut Vec<String>) {
        if self.rng.chance(1, 2) {
            let n = 2 + self.rng.below(2);
            lines.push(format!("#define N {n};"));
            self.data.constants.push(("N", n));
            self.uses("constant");
        }
        if self.rng.chance(1, 4) {
            lines.push("enum {red, green, blue};".to_owned());
            self.data
                .constants
                .extend([("red", 0), ("green", 1), ("blue", 2)]);
            self.uses("enum");
        }
    }

    fn declare_variables(&mut self, lines: &mut Vec<String>) {
        for i in 0..1 + self.rng.below(3) {
            let bound = 2 + self.rng.below(3);
            let name = format!("x{i}");
            let hidden = self.rng.chance(1, 7);
            let word = if hidden { "hvar" } else { "var" };
            let ranged = self.rng.chance(1, 3);
            let range = if ranged {
                format!(":{{0..{}}}", bound - 1)
            } else {
                String::new()
            };
            let value = match self.rng.below(3) {
                0 => String::new(),
                _ => format!(" = {}", self.rng.below(bound)),
            };
            lines.push(format!("{word} {name}{range}{value};"));
            self.data.ints.push((name, bound));
            if hidden {
                self.uses("hvar");
            }
            if ranged {
                self.uses("range");
            }
        }
        for i in 0..self.rng.below(3) {
            lines.push(format!("var b{i} = {};", self.rng.chance(1, 2)));
            self.data.bools.push(format!("b{i}"));
            self.uses("truth value");
        }
        if self.rng.chance(2, 5) {
            let (len, bound) = (2 + self.rng.below(2), 2 + self.rng.below(2));
            lines.push(match self.rng.below(3) {
                0 => format!("var arr[{len}];"),
                1 => format!("var arr[{len}] = [1({len})];"),
                _ => format!("var arr[{len}]:{{0..{}}} = [0({}), 1];", bound - 1, len - 1),
            });
            self.data.arrays.push(("arr".to_owned(), len, bound));
            self.uses("array");
        }
        if self.rng.chance(1, 5) {
            let dims = [2, 2 + self.rng.below(2)];
            lines.push(format!("var grid[{}][{}];", dims[0], dims[1]));
            self.data.grids.push(("grid".to_owned(), dims, 2));
            self.uses("2-D array");
        }
        if self.rng.chance(1, 5) {
            for _ in 0..1 + self.rng.below(2) {
                let (class, collection) = *self.rng.pick(&COLLECTIONS);
                if self.data.collections.contains(&collection) {
                    continue;
                }
                let word = if self.rng.chance(1, 5) { "hvar" } else { "var" };
                let value = *self.rng.pick(&["", " = new"]);
                let value = if value.is_empty() {
                    String::new()
                } else {
                    format!("{value} {class}()")
                };
                lines.push(format!("{word}<{class}> {}{value};", collection.name));
                self.data.collections.push(collection);
                self.uses("collection");
                if word == "hvar" {
                    self.uses("hvar");
                }
            }
        }
        if self.rng.chance(1, 5) {
            lines.push("var flags = [true, false];".to_owned());
            self.data.flags.push(("flags".to_owned(), 2));
            self.uses("array of truth values");
        }
    }

    fn declare_channels(&mut self, lines: &mut Vec<String>) {
        for i in 0..1 + self.rng.below(3) {
            let name = format!("c{i}");
            let capacity = self.weighted(&[(4, 0), (4, 1), (2, 2)]);
            let len = self.rng.chance(1, 4).then_some(2);
            let fields: Vec<usize> = (0..self.weighted(&[(3, 1), (1, 2)]))
                .map(|_| 2 + self.rng.below(2))
                .collect();
            let size = len.map_or(String::new(), |n| format!("[{n}]"));
            lines.push(format!("channel {name}{size} {capacity};"));
            self.uses(if capacity == 0 {
                "synchronous channel"
            } else {
                "buffered channel"
            });
            if len.is_some() {
                self.uses("channel array");
            }
            if fields.len() > 1 {
                self.uses("message of several fields");
            }
            self.data.channels.push(Channel { name, len, fields });
        }
    }

    fn declare_macros(&mut self, lines: &mut Vec<String>) {
        if self.rng.chance(1, 4) {
            lines.push("#define twice(n) n + n;".to_owned());
            self.data.twice = true;
        }
        if self.rng.chance(1, 4) {
            let condition = self.condition(&[], 2);
            lines.push(format!("#define good {condition};"));
            self.data.conditions.push("good");
        }
        if self.rng.chance(1, 4) {
            let program = self.program(&[], 1);
            lines.push(format!("#define work {program};"));
            self.data.programs.push("work");
        }
    }
}
