//! Makes notes of the plain numbers of each, and a message about those that are dropped.

use super::members::{NoteList, NoteMembers};
use super::problem::NAME;
use crate::music::text::{LARGEST_NUMBER, counted};
use crate::music::{Meter, Note, round_half_up};
use crate::notation::duplicates;
use crate::notation::error::NotationError;
use crate::notation::parsed::Parsed;

/// A note is not made shorter than this, in musical beats.
const SHORTEST_BEATS: f64 = 0.001;

/// Why a note of an array was left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
enum DropReason {
    #[error("p (pitch) is missing or no finite number")]
    Pitch,
    #[error("t (start) is missing or no finite number")]
    Start,
    #[error("d (duration) is no finite number")]
    Duration,
    #[error("v (velocity) is no finite number")]
    Velocity,
    #[error("c (probability) is no finite number")]
    Probability,
    #[error("d (duration) is not above 0")]
    NoDuration,
    #[error("a deletion (v:0) names a pitch outside 0..127")]
    DeletesNoPitch,
    #[error("t or d is beyond 1,000,000,000 quarter beats")]
    TooFar,
}

/// A list that has no note for the clip is refused: what was there would give way to nothing.
pub(super) fn to_parsed(read: &NoteList, meter: Meter, existing: &[Note]) -> Result<Parsed, NotationError> {
    let mut notes = existing.to_vec();
    let mut reasons: Vec<(DropReason, usize)> = Vec::new();
    let mut dropped: Vec<&NoteMembers> = Vec::new();
    let mut into_range = [0_usize; RANGES.len()];
    for fields in &read.notes {
        match note(fields, meter) {
            Ok(note) => {
                for (count, out) in into_range.iter_mut().zip(out_of_range(fields, &note)) {
                    *count += usize::from(out);
                }
                notes.push(note);
            }
            Err(reason) => {
                dropped.push(fields);
                match reasons.iter_mut().find(|(known, _)| *known == reason) {
                    Some((_, count)) => *count += 1,
                    None => reasons.push((reason, 1)),
                }
            }
        }
    }
    let brought = RANGES.iter().zip(into_range).filter(|(_, count)| *count > 0);
    let mut warnings: Vec<String> =
        brought.map(|(range, count)| format!("{range} brought into range for {}", counted(count, "note"))).collect();
    if dropped.is_empty() {
        return Ok(Parsed::new(duplicates::resolve(notes, existing.len()), warnings));
    }
    let mut why = listed(reasons);
    why.extend(read.unknown.describe(&dropped));
    let why = why.join("; ");
    if dropped.len() == read.notes.len() {
        return Err(NotationError::NoUsableNote { notation: NAME, why });
    }
    let dropped = if dropped.len() == 1 {
        "1 note was dropped".to_owned()
    } else {
        format!("{} notes were dropped", dropped.len())
    };
    warnings.insert(0, format!("{dropped}: {why}"));
    Ok(Parsed::new(duplicates::resolve(notes, existing.len()), warnings))
}

/// What a note has a range for, as messages call it.
const RANGES: [&str; 5] = [
    "p (pitch, 0 to 127)",
    "v (velocity, 1 to 127)",
    "vd (velocity deviation, 0 to 127)",
    "c (probability, 0 to 1)",
    "d (duration, 0.001 and more)",
];

/// For each of [`RANGES`], whether the note that was made of these members had to be brought into it.
fn out_of_range(fields: &NoteMembers, made: &Note) -> [bool; RANGES.len()] {
    let outside = |value: Option<f64>, low: f64, high: f64| value.is_some_and(|v| v < low || v > high);
    if made.velocity <= 0.0 {
        return [false; RANGES.len()];
    }
    [
        outside(fields.pitch.map(round_half_up), 0.0, 127.0),
        outside(fields.velocity.map(round_half_up), 1.0, 127.0),
        outside(fields.deviation.filter(|vd| vd.is_finite()).map(round_half_up), 0.0, 127.0),
        outside(fields.probability, 0.0, 1.0),
        outside(fields.duration, SHORTEST_BEATS, f64::INFINITY),
    ]
}

/// The three most frequent reasons, with how often each.
fn listed(mut reasons: Vec<(DropReason, usize)>) -> Vec<String> {
    reasons.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    let mut listed: Vec<String> = reasons.iter().take(3).map(|(reason, count)| format!("{reason} ({count})")).collect();
    if reasons.len() > 3 {
        listed.push(format!("and {} more reasons", reasons.len() - 3));
    }
    listed
}

/// A note of the array, in quarter beats; velocity 0 marks a deletion.
fn note(fields: &NoteMembers, meter: Meter) -> Result<Note, DropReason> {
    let finite = |value: Option<f64>, reason| value.filter(|v| v.is_finite()).ok_or(reason);
    let pitch = round_half_up(finite(fields.pitch, DropReason::Pitch)?);
    // 0 and not -0.
    let start = finite(fields.start, DropReason::Start)? * meter.beat_length() + 0.0;
    let duration = finite(Some(fields.duration.unwrap_or(1.0)), DropReason::Duration)?;
    let velocity = finite(Some(fields.velocity.unwrap_or(100.0)), DropReason::Velocity)?;
    let probability = finite(Some(fields.probability.unwrap_or(1.0)), DropReason::Probability)?;
    if start.abs() > LARGEST_NUMBER || duration * meter.beat_length() > LARGEST_NUMBER {
        return Err(DropReason::TooFar);
    }
    let deletes = velocity <= 0.0;
    if deletes && !(0.0..=127.0).contains(&pitch) {
        return Err(DropReason::DeletesNoPitch);
    }
    if !deletes && duration <= 0.0 {
        return Err(DropReason::NoDuration);
    }
    let deviation = fields.deviation.filter(|vd| vd.is_finite()).unwrap_or(0.0);
    Ok(Note {
        velocity: if deletes { 0.0 } else { round_half_up(velocity).clamp(1.0, 127.0) },
        velocity_deviation: round_half_up(deviation).clamp(0.0, 127.0),
        probability: probability.clamp(0.0, 1.0),
        ..Note::new(pitch.clamp(0.0, 127.0) as u8, start, duration.max(SHORTEST_BEATS) * meter.beat_length())
    })
}
