//! bar|beat positions: `2|3.5`, `1|1+n/12`, `5|1-n/4`. Both counts start at 1; the beat is the meter's denominator.
//!
//! An offset is a note value and lasts the same in every meter, while a decimal beat follows the meter: in 6/8 `1|1.5`
//! is a sixteenth after the bar line and `1|1+n/8` an eighth.

mod write;

use super::meter::Meter;
use super::text::{Cursor, LARGEST_NUMBER, has_zero_denominator, without_zeros_in_denominators};
use super::time::Beats;
use write::offset_text;
pub use write::{bar_and_beat, bar_of, beat_text, format, format_within, push_beat};

/// A position as it was read.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Position {
    /// Quarter beats from 1|1; negative only by an offset such as `1|1-n/8`.
    pub beats: Beats,
    /// The beat lies more than one past its bar (`1|6` in 4/4), so it lands in a later bar: worth a warning.
    pub past_bar: bool,
}

/// What is wrong with a position.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadPosition {
    #[error("bars count from 1 and have no leading zero; the bar here is {0}")]
    Bar(String),
    #[error(
        "beats count from 1 and have no leading zero; the beat here is {0}. The start of a bar is 1|1; a moment before it \
         is written with an offset, such as 1|1-n/8"
    )]
    Beat(String),
    #[error("bar and beat are split by a pipe")]
    NoPipe,
    #[error("no blanks stand next to the pipe")]
    Blanks,
    #[error("no blanks stand in a position or around it")]
    InnerBlanks,
    #[error("a beat is needed after the pipe, such as 4|1")]
    NoBeat,
    #[error("a beat is no bare fraction: write a beat plus an offset in note values, such as 1|1+n/12")]
    BareFraction,
    #[error("an offset is a note value and needs its n, such as 1|2+n/12")]
    OffsetWithoutN,
    #[error("an offset is written +n/8 or -n3/16, a note value with its denominator")]
    OffsetForm,
    #[error("the denominator of a note value cannot be 0")]
    ZeroDenominator,
    #[error("the denominator of a note value has no leading zero")]
    LeadingZero,
    #[error("only a single point stands here, no range")]
    Range,
    #[error("only a single point stands here, no list and no repeat")]
    ListOrRepeat,
    #[error("it is too far: a position is at most 1,000,000,000 quarter beats from the start")]
    TooFar,
    #[error("a position is written bar|beat, such as 1|1, 2|3.5, 1|1+n/12 or 5|1-n/4")]
    Unreadable,
}

/// A text that is no position, why, and what was probably meant.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("\"{text}\" is no position: {problem}{}", fix.as_ref().map(|fix| format!(". Write {fix}")).unwrap_or_default())]
pub struct PositionError {
    pub text: String,
    pub problem: BadPosition,
    /// A text that can be read.
    pub fix: Option<String>,
}

/// One position. A list (`5|1,9|1`) is for the caller to split at its commas first.
pub fn parse(text: &str, meter: Meter) -> Result<Position, PositionError> {
    match read(text, meter) {
        Some(position) if position.beats.abs() <= LARGEST_NUMBER => Ok(position),
        Some(_) => Err(PositionError { text: text.to_owned(), problem: BadPosition::TooFar, fix: None }),
        None => {
            let (problem, fix) = diagnose(text, meter);
            Err(PositionError { text: text.to_owned(), problem, fix })
        }
    }
}

fn read(text: &str, meter: Meter) -> Option<Position> {
    let mut cursor = Cursor::new(text);
    let bar = cursor.bar()?;
    let mut peek = cursor;
    let bare_beat = peek.decimal_from_one()?;
    let in_bar = cursor.beat(meter)?;
    cursor.is_at_end().then_some(Position {
        beats: (bar - 1.0) * meter.bar_length() + in_bar,
        past_bar: bare_beat > f64::from(meter.numerator()) + 1.0,
    })
}

/// What is wrong with a text that [`parse`] refuses, and a position that was probably meant and can be read.
pub fn diagnose(text: &str, meter: Meter) -> (BadPosition, Option<String>) {
    let (problem, fix) = find_problem(text, meter);
    (problem, fix.filter(|fix| read(fix, meter).is_some()))
}

