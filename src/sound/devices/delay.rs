//! Delay.

use crate::sound::device_values::DeviceValues;
use svc_sound::effects::{DelaySettings, DelaySmoothing, DelayTime};

pub fn settings(values: &DeviceValues) -> DelaySettings {
    let smoothings = [DelaySmoothing::Repitch, DelaySmoothing::Fade, DelaySmoothing::Jump];
    DelaySettings {
        left: time(values, "L"),
        right: (!values.is_on("Link")).then(|| time(values, "R")),
        ping_pong: values.is_on("Ping Pong"),
        feedback: values.part("Feedback"),
        freeze: values.is_on("Freeze"),
        filter: values.is_on("Filter On").then(|| (values.number("Filter Freq"), values.number("Filter Width"))),
        smoothing: smoothings.get(values.step("Smoothing")).copied().unwrap_or_default(),
        mix: values.part("Dry/Wet"),
    }
}

fn time(values: &DeviceValues, side: &str) -> DelayTime {
    let name = |what: &str| format!("{side} {what}");
    if values.is_on(&name("Sync")) {
        let count = values.step_label(&name("16th")).parse().unwrap_or(1.0);
        DelayTime::Sixteenths { count, offset: values.part(&name("Offset")) }
    } else {
        DelayTime::Seconds(values.seconds(&name("Time")))
    }
}
