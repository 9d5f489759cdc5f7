//! The tags of an index: which records carry each, and how many.

use super::row_set::{Row, RowLists, RowSet, row_at};
use crate::library::kind::ContentKind;
use crate::library::names::vocabulary;
use crate::library::record::Record;
use std::cmp::Reverse;
use std::collections::HashMap;
use std::sync::Arc;

#[derive(Debug, Default)]
pub struct TagTable {
    /// By spelling.
    keys: HashMap<Box<str>, u32>,
    /// By lower case: spellings that differ only in case are one tag.
    folded: HashMap<Box<str>, Vec<u32>>,
    all: RowLists,
    /// Only for the tags that a file's own name tells.
    own: RowLists,
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
                    row_at(tags.len().saturating_sub(1))
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
        let all = RowLists::new(tags.len(), &all);
        // What can be used: no folders, nothing unreadable.
        let files = RowSet::matching(records, |record| !record.is_unreadable() && record.kind != ContentKind::Folder);
        let used = |key| all.rows_of(key).iter().copied().filter(|row| files.contains(*row));
        let mut counts: Vec<(String, usize)> =
            tags.iter().zip(0..).map(|(tag, key)| ((*tag).to_owned(), used(key).count())).collect();
        counts.retain(|(_, count)| *count > 0);
        counts.sort_by(|(a, more), (b, most)| Reverse(more).cmp(&Reverse(most)).then_with(|| a.cmp(b)));
        let mut of_category: HashMap<&str, Vec<u32>> = HashMap::new();
        for (tag, key) in tags.iter().zip(0..) {
            of_category.entry(vocabulary::tag_category(tag)).or_default().push(key);
        }
        let categories = vocabulary::tag_categories().filter_map(|name| {
            let mut rows = RowSet::empty(records.len());
            for row in of_category.get(name)?.iter().flat_map(|key| used(*key)) {
                rows.insert(row);
            }
            Some((name, rows.count())).filter(|(_, count)| *count > 0)
        });
        let categories = categories.collect();
        let keys = keys.into_iter().map(|(tag, key)| (tag.into(), key)).collect();
        TagTable { keys, folded, own: RowLists::new(tags.len(), &own), all, counts, categories, records: records.len() }
    }

    /// Records with this tag, given in lower case.
    pub fn rows_with_tag(&self, folded: &str) -> RowSet {
        let mut rows = RowSet::empty(self.records);
        for key in self.folded.get(folded).into_iter().flatten() {
            rows.extend(self.all.rows_of(*key));
        }
        rows
    }

    /// Records with all of these tags, spelled as given; with `own`, only where the file's own name tells them. None
    /// for no tags.
    pub fn rows_with_all(&self, tags: &[&str], own: bool) -> RowSet {
        let lists = if own { &self.own } else { &self.all };
        let sets = tags.iter().map(|tag| {
            let mut rows = RowSet::empty(self.records);
            rows.extend(self.keys.get(*tag).map_or(&[][..] as &[Row], |key| lists.rows_of(*key)));
            rows
        });
        let both = |mut rows: RowSet, other: RowSet| {
            rows.intersect_with(&other);
            rows
        };
        sets.reduce(both).unwrap_or_else(|| RowSet::empty(self.records))
    }

    /// Tags with how many usable files carry them, the most frequent first.
    pub fn counts(&self) -> &[(String, usize)] {
        &self.counts
    }

    /// Categories with how many usable files carry one of their tags, in their own order; those without a file are left
    /// out.
    pub fn categories(&self) -> &[(&'static str, usize)] {
        &self.categories
    }
}
