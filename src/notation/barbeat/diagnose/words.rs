//! The words of a text that cannot be read, and the item that stands before them.

use crate::music::text::{Cursor, slice};

/// The word at a place: up to a blank, a comment or a `[`. A `(` that is closed in the word is part of it.
pub(super) fn word_at(text: &str, start: usize) -> &str {
    let rest = slice(text, start..);
    let mut before = 'C';
    let mut open = None;
    for (at, c) in rest.char_indices() {
        let comment = match c {
            '/' => rest.get(at + 1..).is_some_and(|after| after.starts_with(['/', '*'])),
            // A sharp, or too many of them.
            '#' => at > 0 && !before.is_alphabetic() && before != '#',
            _ => false,
        };
        if comment || matches!(c, ' ' | '\t' | '\r' | '\n') || c == '[' && at > 0 {
            return slice(rest, ..open.unwrap_or(at));
        }
        match c {
            '(' if at > 0 => open = open.or(Some(at)),
            ')' => open = None,
            _ => {}
        }
        before = c;
    }
    slice(rest, ..open.unwrap_or(rest.len()))
}

/// The next word on the same line.
pub(super) fn next_word(text: &str, from: usize) -> Option<(usize, &str)> {
    let rest = text.get(from..)?;
    let blanks = rest.len() - rest.trim_start_matches([' ', '\t']).len();
    let word = word_at(text, from + blanks);
    (blanks > 0 && !word.is_empty()).then_some((from + blanks, word))
}

/// What stands before a mistake.
#[derive(Clone, Copy)]
pub(in crate::notation::barbeat) struct PreviousItem {
    pub start: usize,
    pub end: usize,
    /// It could be read.
    pub reads: bool,
}

impl PreviousItem {
    fn text(self, text: &str) -> &str {
        slice(text, self.start..self.end)
    }

    pub fn is_position(self, text: &str) -> bool {
        self.text(text).contains('|')
    }

    /// A note, with its octave.
    pub fn is_note(self, text: &str) -> bool {
        let mut cursor = Cursor::new(self.text(text));
        cursor.pitch().is_some() && cursor.is_at_end()
    }

    /// A position or a copy of bars.
    pub fn is_place(self, text: &str) -> bool {
        self.is_position(text) || self.text(text).starts_with('@')
    }
}
