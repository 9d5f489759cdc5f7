//! What number a raw parameter value is shown as, and which raw value a shown number stands for. How the number is
//! written is in `parameter_labels`. See D9 in `docs/decisions.md`.

use crate::music::pitch;
use crate::object_model::faders::{clip_gain_db, clip_gain_raw, volume_db, volume_raw};
use crate::object_model::native_devices::{ParameterDisplay, ParameterSpec};

/// The name of a parameter's curve. Where none was measured, three known points on a straight line are one: of a pan
/// the two ends and the centre, elsewhere the two ends and the default, when each is shown as its raw value.
fn curve(spec: &ParameterSpec) -> Option<&str> {
    let display = spec.display.as_ref()?;
    if let Some(curve) = &display.curve {
        return Some(curve);
    }
    if spec.unit.as_deref() == Some("pan") {
        return Some("linear");
    }
    let label = spec.default_display.as_deref()?.trim_start();
    let end = label.find(|c: char| !matches!(c, '0'..='9' | '+' | '-' | '.')).unwrap_or(label.len());
    let shown: f64 = label.get(..end)?.parse().ok()?;
    let inside = spec.default? > spec.min && spec.default? < spec.max;
    let points = [(spec.min, display.min?), (spec.max, display.max?), (spec.default?, shown)];
    (inside && points.iter().all(|(raw, shown)| (raw - shown).abs() < 0.006)).then_some("raw")
}

/// Whether the raw value is a MIDI pitch, shown by its name: it is one where the default is shown so.
pub fn is_pitch(spec: &ParameterSpec) -> bool {
    let named = spec.default_display.as_deref().and_then(|label| pitch::parse(label).ok());
    named.is_some_and(|pitch| spec.default == Some(f64::from(pitch))) && spec.items.is_none()
}

/// Whether only whole numbers are shown and kept, though nobody declares steps: semitones, scale degrees, octaves and
/// sixteenths whose label has no decimals.
pub fn counts_whole(spec: &ParameterSpec) -> bool {
    let unit = match spec.unit.as_deref() {
        Some(unit) => matches!(unit, "st" | "sd" | "oct"),
        None => ["Octave", " Oct", " 16th"].iter().any(|end| spec.name.ends_with(end)),
    };
    let ends_whole = [spec.min, spec.max].iter().all(|end| end.fract() == 0.0);
    let label_whole = spec.default_display.as_deref().is_some_and(|label| !label.contains('.'));
    unit && ends_whole && label_whole && spec.items.is_none() && (spec.display.is_none() || curve(spec) == Some("raw"))
}

/// Whether [`shown`] and [`raw_of`] know the parameter's curve.
pub fn curve_is_known(spec: &ParameterSpec) -> bool {
    shown_number(spec, spec.max).is_some()
}

/// The number a raw value is shown as, where the curve is known; `None` also for silence.
pub fn shown_number(spec: &ParameterSpec, raw: f64) -> Option<f64> {
    let display = spec.display.as_ref()?;
    let t = if spec.max > spec.min { (raw - spec.min) / (spec.max - spec.min) } else { 0.0 };
    let ends = || display.min.zip(display.max);
    Some(match curve(spec)? {
        "raw" => raw,
        "linear" => ends().map(|(lo, hi)| lo + (hi - lo) * t)?,
        "exp" => ends().filter(|(lo, hi)| *lo > 0.0 && *hi > 0.0).map(|(lo, hi)| lo * (hi / lo).powf(t))?,
        "power" => ends().zip(display.exponent).map(|((lo, hi), e)| lo + (hi - lo) * t.powf(e))?,
        "signed_power" => signed_power(display, t)?,
        "log10" => 10f64.powf(raw),
        "mixer_volume" => volume_db(raw)?,
        "clip_gain" => clip_gain_db(raw)?,
        _ => return None,
    })
}

fn signed_power(display: &ParameterDisplay, t: f64) -> Option<f64> {
    let s = 2.0 * t - 1.0;
    Some(display.max? * s.signum() * s.abs().powf(display.exponent?))
}

