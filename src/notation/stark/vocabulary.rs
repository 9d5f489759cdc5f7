//! The fixed words of the notation: lengths, drums, chord qualities.

use crate::music::Beats;

/// A time or length in 24ths of a quarter beat; every length that can be written is a whole number of them.
pub(super) type Ticks = u64;

const TICKS_PER_BEAT: f64 = 24.0;

pub(super) fn beats(ticks: Ticks) -> Beats {
    ticks as f64 / TICKS_PER_BEAT
}

/// Ticks, perhaps a broken number of them.
pub(super) fn ticks_in(beats: Beats) -> f64 {
    beats * TICKS_PER_BEAT
}

/// A quarter: the length of tokens on most lines.
pub(super) const QUARTER: Ticks = 24;
pub(super) const WHOLE: Ticks = 96;
/// The longest length.
pub(super) const LONGEST: Ticks = 144;

/// The lengths that can be written, from the longest.
pub(super) const LENGTHS: [(Ticks, &str); 15] = [
    (144, "/1."),
    (96, "/1"),
    (72, "/2."),
    (64, "/1t"),
    (48, "/2"),
    (36, "/4."),
    (32, "/2t"),
    (24, "/4"),
    (18, "/8."),
    (16, "/4t"),
    (12, "/8"),
    (9, "/16."),
    (8, "/8t"),
    (6, "/16"),
    (4, "/16t"),
];

/// How loud, and the velocities it is drawn from, both ends included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Level {
    Soft,
    Normal,
    Accent,
}

impl Level {
    pub fn velocities(self) -> (u8, u8) {
        match self {
            Level::Soft => (60, 80),
            Level::Normal => (100, 110),
            Level::Accent => (115, 127),
        }
    }

    /// The level that a velocity is written as.
    pub fn from_velocity(velocity: f64) -> Level {
        if velocity < 90.0 {
            Level::Soft
        } else if velocity < 112.0 {
            Level::Normal
        } else {
            Level::Accent
        }
    }
}

/// Drums by their long and short name.
pub(super) const DRUMS: [(&str, &str, u8); 16] = [
    ("kick", "bd", 36),
    ("rimshot", "rs", 37),
    ("snare", "sd", 38),
    ("clap", "cl", 39),
    ("snare2", "s2", 40),
    ("tom4", "ft", 41),
    ("hihat", "hh", 42),
    ("tom3", "lt", 43),
    ("pedal", "ph", 44),
    ("tom2", "mt", 45),
    ("open", "oh", 46),
    ("tom1", "ht", 47),
    ("perc1", "p1", 48),
    ("crash", "cc", 49),
    ("perc2", "p2", 50),
    ("ride", "rc", 51),
];

/// The long name of a drum's pitch.
pub(super) fn drum_name(pitch: u8) -> Option<&'static str> {
    DRUMS.iter().find(|(_, _, drum)| *drum == pitch).map(|(name, _, _)| *name)
}

/// The semitones above the root of a chord quality. `b` and `#` stand for the flat and sharp signs too.
pub(super) fn quality_intervals(name: &str) -> Option<&'static [u8]> {
    Some(match name {
        "" | "maj" | "M" => &[0, 4, 7],
        "m" | "min" => &[0, 3, 7],
        "dim" => &[0, 3, 6],
        "aug" | "+" => &[0, 4, 8],
        "sus2" => &[0, 2, 7],
        "sus4" | "sus" => &[0, 5, 7],
        "5" => &[0, 7],
        "6" => &[0, 4, 7, 9],
        "m6" | "min6" => &[0, 3, 7, 9],
        "69" => &[0, 4, 7, 9, 14],
        "m69" => &[0, 3, 7, 9, 14],
        "7" => &[0, 4, 7, 10],
        "maj7" | "M7" => &[0, 4, 7, 11],
        "m7" | "min7" => &[0, 3, 7, 10],
        "m7b5" => &[0, 3, 6, 10],
        "dim7" => &[0, 3, 6, 9],
        "aug7" | "7#5" => &[0, 4, 8, 10],
        "7b5" => &[0, 4, 6, 10],
        "7b9" => &[0, 4, 7, 10, 13],
        "7#9" => &[0, 4, 7, 10, 15],
        "7#11" => &[0, 4, 7, 10, 18],
        "mMaj7" => &[0, 3, 7, 11],
        "9" => &[0, 4, 7, 10, 14],
        "maj9" | "M9" => &[0, 4, 7, 11, 14],
        "m9" | "min9" => &[0, 3, 7, 10, 14],
        "add9" => &[0, 4, 7, 14],
        "madd9" => &[0, 3, 7, 14],
        "11" => &[0, 4, 7, 10, 14, 17],
        "m11" => &[0, 3, 7, 10, 14, 17],
        "maj11" => &[0, 4, 7, 11, 14, 17],
        "add11" => &[0, 4, 7, 17],
        "13" => &[0, 4, 7, 10, 14, 21],
        "m13" => &[0, 3, 7, 10, 14, 21],
        "maj13" => &[0, 4, 7, 11, 14, 21],
        "add13" => &[0, 4, 7, 21],
        _ => return None,
    })
}
