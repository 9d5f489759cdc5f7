//! What can be told of sound by numbers, for who has no ears.
//!
//! Each file measures one thing and knows nothing of tracks or of the Set; [`mix`] puts together what is told of a mix
//! of named tracks, [`remarks`] says it in words, [`sample`] listens to one sample. Sound may come in pieces of any
//! length, which change nothing. Everything is deterministic. Nothing here is for the audio thread: it allocates, and
//! takes a part of the time that the sound lasts.

pub mod clicks;
mod decibels;
mod energy_bins;
pub mod key;
pub mod levels;
pub mod loudness;
pub mod masking;
pub mod mix;
mod onsets;
pub mod pitch;
mod prediction;
pub mod remarks;
pub mod sample;
pub mod spectrum;
mod step_energies;
pub mod tempo;
pub mod true_peak;
