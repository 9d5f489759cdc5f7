//! What of the engine moves, and by which curve.

use super::curve::Curve;
use crate::set::document::device_tree::Device;
use crate::set::document::ids::Serial;
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
