//! Selection: what Song.View and Track.View point at. Selecting is no edit and makes no undo step.

use crate::object_model::native_devices::{DeviceCategory, by_class};
use crate::object_model::value::object_argument;
use crate::object_model::{ModelError, Value};
use crate::set::document::ids::Serial;
use crate::set::document::object_index::Location;
use crate::set::document::{Track, TrackKind};
use crate::set::model::member_answer::MemberAnswer;
use crate::set::model::object_ref::ObjectRef;
use crate::set::model::routing_ids::track_of;
use crate::set::model::set_state::SetState;
use crate::set::runtime::window_views::WindowView;
use std::sync::Arc;

impl SetState {
    /// The object a child of Song.View points at. Track and scene are never empty.
    pub(in crate::set::model) fn selected(&self, name: &str) -> Option<ObjectRef> {
        let doc = &self.document;
        let selection = &self.runtime.selection;
        let track = || selection.track.or_else(|| doc.tracks.first().map(|t| t.serial));
        let scene = || selection.scene.or_else(|| doc.scenes.first().map(|s| s.serial));
        match name {
            "selected_track" => track().map(ObjectRef::Track),
            "selected_scene" => scene().map(ObjectRef::Scene),
            "selected_chain" => selection.chain.filter(|chain| doc.chain(*chain).is_some()).map(ObjectRef::Chain),
            "detail_clip" => selection.detail_clip.filter(|clip| doc.clip(*clip).is_some()).map(ObjectRef::Clip),
            "highlighted_clip_slot" => {
                let track = track().filter(|track| doc.location(*track) == Some(Location::Track))?;
                Some(ObjectRef::Slot { track, scene: scene()? })
            }
            _ => None,
        }
    }

    /// Says which tracks a keyboard plays: the MIDI tracks that are armed, else the selected one. An armed one whose
    /// input is another armed one gets the keys from that.
    pub fn show_keyboard_tracks(&self) {
        let is_midi = |track: &&Arc<Track>| track.kind == TrackKind::Midi;
        let is_armed =
            |serial: Serial| self.document.tracks.find(serial).is_some_and(|track| track.arm && is_midi(&track));
        let gets_keys = |track: &&Arc<Track>| {
            let input = track.stored.get("input_routing_type").and_then(serde_json::Value::as_i64).and_then(track_of);
            input.is_some_and(|input| input != track.serial && is_armed(input))
        };
        let armed = || {
            let armed = self.document.tracks.iter().filter(is_midi).filter(|track| track.arm);
            armed.filter(|track| !gets_keys(track)).map(|track| track.serial)
        };
        let selected = match self.selected("selected_track") {
            Some(ObjectRef::Track(track)) => self.document.tracks.find(track).filter(is_midi).map(|track| track.serial),
            _ => None,
        };
        self.runtime.keyboard_tracks.set(armed().chain(selected.filter(|_| armed().next().is_none())));
    }

    /// The device that is selected on a track, at any depth of racks.
    pub(in crate::set::model) fn selected_device(&self, track: Serial) -> Option<ObjectRef> {
        let device = *self.runtime.selection.devices.get(&track)?;
        (self.document.track_of_device(device) == Some(track)).then_some(ObjectRef::Device(device))
    }

    /// The device under the blue hand.
    pub(in crate::set::model) fn appointed_device(&self) -> Option<ObjectRef> {
        self.runtime.selection.appointed_device.filter(|d| self.document.device(*d).is_some()).map(ObjectRef::Device)
    }

    pub(in crate::set::model) fn select_track(&mut self, track: Serial) {
        self.runtime.selection.track = Some(track);
        // The blue hand follows to the track's own device, where it has one selected.
        if let Some(ObjectRef::Device(device)) = self.selected_device(track) {
            self.runtime.selection.appointed_device = Some(device);
        }
    }

