//! What the numbers of native devices' settings mean: Live writes them in units of its own, the device table has raw
//! values. `data/device_values.json` says of each class which setting is which parameter, and how it is read.

use crate::object_model::native_devices::{self, ParameterSpec};
use crate::object_model::parameter_curves::raw_of;
use serde::Deserialize;
use std::collections::HashMap;
use std::sync::LazyLock;

/// The gain below which there is silence (-70 dB).
const SILENT_GAIN: f64 = 0.000_317;

/// Behind the macros of a rack.
const CHAIN_SELECTOR: usize = 17;

/// How the text of a setting becomes a raw value.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SettingUnit {
    /// As the parameter counts; `true` and `false` are 1 and 0.
    Raw,
    /// The amplitude of the decibels that are shown.
    Gain,
    /// The number that is shown, divided by this.
    #[serde(untagged)]
    Shown(f64),
}

/// How the values of an automation envelope become raw values.
#[derive(Clone, Copy, Debug)]
pub enum Reading {
    Of(&'static ParameterSpec, SettingUnit),
    /// By a function of their own, as faders have.
    By(fn(f64) -> f64),
}

impl Reading {
    pub fn raw(self, value: f64) -> Option<f64> {
        match self {
            Reading::Of(spec, unit) => unit.raw_number(spec, value),
            Reading::By(raw) => Some(raw(value)),
        }
    }
}

impl SettingUnit {
    /// The raw value; `None` for a text that is no value of the parameter.
    pub fn raw(self, spec: &ParameterSpec, text: &str) -> Option<f64> {
        let number = match text {
            "true" => 1.0,
            "false" => 0.0,
            other => other.parse().ok().filter(|number: &f64| number.is_finite())?,
        };
        self.raw_number(spec, number)
    }

    fn raw_number(self, spec: &ParameterSpec, number: f64) -> Option<f64> {
        let raw = match self {
            SettingUnit::Raw => number,
            SettingUnit::Gain if number <= SILENT_GAIN => raw_of(spec, f64::NEG_INFINITY)?,
            SettingUnit::Gain => raw_of(spec, 20.0 * number.log10())?,
            SettingUnit::Shown(scale) => raw_of(spec, number * scale)?,
        };
        // Live keeps single precision: an end that was rounded is the end.
        let slack = (spec.max - spec.min) * 1e-6;
        (spec.min - slack..=spec.max + slack).contains(&raw).then(|| raw.clamp(spec.min, spec.max))
    }
}

type OfClass = HashMap<String, (usize, SettingUnit)>;

/// The parameter's position, and how it is read.
pub fn reading_of(class_name: &str, place: &str) -> Option<(usize, SettingUnit)> {
    static READINGS: LazyLock<HashMap<String, OfClass>> = LazyLock::new(|| {
        type Written = HashMap<String, HashMap<String, (String, SettingUnit)>>;
        // The text is part of the library; a test reads it, so this cannot fail in a release.
        let written: Written = serde_json::from_str(include_str!("data/device_values.json"))
            .expect("data/device_values.json is well formed");
        written.into_iter().map(|(class, settings)| (class.clone(), by_position(&class, settings))).collect()
    });
    if place == "On" {
        return Some((0, SettingUnit::Raw));
    }
    if class_name.ends_with("GroupDevice")
        && let Some(index) = place.strip_prefix("MacroControls.").and_then(|index| index.parse::<usize>().ok())
    {
        return (index < 16).then_some((index + 1, SettingUnit::Raw));
    }
    if class_name.ends_with("GroupDevice") && place == "ChainSelector" {
        return Some((CHAIN_SELECTOR, SettingUnit::Raw));
    }
    READINGS.get(class_name)?.get(place).copied()
}

fn by_position(class: &str, settings: HashMap<String, (String, SettingUnit)>) -> OfClass {
    let specs = native_devices::by_class(class).map_or(&[][..], |(_, class)| class.parameters.as_slice());
    let placed = settings.into_iter().filter_map(|(place, (name, unit))| {
        let index = specs.iter().position(|spec| spec.name == name)?;
        Some((place, (index, unit)))
    });
    placed.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_names_parameters_that_there_are() {
        let written: HashMap<String, HashMap<String, (String, SettingUnit)>> =
            serde_json::from_str(include_str!("data/device_values.json")).unwrap();
        assert!(written.len() >= 15, "{}", written.len());
        for (class, settings) in written {
            let (_, device) = native_devices::by_class(&class).unwrap_or_else(|| panic!("{class}"));
            let mut taken = std::collections::HashSet::new();
            for (place, (name, unit)) in settings {
                let spec = device.parameters.iter().find(|spec| spec.name == name);
                let spec = spec.unwrap_or_else(|| panic!("{class} has no {name}"));
                assert!(taken.insert(name.clone()), "{class}: {name} twice");
                assert_eq!(
                    unit == SettingUnit::Raw,
                    spec.display.is_none() || unit == SettingUnit::Raw,
                    "{class} {place}"
                );
            }
        }
    }

    #[test]
    fn units_become_raw_values() {
        let spec = |class: &str, name: &str| {
            let (_, device) = native_devices::by_class(class).unwrap();
            device.parameters.iter().find(|spec| spec.name == name).unwrap()
        };
        for (class, name, unit, text, raw) in [
            ("Compressor2", "Threshold", SettingUnit::Gain, "1", 0.85),
            ("FilterEQ3", "GainLo", SettingUnit::Gain, "0.0003162277571", 0.0),
            ("Echo", "Feedback", SettingUnit::Shown(100.0), "0.75", 0.5),
            ("Echo", "Link", SettingUnit::Raw, "true", 1.0),
            ("FilterEQ3", "FreqLo", SettingUnit::Shown(1.0), "500", 0.5),
        ] {
            let got = unit.raw(spec(class, name), text).unwrap();
            assert!((got - raw).abs() < 1e-4, "{class} {name}: {got}");
        }
        assert_eq!(SettingUnit::Raw.raw(spec("Echo", "Link"), "2"), None);
        assert_eq!(SettingUnit::Raw.raw(spec("Echo", "Link"), "NaN"), None);
    }
}
