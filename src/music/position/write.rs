//! Positions as text.

use crate::music::duration::{FLOAT_NOISE_BEATS, length_as_written, note_value, plain_fraction};
use crate::music::meter::Meter;
use crate::music::text::push_whole;
use crate::music::time::{Beats, nearest_whole};

/// Denominators an offset is spelled with, in the order they are tried.
const OFFSET_DENOMINATORS: [f64; 17] =
    [1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0, 3.0, 6.0, 12.0, 24.0, 48.0, 96.0, 5.0, 10.0, 20.0, 40.0];

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
    format((beats * 1e4).floor() / 1e4, meter)
}

/// The bar (from 1) and the beat in it (from 1; below 1 only before the first bar) that a moment is written as: a
/// thousandth of a beat if it is very near one, so that float noise moves nothing over a bar line, else what its
/// offset's text comes to. So the moment that is read back has the same place.
pub fn bar_and_beat(beats: Beats, meter: Meter) -> (i64, f64) {
    let exact = beats / meter.beat_length();
    let grid = on_thousandth(exact).unwrap_or_else(|| {
        let whole = exact.floor();
        let offset = length_as_written((exact - whole) * meter.beat_length()) / meter.beat_length();
        on_thousandth(whole + offset).unwrap_or(whole + offset)
    });
    if grid < 0.0 {
        return (1, 1.0 - length_as_written(-beats) / meter.beat_length());
    }
    let beats_per_bar = f64::from(meter.numerator());
    let bars = (grid / beats_per_bar).floor();
    (bars as i64 + 1, grid - bars * beats_per_bar + 1.0)
}

fn on_thousandth(beats: f64) -> Option<f64> {
    let rounded = nearest_whole(beats * 1000.0) / 1000.0;
    ((rounded - beats).abs() < 1e-5).then_some(rounded)
}

/// The bar a moment belongs to, from 1; 0 and less before the first bar.
#[inline]
pub fn bar_of(beats: Beats, meter: Meter) -> i64 {
    ((beats + 1e-9) / meter.bar_length()).floor() as i64 + 1
}

/// A beat of a bar as text: `3`, `2.5`, `1+n/12`, `1-n/8`.
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
    if (thousandths / 1000.0 - beat).abs() < 1e-5 && thousandths < 1e15 {
        push_thousandths(text, thousandths as u64);
        return;
    }
    // Far out numbers lose nothing as floats, and would as whole numbers.
    if beat < 1e15 {
        push_whole(text, beat as i64);
    } else {
        text.push_str(&beat.floor().to_string());
    }
    text.push('+');
    text.push_str(&offset_text((beat - beat.floor()) * meter.beat_length()));
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
