//! What holds of any bytes that are taken for a Set.

use flate2::Compression;
use flate2::write::GzEncoder;
use std::io::Write;
use svc_device::device::packed_state;
use svc_device::live_files::{Damage, SampleSearch, read_damaged_set, read_preset, read_set};
use svc_device::set::edit::validate::{validate, validate_saved_device};

/// XML as a Live Set: a document that passes its check, or a refusal.
pub fn live_set(xml: &[u8]) {
    let mut packer = GzEncoder::new(Vec::new(), Compression::fast());
    packer.write_all(xml).expect("memory takes it");
    compressed_live_set(&packer.finish().expect("memory takes it"));
}

/// The same of what is compressed already, or is not; and what is taken for a preset is a device that passes its check.
pub fn compressed_live_set(file: &[u8]) {
    if let Ok(read) = read_set(file, SampleSearch::nowhere()) {
        assert_eq!(validate(&read.document), Ok(()));
    }
    if let Ok(read) = read_damaged_set(file, SampleSearch::nowhere(), Damage::CutOff) {
        assert_eq!(validate(&read.document), Ok(()));
    }
    if let Ok(read) = read_preset(file, SampleSearch::nowhere()) {
        assert_eq!(validate_saved_device(&read.device), Ok(()));
    }
}

/// A state, compressed or not: a document that passes its check, or a refusal.
pub fn state(file: &[u8]) {
    if let Ok(read) = packed_state::read(file) {
        assert_eq!(validate(&read.document), Ok(()));
    }
}
