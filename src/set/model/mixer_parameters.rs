//! DeviceParameter: of devices, of mixers, of sends, through one description of each.

use super::target::MIXER_PARAMETERS;
use super::{Answer, SetState, Target};
use crate::object_model::{ModelError, Value};
use crate::set::display;
use crate::set::ids::Serial;
use std::sync::Arc;

/// A parameter as it stands: raw range, value, and how it is shown.
struct Parameter {
    name: String,
    original_name: String,
    min: f64,
    max: f64,
    value: f64,
    default: Option<f64>,
    items: Option<Vec<String>>,
    /// Whole steps only.
    quantized: bool,
    label: fn(&SetState, Target, f64) -> String,
    /// The shown number of a raw value.
    shown: fn(&SetState, Target, f64) -> Option<f64>,
}

const SWITCH: [&str; 2] = ["Off", "On"];

impl SetState {
    fn parameter(&self, target: Target) -> Option<Parameter> {
        match target {
            Target::Parameter { device, index } => self.device_parameter(device, index),
            Target::Send { track, return_track } => {
                let at = self.document.return_position(return_track)?;
                let value = *self.document.track(track)?.mixer.sends.get(at)?;
                let name = self.document.track_name(self.document.returns.get(at)?);
                Some(Parameter {
                    original_name: name.clone(),
                    name,
                    min: 0.0,
                    max: 1.0,
                    value,
                    default: Some(0.0),
                    items: None,
                    quantized: false,
                    label: |_, _, raw| display::db_text(display::send_db(raw)),
                    shown: |_, _, raw| display::send_db(raw),
                })
            }
            Target::MixerParameter { track, index } => self.mixer_parameter(track, index),
            _ => None,
        }
    }

    fn device_parameter(&self, device: Serial, index: u16) -> Option<Parameter> {
        let device = self.device(device)?;
        let at = usize::from(index);
        let spec = device.specs().get(at)?;
        Some(Parameter {
            name: spec.name.clone(),
            original_name: spec.original_name.clone().unwrap_or_else(|| spec.name.clone()),
            min: spec.min,
            max: spec.max,
            value: *device.values.get(at)?,
            default: Some(spec.initial()),
            items: spec.items.clone(),
            quantized: spec.quantized,
            label: |set, target, raw| set.spec_of(target).map_or_else(String::new, |spec| display::label(spec, raw)),
            shown: |set, target, raw| set.spec_of(target).and_then(|spec| display::shown(spec, raw)),
        })
    }

