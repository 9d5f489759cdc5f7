//! How much of a file is read. Each is far above what a Set of Live's has, and keeps a hostile file from taking more
//! memory or time than an honest one.

use crate::object_model::limits::MAX_NOTES_OF_SET;
use std::ops::RangeInclusive;

/// BPM of a Set and of a scene.
pub const TEMPOS: RangeInclusive<f64> = 20.0..=999.0;
/// The last time signature, 99/16, as the number that Live writes.
pub const LAST_SIGNATURE: i64 = 494;
/// Bytes of XML, inflated.
pub const MAX_XML_BYTES: u64 = 256 << 20;
/// Bytes of one piece of XML: a tag, or a text such as a plug-in's state.
pub const MAX_PIECE_BYTES: u64 = 32 << 20;
/// Bytes of a tag with its attributes.
pub const MAX_TAG_BYTES: usize = 1 << 20;
/// Bytes of an element's name.
pub const MAX_NAME_BYTES: usize = 256;
/// Elements inside one another; racks in racks are some 20 each.
pub const MAX_DEPTH: usize = 512;
/// Elements in all.
pub const MAX_ELEMENTS: u64 = 20_000_000;
/// Bytes of a name or path that somebody wrote.
pub const MAX_TEXT_BYTES: usize = 64 << 10;
/// Kinds of objects that the report names; others are counted together.
pub const MAX_KINDS: usize = 500;
/// Missing samples that the report names; others are counted.
pub const MAX_MISSING_NAMED: usize = 1_000;

/// What there may be many of, and how many.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Countable {
    Tracks,
    Scenes,
    Clips,
    Notes,
    WarpMarkers,
    Locators,
    Devices,
    Chains,
    EnvelopePoints,
    Samples,
}

impl Countable {
    pub fn limit(self) -> u64 {
        match self {
            Countable::Tracks => 2_000,
            Countable::Scenes | Countable::Locators => 10_000,
            Countable::Clips | Countable::Devices | Countable::Chains | Countable::Samples => 200_000,
            Countable::Notes | Countable::EnvelopePoints | Countable::WarpMarkers => MAX_NOTES_OF_SET,
        }
    }

    pub fn name(self) -> &'static str {
        match self {
            Countable::Tracks => "tracks",
            Countable::Scenes => "scenes",
            Countable::Clips => "clips",
            Countable::Notes => "notes",
            Countable::WarpMarkers => "warp markers",
            Countable::Locators => "locators",
            Countable::Devices => "devices",
            Countable::Chains => "chains",
            Countable::EnvelopePoints => "points of envelopes",
            Countable::Samples => "samples of devices",
        }
    }
}
