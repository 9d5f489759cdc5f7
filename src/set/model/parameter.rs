//! DeviceParameter: of devices, of the mixers of tracks and chains, of sends, through one description of each.

use super::device_parameters::MACRO_END;
use super::{Answer, SetState, Target};
use crate::object_model::{ModelError, Readout, Value};
use crate::set::device_table::ParameterSpec;
use crate::set::document::Clip;
use crate::set::session::Playing;
use crate::set::{display, display_text};

/// A parameter as it stands: raw range, value, and how it is shown.
pub(super) struct Parameter {
    pub name: String,
    pub original_name: String,
    pub min: f64,
    pub max: f64,
    pub value: f64,
    pub default: Option<f64>,
    pub law: Law,
    /// A macro moves it: writes are refused.
    pub owned: bool,
}

/// How raw values and what is shown belong together.
#[derive(Clone, Copy)]
pub(super) enum Law {
    /// Of the device table.
    Table(&'static ParameterSpec),
    /// A fader from silence to +6 dB.
    Volume,
    /// A send from silence to 0 dB.
    Send,
    /// 50L..C..50R.
    Pan,
    Tempo,
    /// Off and on.
    Switch,
    /// A macro: 0..127, shown as what it moves is.
    Macro {
        target: &'static ParameterSpec,
        at_0: f64,
        at_127: f64,
    },
}

const SWITCH: [&str; 2] = ["Off", "On"];

impl Law {
    fn items(self) -> Option<Vec<String>> {
        match self {
            Law::Table(spec) => spec.items.clone().filter(|_| spec.quantized),
            Law::Switch => Some(SWITCH.map(str::to_owned).to_vec()),
            _ => None,
        }
    }

    fn quantized(self) -> bool {
        match self {
            Law::Table(spec) => spec.quantized,
            law => matches!(law, Law::Switch),
        }
    }

    /// Only whole raw numbers are kept.
    fn keeps_whole(self) -> bool {
        self.quantized() || matches!(self, Law::Table(spec) if display::counts_whole(spec))
    }

    fn label(self, raw: f64) -> String {
        match self {
            Law::Table(spec) => display_text::label(spec, raw),
            Law::Volume => display::db_text(display::volume_db(raw)),
            Law::Send => display::db_text(display::send_db(raw)),
            Law::Pan => display::pan_text(raw),
            Law::Tempo => format!("{raw:.2} BPM"),
            Law::Switch => SWITCH.get(usize::from(raw >= 0.5)).copied().unwrap_or_default().to_owned(),
            Law::Macro { target, at_0, at_127 } => Law::Table(target).label(moved_to(at_0, at_127, raw)),
        }
    }

    /// The shown number. Of steps, and where nobody knows the curve, the raw one.
    fn shown(self, raw: f64) -> f64 {
        match self {
            Law::Table(spec) => match display::shown(spec, raw) {
                Some(db) if spec.unit.as_deref() == Some("dB") && spec.min == 0.0 => db.max(display::SILENCE_DB),
                Some(number) => number,
                None if display::curve_is_known(spec) => display::SILENCE_DB,
                None => raw,
            },
            Law::Volume => display::shown_db(display::volume_db(raw)),
            Law::Send => display::shown_db(display::send_db(raw)),
            Law::Pan => raw * 50.0,
            Law::Tempo | Law::Switch => raw,
            Law::Macro { target, at_0, at_127 } => Law::Table(target).shown(moved_to(at_0, at_127, raw)),
        }
    }

    /// The raw value of a shown number; `None` where nobody knows the curve.
    fn raw_of(self, number: f64) -> Option<f64> {
        match self {
            Law::Table(spec) if counts_steps(spec) => Some(number.round()),
            Law::Table(spec) => display::raw_of(spec, number),
            Law::Volume => Some(display::volume_raw(number)),
            Law::Send => Some(display::send_raw(number)),
            Law::Pan => Some(number / 50.0),
            Law::Tempo => Some(number),
            Law::Switch => Some(number.round()),
            Law::Macro { target, at_0, at_127 } => {
                let raw = Law::Table(target).raw_of(number)?;
                Some(MACRO_END * (raw - at_0) / (at_127 - at_0)).filter(|raw| raw.is_finite())
            }
        }
    }
}

impl Law {
    fn readout(self, min: f64, max: f64) -> Readout {
        let number = |unit| {
            // Silence is a word.
            let ends = |raw: f64| match self {
                Law::Volume => display::volume_db(raw),
                Law::Send => display::send_db(raw),
                Law::Table(spec) if !display::is_pitch(spec) => display::shown(spec, raw),
                law => Some(law.shown(raw)),
            };
            Readout::Number { unit, at_min: ends(min), at_max: ends(max) }
        };
        let steps = |from: f64, to: f64| {
            let (from, to) = (from.round() as i64, to.round() as i64);
            Readout::Steps((from..=to).map(|step| self.label(step as f64)).collect())
        };
        match self {
            Law::Table(spec) if counts_steps(spec) => steps(spec.min, spec.max),
            Law::Table(spec) if display::is_pitch(spec) => number(Some("note")),
            Law::Table(spec) if display::curve_is_known(spec) => number(spec.unit.as_deref()),
            Law::Table(_) => Readout::Raw,
            Law::Volume | Law::Send => number(Some("dB")),
            Law::Pan => number(Some("pan")),
            Law::Tempo => number(None),
            Law::Switch => steps(0.0, 1.0),
            Law::Macro { target, .. } if counts_steps(target) || !display::curve_is_known(target) => Readout::Raw,
            Law::Macro { target, .. } => number(target.unit.as_deref()),
        }
    }
}

/// Where a macro at `raw` puts what it moves.
fn moved_to(at_0: f64, at_127: f64, raw: f64) -> f64 {
    at_0 + (at_127 - at_0) * raw / MACRO_END
}

/// Whether what is shown is a label for each whole number of the raw range.
fn counts_steps(spec: &ParameterSpec) -> bool {
    spec.items.is_some() || spec.ladder.is_some() || spec.step_labels.is_some()
}

impl SetState {
    pub(super) fn parameter(&self, target: Target) -> Option<Parameter> {
        match target {
            Target::Parameter { device, index } => self.device_parameter(device, index),
            Target::Send { track, return_track } => self.send_parameter(track, return_track),
            Target::MixerParameter { track, index } => self.mixer_parameter(track, index),
            Target::ChainMixerParameter { chain, index } => self.chain_parameter(chain, index),
            Target::ChainSend { chain, return_chain } => self.chain_send_parameter(chain, return_chain),
            _ => None,
        }
    }

