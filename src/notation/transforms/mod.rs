//! `transforms`: lines that change notes (`C3-E3 1|1-<3|1: velocity += 10`), or an audio clip's gain and pitch.
//!
//! A text is read once ([`Program::parse`]), may be asked what is wrong with it for a kind of clip and a meter
//! ([`Program::check`], [`Program::check_in`]), and is then run on any number of clips: on notes through a [`Run`], which
//! also counts what came of them, on audio through [`Program::apply_audio`]. Running never makes a note that a clip could
//! not hold, and its work is bounded: what would take too long or make too many notes is refused.
//!
//! [`statement`], [`selector`], [`expression`] and [`pieces`] know the grammar, [`problem`] the mistakes, [`arguments`] what constants are wrong;
//! [`evaluate`] computes values, [`run`] and [`operations`] change notes.

mod arguments;
mod audio;
mod code;
mod doubt;
mod evaluate;
mod expression;
mod operations;
mod pieces;
mod problem;
mod run;
mod runner;
mod scale_pitches;
mod selector;
mod statement;

pub use audio::{AppliedAudio, AudioParameters};
pub use run::{Applied, Beside, Run};

use super::error::MAX_MISTAKES;
use super::{MAX_TEXT_BYTES, MAX_TRANSFORM_LINES as MAX_LINES, Mistake, NotationErrors, Warnings};
use crate::music::scale::Scale;
use crate::music::text::Cursor;
use crate::music::{Beats, Meter, Note, Random};
use arguments::MeterCheck;
use pieces::{at_end_of_line, blanks};
use problem::{Finding, Problem};
use statement::Statement;

const NAME: &str = "transforms";
/// Lines longer than this are not offered corrected.
const LONGEST_FIX_BYTES: usize = 400;

/// What a line is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ClipKind {
    Midi,
    Audio,
}

/// What a text needs to know of the clip it runs on. Times are quarter beats.
#[derive(Clone, Debug)]
pub struct ClipContext {
    /// The clip's own meter.
    pub meter: Meter,
    /// The song's, in which positions on the timeline are counted.
    pub song_meter: Meter,
    /// The Set's scale, if it is on.
    pub scale: Option<Scale>,
    /// The clip's place among all clips of the call, from 0.
    pub index: usize,
    /// How many clips the call works on.
    pub count: usize,
    /// The arrangement clip's length, or a session clip's content length.
    pub duration: Beats,
    /// Where an arrangement clip starts; `None` for a session clip.
    pub arrangement_position: Option<Beats>,
    /// The clip's start marker.
    pub start_marker: Beats,
    /// Where the content ends: the loop's end when it loops, else the end marker.
    pub end: Option<Beats>,
}

impl Default for ClipContext {
    /// A lone session clip of one 4/4 bar.
    fn default() -> ClipContext {
        ClipContext {
            meter: Meter::COMMON,
            song_meter: Meter::COMMON,
            scale: None,
            index: 0,
            count: 1,
            duration: 4.0,
            arrangement_position: None,
            start_marker: 0.0,
            end: Some(4.0),
        }
    }
}

/// A text that can be read.
#[derive(Clone, Debug, Default)]
pub struct Program {
    lines: Vec<Line>,
    /// Arguments that are wrong in every meter.
    faults: Vec<(ClipKind, Mistake)>,
    /// Arguments that are wrong in some meters.
    checks: Vec<(ClipKind, MeterCheck)>,
    /// By line number: what can be read and may have been meant otherwise.
    doubts: Vec<(usize, String)>,
    /// What reports call the text; [`NAME`] when it was not said.
    called: Option<&'static str>,
}

#[derive(Clone, Debug)]
struct Line {
    /// From 1.
    number: usize,
    statement: Statement,
}

impl Line {
    fn kind(&self) -> ClipKind {
        if self.statement.body.is_audio() { ClipKind::Audio } else { ClipKind::Midi }
    }
}

impl Program {
    /// Reads a text, or tells of everything in it that breaks the grammar (at most ten mistakes). Blank text does nothing.
    pub fn parse(text: &str) -> Result<Program, NotationErrors> {
        if text.len() > MAX_TEXT_BYTES {
            return Err(NotationErrors::TextTooLong { bytes: text.len() });
        }
        let mut mistakes = Vec::new();
        let program = scan(text, |finding| {
            mistakes.push(mistake(text, &finding));
            mistakes.len() < MAX_MISTAKES
        });
        if program.lines.len() > MAX_LINES {
            return Err(NotationErrors::TooManyLines);
        }
        if mistakes.is_empty() {
            return Ok(program);
        }
        // The text is refused; what is wrong with the arguments of its other lines is told along.
        mistakes.extend(program.faults.into_iter().map(|(_, mistake)| mistake));
        mistakes.sort_by_key(|mistake| mistake.place.character());
        mistakes.truncate(MAX_MISTAKES);
        Err(refusal(mistakes))
    }

