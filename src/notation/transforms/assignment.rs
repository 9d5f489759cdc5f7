//! `parameter = value` and its like, carried out on the notes that a line selects.

use super::arithmetic::{SAME_TIME, divide};
use super::code::{Function, Op, Units};
use super::evaluate::evaluate;
use super::evaluation_error::EvaluationError;
use super::line_context::{LineContext, Subject};
use super::program::Line;
use super::runner::LineRunner;
use super::statement::{Assign, Parameter};
use super::working_note::WorkingNote;
use crate::music::round_half_up;
use crate::music::text::LARGEST_NUMBER;
use crate::music::{Beats, Note, time_without_noise};

/// Gives the parameter of each selected note its new value; one that has none keeps what it has.
pub(super) fn carry_out(
    runner: &mut LineRunner<'_>,
    line: &Line,
    parameter: Parameter,
    assign: Assign,
    code: &[Op],
    notes: &mut [WorkingNote],
) {
    runner.warn_session_use(line, code);
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
    };
    let mut failures: Vec<EvaluationError> = Vec::new();
    for (index, place) in selected.iter().enumerate() {
        let subject = Subject::Note { notes, selected: &selected, index };
        let result = evaluate(code, &mut runner.stack, &context_of_line, runner.random, subject);
        let Some(working) = notes.get_mut(*place) else { continue };
        let written =
            result.and_then(|value| write(&mut working.note, parameter, assign, value, context_of_line.units));
        if let Err(failure) = written
            && !failures.contains(&failure)
        {
            failures.push(failure);
        }
    }
    for failure in failures {
        runner.warn(line, failure);
    }
    runner.selected = selected;
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

fn write(
    note: &mut Note,
    parameter: Parameter,
    assign: Assign,
    value: f64,
    units: Units,
) -> Result<(), EvaluationError> {
    let result = |before: f64| {
        Some(assigned_value(before, assign, value)).filter(|v| v.is_finite()).ok_or(EvaluationError::NotFinite)
    };
    let time = |before: Beats| {
        let beats = time_without_noise(units.to_quarters(result(units.to_musical(before))?));
        Some(beats).filter(|beats| beats.abs() <= LARGEST_NUMBER).ok_or(EvaluationError::TooFar)
    };
    match parameter {
        Parameter::Velocity => note.velocity = result(note.velocity)?.min(127.0),
        Parameter::Pitch => note.pitch = round_half_up(result(f64::from(note.pitch))?).clamp(0.0, 127.0) as u8,
        Parameter::Timing => note.start = time(note.start)?,
        Parameter::Duration => note.duration = time(note.duration)?,
        Parameter::Probability => note.probability = result(note.probability)?.clamp(0.0, 1.0),
        Parameter::Deviation => note.velocity_deviation = result(note.velocity_deviation)?.clamp(-127.0, 127.0),
        Parameter::Gain | Parameter::PitchShift => {}
    }
    Ok(())
}
