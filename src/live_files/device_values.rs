//! What the numbers of native devices' settings mean: Live writes them in units of its own, the device table has raw
//! values. `data/device_values.json` says of each class which setting is which parameter, and how it is read.

use crate::object_model::native_devices::{self, ParameterSpec};
use crate::object_model::parameter_curves::{raw_of, shown_number};
use serde::Deserialize;
use std::collections::HashMap;
use std::sync::LazyLock;

/// The gain below which there is silence (-70 dB).
const SILENT_GAIN: f64 = 0.000_317;

/// The share of its larger end that a number may lie outside of a parameter's range: ends of fitted curves are rounded.
const BEYOND: f64 = 0.02;

/// A setting whose upper end is shown this many times the parameter's range above it is in another unit: resonances
/// went from 0.3 to 10 before they went from 0 to 1.25.
const FAR_SPANS: f64 = 2.0;

/// Behind the macros of a rack.
const CHAIN_SELECTOR: usize = 17;

/// How the text of a setting becomes a raw value.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SettingUnit {
    /// As the parameter counts; `true` and `false` are 1 and 0.
    Raw,
    /// The amplitude of the decibels that are shown.
    Gain,
    /// The number that is shown, divided by this.
    #[serde(untagged)]
    Shown(f64),
    /// A place in a list that was another one: the raw value that each place has now.
    #[serde(untagged)]
    Listed(Vec<f64>),
}

/// Units that a setting may have in another version of Live.
static OTHER_UNITS: [SettingUnit; 4] =
    [SettingUnit::Shown(1.0), SettingUnit::Shown(100.0), SettingUnit::Shown(1000.0), SettingUnit::Gain];

/// How the values of an automation envelope become raw values.
#[derive(Clone, Copy, Debug)]
pub enum Reading {
    Of(&'static ParameterSpec, &'static SettingUnit),
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
    pub fn raw(&self, spec: &ParameterSpec, text: &str) -> Option<f64> {
        let number = match text {
            "true" => 1.0,
            "false" => 0.0,
            other => other.parse().ok().filter(|number: &f64| number.is_finite())?,
        };
        self.raw_number(spec, number)
    }

    fn raw_number(&self, spec: &ParameterSpec, number: f64) -> Option<f64> {
        let raw = match self {
            SettingUnit::Raw => number,
            SettingUnit::Listed(places) => {
                let at = (0.0..256.0).contains(&number).then_some(number as usize)?;
                *places.get(at)?
            }
            SettingUnit::Gain if number <= SILENT_GAIN => raw_of(spec, f64::NEG_INFINITY)?,
            SettingUnit::Gain => raw_of(spec, 20.0 * number.log10())?,
            SettingUnit::Shown(scale) => {
                let shown = number * scale;
                let is_beyond = |(low, high): (f64, f64)| {
                    let slack = BEYOND * (low.abs().max(high.abs()));
                    slack.is_finite() && !(low - slack..=high + slack).contains(&shown)
                };
                if ends_shown(spec).is_some_and(is_beyond) {
                    return None;
                }
                raw_of(spec, shown)?
            }
        };
        // Live keeps single precision: an end that was rounded is the end.
        let slack = (spec.max - spec.min) * 1e-6;
        (spec.min - slack..=spec.max + slack).contains(&raw).then(|| raw.clamp(spec.min, spec.max))
    }
}

impl SettingUnit {
    /// The number that is shown; `None` where that is no number of this unit's.
    fn shown(&self, number: f64) -> Option<f64> {
        match self {
            SettingUnit::Gain if number < 0.0 => None,
            SettingUnit::Gain => Some(20.0 * number.log10()),
            SettingUnit::Shown(scale) => Some(number * scale),
            SettingUnit::Raw | SettingUnit::Listed(_) => None,
        }
    }
}

type OfClass = HashMap<String, (usize, SettingUnit)>;

/// Of each class, the settings of its layouts: where Live changed a class, an older layout is known by a setting that
/// it alone has, which stands behind the name of the class. The layout of now has none.
type Layouts = HashMap<String, Vec<(Option<String>, OfClass)>>;

