//! Lengths as people write them: bars of a meter (`4bar`), note values (`n/8`, `n/4d`, `n/8t`), or bars plus or minus a
//! note value (`1bar+n/4`).
//!
//! A note value is a fraction of a whole note and lasts the same in every meter; a bar lasts what its meter says.

use super::meter::Meter;
use super::text::{
    Cursor, LARGEST_NUMBER, decimal_text, has_zero_denominator, push_whole, without_zeros_in_denominators,
};
use super::time::{Beats, nearest_whole};

/// Denominators a note value is spelled with, in the order they are tried.
const DENOMINATORS: [f64; 21] = [
    1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0, 128.0, 256.0, 3.0, 6.0, 12.0, 24.0, 48.0, 96.0, 5.0, 10.0, 20.0, 40.0, 7.0,
    14.0,
];

/// Why a text is no length.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadDuration {
    #[error("\"{0}\" divides by zero: the denominator of a note value counts from 1, as in n/4")]
    ZeroDenominator(String),
    #[error("\"{text}\" has a leading zero, and denominators count from 1: write {fix}")]
    LeadingZero { text: String, fix: String },
    #[error("\"{text}\" has no denominator, which a note value needs: write {fix}")]
    NoDenominator { text: String, fix: String },
    #[error("\"{text}\" does not say its unit: write bars or a note value, such as {fix}")]
    NoUnit { text: String, fix: String },
    #[error("\"{0}\" mixes a note value with a bar count: write one of them (2bar or n/2), or join them (1bar+n/2)")]
    Mixed(String),
    #[error("\"{text}\" is not written as lengths are: write {fix}")]
    Spelling { text: String, fix: String },
    #[error("\"{0}\" is too long: a length is at most 1,000,000,000 quarter beats")]
    TooLong(String),
    #[error("\"{0}\" is no length: write bars (4bar), a note value (n/4, n3/8, n/4d, n/8t) or both (1bar+n/4)")]
    Unreadable(String),
}

/// A length in quarter beats. 0 (`0bar`) and less (`1bar-n5/4` in 4/4) are given as they are; the caller decides.
pub fn parse(text: &str, meter: Meter) -> Result<Beats, BadDuration> {
    match read(text, meter).or_else(|| read(&without_inner_spaces(text), meter)) {
        Some(beats) if beats.abs() <= LARGEST_NUMBER => Ok(beats),
        Some(_) => Err(BadDuration::TooLong(text.to_owned())),
        None => Err(diagnose(text, meter)),
    }
}

/// `1 bar` is `1bar`. Spaces between two digits stay: `1 2bar` is a slip, not 12 bars.
fn without_inner_spaces(text: &str) -> String {
    let mut joined = String::with_capacity(text.len());
    let mut words = text.split_whitespace().peekable();
    while let Some(word) = words.next() {
        joined.push_str(word);
        let between_digits = |next: &&str| {
            word.ends_with(|c: char| c.is_ascii_digit()) && next.starts_with(|c: char| c.is_ascii_digit())
        };
        if words.peek().is_some_and(between_digits) {
            joined.push(' ');
        }
    }
    joined
}

fn read(text: &str, meter: Meter) -> Option<Beats> {
    let mut cursor = Cursor::new(text);
    if let Some(beats) = cursor.length(meter)
        && cursor.is_at_end()
    {
        return Some(beats);
    }
    // Unlike a note's, a clip's length may be 0.
    let zero = text.strip_prefix("0bars").or_else(|| text.strip_prefix("0bar"))?;
    let mut cursor = Cursor::new(zero);
    let beats = cursor.offset().unwrap_or(0.0);
    cursor.is_at_end().then_some(beats)
}

fn diagnose(text: &str, meter: Meter) -> BadDuration {
    let spelled = text.to_owned();
    let fits = |candidate: &str| read(candidate, meter).is_some();
    if has_zero_denominator(text) && fits(&text.replacen("/0", "/4", 1)) {
        return BadDuration::ZeroDenominator(spelled);
    }
    let counted = without_zeros_in_denominators(text);
    if counted != text && fits(&counted) {
        return BadDuration::LeadingZero { text: spelled, fix: counted };
    }
    if let Some(fix) = text.strip_prefix('n').and_then(note_value_of_denominator) {
        return BadDuration::NoDenominator { text: spelled, fix };
    }
    if let Some(fix) = dotted_note_value(text).filter(|fix| fits(fix)) {
        return BadDuration::Spelling { text: spelled, fix };
    }
    if text.contains('/') && text.contains("bar") && !text.contains(['+', '-']) {
        return BadDuration::Mixed(spelled);
    }
    let squeezed: String = text.chars().filter(|c| !c.is_whitespace()).collect::<String>().to_ascii_lowercase();
    if squeezed != text && fits(&squeezed) {
        return BadDuration::Spelling { text: spelled, fix: squeezed };
    }
    let with_n = format!("n{text}");
    if text.contains('/') && fits(&with_n) {
        return BadDuration::NoUnit { text: spelled, fix: with_n };
    }
    if let Some(bars) = text.strip_suffix(":0").filter(|b| b.bytes().all(|c| c.is_ascii_digit())) {
        let fix = format!("{bars}bar");
        if fits(&fix) {
            return BadDuration::NoUnit { text: spelled, fix };
        }
    }
    if text.parse::<f64>().is_ok() {
        let fix = format!("{text}bar");
        let fix = if fits(&fix) { fix } else { "4bar or n/4".to_owned() };
        return BadDuration::NoUnit { text: spelled, fix };
    }
    let stripped = text.trim_start_matches('0');
    if stripped != text && fits(stripped) {
        return BadDuration::Spelling { text: spelled, fix: stripped.to_owned() };
    }
    BadDuration::Unreadable(spelled)
}

