//! Live Sets written by hand, whole and spoilt, and those that a real Live saved, where there are some.

mod bad_values;
mod damaged;
mod devices;
mod every_part;
mod kept;
mod presets;
mod refused;
mod saved_by_live;
mod servers;
mod versions;

use super::report::Report;
use super::{Damage, LiveSetFile, ReadError, SampleSearch, read_damaged_set, read_preset, read_set};
use crate::paths::AllowedFolders;
use crate::set::document::device_tree::Device;
use flate2::Compression;
use flate2::write::GzEncoder;
use std::io::Write;
use std::path::PathBuf;

/// One object of each kind, with values unlike any default.
const ONE_OF_EACH: &str = include_str!("one_of_each.xml");

fn compressed(xml: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(xml).unwrap();
    encoder.finish().unwrap()
}

/// Reads XML as a Set that lies in a project with one sample.
fn read(xml: &str) -> Result<LiveSetFile, ReadError> {
    let project = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures/audio/song.als"));
    read_set(compressed(xml.as_bytes()).as_slice(), SampleSearch::around(&project, &AllowedFolders::default()))
}

/// Reads XML as a preset of one device, beside the same sample.
pub fn read_devices_of(xml: &str) -> (Device, Report) {
    let preset = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures/audio/one.adv"));
    let xml = format!("<Ableton MajorVersion=\"5\" MinorVersion=\"12.0_12300\">{xml}</Ableton>");
    let samples = SampleSearch::around(&preset, &AllowedFolders::default());
    let read = read_preset(compressed(xml.as_bytes()).as_slice(), samples).unwrap();
    (read.device, read.report)
}
