//! Saturator.

use crate::sound::device_values::DeviceValues;
use svc_sound::effects::{PostClip, SaturatorColor, SaturatorSettings, SaturatorShape};

pub fn settings(values: &DeviceValues) -> SaturatorSettings {
    let clips = [PostClip::None, PostClip::Soft, PostClip::Hard];
    SaturatorSettings {
        drive_db: values.number("Drive"),
        shape: shape(values),
        color: values.is_on("Color On").then(|| SaturatorColor {
            low: values.part("Color Amt Low"),
            high: values.part("Color Amt Hi"),
            hz: values.number("Color Freq"),
        }),
        post_clip: clips.get(values.step("Post Clip Mode")).copied().unwrap_or_default(),
        output_db: values.number("Output"),
        mix: values.part("Dry/Wet"),
        dc_filter: values.is_on("Pre Dc Filter"),
    }
}

fn shape(values: &DeviceValues) -> SaturatorShape {
    match values.step("Type") {
        0 => SaturatorShape::AnalogClip,
        1 => SaturatorShape::SoftSine,
        2 => SaturatorShape::BassShaper { threshold_db: values.number("Threshold") },
        3 => SaturatorShape::MediumCurve,
        4 => SaturatorShape::HardCurve,
        5 => SaturatorShape::SinoidFold,
        6 => SaturatorShape::DigitalClip,
        _ => SaturatorShape::Waveshaper { curve: values.part("WS Curve"), depth: values.part("WS Depth") },
    }
}
