//! Values and the operators on them: the arithmetic of CSP#, in one place for constants, both semantics and messages.
//!
//! Integers are 32-bit and wrap; `/` truncates toward zero; `%` is not negative for a positive modulus.

use crate::library::{Class, Collections};
use crate::model::{BinaryOp, Type, UnaryOp, Value};
use std::fmt;

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Int(i) => write!(f, "{i}"),
            Value::Bool(b) => write!(f, "{b}"),
            Value::Array(values) => {
                f.write_str("[")?;
                for (i, value) in values.iter().enumerate() {
                    if i > 0 {
                        f.write_str(", ")?;
                    }
                    write!(f, "{value}")?;
                }
                f.write_str("]")
            }
            Value::Collection(collection) => write!(f, "{collection}"),
        }
    }
}

impl Value {
    /// The integer or truth value with this word.
    pub(crate) fn of_word(ty: Type, word: i32) -> Value {
        match ty {
            Type::Bool => Value::Bool(word != 0),
            Type::Int | Type::Collection(_) => Value::Int(word),
        }
    }

    /// An integer or a truth value as a word, with its type; none for what has parts.
    pub fn word(&self) -> Option<(Type, i32)> {
        match self {
            Value::Int(i) => Some((Type::Int, *i)),
            Value::Bool(b) => Some((Type::Bool, i32::from(*b))),
            Value::Array(_) | Value::Collection(_) => None,
        }
    }

    /// The type, which an array has not.
    pub(crate) fn ty(&self) -> Option<Type> {
        match self {
            Value::Int(_) => Some(Type::Int),
            Value::Bool(_) => Some(Type::Bool),
            Value::Collection(collection) => Some(Type::Collection(collection.ty)),
            Value::Array(_) => None,
        }
    }
}

impl Collections {
    /// The value of a variable's word.
    pub(crate) fn value(&self, ty: Type, word: i32) -> Value {
        match ty {
            Type::Collection(_) => Value::Collection(self.get(word)),
            _ => Value::of_word(ty, word),
        }
    }

    /// A value as a variable's word, with its type; none for an array.
    pub(crate) fn word(&self, value: &Value) -> Option<(Type, i32)> {
        match value {
            Value::Collection(collection) => Some((Type::Collection(collection.ty), self.number(collection))),
            value => value.word(),
        }
    }
}

impl Type {
    /// The word for messages.
    pub fn word(self) -> &'static str {
        match self {
            Type::Int => "an integer",
            Type::Bool => "a truth value",
            Type::Collection(ty) => match (ty.class, ty.truth) {
                (Class::List, false) => "a List of integers",
                (Class::List, true) => "a List of truth values",
                (Class::Set, false) => "a Set of integers",
                (Class::Set, true) => "a Set of truth values",
                (Class::Queue, false) => "a Queue of integers",
                (Class::Queue, true) => "a Queue of truth values",
                (Class::Stack, false) => "a Stack of integers",
                (Class::Stack, true) => "a Stack of truth values",
                (Class::HashTable, false) => "a HashTable of integers",
                (Class::HashTable, true) => "a HashTable of truth values",
                (Class::Array, false) => "an Array of integers",
                (Class::Array, true) => "an Array of truth values",
            },
        }
    }
}

impl UnaryOp {
    /// As written.
    pub fn symbol(self) -> &'static str {
        match self {
            UnaryOp::Neg => "-",
            UnaryOp::Not => "!",
        }
    }
}

