//! How the engine names what the Set has: a track by its serial, a device, a chain and a clip by theirs, as wide
//! numbers. Serials are unique in a Set, and end at 2^25.

use crate::set::document::ids::Serial;

/// The id of a track's default instrument, which has no serial of its own.
pub fn default_instrument(track: Serial) -> u64 {
    1 << 32 | u64::from(track)
}
