//! One state of the index: every file that is known, in the order that results have, with what searches would otherwise
//! work out each time. Immutable; the indexer makes the next one while searches go on with this one.

pub mod duplicate_sounds;
pub mod fingerprint_table;
pub mod record_columns;
pub mod row_set;
pub mod search_texts;
pub mod tag_table;
pub mod word_index;

use super::kind::FileSource;
use super::record::{Record, fold_for_search};
use duplicate_sounds::DuplicateSounds;
use fingerprint_table::FingerprintTable;
use record_columns::RecordColumns;
use row_set::{Row, row_at};
use search_texts::SearchTexts;
use std::path::Path;
use std::sync::Arc;
use tag_table::TagTable;
use word_index::WordIndex;

#[derive(Default)]
pub struct Index {
    records: Vec<Arc<Record>>,
    pub(super) columns: RecordColumns,
    pub(super) search_texts: SearchTexts,
    pub(super) word_index: WordIndex,
    pub(super) tags: TagTable,
    pub(super) fingerprints: FingerprintTable,
    pub(super) duplicates: DuplicateSounds,
}

impl Index {
    /// The records must be sorted by [`listing_order`]. Takes some 3 µs a record, so call it on a thread that nobody
    /// waits for.
    pub fn new(records: Vec<Arc<Record>>) -> Index {
        let texts = SearchTexts::new(&records);
        Index {
            columns: RecordColumns::new(&records),
            word_index: WordIndex::new(&texts),
            search_texts: texts,
            tags: TagTable::new(&records),
            fingerprints: FingerprintTable::new(&records),
            duplicates: DuplicateSounds::new(&records),
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

    /// The row of the file at that path, if the index has it.
    pub(super) fn row_of(&self, path: &Path) -> Option<Row> {
        let name = fold_for_search(&path.file_name()?.to_string_lossy());
        let find = |source: FileSource| {
            let found = self.records.binary_search_by(|record| {
                let by_name = || record.folded_name().cmp(&name);
                record.source.cmp(&source).then_with(by_name).then_with(|| record.path.as_path().cmp(path))
            });
            found.ok().map(row_at)
        };
        [FileSource::SampleFolder, FileSource::User].into_iter().find_map(find)
    }
}

/// The sample folder's files first, then by name, then by path.
pub fn listing_order(a: &Record, b: &Record) -> std::cmp::Ordering {
    let key = |r: &Record| r.source;
    key(a).cmp(&key(b)).then_with(|| a.folded_name().cmp(b.folded_name())).then_with(|| a.path.cmp(&b.path))
}
