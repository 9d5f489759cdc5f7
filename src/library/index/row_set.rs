//! Rows: the positions of records in an index, which never change while it lives. Sets of them, and lists of them by
//! key.

/// The position of a record in its index.
pub type Row = u32;

/// A position as a row. An index never has so many records that one would not fit.
pub fn row_at(at: usize) -> Row {
    Row::try_from(at).unwrap_or(Row::MAX)
}

/// A set of rows, a bit each.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RowSet {
    bits: Vec<u64>,
}

impl RowSet {
    /// An empty set with room for `count` rows.
    pub fn empty(count: usize) -> RowSet {
        RowSet { bits: vec![0; count.div_ceil(64)] }
    }

    /// The positions of those `items` that fit.
    pub fn matching<T>(items: &[T], fits: impl Fn(&T) -> bool) -> RowSet {
        let chunks = items.chunks(64);
        RowSet {
            bits: chunks.map(|c| c.iter().rev().fold(0, |bits, item| bits << 1 | u64::from(fits(item)))).collect(),
        }
    }

    pub fn insert(&mut self, row: Row) {
        if let Some(bits) = self.bits.get_mut(row as usize / 64) {
            *bits |= 1 << (row % 64);
        }
    }

    pub fn remove(&mut self, row: Row) {
        if let Some(bits) = self.bits.get_mut(row as usize / 64) {
            *bits &= !(1 << (row % 64));
        }
    }

    pub fn extend(&mut self, rows: &[Row]) {
        for row in rows {
            self.insert(*row);
        }
    }

    pub fn contains(&self, row: Row) -> bool {
        self.bits.get(row as usize / 64).is_some_and(|bits| bits >> (row % 64) & 1 == 1)
    }

    /// Keeps only what is in both.
    pub fn intersect_with(&mut self, other: &RowSet) {
        for (bits, other) in self.bits.iter_mut().zip(&other.bits) {
            *bits &= other;
        }
    }

    /// Adds what is in the other.
    pub fn union_with(&mut self, other: &RowSet) {
        for (bits, other) in self.bits.iter_mut().zip(&other.bits) {
            *bits |= other;
        }
    }

    /// Keeps only what fits.
    pub fn retain(&mut self, fits: impl Fn(Row) -> bool) {
        for (at, bits) in self.bits.iter_mut().enumerate() {
            let mut left = *bits;
            while left != 0 {
                if !fits(row_at(at * 64) + left.trailing_zeros()) {
                    *bits &= !(left & left.wrapping_neg());
                }
                left &= left - 1;
            }
        }
    }

    pub fn is_empty(&self) -> bool {
        self.bits.iter().all(|bits| *bits == 0)
    }

    pub fn count(&self) -> usize {
        self.bits.iter().map(|bits| bits.count_ones() as usize).sum()
    }

    /// In order.
    pub fn iter(&self) -> impl Iterator<Item = Row> {
        self.bits.iter().enumerate().flat_map(|(at, bits)| {
            let mut left = *bits;
            std::iter::from_fn(move || {
                let next = (left != 0).then(|| row_at(at * 64) + left.trailing_zeros())?;
                left &= left - 1;
                Some(next)
            })
        })
    }
}

/// For each key, from 0 on, its rows in order; all of them in one allocation.
#[derive(Debug, Default)]
pub struct RowLists {
    /// Where each key's rows begin, and the end.
    starts: Vec<usize>,
    rows: Vec<Row>,
}

impl RowLists {
    /// From pairs of key and row in order of rows. Keys from `keys` on are left out.
    pub fn new(keys: usize, pairs: &[(u32, Row)]) -> RowLists {
        let mut starts = vec![0_usize; keys + 1];
        for (key, _) in pairs {
            if let Some(count) = starts.get_mut(*key as usize + 1) {
                *count += 1;
            }
        }
        let mut sum = 0;
        for start in &mut starts {
            sum += *start;
            *start = sum;
        }
        let mut rows = vec![0; sum];
        let mut next = starts.clone();
        for (key, row) in pairs {
            if let Some(next) = next.get_mut(*key as usize)
                && let Some(place) = rows.get_mut(*next)
            {
                *place = *row;
                *next += 1;
            }
        }
        RowLists { starts, rows }
    }

    pub fn rows_of(&self, key: u32) -> &[Row] {
        let start = |key: usize| self.starts.get(key).copied().unwrap_or(self.rows.len());
        self.rows.get(start(key as usize)..start(key as usize + 1)).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    proptest! {
        #[test]
        fn sets_are_as_sets_are(
            count in 1_usize..200,
            a in proptest::collection::btree_set(0_u32..200, 0..60),
            b in proptest::collection::btree_set(0_u32..200, 0..60),
        ) {
            let within = |set: &BTreeSet<u32>| set.iter().copied().filter(|r| (*r as usize) < count).collect::<Vec<_>>();
            let (a, b) = (within(&a), within(&b));
            let set = |rows: &[u32]| { let mut set = RowSet::empty(count); set.extend(rows); set };
            let mut both = set(&a);
            both.intersect_with(&set(&b));
            let mut fitting = set(&a);
            fitting.retain(|row| b.contains(&row));
            let wanted: Vec<u32> = a.iter().copied().filter(|row| b.contains(row)).collect();
            prop_assert_eq!(both.iter().collect::<Vec<_>>(), wanted.clone());
            prop_assert_eq!(both.is_empty(), wanted.is_empty());
            prop_assert_eq!(both.count(), wanted.len());
            let mut either = set(&a);
            either.union_with(&set(&b));
            let union: Vec<u32> = a.iter().chain(&b).copied().collect::<BTreeSet<_>>().into_iter().collect();
            prop_assert_eq!(either.iter().collect::<Vec<_>>(), union);
            prop_assert_eq!(&fitting, &both);
            let all: Vec<u32> = (0..count as u32).collect();
            prop_assert_eq!(RowSet::matching(&all, |row| a.contains(row)), set(&a));
            prop_assert!(all.iter().all(|row| both.contains(*row) == wanted.contains(row)));
            let mut without = set(&a);
            b.iter().for_each(|row| without.remove(*row));
            prop_assert!(all.iter().all(|row| without.contains(*row) == (a.contains(row) && !b.contains(row))));
        }

        #[test]
        fn lists_hold_each_pair(keys in proptest::collection::vec(0_u32..9, 0..60)) {
            let pairs: Vec<(u32, Row)> = keys.iter().copied().zip(0..).collect();
            let lists = RowLists::new(9, &pairs);
            for key in 0..10 {
                let wanted: Vec<Row> = pairs.iter().filter(|pair| pair.0 == key).map(|pair| pair.1).collect();
                prop_assert_eq!(lists.rows_of(key), wanted);
            }
        }
    }
}
