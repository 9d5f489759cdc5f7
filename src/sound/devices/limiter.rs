//! Limiter. Maximizing, the threshold and the output stand for gain and ceiling.

use crate::sound::device_values::DeviceValues;
use svc_sound::effects::LimiterSettings;

/// The release of the automatic one, which follows the signal.
const AUTOMATIC_MS: f32 = 150.0;

pub fn settings(values: &DeviceValues) -> LimiterSettings {
    let (gain_db, ceiling_db) = match values.is_on("Maximize On") {
        // What is above the threshold is limited, and the whole is brought up to the output.
        true => (values.number("Output") - values.number("Threshold"), values.number("Output")),
        false => (values.number("Input Gain"), values.number("Ceiling")),
    };
    LimiterSettings {
        gain_db,
        ceiling_db,
        release_ms: if values.is_on("Auto") { AUTOMATIC_MS } else { values.number("Release") },
        link: values.part("Link"),
    }
}
