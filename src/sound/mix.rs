//! The mix of a Set.

use super::clips::{PlayableClip, clips_of};
use super::devices::{Place, chain_of, current_scale, role_of};
use super::envelopes::table::{DrawnEnvelopes, EnvelopeTable, FoundMovements, drawn_envelopes, moves_devices};
use super::ids;
use super::routing::Listeners;
use super::samples::SampleCache;
use super::tracks::track_settings;
use crate::object_model::default_sound::DefaultSound;
use crate::object_model::native_devices::DeviceCategory;
use crate::set::document::ids::Serial;
use crate::set::document::{Document, Track};
use crate::set::model::note_routes::{NoteRoutes, NoteTap};
use std::collections::BTreeMap;
use std::sync::Arc;
use svc_sound::note_effects::PitchSet;
use svc_sound::plan::settings::{Device, DeviceSettings, MixSettings, NoteWay, TrackSettings};

/// Everything of a Set that sounds, with the samples that are loaded. What is missing is silent until the next mix.
///
/// Ids of tracks are their serials, those of devices, chains and audio clips theirs as `u64`; a track's default
/// instrument has [`ids::default_instrument`].
pub fn mix_settings(document: &Document, samples: &SampleCache) -> MixSettings {
    MixMaker::default().mix(document, samples).settings
}

/// Tracks that have an output of their own where the host asks for it: so many of the first.
pub const TRACK_OUTPUTS: usize = 16;

/// What leaves by one of these outputs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OutputTrack {
    pub id: Serial,
    /// Frames by which it is late in the main output.
    pub late_frames: u32,
}

/// The track of each of these outputs, in the order in which the tools count tracks.
pub type OutputTracks = [Option<OutputTrack>; TRACK_OUTPUTS];

/// A Set's mix, and what its clips and its Arrangement move in it.
pub struct Mix {
    pub settings: MixSettings,
    pub envelopes: EnvelopeTable,
    /// The tracks that leave by outputs of their own.
    pub outputs: [Option<Serial>; TRACK_OUTPUTS],
}

/// Makes one mix after another, and looks only at what changed: tracks that two Sets share are made once.
#[derive(Default)]
pub struct MixMaker {
    made: BTreeMap<Serial, Made>,
    /// What the [cache](SampleCache::generation) was at.
    generation: u64,
    /// The Set's scale, which some devices follow.
    scale: Option<PitchSet>,
}

/// What of a track depends on nothing else in the Set.
struct Made {
    of: Arc<Track>,
    /// Other tracks play its notes in its place.
    leads_away: bool,
    devices: Vec<DeviceSettings>,
    clips: Vec<PlayableClip>,
    envelopes: Vec<DrawnEnvelopes>,
    found: FoundMovements,
}

impl MixMaker {
    /// As [`mix_settings`].
    pub fn mix(&mut self, document: &Document, samples: &SampleCache) -> Mix {
        let (generation, scale) = (samples.generation(), current_scale(&document.song));
        if (generation, scale) != (self.generation, self.scale) {
            self.made.clear();
            (self.generation, self.scale) = (generation, scale);
        }
        let mut before = std::mem::take(&mut self.made);
        let listeners = Listeners::of(document);
        let routes = NoteRoutes::of(document);
        let mut envelopes = EnvelopeTable::default();
        let mut whole = |(place, track): (usize, &Arc<Track>)| -> TrackSettings {
            let route = routes.get(track.serial);
            let leads_away = route.is_some_and(|route| route.leads_away.is_some());
            let made = match before.remove(&track.serial) {
                Some(made) if Arc::ptr_eq(&made.of, track) && made.leads_away == leads_away => made,
                other => Made::new(track, leads_away, (samples, scale), other.map(|made| made.found)),
            };
            let way = |tap: &NoteTap| NoteWay { to: tap.to, behind_devices: tap.behind_devices };
            let note_ways = route.map(|route| route.taps.iter().map(way).collect()).unwrap_or_default();
            let clips = made.clips.iter().map(|clip| clip.at(place, &document.scenes)).collect();
            let devices = made.devices.clone();
            envelopes.add(document, track, &made.envelopes);
            self.made.insert(track.serial, made);
            TrackSettings { devices, clips, note_ways, ..track_settings(track, document, &listeners) }
        };
        let settings = MixSettings {
            tracks: document.tracks.iter().chain(document.returns.iter()).enumerate().map(&mut whole).collect(),
            main: whole((document.tracks.len() + document.returns.len(), &document.main)),
            crossfade: document.main.mixer.crossfader as f32,
            soft_clip: true,
        };
        envelopes.sort();
        let mut serials = document.tracks.iter().map(|track| track.serial);
        Mix { settings, envelopes, outputs: std::array::from_fn(|_| serials.next()) }
    }
}

impl Made {
    fn new(
        track: &Arc<Track>,
        leads_away: bool,
        (samples, scale): (&SampleCache, Option<PitchSet>),
        found: Option<FoundMovements>,
    ) -> Made {
        let default = track.default_sound();
        let usual = default.unwrap_or(DefaultSound::Keys);
        let place = Place { samples, usual, scale, is_moved: moves_devices(track) };
        let mut found = found.unwrap_or_default();
        Made {
            of: Arc::clone(track),
            leads_away,
            devices: devices_of(track, default.filter(|_| !leads_away), &place),
            clips: clips_of(track, samples),
            envelopes: drawn_envelopes(track, &place, &mut found),
            found,
        }
    }
}

/// The devices of a track, a default instrument before them where it has none of its own.
fn devices_of(track: &Track, default: Option<DefaultSound>, place: &Place) -> Vec<DeviceSettings> {
    let Some(sound) = default.filter(|_| !track.has_instrument()) else {
        return chain_of(&track.devices, place);
    };
    let instrument = DeviceSettings {
        id: ids::default_instrument(track.serial),
        on: true,
        device: Device::Instrument(role_of(sound).instrument()),
    };
    // Behind what changes its notes.
    let notes = track.devices.iter().take_while(|device| device.category() == Some(DeviceCategory::MidiEffect)).count();
    let (before, behind) = track.devices.split_at(notes);
    let mut devices = chain_of(before, place);
    devices.push(instrument);
    devices.extend(chain_of(behind, place));
    devices
}