fn find_problem(text: &str, meter: Meter) -> (BadPosition, Option<String>) {
    let squeezed: String = text.chars().filter(|c| !matches!(c, ' ' | '\t')).collect();
    if squeezed != text && read(&squeezed, meter).is_some() {
        let at_pipe = text.contains(" |") || text.contains("\t|") || text.contains("| ") || text.contains("|\t");
        return (if at_pipe { BadPosition::Blanks } else { BadPosition::InnerBlanks }, Some(squeezed));
    }
    let Some((bar, beat)) = text.split_once('|') else {
        let piped = text.replacen(['.', ':'], "|", 1);
        let numeric = text.bytes().all(|b| b.is_ascii_digit() || matches!(b, b'.' | b':'));
        return if piped != text && numeric {
            (BadPosition::NoPipe, Some(piped))
        } else {
            (BadPosition::Unreadable, None)
        };
    };
    let bar_digits = bar.strip_prefix('-').unwrap_or(bar);
    if !bar_digits.is_empty()
        && bar_digits.bytes().all(|b| b.is_ascii_digit())
        && !bar.starts_with(|c| matches!(c, '1'..='9'))
    {
        return (BadPosition::Bar(bar.to_owned()), Some(format!("{}|{beat}", at_least_one(bar))));
    }
    if beat.is_empty() {
        return (BadPosition::NoBeat, Some(format!("{bar}|1")));
    }
    if beat.starts_with(['0', '-', '.']) {
        let mut cursor = Cursor::new(beat);
        cursor.eat("-");
        cursor.eat_while(b"0123456789.");
        let found = cursor.since(0);
        return (BadPosition::Beat(found.to_owned()), Some(format!("{bar}|{}{}", at_least_one(found), cursor.rest())));
    }
    if has_zero_denominator(beat) && read(&text.replacen("/0", "/4", 1), meter).is_some() {
        return (BadPosition::ZeroDenominator, None);
    }
    let counted = without_zeros_in_denominators(text);
    if counted != text && read(&counted, meter).is_some() {
        return (BadPosition::LeadingZero, Some(counted));
    }
    let mut cursor = Cursor::new(beat);
    let Some(number) = cursor.decimal_from_one() else { return (BadPosition::Unreadable, None) };
    let before_offset = cursor.since(0);
    match cursor.peek() {
        Some(b'/') if cursor.peek_ahead(1).is_some_and(|b| b.is_ascii_digit()) => {
            let fix = parse_fraction(beat).filter(|b| *b >= 1.0).map(|b| format!("{bar}|{}", beat_text(b, meter)));
            (BadPosition::BareFraction, fix)
        }
        Some(sign @ (b'+' | b'-')) => {
            cursor.skip_char();
            let offset = cursor.rest();
            if offset.contains('|') {
                return (BadPosition::Range, None);
            }
            if !offset.starts_with(|c: char| c.is_ascii_digit() || c == '/') {
                return (BadPosition::OffsetForm, None);
            }
            // `1|1-4` may be the beats from 1 to 4.
            let may_be_range = sign == b'-' && offset.bytes().all(|b| b.is_ascii_digit());
            let fix = suggest_note_value(offset, meter)
                .filter(|_| number >= 1.0 && !may_be_range)
                .map(|value| format!("{bar}|{before_offset}{}{value}", char::from(sign)));
            (BadPosition::OffsetWithoutN, fix)
        }
        Some(b',' | b'x') => (BadPosition::ListOrRepeat, None),
        _ => (BadPosition::Unreadable, None),
    }
}

/// What a wrong count was meant as: `03` as 3, and 0 or less as 1.
fn at_least_one(number: &str) -> &str {
    let stripped = number.trim_start_matches('0');
    if stripped.starts_with(|c| matches!(c, '1'..='9')) { stripped } else { "1" }
}

/// The note value that a length without its `n` was meant as, where that is sure. `/8` is one. A number, and a fraction
/// that is no part of a whole note (`1/3`), count beats; `1/4` could be either, as could `16`: beats, or a sixteenth.
pub fn suggest_note_value(text: &str, meter: Meter) -> Option<String> {
    if text.starts_with('/') {
        return Some(format!("n{text}"));
    }
    let of_whole_note =
        text.rsplit_once('/').is_some_and(|(_, below)| matches!(below, "2" | "4" | "8" | "16" | "32" | "64"));
    let beats = parse_fraction(text).filter(|beats| *beats > 0.0 && !of_whole_note)?;
    if beats > 2.0 && beats.fract() == 0.0 {
        return None;
    }
    Some(offset_text(beats * meter.beat_length()))
}

