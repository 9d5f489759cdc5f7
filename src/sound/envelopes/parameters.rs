//! Which of the engine's parameters a parameter of the document moves, by which curve.

use super::curve::Curve;
use super::devices::{macro_movements, own_movements};
use super::movement::{Movement, find_chain, find_device, strip_movement};
use crate::object_model::ObjectId;
use crate::object_model::faders::{send_db, volume_db};
use crate::set::document::Track;
use crate::set::document::device_tree::Device;
use crate::set::document::ids::IdParts;
use crate::sound::devices::Place;
use crate::sound::tracks::decibels;
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
        Some(target @ (IdParts::ChainMixerParameter { chain, .. } | IdParts::ChainSend { chain, .. })) => {
            let found = find_chain(&track.devices, chain);
            let ends = if matches!(target, IdParts::ChainMixerParameter { index: 1, .. }) { PAN } else { FADER };
            let movement = found.and_then(|(rack, chain)| strip_movement(rack, chain, target, ends, &|raw| raw));
            movement.into_iter().collect()
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
