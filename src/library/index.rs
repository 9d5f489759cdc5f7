//! One state of the index: every file that is known, in the order that results have, with what searches would otherwise work
//! out each time. Immutable; the indexer makes the next one while queries go on with this.

use super::alike::{Prints, Twins};
use super::dictionary::Dictionary;
use super::facts::Facts;
use super::kind::Source;
use super::record::{Record, fold};
use super::rows::{Row, row};
use super::tag_table::TagTable;
use super::texts::Texts;
use std::path::Path;
use std::sync::Arc;

#[derive(Default)]
pub struct Index {
    records: Vec<Arc<Record>>,
    pub(super) facts: Facts,
    pub(super) texts: Texts,
    pub(super) dictionary: Dictionary,
    pub(super) tags: TagTable,
    pub(super) prints: Prints,
    pub(super) twins: Twins,
}

impl Index {
    /// The records must be sorted by [`order`]. Takes some 3 µs a record: for a thread that nobody waits for.
    pub fn new(records: Vec<Arc<Record>>) -> Index {
        let texts = Texts::new(&records);
        Index {
            facts: Facts::new(&records),
            dictionary: Dictionary::new(&texts),
            texts,
            tags: TagTable::new(&records),
            prints: Prints::new(&records),
            twins: Twins::new(&records),
            records,
        }
    }

    /// By source, name and path.
    pub fn records(&self) -> &[Arc<Record>] {
        &self.records
    }

    pub(super) fn record(&self, row: Row) -> Option<&Arc<Record>> {
        self.records.get(row as usize)
    }

    /// Where the file at that path stands, if it is there.
    pub(super) fn row_of(&self, path: &Path) -> Option<Row> {
        let name = fold(&path.file_name()?.to_string_lossy());
        let find = |source: Source| {
            let found = self.records.binary_search_by(|record| {
                let by_name = || record.folded_name().cmp(&name);
                record.source.cmp(&source).then_with(by_name).then_with(|| record.path.as_path().cmp(path))
            });
            found.ok().map(row)
        };
        [Source::SampleFolder, Source::User].into_iter().find_map(find)
    }
}

/// The sample folder's first, then by name.
pub fn order(a: &Record, b: &Record) -> std::cmp::Ordering {
    let key = |r: &Record| r.source;
    key(a).cmp(&key(b)).then_with(|| a.folded_name().cmp(b.folded_name())).then_with(|| a.path.cmp(&b.path))
}
