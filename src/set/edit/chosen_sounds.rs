//! Default sounds of tracks are chosen when a step ends that gave a track its first notes or another name.

use crate::set::document::Document;
use crate::set::document::ids::Serial;

/// Keeps the sounds that follow from what became of `before`. Looks at the tracks that the two do not share.
pub fn keep_chosen_sounds(before: &Document, document: &mut Document) {
    let mut chosen: Vec<(Serial, _)> = Vec::new();
    before.tracks.differences(&document.tracks, |_, new| {
        if let Some(track) = new {
            let sound = track.sound_to_keep(before.tracks.find(track.serial).map(AsRef::as_ref));
            chosen.extend((sound != track.chosen_sound).then_some((track.serial, sound)));
        }
    });
    for (serial, sound) in chosen {
        document.edit_track(serial, |track| track.chosen_sound = sound);
    }
}
