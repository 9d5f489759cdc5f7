//! The notes of one clip under the lines of a call, one after the other; each sees all that the ones before it did.

use super::assignment;
use super::code::{Function, Op};
use super::context::ClipContext;
use super::operations;
use super::program::{Line, Program};
use super::runner::{LineRunner, MAX_WORK, SELECTION_WORK, SORTING_WORK};
use super::statement::{Body, Parameter};
use super::working_note::{WorkingNote, order, sort};
use crate::music::{Note, Random};
use crate::notation::duplicates;
use crate::notation::error::NotationError;
use crate::notation::limits::MAX_NOTES;
use crate::notation::warnings::Warnings;

/// The notes of one clip while a call changes them: `preTransforms`, then written notes, then `transforms`.
#[derive(Debug, Default)]
pub struct TransformRun {
    notes: Vec<WorkingNote>,
    /// Each note as it was before the first run, or as the call wrote it.
    originals: Vec<Note>,
    /// Which of the originals the clip held, and no written text took away.
    kept: Vec<bool>,
    /// Notes of the clip that are not among them.
    untouched: UntouchedNotes,
    warnings: Warnings,
    line_counts: Vec<LineCounts>,
    any_line_ran: bool,
    ran: bool,
}

/// How many notes each line of a text matched.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LineCounts {
    /// The argument that the text came in.
    pub name: &'static str,
    /// In the order of the lines; lines for audio clips are left out.
    pub matched: Vec<usize>,
}

/// A clip's notes that lines do not see.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct UntouchedNotes {
    pub muted: usize,
}

/// What came of a clip's notes.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TransformedNotes {
    /// Sorted by start, then pitch; one note in a slot.
    pub notes: Vec<Note>,
    /// In the order of the lines.
    pub warnings: Vec<String>,
    /// Notes that transforms changed or made, and that are still there.
    pub transformed: usize,
    /// Notes the clip held that transforms removed or merged away.
    pub deleted: usize,
    /// Notes dropped because a later one has their pitch and start.
    pub duplicates: usize,
    /// Of each text that ran.
    pub line_counts: Vec<LineCounts>,
    /// There were lines, and all of them are for audio clips.
    pub all_ignored: bool,
}

impl TransformRun {
    /// Starts with the clip's notes (without its muted ones).
    pub fn new(notes: Vec<Note>) -> TransformRun {
        let working = |(origin, note): (usize, &Note)| WorkingNote { note: *note, origin, made: false };
        TransformRun {
            notes: notes.iter().enumerate().map(working).collect(),
            kept: vec![true; notes.len()],
            originals: notes,
            ..TransformRun::default()
        }
    }

    /// With what there is of the clip's notes beside these.
    pub fn with_untouched(self, untouched: UntouchedNotes) -> TransformRun {
        TransformRun { untouched, ..self }
    }

    /// The notes as they are now.
    pub fn notes(&self) -> Vec<Note> {
        self.notes.iter().map(|working| working.note).collect()
    }

    /// Takes the clip's whole new list, sorted, after a text of notes was read over [`TransformRun::notes`]. Notes that
    /// are in it unchanged keep their history; the others are new, and those that are missing were taken away by the
    /// text, not by transforms.
    pub fn rewrite(&mut self, notes: Vec<Note>) {
        let mut old = std::mem::take(&mut self.notes);
        old.sort_by(|a, b| order(&a.note, &b.note));
        let mut was_found = vec![false; old.len()];
        let mut from = 0;
        for note in notes {
            let compared = |working: &WorkingNote| order(&working.note, &note);
            while old.get(from).is_some_and(|working| compared(working).is_lt()) {
                from += 1;
            }
            let same_place = old.iter().enumerate().skip(from).take_while(|(_, working)| compared(working).is_eq());
            let known = same_place
                .filter(|(index, working)| working.note == note && was_found.get(*index) == Some(&false))
                .map(|(index, working)| (index, *working))
                .next();
            if let Some((index, working)) = known {
                if let Some(found) = was_found.get_mut(index) {
                    *found = true;
                }
                self.notes.push(working);
            } else {
                self.notes.push(WorkingNote { note, origin: self.originals.len(), made: false });
                self.originals.push(note);
                self.kept.push(false);
            }
        }
        for (working, found) in old.iter().zip(was_found) {
            if !found
                && !working.made
                && let Some(kept) = self.kept.get_mut(working.origin)
            {
                *kept = false;
            }
        }
    }

    /// Runs a program: sorts, carries out its lines, then removes what fell to velocity or duration 0. On a refusal the
    /// notes are in no state to be used.
    pub fn apply(
        &mut self,
        program: &Program,
        context: &ClipContext,
        random: &mut Random,
    ) -> Result<(), NotationError> {
        if program.is_empty() {
            return Ok(());
        }
        self.ran = true;
        program.add_hints(&mut self.warnings);
        if self.notes.is_empty() {
            self.any_line_ran = true;
            let name = program.name();
            let what = match self.untouched {
                UntouchedNotes { muted: 1.. } => "there are no notes but muted ones",
                UntouchedNotes { muted: 0 } => "there are no notes",
            };
            self.warnings.add(|| format!("{what}, so {name} did nothing"));
            return Ok(());
        }
        sort(&mut self.notes);
        // Each line looks at each note, and no line but merge leaves fewer: a run that must exceed the limit is refused
        // before it starts.
        let is_merge = |line: &&Line| matches!(line.statement.body, Body::Merge(_));
        let lines = program.lines.iter().take_while(|line| !is_merge(line));
        let lines = lines.filter(|line| !line.statement.body.is_audio()).count();
        if lines.saturating_mul(self.notes.len()).saturating_mul(SELECTION_WORK) > MAX_WORK {
            return Err(NotationError::TooMuchWork);
        }
        let mut runner = LineRunner::new(program.name(), &self.notes, context, random, &mut self.warnings);
        let mut matched = Vec::new();
        for line in &program.lines {
            if line.statement.body.is_audio() {
                runner.warn(line, "gain and pitchShift are for audio clips; the line is ignored");
                continue;
            }
            self.any_line_ran = true;
            matched.push(run_line(&mut runner, line, &mut self.notes)?);
        }
        self.line_counts.push(LineCounts { name: program.name(), matched });
        self.remove_emptied(program.name());
        Ok(())
    }

