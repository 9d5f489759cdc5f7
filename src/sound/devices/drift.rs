//! Drift.

use super::rates::beats_of_ladder;
use crate::set::document::device_tree::Device;
use crate::sound::device_values::DeviceValues;
use svc_sound::effects::{LfoRate, LfoWave};
use svc_sound::instruments::{
    DriftAmount, DriftLfo, DriftLfoWave, DriftLowpass, DriftOscillator, DriftRoute, DriftSettings, DriftSource,
    DriftTarget, DriftVoices, DriftWave, EnvelopeTimes, SecondEnvelope,
};

/// In the order in which the object model counts them; what comes from wheels and pressure is not played.
const SOURCES: [DriftSource; 5] =
    [DriftSource::Envelope1, DriftSource::Envelope2, DriftSource::Lfo, DriftSource::Key, DriftSource::Velocity];
const TARGETS: [DriftTarget; 12] = [
    DriftTarget::None,
    DriftTarget::Oscillator1Gain,
    DriftTarget::Oscillator1Shape,
    DriftTarget::Oscillator2Gain,
    DriftTarget::Oscillator2Detune,
    DriftTarget::NoiseGain,
    DriftTarget::LowpassFrequency,
    DriftTarget::LowpassResonance,
    DriftTarget::HighpassFrequency,
    DriftTarget::LfoRate,
    DriftTarget::CycleRate,
    DriftTarget::Volume,
];
const FIRST_WAVES: [DriftWave; 7] = [
    DriftWave::Sine,
    DriftWave::Triangle,
    DriftWave::SharkTooth,
    DriftWave::Saturated,
    DriftWave::Saw,
    DriftWave::Pulse,
    DriftWave::Rectangle,
];
const SECOND_WAVES: [DriftWave; 5] =
    [DriftWave::Sine, DriftWave::Triangle, DriftWave::Saturated, DriftWave::Saw, DriftWave::Rectangle];
const VOICES: [u8; 5] = [4, 8, 16, 24, 32];

pub fn settings(device: &Device) -> DriftSettings {
    let values = &DeviceValues::of(device);
    let by = |source: &str, amount: &str| DriftAmount {
        source: SOURCES.get(stored(device, source)).copied().unwrap_or_default(),
        amount: values.part(amount),
    };
    let route = |index: usize| DriftRoute {
        from: by(&format!("mod_matrix_source_{index}_index"), &format!("Mod Matrix Amt {index}")),
        target: TARGETS.get(stored(device, &format!("mod_matrix_target_{index}_index"))).copied().unwrap_or_default(),
    };
    DriftSettings {
        first: oscillator(values, 1, &FIRST_WAVES),
        second: oscillator(values, 2, &SECOND_WAVES),
        shape_by: by("mod_matrix_shape_source_index", "Osc 1 Shape Mod Amt"),
        pitch_by: [
            by("mod_matrix_pitch_source_1_index", "Pitch Mod Amt 1"),
            by("mod_matrix_pitch_source_2_index", "Pitch Mod Amt 2"),
        ],
        noise_db: if values.is_on("Noise On") { values.number("Noise Gain") } else { f32::NEG_INFINITY },
        noise_filtered: values.is_on("Noise Flt On"),
        lowpass: if values.step("LP Type") == 1 { DriftLowpass::Two } else { DriftLowpass::One },
        lowpass_hz: values.number("LP Freq"),
        resonance: values.number("LP Res").clamp(0.0, 1.0),
        key_tracking: values.number("Key > LPF"),
        lowpass_by: [
            by("mod_matrix_filter_source_1_index", "LP Mod Amt 1"),
            by("mod_matrix_filter_source_2_index", "LP Mod Amt 2"),
        ],
        highpass_hz: values.number("HP Freq"),
        routes: [route(1), route(2), route(3)],
        envelope: envelope(values, 1),
        second_envelope: second_envelope(values),
        lfo: DriftLfo { amount_by: by("mod_matrix_lfo_source_index", "LFO Mod Amt"), ..lfo(values) },
        voices: voices(device, values),
        voice_count: VOICES.get(stored(device, "voice_count_index")).copied().unwrap_or(8),
        legato: values.is_on("Legato On"),
        glide: values.seconds("Glide Time"),
        transpose: values.number("Transpose"),
        velocity_to_level: values.part("Vel > Vol"),
        drift: values.part("Drift"),
        retrigger: values.is_on("Osc Retrig On"),
        level_db: values.finite_db("Volume"),
    }
}

