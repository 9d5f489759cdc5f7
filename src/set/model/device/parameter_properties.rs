//! DeviceParameter: of devices, of the mixers of tracks and chains, of sends, through one description of each.

use crate::object_model::{ModelError, Readout, Value};
use crate::set::document::Track;
use crate::set::model::device::parameter_scale::Parameter;
use crate::set::model::member_answer::MemberAnswer;
use crate::set::model::object_ref::ObjectRef;
use crate::set::model::set_state::SetState;

impl SetState {
    pub(in crate::set::model) fn parameter(&self, target: ObjectRef) -> Option<Parameter> {
        match target {
            ObjectRef::Parameter { device, index } => self.device_parameter(device, index),
            ObjectRef::Send { track, return_track } => self.send_parameter(track, return_track),
            ObjectRef::MixerParameter { track, index } => self.mixer_parameter(track, index),
            ObjectRef::ChainMixerParameter { chain, index } => self.chain_parameter(chain, index),
            ObjectRef::ChainSend { chain, return_chain } => self.chain_send_parameter(chain, return_chain),
            _ => None,
        }
    }

    pub(in crate::set::model) fn put_parameter(&mut self, target: ObjectRef, number: f64) -> Option<()> {
        match target {
            ObjectRef::Parameter { device, index } => self.put_device_parameter(device, index, number),
            ObjectRef::Send { track, return_track } => self.put_send(track, return_track, number),
            ObjectRef::MixerParameter { track, index } => self.put_mixer_parameter(track, index, number),
            ObjectRef::ChainMixerParameter { chain, index } => self.put_chain_parameter(chain, index, number),
            ObjectRef::ChainSend { chain, return_chain } => self.put_chain_send(chain, return_chain, number),
            _ => None,
        }
    }

    /// Host::readout.
    pub(in crate::set::model) fn parameter_readout(&self, target: ObjectRef) -> Option<Readout> {
        self.parameter(target).map(|parameter| parameter.scale.readout(parameter.min, parameter.max))
    }

    /// Host::shown_number.
    pub(in crate::set::model) fn parameter_number(&self, target: ObjectRef, raw: f64) -> Option<f64> {
        let parameter = self.parameter(target)?;
        raw.is_finite().then(|| parameter.scale.shown(raw.clamp(parameter.min, parameter.max)))
    }

    /// Host::raw_of.
    pub(in crate::set::model) fn parameter_raw_of(&self, target: ObjectRef, number: f64) -> Option<f64> {
        let parameter = self.parameter(target)?;
        parameter.scale.raw_of(number).map(|raw| raw.clamp(parameter.min, parameter.max))
    }

    /// Host::label_of.
    pub(in crate::set::model) fn parameter_label(&self, target: ObjectRef, raw: f64) -> Option<String> {
        let parameter = self.parameter(target)?;
        raw.is_finite().then(|| parameter.scale.label(raw.clamp(parameter.min, parameter.max)))
    }

    pub(in crate::set::model) fn read_parameter(&self, target: ObjectRef, member: &str) -> Result<Value, ModelError> {
        let parameter = self.parameter(target).ok_or(ModelError::NoObject)?;
        let quantized = parameter.scale.quantized();
        let lacking = || {
            let member = member.to_owned();
            let class = if quantized { "a quantized parameter" } else { "a continuous parameter" };
            Err(ModelError::UnknownMember { class: class.to_owned(), member })
        };
        Ok(match member {
            "name" => parameter.name.into(),
            "original_name" => parameter.original_name.into(),
            "min" => parameter.min.into(),
            "max" => parameter.max.into(),
            "value" => parameter.value.into(),
            "is_quantized" => quantized.into(),
            "is_enabled" => (!parameter.owned).into(),
            "automation_state" => self.automation_state(target).into(),
            "state" => self.parameter_state(target, &parameter).into(),
            "default_value" if quantized => return lacking(),
            "default_value" => parameter.default.map_or_else(lacking, |d| Ok(d.into()))?,
            "value_items" | "short_value_items" => match parameter.scale.items() {
                Some(items) => Value::Texts(items),
                None => return lacking(),
            },
            "display_value" => parameter.scale.shown(parameter.value).into(),
            _ => return lacking(),
        })
    }

