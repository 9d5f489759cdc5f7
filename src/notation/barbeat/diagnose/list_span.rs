//! How far a list of positions reaches that cannot be read: its entries, with blanks and comments where none may be.

use super::readable::{LONGEST_FIX_BYTES, count_items, is_one_item};
use crate::music::Meter;
use crate::music::text::Cursor;
use crate::notation::comments::comment_length;
use crate::notation::error::describe_odd_character;

/// What stands between two commas.
#[derive(Debug)]
pub(super) struct ListEntry {
    pub at: usize,
    pub end: usize,
    /// Without its blanks.
    pub text: String,
    /// Blanks stood in it.
    pub has_blanks: bool,
    /// One of them next to the pipe.
    pub blank_at_pipe: bool,
    /// A comment stands before it, behind the comma or before that.
    pub after_comment: bool,
}

impl ListEntry {
    /// The first character that means nothing anywhere, and its place.
    pub fn odd_character_in<'a>(&self, text: &'a str) -> Option<(usize, &'a str)> {
        let written = text.get(self.at..self.end)?;
        let (at, c) = written
            .char_indices()
            .find(|(_, c)| !matches!(c, '\u{266f}' | '\u{266d}') && describe_odd_character(*c).is_some())?;
        Some((self.at + at, written.get(at..at + c.len_utf8())?))
    }
}

/// The entries of the list at `start`, and where it ends. A comma at the end is part of it.
pub(super) fn list_entries(text: &str, start: usize, meter: Meter) -> (Vec<ListEntry>, usize) {
    let mut cursor = Cursor::new(text);
    cursor.seek(start);
    let mut list = Vec::new();
    let mut comment = false;
    loop {
        let entry = entry(&mut cursor, list.is_empty(), comment, meter);
        list.push(entry);
        let end = cursor.pos();
        comment = blanks(&mut cursor);
        if !cursor.eat(",") {
            cursor.seek(end);
            break;
        }
        let after_comma = cursor.pos();
        let commented = blanks(&mut cursor);
        let touches = cursor.pos() == after_comma;
        let goes_on = match cursor.peek() {
            Some(b'0'..=b'9' | b'.' | b'|' | b'-' | b',') => true,
            None | Some(b' ' | b'\t' | b'\r' | b'\n' | b'#' | b'/' | b'[' | b'(' | b']' | b')') => false,
            Some(_) => touches,
        };
        if !goes_on {
            cursor.seek(after_comma);
            break;
        }
        comment |= commented;
    }
    (list, cursor.pos())
}

/// Steps over blanks and comments on one line; whether there were comments.
fn blanks(cursor: &mut Cursor<'_>) -> bool {
    let mut comments = false;
    loop {
        cursor.eat_while(b" \t");
        let rest = cursor.rest();
        let inside = rest.starts_with("/*").then(|| comment_length(rest)).flatten();
        match inside.filter(|length| rest.get(..*length).is_some_and(|comment| !comment.contains(['\r', '\n']))) {
            Some(length) => cursor.seek(cursor.pos() + length),
            None => return comments,
        }
        comments = true;
    }
}

fn entry(cursor: &mut Cursor<'_>, is_first: bool, comment: bool, meter: Meter) -> ListEntry {
    let at = cursor.pos();
    let mut entry = ListEntry {
        at,
        end: at,
        text: word(cursor).to_owned(),
        has_blanks: false,
        blank_at_pipe: false,
        after_comment: comment,
    };
    entry.end = cursor.pos();
    // A longer one is wrong in any case.
    while entry.text.len() <= LONGEST_FIX_BYTES {
        let before = cursor.pos();
        cursor.eat_while(b" \t");
        let blank = cursor.pos() > before;
        let next = word(cursor);
        if !blank || next.is_empty() || !continues_entry(&entry.text, next, is_first, meter) {
            cursor.seek(before);
            break;
        }
        entry.has_blanks = true;
        entry.blank_at_pipe |= entry.text.ends_with('|') || next.starts_with('|');
        entry.text.push_str(next);
        entry.end = cursor.pos();
    }
    entry
}

/// Up to what cannot be in an entry.
fn word<'a>(cursor: &mut Cursor<'a>) -> &'a str {
    let start = cursor.pos();
    while let Some(byte) = cursor.peek() {
        let comment = byte == b'/' && matches!(cursor.peek_ahead(1), Some(b'/' | b'*'));
        if comment || matches!(byte, b' ' | b'\t' | b'\r' | b'\n' | b',' | b'#' | b'[' | b']' | b'(' | b')') {
            break;
        }
        cursor.skip_char();
    }
    cursor.since(start)
}

/// Whether the next word is a piece of the entry, torn off by a blank.
fn continues_entry(entry: &str, next: &str, is_first: bool, meter: Meter) -> bool {
    let is_number = entry.bytes().all(|b| b.is_ascii_digit());
    let joined = if is_first || entry.contains('|') { format!("{entry}{next}") } else { format!("1|{entry}{next}") };
    let reads = || is_one_item(&joined, meter);
    match next.as_bytes().first() {
        Some(b'0'..=b'9') if entry.ends_with(['|', 'x']) => true,
        Some(b'0'..=b'9' | b'n' | b'/' | b'.') if entry.ends_with(['x', '@', '+', '-']) => reads(),
        Some(b'|') => is_number,
        Some(b'x' | b'+' | b'-') => next.len() == 1 || reads(),
        Some(b'@') => entry.contains('x') && count_items(next, meter).is_none() && (next.len() == 1 || reads()),
        Some(b'd' | b't') => next.len() == 1 && reads(),
        _ => false,
    }
}
