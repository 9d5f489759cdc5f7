//! Files that Ableton Live saved: a Live Set (`.als`) read as a document, a preset (`.adv`, `.adg`) as a device, with a
//! report of what did not come along.
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
mod impulse_slots;
mod limits;
mod live_set;
mod mixer;
mod notes;
mod preset_files;
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
mod zones;

#[cfg(test)]
mod tests;

pub use error::ReadError;
pub use report::Report;
pub use sample_search::SampleSearch;

use crate::disk::open_real;
use crate::paths::AllowedFolders;
use crate::set::document::Document;
use crate::set::document::device_tree::Device;
use crate::set::edit::validate::validate_saved_device;
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

/// Reads the Live Set in a file, whose path has no links: whoever names it has followed them. Samples are looked for
/// beside it, then where the file says, on a server only in `folders`; of those that are found the heads are read. The
/// Set is named after the file.
pub fn read_file(path: &Path, folders: &AllowedFolders) -> Result<LiveSetFile, ReadError> {
    read_file_through(path, folders, |file| Box::new(file))
}

/// As [`read_file`], with every byte passing through what `through` gives: who wants to know how far the reading is, or
/// to end it, looks there.
pub fn read_file_through<'a>(
    path: &Path,
    folders: &AllowedFolders,
    through: impl FnOnce(File) -> Box<dyn Read + 'a>,
) -> Result<LiveSetFile, ReadError> {
    let disk = |error: std::io::Error| ReadError::Disk(error.to_string());
    let mut read = read_set(through(open_real(path).map_err(disk)?), SampleSearch::around(path, folders))?;
    if let Some(name) = path.file_stem().and_then(|name| name.to_str()) {
        Arc::make_mut(&mut read.document.song).name = name.to_owned();
    }
    Ok(read)
}

/// The device of a preset (`.adv`, `.adg`), as it was read.
#[derive(Debug)]
pub struct PresetFile {
    /// Its serials count from the first that there is.
    pub device: Device,
    pub report: Report,
}

/// Reads a preset, whose path has no links; a device without a name of its own is called after the file.
pub fn read_preset_file(path: &Path, folders: &AllowedFolders) -> Result<PresetFile, ReadError> {
    let disk = |error: std::io::Error| ReadError::Disk(error.to_string());
    let mut read = read_preset(open_real(path).map_err(disk)?, SampleSearch::around(path, folders))?;
    if let Some(name) = path.file_stem().and_then(|name| name.to_str()) {
        read.device.name.get_or_insert_with(|| name.to_owned());
    }
    Ok(read)
}

/// Reads a preset.
pub fn read_preset(file: impl Read, samples: SampleSearch) -> Result<PresetFile, ReadError> {
    read_preset_device(file, samples).map_err(|error| match error {
        ReadError::NotASet(why) => ReadError::NotAPreset(why),
        error => error,
    })
}

fn read_preset_device(file: impl Read, samples: SampleSearch) -> Result<PresetFile, ReadError> {
    let mut walk = Walk::new(XmlReader::new(file)?, samples);
    let root = walk.xml.root()?;
    if root.name() != "Ableton" {
        return Err(ReadError::NotASet(format!("its root is {:.40}, not Ableton", root.name())));
    }
    let device = preset_files::read_preset(&mut walk, &root)?;
    walk.xml.finish()?;
    let device = device.ok_or_else(|| ReadError::NotASet("it holds no device".to_owned()))?;
    validate_saved_device(&device).map_err(ReadError::Impossible)?;
    Ok(PresetFile { device, report: walk.report })
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
        return Err(ReadError::NotASet(
            "it holds no LiveSet; of a preset (.adg, .adv) svc-create-device makes the device".to_owned(),
        ));
    };
    let document = assemble::assemble(&mut walk, parts)?;
    Ok(LiveSetFile { document, report: walk.report, creator })
}
