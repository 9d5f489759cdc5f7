//! A text that could be read: its lines, their tokens, and the pitches of these.

use super::vocabulary::{Level, QUARTER, Ticks, WHOLE};
use crate::notation::warnings::Warnings;
use std::ops::Range;

/// What a line holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LineKind {
    /// Hits of one pitch; the number may lie outside 0..=127.
    Drum(i32),
    /// Notes; the pitch of a bare C.
    Pitched(i32),
    Chords,
}

impl LineKind {
    pub fn default_length(self) -> Ticks {
        if self == LineKind::Chords { WHOLE } else { QUARTER }
    }

    pub fn register(self) -> i32 {
        match self {
            LineKind::Pitched(register) => register,
            LineKind::Drum(_) | LineKind::Chords => 48,
        }
    }
}

/// A voice; it starts at 0, like every other one.
#[derive(Clone, Debug)]
pub(super) struct Section {
    pub kind: LineKind,
    /// The bytes of the header's word.
    pub header: Range<usize>,
    /// Which of [`Score::tokens`] are its own.
    pub tokens: Range<usize>,
}

#[derive(Clone, Debug)]
pub(super) struct Token {
    /// The byte it starts at.
    pub at: usize,
    /// A hit, whose pitch the section knows.
    pub sounds: bool,
    /// Which of [`Score::pitches`] sound together.
    pub pitches: Range<usize>,
    pub length: Ticks,
    pub level: Level,
    /// How many times in a row, from 1.
    pub count: u64,
}

/// A text that can be read.
#[derive(Default)]
pub(super) struct Score {
    pub sections: Vec<Section>,
    pub tokens: Vec<Token>,
    pub pitches: Vec<u8>,
    pub warnings: Warnings,
}
