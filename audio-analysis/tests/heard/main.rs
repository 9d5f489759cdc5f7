//! What is told of sound, held against sound of which it is known.

mod clicks;
mod key;
mod loudness;
mod remarks;
mod sample;
mod songs;
mod songs_in_keys;
mod tempo;
