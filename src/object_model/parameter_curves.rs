//! What number a raw parameter value is shown as, and which raw value a shown number stands for: one curve for labels,
//! for what is written, and for whoever has to know what a value means. How the number is written is each host's own.
//! See D60 in `docs/decisions.md`.

use super::faders::{SILENCE_DB, clip_gain_db, clip_gain_raw, send_db, send_raw, volume_db, volume_raw};
use super::native_devices::{CurveShape, ParameterDisplay, ParameterSpec};

/// The number that stands for `inf` where only numbers go.
pub const ENDLESS: f64 = 1e6;

/// The highest decibels of the fader that curves of its kind are moved from.
const FADER_MAX_DB: f64 = 6.0;

/// Whether the raw value is a MIDI pitch, shown by its name.
pub fn is_pitch(spec: &ParameterSpec) -> bool {
    spec.unit.as_deref() == Some("note")
}

/// Whether only whole numbers are shown and kept, though nobody declares steps: pitches, and semitones, scale degrees,
/// octaves and sixteenths whose label has no decimals.
pub fn counts_whole(spec: &ParameterSpec) -> bool {
    let Some(display) = &spec.display else { return false };
    let unit = match spec.unit.as_deref() {
        Some("note") => return true,
        Some(unit) => matches!(unit, "st" | "sd" | "oct"),
        None => ["Octave", " Oct", " 16th"].iter().any(|end| spec.name.ends_with(end)),
    };
    let ends_whole = [spec.min, spec.max].iter().all(|end| end.fract() == 0.0);
    let label_whole = spec.default_display.as_deref().is_some_and(|label| !label.contains('.'));
    let one_for_one = match display.curve {
        CurveShape::Raw => true,
        CurveShape::Linear => display.min.zip(display.max).is_some_and(|(lo, hi)| hi - lo == spec.max - spec.min),
        _ => false,
    };
    unit && ends_whole && label_whole && one_for_one
}

/// The word that stands for a raw value instead of a number: `-inf` or `inf`.
pub fn word_at(spec: &ParameterSpec, raw: f64) -> Option<&'static str> {
    let display = spec.display.as_ref()?;
    let silent = match display.curve {
        CurveShape::MixerVolume | CurveShape::ClipGain | CurveShape::Gain | CurveShape::UtilityGain => raw <= spec.min,
        _ => display.silent_at_min && raw <= spec.min,
    };
    let infinite = match display.curve {
        CurveShape::Reciprocal => raw >= 1.0,
        _ => display.infinite_at_max && raw >= spec.max,
    };
    silent.then_some("-inf").or(infinite.then_some("inf"))
}

/// The number a raw value is shown as; `None` where a [word](word_at) stands, and of steps, which have labels.
pub fn shown_number(spec: &ParameterSpec, raw: f64) -> Option<f64> {
    if word_at(spec, raw).is_some() {
        return None;
    }
    let display = spec.display.as_ref()?;
    let t = place(spec, raw);
    let ends = || display.min.zip(display.max);
    Some(match display.curve {
        CurveShape::Raw => raw,
        CurveShape::Linear => ends().map(|(lo, hi)| lo + (hi - lo) * t)?,
        CurveShape::Exp => ends().filter(|(lo, hi)| *lo > 0.0 && *hi > 0.0).map(|(lo, hi)| lo * (hi / lo).powf(t))?,
        CurveShape::Power => ends().zip(display.exponent).map(|((lo, hi), e)| lo + (hi - lo) * t.powf(e))?,
        CurveShape::SignedPower => {
            let s = 2.0 * t - 1.0;
            display.max? * s.signum() * s.abs().powf(display.exponent?)
        }
        CurveShape::Log10 => 10f64.powf(raw),
        CurveShape::Reciprocal => 1.0 / (1.0 - raw),
        CurveShape::MixerVolume => volume_db(raw)? + fader_offset_db(display),
        CurveShape::ClipGain => clip_gain_db(raw)?,
        CurveShape::Gain => display.max? + 20.0 * display.exponent? * t.log10(),
        CurveShape::Amplitude => ends().map(|(lo, hi)| db_of(amplitude(lo) + (amplitude(hi) - amplitude(lo)) * t))?,
        CurveShape::UtilityGain if raw >= 0.0 => display.max? * raw,
        CurveShape::UtilityGain => send_db(1.0 + raw)?,
    })
}

