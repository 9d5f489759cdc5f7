//! Notes to text and to real JSON.

use crate::music::text::decimal_text;
use crate::music::{Meter, Note, number_without_noise};
use serde_json::{Map, Value};

/// Denominators a time is spelled with when four decimals do not give it.
const DENOMINATORS: [u16; 24] =
    [2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 32, 64, 128, 256, 24, 48, 96, 20, 40];

/// The velocity and deviation as this notation has them: a deviation of at least 0 above the lower end.
fn velocity_and_deviation(note: &Note) -> (f64, f64) {
    if note.velocity_deviation >= 0.0 {
        return (note.velocity, note.velocity_deviation);
    }
    let lower = (note.velocity + note.velocity_deviation).max(1.0);
    (lower, note.velocity - lower)
}

/// Writes notes as text, in the order given.
pub(super) fn format(notes: &[Note], meter: Meter) -> String {
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
        text.push_str(&format!(",v:{}", number_without_noise(velocity)));
        if deviation != 0.0 {
            text.push_str(&format!(",vd:{}", number_without_noise(deviation)));
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
pub(super) fn time_text(beats: f64) -> String {
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
pub(super) fn format_array(notes: &[Note], meter: Meter) -> Value {
    let object = |note: &Note| {
        let (velocity, deviation) = velocity_and_deviation(note);
        let mut object = Map::new();
        object.insert("p".to_owned(), note.pitch.into());
        object.insert("t".to_owned(), json_number(note.start / meter.beat_length()));
        object.insert("d".to_owned(), json_number(note.duration / meter.beat_length()));
        object.insert("v".to_owned(), json_number(velocity));
        if deviation != 0.0 {
            object.insert("vd".to_owned(), json_number(deviation));
        }
        if note.probability != 1.0 {
            object.insert("c".to_owned(), json_number(note.probability));
        }
        Value::Object(object)
    };
    Value::Array(notes.iter().map(object).collect())
}

/// 60 rather than 60.0 where the number is whole, and 0.333 rather than 0.33299999999999996.
fn json_number(value: f64) -> Value {
    let value = number_without_noise(value);
    if value.fract() == 0.0 && value.abs() < 1e15 { Value::from(value as i64) } else { Value::from(value) }
}
