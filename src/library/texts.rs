//! What is searched by the letter: names, and what stands around them. All of a kind lies in one piece, so that looking for a
//! few letters is one run over memory instead of a visit to each record.

use super::record::Record;
use super::rows::{Row, Rows, row};
use memchr::memmem::Finder;
use std::collections::HashMap;
use std::sync::Arc;

/// Texts in one piece.
#[derive(Debug)]
pub struct Corpus {
    text: String,
    /// Where each begins, and the end.
    starts: Vec<usize>,
}

impl Default for Corpus {
    fn default() -> Corpus {
        Corpus { text: String::new(), starts: vec![0] }
    }
}

impl Corpus {
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

    /// Tells of each text that holds the needle, in order, and what comes after its first occurrence there. An empty needle
    /// is in none.
    pub fn each_with<'a>(&'a self, needle: &Finder, mut tell: impl FnMut(u32, &'a [u8])) {
        let (all, length) = (self.text.as_bytes(), needle.needle().len());
        let (mut from, mut at) = (0, 0);
        while length > 0
            && let Some(found) = all.get(from..).and_then(|rest| needle.find(rest))
        {
            let start = from + found;
            // The text that it begins in: near the last one where many have it, anywhere where few do.
            let ends = self.starts.get(at + 1..).unwrap_or_default();
            let near = ends.iter().take(8).position(|end| *end > start);
            at += near.unwrap_or_else(|| ends.partition_point(|end| *end <= start));
            let Some(end) = self.starts.get(at + 1).copied() else { return };
            // What begins in one text and ends in the next is in neither.
            from = match all.get(start + length..end) {
                Some(after) => {
                    tell(row(at), after);
                    end
                }
                None => start + 1,
            };
        }
    }
}

/// The texts of an index.
#[derive(Debug, Default)]
pub struct Texts {
    pub names: Corpus,
    /// Folder and tags. Files of one folder mostly share them, so each is kept once.
    pub contexts: Corpus,
    pub context_of: Vec<u32>,
}

impl Texts {
    pub fn new(records: &[Arc<Record>]) -> Texts {
        let mut texts = Texts::default();
        let mut known: HashMap<&str, u32> = HashMap::new();
        for record in records {
            texts.names.push(record.folded_name());
            let context = record.folded_context();
            let at = *known.entry(context).or_insert_with(|| {
                texts.contexts.push(context);
                row(texts.contexts.len().saturating_sub(1))
            });
            texts.context_of.push(at);
        }
        texts
    }

    /// Records whose names have all the pieces, one after the other. No piece is empty.
    pub fn with_name(&self, pieces: &[&str]) -> Rows {
        let mut rows = Rows::none(self.names.len());
        let mut pieces = pieces.iter().map(Finder::new);
        let Some(first) = pieces.next() else { return rows };
        let others: Vec<Finder> = pieces.collect();
        self.names.each_with(&first, |row, mut after| {
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

    /// Leaves only records that have each of the words in their name, folder or tags. Words have no white space.
    pub fn keep_with_words<'a>(&self, rows: &mut Rows, words: impl Iterator<Item = &'a str>) {
        for word in words {
            let word = Finder::new(word);
            let mut around = Rows::none(self.contexts.len());
            self.contexts.each_with(&word, |at, _| around.insert(at));
            if around.count() == self.contexts.len() {
                continue;
            }
            let mut named = Rows::none(self.names.len());
            self.names.each_with(&word, |row, _| named.insert(row));
            rows.keep_those(|row| named.has(row) || self.context(row).is_some_and(|at| around.has(at)));
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
            let mut corpus = Corpus::default();
            texts.iter().for_each(|text| corpus.push(text));
            let mut told = Vec::new();
            corpus.each_with(&Finder::new(&needle), |at, after| told.push((at as usize, after)));
            let held = texts.iter().enumerate();
            let held = held.filter_map(|(at, text)| Some((at, text.split_once(&needle)?.1.as_bytes())));
            prop_assert_eq!(told, held.collect::<Vec<_>>());
            prop_assert!(texts.iter().zip(0..).all(|(text, at)| corpus.get(at) == text));
        }
    }
}
