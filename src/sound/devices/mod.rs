//! Devices as the engine takes them: what each native device's parameters are in units of the world.

mod auto_filter;
mod chain;
mod colors;
mod compressor;
mod delay;
mod detector;
mod drift;
mod drum_sampler;
mod dynamics;
mod echo;
mod effect;
mod eq_eight;
mod equalizers;
mod impulse;
mod limiter;
mod modulation;
mod note_scales;
mod notes;
mod operator;
mod place;
mod rates;
mod reverb;
mod sampler;
mod saturator;
mod simpler;
mod stand_in;
#[cfg(test)]
mod tests;
mod utility;
mod zones;

pub use chain::{chain_of, engine_devices};
pub use note_scales::current_scale;
pub use place::Place;
pub use stand_in::role_of;
