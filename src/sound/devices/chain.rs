//! The devices of a track or of a rack's chain, in order; and the chains of racks and the pads of Drum Racks.

use super::effect::effect;
use super::notes::note_effect;
use super::stand_in::{role_of, stand_in};
use super::{drift, simpler};
use crate::object_model::default_sound::DefaultSound;
use crate::object_model::faders::{send_db, volume_db};
use crate::object_model::native_devices::DeviceCategory;
use crate::set::document::device_tree::{Chain, Device, Rack};
use crate::sound::samples::SampleCache;
use crate::sound::tracks::decibels;
use std::sync::Arc;
use svc_sound::instruments::InstrumentSettings;
use svc_sound::mixer::{CrossfadeSide, StripSettings};
use svc_sound::note_effects::PitchSet;
use svc_sound::plan::settings::{self, ChainSend, ChainSettings, DeviceSettings};

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

const EVERY_KEY: (u8, u8) = (0, 127);

/// Return chains that a rack may have.
const MOST_RETURNS: usize = 6;

/// The chains of a rack, its return chains behind the others.
fn chains(device: &Device, rack: &Rack, place: &Place) -> Vec<ChainSettings> {
    let pads = device.is_drum_rack();
    let inside = Place { usual: if pads { DefaultSound::Drums } else { place.usual }, ..*place };
    let own = rack.chains.iter().map(|chain| {
        let sends = rack.return_chains.iter().zip(&chain.sends).take(MOST_RETURNS);
        ChainSettings {
            keys: chain.in_note.filter(|_| pads).map_or(EVERY_KEY, |note| (note, note)),
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

/// What all chains have; `beside` are those among which solos count.
fn chain_settings(chain: &Chain, beside: &[Arc<Chain>], place: &Place) -> ChainSettings {
    let soloed = beside.iter().any(|chain| chain.solo);
    ChainSettings {
        id: u64::from(chain.serial),
        strip: StripSettings {
            active: !chain.mute && (chain.solo || !soloed),
            volume_db: decibels(volume_db(chain.volume)),
            pan: chain.panning as f32,
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
        device.category() == Some(DeviceCategory::Instrument) && device.rack.is_none() && device.sample.is_none()
    };
    let plays_kit = chain.devices.iter().any(|device| is_kit(device));
    (pads && chain.in_note.is_some() && !plays_kit).then_some(chain.out_note)
}
