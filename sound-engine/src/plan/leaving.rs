//! What the plan before had and the new one has not: it stays for one plan more, switched off, so that it fades.

use super::settings::{ChainSettings, Device, DeviceSettings, MixSettings, Output, Send, TrackSettings};
use std::mem::discriminant;

/// Adds what goes: tracks, sends, devices, chains.
pub(super) fn add_leaving(before: &MixSettings, mix: &mut MixSettings) {
    for old in &before.tracks {
        match mix.tracks.iter_mut().find(|track| track.id == old.id) {
            Some(track) => add_to_track(old, track),
            None => {
                let mut leaving = old.clone();
                leaving.strip.active = false;
                leaving.note_ways.clear();
                mix.tracks.push(leaving);
            }
        }
    }
    if before.main.id == mix.main.id {
        add_devices(&before.main.devices, &mut mix.main.devices);
    }
    // What went to a track that goes, goes there still; what went nowhere goes nowhere.
    let is_there = |tracks: &[TrackSettings], id: u32| tracks.iter().any(|track| track.id == id);
    let leads_somewhere = |track: &TrackSettings| match track.output {
        Output::Track(id) => is_there(&mix.tracks, id),
        _ => true,
    };
    let there: Vec<bool> = mix.tracks.iter().map(leads_somewhere).collect();
    for (track, there) in mix.tracks.iter_mut().zip(there) {
        if !there && !track.strip.active {
            track.output = Output::Main;
        }
    }
}

fn add_to_track(old: &TrackSettings, track: &mut TrackSettings) {
    for (at, send) in old.sends.iter().enumerate() {
        if !track.sends.iter().any(|kept| kept.to == send.to) {
            let silent = Send { gain_db: f32::NEG_INFINITY, ..*send };
            track.sends.insert(at.min(track.sends.len()), silent);
        }
    }
    for clip in &old.clips {
        if !track.clips.iter().any(|kept| kept.id == clip.id) {
            track.clips.push(clip.clone());
        }
    }
    add_devices(&old.devices, &mut track.devices);
}

/// Puts devices that go behind those they stood behind.
fn add_devices(old: &[DeviceSettings], devices: &mut Vec<DeviceSettings>) {
    let mut behind = 0;
    for device in old {
        let same = |kept: &DeviceSettings| kept.id == device.id && is_same_kind(&kept.device, &device.device);
        match devices.iter().position(same) {
            Some(at) => {
                if let (Device::Rack(old), Some(DeviceSettings { device: Device::Rack(chains), .. })) =
                    (&device.device, devices.get_mut(at))
                {
                    add_chains(old, chains);
                }
                behind = at + 1;
            }
            None => {
                let at = behind.min(devices.len());
                devices.insert(at, DeviceSettings { on: false, ..device.clone() });
                behind = at + 1;
            }
        }
    }
}

fn add_chains(old: &[ChainSettings], chains: &mut Vec<ChainSettings>) {
    for chain in old {
        match chains.iter_mut().find(|kept| kept.id == chain.id) {
            Some(kept) => add_devices(&chain.devices, &mut kept.devices),
            None => {
                let mut leaving = chain.clone();
                leaving.strip.active = false;
                // It takes no notes any more: no velocity is below 1.
                leaving.velocities = (0, 0);
                chains.push(leaving);
            }
        }
    }
}

/// Whether what one remembers fits the other.
fn is_same_kind(a: &Device, b: &Device) -> bool {
    match (a, b) {
        (Device::Instrument(a), Device::Instrument(b)) => discriminant(a) == discriminant(b),
        (Device::Effect { settings: a, .. }, Device::Effect { settings: b, .. }) => discriminant(a) == discriminant(b),
        (Device::NoteEffect(a), Device::NoteEffect(b)) => discriminant(a) == discriminant(b),
        (Device::Rack(_), Device::Rack(_)) => true,
        _ => false,
    }
}
