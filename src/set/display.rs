//! What number a raw parameter value is shown as, and which raw value a shown number stands for. How the number is
//! written is in `display_text`.

use crate::music::pitch;

use super::device_table::{Display, ParameterSpec, table};

/// Decibels of a mixer volume 0..=1 (0.85 = 0 dB, 1 = +6 dB); `None` is minus infinity.
pub fn volume_db(raw: f64) -> Option<f64> {
    along(&table().mixer_volume, raw, |raw| 40.0 * raw - 34.0)
}

/// Decibels of a send 0..=1 (1 = 0 dB): the mixer curve, 6 dB lower.
pub fn send_db(raw: f64) -> Option<f64> {
    volume_db(raw).map(|db| db - 6.0)
}

/// Decibels of a clip's gain 0..=1 (0.4 = 0 dB, 1 = +24 dB); `None` is minus infinity.
pub fn clip_gain_db(raw: f64) -> Option<f64> {
    along(&table().clip_gain, raw, |raw| 40.0 * raw - 16.0)
}

/// The straight law from raw 0.4 up; below it, between the measured points.
fn along(points: &[(f64, Option<f64>)], raw: f64, straight: impl Fn(f64) -> f64) -> Option<f64> {
    if raw >= 0.4 {
        return Some(straight(raw));
    }
    if raw <= 0.0 {
        return None;
    }
    let below = points.iter().position(|(x, _)| *x <= raw)?;
    let (x1, y1) = points.get(below).copied()?;
    let (x0, y0) = below.checked_sub(1).and_then(|above| points.get(above)).copied()?;
    match (y0, y1) {
        (Some(y0), Some(y1)) => Some(y1 + (y0 - y1) * (raw - x1) / (x0 - x1)),
        // Between the lowest measured point and silence: a straight line in amplitude.
        (Some(y0), None) => Some(y0 + 20.0 * (raw / x0).log10()),
        _ => None,
    }
}

/// The raw value that [`along`] gives these decibels; below every point, silence.
fn back_along(points: &[(f64, Option<f64>)], db: f64, straight: impl Fn(f64) -> f64) -> f64 {
    let raw = straight(db);
    if raw >= 0.4 {
        return raw;
    }
    let Some(below) = points.iter().position(|(_, y)| y.is_none_or(|y| y <= db)) else { return 0.0 };
    let point = |at: Option<usize>| at.and_then(|at| points.get(at)).copied();
    match (point(below.checked_sub(1)), point(Some(below))) {
        (Some((x0, Some(y0))), Some((x1, Some(y1)))) => x1 + (x0 - x1) * (db - y1) / (y0 - y1),
        (Some((x0, Some(y0))), _) => x0 * 10f64.powf((db - y0) / 20.0),
        _ => 0.0,
    }
}

/// The lowest decibels a fader shows as a number; below it there is silence, which reads as this.
pub const SILENCE_DB: f64 = -70.0;

/// A fader's decibels as `display_value` has them.
pub fn shown_db(db: Option<f64>) -> f64 {
    db.map_or(SILENCE_DB, |db| db.max(SILENCE_DB))
}

/// The mixer volume 0..=1 of these decibels.
pub fn volume_raw(db: f64) -> f64 {
    if db <= SILENCE_DB {
        return 0.0;
    }
    back_along(&table().mixer_volume, db, |db| (db + 34.0) / 40.0).clamp(0.0, 1.0)
}

/// The send 0..=1 of these decibels.
pub fn send_raw(db: f64) -> f64 {
    if db <= SILENCE_DB { 0.0 } else { volume_raw(db.min(0.0) + 6.0) }
}

/// `-6.0 dB`, `-inf dB`.
pub fn db_text(db: Option<f64>) -> String {
    match db {
        Some(db) => format!("{db:.1} dB"),
        None => "-inf dB".to_owned(),
    }
}

/// `-6.00 dB`, `-inf dB`: as a clip's gain is shown.
pub fn db_text_fine(db: Option<f64>) -> String {
    match db {
        // No -0.00.
        Some(db) => format!("{:.2} dB", (db * 100.0).round() / 100.0 + 0.0),
        None => "-inf dB".to_owned(),
    }
}

