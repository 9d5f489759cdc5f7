//! The fingerprints of an index, and which of them are most like a given one.

use super::row_set::{Row, RowSet};
use crate::library::fingerprint::Fingerprint;
use crate::library::fingerprint::similarity::{CandidateFingerprint, ReferenceFingerprint};
use crate::library::record::Record;
use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;
use std::sync::Arc;

/// The fingerprints of an index in one piece.
#[derive(Debug, Default)]
pub struct FingerprintTable {
    fingerprints: Vec<(Row, CandidateFingerprint)>,
}

impl FingerprintTable {
    pub fn new(records: &[Arc<Record>]) -> FingerprintTable {
        let fingerprints = records.iter().zip(0..);
        let fingerprints = fingerprints
            .filter_map(|(r, row)| Some((row, CandidateFingerprint::new(r.sound()?.fingerprint.as_ref()?))));
        FingerprintTable { fingerprints: fingerprints.collect() }
    }

    /// The `limit` of `rows` that sound most like `fingerprint`, with their similarity (-1 to 1): the most similar
    /// first, then in order of rows.
    pub fn most_similar(&self, fingerprint: &Fingerprint, rows: &RowSet, limit: usize) -> Vec<(Row, f32)> {
        if limit == 0 {
            return Vec::new();
        }
        let reference = ReferenceFingerprint::new(fingerprint);
        // The least similar is on top and is replaced by what is more similar. Most sounds are ruled out before they
        // are compared in full.
        let mut best: BinaryHeap<Reverse<RankedRow>> = BinaryHeap::with_capacity(limit.min(self.fingerprints.len()));
        for (row, candidate) in self.fingerprints.iter().filter(|(row, _)| rows.contains(*row)) {
            let least = best.peek().filter(|_| best.len() >= limit).map(|Reverse(least)| *least);
            let similarity = reference.similarity(candidate, least.map_or(f32::MIN, |least| least.similarity));
            let Some(ranked) = similarity.map(|similarity| RankedRow { similarity, row: *row }) else { continue };
            if least.is_none() {
                best.push(Reverse(ranked));
            } else if least < Some(ranked) {
                best.pop();
                best.push(Reverse(ranked));
            }
        }
        best.into_sorted_vec().into_iter().map(|Reverse(RankedRow { similarity, row })| (row, similarity)).collect()
    }
}

/// A row with its similarity. The more similar is the greater; of two with the same similarity, the earlier row.
#[derive(Clone, Copy, Debug)]
struct RankedRow {
    similarity: f32,
    row: Row,
}

impl Ord for RankedRow {
    fn cmp(&self, other: &Self) -> Ordering {
        self.similarity.total_cmp(&other.similarity).then(other.row.cmp(&self.row))
    }
}

impl PartialOrd for RankedRow {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for RankedRow {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for RankedRow {}