    fn put_parameter(&mut self, target: Target, number: f64) -> Option<()> {
        match target {
            Target::Parameter { device, index } => self.put_device_parameter(device, index, number),
            Target::Send { track, return_track } => self.put_send(track, return_track, number),
            Target::MixerParameter { track, index } => self.put_mixer_parameter(track, index, number),
            Target::ChainMixerParameter { chain, index } => self.put_chain_parameter(chain, index, number),
            Target::ChainSend { chain, return_chain } => self.put_chain_send(chain, return_chain, number),
            _ => None,
        }
    }

    /// HostFacts::readout.
    pub(super) fn parameter_readout(&self, target: Target) -> Option<Readout> {
        self.parameter(target).map(|parameter| parameter.law.readout(parameter.min, parameter.max))
    }

    /// HostFacts::label_of.
    pub(super) fn parameter_label(&self, target: Target, raw: f64) -> Option<String> {
        let parameter = self.parameter(target)?;
        raw.is_finite().then(|| parameter.law.label(raw.clamp(parameter.min, parameter.max)))
    }

    pub(super) fn read_parameter(&self, target: Target, member: &str) -> Result<Value, ModelError> {
        let parameter = self.parameter(target).ok_or(ModelError::NoObject)?;
        let quantized = parameter.law.quantized();
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
            "automation_state" => i64::from(self.is_automated(target)).into(),
            "state" => self.parameter_state(target, &parameter).into(),
            "default_value" if quantized => return lacking(),
            "default_value" => parameter.default.map_or_else(lacking, |d| Ok(d.into()))?,
            "value_items" | "short_value_items" => match parameter.law.items() {
                Some(items) => Value::Texts(items),
                None => return lacking(),
            },
            "display_value" => parameter.law.shown(parameter.value).into(),
            _ => return lacking(),
        })
    }

    /// Whether the clip that plays on its track, or one in the Arrangement, has an envelope for it. Envelopes move nothing here,
    /// so none is ever overridden.
    fn is_automated(&self, target: Target) -> bool {
        let track = match target {
            Target::Parameter { device, .. } => self.document.track_of_device(device),
            Target::ChainMixerParameter { chain, .. } | Target::ChainSend { chain, .. } => {
                self.document.track_of_device(chain)
            }
            Target::MixerParameter { track, .. } | Target::Send { track, .. } => Some(track),
            _ => None,
        };
        let Some(track) = track.and_then(|track| self.document.track(track)) else { return false };
        let id = target.id().0;
        let moves = |clip: &Clip| clip.envelopes.iter().any(|envelope| envelope.parameter == id);
        let playing = match self.session.track_play(track.serial).playing {
            Playing::Clip(clip) => self.document.clip(clip),
            Playing::Arrangement | Playing::Stopped => None,
        };
        playing.is_some_and(|clip| moves(clip)) || track.arrangement.iter().any(|placed| moves(&placed.clip))
    }

    /// 2 disabled by a macro that owns it, 1 without effect because the other one of a free and a synced rate is in use, else 0.
    fn parameter_state(&self, target: Target, parameter: &Parameter) -> i64 {
        let Target::Parameter { device, index } = target else { return 0 };
        let idle = || self.device(device).is_some_and(|d| d.is_idle(usize::from(index)));
        if parameter.owned { 2 } else { i64::from(idle()) }
    }

    pub(super) fn write_parameter(&mut self, target: Target, member: &str, value: &Value) -> Result<(), ModelError> {
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
                let raw = parameter.law.raw_of(number).ok_or_else(|| {
                    ModelError::Unable(format!(
                        "nobody has measured how {} shows its values; write value, the raw number from {} to {}",
                        parameter.name, parameter.min, parameter.max
                    ))
                })?;
                raw.clamp(parameter.min, parameter.max)
            }
        };
        let number = if parameter.law.keeps_whole() { number.round() } else { number };
        self.put_parameter(target, number).ok_or(ModelError::NoObject)
    }

    pub(super) fn call_parameter(&mut self, target: Target, function: &str, args: &[Value]) -> Answer<Value> {
        let parameter = self.parameter(target)?;
        let raw = match function {
            "str_for_value" => match args.first().and_then(Value::as_f64).filter(|raw| raw.is_finite()) {
                Some(raw) => raw.clamp(parameter.min, parameter.max),
                None => return Some(Err(ModelError::refused("str_for_value takes a number"))),
            },
            "__str__" => parameter.value,
            // Nothing is ever overridden, so there is nothing to take back.
            "re_enable_automation" | "begin_gesture" | "end_gesture" => return Some(Ok(Value::Nothing)),
            _ => return None,
        };
        Some(Ok(parameter.law.label(raw).into()))
    }
}
