//! Compressor.

use super::detector::filter;
use crate::sound::device_values::DeviceValues;
use svc_sound::effects::{CompressorModel, CompressorSettings, EnvelopeMode};

/// A ratio of no end.
const LIMITING: f32 = 1e6;

pub fn settings(values: &DeviceValues) -> CompressorSettings {
    let models = [CompressorModel::Peak, CompressorModel::Rms, CompressorModel::Expand];
    CompressorSettings {
        threshold_db: values.finite_db("Threshold"),
        ratio: values.number("Ratio").min(LIMITING),
        expansion_ratio: values.number("Expansion Ratio"),
        attack_ms: values.number("Attack"),
        release_ms: values.number("Release"),
        auto_release: values.is_on("Auto Release On/Off"),
        output_db: values.number("Output"),
        makeup: values.is_on("Makeup"),
        knee_db: values.number("Knee"),
        mix: values.part("Dry/Wet"),
        model: models.get(values.step("Model")).copied().unwrap_or_default(),
        envelope: if values.is_on("Env Mode") { EnvelopeMode::Logarithmic } else { EnvelopeMode::Linear },
        detector_filter: values.is_on("S/C EQ On").then(|| filter(values)),
        sidechain_gain_db: values.finite_db("S/C Gain"),
        sidechain_mix: values.part("S/C Mix"),
    }
}
