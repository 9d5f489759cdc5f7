//! EQ Three and Channel EQ.

use crate::sound::device_values::DeviceValues;
use svc_sound::effects::{ChannelEqSettings, EqThreeSettings};

pub fn eq_three(values: &DeviceValues) -> EqThreeSettings {
    EqThreeSettings {
        low_db: values.number("GainLo"),
        mid_db: values.number("GainMid"),
        high_db: values.number("GainHi"),
        low_on: values.is_on("LowOn"),
        mid_on: values.is_on("MidOn"),
        high_on: values.is_on("HighOn"),
        low_hz: values.number("FreqLo"),
        high_hz: values.number("FreqHi"),
        steep: values.is_on("Slope"),
    }
}

pub fn channel_eq(values: &DeviceValues) -> ChannelEqSettings {
    ChannelEqSettings {
        highpass: values.is_on("Highpass On"),
        low_db: values.number("Low Gain"),
        mid_db: values.number("Mid Gain"),
        mid_hz: values.number("Mid Freq"),
        high_db: values.number("High Gain"),
        output_db: values.number("Output"),
    }
}
