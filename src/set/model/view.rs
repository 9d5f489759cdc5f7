//! Selection: what Song.View points at. Selecting is no edit and makes no undo step.

use super::{SetState, Target};
use crate::object_model::wrapper::object_argument;
use crate::object_model::{ModelError, Value};

impl SetState {
    /// The object a child of Song.View points at. Track and scene are never empty.
    pub(super) fn selected(&self, name: &str) -> Option<Target> {
        let doc = &self.document;
        let selection = &self.session.selection;
        let track = || selection.track.or_else(|| doc.tracks.first().map(|t| t.serial));
        let scene = || selection.scene.or_else(|| doc.scenes.first().map(|s| s.serial));
        match name {
            "selected_track" => track().map(Target::Track),
            "selected_scene" => scene().map(Target::Scene),
            "detail_clip" => selection.detail_clip.filter(|clip| doc.clip(*clip).is_some()).map(Target::Clip),
            "highlighted_clip_slot" => {
                let track = track().filter(|track| doc.track_position(*track).is_some())?;
                Some(Target::Slot { track, scene: scene()? })
            }
            _ => None,
        }
    }

    pub(super) fn write_child(&mut self, target: Target, member: &str, value: &Value) -> Result<(), ModelError> {
        let wrong = |expected| ModelError::WrongType { member: member.to_owned(), expected };
        let id = object_argument(value).ok_or_else(|| wrong("an object: \"id N\""))?;
        let wanted = match id {
            Some(id) => Some(self.target(id).ok_or_else(|| wrong("the id of an object that exists"))?),
            None => None,
        };
        if let (Target::Clip(clip), "groove") = (target, member) {
            return self.write_groove(clip, wanted);
        }
        let selection = &mut self.session.selection;
        match (target, member, wanted) {
            (Target::SongView, "selected_track", Some(Target::Track(track))) => selection.track = Some(track),
            (Target::SongView, "selected_scene", Some(Target::Scene(scene))) => selection.scene = Some(scene),
            (Target::SongView, "highlighted_clip_slot", Some(Target::Slot { track, scene })) => {
                selection.track = Some(track);
                selection.scene = Some(scene);
            }
            (Target::SongView, "detail_clip", Some(Target::Clip(clip))) if !selection.arrangement_view => {
                selection.detail_clip = Some(clip);
            }
            (Target::SongView, "detail_clip", None) => selection.detail_clip = None,
            (Target::SongView, "detail_clip", Some(Target::Clip(_))) => {
                return Err(ModelError::refused("the Arrangement is showing; a Session clip is not in view"));
            }
            _ => return Err(wrong("an object of the right class")),
        }
        Ok(())
    }
}