impl BinaryOp {
    /// As written.
    pub fn symbol(self) -> &'static str {
        match self {
            BinaryOp::Add => "+",
            BinaryOp::Sub => "-",
            BinaryOp::Mul => "*",
            BinaryOp::Div => "/",
            BinaryOp::Mod => "%",
            BinaryOp::BitAnd => "&",
            BinaryOp::BitOr => "|",
            BinaryOp::BitXor => "^",
            BinaryOp::Eq => "==",
            BinaryOp::Ne => "!=",
            BinaryOp::Lt => "<",
            BinaryOp::Gt => ">",
            BinaryOp::Le => "<=",
            BinaryOp::Ge => ">=",
            BinaryOp::And => "&&",
            BinaryOp::Or => "||",
            BinaryOp::Xor => "xor",
        }
    }

    /// The type of the result on operands of this type, if the operator takes them.
    pub fn result(self, operands: Type) -> Option<Type> {
        use BinaryOp::{
            Add, And, BitAnd, BitOr, BitXor, Div, Eq, Ge, Gt, Le, Lt, Mod, Mul, Ne, Or, Sub, Xor,
        };
        match (self, operands) {
            (Add | Sub | Mul | Div | Mod, Type::Int) => Some(Type::Int),
            (BitAnd | BitOr | BitXor, Type::Int | Type::Bool) => Some(operands),
            (Eq | Ne, _) | (Lt | Gt | Le | Ge, Type::Int) | (And | Or | Xor, Type::Bool) => Some(Type::Bool),
            _ => None,
        }
    }

    /// Whether the operator takes operands of these two types and finds them unequal, whatever they are: `==` and `!=` of
    /// an integer and a truth value.
    pub(crate) fn tells_apart(self, a: Type, b: Type) -> bool {
        let scalars = matches!((a, b), (Type::Int, Type::Bool) | (Type::Bool, Type::Int));
        matches!(self, BinaryOp::Eq | BinaryOp::Ne) && scalars
    }

    /// The operator on words whose type it takes; `None` is division by zero.
    #[inline]
    pub fn apply(self, a: i32, b: i32) -> Option<i32> {
        Some(match self {
            BinaryOp::Add => a.wrapping_add(b),
            BinaryOp::Sub => a.wrapping_sub(b),
            BinaryOp::Mul => a.wrapping_mul(b),
            BinaryOp::Div if b == 0 => return None,
            BinaryOp::Div => a.wrapping_div(b),
            BinaryOp::Mod if b == 0 => return None,
            BinaryOp::Mod => {
                let r = a.wrapping_rem(b);
                if r < 0 && b > 0 { r + b } else { r }
            }
            BinaryOp::BitAnd | BinaryOp::And => a & b,
            BinaryOp::BitOr | BinaryOp::Or => a | b,
            BinaryOp::BitXor | BinaryOp::Xor => a ^ b,
            BinaryOp::Eq => i32::from(a == b),
            BinaryOp::Ne => i32::from(a != b),
            BinaryOp::Lt => i32::from(a < b),
            BinaryOp::Gt => i32::from(a > b),
            BinaryOp::Le => i32::from(a <= b),
            BinaryOp::Ge => i32::from(a >= b),
        })
    }
}

/// A unary operator on a value, or what is wrong with it.
pub(crate) fn unary(op: UnaryOp, value: &Value) -> Result<Value, String> {
    match (op, value) {
        (UnaryOp::Neg, Value::Int(i)) => Ok(Value::Int(i.wrapping_neg())),
        (UnaryOp::Not, Value::Bool(b)) => Ok(Value::Bool(!b)),
        (UnaryOp::Neg, _) => Err(format!("`-` needs an integer, not {value}")),
        (UnaryOp::Not, _) => Err(format!("`!` needs a truth value, not {value}")),
    }
}

/// A binary operator on two values, or what is wrong with them.
pub(crate) fn binary(op: BinaryOp, a: &Value, b: &Value) -> Result<Value, String> {
    if let (BinaryOp::Eq | BinaryOp::Ne, Some(ta), Some(tb)) = (op, a.ty(), b.ty())
        && (matches!(ta, Type::Collection(_)) && ta == tb || op.tells_apart(ta, tb))
    {
        return Ok(Value::Bool((a == b) == (op == BinaryOp::Eq)));
    }
    if let (Some((ta, wa)), Some((tb, wb))) = (a.word(), b.word())
        && ta == tb
        && let Some(ty) = op.result(ta)
    {
        return match op.apply(wa, wb) {
            Some(word) => Ok(Value::of_word(ty, word)),
            None => Err("division by zero".to_owned()),
        };
    }
    Err(format!("`{}` does not take {a} and {b}", op.symbol()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn int(op: BinaryOp, a: i32, b: i32) -> Result<Value, String> {
        binary(op, &Value::Int(a), &Value::Int(b))
    }

    #[test]
    fn modulus_is_not_negative_for_a_positive_modulus() {
        assert_eq!(int(BinaryOp::Mod, -7, 3), Ok(Value::Int(2)));
        assert_eq!(int(BinaryOp::Mod, 7, -3), Ok(Value::Int(1)));
        assert_eq!(int(BinaryOp::Div, -7, 3), Ok(Value::Int(-2)));
        assert_eq!(int(BinaryOp::Div, i32::MIN, -1), Ok(Value::Int(i32::MIN)));
        assert_eq!(int(BinaryOp::Mod, i32::MIN, -1), Ok(Value::Int(0)));
    }

    #[test]
    fn integers_wrap() {
        assert_eq!(int(BinaryOp::Add, i32::MAX, 1), Ok(Value::Int(i32::MIN)));
        assert_eq!(
            unary(UnaryOp::Neg, &Value::Int(i32::MIN)),
            Ok(Value::Int(i32::MIN))
        );
    }

    #[test]
    fn what_does_not_fit_is_said() {
        assert_eq!(int(BinaryOp::Div, 1, 0), Err("division by zero".to_owned()));
        assert!(binary(BinaryOp::Add, &Value::Bool(true), &Value::Int(1)).is_err());
        assert!(binary(BinaryOp::And, &Value::Int(1), &Value::Int(1)).is_err());
        assert!(binary(BinaryOp::Lt, &Value::Int(1), &Value::Bool(true)).is_err());
        assert!(unary(UnaryOp::Not, &Value::Int(0)).is_err());
    }
}
