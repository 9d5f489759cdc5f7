//! The functions that expressions call.

use super::arithmetic::SAME_TIME;
use super::code::Function;
use super::evaluation_error::{EvaluationError, Name};
use super::line_context::{LineContext, Subject, no_note, selected_note};
use crate::music::Random;
use crate::music::round_half_up;
use std::f64::consts::TAU;

impl LineContext<'_> {
    /// Where the note starts, in musical beats; an audio clip is at 0.
    fn position(&self, function: Function, subject: Subject<'_>) -> Result<f64, EvaluationError> {
        match subject {
            Subject::Nothing => Err(no_note(Name::Function(function), subject)),
            Subject::Audio { .. } => Ok(0.0),
            Subject::Note { .. } => {
                Ok(selected_note(subject, 0).map_or(0.0, |working| self.units.to_musical(working.note.start)))
            }
        }
    }

    /// Where the note starts; an audio clip has nothing that could be moved.
    fn note_position(&self, function: Function, subject: Subject<'_>) -> Result<f64, EvaluationError> {
        match subject {
            Subject::Audio { .. } => Err(no_note(Name::Function(function), subject)),
            _ => self.position(function, subject),
        }
    }

    /// The position that a wave starts from.
    fn wave_position(&self, wave: Function, sync: bool, subject: Subject<'_>) -> Result<f64, EvaluationError> {
        let position = self.position(wave, subject)?;
        let Some(arranged) = self.context.arrangement_position.filter(|_| sync) else { return Ok(position) };
        let marker = if matches!(subject, Subject::Audio { .. }) { 0.0 } else { self.context.start_marker };
        Ok(position + self.units.to_musical(arranged - marker))
    }

    #[inline]
    pub fn call(
        &self,
        function: Function,
        arguments: &[f64],
        keyword: bool,
        random: &mut Random,
        subject: Subject<'_>,
    ) -> Result<f64, EvaluationError> {
        let argument = |index: usize| arguments.get(index).copied();
        let at = |index: usize| argument(index).unwrap_or(0.0);
        let turn = |count: usize| at(count % arguments.len().max(1));
        Ok(match function {
            Function::Cos | Function::Sin | Function::Tri | Function::Saw | Function::Square => {
                let position = self.wave_position(function, keyword, subject)?;
                let cycles = if at(0) == 0.0 { 0.0 } else { (position / at(0)) % 1.0 };
                let phase = Some(cycles + at(1)).filter(|phase| phase.is_finite()).ok_or(EvaluationError::NotFinite)?;
                wave(function, phase, argument(2).unwrap_or(0.5))
            }
            Function::Ramp => at(0) + (at(1) - at(0)) * self.ramp_progress(function, subject)?,
            Function::Curve => {
                if at(2) <= 0.0 {
                    return Err(EvaluationError::Exponent);
                }
                at(0) + (at(1) - at(0)) * self.ramp_progress(function, subject)?.powf(at(2))
            }
            Function::Rand => {
                let (from, to) = match arguments {
                    [] => (-1.0, 1.0),
                    [to] => (0.0, *to),
                    [from, to, ..] => (*from, *to),
                };
                from + (to - from) * random.unit()
            }
            Function::Choose => at(random.below(arguments.len())),
            Function::Seq => match subject {
                Subject::Note { index, .. } => turn(index),
                Subject::Audio { .. } => turn(self.context.index),
                Subject::Nothing => return Err(no_note(Name::Function(function), subject)),
            },
            Function::ClipSeq => turn(self.context.index),
            Function::Round => round_half_up(at(0)),
            Function::Floor => at(0).floor(),
            Function::Ceil => at(0).ceil(),
            Function::Abs => at(0).abs(),
            Function::Clamp => at(0).max(at(1).min(at(2))).min(at(1).max(at(2))),
            Function::Min => arguments.iter().copied().fold(f64::INFINITY, f64::min),
            Function::Max => arguments.iter().copied().fold(f64::NEG_INFINITY, f64::max),
            Function::Pow => at(0).powf(at(1)),
            Function::Wrap => {
                let (low, high) = (at(1).min(at(2)), at(1).max(at(2)));
                if low == high { low } else { low + (at(0) - low).rem_euclid(high - low + 1.0) }
            }
            Function::Reflect => {
                let (low, high) = (at(1).min(at(2)), at(1).max(at(2)));
                if low == high {
                    return Ok(low);
                }
                let along = (at(0) - low).rem_euclid(2.0 * (high - low));
                low + along.min(2.0 * (high - low) - along)
            }
            Function::Snap => self.scale.snap(at(0)),
            Function::Step => self.scale.step(at(0), at(1)),
            Function::Quant => {
                let position = self.note_position(function, subject)?;
                if at(0) <= 0.0 {
                    return Err(EvaluationError::Grid("quant"));
                }
                round_half_up(position / at(0)) * at(0)
            }
            Function::Swing => {
                swing(self.note_position(function, subject)?, at(0), argument(1).unwrap_or(0.5), keyword)?
            }
            Function::Legato => {
                let start = self.note_position(function, subject)?;
                let later = self.starts.partition_point(|other| *other <= start + at(0).max(0.0) + SAME_TIME);
                let end = self.starts.get(later).copied().or(self.context.end.map(|end| self.units.to_musical(end)));
                end.map(|end| end - start).filter(|length| *length > 0.0).ok_or(EvaluationError::NoClipEnd)?
            }
        })
    }

    /// How far through the ramp's range, not above 1.
    fn ramp_progress(&self, function: Function, subject: Subject<'_>) -> Result<f64, EvaluationError> {
        let position = self.position(function, subject)?;
        let (from, to) = self.ramp;
        Ok(if to <= from { 0.0 } else { ((position - from) / (to - from)).min(1.0) })
    }
}

