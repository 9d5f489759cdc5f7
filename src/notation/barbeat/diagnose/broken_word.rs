//! A word that cannot be read, where it stands, and what every finding about one needs.

use super::readable::{is_one_item, is_readable};
use super::words::{PreviousItem, next_word};
use crate::music::Meter;
use crate::notation::barbeat::problem::{Finding, Problem};

/// A word that cannot be read, where it stands.
pub(super) struct BrokenWord<'a> {
    pub text: &'a str,
    pub word: &'a str,
    pub start: usize,
    /// Where an item that could be read ends, if something touches its end.
    pub item_end: Option<usize>,
    /// The item read just before.
    pub previous: Option<PreviousItem>,
    pub meter: Meter,
}

impl BrokenWord<'_> {
    /// A finding about the whole word.
    pub(super) fn finding(&self, problem: Problem, fix: Option<String>) -> Finding {
        let fix = fix.filter(|fix| is_readable(fix, self.meter));
        Finding { at: self.start, found: self.word.to_owned(), problem, fix, resume: self.start + self.word.len() }
    }

    pub(super) fn is_one_item(&self, candidate: &str) -> bool {
        is_one_item(candidate, self.meter)
    }

    /// The words from here on that commas join, with spaces instead, and where they end. Only as far as all of it can
    /// be read.
    pub(super) fn comma_chain(&self) -> (String, usize) {
        let mut end = self.start + self.word.len();
        let mut spaced = self.word.replace(',', " ").trim().to_owned();
        while let Some((at, word)) = next_word(self.text, end) {
            let joined = self.text.get(..end).is_some_and(|before| before.ends_with(',')) || word.starts_with(',');
            let longer = format!("{spaced} {}", word.replace(',', " ").trim());
            if !joined || !is_readable(&longer, self.meter) {
                break;
            }
            (spaced, end) = (longer.trim().to_owned(), at + word.len());
        }
        (spaced, end)
    }
}
