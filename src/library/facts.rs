//! What filters and orders ask of every record, side by side: the records themselves are not visited.

use super::kind::{Kind, Playback, Source};
use super::query::Filter;
use super::record::Record;
use super::rows::{Row, Rows, row};
use super::uses::{PathHash, Uses};
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

#[derive(Debug, Default)]
pub struct Facts {
    traits: Vec<Traits>,
    modified_ns: Vec<u64>,
    path_hashes: Vec<PathHash>,
    folders: HashMap<PathBuf, u32>,
    folder_of: Vec<u32>,
}

/// Kind, playback, source and whether it is broken, in a byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Traits(u8);

const KIND: u8 = 0b1111;
const PLAYBACK: u8 = 0b11 << 4;
const SOURCE: u8 = 1 << 6;
const BROKEN: u8 = 1 << 7;

impl Traits {
    fn of(kind: Kind, playback: Option<Playback>, source: Source, broken: bool) -> Traits {
        let playback = match playback {
            None => 0,
            Some(Playback::Loop) => 1,
            Some(Playback::OneShot) => 2,
            Some(Playback::ImpulseResponse) => 3,
        };
        let source = if source == Source::User { SOURCE } else { 0 };
        Traits(kind as u8 & KIND | playback << 4 | source | if broken { BROKEN } else { 0 })
    }
}

impl Facts {
    pub fn new(records: &[Arc<Record>]) -> Facts {
        let mut folders: HashMap<&Path, u32> = HashMap::new();
        let folder_of = records.iter().map(|record| {
            let next = row(folders.len());
            *folders.entry(record.path.parent().unwrap_or(Path::new(""))).or_insert(next)
        });
        let folder_of = folder_of.collect();
        let of = |r: &Arc<Record>| Traits::of(r.kind, r.playback, r.source, r.is_broken());
        Facts {
            traits: records.iter().map(of).collect(),
            modified_ns: records.iter().map(|record| record.stamp.modified_ns).collect(),
            path_hashes: records.iter().map(|record| record.path_hash).collect(),
            folder_of,
            folders: folders.into_iter().map(|(folder, at)| (folder.to_owned(), at)).collect(),
        }
    }

    /// What the filter holds beside its query and its tags.
    pub fn fitting(&self, filter: &Filter) -> Rows {
        let Filter { kind, playback, source, in_folder, .. } = filter;
        let used = if playback.is_some() { PLAYBACK } else { 0 } | if source.is_some() { SOURCE } else { 0 };
        let mask = KIND | BROKEN | used;
        let wanted = Traits::of(*kind, *playback, source.unwrap_or(Source::SampleFolder), false);
        let mut rows = Rows::those(&self.traits, |traits| traits.0 & mask == wanted.0);
        if let Some(folder) = in_folder {
            match self.folders.get(folder) {
                Some(folder) => rows.keep(&Rows::those(&self.folder_of, |of| of == folder)),
                None => rows = Rows::none(self.traits.len()),
            }
        }
        rows
    }

    pub fn modified_ns(&self, row: Row) -> u64 {
        self.modified_ns.get(row as usize).copied().unwrap_or(0)
    }

    /// 0 for the sample folder, which comes first, and 1 for others.
    pub fn source_order(&self, row: Row) -> u8 {
        self.traits.get(row as usize).map_or(0, |traits| u8::from(traits.0 & SOURCE != 0))
    }

    /// How often a record was used.
    pub fn uses(&self, row: Row, records: &[Arc<Record>], uses: &Uses) -> u64 {
        let (hash, record) = (self.path_hashes.get(row as usize), records.get(row as usize));
        hash.zip(record).map_or(0, |(hash, record)| uses.of(*hash, &record.path))
    }
}
