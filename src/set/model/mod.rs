//! The embedded Set as an object model.
//!
//! [`SetState`] is the value a call works on: the document, its live side, its history. The class table decides what a
//! member is and what may be written ([`check`]); the files of this room add behaviour, one class each. A member of the
//! table with no behaviour here is stored and read back, starting from the table's default.

mod application;
mod arrangement;
mod chain;
mod clip;
mod clip_audio;
mod clip_edit;
mod clip_envelope;
mod clip_notes;
mod clip_placing;
mod clip_region;
mod device;
mod device_compare;
mod device_copies;
mod device_functions;
mod device_parameters;
mod device_view;
mod drum_pad;
mod grid;
mod groove;
mod launching;
mod lists;
mod locators;
mod mixer;
mod mixer_parameters;
mod outside_devices;
mod parameter;
mod rack;
mod routes;
mod routing;
mod sample;
mod side_chain;
mod simpler;
mod song;
mod song_functions;
mod song_time;
mod special_devices;
mod state;
mod store;
mod target;
mod track;
mod view;
mod wavetable;

#[cfg(test)]
mod tests;

pub use grid::MAX_CLIP_LENGTH_BEATS;
pub use state::SetState;
pub use target::Target;

use crate::music::{Beats, Note};
use crate::object_model::audio::AudioFiles;
use crate::object_model::check::{self, Asker};
use crate::object_model::class::Class;
use crate::object_model::model::{Capability, Clock};
use crate::object_model::path::Root;
use crate::object_model::{EnvelopePoint, Host, ModelError, ObjectId, ObjectModel, Readout, Session, Value};
use crate::set::members::{self, Plain};
use state::Late;

/// What a class's own code says to a read: `None` leaves the member to the store.
type Answer<T> = Option<Result<T, ModelError>>;

impl ObjectModel for SetState {
    fn root(&self, root: Root) -> Result<Option<ObjectId>, ModelError> {
        Ok(match root {
            Root::LiveSet => Some(Target::Song.id()),
            Root::LiveApp => Some(Target::Application.id()),
            Root::Id(id) => self.target(id).map(|_| id),
            // The device is no object of the Set it holds, and nothing else surrounds it.
            Root::ThisDevice => None,
            Root::ControlSurface(at) => {
                u16::try_from(at).ok().and_then(|index| self.target(Target::ControlSurface(index).id()).map(Target::id))
            }
        })
    }

