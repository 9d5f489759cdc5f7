//! Auto Pan-Tremolo, Chorus-Ensemble and Phaser-Flanger.

use super::rates::{RateNames, free_or_synced, rate};
use crate::sound::device_values::DeviceValues;
use svc_sound::effects::{AutoPanSettings, ChorusMode, ChorusSettings, LfoRate, LfoWave, PhaserMode, PhaserSettings};

const OF_AUTO_PAN: RateNames =
    RateNames { mode: "Time Mode", hz: "Frequency", time: "Time", synced: "Rate", sixteenths: "16th" };

pub fn auto_pan(values: &DeviceValues) -> AutoPanSettings {
    let waves = [
        LfoWave::Sine,
        LfoWave::Triangle,
        LfoWave::SawDown,
        LfoWave::SawUp,
        LfoWave::SawDown,
        LfoWave::Square,
        LfoWave::SampleAndHold,
        LfoWave::Wander,
        LfoWave::SampleAndHold,
    ];
    let tremolo = values.is_on("Mode");
    AutoPanSettings {
        tremolo,
        amount: values.part("Amount"),
        wave: waves.get(values.step("Waveform")).copied().unwrap_or_default(),
        invert: values.is_on("Invert"),
        rate: rate(values, &OF_AUTO_PAN),
        phase: values.number("Phase") / 360.0,
        offset: values.number("Offset") / 360.0,
        shape: values.part(if tremolo { "Tremolo Shape" } else { "Panning Shape" }),
    }
}

/// The delay of the first step, `Auto`.
const AUTO_MS: f32 = 20.0;

pub fn chorus(values: &DeviceValues) -> ChorusSettings {
    let modes = [ChorusMode::Chorus, ChorusMode::Ensemble, ChorusMode::Vibrato];
    let delay = values.step_label("Delay Time").trim_end_matches(" ms").parse().unwrap_or(AUTO_MS);
    ChorusSettings {
        mode: modes.get(values.step("Mode")).copied().unwrap_or_default(),
        rate: LfoRate::Hz(values.number("Rate")),
        amount: values.part("Amount"),
        feedback: values.part("Feedback"),
        invert_feedback: values.is_on("FB Invert"),
        offset: values.number("Offset") / 360.0,
        delay_ms: delay,
        two_taps: values.is_on("Delay Taps"),
        highpass_hz: values.is_on("HP On").then(|| values.number("HP Freq")),
        width: values.part("Width"),
        warmth: values.part("Warmth"),
        output_db: values.number("Output"),
        mix: values.part("Dry/Wet"),
    }
}

pub fn phaser_flanger(values: &DeviceValues) -> PhaserSettings {
    let modes = [PhaserMode::Phaser, PhaserMode::Flanger, PhaserMode::Doubler];
    let wave = match values.step("Mod Wave") {
        0 => LfoWave::Sine,
        1..=4 => LfoWave::Triangle,
        5 => LfoWave::SawUp,
        6 => LfoWave::SawDown,
        7 => LfoWave::Square,
        8 => LfoWave::Wander,
        _ => LfoWave::SampleAndHold,
    };
    PhaserSettings {
        mode: modes.get(values.step("Mode")).copied().unwrap_or_default(),
        amount: values.part("Amount"),
        wave,
        rate: free_or_synced(values, "Mod Sync", "Mod Freq", "Mod Rate"),
        phase: values.number("Mod Phase") / 360.0,
        envelope_amount: if values.is_on("Env Enabled") { values.number("Env Amount") } else { 0.0 },
        envelope_attack_ms: values.number("Env Attack"),
        envelope_release_ms: values.number("Env Release"),
        notches: values.number("Notches").round().clamp(1.0, 42.0) as u8,
        center_hz: values.number("Center Freq"),
        spread: values.part("Spread"),
        flanger_ms: values.number("Flanger Time"),
        doubler_ms: values.number("Doubler Time"),
        feedback: values.part("Feedback"),
        invert_feedback: values.is_on("FB Invert"),
        safe_hz: values.number("Safe Freq"),
        warmth: values.part("Warmth"),
        output_db: values.number("Output"),
        mix: values.part("Dry/Wet"),
    }
}
