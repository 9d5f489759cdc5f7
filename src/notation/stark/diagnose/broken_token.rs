//! Where in a line something cannot be read.

use super::line_text::is_readable_line;
use crate::notation::stark::score::LineKind;

/// Where in a line something cannot be read.
#[derive(Clone, Copy)]
pub(in crate::notation::stark) struct BrokenToken {
    /// Where the tokens start that nothing was found wrong with.
    pub from: usize,
    /// The last of these tokens.
    pub previous: Option<usize>,
    pub at: usize,
    pub kind: LineKind,
}

impl BrokenToken {
    /// Whether a token can be read on this kind of line.
    pub fn can_read(self, token: &str) -> bool {
        let header = match self.kind {
            LineKind::Drum(_) => "kick",
            LineKind::Pitched(_) => "melody",
            LineKind::Chords => "chords",
        };
        is_readable_line(&format!("{header}: {token}"))
    }
}
