//! Track: properties and functions.

use super::{Answer, SetState};
use crate::object_model::{ModelError, Value};
use crate::set::document::{Document, Track, TrackKind};
use crate::set::ids::Serial;
use crate::set::launch::Quantum;
use crate::set::palette;
use crate::set::session::{Fired, Playing};
use crate::set::timeline::LaneOf;
use std::sync::Arc;

impl Document {
    /// A track and, for a group, everything in it at any depth, in order.
    pub(super) fn with_members(&self, serial: Serial) -> Vec<Serial> {
        let mut family = vec![serial];
        family.extend(self.members(serial).map(|track| track.serial));
        family
    }

    /// Everything in a group at any depth, in order. A group's members follow it, so no other track is looked at.
    fn members(&self, group: Serial) -> impl Iterator<Item = &Arc<Track>> {
        let at =
            self.tracks.find(group).filter(|t| t.kind == TrackKind::Group).and_then(|_| self.track_position(group));
        let mut groups = vec![group];
        self.tracks.iter_from(at.map_or(usize::MAX, |at| at + 1)).take_while(move |track| {
            let inside = track.group.is_some_and(|of| groups.contains(&of));
            if inside && track.kind == TrackKind::Group {
                groups.push(track.serial);
            }
            inside
        })
    }
}

fn regular(track: &Track) -> bool {
    !matches!(track.kind, TrackKind::Return | TrackKind::Main)
}

fn can_be_armed(track: &Track) -> bool {
    matches!(track.kind, TrackKind::Midi | TrackKind::Audio)
}

/// A member that this kind of track does not have.
fn lacking(member: &str) -> ModelError {
    ModelError::UnknownMember { class: "this track".to_owned(), member: member.to_owned() }
}

impl SetState {
    /// Not inside a folded group.
    pub(super) fn is_visible(&self, track: &Track) -> bool {
        let mut group = track.group;
        while let Some(parent) = group.and_then(|serial| self.document.track(serial)) {
            if parent.is_folded() {
                return false;
            }
            group = parent.group;
        }
        true
    }

    pub(super) fn has_instrument(track: &Track) -> bool {
        use crate::set::device_table::{Category, by_class};
        let is = |class: &str| by_class(class).is_some_and(|(_, c)| c.category == Category::Instrument);
        track.devices.iter().any(|device| is(&device.class_name))
    }

    pub(super) fn read_track(&self, track: &Track, member: &str) -> Answer<Value> {
        let main = track.kind == TrackKind::Main;
        let has = match member {
            "arm" | "implicit_arm" | "current_monitoring_state" => can_be_armed(track),
            m if m.contains("input_routing") || m.contains("input_sub_routing") => can_be_armed(track),
            m if m.contains("output_routing") || m.contains("output_sub_routing") => !main,
            "playing_slot_index" | "fired_slot_index" => regular(track),
            "mute" | "solo" | "muted_via_solo" => !main,
            "fold_state" => track.kind == TrackKind::Group,
            _ => true,
        };
        if !has {
            return Some(Err(lacking(member)));
        }
        let play = || self.session.track_play(track.serial);
        let slot = |clip: Serial| {
            let at = self.track_of_clip(clip).and_then(|(_, scene)| self.document.scene_position(scene));
            at.and_then(|at| i64::try_from(at).ok()).unwrap_or(-2)
        };
        Some(Ok(match member {
            "name" => self.document.track_name(track).into(),
            "color" => palette::rgb(track.color).into(),
            "color_index" => i64::from(track.color).into(),
            "mute" => track.mute.into(),
            "solo" => track.solo.into(),
            "arm" => track.arm.into(),
            "muted_via_solo" => self.muted_via_solo(track).into(),
            "can_be_armed" => can_be_armed(track).into(),
            "is_foldable" => (track.kind == TrackKind::Group).into(),
            "is_grouped" => track.group.is_some().into(),
            "is_visible" => self.is_visible(track).into(),
            "is_part_of_selection" => (self.session.selection.track == Some(track.serial)).into(),
            "has_midi_input" => (track.kind == TrackKind::Midi).into(),
            "has_audio_input" => (track.kind == TrackKind::Audio).into(),
            "has_midi_output" => (track.kind == TrackKind::Midi && !Self::has_instrument(track)).into(),
            "has_audio_output" => (track.kind != TrackKind::Midi || Self::has_instrument(track)).into(),
            "current_monitoring_state" => {
                track.stored.get(member).and_then(serde_json::Value::as_i64).unwrap_or(1).into()
            }
            "back_to_arranger" => (play().playing != Playing::Arrangement).into(),
            "playing_slot_index" => match play().playing {
                Playing::Clip(clip) => slot(clip).into(),
                Playing::Stopped => (-2).into(),
                Playing::Arrangement => (-1).into(),
            },
            "fired_slot_index" => match play().fired {
                Some(Fired::Clip(clip)) => slot(clip).into(),
                Some(Fired::Stop) => (-2).into(),
                None => (-1).into(),
            },
            member => return self.read_routing(track, member).map(Ok),
        }))
    }