/// [`shown_number`] as a member that is always a number has it: silence as -70 dB, no end as [`ENDLESS`].
pub fn number_or_end(spec: &ParameterSpec, raw: f64) -> Option<f64> {
    match word_at(spec, raw) {
        Some("inf") => Some(ENDLESS),
        Some(_) => Some(SILENCE_DB),
        None if word_at(spec, spec.min) == Some("-inf") => shown_number(spec, raw).map(|db| db.max(SILENCE_DB)),
        None => shown_number(spec, raw),
    }
}

/// The raw value that is shown as `number`, brought into the parameter's range: the other way round of
/// [`number_or_end`]. `None` for steps.
pub fn raw_of(spec: &ParameterSpec, number: f64) -> Option<f64> {
    let display = spec.display.as_ref()?;
    if word_at(spec, spec.min) == Some("-inf") && number <= SILENCE_DB {
        return Some(spec.min);
    }
    if word_at(spec, spec.max) == Some("inf") && number >= ENDLESS {
        return Some(spec.max);
    }
    let ends = || Some((display.min?, display.max?)).filter(|(lo, hi)| lo != hi);
    let at = |t: f64| spec.min + (spec.max - spec.min) * t.clamp(0.0, 1.0);
    let raw = match display.curve {
        CurveShape::Raw => number,
        CurveShape::Linear => ends().map(|(lo, hi)| at((number - lo) / (hi - lo)))?,
        CurveShape::Exp => {
            let (lo, hi) = ends().filter(|(lo, hi)| *lo > 0.0 && *hi > 0.0)?;
            // A number that no power reaches is the lower end.
            if number <= 0.0 { spec.min } else { at((number / lo).ln() / (hi / lo).ln()) }
        }
        CurveShape::Power => {
            let ((lo, hi), e) = ends().zip(display.exponent)?;
            at(((number - lo) / (hi - lo)).max(0.0).powf(1.0 / e))
        }
        CurveShape::SignedPower => {
            let (max, e) = display.max.zip(display.exponent)?;
            let s = number / max;
            at((s.signum() * s.abs().powf(1.0 / e) + 1.0) / 2.0)
        }
        CurveShape::Log10 | CurveShape::Reciprocal if number <= 0.0 => spec.min,
        CurveShape::Log10 => number.log10(),
        CurveShape::Reciprocal => 1.0 - 1.0 / number,
        CurveShape::MixerVolume => volume_raw(number - fader_offset_db(display)),
        CurveShape::ClipGain => clip_gain_raw(number),
        CurveShape::Gain => at(10f64.powf((number - display.max?) / (20.0 * display.exponent?))),
        CurveShape::Amplitude => {
            let (lo, hi) = ends().map(|(lo, hi)| (amplitude(lo), amplitude(hi)))?;
            at((amplitude(number) - lo) / (hi - lo))
        }
        CurveShape::UtilityGain if number >= 0.0 => number / display.max?,
        CurveShape::UtilityGain => send_raw(number) - 1.0,
    };
    Some(raw.clamp(spec.min, spec.max)).filter(|raw| raw.is_finite())
}

/// Where in its range a raw value stands, 0 to 1.
fn place(spec: &ParameterSpec, raw: f64) -> f64 {
    if spec.max > spec.min { (raw - spec.min) / (spec.max - spec.min) } else { 0.0 }
}

/// How far a parameter's fader is moved from a mixer's.
fn fader_offset_db(display: &ParameterDisplay) -> f64 {
    display.max.unwrap_or(FADER_MAX_DB) - FADER_MAX_DB
}

fn amplitude(db: f64) -> f64 {
    10f64.powf(db / 20.0)
}

