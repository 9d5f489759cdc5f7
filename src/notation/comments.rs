//! Blanks and comments, where a notation has them.

use crate::music::text::Cursor;

/// Blanks and comments. A comment that is never closed is left standing.
pub(super) fn skip_blanks_and_comments(cursor: &mut Cursor<'_>) {
    loop {
        cursor.eat_while(b" \t\r\n");
        let rest = cursor.rest();
        let length = match comment_length(rest) {
            Some(length) => length,
            None => return,
        };
        cursor.seek(cursor.pos() + length);
    }
}

/// The length of the closed comment that `rest` starts with.
pub(super) fn comment_length(rest: &str) -> Option<usize> {
    if rest.starts_with('#') || rest.starts_with("//") {
        return Some(rest.find(['\r', '\n']).unwrap_or(rest.len()));
    }
    let inside = rest.strip_prefix("/*")?;
    inside.find("*/").map(|at| at + 4)
}
