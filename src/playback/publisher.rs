//! How snapshots reach the audio thread, and how old ones leave it.
//!
//! Three buffers take turns: the engine swaps in the newest snapshot without waiting, and the one it gives back is
//! dropped by the publisher when it writes that buffer again. So the audio thread never frees, and up to two old
//! snapshots live on for a while.

use super::engine::Engine;
use super::prepared::{PlayableTrack, PreparedSnapshot, SongSettings};
use super::track_player::TrackPlayer;
use crate::set::document::ids::Serial;
use crate::set::document::sequence::Sequence;
use crate::set::document::{BySolo, DelaysOnTheWay, Document, Song, Track, TrackDelays, TrackKind};
use crate::set::model::soloed_returns::SoloedReturns;
use crate::set::runtime::launch_orders::{ClockCell, TrackLaunch, TransportOrder};
use std::collections::BTreeMap;
use std::sync::Arc;
use triple_buffer::{Input, Output, TripleBuffer};

/// Everything the engine plays by, as of one moment.
#[derive(Clone, Debug)]
pub struct Snapshot {
    pub document: Document,
    /// One for every track that was ever launched and not left to the Arrangement since; sorted by track
    /// (`publish` sorts them otherwise).
    pub launches: Vec<TrackLaunch>,
    pub transport: TransportOrder,
    /// The engine's own clock leads even in a host.
    pub own_clock: bool,
}

/// The model's end. Dropping old snapshots happens here, in `publish`.
pub struct Publisher {
    input: Input<PreparedSnapshot>,
    clock: Arc<ClockCell>,
    /// The tracks and returns published last, and those among them, and the main track, that have clips or automation
    /// in the Arrangement.
    seen: [Sequence<Track>; 2],
    arranged: BTreeMap<Serial, Arc<Track>>,
    /// Those that are played with a delay of their own.
    delayed: BTreeMap<Serial, Arc<Track>>,
}

/// The model's and the audio thread's end of a new engine. Made once in a device's life: a second one would carry out
/// transport orders again.
pub fn channel() -> (Publisher, Engine) {
    let (input, output): (Input<PreparedSnapshot>, Output<PreparedSnapshot>) = TripleBuffer::default().split();
    let clock = Arc::new(ClockCell::default());
    let publisher = Publisher {
        input,
        clock: Arc::clone(&clock),
        seen: Default::default(),
        arranged: BTreeMap::default(),
        delayed: BTreeMap::default(),
    };
    (publisher, Engine::new(output, clock))
}

impl Publisher {
    /// Makes `snapshot` what the engine plays from its next block on. Never waits. Costs a pass over the tracks that
    /// may sound and those that changed since the last time, however large the Set is; no clip is opened.
    pub fn publish(&mut self, snapshot: Snapshot) {
        let Snapshot { document, mut launches, transport, own_clock } = snapshot;
        if !launches.is_sorted_by_key(|launch| launch.track) {
            launches.sort_by_key(|launch| launch.track);
        }
        self.follow(&document);
        let returns = SoloedReturns::of(&document);
        let is_delayed = !self.delayed.is_empty();
        let playable = |track: Option<&Arc<Track>>, serial, launch: Option<TrackLaunch>| {
            let audible = track.is_some_and(|track| is_audible(&document, track, &returns));
            let delays = track.filter(|_| is_delayed).map(|track| DelaysOnTheWay::of(&document, track));
            PlayableTrack {
                place: place_in(&document, serial),
                player: TrackPlayer::new(serial, launch.as_ref(), audible, &document),
                track: track.cloned(),
                launch,
                delays: delays.unwrap_or_default(),
            }
        };
        let mut tracks = Vec::with_capacity(launches.len() + self.arranged.len());
        let mut arranged = self.arranged.iter().peekable();
        for launch in launches {
            while let Some((serial, track)) = arranged.next_if(|(serial, _)| **serial < launch.track) {
                tracks.push(playable(Some(track), *serial, None));
            }
            let both = arranged.next_if(|(serial, _)| **serial == launch.track).map(|(_, track)| track);
            tracks.push(playable(both.or_else(|| document.tracks.find(launch.track)), launch.track, Some(launch)));
        }
        tracks.extend(arranged.map(|(serial, track)| playable(Some(track), *serial, None)));
        // Those that are gone come last.
        tracks.sort_by_key(|track| (track.place, track.player.track));
        let mut places: Vec<_> = tracks.iter().enumerate().map(|(at, track)| (track.player.track, at)).collect();
        places.sort_unstable();
        let delays = TrackDelays::of(&document, self.delayed.values());
        self.input.write(PreparedSnapshot {
            settings: Some(SongSettings {
                metronome: is_metronome_on(&document.song),
                song: document.song,
                transport,
                own_clock,
            }),
            tracks,
            places,
            scenes: document.scenes,
            delays,
        });
    }

    /// Learns which tracks have something in the Arrangement, or a delay, by what changed.
    fn follow(&mut self, document: &Document) {
        let Publisher { seen, arranged, delayed, .. } = self;
        for (seen, tracks) in seen.iter_mut().zip([&document.tracks, &document.returns]) {
            seen.differences(tracks, |old, _| {
                if let Some(old) = old {
                    arranged.remove(&old.serial);
                    delayed.remove(&old.serial);
                }
            });
            // After all that is gone: a track that moved is both.
            seen.differences(tracks, |_, new| {
                if let Some(new) = new.filter(|new| is_arranged(new)) {
                    arranged.insert(new.serial, Arc::clone(new));
                }
                if let Some(new) = new.filter(|new| new.played_delay().is_some()) {
                    delayed.insert(new.serial, Arc::clone(new));
                }
            });
            *seen = tracks.clone();
        }
        let main = &document.main;
        arranged.remove(&main.serial);
        if is_arranged(main) {
            arranged.insert(main.serial, Arc::clone(main));
        }
    }

    /// The clock that the engine writes.
    pub fn clock(&self) -> &Arc<ClockCell> {
        &self.clock
    }
}

/// A track's place in the Set, whatever its id.
fn place_in(document: &Document, serial: Serial) -> u32 {
    let (tracks, returns) = (&document.tracks, &document.returns);
    let of_return = || returns.position(serial).map(|at| tracks.len() + at);
    let of_main = || (document.main.serial == serial).then_some(tracks.len() + returns.len());
    let place = tracks.position(serial).or_else(of_return).or_else(of_main);
    place.and_then(|place| u32::try_from(place).ok()).unwrap_or(u32::MAX)
}

fn is_arranged(track: &Track) -> bool {
    may_play(track) && !track.arrangement.is_empty() || !track.automation.is_empty()
}

/// Whether a track's clips are played: it sends MIDI, or has audio clips.
fn may_play(track: &Track) -> bool {
    track.midi_channel.is_some() || track.kind == TrackKind::Audio
}

fn is_metronome_on(song: &Song) -> bool {
    let stored = song.stored.get("metronome");
    stored.is_some_and(|on| on.as_bool().unwrap_or_else(|| on.as_i64().is_some_and(|on| on != 0)))
}

/// A track's notes leave unless it or a group around it is muted, or others are soloed and nothing of it is heard.
fn is_audible(document: &Document, track: &Arc<Track>, returns: &SoloedReturns) -> bool {
    !document.is_muted(track)
        && match document.by_solo(track) {
            BySolo::Heard => true,
            BySolo::SendsAlone => returns.contains(track.serial),
            BySolo::LeftOut => false,
        }
}
