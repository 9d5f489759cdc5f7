//! Devices: what all have, what single kinds have besides, their parameters, chains and pads.

mod ab_compare;
pub(super) mod automation;
mod chain;
mod device_copies;
mod device_functions;
mod device_parameters;
mod device_properties;
mod device_routing;
mod device_views;
mod drum_pad;
mod kept_from_files;
mod macro_mappings;
mod max_and_plugin_devices;
mod parameter_properties;
pub(super) mod parameter_scale;
mod rack;
mod sample_properties;
mod simpler;
mod special_devices;
mod wavetable;
