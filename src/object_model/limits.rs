//! Limits of a Set that every host keeps and tools check before they write.

use crate::music::Beats;

/// The last place on the timeline where a clip can start.
pub const ARRANGEMENT_END_BEATS: Beats = 1_576_800.0;
