//! The musical facts every other room counts in: meters, positions, note values, pitches, scales, notes.
//!
//! Two units of time run through the product and must never be mixed:
//!
//! * **quarter beats** ([`Beats`]): what a Set stores. One quarter note, in every meter.
//! * **musical beats**: the denominator of a meter (an eighth in 6/8). What people and notations count in.
//!
//! This room knows nothing of sets, files or servers.

pub mod duration;
pub mod meter;
pub mod note;
pub mod pitch;
pub mod position;
pub mod scale;
pub mod text;

pub use meter::Meter;
pub use note::Note;

/// A time or length in quarter-note beats, whatever the meter. 1.0 is a quarter note.
pub type Beats = f64;

/// Two positions closer than this (in quarter beats) are the same position.
pub const SAME_POSITION_BEATS: Beats = 0.001;
