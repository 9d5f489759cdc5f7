//! The devices of a track or of a rack's chain, in order.

use super::effect::effect;
use super::notes::note_effect;
use super::rack::chains;
use super::stand_in::{role_of, stand_in};
use super::{drift, simpler};
use crate::object_model::default_sound::DefaultSound;
use crate::object_model::native_devices::DeviceCategory;
use crate::set::document::device_tree::Device;
use crate::sound::samples::SampleCache;
use std::sync::Arc;
use svc_sound::instruments::InstrumentSettings;
use svc_sound::note_effects::PitchSet;
use svc_sound::plan::settings::{self, DeviceSettings};

/// What devices are looked at with.
#[derive(Clone, Copy)]
pub struct Place<'a> {
    pub samples: &'a SampleCache,
    /// What plays for an instrument without code of its own.
    pub usual: DefaultSound,
    /// The Set's.
    pub scale: Option<PitchSet>,
}

/// The devices that have something to do; the signal passes the others by.
pub fn chain_of(devices: &[Arc<Device>], place: &Place) -> Vec<DeviceSettings> {
    let heard = devices.iter().filter_map(|device| {
        let on = device.values.first().is_none_or(|on| *on >= 0.5);
        Some(DeviceSettings { id: u64::from(device.serial), on, device: heard_device(device, place)? })
    });
    heard.collect()
}

fn heard_device(device: &Device, place: &Place) -> Option<settings::Device> {
    if let Some(rack) = &device.rack {
        return Some(settings::Device::Rack(chains(device, rack, place)));
    }
    match device.category() {
        Some(DeviceCategory::Instrument) => instrument(device, place).map(settings::Device::Instrument),
        Some(DeviceCategory::AudioEffect) => effect(device),
        Some(DeviceCategory::MidiEffect) => note_effect(device, place.scale).map(settings::Device::NoteEffect),
        None => None,
    }
}

/// `None`: it is silent, without a sample or until its sample is there.
fn instrument(device: &Device, place: &Place) -> Option<InstrumentSettings> {
    if device.class_name == "OriginalSimpler" {
        let sample = device.sample.as_ref()?;
        let settings = simpler::settings(device, sample, place.samples.get(&sample.file_path)?);
        return Some(InstrumentSettings::Sampler(Box::new(settings)));
    }
    if device.class_name == "Drift" {
        return Some(InstrumentSettings::Drift(Box::new(drift::settings(device))));
    }
    Some(role_of(stand_in(&device.class_name, place.usual)).instrument())
}