    fn muted_via_solo(&self, track: &Track) -> bool {
        let doc = &self.document;
        let peers = if track.kind == TrackKind::Return { &doc.returns } else { &doc.tracks };
        let soloed = |t: &Track| t.solo || t.group.and_then(|g| doc.track(g)).is_some_and(|group| group.solo);
        // A group sounds when a member is soloed.
        let holds_soloed = || doc.members(track.serial).any(|t| t.group == Some(track.serial) && t.solo);
        peers.sum().soloed > 0 && !soloed(track) && !holds_soloed()
    }

    pub(super) fn write_track(&mut self, serial: Serial, member: &str, value: &Value) -> Answer<()> {
        let on = value.as_bool().unwrap_or_default();
        let number = value.as_i64().unwrap_or_default();
        let text = value.as_str().unwrap_or_default();
        let edited = match member {
            "name" => self.document.edit_track(serial, |t| t.name = (!text.is_empty()).then(|| text.to_owned())),
            "color" => self.document.edit_track(serial, |t| t.color = palette::nearest(number)),
            "color_index" => self.document.edit_track(serial, |t| t.color = u8::try_from(number).unwrap_or_default()),
            "mute" => self.document.edit_track(serial, |t| t.mute = on),
            "solo" => self.document.edit_track(serial, |t| t.solo = on),
            "arm" => self.document.edit_track(serial, |t| t.arm = on),
            "current_monitoring_state" if !(0..=2).contains(&number) => {
                return Some(Err(ModelError::OutOfRange {
                    member: member.to_owned(),
                    range: "one of 0, 1, 2".to_owned(),
                }));
            }
            "back_to_arranger" => {
                if !on {
                    self.session.forget_launch(serial);
                }
                Some(())
            }
            _ => return self.write_routing(serial, member, value),
        };
        Some(edited.ok_or(ModelError::NoObject))
    }

    pub(super) fn call_track(&mut self, serial: Serial, function: &str, args: &[Value]) -> Answer<Value> {
        match function {
            "stop_all_clips" => {
                let quantized = args.first().and_then(Value::as_bool).unwrap_or(true);
                let quantum = if quantized { self.global_quantum() } else { Quantum::None };
                for member in self.document.with_members(serial) {
                    self.session.stop_track(member, quantum);
                }
                Some(Ok(Value::Nothing))
            }
            "insert_device" => Some(self.insert_device(serial, args)),
            "delete_device" => Some(self.delete_device(serial, args)),
            "duplicate_clip_slot" => Some(self.duplicate_slot(serial, args.first())),
            _ => self.call_arrangement(LaneOf { track: serial, take_lane: None }, function, args),
        }
    }
}