/// The raw value that is shown as `number`, brought into the parameter's range: the other way round of [`shown`].
/// `None` where the curve is not known.
pub fn raw_of(spec: &ParameterSpec, number: f64) -> Option<f64> {
    let display = spec.display.as_ref()?;
    let ends = || Some((display.min?, display.max?)).filter(|(lo, hi)| lo != hi);
    let at = |t: f64| spec.min + (spec.max - spec.min) * t.clamp(0.0, 1.0);
    let raw = match curve(spec)? {
        "raw" => number,
        "linear" => ends().map(|(lo, hi)| at((number - lo) / (hi - lo)))?,
        "exp" => {
            let (lo, hi) = ends().filter(|(lo, hi)| *lo > 0.0 && *hi > 0.0)?;
            // A number that no power reaches is the lower end.
            if number <= 0.0 { spec.min } else { at((number / lo).ln() / (hi / lo).ln()) }
        }
        "power" => {
            let ((lo, hi), e) = ends().zip(display.exponent)?;
            at(((number - lo) / (hi - lo)).max(0.0).powf(1.0 / e))
        }
        "signed_power" => {
            let (max, e) = display.max.zip(display.exponent)?;
            let s = number / max;
            at((s.signum() * s.abs().powf(1.0 / e) + 1.0) / 2.0)
        }
        "log10" if number <= 0.0 => spec.min,
        "log10" => number.log10(),
        "mixer_volume" => volume_raw(number),
        "clip_gain" => clip_gain_raw(number),
        _ => return None,
    };
    Some(raw.clamp(spec.min, spec.max)).filter(|raw| raw.is_finite())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::object_model::faders::SILENCE_DB;
    use crate::object_model::native_devices::{by_name, table};
    use proptest::prelude::*;

    #[test]
    fn semitones_and_their_like_are_whole() {
        let whole = |device: &str, name: &str| {
            let spec = table().devices.get(device).and_then(|class| class.parameters.iter().find(|p| p.name == name));
            counts_whole(spec.unwrap_or_else(|| panic!("{device} has {name}")))
        };
        for (device, name, expected) in [
            ("Pitch", "Pitch", true),
            ("Pitch", "Pitch Scale Degrees", true),
            ("Analog", "OSC1 Octave", true),
            ("Operator", "PB Range", true),
            ("Shifter", "Pitch Coarse", true),
            ("Resonators", "V Pitch Scale Degrees", true),
            ("Spectral Time", "Delay 16th", true),
            // Their labels have decimals, or nobody knows how they are shown.
            ("Grain Delay", "Pitch", false),
            ("Auto Shift", "LFO > Pitch", false),
            ("Hybrid Reverb", "Sh Pitch Shift", false),
            ("Electric", "Semitone", false),
            ("Corpus", "Fine", false),
        ] {
            assert_eq!(whole(device, name), expected, "{device} {name}");
        }
        let specs = || table().devices.values().flat_map(|class| &class.parameters);
        let left_out = |spec: &&ParameterSpec| {
            let label = spec.default_display.as_deref().unwrap_or(".");
            spec.unit.as_deref() == Some("st") && !label.contains('.') && !counts_whole(spec) && curve_is_known(spec)
        };
        let left: Vec<&str> = specs().filter(left_out).map(|spec| spec.name.as_str()).collect();
        assert_eq!(left, Vec::<&str>::new(), "every known count of semitones without decimals");
    }

    /// `50 %` of what is a raw fraction would be taken for its end.
    #[test]
    fn no_percentage_and_no_decibels_run_from_a_fraction_to_a_fraction() {
        let mut known = 0;
        for (name, device) in &table().devices {
            let counted = |spec: &&ParameterSpec| matches!(spec.unit.as_deref(), Some("%" | "dB"));
            for p in device.parameters.iter().filter(counted).filter(|p| curve_is_known(p) && p.items.is_none()) {
                let ends = [p.min, p.max].map(|raw| shown_number(p, raw).unwrap_or(-70.0).abs());
                assert!(ends.into_iter().any(|end| end > 1.0), "{name}: {p:?}");
                known += 1;
            }
        }
        assert!(known > 150, "{known}");
        let operator = by_name("Operator").map(|d| d.parameters.iter().find(|p| p.name == "Pe A Slope"));
        assert!(operator.flatten().is_some_and(|p| p.unit.is_some() && !curve_is_known(p)));
    }

    proptest! {
        /// Every parameter whose curve is known, at any place of its range: what is shown leads back to what is shown.
        #[test]
        fn what_is_shown_can_be_written(t in 0.0f64..=1.0) {
            let mut looked_at = 0;
            for (device, class) in &table().devices {
                for spec in class.parameters.iter().filter(|spec| curve_is_known(spec)) {
                    let raw = spec.min + (spec.max - spec.min) * t;
                    let Some(number) = shown_number(spec, raw).filter(|n| *n > SILENCE_DB) else { continue };
                    let back = raw_of(spec, number).and_then(|raw| shown_number(spec, raw));
                    let near = back.is_some_and(|back| (back - number).abs() <= 1e-9 * number.abs().max(1.0));
                    prop_assert!(near, "{device} {}: {raw} shows {number}, which writes as {back:?}", spec.name);
                    looked_at += 1;
                }
            }
            prop_assert!(looked_at > 500, "{looked_at}");
        }

        /// Any number at all lands in the range.
        #[test]
        fn a_written_number_is_brought_into_the_range(number in -1e6f64..1e6) {
            for class in table().devices.values() {
                for spec in class.parameters.iter().filter(|spec| curve_is_known(spec)) {
                    let raw = raw_of(spec, number).unwrap_or(f64::NAN);
                    prop_assert!((spec.min..=spec.max).contains(&raw), "{} {number}: {raw}", spec.name);
                }
            }
        }
    }
}
