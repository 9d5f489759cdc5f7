//! Selection: what Song.View and Track.View point at. Selecting is no edit and makes no undo step.

use crate::object_model::native_devices::{Category, by_class};
use crate::object_model::value::object_argument;
use crate::object_model::{ModelError, Value};
use crate::set::document::ids::Serial;
use crate::set::document::index::Home;
use crate::set::model::member_answer::Answer;
use crate::set::model::object_ref::Target;
use crate::set::model::set_state::SetState;
use crate::set::runtime::window_views::View;

impl SetState {
    /// The object a child of Song.View points at. Track and scene are never empty.
    pub(in crate::set::model) fn selected(&self, name: &str) -> Option<Target> {
        let doc = &self.document;
        let selection = &self.session.selection;
        let track = || selection.track.or_else(|| doc.tracks.first().map(|t| t.serial));
        let scene = || selection.scene.or_else(|| doc.scenes.first().map(|s| s.serial));
        match name {
            "selected_track" => track().map(Target::Track),
            "selected_scene" => scene().map(Target::Scene),
            "selected_chain" => selection.chain.filter(|chain| doc.chain(*chain).is_some()).map(Target::Chain),
            "detail_clip" => selection.detail_clip.filter(|clip| doc.clip(*clip).is_some()).map(Target::Clip),
            "highlighted_clip_slot" => {
                let track = track().filter(|track| doc.home(*track) == Some(Home::Track))?;
                Some(Target::Slot { track, scene: scene()? })
            }
            _ => None,
        }
    }

    /// The device that is selected on a track, at any depth of racks.
    pub(in crate::set::model) fn selected_device(&self, track: Serial) -> Option<Target> {
        let device = *self.session.selection.devices.get(&track)?;
        (self.document.track_of_device(device) == Some(track)).then_some(Target::Device(device))
    }

    /// The device under the blue hand.
    pub(in crate::set::model) fn appointed_device(&self) -> Option<Target> {
        self.session.selection.appointed_device.filter(|d| self.document.device(*d).is_some()).map(Target::Device)
    }

    pub(in crate::set::model) fn select_track(&mut self, track: Serial) {
        self.session.selection.track = Some(track);
        // The blue hand follows to the track's own device, where it has one selected.
        if let Some(Target::Device(device)) = self.selected_device(track) {
            self.session.selection.appointed_device = Some(device);
        }
    }

    pub(in crate::set::model) fn write_child(
        &mut self,
        target: Target,
        member: &str,
        value: &Value,
    ) -> Result<(), ModelError> {
        let wrong = |expected| ModelError::WrongType { member: member.to_owned(), expected };
        let id = object_argument(value).ok_or_else(|| wrong("an object: \"id N\""))?;
        let wanted = match id {
            Some(id) => Some(self.target(id).ok_or_else(|| wrong("the id of an object that exists"))?),
            None => None,
        };
        if let (Target::Clip(clip), "groove") = (target, member) {
            return self.write_groove(clip, wanted);
        }
        match (target, member, wanted) {
            (Target::SongView, "selected_track", Some(Target::Track(track))) => self.select_track(track),
            (Target::SongView, "selected_scene", Some(Target::Scene(scene))) => {
                self.session.selection.scene = Some(scene);
            }
            (Target::SongView, "highlighted_clip_slot", Some(Target::Slot { track, scene })) => {
                self.select_track(track);
                self.session.selection.scene = Some(scene);
            }
            (Target::SongView, "detail_clip", Some(Target::Clip(clip))) => {
                let arrangement = matches!(self.document.home(clip), Some(Home::PlacedClip { .. }));
                if arrangement != self.session.views.arranger {
                    let shows = self.session.views.main();
                    return Err(ModelError::refused(format!("the {shows} is showing; that clip is not in view")));
                }
                self.session.selection.detail_clip = Some(clip);
            }
            (Target::SongView, "detail_clip", None) => self.session.selection.detail_clip = None,
            (Target::SongView, "selected_chain", Some(Target::Chain(chain))) => {
                self.session.selection.chain = Some(chain);
            }
            (Target::SongView, "selected_chain", None) => self.session.selection.chain = None,
            (Target::DeviceView(device), member, wanted) => return self.select_in_rack(device, member, wanted),
            _ => return Err(wrong("an object of the right class")),
        }
        Ok(())
    }

    pub(in crate::set::model) fn call_song_view(&mut self, function: &str, args: &[Value]) -> Answer<Value> {
        if function != "select_device" {
            return None;
        }
        let device = args.first().and_then(object_argument).flatten().and_then(|id| self.target(id));
        let Some(Target::Device(device)) = device else {
            return Some(Err(ModelError::refused("select_device takes a device: \"id N\"")));
        };
        let appoints = args.get(1).and_then(Value::as_bool).unwrap_or(true);
        self.select_device(device, appoints);
        Some(Ok(Value::Nothing))
    }

    /// Selects a device within its track. The selected track stays; the blue hand comes only if it is that one.
    fn select_device(&mut self, device: Serial, appoints: bool) {
        let Some(track) = self.document.track_of_device(device) else { return };
        self.session.selection.devices.insert(track, device);
        if let Some(Home::Device { parent }) = self.document.home(device)
            && self.document.chain(parent).is_some()
        {
            self.session.selection.chain = Some(parent);
        }
        if appoints && self.selected("selected_track") == Some(Target::Track(track)) {
            self.session.selection.appointed_device = Some(device);
        }
    }

    pub(in crate::set::model) fn call_track_view(&mut self, track: Serial, function: &str) -> Answer<Value> {
        if function != "select_instrument" {
            return None;
        }
        let devices = &self.document.track(track)?.devices;
        let is_instrument =
            |class: &str| by_class(class).is_some_and(|(_, class)| class.category == Category::Instrument);
        let found = devices.iter().find(|d| is_instrument(&d.class_name)).or(devices.first()).map(|d| d.serial);
        if let Some(device) = found {
            self.select_track(track);
            self.select_device(device, true);
            self.session.views.show(View::DetailDeviceChain);
        }
        Some(Ok(found.is_some().into()))
    }
}
