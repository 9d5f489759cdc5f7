//! Levels and pans as they are shown, and where on a fader they stand. The page of the device has the same.

/// What counts as silence, in decibels.
pub const SILENCE_DB: f64 = -70.0;

/// Where a fader has its straight part, from this level up, and the power by which it falls below.
const KNEE: f64 = 0.4;
const KNEE_DB: f64 = -18.0;
const FALL: f64 = 1.7;

/// Place 0 to 1 of these decibels on a fader that ends at +6 dB; `None` is silence.
pub fn fader_place(db: Option<f64>) -> f64 {
    match db {
        Some(db) if db >= KNEE_DB => ((db + 34.0) / 40.0).min(1.0),
        Some(db) if db > SILENCE_DB => KNEE * (1.0 - ((KNEE_DB - db) / (KNEE_DB - SILENCE_DB)).powf(1.0 / FALL)),
        _ => 0.0,
    }
}

/// Decibels of a place, to a tenth.
pub fn fader_db(place: f64) -> f64 {
    let db = if place >= KNEE {
        40.0 * place - 34.0
    } else {
        KNEE_DB - (KNEE_DB - SILENCE_DB) * (1.0 - place / KNEE).powf(FALL)
    };
    (db.clamp(SILENCE_DB, 6.0) * 10.0).round() / 10.0
}

/// Decibels of a place of a send, which ends at 0 dB: the same travel, 6 dB lower.
pub fn send_db(place: f64) -> f64 {
    if place <= 0.0 { SILENCE_DB } else { ((fader_db(place) - 6.0) * 10.0).round() / 10.0 }.clamp(SILENCE_DB, 0.0)
}

pub fn send_place(db: Option<f64>) -> f64 {
    fader_place(db.map(|db| db + 6.0))
}

pub fn db_text(db: Option<f64>) -> String {
    match db.filter(|db| *db > SILENCE_DB) {
        None => "-inf".to_owned(),
        Some(db) => {
            // No minus before a zero.
            let rounded = (db * 10.0).round() / 10.0 + 0.0;
            if rounded > 0.0 { format!("+{rounded:.1}") } else { format!("{rounded:.1}") }
        }
    }
}

/// `50L`, `C`, `12R`.
pub fn pan_text(pan: f64) -> String {
    let steps = (pan.abs() * 50.0).round();
    match steps as u32 {
        0 => "C".to_owned(),
        steps => format!("{steps}{}", if pan < 0.0 { 'L' } else { 'R' }),
    }
}

/// Height 0 to 1 of a peak on a meter from -60 to +6 dB.
pub fn meter_place(peak: f64) -> f64 {
    if peak <= 0.001 { 0.0 } else { ((20.0 * peak.log10() + 60.0) / 66.0).clamp(0.0, 1.0) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_and_decibels_are_inverse() {
        for tenth in -690..=60 {
            let db = f64::from(tenth) / 10.0;
            assert!((fader_db(fader_place(Some(db))) - db).abs() < 0.06, "{db}");
            if db <= 0.0 {
                assert!((send_db(send_place(Some(db))) - db).abs() < 0.11, "{db}");
            }
        }
        assert_eq!((fader_place(None), fader_db(0.0), fader_db(1.0)), (0.0, -70.0, 6.0));
        assert_eq!((send_place(None), send_db(0.0), send_db(1.0)), (0.0, -70.0, 0.0));
    }

    #[test]
    fn levels_in_words() {
        for (db, text) in [(None, "-inf"), (Some(-70.0), "-inf"), (Some(-0.01), "0.0"), (Some(2.04), "+2.0")] {
            assert_eq!(db_text(db), text, "{db:?}");
        }
        for (pan, text) in [(0.0, "C"), (-1.0, "50L"), (0.24, "12R"), (0.004, "C")] {
            assert_eq!(pan_text(pan), text, "{pan}");
        }
        assert_eq!((meter_place(0.0), meter_place(4.0)), (0.0, 1.0));
    }
}
