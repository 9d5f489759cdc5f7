//! Whether a text that is offered in place of another can be read.

use crate::music::Meter;
use crate::music::text::Cursor;
use crate::notation::barbeat::grammar::{at_boundary, read_item};
use crate::notation::barbeat::item::SpannedItem;
use crate::notation::comments::skip_blanks_and_comments;

/// Fixes for longer texts than this are not tried.
pub(super) const LONGEST_FIX_BYTES: usize = 200;

/// How many items a text is, if it can be read.
pub(super) fn count_items(text: &str, meter: Meter) -> Option<usize> {
    let mut cursor = Cursor::new(text);
    let mut items = Vec::new();
    let mut count = 0;
    loop {
        skip_blanks_and_comments(&mut cursor);
        if cursor.is_at_end() {
            return items.iter().all(|written: &SpannedItem| written.semantic_problem(text).is_none()).then_some(count);
        }
        read_item(&mut cursor, meter, &mut items)?;
        if !at_boundary(&cursor) {
            return None;
        }
        count += 1;
    }
}

/// Whether a text is exactly one item.
pub(super) fn is_one_item(candidate: &str, meter: Meter) -> bool {
    candidate.len() <= LONGEST_FIX_BYTES
        && count_items(candidate, meter) == Some(1)
        && !candidate.starts_with([' ', '\t'])
}

/// Whether a text can be read and holds an item.
pub(super) fn is_readable(candidate: &str, meter: Meter) -> bool {
    candidate.len() <= LONGEST_FIX_BYTES && count_items(candidate, meter).is_some_and(|count| count > 0)
}
