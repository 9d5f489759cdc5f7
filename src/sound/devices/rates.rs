//! Rates of slow movements, as several devices name them.

use crate::object_model::native_devices::table;
use crate::sound::device_values::DeviceValues;
use svc_sound::effects::LfoRate;

/// Quarter beats of a whole note.
const WHOLE: f32 = 4.0;

/// The names of a device's parameters that make a rate of the kind `Rate`, `Time`, `Synced`, `Triplet`, `Dotted`,
/// `16th`.
pub struct RateNames {
    pub mode: &'static str,
    pub hz: &'static str,
    pub time: &'static str,
    pub synced: &'static str,
    pub sixteenths: &'static str,
}

pub fn rate(values: &DeviceValues, names: &RateNames) -> LfoRate {
    let beats = beats_of_ladder(values.step(names.synced));
    match values.step(names.mode) {
        0 => LfoRate::Hz(values.number(names.hz)),
        1 => LfoRate::Hz(1.0 / values.seconds(names.time).max(1e-3)),
        2 => LfoRate::PerBeat(1.0 / beats),
        3 => LfoRate::PerBeat(1.5 / beats),
        4 => LfoRate::PerBeat(1.0 / (1.5 * beats)),
        _ => LfoRate::PerBeat(4.0 / values.number(names.sixteenths).max(1.0)),
    }
}

/// Free, or in step with the tempo.
pub fn free_or_synced(values: &DeviceValues, synced: &str, hz: &str, step: &str) -> LfoRate {
    match values.is_on(synced) {
        true => LfoRate::PerBeat(1.0 / beats_of_ladder(values.step(step))),
        false => LfoRate::Hz(values.number(hz)),
    }
}

/// Quarter beats of a step of the ladder of beats: `1/4` is a quarter note, `2` two bars of four.
pub fn beats_of_ladder(step: usize) -> f32 {
    let label = table().ladders.get("beat22").and_then(|ladder| ladder.get(step)).map_or("1", String::as_str);
    let wholes = match label.split_once('/') {
        Some((over, under)) => {
            over.parse::<f32>().ok().zip(under.parse::<f32>().ok()).map(|(over, under)| over / under)
        }
        None => label.parse().ok(),
    };
    wholes.unwrap_or(1.0).max(1.0 / 64.0) * WHOLE
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
