//! A text as items, or everything that is wrong with it.

use super::diagnose::{diagnose, unfit};
use super::item::{Written, at_boundary, item};
use super::problem::Finding;
use crate::music::Meter;
use crate::music::text::Cursor;
use crate::notation::error::MAX_MISTAKES;
use crate::notation::gap::gap;
use crate::notation::{Mistake, NotationErrors};

/// All items of a text. After a mistake reading goes on behind what could not be read, so that independent mistakes are
/// found in one go.
pub(super) fn read(text: &str, meter: Meter) -> Result<Vec<Written>, NotationErrors> {
    let mut cursor = Cursor::new(text);
    let mut items: Vec<Written> = Vec::new();
    let mut mistakes: Vec<Mistake> = Vec::new();
    // The item just before, for a mistake that is a blank inside an item.
    let mut previous = None;
    while mistakes.len() < MAX_MISTAKES {
        gap(&mut cursor);
        if cursor.is_done() {
            break;
        }
        let start = cursor.at();
        let before = items.len();
        let read = item(&mut cursor, meter, &mut items).is_some();
        if read {
            let unfits = items.get(before..).unwrap_or(&[]).iter().filter_map(|written| unfit(text, written, meter));
            mistakes.extend(unfits.take(MAX_MISTAKES - mistakes.len()).map(|finding| finding.mistake(text)));
            if at_boundary(&cursor) {
                previous = Some((start, cursor.at()));
                continue;
            }
        }
        if mistakes.len() >= MAX_MISTAKES {
            break;
        }
        let finding: Finding = diagnose(text, start, read.then_some(cursor.at()), previous, meter);
        cursor.go(finding.resume);
        if finding.resume <= start {
            // Never twice in one place.
            cursor.go(start);
            cursor.skip_char();
        }
        previous = None;
        mistakes.push(finding.mistake(text));
    }
    if mistakes.is_empty() { Ok(items) } else { Err(NotationErrors::stopped("barbeat", mistakes)) }
}

/// How many items a text is, if it can be read.
pub(super) fn count_items(text: &str, meter: Meter) -> Option<usize> {
    let mut cursor = Cursor::new(text);
    let mut items = Vec::new();
    let mut count = 0;
    loop {
        gap(&mut cursor);
        if cursor.is_done() {
            return items.iter().all(|written: &Written| written.unfit(text).is_none()).then_some(count);
        }
        item(&mut cursor, meter, &mut items)?;
        if !at_boundary(&cursor) {
            return None;
        }
        count += 1;
    }
}
