//! `parameter = value` and its like, carried out on the notes that a line selects.

use super::arithmetic::{SAME_TIME, divide};
use super::code::{Function, Op, Units, Variable};
use super::evaluate::evaluate;
use super::evaluation_error::EvaluationError;
use super::line_context::{LineContext, Subject, chord_places};
use super::program::Line;
use super::runner::LineRunner;
use super::statement::{Assign, Parameter};
use super::working_note::WorkingNote;
use crate::music::round_half_up;
use crate::music::text::{LARGEST_NUMBER, counted};
use crate::music::{Beats, Note, time_without_noise};
use crate::notation::error::NotationError;
use std::collections::BTreeSet;

/// Gives the parameter of each selected note its new value; one that has none keeps what it has. Values beyond the
/// parameter's range are brought into it and counted; a line that would put notes of different pitches onto one end of
/// the range is refused.
pub(super) fn carry_out(
    runner: &mut LineRunner<'_>,
    line: &Line,
    parameter: Parameter,
    assign: Assign,
    code: &[Op],
    notes: &mut [WorkingNote],
) -> Result<(), NotationError> {
    runner.warn_idle_words(line, code);
    let calls = |wanted: &[Function]| {
        code.iter().any(|op| matches!(op, Op::Call { function, .. } if wanted.contains(function)))
    };
    let selected = std::mem::take(&mut runner.selected);
    let start = |index: &usize| notes.get(*index).map(|working| runner.units.to_musical(working.note.start));
    let mut starts: Vec<f64> = Vec::new();
    if calls(&[Function::Legato]) {
        starts.extend(selected.iter().filter_map(start));
        starts.sort_by(f64::total_cmp);
    }
    let asks_for_chords = code.iter().any(|op| matches!(op, Op::Variable(Variable::ChordIndex | Variable::ChordCount)));
    let chords = if asks_for_chords { chord_places(notes, &selected) } else { Vec::new() };
    let bounds = line.statement.selector.times.map(|times| times.bounds(runner.units));
    if let Some((_, to, _)) = bounds
        && calls(&[Function::Ramp, Function::Curve])
        && let Some(last) = selected.last().and_then(start)
    {
        let all: Vec<f64> = selected.iter().filter_map(start).collect();
        let gaps = all.windows(2).filter_map(|pair| Some(pair.get(1)? - pair.first()?));
        let smallest = gaps.filter(|gap| *gap > SAME_TIME).fold(f64::INFINITY, f64::min);
        if to - last > smallest + SAME_TIME {
            runner.warn(line, "the last selected note comes well before the end of the range, so the ramp stops short");
        }
    }
    let context_of_line = LineContext {
        units: runner.units,
        context: runner.context,
        scale: &runner.scale,
        ramp: bounds.map_or(runner.clip_ramp, |(from, to, _)| (from, to)),
        starts: &starts,
        chords: &chords,
    };
    let mut failures: Vec<EvaluationError> = Vec::new();
    let mut into_range = BroughtIntoRange::default();
    for (index, place) in selected.iter().enumerate() {
        let subject = Subject::Note { notes, selected: &selected, index };
        let result = evaluate(code, &mut runner.stack, &context_of_line, runner.random, subject);
        let Some(working) = notes.get_mut(*place) else { continue };
        let before = working.note.pitch;
        let written =
            result.and_then(|value| write(&mut working.note, parameter, assign, value, context_of_line.units));
        match written {
            Ok(outside) => {
                into_range.count += usize::from(outside.is_some());
                if parameter == Parameter::Pitch {
                    into_range.add_pitch(before, working.note.pitch, outside);
                }
            }
            Err(failure) if !failures.contains(&failure) => failures.push(failure),
            Err(_) => {}
        }
    }
    for failure in failures {
        runner.warn(line, failure);
    }
    runner.selected = selected;
    if let Some((end, pitches)) = into_range.folded() {
        return Err(NotationError::FoldsPitches { line: line.number, pitches, end });
    }
    warn_brought_into_range(runner, line, parameter, into_range.count);
    Ok(())
}

