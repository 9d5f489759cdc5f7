//! Devices: where they go, what can be done with them, presets.

pub mod device_actions;
pub mod device_places;
pub mod presets;
