//! The native devices, as data: their parameters in order, with raw ranges, defaults, labels and display curves.

use serde::Deserialize;
use std::collections::HashMap;
use std::sync::LazyLock;

#[derive(Debug, Deserialize)]
pub struct DeviceTable {
    /// Raw value -> dB, falling; `None` is minus infinity.
    pub mixer_volume: Vec<(f64, Option<f64>)>,
    pub clip_gain: Vec<(f64, Option<f64>)>,
    pub ladders: HashMap<String, Vec<String>>,
    /// By the name the user sees, such as `Auto Filter`.
    pub devices: indexmap::IndexMap<String, DeviceClass>,
}

#[derive(Debug, Deserialize)]
pub struct DeviceClass {
    /// Such as `AutoFilter2`.
    pub class_name: String,
    pub category: DeviceCategory,
    pub parameters: Vec<ParameterSpec>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DeviceCategory {
    Instrument,
    AudioEffect,
    MidiEffect,
}

impl DeviceCategory {
    /// The number of `Device.type`.
    pub fn number(self) -> i64 {
        match self {
            DeviceCategory::Instrument => 1,
            DeviceCategory::AudioEffect => 2,
            DeviceCategory::MidiEffect => 4,
        }
    }
}

/// One parameter: `min`, `max` and `default` are raw.
#[derive(Debug, Deserialize)]
pub struct ParameterSpec {
    pub name: String,
    pub original_name: Option<String>,
    pub min: f64,
    pub max: f64,
    /// Where no fresh device was measured there is none; a new device then takes the minimum.
    pub default: Option<f64>,
    pub default_display: Option<String>,
    pub unit: Option<String>,
    /// Labels of a switch or chooser, by raw value.
    pub items: Option<Vec<String>>,
    #[serde(default)]
    pub quantized: bool,
    pub ladder: Option<String>,
    /// Labels of the steps from `min` up.
    pub step_labels: Option<Vec<String>>,
    /// How the labels of `ladder` or `step_labels` are known.
    #[serde(default)]
    pub steps_basis: Basis,
    /// What number a raw value is shown as. Every parameter has this, or labels for its steps.
    pub display: Option<ParameterDisplay>,
    /// Nobody has measured this parameter's raw range; 0..1 is taken. See D10 in `docs/decisions.md`.
    #[serde(default)]
    pub assumed_range: bool,
}

/// The number shown for a raw value: a curve between the numbers at the raw ends. The numbers are left out where the
/// curve does not need them, or where a word stands, such as `-inf dB`.
#[derive(Debug, Deserialize)]
pub struct ParameterDisplay {
    pub min: Option<f64>,
    pub max: Option<f64>,
    pub curve: CurveShape,
    pub exponent: Option<f64>,
    /// At the raw minimum stands `-inf dB`, whatever the curve.
    #[serde(default)]
    pub silent_at_min: bool,
    /// At the raw maximum stands `inf`, whatever the curve.
    #[serde(default)]
    pub infinite_at_max: bool,
    #[serde(default)]
    pub basis: Basis,
}

/// The shapes of curves. `t` is the place in the raw range, 0 to 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CurveShape {
    /// The raw value itself.
    Raw,
    /// `min + (max - min) * t`.
    Linear,
    /// `min * (max / min)^t`.
    Exp,
    /// `min + (max - min) * t^exponent`.
    Power,
    /// `max * sign(s) * |s|^exponent` with `s = 2t - 1`.
    SignedPower,
    /// `10^raw`.
    Log10,
    /// `1 / (1 - raw)`: ratios; `inf` at 1.
    Reciprocal,
    /// Decibels as on a mixer's fader, `max` at the top, silence at 0.
    MixerVolume,
    /// Decibels as of a clip's gain, silence at 0.
    ClipGain,
    /// `max + 20 * exponent * log10(t)` decibels, silence at 0.
    Gain,
    /// Decibels whose amplitude runs straight from that of `min` to that of `max`.
    Amplitude,
    /// `max * raw` decibels above 0, a fader from 0 dB to silence below.
    UtilityGain,
}

/// How a curve, or the labels of steps, are known. See D60 in `docs/decisions.md`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Basis {
    /// Labels prove it.
    #[default]
    Measured,
    /// It passes through every point that is known, one of them between the ends.
    Fitted,
    /// It passes through every point that is known; between them, and at ends that nobody knows, it is what parameters
    /// of its kind have.
    Assumed,
}

impl ParameterSpec {
    /// The raw value of a fresh device.
    pub fn initial(&self) -> f64 {
        self.default.unwrap_or(self.min)
    }

    /// Whether each whole raw number has a label of its own.
    pub fn has_steps(&self) -> bool {
        self.items.is_some() || self.ladder.is_some() || self.step_labels.is_some()
    }

    /// How what is shown is known.
    pub fn basis(&self) -> Basis {
        self.display.as_ref().map_or(self.steps_basis, |display| display.basis)
    }
}

/// The table, read once.
pub fn table() -> &'static DeviceTable {
    static TABLE: LazyLock<DeviceTable> = LazyLock::new(|| {
        // The text is part of the library; a test reads it, so this cannot fail in a release.
        serde_json::from_str(include_str!("data/devices.json")).expect("data/devices.json is well formed")
    });
    &TABLE
}

/// The device that the user knows by `name`.
pub fn by_name(name: &str) -> Option<&'static DeviceClass> {
    table().devices.get(name)
}

/// The name and class of the device that calls itself `class_name`.
pub fn by_class(class_name: &str) -> Option<(&'static str, &'static DeviceClass)> {
    static INDEX: LazyLock<HashMap<&'static str, (&'static str, &'static DeviceClass)>> = LazyLock::new(|| {
        table().devices.iter().map(|(name, class)| (class.class_name.as_str(), (name.as_str(), class))).collect()
    });
    INDEX.get(class_name).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_whole() {
        let table = table();
        assert_eq!(table.devices.len(), 65);
        assert_eq!(table.devices.values().map(|d| d.parameters.len()).sum::<usize>(), 2468);
        for (name, device) in &table.devices {
            assert_eq!(by_class(&device.class_name).map(|(n, _)| n), Some(name.as_str()));
            for p in &device.parameters {
                assert!(p.min <= p.max && (p.min..=p.max).contains(&p.initial()), "{name}: {p:?}");
                assert_ne!(p.has_steps(), p.display.is_some(), "labels or a curve: {name}: {p:?}");
            }
        }
    }
}
