//! The clips of a whole row or column of the Session grid, from the index and the track: a Set of 200 by 200 slots is
//! not walked to find the ten that hold a clip.

use crate::object_model::ObjectId;
use crate::set::document::ids::Serial;
use crate::set::model::object_ref::ObjectRef;
use crate::set::model::set_state::SetState;

impl SetState {
    /// In the order of the scenes for a Track, in that of the tracks for a Scene; `None` for anything else.
    pub(in crate::set::model) fn clips_in_slots(&self, of: ObjectId) -> Option<Vec<ObjectId>> {
        let doc = &self.document;
        let mut clips: Vec<(usize, Serial)> = match self.object_ref(of)? {
            ObjectRef::Track(track) => {
                let slots = doc.track(track)?.session.iter();
                slots.filter_map(|slot| Some((doc.scene_position(slot.scene)?, slot.clip.serial))).collect()
            }
            ObjectRef::Scene(scene) => {
                let tracks = doc.index.row(scene);
                tracks
                    .filter_map(|track| Some((doc.track_position(track)?, doc.clip_in(track, scene)?.serial)))
                    .collect()
            }
            _ => return None,
        };
        clips.sort_unstable();
        Some(clips.into_iter().map(|(_, clip)| ObjectRef::Clip(clip).id()).collect())
    }

    pub(in crate::set::model) fn count_of_clips_in_slots(&self, of: ObjectId) -> Option<usize> {
        match self.object_ref(of)? {
            ObjectRef::Track(track) => Some(self.document.track(track)?.session.len()),
            ObjectRef::Scene(scene) => Some(self.document.index.row(scene).count()),
            _ => None,
        }
    }
}
