//! A text as items, or everything that is wrong with it.

use super::diagnose::{PreviousItem, diagnose, foreign_line, semantic_findings};
use super::grammar::{at_boundary, read_item};
use super::item::{Item, SpannedItem};
use super::problem::Finding;
use crate::music::Meter;
use crate::music::text::Cursor;
use crate::notation::comments::skip_blanks_and_comments;
use crate::notation::error::MAX_MISTAKES;
use crate::notation::error::NotationError;

/// All items of a text. After a mistake reading goes on behind what could not be read, so that independent mistakes are
/// found in one go.
pub(super) fn read(text: &str, meter: Meter) -> Result<Vec<SpannedItem>, NotationError> {
    let mut cursor = Cursor::new(text);
    let mut items: Vec<SpannedItem> = Vec::new();
    let mut findings: Vec<Finding> = Vec::new();
    // The item just before, for a mistake that is a blank inside an item.
    let mut previous = None;
    // One more than is reported, to know that there are more.
    while findings.len() <= MAX_MISTAKES {
        skip_blanks_and_comments(&mut cursor);
        if cursor.is_at_end() {
            break;
        }
        let start = cursor.pos();
        let before = items.len();
        let reads = read_item(&mut cursor, meter, &mut items).is_some();
        let fits = reads && at_boundary(&cursor);
        if !fits && let Some(line) = foreign_line(text, start, meter) {
            findings.retain(|finding| finding.at < line.at);
            cursor.seek(line.resume);
            findings.push(line);
            previous = None;
            continue;
        }
        let new = items.get(before..).unwrap_or(&[]);
        // A list with a mistake is diagnosed as a whole.
        if fits || !matches!(new, [SpannedItem { item: Item::Position(_), .. }, ..]) {
            let problem = new.iter().flat_map(|written| semantic_findings(text, written, meter));
            findings.extend(problem.take(MAX_MISTAKES + 1));
        }
        if !fits {
            let found = diagnose(text, start, reads.then_some(cursor.pos()), previous, meter);
            let resume = found.iter().map(|finding| finding.resume).max().unwrap_or(start);
            cursor.seek(resume);
            if resume <= start {
                // Always go on, so that reading comes to an end.
                cursor.seek(start);
                cursor.skip_char();
            }
            findings.extend(found);
        }
        previous = Some(PreviousItem { start, end: cursor.pos(), reads: fits });
    }
    if findings.is_empty() {
        return Ok(items);
    }
    findings.sort_by_key(|finding| finding.at);
    let more = findings.len() > MAX_MISTAKES;
    let mistakes = findings.into_iter().take(MAX_MISTAKES).map(|finding| finding.into_mistake(text)).collect();
    Err(NotationError::Mistakes { notation: "barbeat", mistakes, more })
}
