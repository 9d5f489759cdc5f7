//! The mix of a Set.

use super::samples::SampleCache;
use super::tracks::{Heard, track_settings};
use crate::set::document::Document;
use svc_sound::plan::settings::MixSettings;

/// Everything of a Set that sounds, with the samples that are loaded. What is missing is silent until the next mix.
///
/// Ids of tracks are their serials, those of devices, chains and audio clips theirs as `u64`; a track's default
/// instrument has `1 << 32 | serial`.
pub fn mix_settings(document: &Document, _samples: &SampleCache) -> MixSettings {
    let heard = Heard::of(document);
    let tracks = document.tracks.iter().chain(document.returns.iter());
    MixSettings {
        tracks: tracks.map(|track| track_settings(track, document, &heard)).collect(),
        main: track_settings(&document.main, document, &heard),
        crossfade: document.main.mixer.crossfader as f32,
        soft_clip: true,
    }
}
