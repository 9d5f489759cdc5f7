//! What sounds alike and what sounds the same, as far as it can be known before anybody asks.

use super::record::Record;
use super::rows::{Row, Rows};
use super::spectrum::{Measured, Print, Wide};
use std::cmp::{Ordering, Reverse};
use std::collections::{BinaryHeap, HashMap};
use std::sync::Arc;

/// The fingerprints of an index in one piece.
#[derive(Debug, Default)]
pub struct Prints {
    prints: Vec<(Row, Measured)>,
}

impl Prints {
    pub fn new(records: &[Arc<Record>]) -> Prints {
        let prints = records.iter().zip(0..);
        let prints = prints.filter_map(|(r, row)| Some((row, Measured::new(r.sound()?.print.as_ref()?))));
        Prints { prints: prints.collect() }
    }

    /// The `limit` of `rows` that sound most like `print`, with how much: -1 to 1. The most alike first, then in order of rows.
    pub fn most_alike(&self, print: &Print, rows: &Rows, limit: usize) -> Vec<(Row, f32)> {
        if limit == 0 {
            return Vec::new();
        }
        let wanted = Wide::new(print);
        // The least alike on top, to be pushed out by what is more alike: most sounds are known not to be before all of them
        // is compared.
        let mut best: BinaryHeap<Reverse<Alike>> = BinaryHeap::with_capacity(limit.min(self.prints.len()));
        for (row, print) in self.prints.iter().filter(|(row, _)| rows.has(*row)) {
            let least = best.peek().filter(|_| best.len() >= limit).map(|Reverse(least)| *least);
            let much = wanted.similarity(print, least.map_or(f32::MIN, |least| least.much));
            let Some(alike) = much.map(|much| Alike { much, row: *row }) else { continue };
            if least.is_none() {
                best.push(Reverse(alike));
            } else if least < Some(alike) {
                best.pop();
                best.push(Reverse(alike));
            }
        }
        best.into_sorted_vec().into_iter().map(|Reverse(Alike { much, row })| (row, much)).collect()
    }
}

/// How much like another sound a row is. More is greater; of as much, the earlier row.
#[derive(Clone, Copy, Debug)]
struct Alike {
    much: f32,
    row: Row,
}

impl Ord for Alike {
    fn cmp(&self, other: &Self) -> Ordering {
        self.much.total_cmp(&other.much).then(other.row.cmp(&self.row))
    }
}

impl PartialOrd for Alike {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Alike {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Alike {}

/// Records that sound the same, two at least a group, in order.
#[derive(Debug, Default)]
pub struct Twins {
    groups: Vec<Vec<Row>>,
    /// The place of a twin's path among those of all twins.
    path_order: HashMap<Row, u32>,
}

impl Twins {
    pub fn new(records: &[Arc<Record>]) -> Twins {
        let mut groups: HashMap<(u128, u64), Vec<Row>> = HashMap::new();
        for (record, row) in records.iter().zip(0..) {
            if let Some(sound) = record.sound() {
                groups.entry((sound.hash, sound.frames)).or_default().push(row);
            }
        }
        let groups: Vec<Vec<Row>> = groups.into_values().filter(|group| group.len() >= 2).collect();
        let mut twins: Vec<Row> = groups.iter().flatten().copied().collect();
        twins.sort_by_key(|row| records.get(*row as usize).map(|record| &record.path));
        Twins { groups, path_order: twins.into_iter().zip(0..).collect() }
    }

    /// The first `limit` groups of what of `rows` sounds the same, the largest first, then by the path of the first in each;
    /// how many groups there are in all.
    pub fn among(&self, rows: &Rows, limit: usize) -> (Vec<Vec<Row>>, usize) {
        let of = |group: &'_ Vec<Row>| group.iter().copied().filter(|row| rows.has(*row)).collect::<Vec<Row>>();
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
