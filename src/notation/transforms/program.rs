//! A text of transforms as it was read, and everything that is wrong with one.

use super::argument_checks::{self, MeterCheck};
use super::context::ClipKind;
use super::lexemes::{at_end_of_line, skip_blanks};
use super::problem::{Finding, Problem};
use super::sharp_comment;
use super::statement::{self, Statement};
use crate::music::Meter;
use crate::music::text::{Cursor, slice};
use crate::notation::error::MAX_MISTAKES;
use crate::notation::error::{Mistake, NotationError};
use crate::notation::limits::{MAX_TEXT_BYTES, MAX_TRANSFORM_LINES};
use crate::notation::warnings::Warnings;

const NAME: &str = "transforms";
/// Lines longer than this are not offered corrected.
const LONGEST_FIX_BYTES: usize = 400;

/// A text that can be read.
#[derive(Clone, Debug, Default)]
pub struct Program {
    pub(super) lines: Vec<Line>,
    /// Arguments that are wrong in every meter.
    semantic_mistakes: Vec<(ClipKind, Mistake)>,
    /// Arguments that are wrong in some meters.
    checks: Vec<(ClipKind, MeterCheck)>,
    /// By line number: a hint about something that can be read and may have been meant otherwise.
    hints: Vec<(usize, String)>,
    /// What messages call the text; [`NAME`] by default.
    name: Option<&'static str>,
}

#[derive(Clone, Debug)]
pub(super) struct Line {
    /// From 1.
    pub number: usize,
    pub statement: Statement,
}

impl Line {
    fn kind(&self) -> ClipKind {
        if self.statement.body.is_audio() { ClipKind::Audio } else { ClipKind::Midi }
    }
}

impl Program {
    /// Reads a text, or reports everything in it that breaks the grammar (at most ten mistakes). Blank text does
    /// nothing.
    pub fn parse(text: &str) -> Result<Program, NotationError> {
        if text.len() > MAX_TEXT_BYTES {
            return Err(NotationError::TextTooLong { bytes: text.len() });
        }
        let mut mistakes = Vec::new();
        let program = scan(text, |finding| {
            mistakes.push(mistake(text, &finding));
            mistakes.len() < MAX_MISTAKES
        });
        if program.lines.len() > MAX_TRANSFORM_LINES {
            return Err(NotationError::TooManyLines);
        }
        if mistakes.is_empty() {
            return Ok(program);
        }
        // The text is refused; the wrong arguments of its other lines are reported with it.
        mistakes.extend(program.semantic_mistakes.into_iter().map(|(_, mistake)| mistake));
        mistakes.sort_by_key(|mistake| mistake.place.character());
        mistakes.truncate(MAX_MISTAKES);
        Err(refusal_of(mistakes))
    }

    /// With the name of the argument that it came in, for its messages.
    pub fn with_name(self, name: &'static str) -> Program {
        Program { name: Some(name), ..self }
    }

    /// Adds the hints as warnings.
    pub(super) fn add_hints(&self, warnings: &mut Warnings) {
        for (line, said) in &self.hints {
            warnings.add(|| format!("{} line {line}: {said}", self.name()));
        }
    }

    pub(super) fn name(&self) -> &'static str {
        self.name.unwrap_or(NAME)
    }

    /// Whether no line does anything.
    pub fn is_empty(&self) -> bool {
        self.lines.is_empty()
    }

    /// Refuses arguments that are wrong in every meter, on the lines for this kind of clip. A call with such a text is
    /// refused as a whole.
    pub fn check(&self, kind: ClipKind) -> Result<(), NotationError> {
        refuse_if_any(
            self.semantic_mistakes.iter().filter(|(line, _)| *line == kind).map(|(_, mistake)| mistake.clone()),
        )
    }

    /// Refuses arguments that are wrong in this meter, on the lines for this kind of clip. The clip then stays as it
    /// is; when all clips of a call are refused, so is the call.
    pub fn check_in_meter(&self, meter: Meter, kind: ClipKind) -> Result<(), NotationError> {
        let own = self.checks.iter().filter(|(line, _)| *line == kind);
        refuse_if_any(own.filter_map(|(_, check)| check.mistake_in(meter)))
    }
}

fn refusal_of(mistakes: Vec<Mistake>) -> NotationError {
    NotationError::from_mistakes(NAME, mistakes)
}

fn refuse_if_any(mistakes: impl Iterator<Item = Mistake>) -> Result<(), NotationError> {
    let mistakes: Vec<Mistake> = mistakes.take(MAX_MISTAKES).collect();
    if mistakes.is_empty() { Ok(()) } else { Err(refusal_of(mistakes)) }
}

/// Reads a text and reports each mistake; stops when `report` gives false.
fn scan(text: &str, mut report: impl FnMut(Finding) -> bool) -> Program {
    let mut program = Program::default();
    let mut cursor = Cursor::new(text);
    let (mut number, mut counted) = (1, 0);
    loop {
        skip_blanks(&mut cursor);
        while at_end_of_line(&cursor) && !cursor.is_at_end() {
            cursor.skip_char();
            skip_blanks(&mut cursor);
        }
        if cursor.is_at_end() {
            return program;
        }
        let start = cursor.pos();
        number += slice(text, counted..start).bytes().filter(|b| *b == b'\n').count();
        counted = start;
        match statement::read(&mut cursor) {
            Ok(mut statement) => {
                let mut findings = std::mem::take(&mut statement.semantic_findings);
                let line = Line { number, statement };
                let kind = line.kind();
                let checks = argument_checks::check(&line.statement, &mut findings);
                let checks = checks.into_iter().map(|(rule, finding)| MeterCheck::new(rule, mistake(text, &finding)));
                program.checks.extend(checks.map(|check| (kind, check)));
                let room = (2 * MAX_MISTAKES).saturating_sub(program.semantic_mistakes.len());
                program
                    .semantic_mistakes
                    .extend(findings.iter().take(room).map(|finding| (kind, mistake(text, finding))));
                program.lines.push(line);
                if program.lines.len() > MAX_TRANSFORM_LINES {
                    return program;
                }
                program.hints.extend(sharp_comment::sharp_behind_pitch(cursor.since(start)).map(|said| (number, said)));
            }
            Err(finding) => {
                let from = finding.at.max(start);
                let line_end =
                    text.get(from..).and_then(|rest| rest.find(['\r', '\n'])).map_or(text.len(), |n| from + n);
                let resume = if finding.problem == Problem::Comment { text.len() } else { line_end };
                cursor.seek(resume);
                if !report(*finding) {
                    return program;
                }
            }
        }
    }
}

/// A finding as a mistake, with the corrected line if that can be read.
fn mistake(text: &str, finding: &Finding) -> Mistake {
    let found = slice(text, finding.at..finding.end);
    let fix = finding.replacement.as_ref().and_then(|(range, with)| {
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
        (readable && program.semantic_mistakes.is_empty() && !program.is_empty()).then(|| line.to_owned())
    });
    Mistake::in_text(text, finding.at, found, finding.problem.to_string(), fix)
}
