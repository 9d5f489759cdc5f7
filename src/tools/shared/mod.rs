//! What the tools share: paths, lists and their pairing, entries, and reading objects.

pub mod actions;
pub mod arrange;
pub mod audio_clip;
pub mod entry;
pub mod gathered;
pub mod hidden;
pub mod hidden_clip;
pub mod lists;
pub mod locator_work;
pub mod notes;
pub mod objects;
pub mod overview;
pub mod path;
pub mod path_read;
pub mod places;
pub mod read_clip;
pub mod read_envelopes;
pub mod read_routing;
pub mod read_scene;
pub mod read_track;
pub mod region;
pub mod spell;
pub mod steps;
pub mod targets;
pub mod transforms;
pub mod values;
