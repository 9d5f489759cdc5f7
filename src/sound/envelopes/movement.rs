//! What of the engine moves, and by which curve.

use super::curve::Curve;
use crate::object_model::faders::{send_db, volume_db};
use crate::set::document::device_tree::{Chain, Device, Rack};
use crate::set::document::ids::{IdParts, Serial};
use crate::sound::tracks::decibels;
use std::sync::Arc;
use svc_sound::parameter::Parameter;
use svc_sound::plan::Automated;

/// A parameter of the engine that a parameter of the document moves.
#[derive(Clone, Debug, PartialEq)]
pub struct Movement {
    pub of: Automated,
    pub parameter: Parameter,
    pub curve: Arc<Curve>,
}

impl Movement {
    pub(super) fn new(of: Automated, parameter: Parameter, curve: Curve) -> Movement {
        Movement { of, parameter, curve: Arc::new(curve) }
    }

    /// Whether both move the same.
    pub fn is_of(&self, other: &Movement) -> bool {
        (self.of, self.parameter) == (other.of, other.parameter)
    }

    /// Whether it is what mutes the track.
    pub fn is_activator(&self) -> bool {
        (self.of, self.parameter) == (Automated::Track, Parameter::On)
    }
}

/// A device among some, or in racks among them.
pub(super) fn find_device(devices: &[Arc<Device>], serial: Serial) -> Option<&Device> {
    devices.iter().find_map(|device| match &device.rack {
        _ if device.serial == serial => Some(&**device),
        Some(rack) => rack.every_chain().find_map(|chain| find_device(&chain.devices, serial)),
        None => None,
    })
}

/// A chain in racks among some devices, with its rack.
pub(super) fn find_chain(devices: &[Arc<Device>], serial: Serial) -> Option<(&Rack, &Chain)> {
    devices.iter().filter_map(|device| device.rack.as_deref()).find_map(|rack| find_chain_in(rack, serial))
}

/// The same among the chains of a rack, at any depth.
pub(super) fn find_chain_in(rack: &Rack, serial: Serial) -> Option<(&Rack, &Chain)> {
    rack.every_chain().find_map(|chain| match chain.serial == serial {
        true => Some((rack, &**chain)),
        false => find_chain(&chain.devices, serial),
    })
}

/// What a parameter of a chain's mixer moves. The envelope's raw values, which lie between `ends`, become the
/// parameter's by `raw_of`.
pub(super) fn strip_movement(
    rack: &Rack,
    chain: &Chain,
    target: IdParts,
    ends: (f64, f64),
    raw_of: &dyn Fn(f64) -> f64,
) -> Option<Movement> {
    let beside =
        if rack.chains.iter().any(|other| other.serial == chain.serial) { &rack.chains } else { &rack.return_chains };
    let is_left_out = !chain.solo && beside.iter().any(|other| other.solo);
    let (parameter, curve) = match target {
        IdParts::ChainSend { return_chain, .. } => {
            (Parameter::Send(return_chain.into()), Curve::of(ends, false, |raw| decibels(send_db(raw_of(raw)))))
        }
        IdParts::ChainMixerParameter { index: 0, .. } => {
            (Parameter::Volume, Curve::of(ends, false, |raw| decibels(volume_db(raw_of(raw)))))
        }
        IdParts::ChainMixerParameter { index: 1, .. } => {
            (Parameter::Pan, Curve::of(ends, false, |raw| raw_of(raw) as f32))
        }
        IdParts::ChainMixerParameter { index: 2, .. } if is_left_out => (Parameter::On, Curve::flat(0.0)),
        IdParts::ChainMixerParameter { index: 2, .. } => {
            (Parameter::On, Curve::of(ends, true, |raw| raw_of(raw).round() as f32))
        }
        _ => return None,
    };
    Some(Movement::new(Automated::Chain(chain.serial.into()), parameter, curve))
}
