//! Numbers: what operators make of them, and how messages show them.

use super::code::BinaryOperator;
use crate::music::text::decimal_text;

/// Two musical times closer than this are the same.
pub(super) const SAME_TIME: f64 = 1e-9;

#[inline]
pub(super) fn truth(value: bool) -> f64 {
    f64::from(u8::from(value))
}

#[inline]
pub(super) fn binary(operator: BinaryOperator, a: f64, b: f64) -> f64 {
    match operator {
        BinaryOperator::Or => truth(a != 0.0 || b != 0.0),
        BinaryOperator::And => truth(a != 0.0 && b != 0.0),
        BinaryOperator::AtLeast => truth(a >= b - SAME_TIME),
        BinaryOperator::AtMost => truth(a <= b + SAME_TIME),
        BinaryOperator::Equal => truth((a - b).abs() <= SAME_TIME),
        BinaryOperator::Unequal => truth((a - b).abs() > SAME_TIME),
        BinaryOperator::Above => truth(a > b + SAME_TIME),
        BinaryOperator::Below => truth(a < b - SAME_TIME),
        BinaryOperator::Plus => a + b,
        BinaryOperator::Minus => a - b,
        BinaryOperator::Times => a * b,
        BinaryOperator::Divided => divide(a, b),
        BinaryOperator::Modulo => {
            if b == 0.0 {
                0.0
            } else {
                ((a % b) + b) % b
            }
        }
    }
}

/// Division by nothing gives 0.
#[inline]
pub(super) fn divide(a: f64, b: f64) -> f64 {
    if b == 0.0 { 0.0 } else { a / b }
}

/// A number as messages show it.
pub(super) fn number_text(value: f64) -> String {
    if value.abs() < 1e9 { decimal_text(value, 4) } else { format!("{value:e}") }
}
