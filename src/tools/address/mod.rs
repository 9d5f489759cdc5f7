//! How targets are addressed: paths, ids, and the objects they name.

pub mod device_targets;
pub mod group_tracks;
pub mod model_read;
pub mod path;
pub mod path_format;
pub mod path_parse;
pub mod path_resolve;
pub mod target_origin;
pub mod targets;
