//! Redux and Drum Buss.

use crate::sound::device_values::DeviceValues;
use svc_sound::effects::{DrumBussSettings, DrumDrive, ReduxSettings};

pub fn redux(values: &DeviceValues) -> ReduxSettings {
    ReduxSettings {
        hz: values.number("Sample Rate"),
        jitter: values.part("Jitter"),
        bits: values.number("Bit Depth"),
        shape: values.part("Quantizer Shape"),
        dc_shift: values.is_on("DC Shift"),
        pre_filter: values.is_on("Pre-Filter On"),
        post_filter: values.is_on("Post-Filter On").then(|| values.number("Post-Filter")),
        mix: values.part("Dry/Wet"),
    }
}

pub fn drum_buss(values: &DeviceValues) -> DrumBussSettings {
    let drives = [DrumDrive::Soft, DrumDrive::Medium, DrumDrive::Hard];
    DrumBussSettings {
        compressor: values.is_on("Compressor On"),
        trim_db: values.finite_db("Trim"),
        drive: values.part("Drive"),
        drive_type: drives.get(values.step("Drive Type")).copied().unwrap_or_default(),
        crunch: values.part("Crunch"),
        damping_hz: values.number("Damping Freq"),
        transients: values.number("Transients"),
        boom_hz: values.number("Boom Freq"),
        boom: values.part("Boom Amt"),
        boom_decay: values.part("Boom Decay"),
        output_db: values.finite_db("Output"),
        mix: values.part("Dry/Wet"),
    }
}