/// How the settings of one device are read.
pub struct Readings {
    is_rack: bool,
    layout: Option<&'static OfClass>,
}

impl Readings {
    /// Of a device of a class; `has` says whether it has a setting.
    pub fn of(class_name: &str, has: impl Fn(&str) -> bool) -> Readings {
        static LAYOUTS: LazyLock<Layouts> = LazyLock::new(read_layouts);
        let layouts = LAYOUTS.get(class_name).map_or(&[][..], Vec::as_slice);
        let is_it = |mark: &Option<String>| mark.as_ref().is_some_and(|mark| has(mark));
        let older = layouts.iter().find(|(mark, _)| is_it(mark));
        let layout = older.or_else(|| layouts.iter().find(|(mark, _)| mark.is_none()));
        Readings { is_rack: class_name.ends_with("GroupDevice"), layout: layout.map(|(_, settings)| settings) }
    }

    /// The parameter's position, and how it is read.
    pub fn at(&self, place: &str) -> Option<(usize, &'static SettingUnit)> {
        if place == "On" {
            return Some((0, &SettingUnit::Raw));
        }
        if self.is_rack
            && let Some(index) = place.strip_prefix("MacroControls.").and_then(|index| index.parse::<usize>().ok())
        {
            return (index < 16).then_some((index + 1, &SettingUnit::Raw));
        }
        if self.is_rack && place == "ChainSelector" {
            return Some((CHAIN_SELECTOR, &SettingUnit::Raw));
        }
        let (index, unit) = self.layout?.get(place)?;
        Some((*index, unit))
    }
}

/// The unit that a setting is in, of which the file states the ends. It is the one that is known, but where its ends
/// cannot be in that, and in another one are just the parameter's own. `None` where the setting goes so far beyond the
/// parameter that it is in a unit that is not known.
pub fn unit_between(
    known: &'static SettingUnit,
    spec: &ParameterSpec,
    (low, high): (Option<f64>, Option<f64>),
) -> Option<&'static SettingUnit> {
    let (Some(low), Some(high)) = (low, high) else { return Some(known) };
    let Some(ends) = ends_shown(spec).filter(|_| !matches!(known, SettingUnit::Raw | SettingUnit::Listed(_))) else {
        return Some(known);
    };
    let is_possible = |end: f64| {
        let slack = 1e-3 * end.abs();
        known.shown(end).is_some_and(|shown| shown >= ends.0 - slack && shown <= ends.1 + slack)
    };
    if is_possible(low) && is_possible(high) {
        return Some(known);
    }
    let is_end = |unit: &SettingUnit, stated: f64, own: f64| {
        // Silence, and what has no end, is no number that could be stated.
        let is_near = |shown: f64| (shown - own).abs() <= 1e-3 * own.abs().max(1e-3);
        unit.shown(stated).is_some_and(|shown| own.is_infinite() || is_near(shown))
    };
    let fits = |unit: &&SettingUnit| is_end(unit, low, ends.0) && is_end(unit, high, ends.1);
    let is_told = ends.0.is_finite() || ends.1.is_finite();
    let other = OTHER_UNITS.iter().find(fits).filter(|_| is_told);
    let span = ends.1 - ends.0;
    let is_far = span.is_finite() && known.shown(high).is_some_and(|shown| shown > ends.1 + FAR_SPANS * span);
    other.or((!is_far).then_some(known))
}

/// The numbers shown at both ends of a parameter; infinite where a word is shown.
fn ends_shown(spec: &ParameterSpec) -> Option<(f64, f64)> {
    spec.display.as_ref()?;
    let low = shown_number(spec, spec.min).unwrap_or(f64::NEG_INFINITY);
    Some((low, shown_number(spec, spec.max).unwrap_or(f64::INFINITY)))
}

