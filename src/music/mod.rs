//! The musical facts every other room counts in: meters, positions, note values, pitches, scales, notes.
//!
//! Two units of time run through the product and must never be mixed:
//!
//! * **quarter beats** ([`Beats`]): what a Set stores. One quarter note, in every meter.
//! * **musical beats**: the denominator of a meter (an eighth in 6/8). What people and notations count in.
//!
//! This room knows nothing of sets, files or servers.

pub mod duration;
pub mod excerpt;
pub mod locator_names;
pub mod meter;
pub mod note;
pub mod pitch;
pub mod position;
pub mod random;
pub mod scale;
pub mod shown_text;
pub mod text;
mod time;

pub use meter::Meter;
pub use note::Note;
pub use random::Random;
pub use time::{
    Beats, LONGEST_CLIP_BEATS, SAME_POSITION_BEATS, nearest_whole, number_without_noise, round_half_up,
    time_without_noise,
};
