//! What is wrong with a written length.

use crate::music::text::has_zero_denominator;
use crate::notation::barbeat::problem::Problem;

/// What is wrong with a length, where it is clear.
pub(super) fn duration_problem(text: &str) -> Option<Problem> {
    if has_zero_denominator(text) {
        return Some(Problem::ZeroDenominator);
    }
    let mixed = text.split(['+', '-']).any(|part| part.contains('/') && part.contains("bar"));
    mixed.then_some(Problem::MixedDuration)
}
