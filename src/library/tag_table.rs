//! The tags of an index: which records carry each, and how many.

use super::kind::Kind;
use super::record::Record;
use super::rows::{Lists, Row, Rows, row};
use super::words;
use std::cmp::Reverse;
use std::collections::HashMap;
use std::sync::Arc;

#[derive(Debug, Default)]
pub struct TagTable {
    /// As they are spelled.
    keys: HashMap<Box<str>, u32>,
    /// In lower case; spellings that differ in case only are one.
    folded: HashMap<Box<str>, Vec<u32>>,
    all: Lists,
    /// Of those that a file's own name tells.
    own: Lists,
    counts: Vec<(String, usize)>,
    categories: Vec<(&'static str, usize)>,
    records: usize,
}

impl TagTable {
    pub fn new(records: &[Arc<Record>]) -> TagTable {
        let mut keys: HashMap<&str, u32> = HashMap::new();
        let mut tags: Vec<&str> = Vec::new();
        let (mut all, mut own) = (Vec::new(), Vec::new());
        for (record, row_of) in records.iter().zip(0..) {
            for (at, tag) in record.tags.iter().enumerate() {
                let key = *keys.entry(tag).or_insert_with(|| {
                    tags.push(tag);
                    row(tags.len().saturating_sub(1))
                });
                all.push((key, row_of));
                if at < record.own_tags().len() {
                    own.push((key, row_of));
                }
            }
        }
        let mut folded: HashMap<Box<str>, Vec<u32>> = HashMap::new();
        for (tag, key) in tags.iter().zip(0..) {
            folded.entry(tag.to_lowercase().into()).or_default().push(key);
        }
        let all = Lists::new(tags.len(), &all);
        // What can be used: no folders, nothing broken.
        let files = Rows::those(records, |record| !record.is_broken() && record.kind != Kind::Folder);
        let used = |key| all.of(key).iter().copied().filter(|row| files.has(*row));
        let mut counts: Vec<(String, usize)> =
            tags.iter().zip(0..).map(|(tag, key)| ((*tag).to_owned(), used(key).count())).collect();
        counts.retain(|(_, count)| *count > 0);
        counts.sort_by(|(a, more), (b, most)| Reverse(more).cmp(&Reverse(most)).then_with(|| a.cmp(b)));
        let mut of_category: HashMap<&str, Vec<u32>> = HashMap::new();
        for (tag, key) in tags.iter().zip(0..) {
            of_category.entry(words::category(tag)).or_default().push(key);
        }
        let categories = words::categories().filter_map(|name| {
            let mut rows = Rows::none(records.len());
            for row in of_category.get(name)?.iter().flat_map(|key| used(*key)) {
                rows.insert(row);
            }
            Some((name, rows.count())).filter(|(_, count)| *count > 0)
        });
        let categories = categories.collect();
        let keys = keys.into_iter().map(|(tag, key)| (tag.into(), key)).collect();
        TagTable { keys, folded, own: Lists::new(tags.len(), &own), all, counts, categories, records: records.len() }
    }

    /// Records with this tag, given in lower case.
    pub fn with(&self, folded: &str) -> Rows {
        let mut rows = Rows::none(self.records);
        for key in self.folded.get(folded).into_iter().flatten() {
            rows.extend(self.all.of(*key));
        }
        rows
    }

    /// Records with all of these tags, as they are spelled; with `own`, told by the file's own name. None for no tags.
    pub fn meaning(&self, tags: &[&str], own: bool) -> Rows {
        let lists = if own { &self.own } else { &self.all };
        let sets = tags.iter().map(|tag| {
            let mut rows = Rows::none(self.records);
            rows.extend(self.keys.get(*tag).map_or(&[][..] as &[Row], |key| lists.of(*key)));
            rows
        });
        let both = |mut rows: Rows, other: Rows| {
            rows.keep(&other);
            rows
        };
        sets.reduce(both).unwrap_or_else(|| Rows::none(self.records))
    }

    /// Tags with how many usable files carry them, the most frequent first.
    pub fn counts(&self) -> &[(String, usize)] {
        &self.counts
    }

    /// Categories with how many usable files carry one of their tags, in their own order; those without a file are left out.
    pub fn categories(&self) -> &[(&'static str, usize)] {
        &self.categories
    }
}
