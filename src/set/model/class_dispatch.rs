//! Which class a member belongs to: each object's reads, writes and calls go to the file of its class.

use super::member_answer::{MemberAnswer, require_stored};
use super::object_ref::ObjectRef;
use super::set_state::SetState;
use crate::object_model::{ModelError, Value};

impl SetState {
    pub(super) fn read(&self, target: ObjectRef, member: &str) -> MemberAnswer<Value> {
        match target {
            ObjectRef::Song => self.read_song(member),
            ObjectRef::Application => self.read_application(member),
            ObjectRef::ApplicationView => self.read_application_view(member),
            ObjectRef::Groove(serial) => self.read_groove(self.document.groove(serial)?, member),
            ObjectRef::TuningSystem => self.read_tuning(member),
            ObjectRef::Track(serial) => self.read_track(self.document.track(serial)?, member),
            ObjectRef::Mixer(serial) => self.read_mixer(self.document.track(serial)?, member),
            ObjectRef::Slot { track, scene } => self.read_slot(track, scene, member),
            ObjectRef::Scene(serial) => self.read_scene(self.document.scene(serial)?, member),
            ObjectRef::Clip(serial) => self.read_clip(self.document.clip(serial)?, member),
            ObjectRef::TakeLane(serial) => self.read_take_lane(self.document.take_lane(serial)?, member),
            ObjectRef::CuePoint(serial) => self.read_cue_point(self.document.cue_point(serial)?, member),
            ObjectRef::Device(serial) => self.read_device(self.device(serial)?, member),
            ObjectRef::DeviceView(serial) => self.read_device_view(serial, member),
            ObjectRef::DeviceIo { device, index } => self.read_io(device, index, member),
            ObjectRef::Chain(serial) => self.read_chain(self.document.chain(serial)?, member),
            ObjectRef::DrumPad { device, note } => self.read_pad(device, note, member),
            ObjectRef::Sample(device) => self.read_sample(device, member),
            ObjectRef::Parameter { .. }
            | ObjectRef::MixerParameter { .. }
            | ObjectRef::Send { .. }
            | ObjectRef::ChainMixerParameter { .. }
            | ObjectRef::ChainSend { .. } => Some(self.read_parameter(target, member)),
            _ => None,
        }
    }

    pub(super) fn write(&mut self, target: ObjectRef, member: &str, value: &Value) -> MemberAnswer<()> {
        match target {
            ObjectRef::Song => self.write_song(member, value),
            ObjectRef::TuningSystem => self.write_tuning(member, value),
            ObjectRef::Track(serial) => self.write_track(serial, member, value),
            ObjectRef::Mixer(serial) => self.write_mixer(serial, member, value),
            ObjectRef::Slot { track, scene } => self.write_slot(track, scene, member, value),
            ObjectRef::Scene(serial) => self.write_scene(serial, member, value),
            ObjectRef::Clip(serial) => self.write_clip(serial, member, value),
            ObjectRef::TakeLane(serial) => self.write_take_lane(serial, member, value),
            ObjectRef::CuePoint(serial) => self.write_cue_point(serial, member, value),
            ObjectRef::Device(serial) => self.write_device(serial, member, value),
            ObjectRef::DeviceView(serial) => self.write_device_view(serial, member, value),
            ObjectRef::DeviceIo { device, index } => self.write_io(device, index, member, value),
            ObjectRef::Chain(serial) => self.write_chain(serial, member, value),
            ObjectRef::DrumPad { device, note } => self.write_pad(device, note, member, value),
            ObjectRef::Sample(device) => self.write_sample(device, member, value),
            ObjectRef::Parameter { .. }
            | ObjectRef::MixerParameter { .. }
            | ObjectRef::Send { .. }
            | ObjectRef::ChainMixerParameter { .. }
            | ObjectRef::ChainSend { .. } => Some(self.write_parameter(target, member, value)),
            _ => None,
        }
    }

    pub(super) fn invoke(&mut self, target: ObjectRef, function: &str, args: &[Value]) -> Result<Value, ModelError> {
        let done = match target {
            ObjectRef::Song => self.call_song(function, args),
            ObjectRef::SongView => self.call_song_view(function, args),
            ObjectRef::Application => self.call_application(function),
            ObjectRef::ApplicationView => self.call_application_view(function, args),
            ObjectRef::TrackView(serial) => self.call_track_view(serial, function),
            ObjectRef::Track(serial) => self.call_track(serial, function, args),
            ObjectRef::Slot { track, scene } => self.call_slot(track, scene, function, args),
            ObjectRef::Scene(serial) => self.call_scene(serial, function, args),
            ObjectRef::Clip(serial) => self.call_clip(serial, function, args),
            ObjectRef::ClipView(_) => self.call_clip_view(function, args),
            ObjectRef::TakeLane(serial) => self.call_take_lane(serial, function, args),
            ObjectRef::CuePoint(serial) => self.call_cue_point(serial, function),
            ObjectRef::Device(serial) => self.call_device(serial, function, args),
            ObjectRef::Chain(serial) => self.call_chain(serial, function, args),
            ObjectRef::DrumPad { device, note } => self.call_pad(device, note, function),
            ObjectRef::Sample(device) => self.call_sample(device, function, args),
            ObjectRef::Parameter { .. }
            | ObjectRef::MixerParameter { .. }
            | ObjectRef::Send { .. }
            | ObjectRef::ChainMixerParameter { .. }
            | ObjectRef::ChainSend { .. } => self.call_parameter(target, function, args),
            _ => None,
        };
        done.unwrap_or_else(|| {
            let class = self.class(target).ok_or(ModelError::NoObject)?;
            require_stored(class, function).map(|()| Value::Nothing)
        })
    }
}
