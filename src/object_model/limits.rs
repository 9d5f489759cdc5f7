//! Limits of a Set that every host keeps and tools check before they write.

use crate::music::Beats;

/// The last place on the timeline where a clip can start.
pub const ARRANGEMENT_END_BEATS: Beats = 1_576_800.0;

/// Notes that the clips of a Set hold together. A Set that has more opens; what would add to it is refused.
pub const MAX_NOTES_OF_SET: u64 = 2_000_000;

/// Return tracks of a Set.
pub const MAX_RETURNS: usize = 12;
