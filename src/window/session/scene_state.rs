//! What plays and waits on tracks, and which scenes play by it: with all of their clips, with some of them, or about to
//! start.

use crate::window::shown::ShownSet;
use std::collections::HashMap;

/// What a track of the Session does.
#[derive(Clone, Copy, Default)]
pub struct TrackPlay {
    /// The scene whose clip plays, and how far in its region that is, 0 to 1.
    pub playing: Option<(usize, f32)>,
    pub waiting: Option<Waiting>,
}

#[derive(Clone, Copy, PartialEq)]
pub enum Waiting {
    Scene(usize),
    Stop,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SceneState {
    Playing,
    /// Another scene, or a stop, took some of its tracks.
    Partly,
    Waiting,
}

impl SceneState {
    /// `is_running`: the clock does.
    pub fn words(self, is_running: bool) -> &'static str {
        match self {
            SceneState::Playing if !is_running => ", launched",
            SceneState::Partly if !is_running => ", partly launched",
            SceneState::Playing => ", playing",
            SceneState::Partly => ", partly playing",
            SceneState::Waiting => ", waits to start",
        }
    }
}

#[derive(Default)]
struct Count {
    playing: usize,
    waiting: usize,
    /// Of both, those that are switched off; they count where somebody has launched them.
    off: usize,
}

/// Of the scenes of which a clip plays or waits. One waits when all that it brings plays or waits, and something waits.
pub fn scene_states(set: &ShownSet, tracks: &[TrackPlay]) -> HashMap<usize, SceneState> {
    let mut counts: HashMap<usize, Count> = HashMap::new();
    for (at, track) in tracks.iter().enumerate() {
        let waits_for = match track.waiting {
            Some(Waiting::Scene(scene)) => Some(scene),
            _ => None,
        };
        let plays = track.playing.map(|(scene, _)| scene).filter(|scene| waits_for != Some(*scene));
        for (scene, is_waiting) in [(waits_for, true), (plays, false)] {
            let Some(slot) = scene.and_then(|scene| set.slot(at, scene)) else { continue };
            let count = counts.entry(slot.scene).or_default();
            *(if is_waiting { &mut count.waiting } else { &mut count.playing }) += 1;
            count.off += usize::from(slot.is_muted);
        }
    }
    let state = |(scene, count): (usize, Count)| {
        let all = set.scene_clips.get(scene).copied().unwrap_or_default() + count.off;
        let state = match (count.waiting, count.playing) {
            (1.., playing) if count.waiting + playing == all => SceneState::Waiting,
            (_, 0) => return None,
            (_, playing) if playing == all => SceneState::Playing,
            _ => SceneState::Partly,
        };
        Some((scene, state))
    };
    counts.into_iter().filter_map(state).collect()
}
