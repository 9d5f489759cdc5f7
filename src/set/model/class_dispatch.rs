//! Which class a member belongs to: each object's reads, writes and calls go to the file of its class.

use super::member_answer::{Answer, plain};
use super::object_ref::Target;
use super::set_state::SetState;
use crate::object_model::{ModelError, Value};

impl SetState {
    pub(super) fn read(&self, target: Target, member: &str) -> Answer<Value> {
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

    pub(super) fn write(&mut self, target: Target, member: &str, value: &Value) -> Answer<()> {
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

    pub(super) fn invoke(&mut self, target: Target, function: &str, args: &[Value]) -> Result<Value, ModelError> {
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
