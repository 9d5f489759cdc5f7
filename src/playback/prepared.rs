//! A snapshot as the audio thread takes it over: what the engine plays by, and room for its work.

use super::track_player::TrackPlayer;
use crate::set::document::ids::Serial;
use crate::set::document::sequence::Sequence;
use crate::set::document::{DelaysOnTheWay, Scene, Song, Track, TrackDelays, TrackKind};
use crate::set::runtime::launch_orders::{TrackLaunch, TransportOrder};
use std::sync::Arc;

/// A snapshot with room for the engine's work on it, made where allocating is allowed.
#[derive(Default)]
pub(super) struct PreparedSnapshot {
    pub settings: Option<SongSettings>,
    /// One for each track that may sound: launched, or with clips or automation in the Arrangement. In the Set's order,
    /// so that who starts first does not depend on ids.
    pub tracks: Vec<PlayableTrack>,
    /// Where a track is among these, sorted by track.
    pub places: Vec<(Serial, usize)>,
    pub scenes: Sequence<Scene>,
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
    /// Where the track is in the Set: tracks, then returns, then the main track.
    pub place: u32,
    pub player: TrackPlayer,
    pub delays: DelaysOnTheWay,
}

impl PlayableTrack {
    /// Whether its clips are audio.
    pub fn has_audio(&self) -> bool {
        self.track.as_ref().is_some_and(|track| track.kind == TrackKind::Audio)
    }
}

/// Where a track is among those that may sound.
pub(super) fn place_of(places: &[(Serial, usize)], track: Serial) -> Option<usize> {
    let found = places.binary_search_by_key(&track, |(track, _)| *track).ok()?;
    places.get(found).map(|(_, place)| *place)
}
