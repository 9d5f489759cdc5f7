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
mod chain_mixer;
mod clips;
mod device_samples;
mod device_values;
mod devices;
mod error;
mod fades;
mod first_bytes;
mod follow_actions;
mod grooves;
mod impulse_slots;
mod limits;
mod live_set;
mod mended;
mod mixer;
mod note_expression;
mod notes;
mod plug_in_presets;
mod preset_files;
mod racks;
mod references;
mod report;
mod routings;
mod sample_search;
mod scenes;
mod settings;
mod side_chains;
mod take_lanes;
mod timeline;
mod tracks;
mod views;
mod walk;
mod xml_reader;
mod zones;

#[cfg(test)]
mod tests;

pub use error::ReadError;
pub use report::Report;
pub use sample_search::SampleSearch;
pub use xml_reader::Damage;

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
use xml_reader::{Element, XmlReader};

/// The way to what stands in front of the damage.
const SALVAGE: &str = "what stands before it can be read: svc-device convert FILE NEW.svcset --salvage, or svc-manage \
                       with action open and salvage: true";

/// A Live Set as it was read.
#[derive(Debug)]
pub struct LiveSetFile {
    pub document: Document,
    pub report: Report,
    /// What wrote the file, such as `Ableton Live 12.3.6`.
    pub creator: String,
}

/// Reads the Live Set in a file, whose path has no links: the caller has followed them. Samples are looked for beside
/// it, then where the file says, on a server only in `folders`; of those that are found the heads are read. The Set is
/// named after the file.
pub fn read_file(path: &Path, folders: &AllowedFolders) -> Result<LiveSetFile, ReadError> {
    read_file_through(path, folders, Damage::Refused, |file| Box::new(file))
}

/// As [`read_file`], of a file that may be damaged. Every byte passes through the reader that `through` gives, which
/// can see how far the reading is, and end it.
pub fn read_file_through<'a>(
    path: &Path,
    folders: &AllowedFolders,
    damage: Damage,
    through: impl FnOnce(File) -> Box<dyn Read + 'a>,
) -> Result<LiveSetFile, ReadError> {
    let disk = |error: std::io::Error| ReadError::Disk(error.to_string());
    let file = through(open_real(path).map_err(disk)?);
    let mut read = read_damaged_set(file, SampleSearch::around(path, folders), damage)?;
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

/// Reads a preset, whose path has no links; a device without a name of its own is called after the file. Every byte
/// passes through what `through` gives, as in [`read_file_through`].
pub fn read_preset_file_through<'a>(
    path: &Path,
    folders: &AllowedFolders,
    through: impl FnOnce(File) -> Box<dyn Read + 'a>,
) -> Result<PresetFile, ReadError> {
    let disk = |error: std::io::Error| ReadError::Disk(error.to_string());
    let mut read = read_preset(through(open_real(path).map_err(disk)?), SampleSearch::around(path, folders))?;
    if let Some(name) = path.file_stem().and_then(|name| name.to_str()) {
        read.device.name.get_or_insert_with(|| name.to_owned());
    }
    Ok(read)
}

/// Reads a preset.
pub fn read_preset(file: impl Read, samples: SampleSearch) -> Result<PresetFile, ReadError> {
    read_preset_device(file, samples).map_err(ReadError::of_preset)
}

fn read_preset_device(file: impl Read, samples: SampleSearch) -> Result<PresetFile, ReadError> {
    let mut walk = Walk::new(XmlReader::new(file, Damage::Refused)?, samples);
    let root = live_root(&mut walk)?;
    let device = preset_files::read_preset(&mut walk, &root)?;
    walk.xml.finish()?;
    side_chains::count_unjoined(&mut walk);
    let device = device.ok_or_else(|| ReadError::NotASet("it holds no device".to_owned()))?;
    validate_saved_device(&device).map_err(ReadError::Impossible)?;
    Ok(PresetFile { device, report: walk.into_report() })
}

/// Reads a Live Set; one that is damaged is refused.
pub fn read_set(file: impl Read, samples: SampleSearch) -> Result<LiveSetFile, ReadError> {
    read_damaged_set(file, samples, Damage::Refused)
}

/// Reads a Live Set that may be damaged.
pub fn read_damaged_set(file: impl Read, samples: SampleSearch, damage: Damage) -> Result<LiveSetFile, ReadError> {
    read_whole(file, samples, damage).map_err(|error| match error {
        ReadError::Damaged { place, at, why } if damage == Damage::Refused => {
            ReadError::Damaged { place, at, why: format!("{why}; {SALVAGE}") }
        }
        error => error,
    })
}

fn read_whole(file: impl Read, samples: SampleSearch, damage: Damage) -> Result<LiveSetFile, ReadError> {
    let mut walk = Walk::new(XmlReader::new(file, damage)?, samples);
    let root = live_root(&mut walk)?;
    let creator = walk.attribute(&root, "Creator")?.unwrap_or_default();
    let (mut parts, mut other) = (None, None);
    while let Some(child) = walk.next_child(&root)? {
        match child.name() {
            "LiveSet" if parts.is_none() => parts = Some(live_set::read_live_set(&mut walk, &child)?),
            name => {
                walk.report.count_unknown("Ableton", name);
                other.get_or_insert_with(|| name.to_owned());
            }
        }
    }
    walk.xml.finish()?;
    let Some(parts) = parts else {
        return Err(walk.xml.into_damage().unwrap_or_else(|| ReadError::NotASet(no_set(other.as_deref()))));
    };
    let document = assemble::assemble(&mut walk, parts)?;
    Ok(LiveSetFile { document, report: walk.into_report(), creator })
}

/// The outermost element of what Live writes.
fn live_root(walk: &mut Walk) -> Result<Element, ReadError> {
    let root = walk.xml.root()?;
    if root.name() != "Ableton" {
        return Err(ReadError::NotASet(format!("its root is {:.40}, not Ableton", root.name())));
    }
    Ok(root)
}

/// A clause on a file of Live's that is no Set.
fn no_set(holds: Option<&str>) -> String {
    holds.map_or_else(
        || "it holds no LiveSet".to_owned(),
        |name| {
            if let Some(kind) = preset_files::other_kind(name) {
                return format!("it is {kind}, which is not read");
            }
            format!(
                "it holds no LiveSet, and {name:.40}: it is a preset of a device or a rack, of which svc-create-device \
                 makes the device"
            )
        },
    )
}
