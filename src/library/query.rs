//! Questions to an index: searches, counts of tags, what sounds alike, what sounds the same. Pure functions of one state of
//! the index and the counts of use.

mod find;
#[cfg(test)]
mod laws;
#[cfg(test)]
mod plain;
#[cfg(test)]
mod tests;

use super::index::Index;
use super::kind::{Kind, Playback, Source};
use super::record::Record;
use super::rows::{Row, Rows};
use super::spectrum::Print;
use super::uses::Uses;
use find::find;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// What is searched for. Everything that is set must hold.
#[derive(Clone, Debug)]
pub struct Filter {
    /// Part of a name; `*` stands for anything. Names with other words for the same tags fit too, after those.
    pub query: String,
    /// All of them, in any case; other words for a tag stand for it.
    pub tags: Vec<String>,
    pub kind: Kind,
    pub playback: Option<Playback>,
    pub source: Option<Source>,
    /// Only what lies right in this folder.
    pub in_folder: Option<PathBuf>,
}

impl Default for Filter {
    fn default() -> Filter {
        Filter {
            query: String::new(),
            tags: Vec::new(),
            kind: Kind::Audio,
            playback: None,
            source: None,
            in_folder: None,
        }
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Sort {
    /// Most used first, then by name.
    #[default]
    UseCount,
    /// Newest first.
    ModDate,
    Name,
}

/// How near a record comes that has what is asked for by the letter, or by other words for the same tags.
const LETTERS: f32 = 1.0;
const MEANING: f32 = 0.5;

/// One result.
#[derive(Clone, Debug)]
pub struct Hit {
    pub record: Arc<Record>,
    pub uses: u64,
}

/// How a query was understood.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Match {
    /// The name holds the text.
    Name,
    /// Name, folder and tags together hold its words, or the tags that they stand for: no name holds the text.
    Words,
    /// The nearest there is: not even the words are there.
    Near,
}

#[derive(Clone, Debug)]
pub struct Hits {
    pub items: Vec<Hit>,
    /// How many there are, of which `items` are the first.
    pub total: usize,
    pub how: Match,
}

/// A question to one state of the index.
pub struct Query<'a> {
    pub index: &'a Index,
    pub uses: &'a Uses,
}

impl Query<'_> {
    /// The first `limit` results in the order asked for, the sample folder's always before others.
    pub fn search(&self, filter: &Filter, sort: Option<Sort>, limit: usize) -> Hits {
        let (found, how) = find(self.index, filter);
        let total = found.len();
        let facts = &self.index.facts;
        let has_others = found.iter().any(|(_, near)| *near < LETTERS);
        let rows = match sort.unwrap_or_default() {
            // The nearest first, unless another order is asked for. A number above 0 orders as its bits do.
            _ if how == Match::Near && sort.is_none() => {
                first(found, limit, |row, near| (facts.source_order(row), u64::from(!near.max(0.0).to_bits())))
            }
            // What has the words themselves before what has others for them, unless another order is asked for.
            _ if sort.is_none() && has_others => first(found, limit, |row, near| {
                (facts.source_order(row) * 2 + u8::from(near < LETTERS), !self.uses_of(row))
            }),
            Sort::UseCount if !self.uses.is_empty() => {
                first(found, limit, |row, _| (facts.source_order(row), !self.uses_of(row)))
            }
            Sort::ModDate => first(found, limit, |row, _| (facts.source_order(row), !facts.modified_ns(row))),
            Sort::UseCount | Sort::Name => found.into_iter().take(limit).map(|(row, _)| row).collect(),
        };
        Hits { items: rows.into_iter().filter_map(|row| self.hit(row)).collect(), total, how }
    }

    fn uses_of(&self, row: Row) -> u64 {
        self.index.facts.uses(row, self.index.records(), self.uses)
    }

    fn hit(&self, row: Row) -> Option<Hit> {
        Some(Hit { record: self.index.record(row)?.clone(), uses: self.uses_of(row) })
    }

    /// Tags with how many files carry them, the most frequent first.
    pub fn tags(&self) -> Vec<(String, usize)> {
        self.index.tags.counts().to_vec()
    }

    /// Categories of tags with how many files carry one of them; those without a file are left out.
    pub fn categories(&self) -> Vec<(&'static str, usize)> {
        self.index.tags.categories().to_vec()
    }

    /// What sounds most like `print`, with how much: -1 to 1. The file itself, if it is in the index, is left out.
    pub fn similar(&self, print: &Print, but: &Path, filter: &Filter, limit: usize) -> Vec<(Hit, f32)> {
        let mut rows = self.found(filter);
        if let Some(itself) = self.index.row_of(but) {
            rows.remove(itself);
        }
        let near = self.index.prints.most_alike(print, &rows, limit);
        near.into_iter().filter_map(|(row, near)| Some((self.hit(row)?, near))).collect()
    }

    /// Files with the same sound, the largest group first; how many groups there are in all.
    pub fn duplicates(&self, filter: &Filter, limit: usize) -> (Vec<Vec<Hit>>, usize) {
        let (groups, total) = self.index.twins.among(&self.found(filter), limit);
        let hits = |group: Vec<Row>| group.into_iter().filter_map(|row| self.hit(row)).collect();
        (groups.into_iter().map(hits).collect(), total)
    }

    fn found(&self, filter: &Filter) -> Rows {
        let mut rows = Rows::none(self.index.records().len());
        for (row, _) in find(self.index, filter).0 {
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
fn first(found: Vec<(Row, f32)>, limit: usize, key: impl Fn(Row, f32) -> (u8, u64)) -> Vec<Row> {
    let mut keyed: Vec<((u8, u64), Row)> = found.into_iter().map(|(row, near)| (key(row, near), row)).collect();
    // The rest of them need no order.
    if let Some(last) = limit.checked_sub(1).filter(|last| *last < keyed.len()) {
        keyed.select_nth_unstable(last);
    }
    keyed.truncate(limit);
    keyed.sort_unstable();
    keyed.into_iter().map(|(_, row)| row).collect()
}
