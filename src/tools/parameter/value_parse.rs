//! The text of a value that is written: a number with or without its unit, `inf`, a pan such as `25L`.

/// What numbers of a parameter count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    Hertz,
    Milliseconds,
    Decibels,
    Percent,
    Semitones,
    /// -1..=1; the host's display counts 50 steps to each side.
    Pan,
    /// A MIDI pitch, shown by its name.
    Note,
    Cents,
    Degrees,
    Octaves,
    ScaleDegrees,
    Bare,
}

/// Spellings of units in lower case, and how many of the unit one is.
const SPELLINGS: [(&str, Unit, f64); 30] = [
    ("hz", Unit::Hertz, 1.0),
    ("hertz", Unit::Hertz, 1.0),
    ("khz", Unit::Hertz, 1000.0),
    // So print a few of Live's own.
    ("k", Unit::Hertz, 1000.0),
    ("ms", Unit::Milliseconds, 1.0),
    ("msec", Unit::Milliseconds, 1.0),
    ("milliseconds", Unit::Milliseconds, 1.0),
    ("s", Unit::Milliseconds, 1000.0),
    ("sec", Unit::Milliseconds, 1000.0),
    ("seconds", Unit::Milliseconds, 1000.0),
    ("db", Unit::Decibels, 1.0),
    ("decibels", Unit::Decibels, 1.0),
    ("%", Unit::Percent, 1.0),
    ("percent", Unit::Percent, 1.0),
    ("st", Unit::Semitones, 1.0),
    ("semitone", Unit::Semitones, 1.0),
    ("semitones", Unit::Semitones, 1.0),
    ("ct", Unit::Cents, 1.0),
    ("cent", Unit::Cents, 1.0),
    ("cents", Unit::Cents, 1.0),
    ("deg", Unit::Degrees, 1.0),
    ("degrees", Unit::Degrees, 1.0),
    ("°", Unit::Degrees, 1.0),
    ("oct", Unit::Octaves, 1.0),
    ("octaves", Unit::Octaves, 1.0),
    ("sd", Unit::ScaleDegrees, 1.0),
    ("scale degrees", Unit::ScaleDegrees, 1.0),
    // A pan's sides count steps; the sign of the left one is put on below.
    ("l", Unit::Pan, -0.02),
    ("r", Unit::Pan, 0.02),
    ("note", Unit::Note, 1.0),
];

impl Unit {
    /// The unit of a label, or of the device table.
    pub fn of_label(label: &str) -> Unit {
        let label = label.trim().to_lowercase();
        match label.as_str() {
            "pan" => Unit::Pan,
            label => SPELLINGS.iter().find(|(word, ..)| *word == label).map_or(Unit::Bare, |(_, unit, _)| *unit),
        }
    }

    pub fn label(self) -> &'static str {
        match self {
            Unit::Hertz => "Hz",
            Unit::Milliseconds => "ms",
            Unit::Decibels => "dB",
            Unit::Percent => "%",
            Unit::Semitones => "st",
            Unit::Pan => "pan",
            Unit::Note => "note",
            Unit::Cents => "ct",
            Unit::Degrees => "deg",
            Unit::Octaves => "oct",
            Unit::ScaleDegrees => "sd",
            Unit::Bare => "",
        }
    }

    /// As answers name it.
    pub fn published(self) -> Option<&'static str> {
        match self {
            Unit::Semitones => Some("semitones"),
            Unit::Cents => Some("cents"),
            Unit::Degrees => Some("degrees"),
            Unit::Octaves => Some("octaves"),
            Unit::ScaleDegrees => Some("scale degrees"),
            Unit::Bare => None,
            unit => Some(unit.label()),
        }
    }

    /// In a sentence.
    pub fn in_words(self) -> &'static str {
        match self {
            Unit::Bare => "a bare number",
            Unit::Pan => "a pan, such as 20L, C or 20R, or a number from -1 to 1",
            Unit::Note => "a note name",
            unit => unit.published().unwrap_or(unit.label()),
        }
    }

    /// A number read from a label, as `display_value` counts.
    pub fn in_labels(self, number: f64) -> f64 {
        if self == Unit::Pan { number * 50.0 } else { number }
    }
}

