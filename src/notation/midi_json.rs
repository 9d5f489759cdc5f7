//! `midi-json`: an array of flat note objects, `[{p:60,t:0,d:1,v:100}]`, as text with bare or quoted keys or as real JSON.
//!
//! Times count musical beats of the meter from the clip's start, 0-based. Nothing carries over from note to note.

mod array;
mod fields;
mod problem;
mod read;

use super::{MAX_NOTES, NotationErrors, Parsed, slots};
use crate::music::text::{LARGEST_NUMBER, decimal_text};
use crate::music::{Meter, Note, without_noise};
use fields::Fields;
use read::Read;
use serde_json::{Map, Value};

/// Denominators a time is spelled with when four decimals do not give it.
const DENOMINATORS: [u16; 24] =
    [2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 32, 64, 128, 256, 24, 48, 96, 20, 40];
/// A note is not made shorter than this, in musical beats.
const SHORTEST_BEATS: f64 = 0.001;

/// Reads a text; see [`super::parse`].
pub fn parse(text: &str, meter: Meter, existing: &[Note]) -> Result<Parsed, NotationErrors> {
    settle(&read::text(text)?, meter, existing)
}

/// Reads a real JSON array; see [`super::parse_array`].
pub fn parse_array(value: &[Value], meter: Meter, existing: &[Note]) -> Result<Parsed, NotationErrors> {
    if value.len() > MAX_NOTES {
        return Err(NotationErrors::TooManyNotes);
    }
    settle(&array::array(value)?, meter, existing)
}

