//! Auto Filter. Its other types have no code: with one of them it is passed by.

use crate::object_model::native_devices::table;
use crate::sound::device_values::DeviceValues;
use svc_sound::effects::{AutoFilterSettings, FilterType, Lfo, LfoRate, LfoWave};

/// Octaves that an LFO of 100 % moves to each side, and that the envelope does.
const MOST_OCTAVES: f32 = 5.0;
/// Quarter beats of a bar of the tempo's beats.
const BEATS_OF_WHOLE: f32 = 4.0;

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
    // The length of a turn in quarter beats, of those that follow the tempo.
    let beats = beats_of_ladder(values.step("LFO Rate"));
    let rate = match values.step("LFO T Mode") {
        0 => LfoRate::Hz(values.number("LFO Freq")),
        1 => LfoRate::Hz(1.0 / values.seconds("LFO Time").max(1e-3)),
        2 => LfoRate::PerBeat(1.0 / beats),
        3 => LfoRate::PerBeat(1.5 / beats),
        4 => LfoRate::PerBeat(1.0 / (1.5 * beats)),
        _ => LfoRate::PerBeat(4.0 / values.number("LFO 16th").max(1.0)),
    };
    Lfo {
        wave: waves.get(values.step("LFO Wave")).copied().unwrap_or_default(),
        rate,
        octaves: values.part("LFO Amount") * MOST_OCTAVES,
        phase: values.number("LFO Phase") / 360.0,
        offset: values.number("LFO Offset") / 360.0,
    }
}

/// Quarter beats of a step of the ladder of beats: `1/4` is a quarter note, `2` two bars of four.
fn beats_of_ladder(step: usize) -> f32 {
    let label = table().ladders.get("beat22").and_then(|ladder| ladder.get(step)).map_or("1", String::as_str);
    let wholes = match label.split_once('/') {
        Some((over, under)) => {
            over.parse::<f32>().ok().zip(under.parse::<f32>().ok()).map(|(over, under)| over / under)
        }
        None => label.parse().ok(),
    };
    wholes.unwrap_or(1.0).max(1.0 / 64.0) * BEATS_OF_WHOLE
}

#[cfg(test)]
mod tests {
    use super::beats_of_ladder;

    #[test]
    fn steps_of_the_ladder_are_beats() {
        for (step, beats) in [(0, 32.0), (6, 4.0), (12, 1.0), (14, 4.0 / 6.0), (21, 1.0 / 16.0)] {
            assert!((beats_of_ladder(step) - beats).abs() < 1e-6, "{step}");
        }
    }
}