/// The number that `5/3`, `/3` or `0.5` is.
fn parse_fraction(text: &str) -> Option<f64> {
    let (numerator, denominator) = text.split_once('/').unwrap_or((text, "1"));
    let number =
        |part: &str| part.bytes().all(|b| b.is_ascii_digit() || b == b'.').then(|| part.parse::<f64>().ok()).flatten();
    let numerator = if numerator.is_empty() { 1.0 } else { number(numerator)? };
    let value = numerator / number(denominator)?;
    value.is_finite().then_some(value)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn meter(text: &str) -> Meter {
        text.parse().unwrap()
    }

    #[test]
    fn reads_positions() {
        for (text, m, beats, past_bar) in [
            ("1|1", "4/4", 0.0, false),
            ("4|2", "4/4", 13.0, false),
            ("2|3.5", "4/4", 6.5, false),
            ("1|2.", "4/4", 1.0, false),
            ("1|1+n/12", "4/4", 1.0 / 3.0, false),
            ("1|1+n/8t", "4/4", 1.0 / 3.0, false),
            ("5|1-n/4", "4/4", 15.0, false),
            ("1|1-n/8", "4/4", -0.5, false),
            ("1|4", "6/8", 1.5, false),
            ("1|1.5", "6/8", 0.25, false),
            ("1|1+n/8", "6/8", 0.5, false),
            ("2|1", "7/8", 3.5, false),
            ("1|2", "2/2", 2.0, false),
            ("1|5", "4/4", 4.0, false),
            ("1|5.5", "4/4", 4.5, true),
            ("1|6", "4/4", 5.0, true),
        ] {
            assert_eq!(parse(text, meter(m)), Ok(Position { beats, past_bar }), "{text}");
        }
    }

    #[test]
    fn refuses_with_the_likely_fix() {
        for (text, problem, fix) in [
            ("1|0", BadPosition::Beat("0".into()), Some("1|1")),
            ("1|0.5", BadPosition::Beat("0.5".into()), Some("1|1")),
            ("1|03", BadPosition::Beat("03".into()), Some("1|3")),
            ("1|-2", BadPosition::Beat("-2".into()), Some("1|1")),
            ("0|1", BadPosition::Bar("0".into()), Some("1|1")),
            ("02|1", BadPosition::Bar("02".into()), Some("2|1")),
            ("-1|1", BadPosition::Bar("-1".into()), Some("1|1")),
            ("2.3", BadPosition::NoPipe, Some("2|3")),
            ("1:3", BadPosition::NoPipe, Some("1|3")),
            ("2 | 3", BadPosition::Blanks, Some("2|3")),
            ("1|5/3", BadPosition::BareFraction, Some("1|1+n/6")),
            ("1|2+1/3", BadPosition::OffsetWithoutN, Some("1|2+n/12")),
            ("1|2+0.5", BadPosition::OffsetWithoutN, Some("1|2+n/8")),
            ("1|1-2|1", BadPosition::Range, None),
            ("1|2+/8", BadPosition::OffsetWithoutN, Some("1|2+n/8")),
            ("1|2+1/4", BadPosition::OffsetWithoutN, None),
            ("1|1/D3", BadPosition::Unreadable, None),
            ("1|1+n/04", BadPosition::LeadingZero, Some("1|1+n/4")),
            ("1|1 ", BadPosition::InnerBlanks, Some("1|1")),
            ("1|1+ n/8", BadPosition::InnerBlanks, Some("1|1+n/8")),
            ("1|2+", BadPosition::OffsetForm, None),
            ("1|2+n", BadPosition::OffsetForm, None),
            ("1|1+n/0", BadPosition::ZeroDenominator, None),
            ("4|", BadPosition::NoBeat, Some("4|1")),
            ("1|1,2", BadPosition::ListOrRepeat, None),
            ("1|1x4", BadPosition::ListOrRepeat, None),
            ("x", BadPosition::Unreadable, None),
            ("", BadPosition::Unreadable, None),
            ("64", BadPosition::Unreadable, None),
            ("9999999999|1", BadPosition::TooFar, None),
        ] {
            let error = parse(text, Meter::COMMON).unwrap_err();
            assert_eq!((&error.problem, error.fix.as_deref()), (&problem, fix), "{text}");
            assert!(error.to_string().contains(text));
        }
    }

    #[test]
    fn writes_positions() {
        for (beats, m, text) in [
            (16.0, "4/4", "5|1"),
            (6.5, "4/4", "2|3.5"),
            (1.0 / 3.0, "4/4", "1|1+n/12"),
            (-0.5, "4/4", "1|1-n/8"),
            (-5.0, "4/4", "1|1-n5/4"),
            (1.0 / 7.0, "4/4", "1|1+n0.1429/4"),
            (1.0 / 16.0, "4/4", "1|1+n/64"),
            (3.0 - 1e-11, "6/8", "2|1"),
            (1.5, "6/8", "1|4"),
            (2.069_03, "4/4", "1|3.069"),
            (0.062_53, "4/4", "1|1+n/64"),
            (3.999_98, "4/4", "2|1"),
            (0.000_02, "4/4", "1|1"),
            (-0.000_02, "4/4", "1|1"),
            (-0.062_53, "4/4", "1|1-n/64"),
            (0.0, "5/16", "1|1"),
        ] {
            assert_eq!(format(beats, meter(m)), text);
        }
        assert_eq!([bar_of(-0.5, Meter::COMMON), bar_of(4.0 - 1e-12, Meter::COMMON)], [0, 2]);
    }

    proptest! {
        #[test]
        fn a_written_position_reads_back(beats in -50.0f64..10_000.0, n in 1i64..=13, d in prop::sample::select(vec![1i64, 2, 4, 8, 16])) {
            let meter = Meter::new(n, d).unwrap();
            let text = format(beats, meter);
            let back = parse(&text, meter).unwrap().beats;
            prop_assert!((back - beats).abs() < 0.0001, "{beats} {text} {back}");
            let again = parse(&format(back, meter), meter).unwrap().beats;
            prop_assert!((again - back).abs() < 1e-6, "{text} {back} {again}");
            prop_assert_eq!(format(back, meter), text);
        }
    }
}
