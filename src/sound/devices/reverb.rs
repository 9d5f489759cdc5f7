//! Reverb.

use crate::sound::device_values::DeviceValues;
use svc_sound::dsp::math::exp2;
use svc_sound::effects::ReverbSettings;

/// The room size that is a hall.
const HALL: f32 = 100.0;

pub fn settings(values: &DeviceValues) -> ReverbSettings {
    // The input filter is a band around a frequency; each side of it can be switched.
    let (middle, half) = (values.number("Input Freq"), exp2(0.5 * values.number("Input Width")));
    let high_shelf = values.is_on("Diff. Hi On");
    // As a lowpass it takes nearly all.
    let high_gain = if values.step("Diff. Hi Type") == 1 { 0.2 } else { values.number("HiShelf Gain") };
    ReverbSettings {
        predelay_ms: values.number("Predelay"),
        decay_s: values.seconds("Decay Time"),
        size: (values.number("Room Size") / HALL).clamp(0.05, 2.0),
        diffusion: values.part("Diffusion"),
        low_cut_hz: values.is_on("In Lo Cut On").then_some(middle / half),
        high_cut_hz: values.is_on("In Hi Cut On").then_some((middle * half).min(20_000.0)),
        high_shelf: high_shelf.then(|| (values.number("Diff. Hi Freq"), high_gain)),
        low_shelf: values
            .is_on("Diff. Lo On")
            .then(|| (values.number("Diff. Lo Freq"), values.number("LowShelf Gain"))),
        chorus_hz: values.number("Chorus Rate"),
        chorus_amount: if values.is_on("Chorus On") { values.number("Chorus Amount") } else { 0.0 },
        stereo: values.part("Stereo Image"),
        reflect_db: values.number("Reflect Level"),
        diffuse_db: values.number("Diffuse Level"),
        freeze: values.is_on("Freeze On"),
        mix: values.part("Dry/Wet"),
    }
}
