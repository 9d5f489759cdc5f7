//! How snapshots reach the audio thread, and how old ones leave it.
//!
//! Three buffers take turns: the engine swaps in the newest snapshot without waiting, and the one it gives back is
//! dropped by the publisher when it writes that buffer again. So the audio thread never frees, and up to two old
//! snapshots live on for a while.

use super::engine::Engine;
use super::lane::Lane;
use crate::set::document::{Document, Track};
use crate::set::launch::{ClockCell, TrackLaunch, TransportOrder};
use std::sync::Arc;
use triple_buffer::{Input, Output, TripleBuffer};

/// Everything the engine plays by, as of one moment.
#[derive(Clone, Debug)]
pub struct Snapshot {
    pub document: Document,
    /// One for every MIDI track that was ever launched; sorted by track (`publish` sorts them otherwise).
    pub launches: Vec<TrackLaunch>,
    pub transport: TransportOrder,
    /// The engine's own clock leads even in a host.
    pub own_clock: bool,
}

/// A snapshot with room for the engine's work on it, made where allocating is allowed.
#[derive(Default)]
pub(super) struct Prepared {
    pub snapshot: Option<Snapshot>,
    /// One for each launch, in order.
    pub lanes: Vec<Lane>,
    /// The track of each launch, in order; `None` if it is gone.
    pub tracks: Vec<Option<Arc<Track>>>,
}

/// The model's end. Dropping old snapshots happens here, in `publish`.
pub struct Publisher {
    input: Input<Prepared>,
    clock: Arc<ClockCell>,
}

/// The model's and the audio thread's end of a new engine. Made once in a device's life: a second one would carry out
/// transport orders again.
pub fn channel() -> (Publisher, Engine) {
    let (input, output): (Input<Prepared>, Output<Prepared>) = TripleBuffer::default().split();
    let clock = Arc::new(ClockCell::default());
    (Publisher { input, clock: Arc::clone(&clock) }, Engine::new(output, clock))
}

impl Publisher {
    /// Makes `snapshot` what the engine plays from its next block on. Never waits. Costs a pass over the launches, however
    /// large the Set is; no clip is opened.
    pub fn publish(&mut self, mut snapshot: Snapshot) {
        if !snapshot.launches.is_sorted_by_key(|launch| launch.track) {
            snapshot.launches.sort_by_key(|launch| launch.track);
        }
        let document = &snapshot.document;
        let any_solo = document.tracks.sum().soloed > 0;
        let (lanes, tracks) = snapshot
            .launches
            .iter()
            .map(|launch| {
                let track = document.tracks.find(launch.track);
                let audible = track.is_some_and(|track| is_audible(document, track, any_solo));
                (Lane::new(launch, audible, document), track.cloned())
            })
            .unzip();
        self.input.write(Prepared { snapshot: Some(snapshot), lanes, tracks });
    }

    /// The clock that the engine writes.
    pub fn clock(&self) -> &Arc<ClockCell> {
        &self.clock
    }
}

/// A track sounds unless it or a group around it is muted, or another track is soloed and neither it nor a group
/// around it is.
fn is_audible(document: &Document, track: &Arc<Track>, any_solo: bool) -> bool {
    let mut soloed = !any_solo;
    let mut next = Some(track);
    // Groups nest no deeper than there are tracks; a damaged Set could have them in a ring.
    for _ in 0..document.tracks.len() {
        let Some(track) = next else { break };
        if track.mute {
            return false;
        }
        soloed |= track.solo;
        next = track.group.and_then(|group| document.tracks.find(group));
    }
    soloed
}
