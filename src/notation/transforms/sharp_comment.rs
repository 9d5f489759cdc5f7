//! A `#` that starts a comment where a sharp was probably meant.

use crate::music::text::Cursor;

/// What to say of a `#` right behind a pitch (`C3#`): it starts a comment, and all behind it is dropped unread. `line`
/// is one that was read.
pub(super) fn sharp_behind_pitch(line: &str) -> Option<String> {
    let comment = comment_start(line)?;
    let (code, rest) = line.split_at_checked(comment)?;
    if !rest.starts_with('#') {
        return None;
    }
    let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '#' | '\u{266f}' | '\u{266d}');
    let start = code.trim_end_matches(is_part).len();
    // The octave below 0 has a minus, which is also what stands between two pitches.
    let before = code.get(..start)?.strip_suffix('-').map(|before| before.trim_end_matches(is_part).len());
    [before, Some(start)].into_iter().flatten().find_map(|at| {
        let written = code.get(at..)?;
        let mut cursor = Cursor::new(written);
        cursor.pitch().filter(|_| cursor.is_at_end())?;
        let letter = written.get(..1)?.to_ascii_uppercase();
        let plain = written.get(1..)?.strip_prefix(|c: char| c == '-' || c.is_ascii_digit()).is_some();
        let meant = if plain { format!("; {letter} sharp is {letter}#{}", written.get(1..)?) } else { String::new() };
        Some(format!("the # right behind {written} starts a comment{meant}"))
    })
}

/// Where the first comment that goes to the end of the line starts. A `#` behind a note letter is a sharp.
fn comment_start(line: &str) -> Option<usize> {
    let mut cursor = Cursor::new(line);
    let mut was_letter = false;
    while let Some(byte) = cursor.peek() {
        match byte {
            b'/' if cursor.peek_ahead(1) == Some(b'/') => return Some(cursor.pos()),
            b'/' if cursor.peek_ahead(1) == Some(b'*') => {
                let length = cursor.rest().find("*/").map_or(line.len(), |length| length + 2);
                cursor.seek(cursor.pos() + length);
                was_letter = false;
                continue;
            }
            b'#' if !was_letter => return Some(cursor.pos()),
            _ => {}
        }
        // The letter of a pitch stands alone: `C#3`, not the last one of a word.
        let behind_word =
            cursor.pos() > 0 && line.as_bytes().get(cursor.pos() - 1).is_some_and(u8::is_ascii_alphanumeric);
        was_letter = matches!(byte.to_ascii_uppercase(), b'A'..=b'G') && !behind_word;
        cursor.skip_char();
    }
    None
}