fn wave(function: Function, phase: f64, pulse_width: f64) -> f64 {
    let wrapped = phase.rem_euclid(1.0);
    match function {
        Function::Cos => at_quarter(wrapped + 0.25).unwrap_or_else(|| (phase * TAU).cos()),
        Function::Sin => at_quarter(wrapped).unwrap_or_else(|| (phase * TAU).sin()),
        Function::Tri if wrapped < 0.25 => 4.0 * wrapped,
        Function::Tri if wrapped < 0.75 => 2.0 - 4.0 * wrapped,
        Function::Tri => 4.0 * wrapped - 4.0,
        Function::Saw if wrapped < 0.5 => 2.0 * wrapped,
        Function::Saw => 2.0 * wrapped - 2.0,
        _ if wrapped < pulse_width => 1.0,
        _ => -1.0,
    }
}

/// A sine at the quarters of its period, where the computed one is not exactly 0 or 1: a velocity of 0 must come to 0.
fn at_quarter(phase: f64) -> Option<f64> {
    let quarters = phase * 4.0;
    let nearest = quarters.round();
    let exact = match nearest.rem_euclid(4.0) as u8 {
        1 => 1.0,
        3 => -1.0,
        _ => 0.0,
    };
    ((quarters - nearest).abs() < SAME_TIME).then_some(exact)
}

/// The position with every second step of the grid moved by `amount`; first put on quarters of the grid unless `raw`.
fn swing(position: f64, amount: f64, grid: f64, raw: bool) -> Result<f64, EvaluationError> {
    if grid <= 0.0 {
        return Err(EvaluationError::Grid("swing"));
    }
    if amount.abs() >= grid {
        return Err(EvaluationError::SwingAmount);
    }
    let position = if raw { position } else { round_half_up(position * 4.0 / grid) * grid / 4.0 };
    // In grid steps, slightly late rather than early, so that float noise does not make an offbeat of an onbeat.
    let steps = (position / grid + SAME_TIME).rem_euclid(2.0);
    Ok(if steps >= 1.0 { position + amount } else { position })
}
