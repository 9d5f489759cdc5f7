//! Devices as the engine takes them: what each native device's parameters are in units of the world.

mod auto_filter;
mod chain;
mod colors;
mod compressor;
mod delay;
mod detector;
mod drift;
mod dynamics;
mod echo;
mod effect;
mod eq_eight;
mod equalizers;
mod limiter;
mod modulation;
mod note_scales;
mod notes;
mod rates;
mod reverb;
mod saturator;
mod simpler;
mod stand_in;
#[cfg(test)]
mod tests;
mod utility;

pub use chain::{Place, chain_of};
pub use note_scales::current_scale;
pub use stand_in::role_of;
