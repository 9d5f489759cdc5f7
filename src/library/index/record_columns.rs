//! What filters and orders need of every record, kept in columns, so that the records themselves are not visited.

use super::row_set::{Row, RowSet, row_at};
use crate::library::filter::Filter;
use crate::library::kind::{ContentKind, FileSource, SampleType};
use crate::library::path_key::PathHash;
use crate::library::record::Record;
use crate::library::use_counts::UseCounts;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

#[derive(Debug, Default)]
pub struct RecordColumns {
    attributes: Vec<PackedAttributes>,
    modified_ns: Vec<u64>,
    path_hashes: Vec<PathHash>,
    folders: HashMap<PathBuf, u32>,
    folder_of: Vec<u32>,
}

/// Kind, sample type, source and whether it is unreadable, in a byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct PackedAttributes(u8);

const KIND: u8 = 0b1111;
const SAMPLE_TYPE: u8 = 0b11 << 4;
const SOURCE: u8 = 1 << 6;
const UNREADABLE: u8 = 1 << 7;

impl PackedAttributes {
    fn of(
        kind: ContentKind,
        sample_type: Option<SampleType>,
        source: FileSource,
        unreadable: bool,
    ) -> PackedAttributes {
        let sample_type = match sample_type {
            None => 0,
            Some(SampleType::Loop) => 1,
            Some(SampleType::OneShot) => 2,
            Some(SampleType::ImpulseResponse) => 3,
        };
        let source = if source == FileSource::User { SOURCE } else { 0 };
        PackedAttributes(kind as u8 & KIND | sample_type << 4 | source | if unreadable { UNREADABLE } else { 0 })
    }
}

impl RecordColumns {
    pub fn new(records: &[Arc<Record>]) -> RecordColumns {
        let mut folders: HashMap<&Path, u32> = HashMap::new();
        let folder_of = records.iter().map(|record| {
            let next = row_at(folders.len());
            *folders.entry(record.path.parent().unwrap_or(Path::new(""))).or_insert(next)
        });
        let folder_of = folder_of.collect();
        let of = |r: &Arc<Record>| PackedAttributes::of(r.kind, r.sample_type, r.source, r.is_unreadable());
        RecordColumns {
            attributes: records.iter().map(of).collect(),
            modified_ns: records.iter().map(|record| record.stamp.modified_ns).collect(),
            path_hashes: records.iter().map(|record| record.path_hash).collect(),
            folder_of,
            folders: folders.into_iter().map(|(folder, at)| (folder.to_owned(), at)).collect(),
        }
    }

    /// The rows that fit a filter, its query and tags left aside.
    pub fn rows_matching(&self, filter: &Filter) -> RowSet {
        let Filter { kind, sample_type, source, in_folder, .. } = filter;
        let used = if sample_type.is_some() { SAMPLE_TYPE } else { 0 } | if source.is_some() { SOURCE } else { 0 };
        let mask = KIND | UNREADABLE | used;
        let wanted = PackedAttributes::of(*kind, *sample_type, source.unwrap_or(FileSource::SampleFolder), false);
        let mut rows = RowSet::matching(&self.attributes, |attributes| attributes.0 & mask == wanted.0);
        if let Some(folder) = in_folder {
            match self.folders.get(folder) {
                Some(folder) => rows.intersect_with(&RowSet::matching(&self.folder_of, |of| of == folder)),
                None => rows = RowSet::empty(self.attributes.len()),
            }
        }
        rows
    }

    pub fn modified_ns(&self, row: Row) -> u64 {
        self.modified_ns.get(row as usize).copied().unwrap_or(0)
    }

    /// 0 for the sample folder, which comes first, and 1 for others.
    pub fn source_rank(&self, row: Row) -> u8 {
        self.attributes.get(row as usize).map_or(0, |attributes| u8::from(attributes.0 & SOURCE != 0))
    }

    /// How often a record was used.
    pub fn use_count(&self, row: Row, records: &[Arc<Record>], uses: &UseCounts) -> u64 {
        let (hash, record) = (self.path_hashes.get(row as usize), records.get(row as usize));
        hash.zip(record).map_or(0, |(hash, record)| uses.count_of(*hash, &record.path))
    }
}
