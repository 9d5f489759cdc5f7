//! One state of the index: every file that is known, in the order that results have. Immutable; the indexer makes the next
//! one while queries go on with this.

use super::fuzzy::Dictionary;
use super::record::Record;
use std::sync::{Arc, OnceLock};

#[derive(Default)]
pub struct Index {
    records: Vec<Arc<Record>>,
    dictionary: OnceLock<Dictionary>,
}

impl Index {
    /// The records must be sorted by [`order`].
    pub fn new(records: Vec<Arc<Record>>) -> Index {
        Index { records, dictionary: OnceLock::new() }
    }

    /// By source, name and path.
    pub fn records(&self) -> &[Arc<Record>] {
        &self.records
    }

    /// Made when it is first wanted.
    pub fn dictionary(&self) -> &Dictionary {
        self.dictionary.get_or_init(|| Dictionary::new(&self.records))
    }
}

/// The sample folder's first, then by name.
pub fn order(a: &Record, b: &Record) -> std::cmp::Ordering {
    let key = |r: &Record| r.source;
    key(a).cmp(&key(b)).then_with(|| a.folded_name().cmp(b.folded_name())).then_with(|| a.path.cmp(&b.path))
}
