//! What a Set does rather than is: transport, launches, selection, views. It stands beside the document and undo leaves
//! it be.

pub mod launch_orders;
pub mod midi_port;
pub mod runtime_state;
pub mod sample_faults;
pub mod window_views;
