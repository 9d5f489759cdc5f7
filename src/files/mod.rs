//! Files outside the Set: the length, tempo, samples and onsets of audio files. Everything here reads a disk, so it is
//! for the *prepare* step of a call and never runs with the guard of the Set.

/// How the names of audio files end that can be read, in lower case.
pub const SOUND_ENDINGS: [&str; 11] = ["wav", "wave", "w64", "aif", "aiff", "aifc", "flac", "mp3", "mp2", "ogg", "oga"];

mod aiff;
pub mod audio;
mod chunk;
pub mod decode;
mod flac;
mod flac_frame;
mod foreign;
mod id3;
mod mpeg;
mod mpeg_frame;
mod ogg;
mod ogg_page;
pub mod onsets;
mod packets;
mod pcm;
mod probe_error;
pub mod read_budget;
mod riff;
mod sound;
mod sound_reader;
mod source;
pub mod spellings;
mod stated_tempo;
#[cfg(test)]
mod tests;
mod vorbis;
mod wave64;
