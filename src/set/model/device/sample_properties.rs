//! Sample: what a Simpler plays. Times are frames.

use crate::object_model::faders;
use crate::object_model::{ModelError, Value};
use crate::set::document::ids::Serial;
use crate::set::document::simpler_sample::Sample;
use crate::set::model::member_answer::MemberAnswer;
use crate::set::model::set_state::SetState;
use serde_json::json;

/// Frames as the object model has them; a sample is checked to be short enough.
fn frames(n: u64) -> Value {
    i64::try_from(n).unwrap_or(i64::MAX).into()
}

/// Live's own mode for REX files, which it chooses itself.
const REX: i64 = 5;

/// Slices that a refusal names at most.
const SAID_SLICES: usize = 16;

impl SetState {
    pub(in crate::set::model) fn read_sample(&self, device: Serial, member: &str) -> MemberAnswer<Value> {
        let sample = self.device(device)?.sample.as_ref()?;
        Some(Ok(match member {
            "file_path" => sample.file_path.as_str().into(),
            "length" => frames(sample.length),
            "sample_rate" => (sample.sample_rate_hz.round() as i64).into(),
            "start_marker" => frames(sample.start_marker),
            "end_marker" => frames(sample.end_marker),
            "gain" => sample.gain.into(),
            "warping" => sample.warping.into(),
            "warp_mode" => i64::from(sample.warp_mode).into(),
            "slices" => {
                Value::Ints(sample.slice_times().into_iter().filter_map(|frame| i64::try_from(frame).ok()).collect())
            }
            "warp_markers" => {
                let list: Vec<_> = sample
                    .warp_markers
                    .iter()
                    .map(|m| json!({"beat_time": m.beat_time, "sample_time": m.sample_time_seconds}))
                    .collect();
                Value::Struct(json!({ "warp_markers": list }))
            }
            _ => return None,
        }))
    }

    pub(in crate::set::model) fn write_sample(
        &mut self,
        device: Serial,
        member: &str,
        value: &Value,
    ) -> MemberAnswer<()> {
        let sample = self.device(device)?.sample.clone()?;
        let frame = value.as_i64().and_then(|n| u64::try_from(n).ok());
        let out = |range: String| Some(Err(ModelError::OutOfRange { member: member.to_owned(), range }));
        let edit: Box<dyn FnOnce(&mut Sample)> = match member {
            "start_marker" => match frame.filter(|frame| *frame < sample.end_marker) {
                Some(frame) => Box::new(move |sample| sample.start_marker = frame),
                None => return out(format!("from 0 to below the end marker, {}", sample.end_marker)),
            },
            "end_marker" => match frame.filter(|frame| (sample.start_marker + 1..=sample.length).contains(frame)) {
                Some(frame) => Box::new(move |sample| sample.end_marker = frame),
                None => {
                    return out(format!("from above the start marker, {}, to {}", sample.start_marker, sample.length));
                }
            },
            "gain" => {
                let gain = value.as_f64().unwrap_or_default();
                Box::new(move |sample| sample.gain = gain)
            }
            "warping" => {
                let on = value.as_bool().unwrap_or_default();
                Box::new(move |sample| sample.warping = on)
            }
            "warp_mode" if value.as_i64() == Some(REX) => {
                return Some(Err(ModelError::refused("REX is for REX files; Live chooses it itself")));
            }
            "warp_mode" => {
                let mode = value.as_i64().and_then(|n| u8::try_from(n).ok()).unwrap_or_default();
                Box::new(move |sample| sample.warp_mode = mode)
            }
            _ => return None,
        };
        Some(self.document.edit_sample(device, edit).ok_or(ModelError::NoObject))
    }

    pub(in crate::set::model) fn call_sample(
        &mut self,
        device: Serial,
        function: &str,
        args: &[Value],
    ) -> MemberAnswer<Value> {
        let sample = self.device(device)?.sample.clone()?;
        let frame = |at: usize| args.get(at).and_then(Value::as_i64).and_then(|n| u64::try_from(n).ok());
        let number = || args.first().and_then(Value::as_f64).filter(|n| n.is_finite());
        let taken = "a slice begins there already, or it is outside the sample's markers";
        let none = || match sample.slice_times().as_slice() {
            [] => "no slice begins there; the sample has none".to_owned(),
            all => {
                let first = all.iter().take(SAID_SLICES).map(u64::to_string).collect::<Vec<_>>().join(", ");
                let more = if all.len() > SAID_SLICES {
                    format!(" and {} more", all.len() - SAID_SLICES)
                } else {
                    String::new()
                };
                format!("no slice begins there; slices begin at {first}{more}")
            }
        };
        let mut edited = Sample::clone(&sample);
        let done = match function {
            "gain_display_string" => Ok(faders::db_text_fine(faders::clip_gain_db(sample.gain)).into()),
            "insert_slice" => match frame(0) {
                Some(frame) if edited.insert_slice(frame) => Ok(Value::Nothing),
                _ => Err(taken.to_owned()),
            },
            "remove_slice" => match frame(0) {
                Some(frame) if edited.remove_slice(frame) => Ok(Value::Nothing),
                _ => Err(none()),
            },
            "move_slice" => match (frame(0), frame(1)) {
                (Some(from), Some(to)) if from == to && sample.slice_times().contains(&from) => Ok(frames(to)),
                (Some(from), Some(_)) if !edited.remove_slice(from) => Err(none()),
                (Some(_), Some(to)) if edited.insert_slice(to) => Ok(frames(to)),
                _ => Err(taken.to_owned()),
            },
            "clear_slices" => {
                edited.clear_slices();
                Ok(Value::Nothing)
            }
            "reset_slices" => {
                edited.reset_slices();
                Ok(Value::Nothing)
            }
            "beat_to_sample_time" => {
                number().map(|beat| sample.frame_at(beat).into()).ok_or_else(|| "it takes a number".to_owned())
            }
            "sample_to_beat_time" => {
                number().map(|frame| sample.beat_at(frame).into()).ok_or_else(|| "it takes a number".to_owned())
            }
            _ => return None,
        };
        Some(done.map_err(ModelError::refused).and_then(|value| {
            if edited != *sample {
                self.document.edit_sample(device, |sample| *sample = edited).ok_or(ModelError::NoObject)?;
            }
            Ok(value)
        }))
    }
}
