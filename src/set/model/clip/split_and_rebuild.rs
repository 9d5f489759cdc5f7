//! Clips: what tools do with them as a whole that Live has no function for: cutting, moving an end, building one anew.

use crate::music::{Beats, SAME_POSITION_BEATS};
use crate::object_model::limits::ARRANGEMENT_END_BEATS;
use crate::object_model::{ModelError, ObjectId, Value};
use crate::set::document::ids::Serial;
use crate::set::document::object_index::Location;
use crate::set::document::warp_markers;
use crate::set::document::{Clip, Content, TrackKind};
use crate::set::edit::lane_edits::LaneRef;
use crate::set::model::object_ref::ObjectRef;
use crate::set::model::set_state::SetState;
use std::sync::Arc;

impl SetState {
    fn placed_clip(&self, clip: ObjectId) -> Result<Serial, ModelError> {
        match self.object_ref(clip) {
            Some(ObjectRef::Clip(serial)) if self.document.placed(serial).is_some() => Ok(serial),
            Some(ObjectRef::Clip(_)) => Err(ModelError::refused("the clip is not on the timeline")),
            _ => Err(ModelError::NoObject),
        }
    }

    /// HostEdits::split_clip.
    pub(in crate::set::model) fn split(&mut self, clip: ObjectId, at: Beats) -> Result<ObjectId, ModelError> {
        let serial = self.placed_clip(clip)?;
        self.document.split_placed(serial, at).map(|tail| ObjectRef::Clip(tail).id())
    }

    /// HostEdits::set_clip_end.
    pub(in crate::set::model) fn put_end(&mut self, clip: ObjectId, at: Beats) -> Result<(), ModelError> {
        let serial = self.placed_clip(clip)?;
        let placed = self.document.placed(serial).ok_or(ModelError::NoObject)?;
        let (length, limit) = (at - placed.start, crate::music::LONGEST_CLIP_BEATS);
        if !(length > SAME_POSITION_BEATS && length <= limit) {
            let range = format!("after its start, and at most {limit} beats later");
            return Err(ModelError::OutOfRange { member: "the end of a clip".to_owned(), range });
        }
        if placed.clip.looping {
            return self.document.move_right_edge(serial, at);
        }
        let own = placed.clip.own_time(length, self.document.song.tempo_bpm);
        let start = placed.clip.region().0;
        self.write_region(serial, "loop_end", start + own)
    }