/// In front of ratios whose second part changes.
const ONE_TO: &str = "1:";

/// Behind ratios whose first part changes.
const TO_ONE: &str = ":1";

/// The second part of a ratio such as `1 : 2.5`.
pub fn of_one_to(text: &str) -> Option<&str> {
    let rest = text.trim().strip_prefix('1')?.trim_start().strip_prefix(':')?;
    Some(rest.trim())
}

/// `inf` or `-inf`, with or without a unit behind it, alone or in a ratio.
pub fn infinite(text: &str) -> Option<&'static str> {
    let packed = text.split_whitespace().collect::<String>().to_lowercase();
    let lower = packed.strip_prefix(ONE_TO).unwrap_or(&packed);
    let lower = lower.strip_suffix(TO_ONE).unwrap_or(lower);
    let (word, rest) = match lower.strip_prefix("-inf") {
        Some(rest) => ("-inf", rest),
        None => ("inf", lower.strip_prefix("inf").or(lower.strip_prefix("+inf"))?),
    };
    let rest = rest.strip_prefix("inity").unwrap_or(rest);
    (rest.is_empty() || Unit::of_label(rest) != Unit::Bare).then_some(word)
}

/// The number of a raw value, written as such: `0.75 raw`.
pub fn raw_number(text: &str) -> Option<f64> {
    let (number, tail) = split(text)?;
    tail.eq_ignore_ascii_case("raw").then_some(number)
}

/// A number at the front of a text, and what stands behind it.
fn split(text: &str) -> Option<(f64, &str)> {
    let text = text.trim();
    let signed = text.strip_prefix(['+', '-', '\u{2212}']);
    let sign = if signed.is_some() && !text.starts_with('+') { -1.0 } else { 1.0 };
    let digits = signed.unwrap_or(text).trim_start();
    let mut end = digits.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(digits.len());
    // 1e-05 is how programs print small numbers.
    if let Some(exponent) = digits.get(end..).and_then(|rest| rest.strip_prefix(['e', 'E'])) {
        let power = exponent.strip_prefix(['-', '+']).unwrap_or(exponent);
        let length = power.bytes().take_while(u8::is_ascii_digit).count();
        if length > 0 {
            end += 1 + (exponent.len() - power.len()) + length;
        }
    }
    let (number, tail) = (digits.get(..end)?, digits.get(end..)?);
    let number: f64 = number.parse().ok()?;
    (number.is_finite() && number.abs() < 1e12).then_some((sign * number, tail.trim()))
}

/// A number and its unit, if it has one that is known: `1.5 kHz` is 1500 Hz.
pub fn number_of(text: &str) -> Option<(f64, Option<Unit>)> {
    match read(text)? {
        ParsedNumber { number, unit: WrittenUnit::None } => Some((number, None)),
        ParsedNumber { number, unit: WrittenUnit::Known(unit) } => Some((number, Some(unit))),
        ParsedNumber { unit: WrittenUnit::Other(_), .. } => None,
    }
}

/// A value that begins with a number.
#[derive(Clone, Debug, PartialEq)]
pub struct ParsedNumber {
    /// In the unit, kHz and seconds brought to Hz and ms, a side of a pan to -1..=1.
    pub number: f64,
    pub unit: WrittenUnit,
}

#[derive(Clone, Debug, PartialEq)]
pub enum WrittenUnit {
    None,
    Known(Unit),
    /// Letter for letter what stands behind the number.
    Other(String),
}

