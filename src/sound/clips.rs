//! Audio clips: what of a file they play, how loud, how high, and how they follow the tempo.

use crate::object_model::faders::clip_gain_db;
use crate::set::document::{AudioContent, Clip, Track, warp_markers};
use crate::sound::samples::SampleCache;
use crate::sound::tracks::decibels;
use svc_sound::mixer::{ClipRegion, ClipSettings, Warp, WarpMarker};

/// The audio clips that a track may play, those whose files are loaded. Clips of take lanes are never played.
pub fn clips_of(track: &Track, samples: &SampleCache) -> Vec<ClipSettings> {
    let session = track.session.iter().map(|entry| &entry.clip);
    let placed = track.arrangement.iter().map(|placed| &placed.clip);
    session.chain(placed).filter_map(|clip| clip_settings(clip, clip.audio()?, samples)).collect()
}

fn clip_settings(clip: &Clip, audio: &AudioContent, samples: &SampleCache) -> Option<ClipSettings> {
    let sample = samples.get(&audio.file_path)?;
    let (start, end) = clip.region();
    Some(ClipSettings {
        id: u64::from(clip.serial),
        sample,
        gain_db: decibels(clip_gain_db(audio.gain)),
        semitones: f32::from(audio.pitch_coarse) + 0.01 * audio.pitch_fine as f32,
        warp: clip_warp(audio.warping, audio.warp_mode),
        markers: markers(&audio.warp_markers),
        // Only what is warped repeats.
        repeats: (clip.looping && audio.warping).then_some(ClipRegion { start, end }),
        end,
    })
}

/// Warp markers as the engine has them.
pub fn markers(of: &[warp_markers::WarpMarker]) -> Vec<WarpMarker> {
    of.iter().map(|marker| WarpMarker { beats: marker.beat_time, seconds: marker.sample_time_seconds }).collect()
}

/// How a sample follows the tempo, by the number of Live's mode.
pub fn clip_warp(warping: bool, mode: u8) -> Warp {
    match (warping, mode) {
        (false, _) => Warp::Off,
        (true, 1) => Warp::TONES,
        (true, 2) => Warp::TEXTURE,
        (true, 3) => Warp::Repitch,
        (true, 4 | 6) => Warp::COMPLEX,
        (true, _) => Warp::BEATS,
    }
}
