//! Clip and its view.

mod audio_content;
mod clip_envelope;
mod clip_properties;
mod clip_region;
mod note_functions;
mod note_rework;
mod split_and_rebuild;
