//! Scales as note effects take them.

use crate::music::scale::{SCALES, ScaleKind, kind_named};
use crate::set::document::Song;
use svc_sound::note_effects::PitchSet;

/// A place in a list of scales whose first entry is none of them, and a root.
pub struct ScaleChoice {
    pub list: usize,
    pub root: u8,
}

pub fn chosen_scale(choice: &ScaleChoice) -> Option<PitchSet> {
    let kind = SCALES.get(choice.list.checked_sub(1)?)?;
    Some(pitch_set(kind, choice.root))
}

/// The scale of the Set.
pub fn current_scale(song: &Song) -> Option<PitchSet> {
    kind_named(&song.scale_name).map(|kind| pitch_set(kind, song.root_note))
}

fn pitch_set(kind: &ScaleKind, root: u8) -> PitchSet {
    PitchSet { root, semitones: kind.intervals.iter().fold(0, |set, above| set | 1 << above) }
}
