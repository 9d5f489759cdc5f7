//! How reading goes on behind what cannot be read.

use crate::music::text::Cursor;

/// Goes to the next of `stops` that is not inside of a string, list or object that starts on the way; else to the end.
pub(super) fn skip_to(cursor: &mut Cursor<'_>, stops: &[u8]) {
    let mut pairs = true;
    let mut before = b' ';
    while let Some(byte) = cursor.peek().filter(|byte| !stops.contains(byte)) {
        // No string starts inside of a word.
        let begins = pairs && !(before.is_ascii_alphanumeric() && b"\"'".contains(&byte));
        before = byte;
        let whole = if begins { end_of_value(cursor, byte) } else { None };
        match whole {
            Some(end) => cursor.seek(end),
            None => {
                // What is never closed is not looked for again.
                pairs &= !(begins && b"[{\"'".contains(&byte));
                cursor.skip_char();
            }
        }
    }
}

/// The end of the string, list or object that starts here with `byte`.
fn end_of_value(cursor: &Cursor<'_>, byte: u8) -> Option<usize> {
    let rest = cursor.rest().as_bytes();
    let mut quote = None;
    let mut depth = 0_usize;
    if !b"[{\"'".contains(&byte) {
        return None;
    }
    for (ahead, byte) in rest.iter().enumerate() {
        match (quote, byte) {
            // No string goes over a line's end.
            (Some(_), b'\n' | b'\r') => return None,
            (Some(open), byte) if byte == open => quote = None,
            (Some(_), _) => continue,
            (None, b'"' | b'\'') => quote = Some(byte),
            (None, b'[' | b'{') => depth += 1,
            (None, b']' | b'}') => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth == 0 && quote.is_none() {
            return Some(cursor.pos() + ahead + 1);
        }
    }
    None
}
