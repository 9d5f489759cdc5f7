//! Chains of racks and pads of Drum Racks.

use super::chain::{Place, chain_of};
use crate::object_model::default_sound::DefaultSound;
use crate::object_model::faders::volume_db;
use crate::object_model::native_devices::DeviceCategory;
use crate::set::document::device_tree::{Chain, Device, Rack};
use crate::sound::tracks::decibels;
use svc_sound::mixer::{CrossfadeSide, StripSettings};
use svc_sound::plan::settings::ChainSettings;

const EVERY_KEY: (u8, u8) = (0, 127);
const EVERY_VELOCITY: (u8, u8) = (1, 127);

/// The chains of a rack. Its return chains are not heard.
pub fn chains(device: &Device, rack: &Rack, place: &Place) -> Vec<ChainSettings> {
    let soloed = rack.chains.iter().any(|chain| chain.solo);
    let pads = device.is_drum_rack();
    let chain = |chain: &Chain| ChainSettings {
        id: u64::from(chain.serial),
        keys: chain.in_note.filter(|_| pads).map_or(EVERY_KEY, |note| (note, note)),
        velocities: EVERY_VELOCITY,
        plays: played_pitch(chain, pads),
        choke: if pads { chain.choke_group } else { 0 },
        strip: StripSettings {
            active: !chain.mute && (chain.solo || !soloed),
            volume_db: decibels(volume_db(chain.volume)),
            pan: chain.panning as f32,
            crossfade: CrossfadeSide::Both,
        },
        devices: {
            let usual = if pads { DefaultSound::Drums } else { place.usual };
            chain_of(&chain.devices, &Place { usual, ..*place })
        },
        ..ChainSettings::default()
    };
    rack.chains.iter().map(|of| chain(of)).collect()
}

/// The pitch that a pad's devices get: that of the pad, but for a default kit, which has the sound on the pad's own key.
fn played_pitch(chain: &Chain, pads: bool) -> Option<u8> {
    let is_kit = |device: &Device| {
        device.category() == Some(DeviceCategory::Instrument) && device.rack.is_none() && device.sample.is_none()
    };
    let plays_kit = chain.devices.iter().any(|device| is_kit(device));
    (pads && chain.in_note.is_some() && !plays_kit).then_some(chain.out_note)
}