    /// HostEdits::rebuild_clip.
    pub(in crate::set::model) fn rebuild(
        &mut self,
        clip: ObjectId,
        onto: ObjectId,
        at: Beats,
    ) -> Result<ObjectId, ModelError> {
        let Some(ObjectRef::Clip(source)) = self.object_ref(clip) else { return Err(ModelError::NoObject) };
        let old = self.document.clip(source).ok_or(ModelError::NoObject)?.clone();
        let kind = if old.notes().is_some() { TrackKind::Midi } else { TrackKind::Audio };
        let tempo = self.document.song.tempo_bpm;
        let length = match self.document.placed(source) {
            Some(placed) => placed.end - placed.start,
            None => {
                let (from, to) = old.region();
                old.timeline_beats(to - from, tempo)
            }
        };
        let mut built = Clip { envelopes: Vec::new(), ..Clip::clone(&old) };
        if let Content::Audio(audio) = &mut built.content {
            let first = warp_markers::first_tempo_bpm(&audio.warp_markers);
            Arc::make_mut(audio).warp_markers = warp_markers::straight(first.unwrap_or(tempo));
        }
        let lane = |of: LaneRef| {
            let is_place = (0.0..=ARRANGEMENT_END_BEATS).contains(&at);
            let range = format!("from 0 to {ARRANGEMENT_END_BEATS} beats");
            is_place.then_some(of).ok_or(ModelError::OutOfRange { member: "a place on the timeline".to_owned(), range })
        };
        let of = match self.object_ref(onto) {
            Some(ObjectRef::Slot { track, scene }) => {
                self.host(track, kind)?;
                self.refuse_frozen(track)?;
                built.serial = self.document.fresh_serial()?;
                let serial = built.serial;
                self.document.put_clip(track, scene, built);
                return Ok(ObjectRef::Clip(serial).id());
            }
            Some(ObjectRef::Track(track)) => lane(LaneRef { track, take_lane: None })?,
            Some(ObjectRef::TakeLane(serial)) => match self.document.location(serial) {
                Some(Location::TakeLane { track }) => lane(LaneRef { track, take_lane: Some(serial) })?,
                _ => return Err(ModelError::NoObject),
            },
            _ => return Err(ModelError::refused("a clip is built in a slot, on a track or on a take lane")),
        };
        self.host(of.track, kind)?;
        built.serial = self.document.fresh_serial()?;
        match self.lay(of, at, length, built)? {
            Value::Object(Some(id)) => Ok(id),
            _ => Err(ModelError::NoObject),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::object_model::{HostEdits, ObjectModel};
    use crate::set::edit::validate::validate;

    fn clip() -> (SetState, ObjectId, ObjectId) {
        let mut set = SetState::alone();
        let track = set.resolve("live_set tracks 0").unwrap().unwrap();
        let clip = set.call(track, "create_midi_clip", &[8.0.into(), 4.0.into()]).unwrap().as_object().unwrap();
        (set, track, clip)
    }

    fn span(set: &SetState, clip: ObjectId) -> (f64, f64) {
        let member = |name| set.get(clip, name).unwrap().as_f64().unwrap();
        (member("start_time"), member("end_time"))
    }

    #[test]
    fn a_clip_is_cut_where_it_sounds_on() {
        let (mut set, _, clip) = clip();
        for at in [8.0, 12.0, 7.0, 13.0, f64::NAN] {
            assert!(set.split_clip(clip, at).is_err(), "{at}");
        }
        let tail = set.split_clip(clip, 9.0).unwrap();
        assert_eq!((span(&set, clip), span(&set, tail)), ((8.0, 9.0), (9.0, 12.0)));
        assert_eq!(set.get(tail, "start_marker").unwrap(), 1.0.into());
        assert_eq!(validate(&set.document), Ok(()));
    }

    #[test]
    fn the_end_of_a_clip_moves_and_goes_over_what_follows() {
        for looping in [false, true] {
            let (mut set, track, clip) = clip();
            set.set(clip, "looping", looping.into()).unwrap();
            let next = set.call(track, "create_midi_clip", &[14.0.into(), 4.0.into()]).unwrap().as_object().unwrap();
            set.set_clip_end(clip, 16.0).unwrap();
            assert_eq!((span(&set, clip), span(&set, next)), ((8.0, 16.0), (16.0, 18.0)), "{looping}");
            set.set_clip_end(clip, 10.0).unwrap();
            assert_eq!(span(&set, clip), (8.0, 10.0), "{looping}");
            for at in [8.0, 0.0, f64::NAN, f64::INFINITY, 2e6] {
                assert!(set.set_clip_end(clip, at).is_err(), "{at}");
            }
            assert_eq!(validate(&set.document), Ok(()));
        }
    }

    #[test]
    fn a_clip_is_built_anew_in_a_slot_and_on_a_lane() {
        let (mut set, track, clip) = clip();
        set.set(clip, "name", "A".into()).unwrap();
        let lane = set.call(track, "create_take_lane", &[]).unwrap().as_object().unwrap();
        let slot = set.resolve("live_set tracks 0 clip_slots 0").unwrap().unwrap();
        let there = set.rebuild_clip(clip, lane, 4.0).unwrap();
        assert_eq!(span(&set, there), (4.0, 8.0));
        let in_slot = set.rebuild_clip(there, slot, 0.0).unwrap();
        assert_eq!(set.get(in_slot, "name").unwrap(), "A".into());
        let back = set.rebuild_clip(in_slot, track, 20.0).unwrap();
        assert_eq!(span(&set, back), (20.0, 24.0));
        let audio = set.resolve("live_set tracks 2").unwrap().unwrap();
        assert!(set.rebuild_clip(clip, audio, 0.0).is_err() && set.rebuild_clip(clip, lane, -1.0).is_err());
        assert!(set.rebuild_clip(clip, clip, 0.0).is_err());
        assert_eq!(validate(&set.document), Ok(()));
    }

    #[test]
    fn envelopes_are_drawn_from_scratch() {
        use crate::object_model::EnvelopePoint;
        let (mut set, placed, _) = {
            let (set, track, clip) = clip();
            (set, clip, track)
        };
        let slot = set.resolve("live_set tracks 0 clip_slots 0").unwrap().unwrap();
        let clip = set.call(slot, "create_clip", &[4.0.into()]).unwrap().as_object().unwrap();
        let pan = set.resolve("live_set tracks 0 mixer_device panning").unwrap().unwrap();
        let point = |time, value, curve| EnvelopePoint { time, value, curve };
        set.draw_envelope(clip, pan, vec![point(0.0, 1.0, 0.5), point(2.0, -1.0, 0.0)]).unwrap();
        let drawn = set
            .document
            .clip(match set.object_ref(clip) {
                Some(ObjectRef::Clip(c)) => c,
                _ => 0,
            })
            .unwrap()
            .clone();
        assert_eq!(drawn.envelopes[0].points.len(), 2);
        for wrong in [point(0.0, 1.5, 0.0), point(0.0, 0.0, 2.0), point(f64::NAN, 0.0, 0.0)] {
            assert!(set.draw_envelope(clip, pan, vec![wrong]).is_err());
        }
        assert!(set.draw_envelope(clip, pan, vec![point(2.0, 0.0, 0.0), point(1.0, 0.0, 0.0)]).is_err());
        assert!(set.draw_envelope(placed, pan, vec![point(0.0, 0.0, 0.0)]).is_err());
        assert_eq!(set.get(clip, "has_envelopes").unwrap(), true.into());
        set.draw_envelope(clip, pan, Vec::new()).unwrap();
        assert_eq!(set.get(clip, "has_envelopes").unwrap(), false.into());
        assert_eq!(validate(&set.document), Ok(()));
    }
}
