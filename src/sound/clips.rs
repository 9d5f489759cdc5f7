//! Audio clips: what of a file they play, how loud, how high, and how they follow the tempo.

use crate::object_model::faders::clip_gain_db;
use crate::set::document::ids::Serial;
use crate::set::document::sequence::Sequence;
use crate::set::document::{self, AudioContent, Clip, ClipPlace, PlacedClip, Scene, Track, warp_markers};
use crate::sound::samples::SampleCache;
use crate::sound::tracks::decibels;
use std::sync::Arc;
use svc_sound::mixer::{ClipFades, ClipRegion, ClipSettings, Fade, Warp, WarpMarker};

/// An audio clip as the engine plays it, but for what depends on where its track and its scene are.
pub struct PlayableClip {
    settings: ClipSettings,
    spot: Spot,
}

#[derive(Clone, Copy)]
enum Spot {
    Session { scene: Serial },
    Placed(ClipPlace),
}

/// The audio clips that a track may play, those whose files are loaded. Clips of take lanes are never played.
pub fn clips_of(track: &Track, samples: &SampleCache) -> Vec<PlayableClip> {
    let session = track.session.iter().map(|entry| (&entry.clip, Spot::Session { scene: entry.scene }, None));
    let placed = track
        .arrangement
        .iter()
        .map(|placed| (&placed.clip, Spot::Placed(ClipPlace::arrangement(placed.start)), clip_fades(placed)));
    let playable = |(clip, spot, fades): (&Arc<Clip>, Spot, Option<ClipFades>)| {
        let settings = clip_settings(clip, clip.audio()?, samples)?;
        Some(PlayableClip { settings: ClipSettings { fades, ..settings }, spot })
    };
    session.chain(placed).filter_map(playable).collect()
}

impl PlayableClip {
    /// On the track at that place of the Set.
    pub fn at(&self, track: usize, scenes: &Sequence<Scene>) -> ClipSettings {
        let place = match self.spot {
            Spot::Session { scene } => ClipPlace::session(scenes.position(scene).unwrap_or_default()),
            Spot::Placed(place) => place,
        };
        ClipSettings { turn: turn(track, place), ..self.settings.clone() }
    }
}

/// Clips that a scene launches on tracks side by side have turns side by side.
fn turn(track: usize, place: ClipPlace) -> u64 {
    (place.number().wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40).wrapping_add(track as u64)
}

fn clip_settings(clip: &Clip, audio: &AudioContent, samples: &SampleCache) -> Option<ClipSettings> {
    let sample = samples.get(&audio.file_path)?;
    let (start, end) = clip.region();
    Some(ClipSettings {
        id: u64::from(clip.serial),
        turn: 0,
        sample,
        gain_db: decibels(clip_gain_db(audio.gain)),
        semitones: f32::from(audio.pitch_coarse) + 0.01 * audio.pitch_fine as f32,
        warp: clip_warp(audio.warping, audio.warp_mode),
        markers: markers(&audio.warp_markers),
        // Only what is warped repeats.
        repeats: (clip.looping && audio.warping).then_some(ClipRegion { start, end }),
        end,
        fades: None,
    })
}

/// Of a clip of the Arrangement; in the Session there is no edge that it comes in at.
fn clip_fades(placed: &PlacedClip) -> Option<ClipFades> {
    let fades = placed.clip.audio()?.fades.filter(|fades| fades.are_heard())?;
    let fade = |of: document::Fade| Fade { length: of.length, skew: of.skew, slope: of.slope };
    let (fade_in, fade_out) = (fade(fades.fade_in), fade(fades.fade_out));
    Some(ClipFades { start: placed.start, end: placed.end, fade_in, fade_out })
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
