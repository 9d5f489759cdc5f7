//! Envelopes of clips, and of the Arrangement: what moves while they play, in the engine's units, and the events that
//! move it.
//!
//! [`table`] is made where plans are made, and goes with its plan; [`walker`] runs on the audio thread.

mod curve;
mod devices;
mod movement;
#[cfg(test)]
mod moving_parameters;
mod parameters;
pub mod table;
pub mod walker;
