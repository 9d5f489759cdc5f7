//! The devices of a track or of a rack's chain, in order; and the chains of racks and the pads of Drum Racks.

use super::effect::effect;
use super::notes::note_effect;
use super::place::Place;
use super::stand_in::{role_of, stand_in};
use super::zones::{ends, fades, selector};
use super::{drift, drum_sampler, impulse, operator, sampler, simpler};
use crate::object_model::default_sound::DefaultSound;
use crate::object_model::device_sounds::{Heard, of_class};
use crate::object_model::faders::{send_db, volume_db};
use crate::object_model::native_devices::DeviceCategory;
use crate::set::document::device_tree::{Chain, Device, Rack};
use crate::sound::device_values::DeviceValues;
use crate::sound::tracks::decibels;
use std::sync::Arc;
use svc_sound::instruments::InstrumentSettings;
use svc_sound::mixer::{CrossfadeSide, StripSettings};
use svc_sound::plan::settings::{self, ChainSend, ChainSettings, DeviceSettings};

/// The devices that have something to do; the signal passes the others by.
pub fn chain_of(devices: &[Arc<Device>], place: &Place) -> Vec<DeviceSettings> {
    let heard = devices.iter().filter_map(|device| {
        Some(DeviceSettings { id: u64::from(device.serial), on: device.is_on(), device: heard_device(device, place)? })
    });
    heard.collect()
}

/// A device as the engine has it: one, or one for each of its samples; not the devices of a rack.
pub fn engine_devices(device: &Device, place: &Place) -> Vec<(u64, settings::Device)> {
    match heard_device(device, place) {
        Some(settings::Device::Rack(chains)) if device.rack.is_none() => {
            chains.into_iter().flat_map(|chain| chain.devices).map(|inside| (inside.id, inside.device)).collect()
        }
        Some(settings::Device::Rack(_)) | None => Vec::new(),
        Some(one) => vec![(u64::from(device.serial), one)],
    }
}

fn heard_device(device: &Device, place: &Place) -> Option<settings::Device> {
    if matches!(device.class_name.as_str(), "MultiSampler" | "OriginalSimpler") && !device.sample_zones.is_empty() {
        return Some(settings::Device::Rack(sampler::chains(device, place)));
    }
    if device.class_name == "InstrumentImpulse" && !device.sample_zones.is_empty() {
        return Some(settings::Device::Rack(impulse::chains(device, place)));
    }
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
        let settings = simpler::settings(device, sample, place.samples.get(&sample.file_path)?, place.is_moved);
        return Some(InstrumentSettings::Sampler(Box::new(settings)));
    }
    if device.class_name == "DrumCell"
        && let Some(zone) = device.sample_zones.first()
    {
        let settings = drum_sampler::settings(device, zone, place.samples.get(&zone.sample.file_path)?);
        return Some(InstrumentSettings::DrumSampler(Box::new(settings)));
    }
    if device.class_name == "Drift" {
        return Some(InstrumentSettings::Drift(Box::new(drift::settings(device))));
    }
    if device.class_name == "Operator" {
        return Some(InstrumentSettings::Operator(Box::new(operator::settings(&DeviceValues::of(device)))));
    }
    Some(role_of(stand_in(&device.class_name, place.usual)).instrument())
}

/// Return chains that a rack may have.
const MOST_RETURNS: usize = 6;

/// The chains of a rack, its return chains behind the others.
fn chains(device: &Device, rack: &Rack, place: &Place) -> Vec<ChainSettings> {
    let pads = device.is_drum_rack();
    let inside = Place { usual: if pads { DefaultSound::Drums } else { place.usual }, ..*place };
    let own = rack.chains.iter().map(|chain| {
        let sends = rack.return_chains.iter().zip(&chain.sends).take(MOST_RETURNS);
        let zoned = if pads { ChainSettings::default() } else { zoned(device, chain, place) };
        ChainSettings {
            keys: chain.in_note.filter(|_| pads).map_or(zoned.keys, |note| (note, note)),
            velocities: zoned.velocities,
            key_fades: zoned.key_fades,
            velocity_fades: zoned.velocity_fades,
            selector: zoned.selector,
            plays: played_pitch(chain, pads),
            choke: if pads { chain.choke_group } else { 0 },
            sends: sends
                .map(|(to, raw)| ChainSend { to: u64::from(to.serial), gain_db: decibels(send_db(*raw)) })
                .collect(),
            ..chain_settings(chain, &rack.chains, &inside)
        }
    });
    let returns = rack.return_chains.iter().take(MOST_RETURNS);
    let returns =
        returns.map(|chain| ChainSettings { is_return: true, ..chain_settings(chain, &rack.return_chains, &inside) });
    own.chain(returns).collect()
}

/// The zones of a chain, of keys and velocities where its rack plays notes.
fn zoned(device: &Device, chain: &Chain, place: &Place) -> ChainSettings {
    let at = DeviceValues::of(device).raw("Chain Selector");
    let zones = &chain.zones;
    let everything = ChainSettings { selector: selector(zones, at, place.is_moved), ..ChainSettings::default() };
    if device.category() == Some(DeviceCategory::AudioEffect) {
        return everything;
    }
    ChainSettings {
        keys: ends(zones.keys),
        key_fades: fades(zones.keys),
        velocities: ends(zones.velocities),
        velocity_fades: fades(zones.velocities),
        ..everything
    }
}

/// What all chains have; `beside` are those among which solos count.
fn chain_settings(chain: &Chain, beside: &[Arc<Chain>], place: &Place) -> ChainSettings {
    let soloed = beside.iter().any(|chain| chain.solo);
    ChainSettings {
        id: u64::from(chain.serial),
        strip: StripSettings {
            active: !chain.mute && (chain.solo || !soloed),
            volume_db: decibels(volume_db(chain.volume)),
            pan: chain.panning as f32,
            split: None,
            crossfade: CrossfadeSide::Both,
        },
        devices: chain_of(&chain.devices, place),
        ..ChainSettings::default()
    }
}

/// The pitch that a pad's devices get: that of the pad, but for a default kit, which has the sound on the pad's own
/// key.
fn played_pitch(chain: &Chain, pads: bool) -> Option<u8> {
    let is_kit = |device: &Device| {
        let line = of_class(&device.class_name);
        let stands_in = line.is_none_or(|line| matches!(line.heard, Heard::StandIn(_) | Heard::Samples(_)));
        device.category() == Some(DeviceCategory::Instrument) && stands_in && !device.has_sample()
    };
    let plays_kit = chain.devices.iter().any(|device| is_kit(device));
    (pads && chain.in_note.is_some() && !plays_kit).then_some(chain.out_note)
}
