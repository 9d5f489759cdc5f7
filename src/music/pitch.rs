//! Pitch names. C3 = MIDI 60 (middle C), C-2 = 0, G8 = 127; names are written with flats, or as a scale spells them.

use super::text::Cursor;

/// The twelve pitch classes from C, with flats.
pub const CLASS_NAMES: [&str; 12] = ["C", "Db", "D", "Eb", "E", "F", "Gb", "G", "Ab", "A", "Bb", "B"];
const SHARP_NAMES: [&str; 12] = ["C", "C#", "D", "D#", "E", "F", "F#", "G", "G#", "A", "A#", "B"];

/// Which black keys are written as sharps; by default none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Spelling {
    /// A bit for each pitch class from C.
    sharps: u16,
}

impl Spelling {
    /// Flats on all black keys.
    pub const FLATS: Spelling = Spelling { sharps: 0 };

    /// Sharps on those pitch classes.
    pub(super) fn with_sharps(classes: impl Iterator<Item = u8>) -> Spelling {
        Spelling { sharps: classes.fold(0, |sharps, class| sharps | (1 << (class % 12))) }
    }

    /// The name of a pitch's class: 61 is `Db` or `C#`.
    pub fn class_name(self, pitch: u8) -> &'static str {
        let class = pitch % 12;
        let names = if self.sharps >> class & 1 == 1 { SHARP_NAMES } else { CLASS_NAMES };
        names.get(usize::from(class)).copied().unwrap_or("C")
    }

    /// A pitch's name: 61 is `Db3` or `C#3`.
    pub fn name(self, pitch: u8) -> String {
        format!("{}{}", self.class_name(pitch), i32::from(pitch / 12) - 2)
    }
}

/// Why a text names no pitch.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadPitch {
    #[error("\"{0}\" has no octave: write {0}3, say (C3 is middle C)")]
    NoOctave(String),
    #[error("\"{0}\" is a number: pitches are named, such as C3 (middle C, 60), F#2 or Bb-1")]
    Number(String),
    #[error("{name} is pitch {}: pitches run from C-2 (0) to G8 (127)", number_text(*.number))]
    OutOfRange { name: String, number: i32 },
    #[error("\"{0}\" is no pitch: write a letter A to G, perhaps # or b, and an octave, such as C3, F#2 or Bb-1")]
    Unreadable(String),
}

/// The number that a pitch name stands for, wherever it lies, as a message tells it; past a billion it tells no more
/// than that.
pub fn number_text(number: i32) -> String {
    const MOST: i32 = 1_000_000_000;
    match number {
        MOST.. => "above 1,000,000,000".to_owned(),
        number if number <= -MOST => "below -1,000,000,000".to_owned(),
        number => number.to_string(),
    }
}

/// The MIDI pitch (0..=127) of a name such as `C3`, `f#2`, `Bb-1`.
pub fn parse(text: &str) -> Result<u8, BadPitch> {
    let mut cursor = Cursor::new(text);
    if let Some(number) = cursor.pitch()
        && cursor.is_at_end()
    {
        return u8::try_from(number)
            .ok()
            .filter(|n| *n <= 127)
            .ok_or_else(|| BadPitch::OutOfRange { name: text.to_owned(), number });
    }
    let mut cursor = Cursor::new(text);
    Err(if cursor.pitch_class().is_some() && cursor.is_at_end() {
        BadPitch::NoOctave(text.to_owned())
    } else if text.parse::<f64>().is_ok() {
        BadPitch::Number(text.to_owned())
    } else {
        BadPitch::Unreadable(text.to_owned())
    })
}

/// A pitch's name with flats: 60 is `C3`, 61 `Db3`.
pub fn name(pitch: u8) -> String {
    Spelling::FLATS.name(pitch)
}

/// The name of a pitch's number that may lie outside 0..=127: 139 is `G9`.
pub fn unbounded_name(number: i32) -> String {
    let class = u8::try_from(number.rem_euclid(12)).unwrap_or(0);
    format!("{}{}", class_name(class), number.div_euclid(12) - 2)
}

/// The name of a pitch's class with flats: 61 is `Db`.
pub fn class_name(pitch: u8) -> &'static str {
    Spelling::FLATS.class_name(pitch)
}

/// The class (0 = C .. 11 = B) of a letter with its accidental, such as `F#`, `gb`, `B`.
pub fn parse_class(text: &str) -> Option<u8> {
    let mut cursor = Cursor::new(text);
    let class = cursor.pitch_class()?;
    if cursor.is_at_end() { u8::try_from(class.rem_euclid(12)).ok() } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_names() {
        for (text, pitch) in [
            ("C3", 60),
            ("c3", 60),
            ("C-2", 0),
            ("G8", 127),
            ("C1", 36),
            ("F#2", 54),
            ("Gb2", 54),
            ("GB2", 54),
            ("bb3", 70),
            ("b3", 71),
            ("B#2", 60),
            ("Cb3", 59),
            ("E#3", 65),
            ("F\u{266f}2", 54),
            ("A\u{266d}-1", 20),
            ("C03", 60),
        ] {
            assert_eq!(parse(text), Ok(pitch), "{text}");
        }
    }

    #[test]
    fn refuses_with_a_reason() {
        for (text, want) in [
            ("", "letter"),
            ("H3", "letter"),
            ("C##3", "letter"),
            ("C 3", "letter"),
            ("Am7x", "letter"),
            ("Bb", "Bb3"),
            ("60", "C3"),
            ("G#8", "128"),
            ("Cb-2", "-1"),
            ("C99999999999999999999", "G8"),
        ] {
            let error = parse(text).unwrap_err().to_string();
            assert!(error.contains(want), "{text}: {error}");
        }
    }

    #[test]
    fn every_pitch_survives_its_name() {
        for pitch in 0..=127 {
            assert_eq!(parse(&name(pitch)), Ok(pitch));
        }
        assert_eq!([name(61), name(0), name(127), name(70)], ["Db3", "C-2", "G8", "Bb3"]);
        assert_eq!(
            [parse_class("F#"), parse_class("cb"), parse_class("B#"), parse_class("x")],
            [Some(6), Some(11), Some(0), None]
        );
    }
}