/// `50L`, `C`, `12R` for -1..=1.
pub fn pan_text(raw: f64) -> String {
    let steps = (raw.abs() * 50.0).round();
    if steps == 0.0 { "C".to_owned() } else { format!("{steps}{}", if raw < 0.0 { 'L' } else { 'R' }) }
}

/// The name of a parameter's curve. Where none was measured, three known points on a straight line are one: of a pan the two ends
/// and the centre, elsewhere the two ends and the default, when each is shown as its raw value.
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

/// Whether the raw value is a MIDI pitch, shown by its name: told by a default that is.
pub fn is_pitch(spec: &ParameterSpec) -> bool {
    let named = spec.default_display.as_deref().and_then(|label| pitch::parse(label).ok());
    named.is_some_and(|pitch| spec.default == Some(f64::from(pitch))) && spec.items.is_none()
}

/// Whether only whole numbers are shown and kept, though nobody declares steps: semitones, scale degrees, octaves and sixteenths
/// whose label has no decimals.
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
    shown(spec, spec.max).is_some()
}

/// The number a raw value is shown as, where the curve is known; `None` also for silence.
pub fn shown(spec: &ParameterSpec, raw: f64) -> Option<f64> {
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

fn signed_power(display: &Display, t: f64) -> Option<f64> {
    let s = 2.0 * t - 1.0;
    Some(display.max? * s.signum() * s.abs().powf(display.exponent?))
}

/// The raw value that is shown as `number`, brought into the parameter's range: the other way round of [`shown`]. `None`
/// where the curve is not known.
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
        "clip_gain" if number <= SILENCE_DB => 0.0,
        "clip_gain" => back_along(&table().clip_gain, number, |db| (db + 16.0) / 40.0),
        _ => return None,
    };
    Some(raw.clamp(spec.min, spec.max)).filter(|raw| raw.is_finite())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::set::device_table::table;
    use proptest::prelude::*;

    #[test]
    fn the_mixer_curve_meets_its_measured_points() {
        for (raw, db) in
            [(1.0, 6.0), (0.85, 0.0), (0.75, -4.0), (0.4, -18.0), (0.34366, -21.0), (0.16422, -39.0), (0.001154, -69.5)]
        {
            let got = volume_db(raw).unwrap();
            assert!((got - db).abs() < 0.01, "{raw}: {got}");
            assert!((volume_raw(db) - raw).abs() < 1e-6, "{db}: {}", volume_raw(db));
        }
        assert_eq!((volume_db(0.0), volume_raw(-70.0)), (None, 0.0));
        assert!(volume_db(0.0005).unwrap() < -69.5);
        assert_eq!((send_raw(0.0), send_raw(24.0), send_raw(-6.0)), (1.0, 1.0, 0.85));
        assert_eq!((clip_gain_db(0.4), clip_gain_db(1.0), clip_gain_db(0.0)), (Some(0.0), Some(24.0), None));
    }

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

    #[test]
    fn pans_and_decibels() {
        for (raw, text) in [(-1.0, "50L"), (0.0, "C"), (0.24, "12R"), (1.0, "50R")] {
            assert_eq!(pan_text(raw), text);
        }
        assert_eq!((db_text(Some(-6.0)), db_text(None)), ("-6.0 dB".into(), "-inf dB".into()));
    }

    proptest! {
        /// Every parameter whose curve is known, at any place of its range: what is shown leads back to what is shown.
        #[test]
        fn what_is_shown_can_be_written(t in 0.0f64..=1.0) {
            let mut looked_at = 0;
            for (device, class) in &table().devices {
                for spec in class.parameters.iter().filter(|spec| curve_is_known(spec)) {
                    let raw = spec.min + (spec.max - spec.min) * t;
                    let Some(number) = shown(spec, raw).filter(|n| *n > SILENCE_DB) else { continue };
                    let back = raw_of(spec, number).and_then(|raw| shown(spec, raw));
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
