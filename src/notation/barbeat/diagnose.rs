//! What was probably meant by something that cannot be read.
//!
//! Nothing here changes what is accepted, and a fix is only offered if it can be read. The work is linear in what is
//! looked at, and at most ten mistakes are looked at in a text.

mod bracket;
mod broken_word;
mod foreign_line;
mod lengths;
mod list;
mod list_entry;
mod list_span;
mod readable;
mod semantic;
mod word;
mod word_kinds;
mod words;

use super::item::{Item, SpannedItem};
use super::problem::{Finding, Problem};
use crate::music::Meter;
use crate::music::text::slice;
use bracket::bracket_findings;
use broken_word::BrokenWord;
use list::list_findings;
use semantic::semantic_finding;
pub(super) use words::PreviousItem;
use words::word_at;

/// The mistakes of an item that follows the grammar, if it has any.
pub(super) fn semantic_findings(text: &str, written: &SpannedItem, meter: Meter) -> Vec<Finding> {
    let Some(problem) = written.semantic_problem(text) else { return Vec::new() };
    if let Item::Pattern(_) = written.item {
        let findings = bracket_findings(text, written.start, meter);
        if !findings.is_empty() {
            return findings;
        }
    }
    vec![semantic_finding(text, written, problem, meter)]
}

/// The line around `at`, if it is wholly written in another notation: one finding for all of it.
pub(super) fn foreign_line(text: &str, at: usize, meter: Meter) -> Option<Finding> {
    let from = slice(text, ..at).rfind(['\n', '\r']).map_or(0, |end| end + 1);
    let end = slice(text, at..).find(['\n', '\r']).map_or(text.len(), |length| at + length);
    let line = slice(text, from..end);
    let (fix, length) = foreign_line::rewritten(line, meter)?;
    let found = slice(line, ..length).trim_start();
    let (from, found) = (from + length - found.len(), found.to_owned());
    Some(Finding { at: from, found, problem: Problem::OtherLine, fix: Some(fix), resume: end })
}

/// Everything that is wrong at `start`. `item_end`: an item could be read there, but something touches its end.
pub(super) fn diagnose(
    text: &str,
    start: usize,
    item_end: Option<usize>,
    previous: Option<PreviousItem>,
    meter: Meter,
) -> Vec<Finding> {
    let rest = slice(text, start..);
    if rest.starts_with("/*") {
        let found = "/*".to_owned();
        return vec![Finding { at: start, found, problem: Problem::Comment, fix: None, resume: text.len() }];
    }
    if item_end.is_none() && rest.starts_with(['[', '(']) {
        return bracket_findings(text, start, meter);
    }
    let in_list = list_findings(text, start, item_end, previous, meter);
    if !in_list.is_empty() {
        return in_list;
    }
    let word = if rest.starts_with(['[', '(']) {
        // The bracket itself was read; what touches its end was not.
        let end = item_end.unwrap_or(start);
        slice(text, start..end + word_at(text, end).len())
    } else {
        word_at(text, start)
    };
    let context = BrokenWord { text, word, start, item_end, previous, meter };
    vec![context.diagnose()]
}
