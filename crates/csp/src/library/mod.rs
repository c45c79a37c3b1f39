//! PAT's libraries as values: lists, sets, queues, stacks, hash tables, arrays, and some mathematics.
//!
//! In PAT these are C# objects; here they are values like integers. A variable holds one, assigning copies it, and a
//! method that changes it changes the variable that it is called on. So two states are the same exactly if all
//! collections hold the same, which a set and a table see to by keeping their items in order.
//!
//! A variable is still one word of a state: the number of its collection in the model's `Collections`.

mod math;
mod method;
mod table;

pub use math::Function;
pub use method::Method;
pub(crate) use method::{MAX_ITEMS, apply};
pub(crate) use table::Collections;

use std::fmt;
use std::sync::Arc;

/// A class of PAT's library.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Class {
    /// Any number of items, in the order in which they were added.
    List,
    /// Items without order or repetition.
    Set,
    /// First in, first out.
    Queue,
    /// Last in, first out.
    Stack,
    /// From integers to items.
    HashTable,
    /// So many items as it was made with.
    Array,
}

impl Class {
    /// All of them.
    pub const ALL: [Class; 6] = [
        Class::List,
        Class::Set,
        Class::Queue,
        Class::Stack,
        Class::HashTable,
        Class::Array,
    ];

    /// Its name in `new List()`.
    pub fn name(self) -> &'static str {
        match self {
            Class::List => "List",
            Class::Set => "Set",
            Class::Queue => "Queue",
            Class::Stack => "Stack",
            Class::HashTable => "HashTable",
            Class::Array => "Array",
        }
    }

    /// The class with this name.
    pub fn by_name(name: &str) -> Option<Class> {
        Class::ALL.into_iter().find(|class| class.name() == name)
    }
}

/// What a collection is and what it holds. All items of one are integers, or all are truth values; keys are integers.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct CollectionType {
    /// Its class.
    pub class: Class,
    /// Its items are truth values.
    pub truth: bool,
}

/// A collection.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Collection {
    /// What it is.
    pub ty: CollectionType,
    /// Its items, truth values as 0 and 1. Of a set they ascend; a table has each key followed by its item, and the keys
    /// ascend; a stack ends with its top.
    pub items: Arc<[i32]>,
}

impl Collection {
    /// One that holds nothing.
    pub fn empty(ty: CollectionType) -> Collection {
        Collection {
            ty,
            items: Arc::default(),
        }
    }
}

impl fmt::Display for Collection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let item = |f: &mut fmt::Formatter<'_>, item: i32| match self.ty.truth {
            true => write!(f, "{}", item != 0),
            false => write!(f, "{item}"),
        };
        let (open, close) = match self.ty.class {
            Class::Set | Class::HashTable => ("{", "}"),
            _ => ("[", "]"),
        };
        f.write_str(open)?;
        let stride = self.ty.class.stride();
        for (i, entry) in self.items.chunks(stride).enumerate() {
            if i > 0 {
                f.write_str(", ")?;
            }
            match entry {
                [key, value] => {
                    write!(f, "{key}: ")?;
                    item(f, *value)?;
                }
                entry => item(f, entry[0])?,
            }
        }
        f.write_str(close)
    }
}

impl Class {
    /// How many numbers an entry takes: a table's are a key and an item.
    fn stride(self) -> usize {
        match self {
            Class::HashTable => 2,
            _ => 1,
        }
    }
}
