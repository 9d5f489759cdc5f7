//! What a raw parameter value looks like: decibels, panning, labels, units.

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

/// The number a raw value is shown as, where the curve is known.
pub fn shown(spec: &ParameterSpec, raw: f64) -> Option<f64> {
    let display = spec.display.as_ref()?;
    let t = if spec.max > spec.min { (raw - spec.min) / (spec.max - spec.min) } else { 0.0 };
    let ends = || display.min.zip(display.max);
    Some(match display.curve.as_deref()? {
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

/// The label of a raw value, as Live would print it where the curve is known, else the raw number.
pub fn label(spec: &ParameterSpec, raw: f64) -> String {
    if let Some(items) = &spec.items {
        let at = raw.round().max(0.0) as usize;
        return items.get(at).cloned().unwrap_or_else(|| format!("{raw}"));
    }
    if let Some(ladder) = spec.ladder.as_deref().and_then(|name| ladder_label(name, raw)) {
        return ladder;
    }
    let unit = spec.unit.as_deref();
    if unit == Some("pan") {
        return pan_text(raw);
    }
    if unit == Some("dB") && spec.display.is_some() && shown(spec, raw).is_none() && raw <= spec.min {
        return "-inf dB".to_owned();
    }
    match shown(spec, raw) {
        Some(number) => with_unit(number, unit),
        None => format!("{raw:.2}"),
    }
}

fn ladder_label(name: &str, raw: f64) -> Option<String> {
    let (name, reversed) = name.strip_suffix("_reversed").map_or((name, false), |base| (base, true));
    let steps = table().ladders.get(name)?;
    let at = raw.round().max(0.0) as usize;
    let at = if reversed { steps.len().checked_sub(1 + at)? } else { at };
    steps.get(at).cloned()
}

fn with_unit(number: f64, unit: Option<&str>) -> String {
    match unit {
        Some("Hz") if number >= 1000.0 => format!("{:.2} kHz", number / 1000.0),
        Some("Hz") if number >= 100.0 => format!("{number:.0} Hz"),
        Some("Hz") => format!("{number:.1} Hz"),
        Some("ms") if number >= 1000.0 => format!("{:.2} s", number / 1000.0),
        Some("ms") => format!("{number:.2} ms"),
        Some("dB") => format!("{number:.1} dB"),
        Some("%") => format!("{number:.0} %"),
        Some(unit) => format!("{number:.0} {unit}"),
        None => format!("{number:.2}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_mixer_curve_meets_its_measured_points() {
        for (raw, db) in
            [(1.0, 6.0), (0.85, 0.0), (0.75, -4.0), (0.4, -18.0), (0.34366, -21.0), (0.16422, -39.0), (0.001154, -69.5)]
        {
            let got = volume_db(raw).unwrap();
            assert!((got - db).abs() < 0.01, "{raw}: {got}");
        }
        assert_eq!(volume_db(0.0), None);
        assert!(volume_db(0.0005).unwrap() < -69.5);
    }

    #[test]
    fn labels() {
        for (raw, text) in [(-1.0, "50L"), (0.0, "C"), (0.24, "12R"), (1.0, "50R")] {
            assert_eq!(pan_text(raw), text);
        }
        assert_eq!((db_text(Some(-6.0)), db_text(None)), ("-6.0 dB".into(), "-inf dB".into()));
        let reverb = crate::set::device_table::by_name("Reverb").unwrap();
        assert_eq!(label(&reverb.parameters[0], 1.0), "On");
        assert_eq!(label(&reverb.parameters[1], 0.258977), "2.50 ms");
    }
}
