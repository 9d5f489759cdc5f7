//! Utility.

use crate::sound::device_values::DeviceValues;
use svc_sound::effects::{ChannelMode, UtilitySettings};

pub fn settings(values: &DeviceValues) -> UtilitySettings {
    let modes = [ChannelMode::Left, ChannelMode::Stereo, ChannelMode::Right, ChannelMode::Swap];
    UtilitySettings {
        invert_left: values.is_on("Left Inv"),
        invert_right: values.is_on("Right Inv"),
        channels: modes.get(values.step("Channel Mode")).copied().unwrap_or_default(),
        width: values.part("Stereo Width"),
        mono: values.is_on("Mono"),
        bass_mono_hz: values.is_on("Bass Mono").then(|| values.number("Bass Freq")),
        balance: values.pan("Balance"),
        gain_db: values.number("Output"),
        mute: values.is_on("Mute"),
        dc_filter: values.is_on("DC Filter"),
    }
}