    fn class_of(&self, id: ObjectId) -> Result<Option<&'static Class>, ModelError> {
        Ok(self.target(id).and_then(|target| self.class(target)))
    }

    fn path_of(&self, id: ObjectId) -> Result<Option<String>, ModelError> {
        Ok(self.target(id).and_then(|target| self.path(target)))
    }

    fn child_count(&self, id: ObjectId, name: &str) -> Result<usize, ModelError> {
        let target = self.target(id).ok_or(ModelError::NoObject)?;
        let class = self.class(target).ok_or(ModelError::NoObject)?;
        let child = class.children.get(name).ok_or_else(|| unknown(class, name))?;
        if child.list { self.list_len(target, name) } else { Ok(usize::from(self.single(target, name)?.is_some())) }
    }

    fn child_at(&self, id: ObjectId, name: &str, index: usize) -> Result<Option<ObjectId>, ModelError> {
        Ok(self.child_target(id, name, index).map(Target::id))
    }

    fn get_as(&self, asker: Asker, id: ObjectId, member: &str) -> Result<Value, ModelError> {
        let target = self.target(id).ok_or(ModelError::NoObject)?;
        let class = self.class(target).ok_or(ModelError::NoObject)?;
        if let Some(child) = class.children.get(member).filter(|child| asker.may_reach(child.reach)) {
            if !child.list {
                return Ok(Value::Object(self.single(target, member)?.map(Target::id)));
            }
            return Ok(Value::Objects(self.list(target, member)?));
        }
        let property = check::readable(class, member, asker)?;
        match self.read(target, member) {
            Some(answer) => answer,
            None => plain(class, member).map(|()| self.stored(target, member, property)),
        }
    }

    fn set_as(&mut self, asker: Asker, id: ObjectId, member: &str, value: Value) -> Result<(), ModelError> {
        let target = self.target(id).ok_or(ModelError::NoObject)?;
        let class = self.class(target).ok_or(ModelError::NoObject)?;
        if let Some(child) = class.children.get(member).filter(|child| asker.may_reach(child.reach)) {
            if !child.writable() {
                return Err(ModelError::ReadOnly { member: member.to_owned() });
            }
            return self.write_child(target, member, &value);
        }
        if asker == Asker::Raw {
            self.begin_tick();
        }
        let value = clamped(target, member, value);
        if let Target::Scene(scene) = target
            && self.switch_off(scene, member, &value)
        {
            return Ok(());
        }
        let value = check::writable(class, member, value, asker)?;
        // A member that this very object lacks (arm on the main track) fails on write as it does on read.
        // One without a value now (an uncoloured scene's colour) can be given one.
        if let Err(lacks @ ModelError::UnknownMember { .. }) = self.get_as(asker, id, member) {
            return Err(lacks);
        }
        if asker == Asker::Raw
            && let Some(member) = lands_late(target, member)
        {
            self.late.push(Late { target, member, value });
            return Ok(());
        }
        match self.write(target, member, &value) {
            Some(answer) => answer,
            None => plain(class, member).and_then(|()| self.store(target, member, &value)),
        }
    }

    fn call_as(&mut self, asker: Asker, id: ObjectId, function: &str, args: &[Value]) -> Result<Value, ModelError> {
        let target = self.target(id).ok_or(ModelError::NoObject)?;
        let class = self.class(target).ok_or(ModelError::NoObject)?;
        check::callable(class, function, args, asker)?;
        if asker == Asker::Raw {
            self.begin_tick();
        }
        let before = self.clone();
        let result = self.invoke(target, function, args);
        if result.is_err() {
            *self = before;
        } else {
            self.session.follow(&before.document.index, &self.document.index);
        }
        result
    }

    fn settle(&mut self) {
        self.land();
        self.tick = None;
    }

    fn notes(&self, clip: ObjectId) -> Result<Vec<Note>, ModelError> {
        match self.target(clip).ok_or(ModelError::NoObject)? {
            Target::Clip(serial) => Ok(self.midi_notes(serial)?.list.iter().map(|stored| stored.note).collect()),
            _ => Err(ModelError::refused("only a MIDI clip has notes")),
        }
    }

    fn replace_notes(&mut self, clip: ObjectId, notes: Vec<Note>) -> Result<(), ModelError> {
        match self.target(clip).ok_or(ModelError::NoObject)? {
            Target::Clip(serial) => self.edit_notes(serial, |kept| kept.replace(&notes)),
            _ => Err(ModelError::refused("only a MIDI clip has notes")),
        }
    }

    fn capability(&self, capability: Capability) -> Result<(), ModelError> {
        Err(ModelError::Unable(match capability {
            Capability::LiveEngine => {
                "this needs a running Ableton Live; the Set inside the device has no audio engine".to_owned()
            }
            Capability::PluginDevices => "the Set inside the device holds native devices only, no plug-ins".to_owned(),
        }))
    }
}

