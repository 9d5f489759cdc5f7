//! Files with the same sound.

use super::row_set::{Row, RowSet};
use crate::library::record::Record;
use std::collections::HashMap;
use std::sync::Arc;

/// Records with the same sound, in groups of two and more, each group in order of rows.
#[derive(Debug, Default)]
pub struct DuplicateSounds {
    groups: Vec<Vec<Row>>,
    /// The rank of each record's path among the paths of all records in groups.
    path_order: HashMap<Row, u32>,
}

impl DuplicateSounds {
    pub fn new(records: &[Arc<Record>]) -> DuplicateSounds {
        let mut groups: HashMap<(u128, u64), Vec<Row>> = HashMap::new();
        for (record, row) in records.iter().zip(0..) {
            if let Some(sound) = record.sound() {
                groups.entry((sound.sample_hash, sound.frames)).or_default().push(row);
            }
        }
        let groups: Vec<Vec<Row>> = groups.into_values().filter(|group| group.len() >= 2).collect();
        let mut duplicates: Vec<Row> = groups.iter().flatten().copied().collect();
        duplicates.sort_by_key(|row| records.get(*row as usize).map(|record| &record.path));
        DuplicateSounds { groups, path_order: duplicates.into_iter().zip(0..).collect() }
    }

    /// The first `limit` groups within `rows`, the largest first, then by the path of the first record in each; and how
    /// many groups there are in all.
    pub fn groups_among(&self, rows: &RowSet, limit: usize) -> (Vec<Vec<Row>>, usize) {
        let of = |group: &'_ Vec<Row>| group.iter().copied().filter(|row| rows.contains(*row)).collect::<Vec<Row>>();
        let groups = self.groups.iter().map(of).filter(|group| group.len() >= 2);
        let path_order = |group: &[Row]| self.path_order.get(group.first()?).copied();
        let mut groups: Vec<_> = groups.map(|group| ((usize::MAX - group.len(), path_order(&group)), group)).collect();
        let total = groups.len();
        if limit > 0 && limit < total {
            groups.select_nth_unstable(limit - 1);
        }
        groups.truncate(limit);
        groups.sort_unstable();
        (groups.into_iter().map(|(_, group)| group).collect(), total)
    }
}
