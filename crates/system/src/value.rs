//! Values as people see them.

/// A value of a variable, a message of a channel, or the text of a process.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Value {
    /// An integer.
    Int(i64),
    /// A truth value.
    Bool(bool),
    /// A text: what a process is about to do.
    Text(String),
    /// An array, a message, or a channel's messages.
    List(Vec<Value>),
}

/// A state by names, in a fixed order: variables, channels, then `process 0`, `process 1`, ...
pub type Fields = Vec<(String, Value)>;