impl Host for SetState {
    fn kind(&self) -> &'static str {
        "embedded"
    }

    fn live_version(&self) -> &str {
        application::LIVE_VERSION_TEXT
    }

    fn set_name(&self) -> Result<String, ModelError> {
        Ok(self.document.song.name.clone())
    }

    fn remark(&self, id: ObjectId) -> Result<Option<String>, ModelError> {
        Ok(self.shared_channel(id))
    }

    fn know_files(&mut self, files: AudioFiles) {
        self.files = files;
    }

    fn snapshot(&self) -> Option<Box<dyn Session + Send>> {
        Some(Box::new(self.clone()))
    }

    fn create_locator(&mut self, at: Beats) -> Result<ObjectId, ModelError> {
        self.put_locator(at).map(|serial| Target::CuePoint(serial).id())
    }

    fn delete_locator(&mut self, locator: ObjectId) -> Result<(), ModelError> {
        match self.target(locator) {
            Some(Target::CuePoint(serial)) => {
                self.document.take_cue_point(serial).map(drop).ok_or(ModelError::NoObject)
            }
            _ => Err(ModelError::NoObject),
        }
    }

    fn split_clip(&mut self, clip: ObjectId, at: Beats) -> Result<ObjectId, ModelError> {
        self.split(clip, at)
    }

    fn set_clip_end(&mut self, clip: ObjectId, at: Beats) -> Result<(), ModelError> {
        self.put_end(clip, at)
    }

    fn rebuild_clip(&mut self, clip: ObjectId, onto: ObjectId, at: Beats) -> Result<ObjectId, ModelError> {
        self.rebuild(clip, onto, at)
    }

    fn draw_envelope(
        &mut self,
        clip: ObjectId,
        parameter: ObjectId,
        points: Vec<EnvelopePoint>,
    ) -> Result<(), ModelError> {
        self.draw(clip, parameter, points)
    }

    fn copy_device(&mut self, device: ObjectId, onto: ObjectId, at: Option<usize>) -> Result<ObjectId, ModelError> {
        self.copy_device_to(device, onto, at)
    }

    fn copy_chain(&mut self, chain: ObjectId, rack: ObjectId, at: Option<usize>) -> Result<ObjectId, ModelError> {
        self.copy_chain_to(chain, rack, at)
    }

    fn readout(&self, parameter: ObjectId) -> Result<Option<Readout>, ModelError> {
        Ok(self.target(parameter).and_then(|target| self.parameter_readout(target)))
    }

    fn label_of(&self, parameter: ObjectId, raw: f64) -> Result<Option<String>, ModelError> {
        Ok(self.target(parameter).and_then(|target| self.parameter_label(target, raw)))
    }

    fn modulation(&self, device: ObjectId, row: usize, source: usize) -> Result<Option<f64>, ModelError> {
        Ok(match self.target(device) {
            Some(Target::Device(serial)) => self.device(serial).and_then(|device| device.modulation(row, source)),
            _ => None,
        })
    }

    fn routed_track(&self, identifier: &str) -> Result<Option<ObjectId>, ModelError> {
        Ok(identifier.parse().ok().and_then(|source| self.track_of_source(source)))
    }

    fn save_device(&self, device: ObjectId) -> Result<serde_json::Value, ModelError> {
        self.saved_device(device)
    }

    fn insert_saved_device(
        &mut self,
        saved: &serde_json::Value,
        onto: ObjectId,
        at: Option<usize>,
    ) -> Result<ObjectId, ModelError> {
        self.put_saved_device(saved, onto, at)
    }

    fn clock(&self) -> Result<Clock, ModelError> {
        Ok(self.session.clock(&self.document))
    }
}

impl SetState {
    /// The `index`th object of a child list, or the single child; `None` where there is none.
    fn child_target(&self, id: ObjectId, name: &str, index: usize) -> Option<Target> {
        let target = self.target(id)?;
        let child = self.class(target)?.children.get(name)?;
        if child.list { self.list_item(target, name, index) } else { self.single(target, name).ok()? }
    }

    /// What is said of a track that shares its MIDI channel.
    fn shared_channel(&self, track: ObjectId) -> Option<String> {
        let Target::Track(serial) = self.target(track)? else { return None };
        let channel = self.document.track(serial)?.midi_channel?;
        let sharing = self.document.tracks.sum().users_of(channel);
        (sharing > 1).then(|| format!("all 16 MIDI channels are taken; this track shares channel {}", channel + 1))
    }

    fn read(&self, target: Target, member: &str) -> Answer<Value> {
        match target {
            Target::Song => self.read_song(member),
            Target::Application => self.read_application(member),
            Target::ApplicationView => self.read_application_view(member),
            Target::Groove(serial) => self.read_groove(self.document.groove(serial)?, member),
            Target::TuningSystem => self.read_tuning(member),
            Target::Track(serial) => self.read_track(self.document.track(serial)?, member),
            Target::Mixer(serial) => self.read_mixer(self.document.track(serial)?, member),
            Target::Slot { track, scene } => self.read_slot(track, scene, member),
            Target::Scene(serial) => self.read_scene(self.document.scene(serial)?, member),
            Target::Clip(serial) => self.read_clip(self.document.clip(serial)?, member),
            Target::TakeLane(serial) => self.read_take_lane(self.document.take_lane(serial)?, member),
            Target::CuePoint(serial) => self.read_cue_point(self.document.cue_point(serial)?, member),
            Target::Device(serial) => self.read_device(self.device(serial)?, member),
            Target::DeviceView(serial) => self.read_device_view(serial, member),
            Target::DeviceIo { device, index } => self.read_io(device, index, member),
            Target::Chain(serial) => self.read_chain(self.document.chain(serial)?, member),
            Target::DrumPad { device, note } => self.read_pad(device, note, member),
            Target::Sample(device) => self.read_sample(device, member),
            Target::Parameter { .. }
            | Target::MixerParameter { .. }
            | Target::Send { .. }
            | Target::ChainMixerParameter { .. }
            | Target::ChainSend { .. } => Some(self.read_parameter(target, member)),
            _ => None,
        }
    }

