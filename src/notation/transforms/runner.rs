//! One line carried out on notes: which of them it is for, what it works out, what it writes.

use super::code::{Function, Op, Units, Variable};
use super::evaluate::{Failure, Line as Ground, SAME_TIME, ScalePitches, Subject, divided, evaluate, half_up};
use super::run::{Working, sort};
use super::statement::{Assign, Body, Parameter};
use super::{ClipContext, Line, operations};
use crate::music::text::LARGEST_NUMBER;
use crate::music::{Beats, Note, Random, on_grid};
use crate::notation::{MAX_NOTES, NotationErrors, Warnings};

/// Operations that one text may take on one clip: half a second or so, since the Set waits for it. A hundred thousand notes
/// may have some fifty short lines.
pub(super) const MOST_WORK: usize = 25_000_000;

/// What it costs to ask whether a line touches a note.
pub(super) const LOOKING_WORK: usize = 2;
/// What it costs to put a note into its place in a list that is nearly sorted.
const SORTING_WORK: usize = 6;

/// What the lines of one run share.
pub(super) struct Runner<'a> {
    pub units: Units,
    pub context: &'a ClipContext,
    scale: ScalePitches,
    clip_ramp: (f64, f64),
    random: &'a mut Random,
    stack: Vec<f64>,
    pub selected: Vec<usize>,
    work: usize,
    /// What reports call the text.
    name: &'static str,
    warnings: &'a mut Warnings,
}

impl<'a> Runner<'a> {
    /// For these notes, sorted.
    pub fn new(
        name: &'static str,
        notes: &[Working],
        context: &'a ClipContext,
        random: &'a mut Random,
        warnings: &'a mut Warnings,
    ) -> Runner<'a> {
        let units = Units::of(context.meter);
        Runner {
            units,
            context,
            scale: ScalePitches::of(context.scale),
            clip_ramp: whole_range(notes, units),
            random,
            stack: Vec::new(),
            selected: Vec::new(),
            work: 0,
            name,
            warnings,
        }
    }

    pub fn warn(&mut self, line: &Line, text: impl std::fmt::Display) {
        self.warnings.add(|| format!("{} line {}: {text}", self.name, line.number));
    }

    /// Counts work before it is done.
    fn spend(&mut self, times: usize, each: usize) -> Result<(), NotationErrors> {
        self.work = self.work.saturating_add(times.saturating_mul(each));
        if self.work > MOST_WORK { Err(NotationErrors::TooMuchWork) } else { Ok(()) }
    }

    /// A value that no note changes.
    pub fn fixed(&mut self, code: &[Op]) -> Result<f64, Failure> {
        let line =
            Ground { units: self.units, context: self.context, scale: &self.scale, ramp: self.clip_ramp, starts: &[] };
        evaluate(code, &mut self.stack, &line, self.random, Subject::Nothing)
    }

    /// Carries out one line.
    pub fn line(&mut self, line: &Line, notes: &mut Vec<Working>) -> Result<(), NotationErrors> {
        self.spend(notes.len(), LOOKING_WORK)?;
        self.select(line, notes)?;
        match &line.statement.body {
            Body::Assign { parameter, assign, value } => {
                let sorts = value.code.iter().any(|op| matches!(op, Op::Call { function: Function::Legato, .. }));
                let each = value.code.len() + 1 + if sorts { SORTING_WORK } else { 0 };
                self.spend(self.selected.len(), each)?;
                self.assign(line, *parameter, *assign, &value.code, notes);
            }
            Body::VelocityRange { velocity, deviation } => {
                for index in &self.selected {
                    if let Some(working) = notes.get_mut(*index) {
                        working.note.velocity = *velocity;
                        working.note.velocity_deviation = *deviation;
                    }
                }
            }
            _ => {
                operations::carry_out(self, line, notes)?;
                if notes.len() > MAX_NOTES {
                    return Err(NotationErrors::TooManyTransformed);
                }
                self.spend(notes.len(), SORTING_WORK)?;
                sort(notes);
            }
        }
        Ok(())
    }

    /// Fills `selected` with the places of the notes that a line touches, in order.
    fn select(&mut self, line: &Line, notes: &[Working]) -> Result<(), NotationErrors> {
        let selector = &line.statement.selector;
        let bounds = selector.times.map(|times| times.bounds(self.units));
        let units = self.units;
        let in_time = |start: Beats| {
            bounds.is_none_or(|(from, to, to_excluded)| {
                let start = units.musical(start);
                let below = if to_excluded { start < to - SAME_TIME } else { start <= to + SAME_TIME };
                start >= from - SAME_TIME && below
            })
        };
        let in_pitch = |pitch: u8| selector.pitches.is_none_or(|(low, high)| (low..=high).contains(&pitch));
        let mut selected = std::mem::take(&mut self.selected);
        selected.clear();
        let touched = notes.iter().enumerate().filter(|(_, w)| in_pitch(w.note.pitch) && in_time(w.note.start));
        selected.extend(touched.map(|(index, _)| index));
        if let Some(condition) = &selector.condition {
            self.spend(selected.len(), condition.code.len())?;
            self.note_session_use(line, &condition.code);
            let mut failures: Vec<Failure> = Vec::new();
            let ground = Ground {
                units,
                context: self.context,
                scale: &self.scale,
                ramp: bounds.map_or(self.clip_ramp, |(from, to, _)| (from, to)),
                starts: &[],
            };
            selected.retain(|index| {
                let subject = Subject::Note { notes, selected: std::slice::from_ref(index), index: 0 };
                match evaluate(&condition.code, &mut self.stack, &ground, self.random, subject) {
                    Ok(truth) => truth != 0.0,
                    Err(failure) => {
                        if !failures.contains(&failure) {
                            failures.push(failure);
                        }
                        false
                    }
                }
            });
            for failure in failures {
                self.warn(line, format_args!("{failure}; such notes are left out"));
            }
        }
        self.selected = selected;
        Ok(())
    }

    /// Tells of what has no meaning for a session clip.
    fn note_session_use(&mut self, line: &Line, code: &[Op]) {
        if self.context.arrangement_position.is_some() {
            return;
        }
        let syncs = |op: &Op| matches!(op, Op::Call { function, keyword: true, .. } if function.is_wave());
        if code.iter().any(syncs) {
            self.warn(line, "sync has no effect on a session clip");
        }
        if code.contains(&Op::Variable(Variable::ClipPosition)) {
            self.warn(line, "clip.position is 0 for a session clip");
        }
    }

    fn assign(&mut self, line: &Line, parameter: Parameter, assign: Assign, code: &[Op], notes: &mut [Working]) {
        self.note_session_use(line, code);
        let calls = |wanted: &[Function]| {
            code.iter().any(|op| matches!(op, Op::Call { function, .. } if wanted.contains(function)))
        };
        let selected = std::mem::take(&mut self.selected);
        let start = |index: &usize| notes.get(*index).map(|working| self.units.musical(working.note.start));
        let mut starts: Vec<f64> = Vec::new();
        if calls(&[Function::Legato]) {
            starts.extend(selected.iter().filter_map(start));
            starts.sort_by(f64::total_cmp);
        }
        let bounds = line.statement.selector.times.map(|times| times.bounds(self.units));
        if let Some((_, to, _)) = bounds
            && calls(&[Function::Ramp, Function::Curve])
            && let Some(last) = selected.last().and_then(start)
        {
            let all: Vec<f64> = selected.iter().filter_map(start).collect();
            let gaps = all.windows(2).filter_map(|pair| Some(pair.get(1)? - pair.first()?));
            let smallest = gaps.filter(|gap| *gap > SAME_TIME).fold(f64::INFINITY, f64::min);
            if to - last > smallest + SAME_TIME {
                self.warn(
                    line,
                    "the last selected note comes well before the end of the range, so the ramp stops short",
                );
            }
        }
        let ground = Ground {
            units: self.units,
            context: self.context,
            scale: &self.scale,
            ramp: bounds.map_or(self.clip_ramp, |(from, to, _)| (from, to)),
            starts: &starts,
        };
        let mut failures: Vec<Failure> = Vec::new();
        for (index, place) in selected.iter().enumerate() {
            let subject = Subject::Note { notes, selected: &selected, index };
            let result = evaluate(code, &mut self.stack, &ground, self.random, subject);
            let Some(working) = notes.get_mut(*place) else { continue };
            let written = result.and_then(|value| write(&mut working.note, parameter, assign, value, ground.units));
            if let Err(failure) = written
                && !failures.contains(&failure)
            {
                failures.push(failure);
            }
        }
        for failure in failures {
            self.warn(line, failure);
        }
        self.selected = selected;
    }
}

