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
    pub display: Option<ParameterDisplay>,
    /// Nobody has measured this parameter's raw range; 0..1 is taken. See D10 in `docs/decisions.md`.
    #[serde(default)]
    pub assumed_range: bool,
}

/// The number shown for a raw value.
#[derive(Debug, Deserialize)]
pub struct ParameterDisplay {
    pub min: Option<f64>,
    pub max: Option<f64>,
    pub curve: Option<String>,
    pub exponent: Option<f64>,
    #[serde(default)]
    pub checked: bool,
}

impl ParameterSpec {
    /// The raw value of a fresh device.
    pub fn initial(&self) -> f64 {
        self.default.unwrap_or(self.min)
    }

    /// Whether the ends given as shown are fractions, -1..=1, of a percentage or of decibels. Nothing is shown so: they
    /// are raw numbers, and a default of 0 does not tell them from a curve. Such a parameter's curve is not known.
    fn shows_a_fraction(&self) -> bool {
        let ends = self.display.as_ref().and_then(|display| display.min.zip(display.max));
        let counted = matches!(self.unit.as_deref(), Some("%" | "dB"));
        counted && ends.is_some_and(|(low, high)| low.abs().max(high.abs()) <= 1.0)
    }
}

/// The table, read once.
pub fn table() -> &'static DeviceTable {
    static TABLE: LazyLock<DeviceTable> = LazyLock::new(|| {
        // The text is part of the library; a test reads it, so this cannot fail in a release.
        let mut table: DeviceTable =
            serde_json::from_str(include_str!("data/devices.json")).expect("data/devices.json is well formed");
        for spec in table.devices.values_mut().flat_map(|class| &mut class.parameters) {
            if spec.shows_a_fraction() {
                spec.display = None;
            }
        }
        table
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
            }
        }
    }
}
