//! How notes are written as text, beside the notation.

use crate::music::pitch::Spelling;

/// How notes are written as text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TextStyle {
    /// The clip's track holds a drum rack.
    pub drum_mode: bool,
    pub spelling: Spelling,
}

impl From<bool> for TextStyle {
    /// In `drum_mode` or not, with flats.
    fn from(drum_mode: bool) -> TextStyle {
        TextStyle { drum_mode, ..TextStyle::default() }
    }
}
