//! Gate and Glue Compressor.

use super::detector::detector;
use crate::sound::device_values::DeviceValues;
use svc_sound::effects::{GateSettings, GlueSettings};

pub fn gate(values: &DeviceValues) -> GateSettings {
    GateSettings {
        threshold_db: values.finite_db("Threshold"),
        attack_ms: values.number("Attack"),
        hold_ms: values.number("Hold"),
        release_ms: values.number("Release"),
        return_db: values.number("Return"),
        floor_db: values.number("Floor"),
        flip: values.is_on("FlipMode"),
        detector: detector(values),
    }
}

pub fn glue(values: &DeviceValues) -> GlueSettings {
    let label = |name: &str| values.step_label(name).parse::<f32>().ok();
    GlueSettings {
        threshold_db: values.number("Threshold"),
        ratio: label("Ratio").unwrap_or(4.0),
        attack_ms: label("Attack").unwrap_or(1.0),
        // The last step, `A`, is no number: by the signal.
        release_ms: label("Release").map(|seconds| 1000.0 * seconds),
        range_db: values.number("Range"),
        output_db: values.number("Output"),
        mix: values.part("Dry/Wet"),
        soft_clip: values.is_on("Peak Clip In"),
        detector: detector(values),
    }
}