/// `8` as the note value it is the denominator of, where that is sure: `n/8`.
pub fn note_value_of_denominator(denominator: &str) -> Option<String> {
    matches!(denominator, "1" | "2" | "4" | "8" | "16" | "32" | "64").then(|| format!("n/{denominator}"))
}

/// `n/8.`, the dot of a dotted note as print has it, with its `d`: `n/8d`.
pub fn dotted_note_value(text: &str) -> Option<String> {
    let value = text.strip_suffix('.')?;
    let (_, denominator) = value.rsplit_once('/')?;
    denominator.bytes().all(|b| b.is_ascii_digit()).then(|| format!("{value}d"))
}

/// A length as text: `4bar`, `0bar`, `n/8`, `2bar+n/4`, or `n0.1429/4` where no note value fits. Below 0 is written
/// `0bar`.
pub fn format(beats: Beats, meter: Meter) -> String {
    if !beats.is_finite() || beats <= 0.0 {
        return "0bar".to_owned();
    }
    // What is rounded may have become something with a better name.
    clean_length(beats, meter).or_else(|| clean_length(rounded(beats), meter)).unwrap_or_else(|| note_value(beats))
}

/// As [`format`], and read back never longer than it is: what ends where a file ends does not end behind it.
pub fn format_within(beats: Beats, meter: Meter) -> String {
    let text = format(beats, meter);
    if parse(&text, meter).is_ok_and(|read| read <= beats + FLOAT_NOISE_BEATS) {
        return text;
    }
    format((beats * 1e4).floor() / 1e4, meter)
}

/// What sums of times are off by at most.
pub(in crate::music) const FLOAT_NOISE_BEATS: Beats = 1e-6;

/// A length as whole bars, a note value, or both, where one of them is exact.
fn clean_length(beats: Beats, meter: Meter) -> Option<String> {
    let bar = meter.bar_length();
    let nearest = (beats / bar).round();
    if nearest >= 1.0 && (beats - nearest * bar).abs() < 1e-9 {
        return Some(format!("{nearest}bar"));
    }
    let bars = (beats / bar).floor();
    let rest = clean_note_value(beats - bars * bar)?;
    Some(if bars < 1.0 { rest } else { format!("{bars}bar+{rest}") })
}

/// A length above 0 as a note value, in every meter the same: `n/8`, `n/4d`, `n/8t`, `n5/16`, else `n<quarter beats>/4`
/// with four decimals (at least `n0.0001/4`).
pub fn note_value(beats: Beats) -> String {
    let beats = length_as_written(beats).max(SHORTEST_WRITTEN_BEATS);
    clean_note_value(beats).unwrap_or_else(|| format!("n{}/4", decimal_text(beats, 4)))
}

/// The shortest length that can be written.
pub const SHORTEST_WRITTEN_BEATS: Beats = 0.0001;

/// What a length comes to as it is written: the note value that is meant, else four decimals of a quarter beat. Spelled
/// again it stays as it is, so a text read and written again is the same text.
pub fn length_as_written(beats: Beats) -> Beats {
    let value = |beats| fraction_of(beats, &DENOMINATORS).map(|(numerator, denominator)| 4.0 * numerator / denominator);
    let rounded = rounded(beats);
    value(beats).or_else(|| value(rounded)).unwrap_or(rounded)
}

fn rounded(beats: Beats) -> Beats {
    nearest_whole(beats * 1e4) / 1e4
}

/// A note value with a usual denominator, where one is exact.
fn clean_note_value(beats: Beats) -> Option<String> {
    let (numerator, denominator) = fraction_of(beats, &DENOMINATORS)?;
    let beats = 4.0 * numerator / denominator;
    let mut base = 1.0;
    while base <= 64.0 {
        if (beats - 6.0 / base).abs() < 1e-9 {
            return Some(fraction_text(1.0, base) + "d");
        }
        if (beats - 8.0 / (3.0 * base)).abs() < 1e-9 {
            return Some(fraction_text(1.0, base) + "t");
        }
        base *= 2.0;
    }
    Some(fraction_text(numerator, denominator))
}

/// `n<numerator>/<denominator>` with the first denominator that gives a whole numerator.
pub(in crate::music) fn plain_fraction(beats: Beats, denominators: &[f64]) -> Option<String> {
    fraction_of(beats, denominators).map(|(numerator, denominator)| fraction_text(numerator, denominator))
}

