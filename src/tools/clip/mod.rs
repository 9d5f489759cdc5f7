//! What a clip holds: its region, its notes, its sound.

pub mod audio_clip;
pub mod notes;
pub mod region;
pub mod source_tempo;
pub mod time;
pub mod transforms;
