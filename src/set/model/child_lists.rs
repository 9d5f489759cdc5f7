//! Whole child lists, each in one walk; and the tracks that are shown, which folded groups leave out.

use crate::object_model::{ModelError, ObjectId};
use crate::set::document::Track;
use crate::set::document::object_index::Location;
use crate::set::model::object_ref::ObjectRef;
use crate::set::model::set_state::SetState;
use std::sync::Arc;

impl SetState {
    /// All objects of a child list that the class table names.
    pub(super) fn list(&self, target: ObjectRef, name: &str) -> Result<Vec<ObjectId>, ModelError> {
        let doc = &self.document;
        let track = |track: &Arc<Track>| ObjectRef::Track(track.serial).id();
        Ok(match (target, name) {
            (ObjectRef::Song, "tracks") => doc.tracks.iter().map(track).collect(),
            (ObjectRef::Song, "visible_tracks") => {
                doc.tracks.iter().filter(|t| self.is_visible(t)).map(track).collect()
            }
            (ObjectRef::Song, "scenes") => doc.scenes.iter().map(|scene| ObjectRef::Scene(scene.serial).id()).collect(),
            (ObjectRef::Track(track), "clip_slots") if doc.location(track) == Some(Location::Track) => {
                doc.scenes.iter().map(|scene| ObjectRef::Slot { track, scene: scene.serial }.id()).collect()
            }
            (ObjectRef::Scene(scene), "clip_slots") => {
                doc.tracks.iter().map(|track| ObjectRef::Slot { track: track.serial, scene }.id()).collect()
            }
            _ => {
                let count = self.list_len(target, name)?;
                (0..count).filter_map(|at| self.list_item(target, name, at)).map(ObjectRef::id).collect()
            }
        })
    }

    pub(super) fn visible_count(&self) -> usize {
        let tracks = &self.document.tracks;
        if tracks.sum().folded == 0 { tracks.len() } else { tracks.iter().filter(|t| self.is_visible(t)).count() }
    }

    pub(super) fn visible_at(&self, at: usize) -> Option<&Arc<Track>> {
        let tracks = &self.document.tracks;
        if tracks.sum().folded == 0 { tracks.get(at) } else { tracks.iter().filter(|t| self.is_visible(t)).nth(at) }
    }
}
