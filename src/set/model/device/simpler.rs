//! SimplerDevice and its view.

use crate::object_model::{ModelError, Value};
use crate::set::document::device_tree::Device;
use crate::set::document::ids::Serial;
use crate::set::document::simpler_sample::{PartParameters, PlayedPart, Sample};
use crate::set::model::member_answer::MemberAnswer;
use crate::set::model::set_state::SetState;
use std::sync::Arc;

const EMPTY: &str = "the Simpler is empty; load a sample with replace_sample first";

impl SetState {
    pub(in crate::set::model) fn read_simpler(&self, device: &Device, member: &str) -> MemberAnswer<Value> {
        let sample = device.sample.as_deref();
        let could_be = |factor: f64| sample.is_some_and(|s| s.can_be_beats(s.region_beats() * factor));
        Some(Ok(match member {
            "can_warp_as" => sample.is_some().into(),
            // Twice the tempo is half the beats.
            "can_warp_double" => could_be(0.5).into(),
            "can_warp_half" => could_be(2.0).into(),
            "multi_sample_mode" | "playing_position_enabled" => false.into(),
            "playing_position" => 0.0.into(),
            "voices" => device.stored.get("voices").and_then(serde_json::Value::as_i64).unwrap_or(6).into(),
            _ => return None,
        }))
    }

    pub(in crate::set::model) fn write_simpler(
        &mut self,
        _device: &Device,
        _member: &str,
        _value: &Value,
    ) -> MemberAnswer<()> {
        None
    }

    pub(in crate::set::model) fn call_simpler(
        &mut self,
        device: &Device,
        function: &str,
        args: &[Value],
    ) -> MemberAnswer<Value> {
        let serial = device.serial;
        if function == "replace_sample" {
            return Some(self.replace_sample(serial, args));
        }
        let known = ["guess_playback_length", "warp_as", "warp_double", "warp_half", "crop", "reverse"];
        let Some(sample) = device.sample.clone() else {
            return known.contains(&function).then(|| Err(ModelError::refused(EMPTY)));
        };
        Some(match function {
            "guess_playback_length" => {
                let beats = sample.region_seconds() * self.clock_now().tempo_bpm / 60.0;
                // The power of two that is nearest as a factor.
                Ok(2f64.powf(beats.max(f64::MIN_POSITIVE).log2().round()).into())
            }
            "warp_as" => match args.first().and_then(Value::as_i64) {
                Some(beats) => self.warp_sample(serial, &sample, beats as f64),
                None => Err(ModelError::refused("warp_as takes a whole number of beats")),
            },
            "warp_double" => self.warp_sample(serial, &sample, sample.region_beats() / 2.0),
            "warp_half" => self.warp_sample(serial, &sample, sample.region_beats() * 2.0),
            // crop and reverse write a new audio file.
            _ => return None,
        })
    }

    fn warp_sample(&mut self, device: Serial, sample: &Sample, beats: f64) -> Result<Value, ModelError> {
        if !sample.can_be_beats(beats) {
            return Err(ModelError::refused("the sample's tempo would leave 5 to 999 BPM"));
        }
        let warped = self.document.edit_sample(device, |sample| {
            sample.warp_region(beats);
            sample.warping = true;
        });
        warped.map(|()| Value::Nothing).ok_or(ModelError::NoObject)
    }

    /// The new sample starts whole; how it is sliced and granulated stays as it was.
    fn replace_sample(&mut self, device: Serial, args: &[Value]) -> Result<Value, ModelError> {
        let path = args.first().and_then(Value::as_str).unwrap_or_default();
        let facts = self.audio_file(path)?;
        let replaced = self.edit_device(device, |device| {
            let mut sample = Sample::loaded(path, facts);
            if let Some(old) = &device.sample {
                sample.stored.clone_from(&old.stored);
                sample.reset_slices();
                sample.warp_mode = old.warp_mode;
            }
            device.sample = Some(Arc::new(sample));
            // The samples beside it were those of the file it came from.
            device.sample_zones.clear();
        });
        replaced.map(|()| Value::Nothing).ok_or(ModelError::NoObject)
    }

    /// Frames that the view shows: the region, and inside it what the start, length and loop parameters leave.
    pub(in crate::set::model) fn read_simpler_view(&self, device: &Device, member: &str) -> MemberAnswer<Value> {
        let parameter = |name: &str| {
            let at = device.specs().iter().position(|spec| spec.name == name);
            at.and_then(|at| device.values.get(at)).copied().unwrap_or(0.0)
        };
        let cut = PartParameters {
            start: parameter("S Start"),
            length: parameter("S Length"),
            loop_length: parameter("S Loop Length"),
            loop_fade: parameter("S Loop Fade"),
        };
        let part = device.sample.as_ref().map_or_else(PlayedPart::default, |sample| sample.played_part(cut));
        let frame = |frame: f64| Value::from(frame.round() as i64);
        Some(Ok(match member {
            "sample_start" => frame(part.start),
            "sample_end" | "sample_loop_end" => frame(part.end),
            "sample_loop_start" => frame(part.loop_start),
            "sample_loop_fade" => frame(part.loop_fade),
            "selected_slice" => {
                let slices = device.sample.as_ref().map_or_else(Vec::new, |sample| sample.slice_times());
                let kept = self.view_setting(device.serial, member).and_then(serde_json::Value::as_u64);
                let slice = kept.filter(|slice| slices.contains(slice)).or(slices.first().copied());
                slice.and_then(|slice| i64::try_from(slice).ok()).unwrap_or_default().into()
            }
            _ => return None,
        }))
    }
}