/// Why a note of an array was left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
enum Dropped {
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
fn settle(read: &Read, meter: Meter, existing: &[Note]) -> Result<Parsed, NotationErrors> {
    let mut notes = existing.to_vec();
    let mut reasons: Vec<(Dropped, usize)> = Vec::new();
    let mut dropped: Vec<&Fields> = Vec::new();
    for fields in &read.notes {
        match note(fields, meter) {
            Ok(note) => notes.push(note),
            Err(reason) => {
                dropped.push(fields);
                match reasons.iter_mut().find(|(known, _)| *known == reason) {
                    Some((_, count)) => *count += 1,
                    None => reasons.push((reason, 1)),
                }
            }
        }
    }
    if dropped.is_empty() {
        return Ok(Parsed::new(slots::settle(notes, existing.len()), Vec::new()));
    }
    let mut why = listed(reasons);
    why.extend(read.unknown.told(&dropped));
    let why = why.join("; ");
    if dropped.len() == read.notes.len() {
        return Err(NotationErrors::NoUsableNote { notation: read::NAME, why });
    }
    let dropped = if dropped.len() == 1 {
        "1 note was dropped".to_owned()
    } else {
        format!("{} notes were dropped", dropped.len())
    };
    Ok(Parsed::new(slots::settle(notes, existing.len()), vec![format!("{dropped}: {why}")]))
}

/// The three most frequent reasons, with how often each.
fn listed(mut reasons: Vec<(Dropped, usize)>) -> Vec<String> {
    reasons.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    let mut listed: Vec<String> = reasons.iter().take(3).map(|(reason, count)| format!("{reason} ({count})")).collect();
    if reasons.len() > 3 {
        listed.push(format!("and {} more reasons", reasons.len() - 3));
    }
    listed
}

/// A note of the array, in quarter beats; velocity 0 marks a deletion.
fn note(fields: &Fields, meter: Meter) -> Result<Note, Dropped> {
    let finite = |value: Option<f64>, reason| value.filter(|v| v.is_finite()).ok_or(reason);
    let half_up = |value: f64| (value + 0.5).floor();
    let pitch = half_up(finite(fields.pitch, Dropped::Pitch)?);
    // 0 and not -0.
    let start = finite(fields.start, Dropped::Start)? * meter.beat_length() + 0.0;
    let duration = finite(Some(fields.duration.unwrap_or(1.0)), Dropped::Duration)?;
    let velocity = finite(Some(fields.velocity.unwrap_or(100.0)), Dropped::Velocity)?;
    let probability = finite(Some(fields.probability.unwrap_or(1.0)), Dropped::Probability)?;
    if start.abs() > LARGEST_NUMBER || duration * meter.beat_length() > LARGEST_NUMBER {
        return Err(Dropped::TooFar);
    }
    let deletes = velocity <= 0.0;
    if deletes && !(0.0..=127.0).contains(&pitch) {
        return Err(Dropped::DeletesNoPitch);
    }
    if !deletes && duration <= 0.0 {
        return Err(Dropped::NoDuration);
    }
    let deviation = fields.deviation.filter(|vd| vd.is_finite()).unwrap_or(0.0);
    Ok(Note {
        velocity: if deletes { 0.0 } else { half_up(velocity).clamp(1.0, 127.0) },
        velocity_deviation: half_up(deviation).clamp(0.0, 127.0),
        probability: probability.clamp(0.0, 1.0),
        ..Note::new(pitch.clamp(0.0, 127.0) as u8, start, duration.max(SHORTEST_BEATS) * meter.beat_length())
    })
}

/// The velocity and deviation as this notation has them: a deviation of at least 0 above the lower end.
fn velocity_and_deviation(note: &Note) -> (f64, f64) {
    if note.velocity_deviation >= 0.0 {
        return (note.velocity, note.velocity_deviation);
    }
    let lower = (note.velocity + note.velocity_deviation).max(1.0);
    (lower, note.velocity - lower)
}

/// Writes notes as text, in the order given.
pub fn format(notes: &[Note], meter: Meter) -> String {
    if notes.is_empty() {
        return String::new();
    }
    let mut text = String::with_capacity(notes.len() * 32);
    for note in notes {
        let (velocity, deviation) = velocity_and_deviation(note);
        text.push_str(if text.is_empty() { "[{" } else { ",{" });
        text.push_str(&format!("p:{},t:", note.pitch));
        text.push_str(&time_text(note.start / meter.beat_length()));
        text.push_str(",d:");
        text.push_str(&time_text(note.duration / meter.beat_length()));
        text.push_str(&format!(",v:{}", without_noise(velocity)));
        if deviation != 0.0 {
            text.push_str(&format!(",vd:{}", without_noise(deviation)));
        }
        if note.probability != 1.0 {
            text.push_str(&format!(",c:{}", decimal_text(note.probability, 4)));
        }
        text.push('}');
    }
    text.push(']');
    text
}

/// A time in musical beats: four decimals where they are exact, else a ratio, else four decimals.
fn time_text(beats: f64) -> String {
    let rounded = (beats * 10_000.0).round() / 10_000.0;
    if (rounded - beats).abs() < 1e-9 {
        // Short and quick: the shortest spelling of such a number has at most four decimals.
        return format!("{}", if rounded == 0.0 { 0.0 } else { rounded });
    }
    DENOMINATORS
        .iter()
        .map(|denominator| (denominator, beats * f64::from(*denominator)))
        .find(|(_, numerator)| (numerator - numerator.round()).abs() < 0.001 && numerator.round() != 0.0)
        .map_or_else(
            || if rounded == 0.0 { "0.0001".to_owned() } else { decimal_text(beats, 4) },
            |(denominator, numerator)| ratio_text(numerator.round(), f64::from(*denominator)),
        )
}

/// A ratio; a whole number where it is one.
fn ratio_text(numerator: f64, denominator: f64) -> String {
    let value = numerator / denominator;
    if value.fract() == 0.0 { value.to_string() } else { format!("{numerator}/{denominator}") }
}

/// Writes notes as a real JSON array with plain numbers in full precision.
pub fn format_array(notes: &[Note], meter: Meter) -> Value {
    let object = |note: &Note| {
        let (velocity, deviation) = velocity_and_deviation(note);
        let mut object = Map::new();
        object.insert("p".to_owned(), note.pitch.into());
        object.insert("t".to_owned(), number(note.start / meter.beat_length()));
        object.insert("d".to_owned(), number(note.duration / meter.beat_length()));
        object.insert("v".to_owned(), number(velocity));
        if deviation != 0.0 {
            object.insert("vd".to_owned(), number(deviation));
        }
        if note.probability != 1.0 {
            object.insert("c".to_owned(), number(note.probability));
        }
        Value::Object(object)
    };
    Value::Array(notes.iter().map(object).collect())
}

/// 60 rather than 60.0 where the number is whole, and 0.333 rather than 0.33299999999999996.
fn number(value: f64) -> Value {
    let value = without_noise(value);
    if value.fract() == 0.0 && value.abs() < 1e15 { Value::from(value as i64) } else { Value::from(value) }
}

#[cfg(test)]
mod tests;
