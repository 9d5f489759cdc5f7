//! Runs an expression for a note, for an audio clip, or for nothing in particular.

use super::arithmetic::{binary, truth};
use super::code::Op;
use super::evaluation_error::EvaluationError;
use super::line_context::{LineContext, Subject};
use crate::music::Random;

/// Runs an expression. `stack` is scratch room.
pub(super) fn evaluate(
    code: &[Op],
    stack: &mut Vec<f64>,
    line: &LineContext<'_>,
    random: &mut Random,
    subject: Subject<'_>,
) -> Result<f64, EvaluationError> {
    stack.clear();
    for op in code {
        let value = match *op {
            Op::Number(number) => number,
            Op::NoteValue(quarters) => line.units.to_musical(quarters),
            Op::Bars(bars) => bars * line.units.beats_per_bar,
            Op::Milliseconds(ms) => line.units.to_musical(ms * line.context.tempo_bpm / 60_000.0),
            Op::Pitch(pitch) => f64::from(pitch),
            Op::Variable(variable) => line.variable(variable, subject)?,
            Op::Not => truth(stack.pop() == Some(0.0)),
            Op::Binary(operator) => {
                let right = stack.pop().unwrap_or(0.0);
                binary(operator, stack.pop().unwrap_or(0.0), right)
            }
            Op::Call { function, arguments, keyword } => {
                let from = stack.len().saturating_sub(arguments as usize);
                let value = line.call(function, stack.get(from..).unwrap_or(&[]), keyword, random, subject)?;
                stack.truncate(from);
                value
            }
        };
        // At once, since a limit, a comparison or a division would make something of it.
        if !value.is_finite() {
            return Err(EvaluationError::NotFinite);
        }
        stack.push(value);
    }
    stack.pop().ok_or(EvaluationError::NotFinite)
}