    pub(in crate::set::model) fn write_child(
        &mut self,
        target: ObjectRef,
        member: &str,
        value: &Value,
    ) -> Result<(), ModelError> {
        let wrong = |expected| ModelError::WrongType { member: member.to_owned(), expected };
        let id = object_argument(value).ok_or_else(|| wrong("an object: \"id N\""))?;
        let wanted = match id {
            Some(id) => Some(self.object_ref(id).ok_or_else(|| wrong("the id of an object that exists"))?),
            None => None,
        };
        if let (ObjectRef::Clip(clip), "groove") = (target, member) {
            return self.write_groove(clip, wanted);
        }
        match (target, member, wanted) {
            (ObjectRef::SongView, "selected_track", Some(ObjectRef::Track(track))) => self.select_track(track),
            (ObjectRef::SongView, "selected_scene", Some(ObjectRef::Scene(scene))) => {
                self.runtime.selection.scene = Some(scene);
            }
            (ObjectRef::SongView, "highlighted_clip_slot", Some(ObjectRef::Slot { track, scene })) => {
                self.select_track(track);
                self.runtime.selection.scene = Some(scene);
            }
            (ObjectRef::SongView, "detail_clip", Some(ObjectRef::Clip(clip))) => {
                let arrangement = matches!(self.document.location(clip), Some(Location::PlacedClip { .. }));
                if arrangement != self.runtime.views.arranger {
                    let shows = self.runtime.views.main_view();
                    return Err(ModelError::refused(format!("the {shows} is showing; that clip is not in view")));
                }
                self.runtime.selection.detail_clip = Some(clip);
            }
            (ObjectRef::SongView, "detail_clip", None) => self.runtime.selection.detail_clip = None,
            (ObjectRef::SongView, "selected_chain", Some(ObjectRef::Chain(chain))) => {
                self.runtime.selection.chain = Some(chain);
            }
            (ObjectRef::SongView, "selected_chain", None) => self.runtime.selection.chain = None,
            (ObjectRef::DeviceView(device), member, wanted) => return self.select_in_rack(device, member, wanted),
            _ => return Err(wrong("an object of the right class")),
        }
        Ok(())
    }

    pub(in crate::set::model) fn call_song_view(&mut self, function: &str, args: &[Value]) -> MemberAnswer<Value> {
        if function != "select_device" {
            return None;
        }
        let device = args.first().and_then(object_argument).flatten().and_then(|id| self.object_ref(id));
        let Some(ObjectRef::Device(device)) = device else {
            return Some(Err(ModelError::refused("select_device takes a device: \"id N\"")));
        };
        let appoints = args.get(1).and_then(Value::as_bool).unwrap_or(true);
        self.select_device(device, appoints);
        Some(Ok(Value::Nothing))
    }

    /// Selects a device within its track. The selected track stays; the blue hand comes only if it is that one.
    fn select_device(&mut self, device: Serial, appoints: bool) {
        let Some(track) = self.document.track_of_device(device) else { return };
        self.runtime.selection.devices.insert(track, device);
        if let Some(Location::Device { parent }) = self.document.location(device)
            && self.document.chain(parent).is_some()
        {
            self.runtime.selection.chain = Some(parent);
        }
        if appoints && self.selected("selected_track") == Some(ObjectRef::Track(track)) {
            self.runtime.selection.appointed_device = Some(device);
        }
    }

    pub(in crate::set::model) fn call_track_view(&mut self, track: Serial, function: &str) -> MemberAnswer<Value> {
        if function != "select_instrument" {
            return None;
        }
        let devices = &self.document.track(track)?.devices;
        let is_instrument =
            |class: &str| by_class(class).is_some_and(|(_, class)| class.category == DeviceCategory::Instrument);
        let found = devices.iter().find(|d| is_instrument(&d.class_name)).or(devices.first()).map(|d| d.serial);
        if let Some(device) = found {
            self.select_track(track);
            self.select_device(device, true);
            self.runtime.views.show(WindowView::DetailDeviceChain);
        }
        Some(Ok(found.is_some().into()))
    }
}
