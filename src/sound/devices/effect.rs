//! Audio effects by their class.

use super::{
    auto_filter, colors, compressor, delay, dynamics, echo, eq_eight, equalizers, limiter, modulation, reverb,
    saturator, utility,
};
use crate::set::document::device_tree::Device;
use crate::set::document::ids::Serial;
use crate::set::model::routing_ids::track_of;
use crate::sound::device_values::DeviceValues;
use svc_sound::effects::EffectSettings;
use svc_sound::plan::settings;

/// What an effect is to the engine; `None`: it has no code, and is passed by.
pub fn effect(device: &Device) -> Option<settings::Device> {
    let values = DeviceValues::of(device);
    let of = match device.class_name.as_str() {
        "Eq8" => EffectSettings::EqEight(eq_eight::settings(&values)),
        "StereoGain" => EffectSettings::Utility(utility::settings(&values)),
        "Compressor2" => EffectSettings::Compressor(compressor::settings(&values)),
        "Saturator" => EffectSettings::Saturator(saturator::settings(&values)),
        "AutoFilter2" => EffectSettings::AutoFilter(auto_filter::settings(&values)?),
        "Delay" => EffectSettings::Delay(delay::settings(&values)),
        "Reverb" => EffectSettings::Reverb(reverb::settings(&values)),
        "Limiter" => EffectSettings::Limiter(limiter::settings(&values)),
        "FilterEQ3" => EffectSettings::EqThree(equalizers::eq_three(&values)),
        "ChannelEq" => EffectSettings::ChannelEq(equalizers::channel_eq(&values)),
        "GlueCompressor" => EffectSettings::Glue(dynamics::glue(&values)),
        "Gate" => EffectSettings::Gate(dynamics::gate(&values)),
        "Redux2" => EffectSettings::Redux(colors::redux(&values)),
        "DrumBuss" => EffectSettings::DrumBuss(colors::drum_buss(&values)),
        "Chorus2" => EffectSettings::Chorus(modulation::chorus(&values)),
        "AutoPan2" => EffectSettings::AutoPan(modulation::auto_pan(&values)),
        "PhaserNew" => EffectSettings::PhaserFlanger(modulation::phaser_flanger(&values)),
        "Echo" => EffectSettings::Echo(echo::settings(&values)),
        _ => return None,
    };
    Some(settings::Device::Effect { settings: of, sidechain: sidechain(device, &values) })
}

/// The devices that can listen to another track.
const LISTENERS: [&str; 3] = ["Compressor2", "GlueCompressor", "Gate"];

fn sidechain(device: &Device, values: &DeviceValues) -> Option<Serial> {
    let listens = LISTENERS.contains(&device.class_name.as_str()) && values.is_on("S/C On");
    let source = device.stored.get("input_routing_type").filter(|_| listens)?;
    track_of(source.as_i64()?)
}