    /// The track that a parameter is on.
    pub(in crate::set::model) fn track_of_parameter(&self, target: ObjectRef) -> Option<&Track> {
        let track = match target {
            ObjectRef::Parameter { device, .. } => self.document.track_of_device(device),
            ObjectRef::ChainMixerParameter { chain, .. } | ObjectRef::ChainSend { chain, .. } => {
                self.document.track_of_device(chain)
            }
            ObjectRef::MixerParameter { track, .. } | ObjectRef::Send { track, .. } => Some(track),
            _ => None,
        };
        track.and_then(|track| self.document.track(track)).map(|track| &**track)
    }

    /// 2 disabled by a macro that owns it, 1 without effect because the other one of a free and a synced rate is in
    /// use, else 0.
    fn parameter_state(&self, target: ObjectRef, parameter: &Parameter) -> i64 {
        if parameter.owned {
            return 2;
        }
        let ObjectRef::Parameter { device, index } = target else { return 0 };
        i64::from(self.device(device).is_some_and(|d| d.is_idle(usize::from(index))))
    }

    /// Refuses a shown number that the parameter cannot show. Tools bring it to the nearest end, and say so.
    pub(in crate::set::model) fn check_shown(&self, target: ObjectRef, value: &Value) -> Result<(), ModelError> {
        let (Some(parameter), Some(number)) = (self.parameter(target), value.as_f64()) else { return Ok(()) };
        let (a, b) = (parameter.scale.shown(parameter.min), parameter.scale.shown(parameter.max));
        let (low, high) = (a.min(b), a.max(b));
        // What is shown at an end may be written back.
        let slack = 1e-6 * (high - low).abs().max(1.0);
        if number < low - slack || number > high + slack {
            let range = format!("from {low} to {high}");
            return Err(ModelError::OutOfRange { member: parameter.name, range });
        }
        Ok(())
    }

    pub(in crate::set::model) fn write_parameter(
        &mut self,
        target: ObjectRef,
        member: &str,
        value: &Value,
    ) -> Result<(), ModelError> {
        let parameter = self.parameter(target).ok_or(ModelError::NoObject)?;
        if parameter.owned {
            return Err(ModelError::refused(format!("{} is moved by a macro; write the macro", parameter.name)));
        }
        let number = value.as_f64().unwrap_or_default();
        let number = match member {
            "value" if !(parameter.min..=parameter.max).contains(&number) => {
                let range = format!("from {} to {}", parameter.min, parameter.max);
                return Err(ModelError::OutOfRange { member: parameter.name, range });
            }
            "value" => number,
            _ => {
                let raw = parameter.scale.raw_of(number).ok_or_else(|| {
                    ModelError::refused(format!("{} moves what it is mapped to nowhere", parameter.name))
                })?;
                raw.clamp(parameter.min, parameter.max)
            }
        };
        let number = if parameter.scale.keeps_whole() { number.round() } else { number };
        self.put_parameter(target, number).ok_or(ModelError::NoObject)?;
        self.override_automation(target);
        Ok(())
    }

    pub(in crate::set::model) fn call_parameter(
        &mut self,
        target: ObjectRef,
        function: &str,
        args: &[Value],
    ) -> MemberAnswer<Value> {
        let parameter = self.parameter(target)?;
        let raw = match function {
            "str_for_value" => match args.first().and_then(Value::as_f64).filter(|raw| raw.is_finite()) {
                Some(raw) => raw.clamp(parameter.min, parameter.max),
                None => return Some(Err(ModelError::refused("str_for_value takes a number"))),
            },
            "__str__" => parameter.value,
            "re_enable_automation" => {
                self.re_enable_automation_of(target);
                return Some(Ok(Value::Nothing));
            }
            "begin_gesture" | "end_gesture" => return Some(Ok(Value::Nothing)),
            _ => return None,
        };
        Some(Ok(parameter.scale.label(raw).into()))
    }
}