    fn write(&mut self, target: Target, member: &str, value: &Value) -> Answer<()> {
        match target {
            Target::Song => self.write_song(member, value),
            Target::TuningSystem => self.write_tuning(member, value),
            Target::Track(serial) => self.write_track(serial, member, value),
            Target::Mixer(serial) => self.write_mixer(serial, member, value),
            Target::Slot { track, scene } => self.write_slot(track, scene, member, value),
            Target::Scene(serial) => self.write_scene(serial, member, value),
            Target::Clip(serial) => self.write_clip(serial, member, value),
            Target::TakeLane(serial) => self.write_take_lane(serial, member, value),
            Target::CuePoint(serial) => self.write_cue_point(serial, member, value),
            Target::Device(serial) => self.write_device(serial, member, value),
            Target::DeviceView(serial) => self.write_device_view(serial, member, value),
            Target::DeviceIo { device, index } => self.write_io(device, index, member, value),
            Target::Chain(serial) => self.write_chain(serial, member, value),
            Target::DrumPad { device, note } => self.write_pad(device, note, member, value),
            Target::Sample(device) => self.write_sample(device, member, value),
            Target::Parameter { .. }
            | Target::MixerParameter { .. }
            | Target::Send { .. }
            | Target::ChainMixerParameter { .. }
            | Target::ChainSend { .. } => Some(self.write_parameter(target, member, value)),
            _ => None,
        }
    }

    fn invoke(&mut self, target: Target, function: &str, args: &[Value]) -> Result<Value, ModelError> {
        let done = match target {
            Target::Song => self.call_song(function, args),
            Target::SongView => self.call_song_view(function, args),
            Target::Application => self.call_application(function),
            Target::ApplicationView => self.call_application_view(function, args),
            Target::TrackView(serial) => self.call_track_view(serial, function),
            Target::Track(serial) => self.call_track(serial, function, args),
            Target::Slot { track, scene } => self.call_slot(track, scene, function, args),
            Target::Scene(serial) => self.call_scene(serial, function, args),
            Target::Clip(serial) => self.call_clip(serial, function, args),
            Target::ClipView(_) => self.call_clip_view(function, args),
            Target::TakeLane(serial) => self.call_take_lane(serial, function, args),
            Target::CuePoint(serial) => self.call_cue_point(serial, function),
            Target::Device(serial) => self.call_device(serial, function, args),
            Target::Chain(serial) => self.call_chain(serial, function, args),
            Target::DrumPad { device, note } => self.call_pad(device, note, function),
            Target::Sample(device) => self.call_sample(device, function, args),
            Target::Parameter { .. }
            | Target::MixerParameter { .. }
            | Target::Send { .. }
            | Target::ChainMixerParameter { .. }
            | Target::ChainSend { .. } => self.call_parameter(target, function, args),
            _ => None,
        };
        done.unwrap_or_else(|| {
            let class = self.class(target).ok_or(ModelError::NoObject)?;
            plain(class, function).map(|()| Value::Nothing)
        })
    }
}

/// The members that show a written value only when the call is over.
fn lands_late(target: Target, member: &str) -> Option<&'static str> {
    Some(match (target, member) {
        (Target::Song, "is_playing") => "is_playing",
        (Target::Song, "current_song_time") => "current_song_time",
        (Target::Song, "loop") => "loop",
        (Target::Clip(_), "warping") => "warping",
        _ => return None,
    })
}

/// The one kind of member whose writes Live brings into range instead of dropping them.
fn clamped(target: Target, member: &str, value: Value) -> Value {
    match (target, member, value) {
        (Target::Groove(_), "quantization_amount" | "velocity_amount", value @ (Value::Int(_) | Value::Float(_))) => {
            value.as_f64().filter(|n| !n.is_nan()).map_or(value, |n| n.clamp(0.0, 100.0).into())
        }
        (_, _, value) => value,
    }
}

/// Whether a member without behaviour of its own is one that is stored.
fn plain(class: &Class, member: &str) -> Result<(), ModelError> {
    let name = format_args!("{}.{member}", class.name);
    match members::plain(&class.name, member) {
        Some(Plain::Stored(_)) => Ok(()),
        Some(Plain::NeedsLive(why)) => Err(ModelError::Unable(format!("{name} needs a running Live: {why}"))),
        None => Err(ModelError::Unable(format!("{name} is not available on the Set inside the device"))),
    }
}

fn unknown(class: &Class, member: &str) -> ModelError {
    ModelError::UnknownMember { class: class.name.clone(), member: member.to_owned() }
}