/// What an assignment makes of the value that was there.
pub(super) fn assigned(before: f64, assign: Assign, value: f64) -> f64 {
    match assign {
        Assign::Set => value,
        Assign::Add => before + value,
        Assign::Subtract => before - value,
        Assign::Multiply => before * value,
        Assign::Divide => divided(before, value),
    }
}

fn write(note: &mut Note, parameter: Parameter, assign: Assign, value: f64, units: Units) -> Result<(), Failure> {
    let result =
        |before: f64| Some(assigned(before, assign, value)).filter(|v| v.is_finite()).ok_or(Failure::NotFinite);
    let time = |before: Beats| {
        let beats = on_grid(units.quarters(result(units.musical(before))?));
        Some(beats).filter(|beats| beats.abs() <= LARGEST_NUMBER).ok_or(Failure::TooFar)
    };
    match parameter {
        Parameter::Velocity => note.velocity = result(note.velocity)?.min(127.0),
        Parameter::Pitch => note.pitch = half_up(result(f64::from(note.pitch))?).clamp(0.0, 127.0) as u8,
        Parameter::Timing => note.start = time(note.start)?,
        Parameter::Duration => note.duration = time(note.duration)?,
        Parameter::Probability => note.probability = result(note.probability)?.clamp(0.0, 1.0),
        Parameter::Deviation => note.velocity_deviation = result(note.velocity_deviation)?.clamp(-127.0, 127.0),
        Parameter::Gain | Parameter::PitchShift => {}
    }
    Ok(())
}

/// From the first note's start to the last one's end, in musical beats.
fn whole_range(notes: &[Working], units: Units) -> (f64, f64) {
    let from = notes.first().map_or(0.0, |working| working.note.start);
    let to = notes.last().map_or(0.0, |working| working.note.start + working.note.duration);
    (units.musical(from), units.musical(to))
}
