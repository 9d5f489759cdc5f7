//! Faders: which decibels a raw volume, send or gain stands for and back, and how levels and pans are written.

use super::native_devices::table;

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

/// The clip gain 0..=1 of these decibels; more than 1 where no clip can be that loud.
pub fn clip_gain_raw(db: f64) -> f64 {
    if db <= SILENCE_DB { 0.0 } else { back_along(&table().clip_gain, db, |db| (db + 16.0) / 40.0) }
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
            assert!((volume_raw(db) - raw).abs() < 1e-6, "{db}: {}", volume_raw(db));
        }
        assert_eq!((volume_db(0.0), volume_raw(-70.0)), (None, 0.0));
        assert!(volume_db(0.0005).unwrap() < -69.5);
        assert_eq!((send_raw(0.0), send_raw(24.0), send_raw(-6.0)), (1.0, 1.0, 0.85));
        assert_eq!((clip_gain_db(0.4), clip_gain_db(1.0), clip_gain_db(0.0)), (Some(0.0), Some(24.0), None));
    }

    #[test]
    fn pans_and_decibels() {
        for (raw, text) in [(-1.0, "50L"), (0.0, "C"), (0.24, "12R"), (1.0, "50R")] {
            assert_eq!(pan_text(raw), text);
        }
        assert_eq!((db_text(Some(-6.0)), db_text(None)), ("-6.0 dB".into(), "-inf dB".into()));
    }
}
