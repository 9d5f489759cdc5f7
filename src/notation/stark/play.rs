//! Tokens to notes. Every section starts at 0; the clock moves by what each token says.

use super::score::{LineKind, Score};
use super::vocabulary::{Level, Ticks, beats};
use crate::music::text::{LARGEST_NUMBER, slice};
use crate::music::{Note, Random, pitch};
use crate::notation::duplicates;
use crate::notation::error::shortened;
use crate::notation::error::{Mistake, NotationError};
use crate::notation::limits::MAX_NOTES;
use crate::notation::parsed::{ParseContext, Parsed};
use crate::notation::warnings::Warnings;

pub(super) fn play(score: Score, text: &str, reading: ParseContext<'_>) -> Result<Parsed, NotationError> {
    let mut warnings: Warnings = score.warnings;
    let mut notes = Vec::with_capacity(reading.existing.len() + score.tokens.len());
    notes.extend_from_slice(reading.existing);
    let most = reading.existing.len().saturating_add(MAX_NOTES);
    let is_drum = |kind: LineKind| matches!(kind, LineKind::Drum(_));
    if score.sections.iter().any(|s| is_drum(s.kind)) && score.sections.iter().any(|s| !is_drum(s.kind)) {
        warnings
            .add(|| "drum lines and pitched lines are mixed in one text; a clip usually holds one or the other".into());
    }
    for section in score.sections {
        let drum = match section.kind {
            LineKind::Drum(number) => {
                match u8::try_from(number).ok().filter(|n| *n <= 127) {
                    Some(pitch) => Some(pitch),
                    None => {
                        let header = shortened(slice(text, section.header.clone())).unwrap_or_default();
                        let number = pitch::number_text(number);
                        warnings.add(|| {
                        format!("{header} is pitch {number}; pitches run from C-2 (0) to G8 (127), so its line is skipped")
                    });
                        continue;
                    }
                }
            }
            _ => None,
        };
        let mut clock: Ticks = 0;
        for token in score.tokens.get(section.tokens).unwrap_or(&[]) {
            let length = token.length;
            let lone = drum.filter(|_| token.sounds);
            let pitches = match &lone {
                Some(pitch) => std::slice::from_ref(pitch),
                None => score.pitches.get(token.pitches.clone()).unwrap_or(&[]),
            };
            let written = usize::try_from(token.count).unwrap_or(usize::MAX).saturating_mul(pitches.len());
            if notes.len().saturating_add(written) > most {
                return Err(NotationError::TooManyNotes);
            }
            let end = clock.saturating_add(length.saturating_mul(token.count));
            if beats(end) > LARGEST_NUMBER {
                return Err(too_far(text, token.at));
            }
            if !pitches.is_empty() {
                for copy in 0..token.count {
                    let start = beats(clock + copy * length);
                    let velocity = velocity(token.level, reading.random);
                    let note = |pitch: &u8| Note { velocity, ..Note::new(*pitch, start, beats(length)) };
                    notes.extend(pitches.iter().map(note));
                }
            }
            clock = end;
        }
    }
    Ok(Parsed::new(duplicates::resolve(notes, reading.existing.len()), warnings.finish()))
}

fn velocity(level: Level, random: &mut Random) -> f64 {
    let (low, high) = level.velocities();
    f64::from(low) + random.below(usize::from(high - low) + 1) as f64
}

fn too_far(text: &str, at: usize) -> NotationError {
    let found = slice(text, at..).split([' ', '\t', '\r', '\n']).next().unwrap_or("");
    let problem = "the line is too long here; a line reaches to 1,000,000,000 quarter beats at most".to_owned();
    NotationError::from_mistakes("stark", vec![Mistake::in_text(text, at, found, problem, None)])
}
