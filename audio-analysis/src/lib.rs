//! What can be told of sound by numbers, for who has no ears.
//!
//! Each file measures one thing of an [`Audio`] and knows nothing of tracks or of the Set; [`mix`] puts together what is
//! told of a mix of named tracks, with remarks in words. Everything is deterministic. Nothing here is for the audio
//! thread: it allocates, and takes a part of the time that the sound lasts.

pub mod audio;
pub mod clicks;
pub mod key;
pub mod levels;
pub mod loudness;
pub mod masking;
pub mod mix;
pub mod onsets;
pub mod remarks;
pub mod spectrum;
pub mod tempo;

pub use audio::Audio;