/// Warns of the notes whose parameter was brought into its range, if there are any.
pub(super) fn warn_brought_into_range(runner: &mut LineRunner<'_>, line: &Line, parameter: Parameter, notes: usize) {
    if notes > 0
        && let Some((what, range)) = range_of(parameter)
    {
        let of = counted(notes, "note");
        runner.warn(line, format_args!("{what} of {of} brought into the range {range}"));
    }
}

/// What a line brought into its parameter's range.
#[derive(Default)]
struct BroughtIntoRange {
    count: usize,
    low: PitchesAtEnd,
    high: PitchesAtEnd,
}

/// The notes that a line put onto one end of the range: their pitches before, and whether one was to go farther.
#[derive(Default)]
struct PitchesAtEnd {
    before: BTreeSet<u8>,
    any_outside: bool,
}

impl BroughtIntoRange {
    fn add_pitch(&mut self, before: u8, after: u8, outside: Option<f64>) {
        let end = match after {
            0 => &mut self.low,
            127 => &mut self.high,
            _ => return,
        };
        end.before.insert(before);
        end.any_outside |= outside.is_some();
    }

    /// The end of the range that several pitches would be folded onto, and how many. A line that puts notes onto a
    /// pitch of the range, its ends included, folds nothing: it says so itself.
    fn folded(&self) -> Option<(&'static str, usize)> {
        [("C-2", &self.low), ("G8", &self.high)]
            .into_iter()
            .find(|(_, end)| end.any_outside && end.before.len() > 1)
            .map(|(name, end)| (name, end.before.len()))
    }
}

/// How messages call a parameter that has a range, and the range.
fn range_of(parameter: Parameter) -> Option<(&'static str, &'static str)> {
    Some(match parameter {
        Parameter::Velocity => ("the velocity", "1 to 127"),
        Parameter::Pitch => ("the pitch", "C-2 to G8 (0 to 127)"),
        Parameter::Probability => ("the probability", "0 to 1"),
        Parameter::Deviation => ("the deviation", "-127 to 127"),
        Parameter::Timing | Parameter::Duration | Parameter::Gain | Parameter::PitchShift => return None,
    })
}

/// What an assignment makes of the value that was there.
pub(super) fn assigned_value(before: f64, assign: Assign, value: f64) -> f64 {
    match assign {
        Assign::Set => value,
        Assign::Add => before + value,
        Assign::Subtract => before - value,
        Assign::Multiply => before * value,
        Assign::Divide => divide(before, value),
    }
}

/// The value, if it had to be brought into the parameter's range. Velocities of 0 and less delete their note later.
fn write(
    note: &mut Note,
    parameter: Parameter,
    assign: Assign,
    value: f64,
    units: Units,
) -> Result<Option<f64>, EvaluationError> {
    let result = |before: f64| {
        Some(assigned_value(before, assign, value)).filter(|v| v.is_finite()).ok_or(EvaluationError::NotFinite)
    };
    let time = |before: Beats| {
        let beats = time_without_noise(units.to_quarters(result(units.to_musical(before))?));
        Some(beats).filter(|beats| beats.abs() <= LARGEST_NUMBER).ok_or(EvaluationError::TooFar)
    };
    match parameter {
        Parameter::Velocity => {
            let value = result(note.velocity)?;
            return Ok(put(&mut note.velocity, value, f64::NEG_INFINITY, 127.0));
        }
        Parameter::Pitch => {
            let mut pitch = f64::from(note.pitch);
            let wanted = round_half_up(result(pitch)?);
            let outside = put(&mut pitch, wanted, 0.0, 127.0);
            note.pitch = pitch as u8;
            return Ok(outside);
        }
        Parameter::Timing => note.start = time(note.start)?,
        Parameter::Duration => note.duration = time(note.duration)?,
        Parameter::Probability => {
            let value = result(note.probability)?;
            return Ok(put(&mut note.probability, value, 0.0, 1.0));
        }
        Parameter::Deviation => {
            let value = result(note.velocity_deviation)?;
            return Ok(put(&mut note.velocity_deviation, value, -127.0, 127.0));
        }
        Parameter::Gain | Parameter::PitchShift => {}
    }
    Ok(None)
}

/// Puts the value there, brought into the range; gives it as it was if that changed it.
fn put(place: &mut f64, value: f64, low: f64, high: f64) -> Option<f64> {
    *place = value.clamp(low, high);
    (*place != value).then_some(value)
}
