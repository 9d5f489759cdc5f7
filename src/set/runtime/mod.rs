//! What a Set does rather than is: transport, launches, selection, views. It stands beside the document and undo leaves
//! it be.

pub mod keyboard_tracks;
pub mod launch_orders;
pub mod levels;
pub mod midi_port;
pub mod runtime_state;
pub mod sample_faults;
pub mod window_views;