    /// With the name of the argument it came in, for its reports.
    pub fn called(self, name: &'static str) -> Program {
        Program { called: Some(name), ..self }
    }

    /// Tells of what may have been meant otherwise.
    fn doubt(&self, warnings: &mut Warnings) {
        for (line, said) in &self.doubts {
            warnings.add(|| format!("{} line {line}: {said}", self.name()));
        }
    }

    fn name(&self) -> &'static str {
        self.called.unwrap_or(NAME)
    }

    /// Whether no line does anything.
    pub fn is_empty(&self) -> bool {
        self.lines.is_empty()
    }

    /// Refuses arguments that are wrong in every meter, on the lines for this kind of clip. A call with such a text is
    /// refused as a whole.
    pub fn check(&self, kind: ClipKind) -> Result<(), NotationErrors> {
        refused(self.faults.iter().filter(|(line, _)| *line == kind).map(|(_, mistake)| mistake.clone()))
    }

    /// Refuses arguments that are wrong in this meter, on the lines for this kind of clip. The clip then stays as it is;
    /// when all clips of a call are refused, so is the call.
    pub fn check_in(&self, meter: Meter, kind: ClipKind) -> Result<(), NotationErrors> {
        let own = self.checks.iter().filter(|(line, _)| *line == kind);
        refused(own.filter_map(|(_, check)| check.broken_in(meter)))
    }

    /// Runs on the notes of one MIDI clip.
    pub fn apply(
        &self,
        notes: Vec<Note>,
        context: &ClipContext,
        random: &mut Random,
    ) -> Result<Applied, NotationErrors> {
        let mut run = Run::new(notes);
        run.apply(self, context, random)?;
        Ok(run.finish())
    }
}

fn refusal(mistakes: Vec<Mistake>) -> NotationErrors {
    NotationErrors::stopped(NAME, mistakes)
}

fn refused(mistakes: impl Iterator<Item = Mistake>) -> Result<(), NotationErrors> {
    let mistakes: Vec<Mistake> = mistakes.take(MAX_MISTAKES).collect();
    if mistakes.is_empty() { Ok(()) } else { Err(refusal(mistakes)) }
}

/// Reads a text and tells of each mistake; stops when `tell` says so.
fn scan(text: &str, mut tell: impl FnMut(Finding) -> bool) -> Program {
    let mut program = Program::default();
    let mut cursor = Cursor::new(text);
    let (mut number, mut counted) = (1, 0);
    loop {
        blanks(&mut cursor);
        while at_end_of_line(&cursor) && !cursor.is_done() {
            cursor.skip_char();
            blanks(&mut cursor);
        }
        if cursor.is_done() {
            return program;
        }
        let start = cursor.at();
        number += text.get(counted..start).unwrap_or("").bytes().filter(|b| *b == b'\n').count();
        counted = start;
        match statement::read(&mut cursor) {
            Ok(mut statement) => {
                let mut faults = std::mem::take(&mut statement.faults);
                let line = Line { number, statement };
                let kind = line.kind();
                let checks = arguments::check(text, &line.statement, &mut faults);
                program.checks.extend(checks.into_iter().map(|check| (kind, check)));
                let room = (2 * MAX_MISTAKES).saturating_sub(program.faults.len());
                program.faults.extend(faults.iter().take(room).map(|fault| (kind, mistake(text, fault))));
                program.lines.push(line);
                if program.lines.len() > MAX_LINES {
                    return program;
                }
                program.doubts.extend(doubt::sharp_behind(cursor.since(start)).map(|said| (number, said)));
            }
            Err(finding) => {
                let from = finding.at.max(start);
                let line_end =
                    text.get(from..).and_then(|rest| rest.find(['\r', '\n'])).map_or(text.len(), |n| from + n);
                let resume = if finding.problem == Problem::Comment { text.len() } else { line_end };
                cursor.go(resume);
                if !tell(*finding) {
                    return program;
                }
            }
        }
    }
}

/// A finding as a mistake, with the corrected line if that can be read.
fn mistake(text: &str, finding: &Finding) -> Mistake {
    let found = text.get(finding.at..finding.end).unwrap_or("");
    let fix = finding.instead.as_ref().and_then(|(range, with)| {
        let start = text.get(..range.start)?.rfind('\n').map_or(0, |newline| newline + 1);
        let end = text.get(range.end..)?.find(['\r', '\n']).map_or(text.len(), |length| range.end + length);
        if end - start > LONGEST_FIX_BYTES {
            return None;
        }
        let line = format!("{}{with}{}", text.get(start..range.start)?, text.get(range.end..end)?);
        let line = line.trim();
        let mut readable = true;
        let program = scan(line, |_| {
            readable = false;
            false
        });
        (readable && program.faults.is_empty() && !program.is_empty()).then(|| line.to_owned())
    });
    Mistake::in_text(text, finding.at, found, finding.problem.to_string(), fix)
}

#[cfg(test)]
mod tests;
