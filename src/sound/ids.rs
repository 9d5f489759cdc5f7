//! How the engine names what the Set has: a track by its serial, a device, a chain and a clip by theirs, as wide
//! numbers. Serials are unique in a Set, and end at 2^25.

use crate::set::document::ids::Serial;

/// The id of a track's default instrument, which has no serial of its own.
pub fn default_instrument(track: Serial) -> u64 {
    1 << 32 | u64::from(track)
}

/// Samples of one Sampler that have ids.
pub const MOST_ZONES: usize = 128;

/// The id of the chain that a sample of a Sampler is played in, by the sample's place.
pub fn zone_chain(device: Serial, at: usize) -> u64 {
    (2 + 2 * at as u64) << 32 | u64::from(device)
}

/// The id of what plays it there.
pub fn zone_instrument(device: Serial, at: usize) -> u64 {
    (3 + 2 * at as u64) << 32 | u64::from(device)
}