fn stored(device: &Device, member: &str) -> usize {
    device.stored.get(member).and_then(serde_json::Value::as_u64).and_then(|n| usize::try_from(n).ok()).unwrap_or(0)
}

fn oscillator(values: &DeviceValues, number: usize, waves: &[DriftWave]) -> DriftOscillator {
    let name = |what: &str| format!("Osc {number} {what}");
    let octaves = 12.0 * values.number(&name("Oct"));
    DriftOscillator {
        on: values.is_on(&name("On")),
        wave: waves.get(values.step(&name("Wave"))).copied().unwrap_or_default(),
        shape: if number == 1 { values.number(&name("Shape")) } else { 0.0 },
        semitones: if number == 1 { octaves } else { octaves + values.number(&name("Detune")) },
        gain_db: values.number(&name("Gain")),
        filtered: values.is_on(&name("Flt On")),
    }
}

fn envelope(values: &DeviceValues, number: usize) -> EnvelopeTimes {
    let name = |what: &str| format!("Env {number} {what}");
    EnvelopeTimes {
        attack: values.seconds(&name("Attack")),
        decay: values.seconds(&name("Decay")),
        sustain: values.part(&name("Sustain")),
        release: values.seconds(&name("Release")),
    }
}

/// A rate of the kind `Freq`, `Time`, `Ratio`, `Sync`; of a ratio the turns for each of the note's cycles.
fn rate(values: &DeviceValues, names: [&str; 5]) -> (LfoRate, Option<f32>) {
    let [mode, hz, time, ratio, synced] = names;
    match values.step(mode) {
        1 => (LfoRate::Hz(1.0 / values.seconds(time).max(1e-3)), None),
        2 => (LfoRate::Hz(values.number(hz)), Some(values.number(ratio))),
        3 => (LfoRate::PerBeat(1.0 / beats_of_ladder(values.step(synced))), None),
        _ => (LfoRate::Hz(values.number(hz)), None),
    }
}

fn second_envelope(values: &DeviceValues) -> SecondEnvelope {
    if !values.is_on("Env 2 Cyc On") {
        return SecondEnvelope::Envelope(envelope(values, 2));
    }
    let names = ["Cyc Env Time Mode", "Cyc Env Rate", "Cyc Env Time", "Cyc Env Ratio", "Cyc Env Synced"];
    let (rate, _) = rate(values, names);
    SecondEnvelope::Cycle { rate, tilt: values.number("Cyc Env Tilt"), hold: values.number("Cyc Env Hold") }
}

fn lfo(values: &DeviceValues) -> DriftLfo {
    let wave = match values.step("LFO Wave") {
        0 => DriftLfoWave::Wave(LfoWave::Sine),
        1 => DriftLfoWave::Wave(LfoWave::Triangle),
        2 => DriftLfoWave::Wave(LfoWave::SawUp),
        3 => DriftLfoWave::Wave(LfoWave::SawDown),
        4 => DriftLfoWave::Wave(LfoWave::Square),
        5 => DriftLfoWave::Wave(LfoWave::SampleAndHold),
        6 => DriftLfoWave::Wave(LfoWave::Wander),
        7 => DriftLfoWave::LinearEnvelope,
        _ => DriftLfoWave::ExponentialEnvelope,
    };
    let (rate, ratio) = rate(values, ["LFO Time Mode", "LFO Rate", "LFO Time", "LFO Ratio", "LFO Synced"]);
    DriftLfo {
        wave,
        rate,
        ratio,
        amount: values.part("LFO Amt"),
        amount_by: DriftAmount::default(),
        retrigger: values.is_on("LFO Retrig On"),
    }
}

fn voices(device: &Device, values: &DeviceValues) -> DriftVoices {
    match stored(device, "voice_mode_index") {
        1 => DriftVoices::Mono { thickness: values.part("Thickness") },
        2 => DriftVoices::Stereo { spread: values.part("Spread") },
        3 => DriftVoices::Unison { strength: values.part("Strength") },
        _ => DriftVoices::Poly,
    }
}