/// Reads a value that begins with a number.
pub fn read(text: &str) -> Option<ParsedNumber> {
    if matches!(text.trim().to_lowercase().as_str(), "c" | "center" | "centre") {
        return Some(ParsedNumber { number: 0.0, unit: WrittenUnit::Known(Unit::Pan) });
    }
    let (number, tail) = split(text)?;
    let lower = tail.to_lowercase();
    Some(match SPELLINGS.iter().find(|(word, ..)| *word == lower) {
        _ if tail.is_empty() => ParsedNumber { number, unit: WrittenUnit::None },
        Some((_, unit, factor)) => ParsedNumber { number: number * factor, unit: WrittenUnit::Known(*unit) },
        None => ParsedNumber { number, unit: WrittenUnit::Other(tail.to_owned()) },
    })
}

/// What stands behind a number, for comparing units that nobody lists.
pub fn tail(text: &str) -> Option<String> {
    split(text).map(|(_, tail)| tail.split_whitespace().collect::<String>().to_lowercase())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn numbers_and_units() {
        let known = |text: &str| number_of(text);
        for (text, number, unit) in [
            ("1200", 1200.0, None),
            ("1.2 kHz", 1200.0, Some(Unit::Hertz)),
            ("850Hz", 850.0, Some(Unit::Hertz)),
            ("-6 dB", -6.0, Some(Unit::Decibels)),
            ("+3.5dB", 3.5, Some(Unit::Decibels)),
            ("\u{2212}12 st", -12.0, Some(Unit::Semitones)),
            ("80 ms", 80.0, Some(Unit::Milliseconds)),
            ("1.5 s", 1500.0, Some(Unit::Milliseconds)),
            ("50%", 50.0, Some(Unit::Percent)),
            ("25L", -0.5, Some(Unit::Pan)),
            ("50 R", 1.0, Some(Unit::Pan)),
            ("C", 0.0, Some(Unit::Pan)),
            ("1e-3", 0.001, None),
            (".5", 0.5, None),
        ] {
            assert_eq!(known(text), Some((number, unit)), "{text}");
        }
        for text in ["", "loud", "-", "1 parsec", "--1", "1e999", "NaN", "0x10", "1.2.3"] {
            assert_eq!(known(text), None, "{text}");
        }
        let other = read("4.00 : 1").unwrap();
        assert_eq!(other, ParsedNumber { number: 4.0, unit: WrittenUnit::Other(": 1".to_owned()) });
        assert_eq!((tail("2 : 1"), tail("4.00 :1")), (Some(":1".to_owned()), Some(":1".to_owned())));
    }

    #[test]
    fn ratios_and_raw_numbers() {
        for (text, rest) in [("1 : 2.50", Some("2.50")), ("1:4", Some("4")), ("4 : 1", None), ("10 : 1", None)] {
            assert_eq!(of_one_to(text), rest, "{text}");
        }
        for (text, raw) in [("0.75 raw", Some(0.75)), ("-1raw", Some(-1.0)), ("3 RAW", Some(3.0)), ("raw", None)] {
            assert_eq!(raw_number(text), raw, "{text}");
        }
    }

    #[test]
    fn infinity_is_a_word() {
        for (text, word) in [
            ("inf", Some("inf")),
            ("-inf dB", Some("-inf")),
            (" -INF", Some("-inf")),
            ("inf s", Some("inf")),
            ("+infinity", Some("inf")),
            ("inf : 1", Some("inf")),
            ("1 : inf", Some("inf")),
            ("info", None),
            ("infinite", None),
            ("6 dB", None),
        ] {
            assert_eq!(infinite(text), word, "{text}");
        }
    }

    proptest! {
        #[test]
        fn any_text_is_read_or_not(text in ".{0,24}") {
            let _ = (read(&text), infinite(&text), tail(&text));
        }

        #[test]
        fn a_number_reads_as_itself(number in -1e6f64..1e6) {
            prop_assert_eq!(number_of(&number.to_string()), Some((number, None)));
        }
    }
}
