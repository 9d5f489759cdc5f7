//! What the tools share: paths, lists and their pairing, entries, and reading objects.

pub mod audio_clip;
pub mod entry;
pub mod gathered;
pub mod lists;
pub mod notes;
pub mod objects;
pub mod overview;
pub mod path;
pub mod read_clip;
pub mod read_track;
pub mod targets;
pub mod transforms;
