//! A snapshot as the audio thread takes it over: what the engine plays by, and room for its work.

use super::lane::Lane;
use crate::set::document::{Song, Track};
use crate::set::runtime::launch_orders::{TrackLaunch, TransportOrder};
use std::sync::Arc;

/// A snapshot with room for the engine's work on it, made where allocating is allowed.
#[derive(Default)]
pub(super) struct Prepared {
    pub setting: Option<Setting>,
    /// One for each track that may sound: launched, or with clips in the Arrangement. Sorted by track.
    pub parts: Vec<Part>,
}

/// What a snapshot says of no single track.
pub(super) struct Setting {
    pub song: Arc<Song>,
    pub transport: TransportOrder,
    pub own_clock: bool,
}

/// One track that may sound.
pub(super) struct Part {
    /// `None`: nothing was launched, the track follows the Arrangement.
    pub launch: Option<TrackLaunch>,
    /// `None`: it is gone.
    pub track: Option<Arc<Track>>,
    pub lane: Lane,
}
