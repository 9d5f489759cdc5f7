//! A snapshot as the audio thread takes it over: what the engine plays by, and room for its work.

use super::track_player::TrackPlayer;
use crate::set::document::{DelaysOnTheWay, Song, Track, TrackDelays, TrackKind};
use crate::set::runtime::launch_orders::{TrackLaunch, TransportOrder};
use std::sync::Arc;

/// A snapshot with room for the engine's work on it, made where allocating is allowed.
#[derive(Default)]
pub(super) struct PreparedSnapshot {
    pub settings: Option<SongSettings>,
    /// One for each track that may sound: launched, or with clips or automation in the Arrangement. Sorted by track.
    pub tracks: Vec<PlayableTrack>,
    pub delays: TrackDelays,
}

/// What of a snapshot belongs to the whole song.
pub(super) struct SongSettings {
    pub song: Arc<Song>,
    pub transport: TransportOrder,
    pub own_clock: bool,
    pub metronome: bool,
}

/// One track that may sound.
pub(super) struct PlayableTrack {
    /// `None`: nothing was launched, the track follows the Arrangement.
    pub launch: Option<TrackLaunch>,
    /// `None`: it is gone.
    pub track: Option<Arc<Track>>,
    pub player: TrackPlayer,
    pub delays: DelaysOnTheWay,
}

impl PlayableTrack {
    /// Whether its clips are audio.
    pub fn has_audio(&self) -> bool {
        self.track.as_ref().is_some_and(|track| track.kind == TrackKind::Audio)
    }
}
