//! Echo.

use super::rates::free_or_synced;
use crate::sound::device_values::DeviceValues;
use svc_sound::effects::{DelayTime, EchoChannels, EchoFilter, EchoMovement, EchoRoom, EchoSettings, LfoWave};

pub fn settings(values: &DeviceValues) -> EchoSettings {
    let channels = [EchoChannels::Stereo, EchoChannels::PingPong, EchoChannels::MidSide];
    let places = [EchoRoom::Before, EchoRoom::After, EchoRoom::Inside];
    let waves =
        [LfoWave::Sine, LfoWave::Triangle, LfoWave::SawUp, LfoWave::SawDown, LfoWave::Square, LfoWave::SampleAndHold];
    EchoSettings {
        left: time(values, "L"),
        right: (!values.is_on("Link")).then(|| time(values, "R")),
        channels: channels.get(values.step("Channel Mode")).copied().unwrap_or_default(),
        input_db: values.number("Input Gain"),
        feedback: values.part("Feedback"),
        invert_feedback: values.is_on("FB Invert"),
        filter: values.is_on("Filter On").then(|| EchoFilter {
            highpass_hz: values.number("HP Freq"),
            highpass_resonance: values.number("HP Res"),
            lowpass_hz: values.number("LP Freq"),
            lowpass_resonance: values.number("LP Res"),
        }),
        movement: EchoMovement {
            wave: waves.get(values.step("Mod Wave")).copied().unwrap_or_default(),
            rate: free_or_synced(values, "Mod Sync", "Mod Freq", "Mod Rate"),
            phase: values.number("Mod Phase") / 360.0,
            delay: values.part("Dly < Mod"),
            filter: values.part("Flt < Mod"),
        },
        room: values.part("Reverb Level"),
        room_decay: values.part("Reverb Decay"),
        room_place: places.get(values.step("Reverb Loc")).copied().unwrap_or_default(),
        gate: values.is_on("Gate On").then(|| (values.number("Gate Thr"), values.number("Gate Release"))),
        duck: values.is_on("Duck On").then(|| (values.number("Duck Thr"), values.number("Duck Release"))),
        width: values.part("Stereo Width"),
        output_db: values.number("Output"),
        mix: values.part("Dry Wet"),
    }
}

/// Sixteenths of a step `1/64` to `1`.
fn sixteenths(label: &str) -> f32 {
    let under = label.strip_prefix("1/").and_then(|under| under.parse::<f32>().ok()).unwrap_or(1.0);
    16.0 / under
}

fn time(values: &DeviceValues, side: &str) -> DelayTime {
    let name = |what: &str| format!("{side} {what}");
    if !values.is_on(&name("Sync")) {
        return DelayTime::Seconds(values.seconds(&name("Time")));
    }
    let step = sixteenths(values.step_label(&name("Synced")));
    let count = match values.step(&name("Sync Mode")) {
        0 => step,
        1 => step * 2.0 / 3.0,
        2 => step * 1.5,
        _ => values.number(&name("16th")),
    };
    DelayTime::Sixteenths { count, offset: values.part(&name("Offset")) }
}
