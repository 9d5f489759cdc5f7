//! The mix of a Set.

use super::clips::clips_of;
use super::devices::{Place, chain_of, role_of};
use super::ids;
use super::routing::Listeners;
use super::samples::SampleCache;
use super::tracks::track_settings;
use crate::object_model::default_sound::DefaultSound;
use crate::set::document::ids::Serial;
use crate::set::document::{Document, Track};
use std::collections::BTreeMap;
use std::sync::Arc;
use svc_sound::mixer::ClipSettings;
use svc_sound::plan::settings::{Device, DeviceSettings, MixSettings, TrackSettings};

/// Everything of a Set that sounds, with the samples that are loaded. What is missing is silent until the next mix.
///
/// Ids of tracks are their serials, those of devices, chains and audio clips theirs as `u64`; a track's default
/// instrument has [`ids::default_instrument`].
pub fn mix_settings(document: &Document, samples: &SampleCache) -> MixSettings {
    MixMaker::default().mix(document, samples)
}

/// Makes one mix after another, and looks only at what changed: tracks that two Sets share are made once.
#[derive(Default)]
pub struct MixMaker {
    made: BTreeMap<Serial, Made>,
    /// What the [cache](SampleCache::generation) was at.
    generation: u64,
}

/// What of a track depends on nothing else in the Set.
struct Made {
    of: Arc<Track>,
    devices: Vec<DeviceSettings>,
    clips: Vec<ClipSettings>,
}

impl MixMaker {
    /// As [`mix_settings`].
    pub fn mix(&mut self, document: &Document, samples: &SampleCache) -> MixSettings {
        let generation = samples.generation();
        if generation != self.generation {
            self.made.clear();
            self.generation = generation;
        }
        let before = std::mem::take(&mut self.made);
        let listeners = Listeners::of(document);
        let mut whole = |track: &Arc<Track>| -> TrackSettings {
            let shared = before.get(&track.serial).filter(|made| Arc::ptr_eq(&made.of, track));
            let (devices, clips) = match shared {
                Some(made) => (made.devices.clone(), made.clips.clone()),
                None => (devices_of(track, samples), clips_of(track, samples)),
            };
            let made = Made { of: Arc::clone(track), devices: devices.clone(), clips: clips.clone() };
            self.made.insert(track.serial, made);
            TrackSettings { devices, clips, ..track_settings(track, document, &listeners) }
        };
        MixSettings {
            tracks: document.tracks.iter().chain(document.returns.iter()).map(&mut whole).collect(),
            main: whole(&document.main),
            crossfade: document.main.mixer.crossfader as f32,
            soft_clip: true,
        }
    }
}

/// The devices of a track, a default instrument before them where it has none of its own.
fn devices_of(track: &Track, samples: &SampleCache) -> Vec<DeviceSettings> {
    let default = track.default_sound();
    let place = Place { samples, usual: default.unwrap_or(DefaultSound::Keys) };
    let mut devices = chain_of(&track.devices, &place);
    if let Some(sound) = default.filter(|_| !track.has_instrument()) {
        let device = Device::Instrument(role_of(sound).instrument());
        devices.insert(0, DeviceSettings { id: ids::default_instrument(track.serial), on: true, device });
    }
    devices
}