/// The numerator and the first denominator that make a length, if there are such.
fn fraction_of(beats: Beats, denominators: &[f64]) -> Option<(f64, f64)> {
    denominators.iter().find_map(|denominator| {
        let numerator = beats / 4.0 * denominator;
        let whole = nearest_whole(numerator);
        let fits = (1.0..=LARGEST_NUMBER).contains(&whole) && (numerator - whole).abs() < 1e-6;
        fits.then_some((whole, *denominator))
    })
}

/// Both are whole numbers.
fn fraction_text(numerator: f64, denominator: f64) -> String {
    let mut text = String::with_capacity(8);
    text.push('n');
    if numerator != 1.0 {
        push_whole(&mut text, numerator as i64);
    }
    text.push('/');
    push_whole(&mut text, denominator as i64);
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn meter(text: &str) -> Meter {
        text.parse().unwrap()
    }

    #[test]
    fn reads_lengths() {
        for (text, m, beats) in [
            ("4bar", "4/4", 16.0),
            ("4bars", "3/4", 12.0),
            ("n2bar", "6/8", 6.0),
            ("n/4", "6/8", 1.0),
            ("n/12", "4/4", 1.0 / 3.0),
            ("n/8t", "4/4", 1.0 / 3.0),
            ("n3/8", "4/4", 1.5),
            ("n/4d", "7/8", 1.5),
            ("n0.37/4", "4/4", 0.37),
            ("n3./4", "4/4", 3.0),
            ("n01/4", "4/4", 1.0),
            ("1bar+n/4", "4/4", 5.0),
            ("1bar-n/8", "3/4", 2.5),
            ("0bar", "4/4", 0.0),
            ("0bars", "4/4", 0.0),
            ("1bar-n5/4", "4/4", -1.0),
            ("1 bar", "4/4", 4.0),
            (" 1bar + n/4 ", "4/4", 5.0),
        ] {
            assert_eq!(parse(text, meter(m)), Ok(beats), "{text}");
        }
    }

    #[test]
    fn refuses_with_the_likely_fix() {
        for (text, want) in [
            ("4", "4bar"),
            ("1.5", "n/4"),
            ("3/8", "n3/8"),
            ("4:0", "4bar"),
            ("1 2bar", "is not written as lengths are"),
            ("4Bar", "4bar"),
            ("01bar", "1bar"),
            ("n/0", "divides by zero"),
            ("1bar+n/0", "divides by zero"),
            ("n/2bar", "one of them"),
            ("n/04", "leading zero, and denominators count from 1: write n/4"),
            ("1bar-n3/016", "leading zero, and denominators count from 1: write 1bar-n3/16"),
            ("n8", "no denominator, which a note value needs: write n/8"),
            ("n/8.", "write n/8d"),
            ("-1bar", "4bar"),
            ("+1bar", "4bar"),
            ("n4", "n/4"),
            ("", "n/4"),
            ("n.5/4", "n/4"),
            ("n/4dt", "n/4"),
            ("n2bar+n/4", "1bar+n/4"),
            ("99999999999bar", "1,000,000,000"),
        ] {
            let error = parse(text, Meter::COMMON).unwrap_err().to_string();
            assert!(error.contains(want), "{text}: {error}");
        }
    }

    #[test]
    fn writes_lengths() {
        for (beats, m, text) in [
            (16.0, "4/4", "4bar"),
            (0.0, "4/4", "0bar"),
            (-3.0, "4/4", "0bar"),
            (0.5, "4/4", "n/8"),
            (2.0, "4/4", "n/2"),
            (1.5, "4/4", "n/4d"),
            (3.0, "6/8", "1bar"),
            (9.0, "4/4", "2bar+n/4"),
            (1.0 / 3.0, "4/4", "n/8t"),
            (4.0 + 1.0 / 3.0, "4/4", "1bar+n/8t"),
            (2.5, "4/4", "n5/8"),
            (4.123456, "4/4", "n4.1235/4"),
            (4.500_03, "4/4", "1bar+n/8"),
            (3.999_98, "4/4", "1bar"),
            (0.062_53, "4/4", "n/64"),
            (1.0 / 3.0 + 1e-8, "4/4", "n/8t"),
            (0.00001, "4/4", "n0.0001/4"),
            (4.0 / 7.0, "4/4", "n/7"),
        ] {
            assert_eq!(format(beats, meter(m)), text);
        }
        assert_eq!(note_value(8.0), "n2/1");
    }

    proptest! {
        #[test]
        fn a_written_length_reads_back(beats in 0.0001f64..10_000.0, n in 1i64..=13, d in prop::sample::select(vec![1i64, 2, 4, 8, 16])) {
            let meter = Meter::new(n, d).unwrap();
            let text = format(beats, meter);
            let back = parse(&text, meter).unwrap();
            prop_assert!((back - beats).abs() < 0.0001, "{beats} {text} {back}");
            let again = parse(&format(back, meter), meter).unwrap();
            prop_assert!((again - back).abs() < 1e-6, "{text} {back} {again}");
            prop_assert_eq!(&format(back, meter), &text);
            prop_assert_eq!(note_value(length_as_written(beats)), note_value(beats));
        }
    }
}
