//! What an expression is run for, and what it can know of it.

use super::code::{Property, Units, Variable};
use super::context::ClipContext;
use super::evaluation_error::{EvaluationError, Name};
use super::scale_pitches::ScalePitches;
use super::working_note::WorkingNote;
use crate::music::{Beats, SAME_POSITION_BEATS};

/// What an expression is run for.
#[derive(Clone, Copy)]
pub(super) enum Subject<'a> {
    Nothing,
    Note {
        notes: &'a [WorkingNote],
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
pub(super) struct LineContext<'a> {
    pub units: Units,
    pub context: &'a ClipContext,
    pub scale: &'a ScalePitches,
    /// What ramps run over, in musical beats.
    pub ramp: (f64, f64),
    /// The starts of the selected notes in rising order, in musical beats; only kept for a line that asks for them.
    pub starts: &'a [f64],
    /// For each selected note its place in its chord and how many there are; only kept for a line that asks for them.
    pub chords: &'a [ChordPlace],
}

/// Where a note stands among the selected notes that start with it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct ChordPlace {
    /// From the lowest, from 0.
    pub index: f64,
    pub count: f64,
}

/// The places of the selected notes in their chords. Notes closer than [`SAME_POSITION_BEATS`] start together.
pub(super) fn chord_places(notes: &[WorkingNote], selected: &[usize]) -> Vec<ChordPlace> {
    let note = |at: usize| selected.get(at).and_then(|place| notes.get(*place)).map(|working| working.note);
    let mut order: Vec<(Beats, u8, usize)> =
        (0..selected.len()).filter_map(|at| note(at).map(|note| (note.start, note.pitch, at))).collect();
    order.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut places = vec![ChordPlace::default(); selected.len()];
    let mut rest = order.as_mut_slice();
    while let Some(first) = rest.first().map(|(start, ..)| *start) {
        let length = rest.partition_point(|(start, ..)| *start - first < SAME_POSITION_BEATS);
        let (chord, behind) = std::mem::take(&mut rest).split_at_mut(length.max(1));
        chord.sort_by_key(|(_, pitch, at)| (*pitch, *at));
        for (index, (_, _, at)) in chord.iter().enumerate() {
            if let Some(place) = places.get_mut(*at) {
                *place = ChordPlace { index: index as f64, count: chord.len() as f64 };
            }
        }
        rest = behind;
    }
    places
}

impl LineContext<'_> {
    #[inline]
    pub fn variable(&self, variable: Variable, subject: Subject<'_>) -> Result<f64, EvaluationError> {
        let context = self.context;
        let no_note = || no_note(Name::Variable(variable), subject);
        Ok(match variable {
            Variable::ClipDuration => self.units.to_musical(context.duration),
            Variable::ClipIndex => context.index as f64,
            Variable::ClipCount => context.count as f64,
            Variable::ClipPosition => self.units.to_musical(context.arrangement_position.unwrap_or(0.0)),
            Variable::ClipBarDuration => self.units.beats_per_bar,
            Variable::AudioGain | Variable::AudioPitchShift => match subject {
                Subject::Audio { gain_db, .. } if variable == Variable::AudioGain => gain_db,
                Subject::Audio { pitch_shift_semitones, .. } => pitch_shift_semitones,
                _ => return Err(EvaluationError::AudioOnMidi(Name::Variable(variable))),
            },
            Variable::NoteIndex | Variable::NoteCount => match subject {
                Subject::Note { index, .. } if variable == Variable::NoteIndex => index as f64,
                Subject::Note { selected, .. } => selected.len() as f64,
                _ => return Err(no_note()),
            },
            Variable::ChordIndex | Variable::ChordCount => {
                let Subject::Note { index, .. } = subject else { return Err(no_note()) };
                let place = self.chords.get(index).copied().unwrap_or_default();
                if variable == Variable::ChordIndex { place.index } else { place.count }
            }
            Variable::Note(property) => self.property(property, selected_note(subject, 0).ok_or_else(no_note)?),
            Variable::Next(property) => match subject {
                Subject::Note { .. } => {
                    self.property(property, selected_note(subject, 1).ok_or(EvaluationError::NoNext)?)
                }
                _ => return Err(no_note()),
            },
        })
    }

    #[inline]
    fn property(&self, property: Property, working: &WorkingNote) -> f64 {
        let note = &working.note;
        match property {
            Property::Pitch => f64::from(note.pitch),
            Property::Velocity => note.velocity,
            Property::Deviation => note.velocity_deviation,
            Property::Probability => note.probability,
            Property::Start => self.units.to_musical(note.start),
            Property::Duration => self.units.to_musical(note.duration),
        }
    }
}

/// Why what belongs to a note has no value here.
#[inline]
pub(super) fn no_note(name: Name, subject: Subject<'_>) -> EvaluationError {
    match subject {
        Subject::Audio { .. } => EvaluationError::NoteOnAudio(name),
        _ => EvaluationError::NoNote(name),
    }
}

#[inline]
pub(super) fn selected_note<'a>(subject: Subject<'a>, ahead: usize) -> Option<&'a WorkingNote> {
    match subject {
        Subject::Note { notes, selected, index } => notes.get(*selected.get(index + ahead)?),
        _ => None,
    }
}
