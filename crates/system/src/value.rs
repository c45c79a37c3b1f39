//! Values as people see them.

/// A value of a variable, a message of a channel, or the text of a process.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Value {
    /// An integer.
    Int(i64),
    /// A truth value.
    Bool(bool),
    /// A text: what a process is about to do, or a name.
    Text(String),
    /// An array, a message, or a channel's messages.
    List(Vec<Value>),
}

/// A state by names, in a fixed order: variables, channels, then `process 0`, `process 1`, ...
pub type Fields = Vec<(String, Value)>;

impl Value {
    /// Whether it is a list of names. Such a list is read as a whole, not element by element.
    pub fn is_names(&self) -> bool {
        matches!(self, Value::List(items) if items.iter().all(|item| matches!(item, Value::Text(_))))
    }
}

/// Whether a field says what a process is about to do: `process`, `process 0`. No variable is a text.
pub fn tells_process(name: &str, value: &Value) -> bool {
    matches!(value, Value::Text(_)) && (name == "process" || name.starts_with("process "))
}
