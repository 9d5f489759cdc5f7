//! Searching an index: by filter, by tag, for what sounds alike and for what sounds the same. Pure functions of one
//! state of the index and of the use counts.

#[cfg(test)]
mod laws;
pub mod matching;
#[cfg(test)]
mod naive;
#[cfg(test)]
mod tests;

use super::filter::Filter;
use super::fingerprint::Fingerprint;
use super::index::Index;
use super::index::row_set::{Row, RowSet};
use super::record::Record;
use super::use_counts::UseCounts;
use matching::{LITERAL_CLOSENESS, MatchKind, find_matches};
use std::path::Path;
use std::sync::Arc;

/// The order of results.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SortOrder {
    /// Most used first, then by name.
    #[default]
    UseCount,
    /// Newest first.
    ModDate,
    Name,
}

/// One result, with how often it was used.
#[derive(Clone, Debug)]
pub struct Hit {
    pub record: Arc<Record>,
    pub use_count: u64,
}

/// What a search found.
#[derive(Clone, Debug)]
pub struct SearchResults {
    pub items: Vec<Hit>,
    /// How many there are, of which `items` are the first.
    pub total: usize,
    pub match_kind: MatchKind,
}

/// Searches one state of the index.
pub struct Searcher<'a> {
    pub index: &'a Index,
    pub use_counts: &'a UseCounts,
}

impl Searcher<'_> {
    /// The first `limit` results in the order asked for, the sample folder's always before others.
    pub fn search(&self, filter: &Filter, sort: Option<SortOrder>, limit: usize) -> SearchResults {
        let (found, match_kind) = find_matches(self.index, filter);
        let total = found.len();
        let columns = &self.index.columns;
        let has_others = found.iter().any(|(_, near)| *near < LITERAL_CLOSENESS);
        let rows = match sort.unwrap_or_default() {
            // The closest first, unless another order is asked for. Numbers above 0 sort like their bits.
            _ if match_kind == MatchKind::Nearest && sort.is_none() => {
                first_rows(found, limit, |row, near| (columns.source_rank(row), u64::from(!near.max(0.0).to_bits())))
            }
            // What has the words themselves before what has synonyms, unless another order is asked for.
            _ if sort.is_none() && has_others => first_rows(found, limit, |row, near| {
                (columns.source_rank(row) * 2 + u8::from(near < LITERAL_CLOSENESS), !self.use_count_of(row))
            }),
            SortOrder::UseCount if !self.use_counts.is_empty() => {
                first_rows(found, limit, |row, _| (columns.source_rank(row), !self.use_count_of(row)))
            }
            SortOrder::ModDate => {
                first_rows(found, limit, |row, _| (columns.source_rank(row), !columns.modified_ns(row)))
            }
            SortOrder::UseCount | SortOrder::Name => found.into_iter().take(limit).map(|(row, _)| row).collect(),
        };
        SearchResults { items: rows.into_iter().filter_map(|row| self.hit(row)).collect(), total, match_kind }
    }

    fn use_count_of(&self, row: Row) -> u64 {
        self.index.columns.use_count(row, self.index.records(), self.use_counts)
    }

    fn hit(&self, row: Row) -> Option<Hit> {
        Some(Hit { record: self.index.record(row)?.clone(), use_count: self.use_count_of(row) })
    }

    /// Tags with how many files carry them, the most frequent first.
    pub fn tag_counts(&self) -> Vec<(String, usize)> {
        self.index.tags.counts().to_vec()
    }

    /// Categories of tags with how many files carry one of them; those without a file are left out.
    pub fn category_counts(&self) -> Vec<(&'static str, usize)> {
        self.index.tags.categories().to_vec()
    }

    /// What sounds most like `fingerprint`, with the similarity (-1 to 1). The file at `except` is left out.
    pub fn similar(&self, fingerprint: &Fingerprint, except: &Path, filter: &Filter, limit: usize) -> Vec<(Hit, f32)> {
        let mut rows = self.rows_matching(filter);
        if let Some(itself) = self.index.row_of(except) {
            rows.remove(itself);
        }
        let near = self.index.fingerprints.most_similar(fingerprint, &rows, limit);
        near.into_iter().filter_map(|(row, near)| Some((self.hit(row)?, near))).collect()
    }

    /// Groups of files with the same sound, the largest first; and how many groups there are in all.
    pub fn duplicates(&self, filter: &Filter, limit: usize) -> (Vec<Vec<Hit>>, usize) {
        let (groups, total) = self.index.duplicates.groups_among(&self.rows_matching(filter), limit);
        let hits = |group: Vec<Row>| group.into_iter().filter_map(|row| self.hit(row)).collect();
        (groups.into_iter().map(hits).collect(), total)
    }

    fn rows_matching(&self, filter: &Filter) -> RowSet {
        let mut rows = RowSet::empty(self.index.records().len());
        for (row, _) in find_matches(self.index, filter).0 {
            rows.insert(row);
        }
        rows
    }

    /// The file at that path, if the index has it.
    pub fn record(&self, path: &Path) -> Option<&Arc<Record>> {
        self.index.record(self.index.row_of(path)?)
    }
}

/// The first `limit` by the key, then in the index's order.
fn first_rows(found: Vec<(Row, f32)>, limit: usize, key: impl Fn(Row, f32) -> (u8, u64)) -> Vec<Row> {
    let mut keyed: Vec<((u8, u64), Row)> = found.into_iter().map(|(row, near)| (key(row, near), row)).collect();
    // What comes after them needs no order.
    if let Some(last) = limit.checked_sub(1).filter(|last| *last < keyed.len()) {
        keyed.select_nth_unstable(last);
    }
    keyed.truncate(limit);
    keyed.sort_unstable();
    keyed.into_iter().map(|(_, row)| row).collect()
}
