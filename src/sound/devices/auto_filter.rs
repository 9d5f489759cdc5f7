//! Auto Filter. Its other types have no code: with one of them it is passed by.

use super::rates::{RateNames, rate};
use crate::sound::device_values::DeviceValues;
use svc_sound::effects::{AutoFilterSettings, FilterType, Lfo, LfoWave};

/// Octaves that an LFO of 100 % moves to each side, and that the envelope does.
const MOST_OCTAVES: f32 = 5.0;
const RATE: RateNames =
    RateNames { mode: "LFO T Mode", hz: "LFO Freq", time: "LFO Time", synced: "LFO Rate", sixteenths: "LFO 16th" };

/// `None`: its type has no code.
pub fn settings(values: &DeviceValues) -> Option<AutoFilterSettings> {
    let morph = values.part("Filter Morph");
    let (filter_type, steep) = match values.step("Filter Type") {
        0 => (FilterType::Lowpass, values.is_on("Filter Slope")),
        1 => (FilterType::Highpass, values.is_on("Filter Slope")),
        2 => (FilterType::Bandpass, values.is_on("Filter Slope")),
        3 => (FilterType::Notch, values.is_on("Filter Slope")),
        4 => (FilterType::Morph(morph), values.step("Morph Slope") >= 2),
        _ => return None,
    };
    Some(AutoFilterSettings {
        filter_type,
        hz: values.number("Frequency"),
        resonance: values.part("Resonance"),
        steep,
        drive: values.part("Drive"),
        lfo: lfo(values),
        envelope_octaves: values.part("Env Amount") * MOST_OCTAVES,
        envelope_attack_ms: values.number("Env Attack"),
        envelope_release_ms: values.number("Env Release"),
        output_db: values.number("Output"),
        mix: values.part("Dry/Wet"),
    })
}

fn lfo(values: &DeviceValues) -> Lfo {
    let waves = [
        LfoWave::Sine,
        LfoWave::Triangle,
        LfoWave::SawDown,
        LfoWave::Square,
        LfoWave::SawUp,
        LfoWave::SawDown,
        LfoWave::Wander,
        LfoWave::SampleAndHold,
    ];
    Lfo {
        wave: waves.get(values.step("LFO Wave")).copied().unwrap_or_default(),
        rate: rate(values, &RATE),
        octaves: values.part("LFO Amount") * MOST_OCTAVES,
        phase: values.number("LFO Phase") / 360.0,
        offset: values.number("LFO Offset") / 360.0,
    }
}
