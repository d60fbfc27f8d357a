//! The model as text.

use crate::Number;
use std::fmt;

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Number::Whole(number) => write!(f, "{number}"),
            // Without a point it would be read as a whole number.
            Number::Decimal(number) if number.fract() == 0.0 => write!(f, "{number}.0"),
            Number::Decimal(number) => write!(f, "{number}"),
        }
    }
}
