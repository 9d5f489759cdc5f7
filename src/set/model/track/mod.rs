//! Track, TakeLane, MixerDevice.

pub(super) mod arrangement_clips;
mod mixer_device;
mod mixer_parameters;
pub(super) mod track_properties;
mod track_routing;
