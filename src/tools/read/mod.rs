//! How each kind of object is read: the fields that answers show.

pub mod clip_fields;
pub mod device_fields;
pub mod device_options;
pub mod device_summary;
pub mod envelope_fields;
pub mod gathered;
pub mod mute_state;
pub mod plain_fields;
pub mod rack_fields;
pub mod read_call;
pub mod routing_fields;
pub mod routing_list;
pub mod scene_fields;
pub mod session_clips;
pub mod set_fields;
pub mod settled;
pub mod target_scope;
pub mod track_fields;
pub mod written;
