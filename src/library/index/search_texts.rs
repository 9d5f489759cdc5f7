//! The texts that searches look through: names, and their contexts (folder and tags). All texts of one kind lie in one
//! string, so that looking for a few letters is one pass over memory instead of a visit to each record.
//! See D15 in `docs/decisions.md`.

use super::row_set::{Row, RowSet, row_at};
use crate::library::record::Record;
use memchr::memmem::Finder;
use std::collections::HashMap;
use std::sync::Arc;

/// Many texts in one string.
#[derive(Debug)]
pub struct PackedStrings {
    text: String,
    /// Where each begins, and the end.
    starts: Vec<usize>,
}

impl Default for PackedStrings {
    fn default() -> PackedStrings {
        PackedStrings { text: String::new(), starts: vec![0] }
    }
}

impl PackedStrings {
    pub fn push(&mut self, text: &str) {
        self.text.push_str(text);
        self.starts.push(self.text.len());
    }

    pub fn len(&self) -> usize {
        self.starts.len().saturating_sub(1)
    }

    pub fn get(&self, at: u32) -> &str {
        let start = |at: usize| self.starts.get(at).copied().unwrap_or(self.text.len());
        self.text.get(start(at as usize)..start(at as usize + 1)).unwrap_or_default()
    }

    /// Calls `tell` for each text that contains the needle, in order, with what follows its first occurrence there. An
    /// empty needle is in none.
    pub fn for_each_containing<'a>(&'a self, needle: &Finder, mut tell: impl FnMut(u32, &'a [u8])) {
        let (all, length) = (self.text.as_bytes(), needle.needle().len());
        let (mut from, mut at) = (0, 0);
        while length > 0
            && let Some(found) = all.get(from..).and_then(|rest| needle.find(rest))
        {
            let start = from + found;
            // The text that it begins in: close to the last one where many contain it, anywhere where few do.
            let ends = self.starts.get(at + 1..).unwrap_or_default();
            let near = ends.iter().take(8).position(|end| *end > start);
            at += near.unwrap_or_else(|| ends.partition_point(|end| *end <= start));
            let Some(end) = self.starts.get(at + 1).copied() else { return };
            // An occurrence that begins in one text and ends in the next is in neither.
            from = match all.get(start + length..end) {
                Some(after) => {
                    tell(row_at(at), after);
                    end
                }
                None => start + 1,
            };
        }
    }
}

/// The texts of an index.
#[derive(Debug, Default)]
pub struct SearchTexts {
    pub names: PackedStrings,
    /// Folder and tags. Files of one folder mostly share them, so each is kept once.
    pub contexts: PackedStrings,
    pub context_of: Vec<u32>,
}

impl SearchTexts {
    pub fn new(records: &[Arc<Record>]) -> SearchTexts {
        let mut texts = SearchTexts::default();
        let mut known: HashMap<&str, u32> = HashMap::new();
        for record in records {
            texts.names.push(record.folded_name());
            let context = record.folded_context();
            let at = *known.entry(context).or_insert_with(|| {
                texts.contexts.push(context);
                row_at(texts.contexts.len().saturating_sub(1))
            });
            texts.context_of.push(at);
        }
        texts
    }

    /// Records whose names have all the pieces, one after the other. No piece is empty.
    pub fn rows_with_name(&self, pieces: &[&str]) -> RowSet {
        let mut rows = RowSet::empty(self.names.len());
        let mut pieces = pieces.iter().map(Finder::new);
        let Some(first) = pieces.next() else { return rows };
        let others: Vec<Finder> = pieces.collect();
        self.names.for_each_containing(&first, |row, mut after| {
            let all = others.iter().all(|piece| {
                let at = piece.find(after).map(|at| at.saturating_add(piece.needle().len()));
                let rest = at.and_then(|at| after.get(at..));
                rest.map(|rest| after = rest).is_some()
            });
            if all {
                rows.insert(row);
            }
        });
        rows
    }

    /// Keeps only records that have each of the words in their name, folder or tags. Words have no white space.
    pub fn keep_with_words<'a>(&self, rows: &mut RowSet, words: impl Iterator<Item = &'a str>) {
        for word in words {
            let word = Finder::new(word);
            let mut around = RowSet::empty(self.contexts.len());
            self.contexts.for_each_containing(&word, |at, _| around.insert(at));
            if around.count() == self.contexts.len() {
                continue;
            }
            let mut named = RowSet::empty(self.names.len());
            self.names.for_each_containing(&word, |row, _| named.insert(row));
            rows.retain(|row| named.contains(row) || self.context(row).is_some_and(|at| around.contains(at)));
        }
    }

    fn context(&self, row: Row) -> Option<u32> {
        self.context_of.get(row as usize).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn each_text_with_the_needle_is_told_once(
            texts in proptest::collection::vec("[abü]{0,6}", 0..40), needle in "[abü]{1,4}",
        ) {
            let mut corpus = PackedStrings::default();
            texts.iter().for_each(|text| corpus.push(text));
            let mut told = Vec::new();
            corpus.for_each_containing(&Finder::new(&needle), |at, after| told.push((at as usize, after)));
            let held = texts.iter().enumerate();
            let held = held.filter_map(|(at, text)| Some((at, text.split_once(&needle)?.1.as_bytes())));
            prop_assert_eq!(told, held.collect::<Vec<_>>());
            prop_assert!(texts.iter().zip(0..).all(|(text, at)| corpus.get(at) == text));
        }
    }
}
