//! The mix of a Set.

use super::clips::clips_of;
use super::devices::{Place, chain_of, current_scale, role_of};
use super::ids;
use super::routing::Listeners;
use super::samples::SampleCache;
use super::tracks::track_settings;
use crate::object_model::default_sound::DefaultSound;
use crate::object_model::native_devices::DeviceCategory;
use crate::set::document::ids::Serial;
use crate::set::document::{Document, Track};
use std::collections::BTreeMap;
use std::sync::Arc;
use svc_sound::mixer::ClipSettings;
use svc_sound::note_effects::PitchSet;
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
    /// The Set's scale, which some devices follow.
    scale: Option<PitchSet>,
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
        let (generation, scale) = (samples.generation(), current_scale(&document.song));
        if (generation, scale) != (self.generation, self.scale) {
            self.made.clear();
            (self.generation, self.scale) = (generation, scale);
        }
        let before = std::mem::take(&mut self.made);
        let listeners = Listeners::of(document);
        let mut whole = |track: &Arc<Track>| -> TrackSettings {
            let shared = before.get(&track.serial).filter(|made| Arc::ptr_eq(&made.of, track));
            let (devices, clips) = match shared {
                Some(made) => (made.devices.clone(), made.clips.clone()),
                None => (devices_of(track, samples, scale), clips_of(track, samples)),
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
fn devices_of(track: &Track, samples: &SampleCache, scale: Option<PitchSet>) -> Vec<DeviceSettings> {
    let default = track.default_sound();
    let place = Place { samples, usual: default.unwrap_or(DefaultSound::Keys), scale };
    let Some(sound) = default.filter(|_| !track.has_instrument()) else {
        return chain_of(&track.devices, &place);
    };
    let instrument = DeviceSettings {
        id: ids::default_instrument(track.serial),
        on: true,
        device: Device::Instrument(role_of(sound).instrument()),
    };
    // Behind what changes its notes.
    let notes = track.devices.iter().take_while(|device| device.category() == Some(DeviceCategory::MidiEffect)).count();
    let (before, behind) = track.devices.split_at(notes);
    let mut devices = chain_of(before, &place);
    devices.push(instrument);
    devices.extend(chain_of(behind, &place));
    devices
}
