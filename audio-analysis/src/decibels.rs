//! Amplitudes and powers in decibels.

/// An amplitude in dB of full scale; `None` for silence.
pub fn amplitude_db(amplitude: f64) -> Option<f64> {
    (amplitude > 0.0).then(|| 20.0 * amplitude.log10())
}

/// A power in dB; `None` for silence.
pub fn power_db(power: f64) -> Option<f64> {
    (power > 0.0).then(|| 10.0 * power.log10())
}
