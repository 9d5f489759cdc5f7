//! The delays of tracks, at the rate of who plays.

use crate::set::document::{Document, TrackDelays};
use svc_sound::plan::settings::MixSettings;

/// Gives the tracks of a mix their delays, and says by how many frames all is late at least.
pub fn delay_tracks(mix: &mut MixSettings, document: &Document, rate: f32) -> u32 {
    let rate = f64::from(rate);
    for settings in &mut mix.tracks {
        let delay = document.track(settings.id).and_then(|track| track.played_delay());
        settings.delay_frames = delay.map_or(0, |delay| delay.frames(rate));
    }
    let delayed = document.tracks.iter().chain(document.returns.iter()).filter(|track| track.played_delay().is_some());
    TrackDelays::of(document, delayed).latency(rate)
}
