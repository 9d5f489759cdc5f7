//! A track comes back with its clips, take lanes and devices: to its place among the tracks, a group with those of its
//! members that are gone.

use super::devices::serials_of;
use super::{Taken, has_moved, parent_gone, place_among};
use crate::music::text::counted;
use crate::object_model::ModelError;
use crate::object_model::limits::MAX_RETURNS;
use crate::set::document::ids::Serial;
use crate::set::document::object_index;
use crate::set::document::timeline_lane::Lane;
use crate::set::document::{Clip, Document, PlacedClip, SessionClip, TakeLane, Track, TrackKind};
use crate::set::edit::device_edits::renumber_taken;
use crate::set::model::set_state::SetState;
use std::collections::HashSet;
use std::sync::Arc;

impl SetState {
    pub(super) fn restore_track(
        &mut self,
        then: &Document,
        serial: Serial,
        remarks: &mut Vec<String>,
    ) -> Result<(), ModelError> {
        let mut track = self.as_then(then, serial, remarks)?;
        if let Some(now) = self.document.tracks.find(serial) {
            if now.group != track.group {
                track.group = now.group;
                remarks.push("it stays in the group where it is now".to_owned());
            }
            let group = track.group;
            self.document.replace_track(track).ok_or(ModelError::NoObject)?;
            let order = |document: &Document| document.tracks.iter().map(|track| track.serial).collect::<Vec<_>>();
            if has_moved(&order(then), &order(&self.document), serial) {
                let family = self.document.with_members(serial);
                let place = |document: &Document| place_of_track(document, then, serial, group);
                self.document.move_tracks(&family, place).ok_or(ModelError::NoObject)?;
            }
            return Ok(());
        }
        let group = track.group;
        if let Some(group) = group
            && self.document.tracks.find(group).is_none_or(|parent| parent.kind != TrackKind::Group)
        {
            return Err(parent_gone(then, group));
        }
        let at = place_of_track(&self.document, then, serial, group);
        self.document.insert_track(at, track);
        let members: Vec<Serial> = then.with_members(serial).into_iter().skip(1).collect();
        let gone: Vec<Serial> =
            members.into_iter().filter(|member| self.document.tracks.find(*member).is_none()).collect();
        for member in &gone {
            let track = self.as_then(then, *member, remarks)?;
            let at = place_of_track(&self.document, then, *member, track.group);
            self.document.insert_track(at, track);
        }
        if !gone.is_empty() {
            remarks.push(format!("{} of the group came back with it", counted(gone.len(), "track")));
        }
        Ok(())
    }

    pub(super) fn restore_return_or_main(
        &mut self,
        then: &Document,
        serial: Serial,
        remarks: &mut Vec<String>,
    ) -> Result<(), ModelError> {
        let mut track = self.as_then(then, serial, remarks)?;
        let order = |document: &Document| document.returns.iter().map(|track| track.serial).collect::<Vec<_>>();
        let (order_then, order_now) = (order(then), order(&self.document));
        let at = place_among(&order_then, &order_now, serial);
        if self.document.track(serial).is_some() {
            self.document.replace_track(track).ok_or(ModelError::NoObject)?;
            if self.document.return_position(serial).is_some() && has_moved(&order_then, &order_now, serial) {
                self.document.move_return(serial, at).ok_or(ModelError::NoObject)?;
            }
            return Ok(());
        }
        if self.document.returns.len() >= MAX_RETURNS {
            return Err(ModelError::refused(format!("a Set has at most {MAX_RETURNS} return tracks")));
        }
        let index_then = then.return_position(serial);
        let level = |from: Serial| send_level(then, from, index_then).unwrap_or(0.0);
        let sends = &mut track.mixer.sends;
        sends.insert(at.min(sends.len()), level(serial));
        self.document.insert_return(at, track, level);
        remarks.push("the sends to it came back as they were".to_owned());
        Ok(())
    }

    /// The track as it was, as far as it fits the Set of now.
    fn as_then(&mut self, then: &Document, serial: Serial, remarks: &mut Vec<String>) -> Result<Track, ModelError> {
        let was = then.track(serial).ok_or(ModelError::NoObject)?.clone();
        let now = self.document.track(serial).cloned();
        let held = |track: &Track| {
            let mut serials = HashSet::new();
            object_index::contents(track, &mut |serial, _| {
                serials.insert(serial);
            });
            serials
        };
        let holds = now.as_deref().map(held).unwrap_or_default();
        let taken = self.compare_contents(then, &held(&was), &holds, remarks)?;
        taken.remark(&self.document, remarks);
        let mut track = Track::clone(&was);
        track.mixer.sends = self.sends_as_then(then, &was, now.as_deref());
        track.no_stop_button.retain(|scene| self.document.scene(*scene).is_some());
        let no_scene = |entry: &&SessionClip| self.document.scene(entry.scene).is_none();
        let lost: Vec<Serial> = was.session.iter().filter(no_scene).map(|entry| entry.scene).collect();
        for scene in &lost {
            track.session.remove(*scene);
        }
        if !lost.is_empty() {
            remarks.push(format!("{} could not come back: their scenes are gone", counted(lost.len(), "clip")));
        }
        self.drop_gone_grooves(&mut track, remarks);
        self.give_channel(&mut track, now.as_deref(), remarks);
        if !taken.0.is_empty() {
            self.renumber_in(&mut track, &taken)?;
        }
        Ok(track)
    }

