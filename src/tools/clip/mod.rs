//! What a clip holds: its region, its notes, its sound.

pub mod audio_clip;
pub mod notes;
pub mod region;
pub mod time;
pub mod transforms;