    fn remove_emptied(&mut self, name: &str) {
        let silent = |working: &WorkingNote| working.note.velocity <= 0.0;
        let empty = |working: &WorkingNote| working.note.duration <= 0.0;
        let too_short = self.notes.iter().filter(|working| !silent(working) && empty(working)).count();
        if too_short > 0 {
            let notes = if too_short == 1 { "1 note was" } else { &format!("{too_short} notes were") };
            self.warnings.add(|| format!("{notes} deleted because {name} left no duration above 0"));
        }
        self.notes.retain(|working| !silent(working) && !empty(working));
        for working in &mut self.notes {
            working.note.velocity = working.note.velocity.max(1.0);
        }
    }

    /// The notes to write, with the counts and warnings about them.
    pub fn finish(self) -> TransformedNotes {
        let before = self.notes.len();
        let notes = duplicates::keep_last(&self.notes, |working| &working.note, |_| {});
        let duplicates = before - notes.len();
        let changed = |working: &&WorkingNote| {
            self.originals.get(working.origin).is_none_or(|original| !is_same(original, &working.note))
        };
        let mut there = vec![false; self.originals.len()];
        for working in notes.iter().filter(|working| !working.made) {
            if let Some(there) = there.get_mut(working.origin) {
                *there = true;
            }
        }
        TransformedNotes {
            transformed: notes.iter().filter(changed).count(),
            deleted: there.iter().zip(&self.kept).filter(|(there, kept)| **kept && !**there).count(),
            duplicates,
            line_counts: self.line_counts,
            all_ignored: self.ran && !self.any_line_ran,
            notes: notes.into_iter().map(|working| working.note).collect(),
            warnings: self.warnings.finish(),
        }
    }
}

impl Program {
    /// Runs on the notes of one MIDI clip.
    pub fn apply(
        &self,
        notes: Vec<Note>,
        context: &ClipContext,
        random: &mut Random,
    ) -> Result<TransformedNotes, NotationError> {
        let mut run = TransformRun::new(notes);
        run.apply(self, context, random)?;
        Ok(run.finish())
    }
}

/// Carries out one line; gives how many notes it matched.
fn run_line(runner: &mut LineRunner<'_>, line: &Line, notes: &mut Vec<WorkingNote>) -> Result<usize, NotationError> {
    runner.spend_work(notes.len(), SELECTION_WORK)?;
    runner.select(line, notes)?;
    let matched = runner.selected.len();
    if matched == 0 {
        return Ok(0);
    }
    let silent = silent_notes(runner, line, notes);
    match &line.statement.body {
        Body::Assign { parameter, assign, value } => {
            let sorts = value.code.iter().any(|op| matches!(op, Op::Call { function: Function::Legato, .. }));
            let each = value.code.len() + 1 + if sorts { SORTING_WORK } else { 0 };
            runner.spend_work(runner.selected.len(), each)?;
            assignment::carry_out(runner, line, *parameter, *assign, &value.code, notes)?;
        }
        Body::VelocityRange { velocity, deviation } => {
            for index in &runner.selected {
                if let Some(working) = notes.get_mut(*index) {
                    working.note.velocity = *velocity;
                    working.note.velocity_deviation = *deviation;
                }
            }
        }
        _ => {
            operations::carry_out(runner, line, notes)?;
            if notes.len() > MAX_NOTES {
                return Err(NotationError::TooManyTransformed);
            }
            runner.spend_work(notes.len(), SORTING_WORK)?;
            sort(notes);
        }
    }
    let is_raised = |index: &&usize| notes.get(**index).is_some_and(|working| working.note.velocity > 0.0);
    match silent.iter().filter(is_raised).count() {
        0 => {}
        1 => runner.warn(line, "1 note that an earlier line deleted is raised again, so it stays; put delete last"),
        many => {
            let text =
                format!("{many} notes that earlier lines deleted are raised again, so they stay; put delete last");
            runner.warn(line, text);
        }
    }
    Ok(matched)
}

/// Of the selected notes those at velocity 0, which are deleted at the end unless a line raises them; only for a line
/// that writes velocities.
fn silent_notes(runner: &LineRunner<'_>, line: &Line, notes: &[WorkingNote]) -> Vec<usize> {
    let is_silent = |index: &usize| notes.get(*index).is_some_and(|working| working.note.velocity <= 0.0);
    match line.statement.body {
        Body::Assign { parameter: Parameter::Velocity, .. } | Body::VelocityRange { .. } => {
            runner.selected.iter().copied().filter(is_silent).collect()
        }
        _ => Vec::new(),
    }
}

/// Whether the six values that lines can change are the same, as the host stores them.
fn is_same(a: &Note, b: &Note) -> bool {
    let values = |n: &Note| [n.start, n.duration, n.velocity, n.velocity_deviation, n.probability].map(|v| v as f32);
    a.pitch == b.pitch && values(a) == values(b)
}
