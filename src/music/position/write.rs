//! Positions as text.

use crate::music::duration::{FLOAT_NOISE_BEATS, clean_note_value, length_as_written, note_value, plain_fraction};
use crate::music::meter::Meter;
use crate::music::text::push_whole;
use crate::music::time::{Beats, nearest_whole};

/// Denominators an offset is spelled with, in the order they are tried.
const OFFSET_DENOMINATORS: [f64; 17] =
    [1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0, 3.0, 6.0, 12.0, 24.0, 48.0, 96.0, 5.0, 10.0, 20.0, 40.0];

/// How near (in beats) a moment is to a thousandth that is written for it.
const NEAR_THOUSANDTH: f64 = 1e-5;

/// A position as text. Before 1|1 it is written in bar 1, `1|1-n5/4`.
pub fn format(beats: Beats, meter: Meter) -> String {
    let (bar, beat) = bar_and_beat(beats, meter);
    let mut text = String::with_capacity(8);
    push_whole(&mut text, bar);
    text.push('|');
    push_beat(&mut text, beat, meter);
    text
}

/// As [`format`], and read back never later than it is.
pub fn format_within(beats: Beats, meter: Meter) -> String {
    let text = format(beats, meter);
    if super::parse(&text, meter).is_ok_and(|read| read.beats <= beats + FLOAT_NOISE_BEATS) {
        return text;
    }
    let beat = meter.beat_length();
    format((beats / beat * 1e4).floor() / 1e4 * beat, meter)
}

/// The bar (from 1) and the beat in it (from 1; below 1 only before the first bar) that a moment is written as: a
/// thousandth of a beat if it is very near one, so that float noise moves nothing over a bar line, else what its
/// offset's text comes to. So the moment that is read back has the same place.
pub fn bar_and_beat(beats: Beats, meter: Meter) -> (i64, f64) {
    let exact = beats / meter.beat_length();
    let grid = on_thousandth(exact, NEAR_THOUSANDTH).unwrap_or_else(|| {
        let whole = exact.floor();
        let written = whole + offset_as_written(exact - whole, meter);
        // A written decimal just outside would be inside when it is read.
        on_thousandth(written, 1.5 * NEAR_THOUSANDTH).unwrap_or(written)
    });
    if grid < 0.0 {
        return (1, 1.0 - length_as_written(-beats) / meter.beat_length());
    }
    let beats_per_bar = f64::from(meter.numerator());
    let bars = (grid / beats_per_bar).floor();
    (bars as i64 + 1, grid - bars * beats_per_bar + 1.0)
}

/// What an offset from a whole beat comes to as it is written: a fraction of a note, else some decimals of a beat.
/// Written again it stays as it is.
fn offset_as_written(offset: f64, meter: Meter) -> f64 {
    let beat = meter.beat_length();
    let clean = |offset: f64| clean_offset(offset * beat).map(|_| length_as_written(offset * beat) / beat);
    let parts = 10f64.powi(decimals(meter));
    let rounded = nearest_whole(offset * parts) / parts;
    clean(offset).or_else(|| clean(rounded)).unwrap_or(rounded)
}

/// Decimals of a beat off all grids: none of them is more than a ten-thousandth of a quarter.
fn decimals(meter: Meter) -> i32 {
    if meter.beat_length() > 1.0 { 5 } else { 4 }
}

fn on_thousandth(beats: f64, near: f64) -> Option<f64> {
    let rounded = nearest_whole(beats * 1000.0) / 1000.0;
    ((rounded - beats).abs() < near).then_some(rounded)
}

/// The bar a moment belongs to, from 1; 0 and less before the first bar.
#[inline]
pub fn bar_of(beats: Beats, meter: Meter) -> i64 {
    ((beats + 1e-9) / meter.bar_length()).floor() as i64 + 1
}

/// A beat of a bar as text: `3`, `2.5`, `1.4819`, a fraction of a note that decimals do not hold as `1+n/12`, and what
/// lies before the first bar as `1-n/8`.
pub fn beat_text(beat: f64, meter: Meter) -> String {
    let mut text = String::new();
    push_beat(&mut text, beat, meter);
    text
}

/// Writes a beat of a bar to the end of a text, as [`beat_text`] does.
pub fn push_beat(text: &mut String, beat: f64, meter: Meter) {
    if beat < 1.0 - 1e-5 {
        text.push_str("1-");
        text.push_str(&offset_text((1.0 - beat) * meter.beat_length()));
        return;
    }
    let thousandths = nearest_whole(beat * 1000.0);
    if (thousandths / 1000.0 - beat).abs() < NEAR_THOUSANDTH && thousandths < 1e15 {
        push_thousandths(text, thousandths as u64);
        return;
    }
    // Far out numbers lose nothing as floats, and would as whole numbers.
    if beat < 1e15 {
        push_whole(text, beat as i64);
    } else {
        text.push_str(&beat.floor().to_string());
    }
    match clean_offset((beat - beat.floor()) * meter.beat_length()) {
        Some(offset) => {
            text.push('+');
            text.push_str(&offset);
        }
        // What is no fraction of a note is a decimal, as all else is.
        None => {
            let decimals = decimals(meter);
            let parts = 10f64.powi(decimals);
            let offset = nearest_whole((beat - beat.floor()) * parts).clamp(1.0, parts - 1.0);
            let digits = format!("{offset:0width$}", width = decimals.unsigned_abs() as usize);
            text.push('.');
            text.push_str(digits.trim_end_matches('0'));
        }
    }
}

/// An offset as a fraction of a note without decimals, if it is one.
fn clean_offset(beats: Beats) -> Option<String> {
    plain_fraction(beats, &OFFSET_DENOMINATORS).or_else(|| clean_note_value(beats))
}

/// 2500 as `2.5`.
fn push_thousandths(text: &mut String, thousandths: u64) {
    push_whole(text, (thousandths / 1000) as i64);
    let mut left = thousandths % 1000;
    if left > 0 {
        text.push('.');
    }
    while left > 0 {
        text.push(char::from(b'0' + (left / 100) as u8));
        left = left % 100 * 10;
    }
}

pub(super) fn offset_text(beats: Beats) -> String {
    plain_fraction(beats, &OFFSET_DENOMINATORS).unwrap_or_else(|| note_value(beats))
}
