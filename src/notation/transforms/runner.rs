//! What the lines of one run share: the clip, the draws, the work that is counted, and the notes that a line selects.

use super::arithmetic::SAME_TIME;
use super::code::{Function, Op, Units, Variable};
use super::context::ClipContext;
use super::evaluate::evaluate;
use super::evaluation_error::EvaluationError;
use super::line_context::{LineContext, Subject};
use super::program::Line;
use super::scale_pitches::ScalePitches;
use super::working_note::WorkingNote;
use crate::music::{Beats, Random};
use crate::notation::error::NotationError;
use crate::notation::warnings::Warnings;

/// Operations that one text may take on one clip: half a second or so, since the Set waits for it. A hundred thousand
/// notes may have some fifty short lines. See D4 in `docs/decisions.md`.
pub(super) const MAX_WORK: usize = 25_000_000;

/// What it costs to ask whether a line touches a note.
pub(super) const SELECTION_WORK: usize = 2;
/// What it costs to put a note into its place in a list that is nearly sorted.
pub(super) const SORTING_WORK: usize = 6;

/// What the lines of one run share.
pub(super) struct LineRunner<'a> {
    pub units: Units,
    pub context: &'a ClipContext,
    pub scale: ScalePitches,
    pub clip_ramp: (f64, f64),
    pub random: &'a mut Random,
    pub stack: Vec<f64>,
    pub selected: Vec<usize>,
    work: usize,
    /// What messages call the text.
    pub name: &'static str,
    warnings: &'a mut Warnings,
}

impl<'a> LineRunner<'a> {
    /// For these notes, sorted.
    pub fn new(
        name: &'static str,
        notes: &[WorkingNote],
        context: &'a ClipContext,
        random: &'a mut Random,
        warnings: &'a mut Warnings,
    ) -> LineRunner<'a> {
        let units = Units::from_meter(context.meter);
        LineRunner {
            units,
            context,
            scale: ScalePitches::new(context.scale),
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
    pub fn spend_work(&mut self, times: usize, each: usize) -> Result<(), NotationError> {
        self.work = self.work.saturating_add(times.saturating_mul(each));
        if self.work > MAX_WORK { Err(NotationError::TooMuchWork) } else { Ok(()) }
    }

    /// A value that no note changes.
    pub fn evaluate_once(&mut self, code: &[Op]) -> Result<f64, EvaluationError> {
        self.evaluate_for(code, Subject::Nothing)
    }

    /// A value outside of an assignment: what looks at other selected notes finds none.
    pub fn evaluate_for(&mut self, code: &[Op], subject: Subject<'_>) -> Result<f64, EvaluationError> {
        let line = LineContext {
            units: self.units,
            context: self.context,
            scale: &self.scale,
            ramp: self.clip_ramp,
            starts: &[],
            chords: &[],
        };
        evaluate(code, &mut self.stack, &line, self.random, subject)
    }

    /// Fills `selected` with the places of the notes that a line touches, in order. Warns where there are none.
    pub fn select(&mut self, line: &Line, notes: &[WorkingNote]) -> Result<(), NotationError> {
        let selector = &line.statement.selector;
        let bounds = selector.times.map(|times| times.bounds(self.units));
        let units = self.units;
        let in_time = |start: Beats| {
            bounds.is_none_or(|(from, to, to_excluded)| {
                let start = units.to_musical(start);
                let below = if to_excluded { start < to - SAME_TIME } else { start <= to + SAME_TIME };
                start >= from - SAME_TIME && below
            })
        };
        let in_pitch = |pitch: u8| selector.pitches.is_none_or(|(low, high)| (low..=high).contains(&pitch));
        let mut selected = std::mem::take(&mut self.selected);
        selected.clear();
        let mut all_told = false;
        let touched = notes.iter().enumerate().filter(|(_, w)| in_pitch(w.note.pitch) && in_time(w.note.start));
        selected.extend(touched.map(|(index, _)| index));
        if let Some(condition) = &selector.condition {
            self.spend_work(selected.len(), condition.code.len())?;
            self.warn_idle_words(line, &condition.code);
            let mut failures: Vec<EvaluationError> = Vec::new();
            let context_of_line = LineContext {
                units,
                context: self.context,
                scale: &self.scale,
                ramp: bounds.map_or(self.clip_ramp, |(from, to, _)| (from, to)),
                starts: &[],
                chords: &[],
            };
            selected.retain(|index| {
                let subject = Subject::Note { notes, selected: std::slice::from_ref(index), index: 0 };
                match evaluate(&condition.code, &mut self.stack, &context_of_line, self.random, subject) {
                    Ok(truth) => truth != 0.0,
                    Err(failure) => {
                        if !failures.contains(&failure) {
                            failures.push(failure);
                        }
                        false
                    }
                }
            });
            all_told = !failures.is_empty();
            for failure in failures {
                self.warn(line, format_args!("{failure}; such notes are left out"));
            }
        }
        if selected.is_empty() && !all_told {
            self.warn(line, "no note matched");
        }
        self.selected = selected;
        Ok(())
    }

    /// Tells of what has no meaning for a session clip.
    pub fn warn_idle_words(&mut self, line: &Line, code: &[Op]) {
        let by_scale = |op: &Op| matches!(op, Op::Call { function: Function::Snap | Function::Step, .. });
        if self.context.scale.is_none() && code.iter().any(by_scale) {
            self.warn(line, "the Set's scale is off, so snap changes nothing and step goes by semitones");
        }
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
}

/// From the first note's start to the last one's end, in musical beats.
fn whole_range(notes: &[WorkingNote], units: Units) -> (f64, f64) {
    let from = notes.first().map_or(0.0, |working| working.note.start);
    let to = notes.last().map_or(0.0, |working| working.note.start + working.note.duration);
    (units.to_musical(from), units.to_musical(to))
}
