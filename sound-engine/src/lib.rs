//! The sound engine of SVC Device.

pub mod dsp;
pub mod effects;
pub mod sample;

#[cfg(test)]
mod analysis;