    fn spec_of(&self, target: Target) -> Option<&'static crate::set::device_table::ParameterSpec> {
        let Target::Parameter { device, index } = target else { return None };
        self.device(device)?.specs().get(usize::from(index))
    }

    fn mixer_parameter(&self, track: Serial, index: u16) -> Option<Parameter> {
        let mixer = &self.document.track(track)?.mixer;
        let which = *MIXER_PARAMETERS.get(usize::from(index))?;
        let made = |name: &str, min, max, value, default, label, shown| {
            Some(Parameter {
                name: name.to_owned(),
                original_name: name.to_owned(),
                min,
                max,
                value,
                default: Some(default),
                items: None,
                quantized: false,
                label,
                shown,
            })
        };
        let db: fn(&SetState, Target, f64) -> String = |_, _, raw| display::db_text(display::volume_db(raw));
        let db_number: fn(&SetState, Target, f64) -> Option<f64> = |_, _, raw| display::volume_db(raw);
        let pan: fn(&SetState, Target, f64) -> String = |_, _, raw| display::pan_text(raw);
        let plain: fn(&SetState, Target, f64) -> Option<f64> = |_, _, raw| Some(raw);
        let steps: fn(&SetState, Target, f64) -> Option<f64> = |_, _, raw| Some(raw * 50.0);
        match which {
            "volume" => made("Track Volume", 0.0, 1.0, mixer.volume, 0.85, db, db_number),
            "cue_volume" => made("Cue Volume", 0.0, 1.0, mixer.cue_volume, 0.85, db, db_number),
            "panning" => made("Track Panning", -1.0, 1.0, mixer.panning, 0.0, pan, steps),
            "left_split_stereo" => made("Split Stereo Pan L", -1.0, 1.0, mixer.left_split, -1.0, pan, steps),
            "right_split_stereo" => made("Split Stereo Pan R", -1.0, 1.0, mixer.right_split, 1.0, pan, steps),
            "crossfader" => made("Crossfader", -1.0, 1.0, mixer.crossfader, 0.0, pan, steps),
            "song_tempo" => made(
                "Song Tempo",
                20.0,
                999.0,
                self.document.song.tempo_bpm,
                120.0,
                |_, _, raw| format!("{raw:.2} BPM"),
                plain,
            ),
            "track_activator" => Some(Parameter {
                items: Some(SWITCH.map(str::to_owned).to_vec()),
                quantized: true,
                label: |_, _, raw| SWITCH.get(usize::from(raw >= 0.5)).copied().unwrap_or_default().to_owned(),
                ..made("Speaker On", 0.0, 1.0, f64::from(u8::from(!self.document.track(track)?.mute)), 1.0, pan, plain)?
            }),
            _ => None,
        }
    }

    pub(super) fn read_parameter(&self, target: Target, member: &str) -> Result<Value, ModelError> {
        let parameter = self.parameter(target).ok_or(ModelError::NoObject)?;
        let lacking = || {
            let member = member.to_owned();
            let class = if parameter.quantized { "a quantized parameter" } else { "a continuous parameter" };
            Err(ModelError::UnknownMember { class: class.to_owned(), member })
        };
        Ok(match member {
            "name" => parameter.name.into(),
            "original_name" => parameter.original_name.into(),
            "min" => parameter.min.into(),
            "max" => parameter.max.into(),
            "value" => parameter.value.into(),
            "is_quantized" => parameter.quantized.into(),
            "is_enabled" => true.into(),
            "automation_state" | "state" => 0.into(),
            "default_value" if parameter.quantized => return lacking(),
            "default_value" => parameter.default.map_or_else(lacking, |d| Ok(d.into()))?,
            "value_items" | "short_value_items" => match parameter.items {
                Some(items) if parameter.quantized => Value::Texts(items),
                _ => return lacking(),
            },
            "display_value" => (parameter.shown)(self, target, parameter.value).unwrap_or(parameter.value).into(),
            _ => return lacking(),
        })
    }

    pub(super) fn write_parameter(&mut self, target: Target, member: &str, value: &Value) -> Result<(), ModelError> {
        let parameter = self.parameter(target).ok_or(ModelError::NoObject)?;
        let number = value.as_f64().unwrap_or_default();
        if member != "value" {
            return Err(ModelError::Unable(
                "display_value cannot be written on the Set inside the device; write value, the raw number".to_owned(),
            ));
        }
        if !(parameter.min..=parameter.max).contains(&number) {
            let range = format!("from {} to {}", parameter.min, parameter.max);
            return Err(ModelError::OutOfRange { member: parameter.name, range });
        }
        let number = if parameter.quantized { number.round() } else { number };
        self.put_parameter(target, number).ok_or(ModelError::NoObject)
    }

    fn put_parameter(&mut self, target: Target, number: f64) -> Option<()> {
        match target {
            Target::Parameter { device, index } => {
                self.edit_device(device, |d| d.values.get_mut(usize::from(index)).map(|slot| *slot = number))?
            }
            Target::Send { track, return_track } => {
                let at = self.document.return_position(return_track)?;
                self.document.edit_track(track, |t| t.mixer.sends.get_mut(at).map(|slot| *slot = number))?
            }
            Target::MixerParameter { track, index } => match *MIXER_PARAMETERS.get(usize::from(index))? {
                "song_tempo" => {
                    Arc::make_mut(&mut self.document.song).tempo_bpm = number;
                    Some(())
                }
                "track_activator" => self.document.edit_track(track, |t| t.mute = number < 0.5),
                which => self.document.edit_track(track, |t| {
                    let mixer = &mut t.mixer;
                    *match which {
                        "volume" => &mut mixer.volume,
                        "panning" => &mut mixer.panning,
                        "left_split_stereo" => &mut mixer.left_split,
                        "right_split_stereo" => &mut mixer.right_split,
                        "cue_volume" => &mut mixer.cue_volume,
                        _ => &mut mixer.crossfader,
                    } = number;
                }),
            },
            _ => None,
        }
    }

    pub(super) fn call_parameter(&mut self, target: Target, function: &str, args: &[Value]) -> Answer<Value> {
        let parameter = self.parameter(target)?;
        let raw = match function {
            "str_for_value" => match args.first().and_then(Value::as_f64).filter(|raw| raw.is_finite()) {
                Some(raw) => raw.clamp(parameter.min, parameter.max),
                None => return Some(Err(ModelError::refused("str_for_value takes a number"))),
            },
            "__str__" => parameter.value,
            // Nothing is automated in this Set, so there is nothing to take back.
            "re_enable_automation" | "begin_gesture" | "end_gesture" => return Some(Ok(Value::Nothing)),
            _ => return None,
        };
        Some(Ok((parameter.label)(self, target, raw).into()))
    }
}
