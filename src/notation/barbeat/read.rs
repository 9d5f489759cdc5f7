//! A text as items, or everything that is wrong with it.

use super::diagnose::{Before, diagnose, unfit};
use super::item::{Item, Written, at_boundary, item};
use super::problem::Finding;
use crate::music::Meter;
use crate::music::text::Cursor;
use crate::notation::NotationErrors;
use crate::notation::error::MAX_MISTAKES;
use crate::notation::gap::gap;

/// All items of a text. After a mistake reading goes on behind what could not be read, so that independent mistakes are
/// found in one go.
pub(super) fn read(text: &str, meter: Meter) -> Result<Vec<Written>, NotationErrors> {
    let mut cursor = Cursor::new(text);
    let mut items: Vec<Written> = Vec::new();
    let mut findings: Vec<Finding> = Vec::new();
    // What stands just before, for a mistake that is a blank inside an item.
    let mut previous = None;
    // One more than is told of, to know that there are more.
    while findings.len() <= MAX_MISTAKES {
        gap(&mut cursor);
        if cursor.is_done() {
            break;
        }
        let start = cursor.at();
        let before = items.len();
        let reads = item(&mut cursor, meter, &mut items).is_some();
        let fits = reads && at_boundary(&cursor);
        let new = items.get(before..).unwrap_or(&[]);
        // A list that something is wrong with is looked at as a whole.
        if fits || !matches!(new, [Written { item: Item::Spot(_), .. }, ..]) {
            let unfit = new.iter().flat_map(|written| unfit(text, written, meter));
            findings.extend(unfit.take(MAX_MISTAKES + 1));
        }
        if !fits {
            let found = diagnose(text, start, reads.then_some(cursor.at()), previous, meter);
            let resume = found.iter().map(|finding| finding.resume).max().unwrap_or(start);
            cursor.go(resume);
            if resume <= start {
                // Never twice in one place.
                cursor.go(start);
                cursor.skip_char();
            }
            findings.extend(found);
        }
        previous = Some(Before { start, end: cursor.at(), reads: fits });
    }
    if findings.is_empty() {
        return Ok(items);
    }
    findings.sort_by_key(|finding| finding.at);
    let more = findings.len() > MAX_MISTAKES;
    let mistakes = findings.into_iter().take(MAX_MISTAKES).map(|finding| finding.mistake(text)).collect();
    Err(NotationErrors::Mistakes { notation: "barbeat", mistakes, more })
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