fn read_layouts() -> Layouts {
    type Written = HashMap<String, HashMap<String, (String, SettingUnit)>>;
    // The text is part of the library; a test reads it, so this cannot fail in a release.
    let written: Written =
        serde_json::from_str(include_str!("data/device_values.json")).expect("data/device_values.json is well formed");
    let mut layouts = Layouts::new();
    for (name, settings) in written {
        let (class, mark) = name.split_once('/').map_or((name.as_str(), None), |(class, mark)| (class, Some(mark)));
        let settings = by_position(class, settings);
        layouts.entry(class.to_owned()).or_default().push((mark.map(str::to_owned), settings));
    }
    layouts
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
        assert!(written.len() >= 51, "{}", written.len());
        for (layout, settings) in written {
            let class = layout.split('/').next().unwrap();
            let (_, device) = native_devices::by_class(class).unwrap_or_else(|| panic!("{class}"));
            let mut taken = std::collections::HashSet::new();
            for (place, (name, unit)) in settings {
                let spec = device.parameters.iter().find(|spec| spec.name == name);
                let spec = spec.unwrap_or_else(|| panic!("{class} has no {name}"));
                assert!(taken.insert(name.clone()), "{class}: {name} twice");
                let has_steps = matches!(unit, SettingUnit::Raw | SettingUnit::Listed(_));
                assert!(has_steps || spec.display.is_some(), "{class} {place}");
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
        let older = SettingUnit::Listed(vec![0.0, 1.0, 3.0]);
        assert_eq!(older.raw(spec("Saturator", "Type"), "2"), Some(3.0));
        assert_eq!(older.raw(spec("Saturator", "Type"), "3"), None);
    }

    #[test]
    fn units_are_told_by_stated_ranges() {
        let unit = |class: &str, name: &str, place: &str, low: f64, high: f64| {
            let (_, device) = native_devices::by_class(class).unwrap();
            let spec = device.parameters.iter().find(|spec| spec.name == name).unwrap();
            let (_, known) = Readings::of(class, |_| false).at(place).unwrap();
            unit_between(known, spec, (Some(low), Some(high))).unwrap()
        };
        // Up to Live 9 in decibels, and an amplitude from then on.
        assert_eq!(*unit("StereoGain", "Output", "Gain", -35.0, 35.0), SettingUnit::Shown(1.0));
        assert_eq!(*unit("StereoGain", "Output", "Gain", 0.0, 56.23), SettingUnit::Gain);
        // Part of the range, as a macro moves it, says nothing of the unit.
        assert_eq!(*unit("StereoGain", "Output", "Gain", 0.5, 2.0), SettingUnit::Gain);
        let resonance = Readings::of("Operator", |_| false).at("Filter/Resonance").unwrap().1;
        let (_, operator) = native_devices::by_class("Operator").unwrap();
        let spec = operator.parameters.iter().find(|spec| spec.name == "Filter Res").unwrap();
        assert_eq!(unit_between(resonance, spec, (Some(0.3), Some(10.0))), None);
        assert_eq!(unit_between(resonance, spec, (Some(0.0), Some(1.25))), Some(resonance));
        assert_eq!(resonance.raw(spec, "1.68"), None);
        // Ends that are nothing known leave the unit that is.
        assert_eq!(*unit("Echo", "Output", "OutputGain", 0.0, 4.0), SettingUnit::Gain);
        assert_eq!(*unit("Delay", "L Time", "DelayLine_TimeL", 0.001, 5.0), SettingUnit::Shown(1000.0));
        assert_eq!(*unit("Delay", "L Time", "DelayLine_TimeL", 1.0, 5000.0), SettingUnit::Shown(1.0));
    }

    #[test]
    fn older_layouts_have_a_mark() {
        let now = Readings::of("StereoGain", |_| false);
        assert!(now.at("Balance").is_some() && now.at("Panorama").is_none());
        let before = Readings::of("StereoGain", |place| place == "StereoSeparation");
        assert_eq!(before.at("Gain").unwrap().1, &SettingUnit::Shown(1.0));
        assert_eq!(before.at("Panorama").unwrap().0, now.at("Balance").unwrap().0);
        assert!(before.at("On").is_some() && Readings::of("Nothing", |_| true).at("Gain").is_none());
    }
}
