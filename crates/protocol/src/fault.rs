//! How a protocol goes wrong, in words.

use crate::model::Field;
use fairhold_source::Span;
use fairhold_system::{Fault, FaultKind};

fn fault(message: String, span: Option<Span>) -> Fault {
    Fault {
        kind: FaultKind::Error,
        message,
        span,
    }
}

/// By zero.
pub(crate) fn division(span: Span) -> Fault {
    fault("division by zero".to_owned(), Some(span))
}

/// A result that leaves 32 bits.
pub(crate) fn overflow(span: Option<Span>) -> Fault {
    fault("a number is out of range (32 bits)".to_owned(), span)
}

/// A node by a number that none has.
pub(crate) fn no_node(number: i32, nodes: u32) -> Fault {
    fault(
        format!(
            "there is no node {number}: the nodes are 0..{}",
            i64::from(nodes) - 1
        ),
        None,
    )
}

/// A value that a field cannot have.
pub(crate) fn outside(field: &Field, value: i32, span: Span) -> Fault {
    let Field { name, low, high, .. } = field;
    fault(format!("{value} is outside {name}: {low}..{high}"), Some(span))
}
