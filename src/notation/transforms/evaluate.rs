//! Runs an expression for a note, for an audio clip, or for nothing in particular.

use super::ClipContext;
use super::code::{Binary, Function, Op, Property, Units, VARIABLES, Variable};
use super::run::Working;
pub(super) use super::scale_pitches::ScalePitches;
use crate::music::Random;
use crate::music::text::decimal_text;
use std::f64::consts::TAU;

/// Two musical times closer than this are the same.
pub(super) const SAME_TIME: f64 = 1e-9;

/// Why an expression has no value for a note.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub(super) enum Failure {
    #[error("the last selected note has no next one, so it stays as it is")]
    NoNext,
    #[error("{0} has no meaning for an audio clip")]
    NoteOnAudio(Name),
    #[error("{0} has no meaning for a MIDI clip")]
    AudioOnMidi(Name),
    #[error("{0} has no value in the arguments of ratchet and repeat, which are the same for all notes")]
    NoNote(Name),
    #[error("a value comes to no finite number")]
    NotFinite,
    #[error("the exponent of curve must be above 0")]
    Exponent,
    #[error("the grid of {0} must be above 0")]
    Grid(&'static str),
    #[error("the amount of swing must be smaller than its grid")]
    SwingAmount,
    #[error("the clip has no end after the last note, so its duration stays")]
    NoClipEnd,
    #[error("the result lies beyond 1,000,000,000 quarter beats")]
    TooFar,
}

/// What a message calls a variable or a function.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Name {
    Variable(Variable),
    Function(Function),
}

impl std::fmt::Display for Name {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Name::Variable(wanted) => {
                let known = VARIABLES.iter().find(|(_, _, variable)| variable == wanted);
                known.map_or(Ok(()), |(space, name, _)| write!(f, "{space}.{name}"))
            }
            Name::Function(function) => write!(f, "{}(...)", function.name()),
        }
    }
}

/// What an expression is run for.
#[derive(Clone, Copy)]
pub(super) enum Subject<'a> {
    Nothing,
    Note {
        notes: &'a [Working],
        /// The notes the line works on, by their place in `notes`.
        selected: &'a [usize],
        /// Which of the selected ones.
        index: usize,
    },
    Audio {
        gain_db: f64,
        pitch_shift_semitones: f64,
    },
}

/// What stays the same while a line runs.
pub(super) struct Line<'a> {
    pub units: Units,
    pub context: &'a ClipContext,
    pub scale: &'a ScalePitches,
    /// What ramps run over, in musical beats.
    pub ramp: (f64, f64),
    /// The starts of the selected notes in rising order, in musical beats; only kept for a line that asks for them.
    pub starts: &'a [f64],
}

/// Runs an expression. `stack` is scratch room.
pub(super) fn evaluate(
    code: &[Op],
    stack: &mut Vec<f64>,
    line: &Line<'_>,
    random: &mut Random,
    subject: Subject<'_>,
) -> Result<f64, Failure> {
    stack.clear();
    for op in code {
        let value = match *op {
            Op::Number(number) => number,
            Op::NoteValue(quarters) => line.units.musical(quarters),
            Op::Bars(bars) => bars * line.units.beats_per_bar,
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
            return Err(Failure::NotFinite);
        }
        stack.push(value);
    }
    stack.pop().ok_or(Failure::NotFinite)
}

fn truth(value: bool) -> f64 {
    f64::from(u8::from(value))
}

fn binary(operator: Binary, a: f64, b: f64) -> f64 {
    match operator {
        Binary::Or => truth(a != 0.0 || b != 0.0),
        Binary::And => truth(a != 0.0 && b != 0.0),
        Binary::AtLeast => truth(a >= b - SAME_TIME),
        Binary::AtMost => truth(a <= b + SAME_TIME),
        Binary::Equal => truth((a - b).abs() <= SAME_TIME),
        Binary::Unequal => truth((a - b).abs() > SAME_TIME),
        Binary::Above => truth(a > b + SAME_TIME),
        Binary::Below => truth(a < b - SAME_TIME),
        Binary::Plus => a + b,
        Binary::Minus => a - b,
        Binary::Times => a * b,
        Binary::Divided => divided(a, b),
        Binary::Modulo => {
            if b == 0.0 {
                0.0
            } else {
                ((a % b) + b) % b
            }
        }
    }
}

/// Division by nothing gives 0.
pub(super) fn divided(a: f64, b: f64) -> f64 {
    if b == 0.0 { 0.0 } else { a / b }
}

/// A number as messages show it.
pub(super) fn shown(value: f64) -> String {
    if value.abs() < 1e9 { decimal_text(value, 4) } else { format!("{value:e}") }
}

/// To the nearest whole number, halves up.
pub(super) fn half_up(value: f64) -> f64 {
    (value + 0.5).floor()
}

