//! A parameter of any kind: its raw range and value, and how raw values and what is shown belong together.

use crate::object_model::native_devices::ParameterSpec;
use crate::object_model::{Readout, faders, parameter_curves};
use crate::set::tables::parameter_labels;

/// The raw value of a macro at its upper end; macros are a rack's parameters 1 to 16, raw 0..=127.
pub(in crate::set::model) const MACRO_END: f64 = 127.0;

/// A parameter as it stands: raw range, value, and how it is shown.
pub(in crate::set::model) struct Parameter {
    pub name: String,
    pub original_name: String,
    pub min: f64,
    pub max: f64,
    pub value: f64,
    pub default: Option<f64>,
    pub scale: ParameterScale,
    /// A macro moves it: writes are refused.
    pub owned: bool,
}

/// How raw values and what is shown belong together.
#[derive(Clone, Copy)]
pub(in crate::set::model) enum ParameterScale {
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
        target: MovedScale,
        at_0: f64,
        at_127: f64,
    },
}

/// What a macro moves, as far as it is shown: a parameter of a device, or one of a chain's mixer.
#[derive(Clone, Copy)]
pub(in crate::set::model) enum MovedScale {
    Table(&'static ParameterSpec),
    Volume,
    Send,
    Pan,
    Switch,
}

impl MovedScale {
    pub(in crate::set::model) fn scale(self) -> ParameterScale {
        match self {
            MovedScale::Table(spec) => ParameterScale::Table(spec),
            MovedScale::Volume => ParameterScale::Volume,
            MovedScale::Send => ParameterScale::Send,
            MovedScale::Pan => ParameterScale::Pan,
            MovedScale::Switch => ParameterScale::Switch,
        }
    }

    /// Where a macro puts it: inside its range, and on a step where it has steps.
    pub(in crate::set::model) fn within(self, raw: f64) -> f64 {
        let (min, max) = match self {
            MovedScale::Table(spec) => (spec.min, spec.max),
            MovedScale::Pan => (-1.0, 1.0),
            MovedScale::Volume | MovedScale::Send | MovedScale::Switch => (0.0, 1.0),
        };
        let raw = raw.clamp(min, max);
        if self.scale().quantized() { raw.round() } else { raw }
    }

    fn has_steps(self) -> bool {
        match self {
            MovedScale::Table(spec) => spec.has_steps(),
            MovedScale::Switch => true,
            MovedScale::Volume | MovedScale::Send | MovedScale::Pan => false,
        }
    }

    fn unit(self) -> Option<&'static str> {
        match self {
            MovedScale::Table(spec) => spec.unit.as_deref(),
            MovedScale::Volume | MovedScale::Send => Some("dB"),
            MovedScale::Pan => Some("pan"),
            MovedScale::Switch => None,
        }
    }
}

const SWITCH: [&str; 2] = ["Off", "On"];

impl ParameterScale {
    pub(in crate::set::model) fn items(self) -> Option<Vec<String>> {
        match self {
            ParameterScale::Table(spec) => spec.items.clone().filter(|_| spec.quantized),
            ParameterScale::Switch => Some(SWITCH.map(str::to_owned).to_vec()),
            _ => None,
        }
    }

    pub(in crate::set::model) fn quantized(self) -> bool {
        match self {
            ParameterScale::Table(spec) => spec.quantized,
            scale => matches!(scale, ParameterScale::Switch),
        }
    }

    /// Only whole raw numbers are kept.
    pub(in crate::set::model) fn keeps_whole(self) -> bool {
        self.quantized() || matches!(self, ParameterScale::Table(spec) if parameter_curves::counts_whole(spec))
    }

    pub(in crate::set::model) fn label(self, raw: f64) -> String {
        match self {
            ParameterScale::Table(spec) => parameter_labels::label(spec, raw),
            ParameterScale::Volume => faders::db_text(faders::volume_db(raw)),
            ParameterScale::Send => faders::db_text(faders::send_db(raw)),
            ParameterScale::Pan => faders::pan_text(raw),
            ParameterScale::Tempo => format!("{raw:.2} BPM"),
            ParameterScale::Switch => SWITCH.get(usize::from(raw >= 0.5)).copied().unwrap_or_default().to_owned(),
            ParameterScale::Macro { target, at_0, at_127 } => target.scale().label(moved_to(at_0, at_127, raw)),
        }
    }

    /// The shown number; of steps the raw one.
    pub(in crate::set::model) fn shown(self, raw: f64) -> f64 {
        match self {
            ParameterScale::Table(spec) => parameter_curves::number_or_end(spec, raw).unwrap_or(raw),
            ParameterScale::Volume => faders::shown_db(faders::volume_db(raw)),
            ParameterScale::Send => faders::shown_db(faders::send_db(raw)),
            ParameterScale::Pan => raw * 50.0,
            ParameterScale::Tempo | ParameterScale::Switch => raw,
            ParameterScale::Macro { target, at_0, at_127 } => target.scale().shown(moved_to(at_0, at_127, raw)),
        }
    }

    /// The raw value of a shown number; `None` of a macro that moves nothing.
    pub(in crate::set::model) fn raw_of(self, number: f64) -> Option<f64> {
        match self {
            ParameterScale::Table(spec) if spec.has_steps() => Some(number.round()),
            ParameterScale::Table(spec) => parameter_curves::raw_of(spec, number),
            ParameterScale::Volume => Some(faders::volume_raw(number)),
            ParameterScale::Send => Some(faders::send_raw(number)),
            ParameterScale::Pan => Some(number / 50.0),
            ParameterScale::Tempo => Some(number),
            ParameterScale::Switch => Some(number.round()),
            ParameterScale::Macro { target, at_0, at_127 } => {
                let raw = target.scale().raw_of(number)?;
                Some(MACRO_END * (raw - at_0) / (at_127 - at_0)).filter(|raw| raw.is_finite())
            }
        }
    }
}

impl ParameterScale {
    pub(in crate::set::model) fn readout(self, min: f64, max: f64) -> Readout {
        let number = |unit| {
            // Silence is a word.
            let ends = |raw: f64| match self {
                ParameterScale::Volume => faders::volume_db(raw),
                ParameterScale::Send => faders::send_db(raw),
                ParameterScale::Table(spec) => parameter_curves::shown_number(spec, raw),
                scale => Some(scale.shown(raw)),
            };
            Readout::Number { unit, at_min: ends(min), at_max: ends(max) }
        };
        let steps = |from: f64, to: f64| {
            let (from, to) = (from.round() as i64, to.round() as i64);
            Readout::Steps((from..=to).map(|step| self.label(step as f64)).collect())
        };
        match self {
            ParameterScale::Table(spec) if spec.has_steps() => steps(spec.min, spec.max),
            ParameterScale::Table(spec) => number(spec.unit.as_deref()),
            ParameterScale::Volume | ParameterScale::Send => number(Some("dB")),
            ParameterScale::Pan => number(Some("pan")),
            ParameterScale::Tempo => number(None),
            ParameterScale::Switch => steps(0.0, 1.0),
            // Of what has steps, a macro shows the place of the step.
            ParameterScale::Macro { target, .. } if target.has_steps() => number(None),
            ParameterScale::Macro { target, .. } => number(target.unit()),
        }
    }
}

/// Where a macro at `raw` puts what it moves.
fn moved_to(at_0: f64, at_127: f64, raw: f64) -> f64 {
    at_0 + (at_127 - at_0) * raw / MACRO_END
}
