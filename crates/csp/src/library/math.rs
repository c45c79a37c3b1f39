//! Functions on integers: PAT's `PAT.Math`, called as `call(Max, x, y)`.

use crate::model::Value;

/// A function on integers.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Function {
    /// The absolute value.
    Abs,
    /// The larger.
    Max,
    /// The smaller.
    Min,
    /// The first to the power of the second.
    Pow,
    /// -1, 0 or 1.
    Sign,
    /// The square root, rounded down.
    Sqrt,
}

impl Function {
    /// All of them.
    pub const ALL: [Function; 6] = [
        Function::Abs,
        Function::Max,
        Function::Min,
        Function::Pow,
        Function::Sign,
        Function::Sqrt,
    ];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Function::Abs => "Abs",
            Function::Max => "Max",
            Function::Min => "Min",
            Function::Pow => "Pow",
            Function::Sign => "Sign",
            Function::Sqrt => "Sqrt",
        }
    }

    /// The function with this name. Models have it with a small letter, too.
    pub fn by_name(name: &str) -> Option<Function> {
        Function::ALL
            .into_iter()
            .find(|f| f.name() == name || f.name().to_ascii_lowercase() == name)
    }

    /// How many integers it takes.
    pub fn arity(self) -> usize {
        match self {
            Function::Abs | Function::Sign | Function::Sqrt => 1,
            Function::Max | Function::Min | Function::Pow => 2,
        }
    }

    /// Its value, or what is wrong with the arguments.
    pub(crate) fn apply(self, args: &[Value]) -> Result<Value, String> {
        let integer = |value: &Value| match value {
            Value::Int(i) => Ok(*i),
            other => Err(format!("`{}` takes integers, not {other}", self.name())),
        };
        let args: Vec<i32> = args.iter().map(integer).collect::<Result<_, _>>()?;
        Ok(Value::Int(match (self, args.as_slice()) {
            (Function::Abs, [x]) => x.wrapping_abs(),
            (Function::Sign, [x]) => x.signum(),
            (Function::Sqrt, [x]) if *x < 0 => return Err(format!("{x} has no square root")),
            (Function::Sqrt, [x]) => x.isqrt(),
            (Function::Max, [x, y]) => *x.max(y),
            (Function::Min, [x, y]) => *x.min(y),
            (Function::Pow, [x, y]) => power(*x, *y)?,
            _ => unreachable!("the number of arguments was checked"),
        }))
    }
}

/// `x` to the power of `y`, wrapping; what is left of a fraction is its part before the point.
fn power(x: i32, y: i32) -> Result<i32, String> {
    match (x, u32::try_from(y)) {
        (_, Ok(y)) => Ok(x.wrapping_pow(y)),
        (0, Err(_)) => Err("division by zero".to_owned()),
        (1, Err(_)) => Ok(1),
        (-1, Err(_)) => Ok(if y % 2 == 0 { 1 } else { -1 }),
        _ => Ok(0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn apply(name: &str, args: &[i32]) -> Result<Value, String> {
        let args: Vec<Value> = args.iter().map(|&i| Value::Int(i)).collect();
        Function::by_name(name).expect("it is built in").apply(&args)
    }

    #[test]
    fn functions_give_what_their_names_say() {
        for (name, args, value) in [
            ("Max", &[3, -5][..], 3),
            ("min", &[3, -5], -5),
            ("abs", &[-7], 7),
            ("Sign", &[-7], -1),
            ("Pow", &[3, 4], 81),
            ("Pow", &[2, -1], 0),
            ("Pow", &[-1, -3], -1),
            ("Pow", &[2, 32], 0),
            ("Sqrt", &[24], 4),
            ("sqrt", &[25], 5),
        ] {
            assert_eq!(apply(name, args), Ok(Value::Int(value)), "{name}{args:?}");
        }
        assert!(apply("Sqrt", &[-1]).is_err());
        assert!(apply("Pow", &[0, -1]).is_err());
        assert_eq!(Function::by_name("MAX"), None);
    }
}
