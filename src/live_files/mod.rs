//! Files that Ableton Live saved: a Live Set (`.als`) read as a document, with a report of what did not come along.
//!
//! The file is gzip-compressed XML. It streams by ([`xml_reader`]) and is never kept whole; what is read of it, and how
//! much, has limits ([`limits`]). Nothing of a file is left out without a word: what is known and has no place in the
//! document, and what is not known, is counted in the [`Report`] by its kind. See D92 and D93 in `docs/decisions.md`.

mod assemble;
mod audio;
mod automation;
mod bounded_input;
mod clips;
mod device_samples;
mod device_values;
mod devices;
mod error;
mod grooves;
mod limits;
mod live_set;
mod mixer;
mod notes;
mod racks;
mod references;
mod report;
mod routings;
mod sample_search;
mod settings;
mod take_lanes;
mod tracks;
mod walk;
mod xml_reader;

#[cfg(test)]
mod tests;

pub use error::ReadError;
pub use report::Report;
pub use sample_search::SampleSearch;

use crate::paths::AllowedFolders;
use crate::set::document::Document;
use std::fs::File;
use std::io::Read;
use std::path::Path;
use std::sync::Arc;
use walk::Walk;
use xml_reader::XmlReader;

/// A Live Set as it was read.
#[derive(Debug)]
pub struct LiveSetFile {
    pub document: Document,
    pub report: Report,
    /// What wrote the file, such as `Ableton Live 12.3.6`.
    pub creator: String,
}

/// Reads the Live Set in a file. Samples are looked for beside it, then where the file says, on a server only in
/// `folders`; of those that are found the heads are read. The Set is named after the file.
pub fn read_file(path: &Path, folders: &AllowedFolders) -> Result<LiveSetFile, ReadError> {
    let disk = |error: std::io::Error| ReadError::Disk(error.to_string());
    // Opening a pipe waits for its other end.
    if !std::fs::metadata(path).map_err(disk)?.is_file() {
        return Err(ReadError::Disk("it is no file".to_owned()));
    }
    let mut read = read_set(File::open(path).map_err(disk)?, SampleSearch::around(path, folders))?;
    if let Some(name) = path.file_stem().and_then(|name| name.to_str()) {
        Arc::make_mut(&mut read.document.song).name = name.to_owned();
    }
    Ok(read)
}

/// Reads a Live Set.
pub fn read_set(file: impl Read, samples: SampleSearch) -> Result<LiveSetFile, ReadError> {
    let mut walk = Walk::new(XmlReader::new(file)?, samples);
    let root = walk.xml.root()?;
    if root.name() != "Ableton" {
        return Err(ReadError::NotASet(format!("its root is {:.40}, not Ableton", root.name())));
    }
    let creator = walk.xml.attribute(&root, "Creator")?.unwrap_or_default();
    let mut parts = None;
    while let Some(child) = walk.next_child(&root)? {
        match child.name() {
            "LiveSet" if parts.is_none() => parts = Some(live_set::read_live_set(&mut walk, &child)?),
            "LiveSet" => return Err(walk.xml.damaged("a second LiveSet")),
            name => walk.report.count_unknown("Ableton", name),
        }
    }
    walk.xml.finish()?;
    let Some(parts) = parts else {
        return Err(ReadError::NotASet("it holds no LiveSet; presets (.adg, .adv) are not read".to_owned()));
    };
    let document = assemble::assemble(&mut walk, parts)?;
    Ok(LiveSetFile { document, report: walk.report, creator })
}
