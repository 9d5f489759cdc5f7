//! Which of the engine's parameters a parameter of the document moves, by which curve.

use super::curve::Curve;
use super::devices::{macro_movements, own_movements};
use super::movement::{Movement, find_device};
use crate::object_model::ObjectId;
use crate::object_model::faders::{send_db, volume_db};
use crate::set::document::Track;
use crate::set::document::device_tree::{Chain, Device, Rack};
use crate::set::document::ids::{IdParts, Serial};
use crate::sound::devices::Place;
use crate::sound::tracks::decibels;
use std::sync::Arc;
use svc_sound::parameter::Parameter;
use svc_sound::plan::Automated;

/// Raw values of faders, sends and pans.
const FADER: (f64, f64) = (0.0, 1.0);
const PAN: (f64, f64) = (-1.0, 1.0);
/// Among the parameters of a mixer.
const LEFT_SPLIT: u16 = 3;
const RIGHT_SPLIT: u16 = 4;
const CROSSFADER: u16 = 6;

/// What a parameter of the track, by its id, moves; nothing where the engine has no place for it.
pub fn movements(track: &Track, parameter: u64, place: &Place) -> Vec<Movement> {
    match IdParts::from_id(ObjectId(parameter)) {
        Some(IdParts::MixerParameter { track: of, index }) if of == track.serial => mixer_movement(track, index),
        Some(IdParts::Send { track: of, return_track }) if of == track.serial => {
            let curve = Curve::of(FADER, false, |raw| decibels(send_db(raw)));
            vec![Movement::new(Automated::Track, Parameter::Send(return_track.into()), curve)]
        }
        Some(IdParts::Parameter { device, index }) => match find_device(&track.devices, device) {
            Some(device) => device_movements(device, index, place),
            None => Vec::new(),
        },
        Some(IdParts::ChainMixerParameter { chain, index }) => match find_chain(&track.devices, chain) {
            Some((rack, chain)) => chain_movement(rack, chain, index),
            None => Vec::new(),
        },
        Some(IdParts::ChainSend { chain, return_chain }) => {
            let curve = Curve::of(FADER, false, |raw| decibels(send_db(raw)));
            vec![Movement::new(Automated::Chain(chain.into()), Parameter::Send(return_chain.into()), curve)]
        }
        _ => Vec::new(),
    }
}

/// In the order of the mixer's parameters.
fn mixer_movement(track: &Track, index: u16) -> Vec<Movement> {
    let (parameter, curve) = match index {
        0 => (Parameter::Volume, Curve::of(FADER, false, |raw| decibels(volume_db(raw)))),
        1 if !track.mixer.split_stereo => (Parameter::Pan, Curve::of(PAN, false, |raw| raw as f32)),
        2 => (Parameter::On, Curve::of(FADER, true, |raw| raw as f32)),
        LEFT_SPLIT if track.mixer.split_stereo => (Parameter::PanLeft, Curve::of(PAN, false, |raw| raw as f32)),
        RIGHT_SPLIT if track.mixer.split_stereo => (Parameter::PanRight, Curve::of(PAN, false, |raw| raw as f32)),
        CROSSFADER => (Parameter::Crossfade, Curve::of(PAN, false, |raw| raw as f32)),
        _ => return Vec::new(),
    };
    vec![Movement::new(Automated::Track, parameter, curve)]
}

fn chain_movement(rack: &Rack, chain: &Chain, index: u16) -> Vec<Movement> {
    let beside =
        if rack.chains.iter().any(|other| other.serial == chain.serial) { &rack.chains } else { &rack.return_chains };
    let is_left_out = !chain.solo && beside.iter().any(|other| other.solo);
    let (parameter, curve) = match index {
        0 => (Parameter::Volume, Curve::of(FADER, false, |raw| decibels(volume_db(raw)))),
        1 => (Parameter::Pan, Curve::of(PAN, false, |raw| raw as f32)),
        2 if is_left_out => (Parameter::On, Curve::flat(0.0)),
        2 => (Parameter::On, Curve::of(FADER, true, |raw| raw as f32)),
        _ => return Vec::new(),
    };
    vec![Movement::new(Automated::Chain(chain.serial.into()), parameter, curve)]
}

fn device_movements(device: &Device, index: u16, place: &Place) -> Vec<Movement> {
    let Some(spec) = device.specs().get(usize::from(index)) else { return Vec::new() };
    let of = Automated::Device(device.serial.into());
    let ends = (spec.min, spec.max);
    match spec.name.as_str() {
        _ if index == 0 => vec![Movement::new(of, Parameter::On, Curve::of(ends, true, |raw| raw as f32))],
        "Chain Selector" | "Sample Selector" if device.rack.is_some() || !device.sample_zones.is_empty() => {
            vec![Movement::new(of, Parameter::ChainSelector, Curve::of(ends, false, |raw| raw as f32))]
        }
        _ => match &device.rack {
            Some(rack) => macro_movements(rack, usize::from(index), place),
            None => own_movements(device, usize::from(index), ends, &|raw| raw, place),
        },
    }
}

/// A chain in racks among some devices, with its rack.
fn find_chain(devices: &[Arc<Device>], serial: Serial) -> Option<(&Rack, &Chain)> {
    devices.iter().filter_map(|device| device.rack.as_deref()).find_map(|rack| {
        rack.every_chain().find_map(|chain| match chain.serial == serial {
            true => Some((rack, &**chain)),
            false => find_chain(&chain.devices, serial),
        })
    })
}
