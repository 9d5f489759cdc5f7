//! Which part of the Set is rendered.

use crate::music::{Beats, Meter};
use crate::set::Document;
use crate::set::document::ids::Serial;
use crate::set::document::{Clip, Scene, Track, TrackKind};
use std::sync::Arc;

/// A stretch in quarter beats; its length is above 0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Stretch {
    /// Of the Arrangement.
    Arrangement { from: Beats, to: Beats },
    /// A scene that is launched at the beginning. Tracks without a clip in it are silent.
    Scene { scene: Serial, beats: Beats },
}

impl Stretch {
    pub fn beats(&self) -> Beats {
        match self {
            Stretch::Arrangement { from, to } => to - from,
            Stretch::Scene { beats, .. } => *beats,
        }
    }

    /// Where it begins in the song.
    pub fn start(&self) -> Beats {
        match self {
            Stretch::Arrangement { from, .. } => *from,
            Stretch::Scene { .. } => 0.0,
        }
    }

    pub fn seconds(&self, document: &Document) -> f64 {
        self.beats() * 60.0 / tempo_bpm(document, self.scene(document))
    }

    /// The scene that is launched.
    pub fn scene<'a>(&self, document: &'a Document) -> Option<&'a Arc<Scene>> {
        match self {
            Stretch::Scene { scene, .. } => document.scenes.find(*scene),
            Stretch::Arrangement { .. } => None,
        }
    }

    /// The clips of a track that it plays.
    pub fn clips<'a>(&self, track: &'a Track) -> Vec<&'a Arc<Clip>> {
        match self {
            _ if !matches!(track.kind, TrackKind::Midi | TrackKind::Audio) => Vec::new(),
            Stretch::Scene { scene, .. } => track.session.get(*scene).into_iter().collect(),
            Stretch::Arrangement { from, to } => {
                track.arrangement.within(*from, *to).map(|placed| &placed.clip).collect()
            }
        }
    }

    /// The Arrangement from its beginning to the end of its last clip; `None` where there is no clip.
    pub fn whole_arrangement(document: &Document) -> Option<Stretch> {
        let ends = document.tracks.iter().filter_map(|track| Some(track.arrangement.last()?.end));
        let to = ends.fold(0.0, f64::max);
        (to > 0.0).then_some(Stretch::Arrangement { from: 0.0, to })
    }

    /// A scene until the longest of its clips came round once, in whole bars; `None` where it has no clip.
    pub fn whole_scene(document: &Document, scene: &Arc<Scene>) -> Option<Stretch> {
        let tempo_bpm = tempo_bpm(document, Some(scene));
        let of_scene = Stretch::Scene { scene: scene.serial, beats: 0.0 };
        let clips = document.tracks.iter().flat_map(|track| of_scene.clips(track));
        let longest = clips.map(|clip| clip_beats(clip, tempo_bpm)).fold(0.0, f64::max);
        let bar = bar_beats(document, Some(scene));
        let bars = (longest / bar - 1e-6).ceil().max(1.0);
        (longest > 0.0).then_some(Stretch::Scene { scene: scene.serial, beats: bars * bar })
    }
}

/// What the Set's tempo is once the scene was launched.
pub fn tempo_bpm(document: &Document, scene: Option<&Arc<Scene>>) -> f64 {
    scene.and_then(|scene| scene.tempo_bpm).unwrap_or(document.song.tempo_bpm)
}

/// The meter that a stretch plays in.
pub fn meter(document: &Document, stretch: &Stretch) -> Meter {
    let signature = stretch.scene(document).and_then(|scene| scene.signature).unwrap_or(document.song.signature);
    Meter::new(signature.numerator.into(), signature.denominator.into()).unwrap_or_default()
}

/// Quarter beats of a bar once the scene was launched.
pub fn bar_beats(document: &Document, scene: Option<&Arc<Scene>>) -> Beats {
    let signature = scene.and_then(|scene| scene.signature).unwrap_or(document.song.signature);
    4.0 * f64::from(signature.numerator) / f64::from(signature.denominator)
}

fn clip_beats(clip: &Clip, tempo_bpm: f64) -> Beats {
    let (from, to) = clip.region();
    let length = (to - from).max(0.0);
    // The times of such a clip are seconds.
    if clip.is_unwarped() { length * tempo_bpm / 60.0 } else { length }
}