impl Line<'_> {
    fn variable(&self, variable: Variable, subject: Subject<'_>) -> Result<f64, Failure> {
        let context = self.context;
        let no_note = || no_note(Name::Variable(variable), subject);
        Ok(match variable {
            Variable::ClipDuration => self.units.musical(context.duration),
            Variable::ClipIndex => context.index as f64,
            Variable::ClipCount => context.count as f64,
            Variable::ClipPosition => self.units.musical(context.arrangement_position.unwrap_or(0.0)),
            Variable::ClipBarDuration => self.units.beats_per_bar,
            Variable::AudioGain | Variable::AudioPitchShift => match subject {
                Subject::Audio { gain_db, .. } if variable == Variable::AudioGain => gain_db,
                Subject::Audio { pitch_shift_semitones, .. } => pitch_shift_semitones,
                _ => return Err(Failure::AudioOnMidi(Name::Variable(variable))),
            },
            Variable::NoteIndex | Variable::NoteCount => match subject {
                Subject::Note { index, .. } if variable == Variable::NoteIndex => index as f64,
                Subject::Note { selected, .. } => selected.len() as f64,
                _ => return Err(no_note()),
            },
            Variable::Note(property) => self.property(property, working(subject, 0).ok_or_else(no_note)?),
            Variable::Next(property) => match subject {
                Subject::Note { .. } => self.property(property, working(subject, 1).ok_or(Failure::NoNext)?),
                _ => return Err(no_note()),
            },
        })
    }

    fn property(&self, property: Property, working: &Working) -> f64 {
        let note = &working.note;
        match property {
            Property::Pitch => f64::from(note.pitch),
            Property::Velocity => note.velocity,
            Property::Deviation => note.velocity_deviation,
            Property::Probability => note.probability,
            Property::Start => self.units.musical(note.start),
            Property::Duration => self.units.musical(note.duration),
        }
    }

    /// Where the note starts, in musical beats; an audio clip is at 0.
    fn position(&self, function: Function, subject: Subject<'_>) -> Result<f64, Failure> {
        match subject {
            Subject::Nothing => Err(no_note(Name::Function(function), subject)),
            Subject::Audio { .. } => Ok(0.0),
            Subject::Note { .. } => {
                Ok(working(subject, 0).map_or(0.0, |working| self.units.musical(working.note.start)))
            }
        }
    }

    /// Where the note starts; an audio clip has nothing that could be moved.
    fn note_position(&self, function: Function, subject: Subject<'_>) -> Result<f64, Failure> {
        match subject {
            Subject::Audio { .. } => Err(no_note(Name::Function(function), subject)),
            _ => self.position(function, subject),
        }
    }

    /// The position that a wave starts from.
    fn wave_position(&self, wave: Function, sync: bool, subject: Subject<'_>) -> Result<f64, Failure> {
        let position = self.position(wave, subject)?;
        let Some(arranged) = self.context.arrangement_position.filter(|_| sync) else { return Ok(position) };
        let marker = if matches!(subject, Subject::Audio { .. }) { 0.0 } else { self.context.start_marker };
        Ok(position + self.units.musical(arranged - marker))
    }

    fn call(
        &self,
        function: Function,
        arguments: &[f64],
        keyword: bool,
        random: &mut Random,
        subject: Subject<'_>,
    ) -> Result<f64, Failure> {
        let argument = |index: usize| arguments.get(index).copied();
        let at = |index: usize| argument(index).unwrap_or(0.0);
        let turn = |count: usize| at(count % arguments.len().max(1));
        Ok(match function {
            Function::Cos | Function::Sin | Function::Tri | Function::Saw | Function::Square => {
                let position = self.wave_position(function, keyword, subject)?;
                let cycles = if at(0) == 0.0 { 0.0 } else { (position / at(0)) % 1.0 };
                let phase = Some(cycles + at(1)).filter(|phase| phase.is_finite()).ok_or(Failure::NotFinite)?;
                wave(function, phase, argument(2).unwrap_or(0.5))
            }
            Function::Ramp => at(0) + (at(1) - at(0)) * self.along(function, subject)?,
            Function::Curve => {
                if at(2) <= 0.0 {
                    return Err(Failure::Exponent);
                }
                at(0) + (at(1) - at(0)) * self.along(function, subject)?.powf(at(2))
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
            Function::Round => half_up(at(0)),
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
                    return Err(Failure::Grid("quant"));
                }
                half_up(position / at(0)) * at(0)
            }
            Function::Swing => {
                swing(self.note_position(function, subject)?, at(0), argument(1).unwrap_or(0.5), keyword)?
            }
            Function::Legato => {
                let start = self.note_position(function, subject)?;
                let later = self.starts.partition_point(|other| *other <= start + at(0).max(0.0) + SAME_TIME);
                let end = self.starts.get(later).copied().or(self.context.end.map(|end| self.units.musical(end)));
                end.map(|end| end - start).filter(|length| *length > 0.0).ok_or(Failure::NoClipEnd)?
            }
        })
    }

    /// How far through the ramp's range, not above 1.
    fn along(&self, function: Function, subject: Subject<'_>) -> Result<f64, Failure> {
        let position = self.position(function, subject)?;
        let (from, to) = self.ramp;
        Ok(if to <= from { 0.0 } else { ((position - from) / (to - from)).min(1.0) })
    }
}

/// Why what belongs to a note has no value here.
fn no_note(name: Name, subject: Subject<'_>) -> Failure {
    match subject {
        Subject::Audio { .. } => Failure::NoteOnAudio(name),
        _ => Failure::NoNote(name),
    }
}

fn working<'a>(subject: Subject<'a>, ahead: usize) -> Option<&'a Working> {
    match subject {
        Subject::Note { notes, selected, index } => notes.get(*selected.get(index + ahead)?),
        _ => None,
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

/// A sine at a quarter of its period, where the host's own is a hair off: a velocity of nothing would not be nothing.
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
fn swing(position: f64, amount: f64, grid: f64, raw: bool) -> Result<f64, Failure> {
    if grid <= 0.0 {
        return Err(Failure::Grid("swing"));
    }
    if amount.abs() >= grid {
        return Err(Failure::SwingAmount);
    }
    let position = if raw { position } else { half_up(position * 4.0 / grid) * grid / 4.0 };
    // In grid steps, a hair late rather than early, so that float noise does not put an onbeat among the offbeats.
    let steps = (position / grid + SAME_TIME).rem_euclid(2.0);
    Ok(if steps >= 1.0 { position + amount } else { position })
}
