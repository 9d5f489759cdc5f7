//! A clip comes back: into its slot, or onto its lane where it began.

use super::parent_gone;
use crate::music::SAME_POSITION_BEATS;
use crate::object_model::{ModelError, ObjectId};
use crate::set::document::ids::Serial;
use crate::set::document::object_index::Location;
use crate::set::document::{Clip, Document, PlacedClip, TrackKind};
use crate::set::edit::lane_edits::LaneRef;
use crate::set::model::set_state::SetState;
use std::sync::Arc;

impl SetState {
    pub(super) fn restore_clip(
        &mut self,
        then: &Document,
        serial: Serial,
        remarks: &mut Vec<String>,
    ) -> Result<(), ModelError> {
        match then.location(serial) {
            Some(Location::SessionClip { track, scene }) => {
                let clip = then.clip(serial).ok_or(ModelError::NoObject)?;
                let host = self.clip_track(then, track, clip)?;
                if self.document.scene(scene).is_none() {
                    return Err(parent_gone(then, scene));
                }
                let there = self.document.clip_in(host, scene).map(|clip| clip.serial);
                if let Some(other) = there.filter(|other| *other != serial) {
                    self.give_way(then, other, remarks)?;
                }
                self.take_from_place(serial);
                let clip = self.usable(Clip::clone(clip), remarks);
                self.document.put_clip(host, scene, clip);
            }
            Some(Location::PlacedClip { track, lane, .. }) => {
                let placed = then.placed(serial).ok_or(ModelError::NoObject)?;
                let host = self.clip_track(then, track, &placed.clip)?;
                let of = LaneRef { track: host, take_lane: lane };
                if self.document.lane(of).is_none() {
                    return Err(parent_gone(then, lane.unwrap_or(track)));
                }
                self.clear_for(then, of, placed, remarks)?;
                self.take_from_place(serial);
                let clip = Arc::new(self.usable(Clip::clone(&placed.clip), remarks));
                self.document.put_placed(of, PlacedClip { clip, ..placed.clone() }).ok_or(ModelError::NoObject)?;
            }
            _ => return Err(ModelError::NoObject),
        }
        Ok(())
    }

    /// The track that a clip comes back on.
    fn clip_track(&self, then: &Document, track: Serial, clip: &Clip) -> Result<Serial, ModelError> {
        let host = self.document.track(track).ok_or_else(|| parent_gone(then, track))?;
        self.refuse_frozen(track)?;
        let fits = if clip.notes().is_some() { TrackKind::Midi } else { TrackKind::Audio };
        if host.kind == fits { Ok(track) } else { Err(ModelError::refused("its track is of another kind now")) }
    }

    /// Takes what was laid since inside the span of a clip.
    fn clear_for(
        &mut self,
        then: &Document,
        of: LaneRef,
        placed: &PlacedClip,
        remarks: &mut Vec<String>,
    ) -> Result<(), ModelError> {
        let (from, to) = (placed.start, placed.end);
        let lane = self.document.lane(of).ok_or(ModelError::NoObject)?;
        let covered: Vec<PlacedClip> =
            lane.within(from, to).filter(|other| other.clip.serial != placed.clip.serial).cloned().collect();
        for other in covered {
            if from - other.start > SAME_POSITION_BEATS || other.end - to > SAME_POSITION_BEATS {
                return Err(ModelError::refused(format!(
                    "{} reaches into its place: move or trim that first",
                    super::in_words(&self.document, other.clip.serial)
                )));
            }
            self.give_way(then, other.clip.serial, remarks)?;
        }
        Ok(())
    }

    /// Takes a clip from where it is now, if it is anywhere.
    fn take_from_place(&mut self, serial: Serial) {
        match self.document.location(serial) {
            Some(Location::SessionClip { track, scene }) => drop(self.document.take_clip(track, scene)),
            Some(Location::PlacedClip { .. }) => drop(self.document.take_placed(serial)),
            _ => {}
        }
    }

    /// A clip without what it names that is gone.
    pub(super) fn usable(&self, mut clip: Clip, remarks: &mut Vec<String>) -> Clip {
        if clip.groove.is_some_and(|groove| self.document.groove(groove).is_none()) {
            clip.groove = None;
            remarks.push("its groove is gone, and it has none".to_owned());
        }
        let is_gone = |parameter| self.object_ref(ObjectId(parameter)).is_none();
        let idle = clip.envelopes.iter().filter(|envelope| is_gone(envelope.parameter)).count();
        if idle > 0 {
            remarks.push("an envelope of it moves nothing: its device is gone".to_owned());
        }
        clip
    }
}