fn db_of(amplitude: f64) -> f64 {
    20.0 * amplitude.log10()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::object_model::native_devices::{Basis, by_name, table};
    use proptest::prelude::*;

    fn spec_of(device: &str, name: &str) -> &'static ParameterSpec {
        let spec = by_name(device).and_then(|class| class.parameters.iter().find(|p| p.name == name));
        spec.unwrap_or_else(|| panic!("{device} has {name}"))
    }

    #[test]
    fn semitones_and_their_like_are_whole() {
        for (device, name, expected) in [
            ("Pitch", "Pitch", true),
            ("Pitch", "Pitch Scale Degrees", true),
            ("Analog", "OSC1 Octave", true),
            ("Operator", "PB Range", true),
            ("Shifter", "Pitch Coarse", true),
            ("Resonators", "V Pitch Scale Degrees", true),
            ("Resonators", "I Note", true),
            ("Electric", "Semitone", true),
            ("Spectral Time", "Delay 16th", true),
            // Their labels have decimals, or a step is not one.
            ("Grain Delay", "Pitch", false),
            ("Auto Shift", "LFO > Pitch", false),
            ("Hybrid Reverb", "Sh Pitch Shift", false),
            ("Corpus", "Fine", false),
            ("Drum Sampler", "Transpose", false),
        ] {
            assert_eq!(counts_whole(spec_of(device, name)), expected, "{device} {name}");
        }
    }

    /// What is known of a few parameters by their names in the manual, and what was left out before: a raw fraction.
    #[test]
    fn well_known_parameters_mean_what_they_show() {
        for (device, name, raw, number) in [
            ("Compressor", "Ratio", 0.0, 1.0),
            ("Compressor", "Ratio", 0.5, 2.0),
            ("Compressor", "Ratio", 0.75, 4.0),
            ("Saturator", "Drive", 0.5, 0.0),
            ("Saturator", "Drive", 1.0, 36.0),
            ("Saturator", "Dry/Wet", 0.5, 50.0),
            ("Operator", "Fe Decay", 0.0, 1.0),
            ("Operator", "Fe Decay", 1.0, 60_000.0),
            ("Auto Filter", "Frequency", 1.0, 20_000.0),
            ("Utility", "Output", 1.0, 35.0),
            ("Multiband Dynamics", "Below Ratio (Low)", -3.0, 0.25),
            ("Delay", "L Offset", 1.0, 33.0),
        ] {
            let spec = spec_of(device, name);
            let shown = shown_number(spec, raw).unwrap_or(f64::NAN);
            assert!((shown - number).abs() < 1e-9 * number.abs().max(1.0), "{device} {name} {raw}: {shown}");
            let back = raw_of(spec, number).unwrap_or(f64::NAN);
            assert!((back - raw).abs() < 1e-9, "{device} {name} {number}: {back}");
        }
        for (device, name, raw, word) in [
            ("Compressor", "Ratio", 1.0, "inf"),
            ("Multiband Dynamics", "Above Ratio (Mid)", 1.0, "inf"),
            ("Analog", "FEG1 S Time", 1.0, "inf"),
            ("Operator", "Ae Init", 0.0, "-inf"),
            ("Utility", "Output", -1.0, "-inf"),
            ("Vocoder", "Gate Threshold", -60.0, "-inf"),
        ] {
            let spec = spec_of(device, name);
            assert_eq!((word_at(spec, raw), shown_number(spec, raw)), (Some(word), None), "{device} {name}");
            let number = number_or_end(spec, raw).unwrap_or(f64::NAN);
            assert_eq!(raw_of(spec, number), Some(raw), "{device} {name} {number}");
        }
    }

    /// Twins show their values alike: the same curve for what differs in the side, the oscillator or the band alone.
    #[test]
    fn twins_have_one_scale() {
        let twin_words = ["L", "R", "A", "B", "C", "D", "1", "2", "3", "4", "5", "6", "7", "8"];
        let mut twins = 0;
        for (name, class) in &table().devices {
            let mut seen: Vec<(String, &ParameterSpec)> = Vec::new();
            for spec in class.parameters.iter().filter(|spec| spec.display.is_some()) {
                let words: Vec<&str> =
                    spec.name.split(' ').map(|word| if twin_words.contains(&word) { "#" } else { word }).collect();
                let stem = words.join(" ");
                let scale = |spec: &ParameterSpec| {
                    let display = spec.display.as_ref();
                    display.map(|d| (d.curve, d.min, d.max, d.exponent, spec.unit.clone(), spec.min, spec.max))
                };
                match seen.iter().find(|(other, _)| *other == stem) {
                    None => seen.push((stem, spec)),
                    // Two of one name are two of different sections.
                    Some((_, twin)) if twin.name == spec.name => {}
                    Some((_, twin))
                        if [twin, spec].iter().any(|p| UNEQUAL.contains(&(name.as_str(), p.name.as_str()))) => {}
                    Some((_, twin)) => {
                        assert_eq!(scale(twin), scale(spec), "{name}: {} and {}", twin.name, spec.name);
                        twins += 1;
                    }
                }
            }
        }
        assert!(twins > 300, "{twins}");
    }

    /// Measured to be of different ranges or meanings.
    const UNEQUAL: [(&str, &str); 5] = [
        ("Drift", "Osc 2 Oct"),
        ("Meld", "A LFO 1 Rate"),
        ("Meld", "B LFO 1 Rate"),
        ("Wavetable", "Osc 1 Effect 1"),
        ("Wavetable", "Osc 2 Effect 1"),
    ];

    /// `50 %` of what is a raw fraction would be taken for its end.
    #[test]
    fn no_percentage_and_no_decibels_run_from_a_fraction_to_a_fraction() {
        for (name, device) in &table().devices {
            let counted = |spec: &&ParameterSpec| matches!(spec.unit.as_deref(), Some("%" | "dB"));
            for p in device.parameters.iter().filter(counted).filter(|p| p.display.is_some()) {
                let ends = [p.min, p.max].map(|raw| number_or_end(p, raw).unwrap_or_default().abs());
                assert!(ends.into_iter().any(|end| end > 1.0), "{name}: {p:?}");
            }
        }
    }

    #[test]
    fn every_parameter_has_a_curve_that_rises_or_falls_and_a_basis() {
        let mut count = [0; 3];
        for (name, class) in &table().devices {
            for spec in &class.parameters {
                count[spec.basis() as usize] += 1;
                if spec.display.is_none() || spec.min == spec.max {
                    continue;
                }
                let at = |t: f64| number_or_end(spec, spec.min + (spec.max - spec.min) * t);
                let numbers: Vec<f64> = (0..=64).filter_map(|i| at(f64::from(i) / 64.0)).collect();
                assert_eq!(numbers.len(), 65, "{name} {}", spec.name);
                let rises = numbers.is_sorted_by(|a, b| a <= b) || numbers.is_sorted_by(|a, b| a >= b);
                assert!(rises && numbers.iter().all(|n| n.is_finite()), "{name} {}: {numbers:?}", spec.name);
            }
        }
        assert_eq!(count, [1426, 286, 756], "measured, fitted, assumed");
        assert_eq!(spec_of("Compressor", "Ratio").basis(), Basis::Measured);
    }

    proptest! {
        /// Every parameter, at any place of its range: what is shown leads back to what is shown.
        #[test]
        fn what_is_shown_can_be_written(t in 0.0f64..=1.0) {
            let mut looked_at = 0;
            for (device, class) in &table().devices {
                for spec in class.parameters.iter().filter(|spec| spec.display.is_some()) {
                    let raw = spec.min + (spec.max - spec.min) * t;
                    let Some(number) = shown_number(spec, raw).filter(|n| *n > SILENCE_DB || spec.unit.as_deref() != Some("dB"))
                    else { continue };
                    let back = raw_of(spec, number).and_then(|raw| shown_number(spec, raw));
                    let near = back.is_some_and(|back| (back - number).abs() <= 1e-9 * number.abs().max(1.0));
                    prop_assert!(near, "{device} {}: {raw} shows {number}, which writes as {back:?}", spec.name);
                    looked_at += 1;
                }
            }
            prop_assert!(looked_at > 1500, "{looked_at}");
        }

        /// Any number at all lands in the range.
        #[test]
        fn a_written_number_is_brought_into_the_range(number in -1e7f64..1e7) {
            for class in table().devices.values() {
                for spec in class.parameters.iter().filter(|spec| spec.display.is_some()) {
                    let raw = raw_of(spec, number).unwrap_or(f64::NAN);
                    prop_assert!((spec.min..=spec.max).contains(&raw), "{} {number}: {raw}", spec.name);
                }
            }
        }
    }
}
