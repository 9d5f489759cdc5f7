//! Live Sets written by hand, whole and spoilt, and those that a real Live saved, where there are some.

mod every_part;
mod refused;
mod saved_by_live;

use super::{LiveSetFile, ReadError, SampleSearch, read_set};
use crate::paths::AllowedFolders;
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
