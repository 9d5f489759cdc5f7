//! Files outside the Set: the length, tempo, samples and onsets of audio files. Everything here reads a disk, so it is
//! for the *prepare* step of a call and never runs with the guard of the Set.

pub mod audio;
pub mod decode;
pub mod onsets;
pub mod read_budget;
mod stated_tempo;