    /// Sends to the return tracks of now: as they were, as they are where those are new, else turned down.
    fn sends_as_then(&self, then: &Document, was: &Track, now: Option<&Track>) -> Vec<f64> {
        if was.kind == TrackKind::Main {
            return was.mixer.sends.clone();
        }
        let level = |(at, to): (usize, &Arc<Track>)| {
            let old = then.return_position(to.serial).and_then(|at| was.mixer.sends.get(at));
            old.or_else(|| now.and_then(|now| now.mixer.sends.get(at))).copied().unwrap_or(0.0)
        };
        self.document.returns.iter().enumerate().map(level).collect()
    }

    /// The MIDI channel it had, or another where that was given away since and one is free.
    fn give_channel(&self, track: &mut Track, now: Option<&Track>, remarks: &mut Vec<String>) {
        let Some(channel) = track.midi_channel else { return };
        let has_it = now.and_then(|now| now.midi_channel) == Some(channel);
        let (free, is_shared) = self.document.free_midi_channel();
        if !has_it && !is_shared && self.document.tracks.sum().users_of(channel) > 0 {
            track.midi_channel = Some(free);
            remarks.push(format!(
                "MIDI channel {} is another track's now, and it has channel {}",
                channel + 1,
                free + 1
            ));
        }
    }

    /// Takes the grooves off clips of the slots that are gone.
    fn drop_gone_grooves(&self, track: &mut Track, remarks: &mut Vec<String>) {
        let is_gone = |clip: &Clip| clip.groove.is_some_and(|groove| self.document.groove(groove).is_none());
        let scenes: Vec<Serial> = track.session.iter().filter(|e| is_gone(&e.clip)).map(|e| e.scene).collect();
        let starts: Vec<f64> = track.arrangement.iter().filter(|p| is_gone(&p.clip)).map(|p| p.start).collect();
        for scene in &scenes {
            track.session.edit(*scene, |clip| clip.groove = None);
        }
        for start in &starts {
            track.arrangement.edit(*start, |placed| Arc::make_mut(&mut placed.clip).groove = None);
        }
        if !(scenes.is_empty() && starts.is_empty()) {
            remarks.push("grooves of its clips are gone, and those have none".to_owned());
        }
    }

    /// Gives what stands elsewhere now an id of its own.
    fn renumber_in(&mut self, track: &mut Track, taken: &Taken) -> Result<(), ModelError> {
        let is_taken = |clip: &Clip| taken.0.contains(&clip.serial);
        let slots: Vec<Serial> = track.session.iter().filter(|e| is_taken(&e.clip)).map(|e| e.scene).collect();
        for scene in slots {
            let serial = self.document.fresh_serial()?;
            track.session.edit(scene, |clip| clip.serial = serial);
        }
        let mut renumber = |lane: &mut Lane| -> Result<(), ModelError> {
            let covered = |placed: &&PlacedClip| is_taken(&placed.clip);
            let starts: Vec<f64> = lane.iter().filter(covered).map(|placed| placed.start).collect();
            for start in starts {
                let serial = self.document.fresh_serial()?;
                lane.edit(start, |placed| Arc::make_mut(&mut placed.clip).serial = serial);
            }
            Ok(())
        };
        renumber(&mut track.arrangement)?;
        for lane in &mut track.take_lanes {
            let lane: &mut TakeLane = Arc::make_mut(lane);
            renumber(&mut lane.clips)?;
        }
        for device in &mut track.devices {
            let mut inside = HashSet::new();
            serials_of(device, &mut inside);
            if !inside.is_disjoint(&taken.0) {
                renumber_taken(Arc::make_mut(device), &taken.0, &mut || self.document.fresh_serial())?;
            }
        }
        Ok(())
    }
}

/// What a track sent to the return track of a position.
fn send_level(document: &Document, from: Serial, position: Option<usize>) -> Option<f64> {
    document.track(from)?.mixer.sends.get(position?).copied()
}

/// Behind the nearest track of the same group that stood before it and is still there, with all that is in that; else
/// right behind the group's own, or first of all.
fn place_of_track(document: &Document, then: &Document, serial: Serial, group: Option<Serial>) -> usize {
    let siblings = |document: &Document| -> Vec<Serial> {
        document.tracks.iter().filter(|track| track.group == group).map(|track| track.serial).collect()
    };
    let now = siblings(document);
    let sibling = place_among(&siblings(then), &now, serial).checked_sub(1).and_then(|at| now.get(at));
    let behind = match (sibling, group) {
        (Some(sibling), _) => document.track_position(*sibling).map(|at| at + document.with_members(*sibling).len()),
        (None, Some(group)) => document.track_position(group).map(|at| at + 1),
        (None, None) => None,
    };
    behind.unwrap_or(0)
}
